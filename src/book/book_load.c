/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_load.h"

#include "base/assertion.h"
#include "base/bytes.h"
#include "book/book_calendar.h"
#include "book/book_pages.h"
#include "book/book_queue.h"
#include "book/book_row.h"
#include "book/book_schema.h"
#include "book/book_waiting_list.h"
#include "book/sql.h"
#include "core/change.h"

/* Reservations and items are read side by side, both by number. Items of reservations in between that are not
 * wanted are stepped over if they are few; over many a search is quicker. */
#define STEPS_MAX 16

struct loader {
    struct sql *sql;
    const struct book_load_sink *sink;
    int64_t last_at_ms; /* the book's */
    struct sql_statement *items;
    bool at_item; /* the statement stands on a row, of this reservation: */
    uint64_t item_number;
    struct item_image row[ITEMS_MAX];
};

static void accepted(struct loader *l, bool yes, const char *what, uint64_t number)
{
    if (!yes)
        sql_fail(l->sql, STATUS_CORRUPT, "The book contradicts itself at %s %llu.", what,
                 (unsigned long long)number);
}

/* ---- The catalogue ---- */

static void load_pools(struct loader *l, struct sql_statement *t, uint64_t event)
{
    sql_bind_int(t, 1, (int64_t)event);
    while (sql_next(t)) {
        int64_t capacity = sql_int(t, 3), held = sql_int(t, 5), sold = sql_int(t, 6);
        struct pool_image pool = {.event = event,
                                  .position = (uint32_t)sql_int(t, 0),
                                  .id = sql_text(t, 1),
                                  .name = sql_text(t, 2),
                                  .capacity = (uint32_t)capacity,
                                  .price = sql_int(t, 4),
                                  .available = (uint32_t)(capacity - held - sold)};
        accepted(l, !l->sink->pool || l->sink->pool(l->sink->owner, &pool, (uint32_t)sold), "a pool of event",
                 event);
    }
}

static void load_seats(struct loader *l, struct sql_statement *t, uint64_t event, uint32_t seat_count)
{
    sql_bind_int(t, 1, (int64_t)event);
    uint32_t count = 0;
    for (; sql_next(t); count++) {
        struct seat_image seat = {
            .id = sql_text(t, 1),
            .section = sql_text(t, 2),
            .row = sql_text(t, 3),
            .number = sql_text(t, 4),
            .tier = sql_text(t, 7),
            .has_x = !sql_null(t, 5),
            .has_y = !sql_null(t, 6),
            .x_milli = (int32_t)sql_int(t, 5),
            .y_milli = (int32_t)sql_int(t, 6),
            .price = sql_int(t, 8),
            .accessible = sql_int(t, 9) != 0,
            .blocked = sql_int(t, 10) != 0,
        };
        accepted(l,
                 sql_int(t, 0) == count &&
                     l->sink->seat(l->sink->owner, event, count, &seat, (uint64_t)sql_int(t, 11)),
                 "a seat of event", event);
    }
    accepted(l, count == seat_count, "the number of seats of event", event);
    if (count && sql_sound(l->sql) && l->sink->seats_end)
        accepted(l, l->sink->seats_end(l->sink->owner, event), "the seats of event", event);
}

static void read_event(struct sql *s, struct sql_statement *t, struct arena *arena, struct event_image *e)
{
    *e = (struct event_image){
        .number = (uint64_t)sql_int(t, 0),
        .id = sql_text(t, 1),
        .name = sql_text(t, 2),
        .starts_at_ms = sql_int(t, 3),
        .on_sale_at_ms = sql_int(t, 4),
        .off_sale_at_ms = sql_int(t, 5),
        .terms = book_row_terms(s, t, 6),
        .per_user_limit = (uint32_t)sql_int(t, 12),
        .created_at_ms = sql_int(t, 13),
        .removed = !sql_null(t, 14),
        .has_list = sql_int(t, 16) != 0,
    };
    book_row_pair(s, t, 17, e->entry_key);
    book_queue_settings(s, t, 18, arena, e);
}

static void load_catalogue(struct loader *l)
{
    struct sql *s = l->sql;
    struct sql_statement *events =
        sql_prepare(s, "SELECT number, id, name, starts_at, on_sale_at, off_sale_at, " BOOK_TERMS
                       ", per_user_limit, created_at, removed_at, seats, waiting_list, "
                       "line_key, " BOOK_QUEUE_SETTINGS
                       " FROM events e LEFT JOIN room_settings s ON s.event = e.number WHERE removed_at IS "
                       "NULL ORDER BY number");
    struct sql_statement *pools = sql_prepare(s, "SELECT position, id, name, capacity, price, held, sold "
                                                 "FROM pools WHERE event = ? ORDER BY position");
    struct sql_statement *seats = sql_prepare(
        s, "SELECT position, id, section, row, number, x, y, tier, price, accessible, blocked, version "
           "FROM seats WHERE event = ? ORDER BY position");
    struct arena arena; /* the tiers of one waiting room */
    arena_init(&arena, 4096);
    while (sql_next(events)) {
        struct event_image event;
        arena_reset(&arena);
        read_event(s, events, &arena, &event);
        uint32_t seat_count = (uint32_t)sql_int(events, 15);
        if (event.has_queue &&
            (event.queue.rate_per_second < 1 || event.queue.rate_per_second > ADMISSION_RATE_MAX))
            sql_fail(s, STATUS_CORRUPT, "The waiting room of event %llu has an invalid rate: %u per second.",
                     (unsigned long long)event.number, event.queue.rate_per_second);
        accepted(l, !l->sink->event || l->sink->event(l->sink->owner, &event, seat_count), "event",
                 event.number);
        load_pools(l, pools, event.number);
        if (l->sink->seat)
            load_seats(l, seats, event.number, seat_count);
    }
    arena_release(&arena);
}

