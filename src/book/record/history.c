/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/history.h"

#include "base/assertion.h"

void book_history_prepare(struct book_history_reader *b, struct sql *s)
{
    const struct book_record *kept = &history_item_record;
    b->sql = s;
    b->changed = book_record_prepare(s, kept, BOOK_NAMED_ITEMS "AND seq = ?2 ORDER BY item_id");
    b->next =
        book_record_prepare(s, kept, BOOK_NAMED_ITEMS "AND item_id = ?2 AND seq > ?3 ORDER BY seq LIMIT 1");
    b->present = book_record_prepare(s, &item_record, BOOK_NAMED_ITEMS "AND item_id = ?2");
    /* Granted by this change, and not there before it. */
    b->added = sql_prepare(s, "SELECT item_id FROM items WHERE reservation = ?1 AND fence = ?2 "
                              "UNION SELECT item_id FROM history_items WHERE reservation = ?1 AND fence = ?2 "
                              "AND seq > ?2 EXCEPT SELECT item_id FROM history_items "
                              "WHERE reservation = ?1 AND seq = ?2 ORDER BY item_id");
    /* Of all items as they were before it: in their next row, or as they are. */
    b->total = sql_prepare(
        s,
        "SELECT ifnull(sum(price), 0) FROM (SELECT price, fence, min(seq) FROM history_items "
        "WHERE reservation = ?1 AND seq >= ?2 GROUP BY item_id UNION ALL SELECT price, fence, 0 FROM items "
        "WHERE reservation = ?1 AND item_id NOT IN (SELECT item_id FROM history_items "
        "WHERE reservation = ?1 AND seq >= ?2)) WHERE fence < ?2");
}

static int64_t history_number(struct sql_statement *t)
{
    int64_t number = sql_next(t) ? sql_int(t, 0) : 0;
    sql_reset(t);
    return number;
}

static struct text history_keep(struct arena *arena, struct text t)
{
    return t.at ? (struct text){arena_copy(arena, t.at, t.size), t.size} : t;
}

void book_history_read_item(struct sql *s, struct sql_statement *t, const struct book_record *record,
                            struct arena *arena, struct item_image *out)
{
    ASSERT(sql_columns(t) >= record->read + 3); /* a statement of BOOK_NAMED_ITEMS */
    book_record_read(s, t, record, out, NULL);
    /* SQLite's texts are gone with the next row. */
    book_record_keep(record, out, arena);
    out->resource_id = history_keep(arena, sql_text(t, record->read));
    out->part_id = history_keep(arena, sql_text(t, record->read + 1));
    out->group_id = history_keep(arena, sql_text(t, record->read + 2));
    bool nameless = out->until_ms && out->part == 0; /* a slot without a service */
    if (!out->resource_id.at || (out->group && !out->group_id.at) || (!out->part_id.at && !nameless))
        sql_fail(s, STATUS_CORRUPT, "An item has no name in the book.");
}

/* The item as it was after the change of this seq; false: it was gone. */
static bool read_after(struct book_history_reader *b, uint64_t reservation, uint32_t item_id, uint64_t seq,
                       struct arena *arena, struct item_image *out)
{
    sql_bind_ints(b->next, reservation, item_id, seq);
    bool found = sql_next(b->next);
    if (found)
        book_history_read_item(b->sql, b->next, &history_item_record, arena, out);
    sql_reset(b->next);
    if (found)
        return true;
    sql_bind_ints(b->present, reservation, item_id);
    found = sql_next(b->present);
    if (found)
        book_history_read_item(b->sql, b->present, &item_record, arena, out);
    sql_reset(b->present);
    return found;
}

void book_history_read(struct book_history_reader *b, uint64_t reservation, struct arena *arena,
                       struct history_view *view)
{
    struct history_item *items = arena_zeroed(arena, ITEMS_MAX * sizeof(*items));
    uint32_t count = 0;
    ASSERT(!view->items && !view->item_count); /* a view is completed once */
    sql_bind_ints(b->changed, reservation, view->seq);
    for (; count < ITEMS_MAX && sql_next(b->changed); count++) {
        book_history_read_item(b->sql, b->changed, &history_item_record, arena, &items[count].before);
        items[count].has_before = true;
    }
    sql_reset(b->changed);
    sql_bind_ints(b->added, reservation, view->seq);
    for (; count < ITEMS_MAX && sql_next(b->added); count++)
        items[count].after.item_id = (uint32_t)sql_int(b->added, 0);
    sql_reset(b->added);
    sql_bind_ints(b->total, reservation, view->seq);
    view->total_before = view->total_after = history_number(b->total);
    for (uint32_t i = 0; i < count && sql_sound(b->sql); i++) {
        uint32_t item_id = items[i].has_before ? items[i].before.item_id : items[i].after.item_id;
        items[i].has_after = read_after(b, reservation, item_id, view->seq, arena, &items[i].after);
        ASSERT(items[i].has_after || items[i].has_before || !sql_sound(b->sql));
        view->total_after += items[i].has_after ? items[i].after.price : 0;
        view->total_after -= items[i].has_before ? items[i].before.price : 0;
    }
    view->items = items;
    /* A sale changes no item. One after the deadline grants them again, with a new fence: that does not count as a change. */
    view->item_count = view->action == ACTION_CONFIRMED && count && items[0].has_before ? 0 : count;
}
