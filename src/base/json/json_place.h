/* SPDX-License-Identifier: Apache-2.0 */
/* json_place.h — where in a JSON document a value is, and the pointer (RFC 6901) that says so. */
#ifndef BASE_JSON_PLACE_H
#define BASE_JSON_PLACE_H

#include <stddef.h>

/* A chain of these from the value up to the root, which is NULL. */
struct json_place {
    const struct json_place *up;
    const char *name; /* NULL: an array element */
    size_t index;
    const char *called; /* how a sentence names it, where the name comes from the document; or NULL */
};

struct json_scan;

/* A pointer that does not fit is cut between characters. */
void json_place_write(const struct json_place *place, char *out, size_t size);
/* The pointer of the value that the scan complains about, if that value is all that is wrong; otherwise of the
 * root, because positions in malformed JSON mean nothing. */
void json_place_write_complaint(const struct json_scan *s, char *out, size_t size);

#endif