static void take_calendar(void *owner, const struct calendar_image *calendar)
{
    struct loader *l = owner;
    accepted(l, l->sink->calendar(l->sink->owner, calendar, l->last_at_ms), "calendar", calendar->number);
}

/* Its entries come after it, from 1 to `entries` or not at all. */
static void take_queue(void *owner, const struct queue_image *queue, uint32_t entries)
{
    struct loader *l = owner;
    if (queue->drawn > entries) {
        sql_fail(l->sql, STATUS_CORRUPT,
                 "The waiting room of event %llu says %u were drawn, but only %u joined.",
                 (unsigned long long)queue->event, queue->drawn, entries);
        return;
    }
    accepted(l, l->sink->queue(l->sink->owner, queue, entries), "the waiting room of event", queue->event);
}

static void take_queue_entry(void *owner, const struct queue_entry_image *entry)
{
    struct loader *l = owner;
    accepted(l, !l->sink->queue_entry || l->sink->queue_entry(l->sink->owner, entry), "the queue of event",
             entry->event);
}

static void take_list_entry(void *owner, const struct list_entry_image *entry)
{
    struct loader *l = owner;
    accepted(l, l->sink->list_entry(l->sink->owner, entry), "the waiting list of event", entry->event);
}

static void load_keys(struct loader *l)
{
    struct sql_statement *t = sql_prepare(
        l->sql, "SELECT name, role, hash, created_at, old_hash, old_until FROM keys ORDER BY name");
    while (l->sink->key && sql_next(t)) {
        struct key_image key = {.name = sql_text(t, 0),
                                .role = book_row_role(l->sql, t, 1),
                                .created_at_ms = sql_int(t, 3),
                                .old_until_ms = sql_int(t, 5)};
        const void *hash = sql_blob(t, 2, sizeof(key.hash));
        if (hash)
            memcpy(key.hash, hash, sizeof(key.hash));
        const void *old = key.old_until_ms ? sql_blob(t, 4, sizeof(key.old_hash)) : NULL;
        if (old)
            memcpy(key.old_hash, old, sizeof(key.old_hash));
        accepted(l, hash && l->sink->key(l->sink->owner, &key), "a key made at", (uint64_t)key.created_at_ms);
    }
}

static void load_staged(struct loader *l)
{
    struct sql_statement *t = sql_prepare(
        l->sql, "SELECT p.seq, p.event, p.import, p.count, length(p.rows), p.rows FROM seats_staged p "
                "JOIN events e ON e.number = p.event WHERE e.removed_at IS NULL ORDER BY p.seq");
    while (l->sink->staged && sql_next(t)) {
        size_t size = (size_t)sql_int(t, 4);
        struct bytes_reader rows = bytes_reader_make(sql_blob(t, 5, size), size);
        for (int64_t i = sql_int(t, 3); i > 0 && sql_sound(l->sql); i--) {
            uint32_t columns;
            struct seat_image seat;
            accepted(l,
                     seat_row_get(&rows, &columns, &seat) &&
                         l->sink->staged(l->sink->owner, (uint64_t)sql_int(t, 1), (uint64_t)sql_int(t, 2),
                                         columns, &seat),
                     "staged part", (uint64_t)sql_int(t, 0));
        }
    }
}

/* ---- Reservations ---- */

static void item_step(struct loader *l)
{
    l->at_item = sql_next(l->items);
    l->item_number = l->at_item ? (uint64_t)sql_int(l->items, 0) : 0;
}

static void item_search(struct loader *l, uint64_t number)
{
    sql_reset(l->items);
    sql_bind_int(l->items, 1, (int64_t)number);
    item_step(l);
}

/* Puts the items of a reservation into l->row; the numbers asked for never decrease. */
static uint32_t load_items(struct loader *l, uint64_t number)
{
    for (int steps = 0; l->at_item && l->item_number < number; steps++) {
        if (steps < STEPS_MAX)
            item_step(l);
        else
            item_search(l, number);
    }
    uint32_t count = 0;
    for (; l->at_item && l->item_number == number; item_step(l)) {
        if (count == ITEMS_MAX) {
            accepted(l, false, "the items of reservation", number);
            return 0;
        }
        book_row_item(l->sql, l->items, &l->row[count++]);
    }
    return count;
}

