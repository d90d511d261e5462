/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define LINE_ARENA ((size_t)1 << 16)

static const char *const KIND_WORDS[] = {
#define X(name, word, done) word,
    CALL_KINDS(X)
#undef X
};
static const char *const DONE_WORDS[] = {
#define X(name, word, done) done,
    CALL_KINDS(X)
#undef X
};
static const char *const SHOWN_WORDS[] = {
#define X(name, word) word,
    SHOWN(X)
#undef X
};

const char *call_kind_word(enum call_kind kind)
{
    ASSERT(kind < CALL_KIND_COUNT);
    return KIND_WORDS[kind];
}

const char *call_done_word(enum call_kind kind)
{
    ASSERT(kind < CALL_KIND_COUNT);
    return DONE_WORDS[kind];
}

const char *shown_word(enum shown shown)
{
    ASSERT(shown < SHOWN_COUNT);
    return SHOWN_WORDS[shown];
}

void history_init(struct history *h)
{
    *h = (struct history){.first_us = INT64_MAX};
    names_init(&h->clients);
    names_init(&h->objects);
    names_init(&h->reservations);
    names_init(&h->keys);
    names_init(&h->codes);
}

void history_release(struct history *h)
{
    names_release(&h->clients);
    names_release(&h->objects);
    names_release(&h->reservations);
    names_release(&h->keys);
    names_release(&h->codes);
    free(h->items);
    free(h->lines);
    free(h->operations);
    free(h->capacities);
}

bool history_is_pool(const struct history *h, uint32_t object)
{
    return object < h->capacities_count && h->capacities[object] > 0;
}

uint32_t history_capacity(const struct history *h, uint32_t object)
{
    return history_is_pool(h, object) ? h->capacities[object] : 1;
}

/* Only when all lines are read is it known which objects are pools. */
static struct status units_check(const struct history *h)
{
    for (uint32_t i = 0; i < h->line_count; i++) {
        const struct call *c = &h->lines[i];
        for (uint32_t k = c->first_item; k < c->first_item + c->item_count; k++) {
            const struct item *item = &h->items[k];
            bool pool = history_is_pool(h, item->object);
            if (!pool && (item->units > 1 || item->shown == SHOWN_AVAILABLE))
                return status_make(STATUS_INVALID, "line %u: %s has units but no line declares it a pool",
                                   c->line, names_text(&h->objects, item->object));
            if (pool && item->shown == SHOWN_FREE)
                return status_make(STATUS_INVALID, "line %u: a pool is shown by its units available",
                                   c->line);
        }
    }
    return status_none();
}

struct status history_read(struct history *h, FILE *file)
{
    struct arena arena;
    arena_init(&arena, LINE_ARENA);
    char *text = NULL;
    size_t room = 0;
    struct status s = status_none();
    ssize_t size;
    for (uint32_t line = 1; status_ok(&s) && (size = getline(&text, &room, file)) >= 0; line++) {
        size_t length = (size_t)size;
        if (length && text[length - 1] == '\n')
            length--;
        if (length > LINE_SIZE_MAX)
            s = status_make(STATUS_INVALID, "line %u: more than %zu bytes", line, LINE_SIZE_MAX);
        else if (line > LINES_MAX)
            s = status_make(STATUS_INVALID, "more than %u lines", LINES_MAX);
        else if (length)
            s = history_add(h, text, length, line, &arena);
        arena_reset(&arena);
    }
    if (status_ok(&s) && ferror(file))
        s = status_make(STATUS_IO, "the history cannot be read");
    free(text);
    arena_release(&arena);
    return status_ok(&s) ? units_check(h) : s;
}
