/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/load.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"
#include "book/record/kept.h"
#include "book/file/pages.h"
#include "book/file/schema.h"
#include "book/file/sql.h"
#include "core/calendar/calendar_image.h"

/* Reservations and items are read in parallel, both by number. A few items of other reservations in between are skipped one
 * by one; for many, a search is faster. */
#define STEPS_MAX 16

struct loader {
    struct sql *sql;
    const struct book_load_sink *sink;
    int64_t last_at_ms; /* the book's last instant */
    int64_t since_ms;
    struct change *change; /* the record that is passed on; also the items of a reservation */
    struct sql_statement *items;
    bool at_item;         /* `items` is at a row, */
    uint64_t item_number; /* and this is its reservation */
    struct arena arena;   /* the texts of the record, or of its items */
};

/* ---- The catalogue ---- */

static void load_pools(struct loader *l, struct sql_statement *t, uint64_t event)
{
    sql_bind_int(t, 1, (int64_t)event);
    while (sql_next(t)) {
        struct pool_image pool;
        book_record_read(l->sql, t, &pool_record, &pool, NULL);
        uint32_t held = (uint32_t)sql_int(t, pool_record.read),
                 sold = (uint32_t)sql_int(t, pool_record.read + 1);
        pool.available = pool.capacity - held - sold;
        book_row_accept(l->sql, !l->sink->pool || l->sink->pool(l->sink->owner, &pool, sold),
                        "a pool of event", event);
    }
}

static void load_seats(struct loader *l, struct sql_statement *t, uint64_t event, uint32_t seat_count)
{
    sql_bind_int(t, 1, (int64_t)event);
    uint32_t count = 0;
    for (; sql_next(t); count++) {
        struct book_seat seat;
        book_record_read(l->sql, t, &seat_record, &seat, NULL);
        book_row_accept(l->sql,
                        seat.position == count &&
                            l->sink->seat(l->sink->owner, event, count, &seat.image, seat.version),
                        "a seat of event", event);
    }
    book_row_accept(l->sql, count == seat_count, "the number of seats of event", event);
    if (count && sql_sound(l->sql) && l->sink->seats_end)
        book_row_accept(l->sql, l->sink->seats_end(l->sink->owner, event), "the seats of event", event);
}

static struct sql_statement *seats_prepare(struct loader *l)
{
    return book_record_prepare(l->sql, &seat_record, BOOK_SELECT "WHERE event = ? ORDER BY position");
}

/* The settings of its waiting room, if it has one. */
static void read_queue(struct loader *l, struct sql_statement *t, struct event_image *e, struct arena *arena)
{
    sql_bind_int(t, 1, (int64_t)e->number);
    e->has_queue = sql_next(t);
    if (!e->has_queue)
        return;
    book_record_read(l->sql, t, &queue_settings_record, e, arena);
    sql_reset(t);
    if (e->queue.rate_per_second < 1 || e->queue.rate_per_second > ADMISSION_RATE_MAX)
        sql_fail(l->sql, STATUS_CORRUPT, "The waiting room of event %llu has an invalid rate: %u per second.",
                 (unsigned long long)e->number, e->queue.rate_per_second);
}

static void load_catalogue(struct loader *l)
{
    struct sql *s = l->sql;
    struct sql_statement *events =
        book_record_prepare(s, &event_record, BOOK_SELECT "WHERE removed_at IS NULL ORDER BY number");
    struct sql_statement *queues =
        book_record_prepare(s, &queue_settings_record, BOOK_SELECT "WHERE event = ?");
    struct sql_statement *pools = book_record_prepare(
        s, &pool_record, "SELECT {read $}, held, sold FROM @ WHERE event = ? ORDER BY position");
    struct sql_statement *seats = seats_prepare(l);
    struct arena arena; /* the tiers of one waiting room */
    arena_init(&arena, 4096);
    while (sql_next(events)) {
        struct book_event event;
        arena_reset(&arena);
        book_record_read(s, events, &event_record, &event, NULL);
        read_queue(l, queues, &event.image, &arena);
        uint64_t number = event.image.number;
        book_row_accept(l->sql, !l->sink->event || l->sink->event(l->sink->owner, &event.image, event.seats),
                        "event", number);
        load_pools(l, pools, number);
        bool later = event.seats && l->sink->seats_later && sql_sound(s) &&
                     l->sink->seats_later(l->sink->owner, number, event.seats);
        if (l->sink->seat && !later)
            load_seats(l, seats, number, event.seats);
    }
    arena_release(&arena);
}

static void load_staged(struct loader *l)
{
    struct sql_statement *t = book_record_prepare(l->sql, &staged_record, BOOK_LOAD_OF_EVENTS);
    while (l->sink->staged && sql_next(t)) {
        struct book_staged part;
        book_record_read(l->sql, t, &staged_record, &part, NULL);
        for (uint32_t i = 0; i < part.count && sql_sound(l->sql); i++) {
            uint32_t columns;
            struct seat_image seat;
            book_row_accept(l->sql,
                            seat_row_get(&part.rows, &columns, &seat) &&
                                l->sink->staged(l->sink->owner, part.event, part.import, columns, &seat),
                            "staged part", part.seq);
        }
    }
}

