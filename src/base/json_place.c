/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_place.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/utf8.h"

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
