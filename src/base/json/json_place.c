/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/json/json_scan.h"
#include "base/text/utf8.h"

struct pointer {
    char *out;
    size_t at, size;
};

static bool put(struct pointer *p, const char *text, size_t size)
{
    if (p->at + size >= p->size)
        return false;
    memcpy(p->out + p->at, text, size);
    p->at += size;
    p->out[p->at] = '\0';
    return true;
}

/* False when the rest no longer fits. */
static bool put_place(struct pointer *p, const struct json_place *place)
{
    if (!place)
        return true;
    if (!put_place(p, place->up) || !put(p, "/", 1))
        return false;
    if (!place->name) {
        char digits[24];
        int size = snprintf(digits, sizeof digits, "%zu", place->index);
        return put(p, digits, (size_t)size);
    }
    for (const char *name = place->name; *name;) {
        size_t size = utf8_character(name, strnlen(name, 4));
        ASSERT(size > 0);
        bool special = *name == '~' || *name == '/';
        const char *text = *name == '~' ? "~0" : *name == '/' ? "~1" : name;
        if (!put(p, text, special ? 2 : size))
            return false;
        name += size;
    }
    return true;
}

void json_place_write(const struct json_place *place, char *out, size_t size)
{
    struct pointer p = {.out = out, .size = size};
    ASSERT(size > 0);
    out[0] = '\0';
    put_place(&p, place);
}

/* Of the value at this byte of the document, which is this token or inside it. */
static void write_at(const struct json_scan *s, const struct json_token *token, uint32_t at,
                     const struct json_place *place, char *out, size_t size)
{
    bool object = token->kind == JSON_TOKEN_OBJECT;
    const struct json_token *inside = token + 1;
    for (size_t i = 0; (object || token->kind == JSON_TOKEN_LIST) && i < token->count; i++) {
        const struct json_token *value = inside + object; /* behind its name */
        if (at >= value->at && at - value->at < value->size) {
            struct json_place here = {.up = place, .index = i};
            size_t name_size;
            if (object) {
                const char *name = json_scan_text(s, inside, &name_size);
                here.name = arena_copy(s->arena, name, name_size);
            }
            write_at(s, value, at, &here, out, size);
            return;
        }
        inside = value + value->span;
    }
    json_place_write(place, out, size);
}

void json_place_write_complaint(const struct json_scan *s, char *out, size_t size)
{
    struct json_scan lenient;
    ASSERT(s->complaint && s->complaint_at >= s->body && s->complaint_at <= s->end);
    json_place_write(NULL, out, size);
    if (s->too_large && json_scan_again(&lenient, s))
        write_at(&lenient, lenient.tokens, (uint32_t)(s->complaint_at - s->body), NULL, out, size);
}