/* ---- Reservations ---- */

static void item_step(struct loader *l)
{
    l->at_item = sql_next(l->items);
    l->item_number = l->at_item ? (uint64_t)sql_int(l->items, item_record.read) : 0;
}

static void item_search(struct loader *l, uint64_t number)
{
    sql_reset(l->items);
    sql_bind_int(l->items, 1, (int64_t)number);
    item_step(l);
}

/* Reads the items of a reservation into l->change->items. Numbers must not decrease between calls. */
static uint32_t load_items(struct loader *l, uint64_t number)
{
    for (int steps = 0; l->at_item && l->item_number < number; steps++) {
        /* For a few rows, reading on is cheaper than a search. */
        if (steps < STEPS_MAX)
            item_step(l);
        else
            item_search(l, number);
    }
    uint32_t count = 0;
    arena_reset(&l->arena);
    for (; l->at_item && l->item_number == number; item_step(l)) {
        if (count == ITEMS_MAX) {
            book_row_accept(l->sql, false, "the items of reservation", number);
            return 0;
        }
        book_record_read(l->sql, l->items, &item_record, &l->change->items[count], NULL);
        book_record_keep(&item_record, &l->change->items[count++], &l->arena);
    }
    return count;
}

static struct sql_statement *reservations_of(struct loader *l, const struct book_record *r,
                                             enum reservation_status status)
{
    struct sql_statement *t = book_record_prepare(l->sql, r,
                                                  "SELECT {read $}, ticket_key FROM @ INDEXED BY "
                                                  "reservations_by_status WHERE status = ? ORDER BY number");
    sql_bind_word(t, 1, reservation_status_name(status));
    /* Both start at the first row. */
    item_search(l, 0);
    return t;
}

static void load_held(struct loader *l)
{
    struct sql_statement *t = reservations_of(l, &held_record, RESERVATION_HELD);
    while (sql_next(t)) {
        struct reservation_image image;
        book_record_read(l->sql, t, &held_record, &image, NULL);
        /* Not read: the statement selects by it. */
        image.status = RESERVATION_HELD;
        image.item_count = load_items(l, image.number);
        image.items = l->change->items;
        book_row_accept(l->sql, l->sink->held(l->sink->owner, &image), "reservation", image.number);
    }
}

static void load_sold(struct loader *l)
{
    struct sql_statement *t = reservations_of(l, &owner_record, RESERVATION_CONFIRMED);
    while (sql_next(t)) {
        struct reservation_image owner;
        book_record_read(l->sql, t, &owner_record, &owner, NULL);
        if (!sql_null(t, owner_record.read))
            book_row_pair(l->sql, t, owner_record.read, owner.ticket_key);
        uint32_t count = load_items(l, owner.number);
        for (uint32_t i = 0; i < count && sql_sound(l->sql); i++) {
            const struct item_image *item = &l->change->items[i];
            /* Only slots have an end. After its end a slot still counts for the day on which it started. */
            if (item->until_ms && item->until_ms <= l->last_at_ms - STARTS_KEPT_MS)
                continue;
            struct book_sold sold = {.item = item,
                                     .reservation = owner.id,
                                     .user_id = owner.user_id,
                                     .ticket_key = {owner.ticket_key[0], owner.ticket_key[1]}};
            book_row_accept(l->sql, l->sink->sold(l->sink->owner, &sold), "reservation", owner.number);
        }
    }
}

/* ---- The other records ---- */

static void load_plain(struct loader *l, const struct book_kept *kept)
{
    const struct book_record *r = kept->record;
    ASSERT(kept->at && kept->at + r->size <= sizeof(struct change)); /* the image is part of the change */
    void *image = (char *)l->change + kept->at;
    struct sql_statement *t = book_record_prepare(l->sql, r, kept->load);
    if (sql_parameters(t) & 1)
        sql_bind_int(t, 1, l->since_ms);
    for (uint64_t row = 1; sql_next(t); row++) {
        arena_reset(&l->arena);
        book_record_read(l->sql, t, r, image, &l->arena);
        /* A column after the record's, where the statement asks for one. */
        l->change->seq = sql_columns(t) > r->read ? (uint64_t)sql_int(t, r->read) : 0;
        if (sql_sound(l->sql) && !l->sink->record(l->sink->owner, l->change))
            sql_fail(l->sql, STATUS_CORRUPT, "The book contradicts itself at row %llu of %s.",
                     (unsigned long long)row, r->table);
    }
}