static struct sql_statement *reservations_of(struct loader *l, enum reservation_status status)
{
    struct sql_statement *t =
        sql_prepare(l->sql, "SELECT " BOOK_HELD " FROM reservations "
                            "INDEXED BY reservations_by_status WHERE status = ? ORDER BY number");
    sql_bind_word(t, 1, reservation_status_name(status));
    item_search(l, 0);
    return t;
}

static void load_held(struct loader *l)
{
    struct sql_statement *t = reservations_of(l, RESERVATION_HELD);
    while (sql_next(t)) {
        struct reservation_image image;
        book_row_held(l->sql, t, &image);
        image.item_count = load_items(l, image.number);
        image.items = l->row;
        accepted(l, l->sink->held(l->sink->owner, &image), "reservation", image.number);
    }
}

static void load_sold(struct loader *l)
{
    struct sql_statement *t = reservations_of(l, RESERVATION_CONFIRMED);
    while (sql_next(t)) {
        uint64_t number = (uint64_t)sql_int(t, 0);
        uint32_t count = load_items(l, number);
        for (uint32_t i = 0; i < count && sql_sound(l->sql); i++) {
            const struct item_image *item = &l->row[i];
            if (item->kind == ITEM_SLOT && item->until_ms <= l->last_at_ms)
                continue;
            struct book_sold sold = {
                .item = item, .reservation = book_row_id(l->sql, t, 1), .user_id = sql_text(t, 2)};
            accepted(l, l->sink->sold(l->sink->owner, &sold), "reservation", number);
        }
    }
}

static void load_idempotency(struct loader *l, int64_t since_ms)
{
    struct sql_statement *t = sql_prepare(
        l->sql, "SELECT seq, key, body, made, http_status, at FROM idempotency WHERE at >= ? ORDER BY seq");
    sql_bind_int(t, 1, since_ms);
    while (l->sink->idempotency && sql_next(t)) {
        struct idempotency_image image = {.http_status = (uint16_t)sql_int(t, 4), .at_ms = sql_int(t, 5)};
        image.made = book_row_made(l->sql, t, 3, &image.made_kind);
        book_row_pair(l->sql, t, 1, image.key);
        book_row_pair(l->sql, t, 2, image.body);
        uint64_t seq = (uint64_t)sql_int(t, 0);
        accepted(l, l->sink->idempotency(l->sink->owner, &image, seq), "the idempotency key of change", seq);
    }
}

static void load_meta(struct loader *l, struct book_meta *meta)
{
    struct sql_statement *t = sql_prepare(l->sql, "SELECT last_seq, last_at, folder, chain FROM meta");
    *meta = (struct book_meta){0};
    if (!sql_next(t)) {
        sql_fail(l->sql, STATUS_CORRUPT, "The book does not say where it ends.");
        return;
    }
    struct journal_anchor *journal = &meta->journal;
    journal->seq = (uint64_t)sql_int(t, 0);
    meta->last_at_ms = l->last_at_ms = sql_int(t, 1);
    const void *id = sql_blob(t, 2, sizeof(journal->id));
    journal->has_id = id != NULL;
    if (id)
        memcpy(journal->id, id, sizeof(journal->id));
    journal->has_crc = !sql_null(t, 3);
    journal->crc = (uint32_t)sql_int(t, 3);
    sql_reset(t);
}

struct status book_load(const char *path, int64_t since_ms, const struct book_load_sink *sink,
                        struct book_meta *meta)
{
    struct loader l = {.sink = sink};
    struct status status = book_pages_open(&l.sql, path, SQL_READ);
    if (!status_ok(&status))
        return status;
    book_schema_expect(l.sql);
    sql_run(l.sql, "BEGIN");
    load_meta(&l, meta);
    l.items = sql_prepare(l.sql, "SELECT reservation, " BOOK_ITEM
                                 " FROM items WHERE reservation >= ? ORDER BY reservation, item_id");
    if (sink->begin) {
        int64_t held = sql_number(l.sql, "SELECT count(*) FROM reservations WHERE status = 'held'");
        accepted(&l, sink->begin(sink->owner, (uint64_t)held), "count", (uint64_t)held);
    }
    load_catalogue(&l);
    if (sink->calendar)
        book_calendar_each(l.sql, take_calendar, &l);
    load_keys(&l);
    load_staged(&l);
    if (sink->queue)
        book_queue_each(l.sql, &(struct book_queue_sink){&l, take_queue, take_queue_entry});
    if (sink->held)
        load_held(&l);
    if (sink->sold)
        load_sold(&l);
    if (sink->list_entry)
        book_waiting_list_each(l.sql, take_list_entry, &l);
    load_idempotency(&l, since_ms);
    status = sql_status(l.sql);
    sql_close(l.sql);
    return status;
}
