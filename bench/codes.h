/* SPDX-License-Identifier: Apache-2.0 */
/* codes.h — ticket codes from a file, one a line: what check-ins present. */
#ifndef BENCH_CODES_H
#define BENCH_CODES_H

#include <stdint.h>

#define CODES_SIZE 20

struct codes {
    char *bytes; /* lines of CODES_SIZE characters and a line feed */
    uint64_t count;
};

/* Ends the process with a sentence when the file has anything else in it. */
void codes_read(struct codes *c, const char *path);
void codes_release(struct codes *c);

static inline const char *codes_at(const struct codes *c, uint64_t n)
{
    return c->bytes + n * (CODES_SIZE + 1);
}

#endif
