/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_waiting_list.h"

#include "book/book_row.h"

/* ---- Into the table ---- */

void book_waiting_list_prepare(struct book_waiting_list *b, struct sql *s)
{
    b->sql = s;
    b->insert = sql_prepare(s, "INSERT INTO waiting_list (" BOOK_LIST_ENTRY
                               ", live) VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13)");
    /* Naming `live` in SET would write the index of live entries even when it stays the same. */
    b->move = sql_prepare(s, "UPDATE waiting_list SET status = ?9, changed_at = ?11, reservation = ?12 "
                             "WHERE event = ?1 AND number = ?2 AND user_id = ?3 AND live = 1");
    b->end =
        sql_prepare(s, "UPDATE waiting_list SET status = ?9, changed_at = ?11, reservation = ?12, live = 0 "
                       "WHERE event = ?1 AND number = ?2 AND user_id = ?3 AND live = 1");
}

static void bind(struct sql_statement *t, const struct list_entry_image *e)
{
    sql_bind_int(t, 1, (int64_t)e->event);
    sql_bind_int(t, 2, e->number);
    sql_bind_text(t, 3, e->user_id);
    sql_bind_int(t, 4, e->wish.quantity);
    sql_bind_int(t, 5, e->wish.adjacent);
    sql_bind_text(t, 6, e->wish.tier);
    sql_bind_text(t, 7, e->wish.section);
    sql_bind_text(t, 8, e->wish.pool);
    sql_bind_word(t, 9, list_status_name(e->status));
    sql_bind_int(t, 10, e->joined_at_ms);
    sql_bind_int(t, 11, e->changed_at_ms);
    book_row_bind_id(t, 12, e->reservation);
}

/* It is new when nobody has its number. */
void book_waiting_list_put(struct book_waiting_list *b, const struct change *c)
{
    const struct list_entry_image *e = &c->list_entry;
    bool live = list_status_live(e->status);
    struct sql_statement *t = live ? b->move : b->end;
    bind(t, e);
    if (!sql_try(t))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu gives list entry %u of event %llu an invalid wish or status.",
                 (unsigned long long)c->seq, e->number, (unsigned long long)e->event);
    if (!sql_sound(b->sql) || sql_changed(b->sql) == 1)
        return;
    bind(b->insert, e);
    sql_bind_int(b->insert, 13, live);
    if (!sql_try(b->insert))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu writes entry %u of the waiting list of event %llu, but that number or user "
                 "is already on it, or no longer.",
                 (unsigned long long)c->seq, e->number, (unsigned long long)e->event);
}

/* ---- Out of it ---- */

void book_waiting_list_read(struct sql *s, struct sql_statement *t, struct list_entry_image *out)
{
    *out = (struct list_entry_image){.event = (uint64_t)sql_int(t, 0),
                                     .number = (uint32_t)sql_int(t, 1),
                                     .user_id = sql_text(t, 2),
                                     .wish = {.quantity = (uint32_t)sql_int(t, 3),
                                              .adjacent = sql_int(t, 4) != 0,
                                              .tier = sql_text(t, 5),
                                              .section = sql_text(t, 6),
                                              .pool = sql_text(t, 7)},
                                     .status = book_row_list_status(s, t, 8),
                                     .joined_at_ms = sql_int(t, 9),
                                     .changed_at_ms = sql_int(t, 10)};
    out->reservation = book_row_id(s, t, 11);
}

void book_waiting_list_each(struct sql *s, void (*take)(void *owner, const struct list_entry_image *entry),
                            void *owner)
{
    struct sql_statement *t =
        sql_prepare(s, "SELECT " BOOK_LIST_ENTRY " FROM waiting_list WHERE event IN "
                       "(SELECT number FROM events WHERE removed_at IS NULL) ORDER BY event, number");
    uint64_t event = 0;
    for (int64_t expected = 1; sql_next(t); expected++) {
        struct list_entry_image entry;
        book_waiting_list_read(s, t, &entry);
        if (entry.event != event)
            expected = 1;
        event = entry.event;
        if (entry.number != expected || !entry.user_id.size)
            sql_fail(s, STATUS_CORRUPT, "Entry %lld is missing on the waiting list of event %llu.",
                     (long long)expected, (unsigned long long)event);
        if (sql_sound(s))
            take(owner, &entry);
    }
}