static void load_records(struct loader *l, enum book_loaded stage)
{
    for (int kind = 0; kind < book_kept_count && l->sink->record; kind++) {
        const struct book_kept *kept = &book_kept[kind];
        if (kept->loaded != stage)
            continue;
        ASSERT(!kept->load != !kept->each); /* one way to load it */
        memset(l->change, 0, sizeof(*l->change));
        l->change->kind = (enum change_kind)kind;
        l->change->at_ms = l->last_at_ms;
        if (kept->each)
            kept->each(l->sql, l->sink, l->change);
        else
            load_plain(l, kept);
    }
}

static void load_meta(struct loader *l, struct book_meta *meta)
{
    struct sql_statement *t = sql_prepare(l->sql, "SELECT last_seq, last_at, folder, chain, parent IS NOT NULL FROM meta");
    *meta = (struct book_meta){0};
    if (!sql_next(t)) {
        sql_fail(l->sql, STATUS_CORRUPT, "The book does not say where it ends.");
        return;
    }
    struct log_anchor *log = &meta->log;
    log->seq = (uint64_t)sql_int(t, 0);
    meta->last_at_ms = l->last_at_ms = sql_int(t, 1);
    const void *id = sql_blob(t, 2, sizeof(log->id));
    log->has_id = id != NULL;
    if (id)
        memcpy(log->id, id, sizeof(log->id));
    log->has_chain = !sql_null(t, 3);
    log->chain = (uint32_t)sql_int(t, 3);
    meta->restored = sql_int(t, 4) == 1;
    sql_reset(t);
}

static void load_ledger(struct loader *l)
{
    struct sql_statement *t =
        sql_prepare(l->sql, "SELECT (SELECT count(*) FROM payments WHERE owed > 0), "
                            "(SELECT count(*) FROM payments WHERE discrepancy <> 'none')");
    if (l->sink->ledger && sql_next(t))
        book_row_accept(l->sql,
                        l->sink->ledger(l->sink->owner, (uint64_t)sql_int(t, 0), (uint64_t)sql_int(t, 1)),
                        "the ledger", 0);
}

static void load_touched(struct loader *l)
{
    struct sql_statement *t = sql_prepare(l->sql, "SELECT number, seq FROM touched");
    while (l->sink->touched && sql_next(t)) {
        uint64_t number = (uint64_t)sql_int(t, 0);
        book_row_accept(l->sql, l->sink->touched(l->sink->owner, number, (uint64_t)sql_int(t, 1)), "version",
                        number);
    }
}

struct status book_load(const char *path, int64_t since_ms, const struct book_load_sink *sink,
                        struct book_meta *meta)
{
    struct loader l = {.sink = sink, .since_ms = since_ms};
    ASSERT(!sink->queue_entry || sink->queue);     /* an entry comes after its room */
    ASSERT(!sink->seats_later || sink->seats_end); /* book_load_seats calls it */
    struct status status = book_pages_open(&l.sql, path, SQL_READ);
    if (!status_ok(&status))
        return status;
    book_schema_expect(l.sql);
    /* One snapshot for all tables. */
    sql_run(l.sql, "BEGIN");
    load_meta(&l, meta);
    l.items = book_record_prepare(l.sql, &item_record,
                                  "SELECT {read $}, reservation FROM @ WHERE reservation >= ? "
                                  "ORDER BY reservation, item_id");
    if (sink->begin) {
        /* So that core can allocate its tables once, instead of growing them. */
        int64_t held = sql_number(l.sql, "SELECT count(*) FROM reservations WHERE status = 'held'");
        book_row_accept(l.sql, sink->begin(sink->owner, (uint64_t)held), "count", (uint64_t)held);
    }
    l.change = memory_zeroed(1, sizeof(*l.change));
    arena_init(&l.arena, ITEM_ATTRIBUTES_SIZE_MAX);
    load_catalogue(&l);
    /* Holds refer to calendars, and queues to events: those come first. */
    load_records(&l, BOOK_BEFORE_HOLDS);
    load_touched(&l);
    load_staged(&l);
    if (sink->queue)
        book_queue_each(l.sql, sink);
    if (sink->held)
        load_held(&l);
    if (sink->sold)
        load_sold(&l);
    load_records(&l, BOOK_AFTER_HOLDS);
    load_ledger(&l);
    free(l.change);
    arena_release(&l.arena);
    status = sql_status(l.sql);
    sql_close(l.sql);
    return status;
}

struct status book_load_seats(const char *path, const struct book_seats_later *events, uint32_t count,
                              const struct book_load_sink *sink)
{
    struct loader l = {.sink = sink};
    ASSERT(sink->seat && sink->seats_end);
    struct status status = book_pages_open(&l.sql, path, SQL_READ);
    if (!status_ok(&status))
        return status;
    sql_run(l.sql, "BEGIN");
    struct sql_statement *seats = seats_prepare(&l);
    for (uint32_t i = 0; i < count && sql_sound(l.sql); i++)
        load_seats(&l, seats, events[i].event, events[i].seat_count);
    status = sql_status(l.sql);
    sql_close(l.sql);
    return status;
}
