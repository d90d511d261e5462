/* SPDX-License-Identifier: Apache-2.0 */
/* waiting_list.c — writes and loads waiting lists: entries, their wishes, and what they were offered.
 *
 * A change carries the whole entry; the user, the wish and the time of joining never change. A second live entry of a user
 * is a CORRUPT fault. Faults stick to the connection (see sql.h).
 */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_waiting_list {
    struct sql *sql;
    struct sql_statement *insert, *move, *end;
};

/* ---- Into the table ---- */

struct book_waiting_list *book_waiting_list_make(struct sql *s)
{
    struct book_waiting_list *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->insert = book_record_prepare(s, &list_record, BOOK_INSERT);
    b->move = book_record_prepare(s, &list_record, BOOK_UPDATE " AND live = 1");
    b->end = book_record_prepare(s, &list_record, BOOK_UPDATE_APART " AND live = 1");
    return b;
}

/* The entry is new if no row has its number. */
void book_waiting_list_put(struct book_parts *parts, const struct change *c)
{
    struct book_waiting_list *b = parts->waiting_list;
    const struct list_entry_image *e = &c->list_entry;
    ASSERT(c->kind == CHANGE_LIST_ENTRY && e->number >= 1 && e->user_id.size);
    ASSERT(e->changed_at_ms >= e->joined_at_ms);
    struct book_list_entry row = {*e, list_status_live(e->status)};
    /* Update first: most changes are about an entry that exists. */
    if (!book_record_try(row.live ? b->move : b->end, &list_record, &row))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu gives list entry %u of event %llu an invalid wish or status.",
                 (unsigned long long)c->seq, e->number, (unsigned long long)e->event);
    if (!sql_sound(b->sql) || sql_changed(b->sql) == 1)
        return;
    if (!book_record_try(b->insert, &list_record, &row))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu writes entry %u of the waiting list of event %llu, but that number or user "
                 "is already on it, or no longer.",
                 (unsigned long long)c->seq, e->number, (unsigned long long)e->event);
}

/* ---- Out of it ---- */

void book_waiting_list_each(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct sql_statement *t = book_record_prepare(s, &list_record, BOOK_LOAD_OF_EVENTS);
    uint64_t event = 0;
    for (uint32_t expected = 1; sql_next(t); expected++) {
        struct book_list_entry row;
        book_record_read(s, t, &list_record, &row, NULL);
        if (row.image.event != event)
            expected = 1;
        event = row.image.event;
        if (row.image.number != expected || !row.image.user_id.size)
            sql_fail(s, STATUS_CORRUPT, "Entry %u is missing on the waiting list of event %llu.", expected,
                     (unsigned long long)event);
        c->list_entry = row.image;
        if (sql_sound(s))
            book_row_accept(s, sink->record(sink->owner, c), "the waiting list of event", event);
    }
}
