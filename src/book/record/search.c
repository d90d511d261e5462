/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/search.h"

#include "base/assertion.h"
#include "core/image.h"

/* Taken out as they were put in; ?4: all attributes, its own and then the items'. */
#define WORDS "?2 || ' ' || ?3 || ' ' || ?4"

void book_search_prepare(struct book_search *b, struct sql *s)
{
    buf_init(&b->words, ATTRIBUTES_SIZE_MAX + ITEMS_MAX * (ITEM_ATTRIBUTES_SIZE_MAX + 1));
    b->add = sql_prepare(s, "INSERT INTO search (rowid, words) VALUES (?1, " WORDS ")");
    b->remove = sql_prepare(s, "INSERT INTO search (search, rowid, words) VALUES ('delete', ?1, " WORDS ")");
}

void book_search_release(struct book_search *b)
{
    buf_release(&b->words);
}

/* The item with attributes that has the next greater id; NULL: there is none. */
static const struct book_item *item_after(const struct book_search_words *w, uint32_t item_id)
{
    const struct book_item *next = NULL;
    for (uint32_t i = 0; i < w->item_count; i++) {
        const struct book_item *item = &w->items[i];
        if (item->image.attributes.at && item->image.item_id > item_id &&
            (!next || item->image.item_id < next->image.item_id))
            next = item;
    }
    return next;
}

static bool search_same(struct text a, struct text b)
{
    return !a.at == !b.at && text_equal(a, b);
}

bool book_search_same(const struct book_search_words *a, const struct book_search_words *b)
{
    const struct book_item *one = item_after(a, 0), *other = item_after(b, 0);
    while (one && other && search_same(one->image.attributes, other->image.attributes)) {
        one = item_after(a, one->image.item_id);
        other = item_after(b, other->image.item_id);
    }
    return !one && !other && search_same(a->user_id, b->user_id) && search_same(a->attributes, b->attributes);
}

static void search_run(struct book_search *b, struct sql_statement *t, uint64_t number,
                       const struct book_search_words *w)
{
    char pnr[PNR_SIZE];
    ASSERT(number > 0 && w->user_id.size > 0);
    ASSERT(w->item_count <= ITEMS_MAX);
    pnr_write(number, pnr);
    buf_clear(&b->words);
    buf_append(&b->words, w->attributes.at, w->attributes.size);
    for (const struct book_item *i = item_after(w, 0); i; i = item_after(w, i->image.item_id)) {
        buf_append(&b->words, " ", 1);
        buf_append(&b->words, i->image.attributes.at, i->image.attributes.size);
    }
    sql_bind_int(t, 1, (int64_t)number);
    sql_bind_text(t, 2, (struct text){pnr, sizeof(pnr)});
    sql_bind_text(t, 3, w->user_id);
    sql_bind_text(t, 4, b->words.size ? (struct text){(char *)b->words.data, b->words.size} : TEXT(""));
    sql_do(t);
}

void book_search_add(struct book_search *b, uint64_t number, const struct book_search_words *words)
{
    search_run(b, b->add, number, words);
}

void book_search_remove(struct book_search *b, uint64_t number, const struct book_search_words *words)
{
    search_run(b, b->remove, number, words);
}

void book_search_phrase(struct text asked, struct buf *out)
{
    for (size_t i = 0; i < asked.size;) {
        size_t end = i;
        while (end < asked.size && asked.at[end] != ' ')
            end++;
        if (end > i) {
            buf_append(out, "\"", 1);
            for (; i < end; i++) {
                buf_append(out, &asked.at[i], 1);
                if (asked.at[i] == '"')
                    buf_append(out, "\"", 1);
            }
            buf_append(out, "\" ", 2);
        }
        i = end + 1;
    }
}
