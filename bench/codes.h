/* SPDX-License-Identifier: Apache-2.0 */
/* codes.h — names from a file, one per line, all of one length: ticket codes and the ids of reservations. */
#ifndef BENCH_CODES_H
#define BENCH_CODES_H

#include <stddef.h>
#include <stdint.h>

#define CODES_TICKET_SIZE 20
#define CODES_RESERVATION_SIZE 30

struct codes {
    char *bytes; /* lines of `size` characters and a line feed */
    size_t size;
    uint64_t count;
};

/* Ends the process with a message if the file has anything else in it. */
void codes_read(struct codes *c, const char *path, size_t size);
void codes_release(struct codes *c);

static inline const char *codes_at(const struct codes *c, uint64_t n)
{
    return c->bytes + n * (c->size + 1);
}

#endif
