/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"

#define FIRST_CAPACITY 64
#define BLOCK ((size_t)1 << 16)

struct wanted {
    const char *text;
    size_t size;
};

static uint64_t text_hash(const char *text, size_t size)
{
    return hash_sip((struct hash_key){1, 2}, text, size);
}

static uint64_t stored_hash(void *owner, uint32_t handle)
{
    const char *text = ((struct names *)owner)->texts[handle];
    return text_hash(text, strlen(text));
}

static bool same_text(void *owner, uint32_t handle, const void *key)
{
    const struct wanted *w = key;
    const char *text = ((struct names *)owner)->texts[handle];
    return strlen(text) == w->size && memcmp(text, w->text, w->size) == 0;
}

void names_init(struct names *n)
{
    *n = (struct names){0};
    table_init(&n->index, stored_hash, n);
    arena_init(&n->arena, BLOCK);
}

void names_release(struct names *n)
{
    free(n->texts);
    table_release(&n->index);
    arena_release(&n->arena);
}

uint32_t names_add(struct names *n, const char *text, size_t size)
{
    uint64_t hash = text_hash(text, size);
    struct wanted wanted = {text, size};
    uint32_t found = table_find(&n->index, hash, same_text, &wanted);
    if (found != TABLE_NONE)
        return found;
    n->texts = memory_room(n->texts, n->count, &n->capacity, FIRST_CAPACITY, sizeof n->texts[0]);
    n->texts[n->count] = arena_copy(&n->arena, text, size);
    table_insert(&n->index, hash, n->count);
    return n->count++;
}

const char *names_text(const struct names *n, uint32_t number)
{
    if (number == NAME_NONE)
        return "-";
    ASSERT(number < n->count);
    return n->texts[number];
}
