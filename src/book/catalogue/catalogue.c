/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.c — writes events with the settings of their waiting rooms, and their seats.
 *
 * The parts of an import are stored unchanged, and become rows when the import is published. Positions follow the rule of
 * core's layouts: new seats are appended. Faults stick to the connection (see sql.h).
 */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_catalogue {
    struct sql *sql;
    struct sql_statement *event_put, *queue_put, *queue_remove;
    struct sql_statement *staged_insert, *staged_find, *staged_remove;
    struct sql_statement *seats_count, *seats_set_count, *seat_find, *seat_insert, *seat_update, *seats_copy,
        *seat_block, *seat_allot, *seat_remove;
};

struct book_catalogue *book_catalogue_make(struct sql *s)
{
    struct book_catalogue *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->event_put = book_record_prepare(s, &event_record, BOOK_UPSERT);
    b->queue_put = book_record_prepare(s, &queue_settings_record, BOOK_REPLACE);
    b->queue_remove = book_record_prepare(s, &queue_settings_record, BOOK_DELETE);
    b->staged_insert = book_record_prepare(s, &staged_record, BOOK_INSERT);
    b->staged_find =
        book_record_prepare(s, &staged_record, BOOK_SELECT "WHERE event = ? AND import = ? ORDER BY seq");
    b->staged_remove = sql_prepare(s, "DELETE FROM seats_staged WHERE event = ? AND import = ?");
    b->seats_count = sql_prepare(s, "SELECT seats FROM events WHERE number = ?");
    b->seats_set_count = sql_prepare(s, "UPDATE events SET seats = ?2 WHERE number = ?1");
    b->seat_find = sql_prepare(s, "SELECT position FROM seats WHERE event = ? AND id = ? AND removed = 0");
    b->seat_insert = book_record_prepare(s, &seat_record, BOOK_INSERT);
    /* Columns that an import leaves out keep their values. */
    b->seat_update = book_record_prepare(
        s, &seat_record,
        "UPDATE @ SET {given $ = CASE WHEN ?64 & % THEN ?# ELSE $ END} WHERE {where $ = ?#}");
    b->seats_copy = book_record_prepare(s, &seat_record,
                                        "INSERT INTO @ (event, blocked, allotment, version, {copied $}) "
                                        "SELECT ?1, blocked AND ?3, CASE WHEN ?3 THEN allotment END, 0, "
                                        "{copied $} FROM @ WHERE event = ?2");
    b->seat_remove = sql_prepare(s, "UPDATE seats SET removed = 1, blocked = 0, allotment = NULL "
                                    "WHERE event = ?1 AND position = ?2 AND removed = 0");
    b->seat_block = sql_prepare(s, "UPDATE seats SET blocked = ?3 WHERE event = ?1 AND position = ?2");
    b->seat_allot =
        sql_prepare(s, "UPDATE seats SET allotment = ?3 WHERE event = ?1 AND position = ?2 AND removed = 0");
    return b;
}

/* The settings of a waiting room exist as long as the event has one; book_queue writes its state. */
void book_catalogue_put_event(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    const struct event_image *e = &c->event;
    ASSERT(c->kind == CHANGE_EVENT && e->number && e->number <= c->seq);
    book_record_put(b->event_put, &event_record,
                    &(struct book_event){.image = *e, .removed_at_ms = e->removed ? c->at_ms : 0});
    book_record_put(e->has_queue ? b->queue_put : b->queue_remove, &queue_settings_record, e);
}

/* ---- Imports ---- */

void book_catalogue_stage(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    ASSERT(c->kind == CHANGE_SEATS_STAGED && c->staged.count >= 1 && c->staged.event < c->seq);
    book_record_put(b->staged_insert, &staged_record,
                    &(struct book_staged){.seq = c->seq,
                                          .event = c->staged.event,
                                          .import = c->staged.import,
                                          .at_ms = c->at_ms,
                                          .count = c->staged.count,
                                          .rows = c->staged.rows});
}

/* The position of a seat that the event has; `next` if it is new. */
static int64_t seat_position(struct book_catalogue *b, uint64_t event, const struct seat_image *seat,
                             int64_t next)
{
    sql_bind_int(b->seat_find, 1, (int64_t)event);
    sql_bind_text(b->seat_find, 2, seat->id);
    int64_t position = sql_next(b->seat_find) ? sql_int(b->seat_find, 0) : next;
    sql_reset(b->seat_find);
    return position;
}

