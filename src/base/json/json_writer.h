/* SPDX-License-Identifier: Apache-2.0 */
/* json_writer.h — writes JSON straight into a buffer: no tree, no allocation, always valid.
 *
 * It places the commas. At most 31 levels may be open at once. Text that is not valid UTF-8 is written with
 * U+FFFD in the place of each bad byte, so that the output is always valid. One writer writes one document.
 */
#ifndef BASE_JSON_WRITER_H
#define BASE_JSON_WRITER_H

#include <string.h>

#include "base/memory/buf.h"

struct json_writer {
    struct buf *out;
    uint32_t first; /* bit per depth: nothing written at this level yet */
    uint8_t depth;
    bool after_key;
};

/* Hidden, so that in a test that links jansson too ours never take the place of its json_string and
 * json_null. */
#pragma GCC visibility push(hidden)

struct json_writer json_writer_make(struct buf *out);
void json_object_begin(struct json_writer *w);
void json_object_end(struct json_writer *w);
void json_array_begin(struct json_writer *w);
void json_array_end(struct json_writer *w);
void json_key_sized(struct json_writer *w, const char *key, size_t size);
/* A plain ASCII literal, not escaped. Inlined where the compiler knows its size; the rare cases are a call. */
static inline __attribute__((always_inline)) void json_key(struct json_writer *w, const char *key)
{
    struct buf *b = w->out;
    size_t size = strlen(key);
    uint32_t bit = (uint32_t)1 << w->depth;
    if (!__builtin_constant_p(size) || w->after_key || w->first & bit || b->capacity - b->size < size + 4) {
        json_key_sized(w, key, size);
        return;
    }
    char *at = (char *)b->data + b->size;
    memcpy(at, ",\"", 2);
    memcpy(at + 2, key, size);
    memcpy(at + 2 + size, "\":", 2);
    b->size += size + 4;
    w->after_key = true;
}
void json_key_text(struct json_writer *w, const char *key, size_t size); /* any text, escaped */
void json_text(struct json_writer *w, const char *text, size_t size);
void json_string(struct json_writer *w, const char *text); /* NUL-terminated; NULL is null */
void json_int(struct json_writer *w, int64_t v);
void json_uint(struct json_writer *w, uint64_t v);
void json_decimal(struct json_writer *w, uint64_t v); /* a number in quotes */
void json_bool(struct json_writer *w, bool v);
void json_null(struct json_writer *w);
void json_time(struct json_writer *w, int64_t at_ms);                /* RFC 3339; 0 is null */
void json_raw(struct json_writer *w, const char *json, size_t size); /* already JSON */
/* Thousandths as a decimal number without needless zeros: 1500 is 1.5. */
void json_milli(struct json_writer *w, int64_t thousandths);
void json_e7(struct json_writer *w, int64_t ten_millionths); /* a number: degrees */

#pragma GCC visibility pop

#endif