/* Publishes one part of an import. `had`: the number of seats before the import, *next: their number now. */
static void publish_part(struct book_catalogue *b, struct book_staged *part, int64_t had, int64_t *next)
{
    for (uint32_t i = 0; i < part->count && sql_sound(b->sql); i++) {
        uint32_t columns;
        struct book_seat seat = {.event = part->event};
        if (!seat_row_get(&part->rows, &columns, &seat.image)) {
            sql_fail(b->sql, STATUS_CORRUPT, "Cannot read a staged seat of event %llu.",
                     (unsigned long long)part->event);
            return;
        }
        /* Without seats there is nothing to look up: half the work for the largest imports. */
        int64_t position = had ? seat_position(b, part->event, &seat.image, *next) : *next;
        ASSERT(position <= *next); /* seats have no gaps: the loader relies on that */
        bool is_new = position == *next;
        struct sql_statement *t = is_new ? b->seat_insert : b->seat_update;
        seat.position = (uint32_t)position;
        book_record_bind(t, &seat_record, &seat);
        if (!is_new)
            sql_bind_int(t, 64, columns);
        sql_do(t);
        *next += is_new;
    }
}

static int64_t count_seats(struct book_catalogue *b, uint64_t event)
{
    sql_bind_int(b->seats_count, 1, (int64_t)event);
    bool known = sql_next(b->seats_count);
    int64_t count = known ? sql_int(b->seats_count, 0) : 0;
    sql_reset(b->seats_count);
    if (!known)
        sql_fail(b->sql, STATUS_CORRUPT, "The book has no event %llu.", (unsigned long long)event);
    return count;
}

void book_catalogue_publish(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    uint64_t event = c->published.event;
    ASSERT(c->kind == CHANGE_SEATS_PUBLISHED);
    int64_t had = count_seats(b, event), next = had;
    sql_bind_ints(b->staged_find, event, c->published.import);
    while (sql_next(b->staged_find)) { /* an import of no seats has no parts */
        struct book_staged staged;
        book_record_read(b->sql, b->staged_find, &staged_record, &staged, NULL);
        publish_part(b, &staged, had, &next);
    }
    ASSERT(next >= had);
    /* Stored as a number, because counting a million rows for each import would be slow. */
    sql_do_ints(b->seats_set_count, event, next);
    sql_do_ints(b->staged_remove, event, c->published.import);
}

/* The copies are free and were never claimed. */
void book_catalogue_copy(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    ASSERT(c->kind == CHANGE_SEATS_COPIED && c->copied.event != c->copied.from);
    if (count_seats(b, c->copied.event) != 0)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu copies seats into event %llu, which already has seats.",
                 (unsigned long long)c->seq, (unsigned long long)c->copied.event);
    sql_do_ints(b->seats_copy, c->copied.event, c->copied.from, c->copied.blocks);
    sql_do_ints(b->seats_set_count, c->copied.event, count_seats(b, c->copied.from));
}

void book_catalogue_block(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    struct bytes_reader positions = c->blocked.positions;
    ASSERT(c->kind == CHANGE_SEATS_BLOCKED);
    /* A list that is too short reads as position 0, which may exist: so `bad` is checked, too. */
    for (uint32_t i = 0; i < c->blocked.count && sql_sound(b->sql); i++) {
        if (sql_do_ints(b->seat_block, c->blocked.event, (int64_t)bytes_get_varint(&positions),
                        c->blocked.blocked) != 1 ||
            positions.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu blocks a seat that event %llu does not have.",
                     (unsigned long long)c->seq, (unsigned long long)c->blocked.event);
    }
}

void book_catalogue_allot(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    struct bytes_reader positions = c->allotted.positions;
    ASSERT(c->kind == CHANGE_SEATS_ALLOTTED);
    for (uint32_t i = 0; i < c->allotted.count && sql_sound(b->sql); i++) {
        sql_bind_int(b->seat_allot, 1, (int64_t)c->allotted.event);
        sql_bind_int(b->seat_allot, 2, (int64_t)bytes_get_varint(&positions));
        sql_bind_text(b->seat_allot, 3, c->allotted.allotment); /* none: none */
        if (sql_do(b->seat_allot) != 1 || positions.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu allots a seat that event %llu does not have.",
                     (unsigned long long)c->seq, (unsigned long long)c->allotted.event);
    }
}

void book_catalogue_remove_seats(struct book_parts *parts, const struct change *c)
{
    struct book_catalogue *b = parts->catalogue;
    struct bytes_reader positions = c->removed.positions;
    ASSERT(c->kind == CHANGE_SEATS_REMOVED);
    for (uint32_t i = 0; i < c->removed.count && sql_sound(b->sql); i++)
        if (sql_do_ints(b->seat_remove, c->removed.event, (int64_t)bytes_get_varint(&positions)) != 1 ||
            positions.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu removes a seat that event %llu does not have.",
                     (unsigned long long)c->seq, (unsigned long long)c->removed.event);
}
