/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/prune.h"

#include "base/assertion.h"
#include "base/frame.h"
#include "base/memory/memory.h"
#include "book/record/kept.h"
#include "book/record/row.h"

#define BOOK_PRUNE_STATUSES 4
#define KINDS_MAX 64 /* of changes */

struct book_prune {
    struct sql *sql;
    struct book_reservation *reservation;
    struct sql_statement *ended, *idempotency_oldest, *idempotency_remove, *staged_remove, *touched_remove;
    struct sql_statement *dead_remove, *warnings_remove, *audit_remove, *refusals_remove, *erasures_remove;
    struct sql_statement *event_find, *event_remove, *seats_remove, *queue_remove, *list_remove;
    struct sql_statement *offers_remove, *rides_remove, *fleet_find, *drivers_remove, *fleet_remove;
    struct sql_statement *calendar_find, *calendar_lists[3], *calendar_remove;
    struct sql_statement *rest[KINDS_MAX]; /* by kind of change: the few other rows of an event; NULL: none */
    /* The position of the walk through the ended reservations of each status. It skips those that ended too recently, and
     * starts again when it reaches those created too recently. */
    uint64_t reached[BOOK_PRUNE_STATUSES];
};

static const enum reservation_status ended_statuses[BOOK_PRUNE_STATUSES] = {
    RESERVATION_RELEASED, RESERVATION_EXPIRED, RESERVATION_CANCELLED, RESERVATION_REFUNDED};

/* Numbers are collected first: deleting rows would disturb the walk. */
#define CHUNK 256

#define OLD_RIDES(column)                                                                                    \
    "(SELECT " column                                                                                        \
    " FROM rides INDEXED BY rides_ended WHERE ended_at < ?1 ORDER BY ended_at, number LIMIT ?2)"

struct book_prune *book_prune_make(struct sql *s, struct book_reservation *reservation)
{
    struct book_prune *p = memory_zeroed(1, sizeof(*p));
    *p = (struct book_prune){.sql = s, .reservation = reservation};
    p->ended = sql_prepare(
        s, "SELECT number, created_at, ended_at, ticket_key FROM reservations "
           "INDEXED BY reservations_by_status WHERE status = ?1 AND number > ?2 ORDER BY number LIMIT ?3");
    p->idempotency_oldest = sql_prepare(s, "SELECT seq, at FROM idempotency ORDER BY seq LIMIT ?");
    p->idempotency_remove = sql_prepare(s, "DELETE FROM idempotency WHERE seq <= ?");
    p->dead_remove =
        sql_prepare(s, "DELETE FROM outbox WHERE (hook, seq, ordinal) IN (SELECT hook, seq, ordinal "
                       "FROM outbox WHERE dead_at < ?1 LIMIT ?2)");
    p->audit_remove = sql_prepare(s, "DELETE FROM audit WHERE seq IN (SELECT seq FROM "
                                     "(SELECT seq, at FROM audit ORDER BY seq LIMIT ?2) WHERE at < ?1)");
    p->refusals_remove =
        sql_prepare(s, "DELETE FROM refusals WHERE (day, event, calendar, tier, pool, service, "
                       "reason) IN (SELECT day, event, calendar, tier, pool, service, reason "
                       "FROM refusals WHERE day + 86400000 <= ?1 ORDER BY day LIMIT ?2)");
    p->erasures_remove =
        sql_prepare(s, "DELETE FROM erasures WHERE number IN (SELECT number FROM (SELECT number, at "
                       "FROM erasures WHERE segments > 1 AND clean = 1 ORDER BY number LIMIT ?2) "
                       "WHERE at < ?1)");
    p->warnings_remove =
        sql_prepare(s, "DELETE FROM hook_warnings WHERE reservation IN "
                       "(SELECT reservation FROM hook_warnings WHERE expires_at < ?1 LIMIT ?2)");
    p->staged_remove = sql_prepare(s, "DELETE FROM seats_staged WHERE import <= ?");
    p->touched_remove = sql_prepare(s, "DELETE FROM touched WHERE number = ?");
    p->event_find =
        sql_prepare(s, "SELECT number FROM events e WHERE removed_at < ? "
                       "AND NOT EXISTS (SELECT 1 FROM items i WHERE i.event = e.number) "
                       "AND NOT EXISTS (SELECT 1 FROM history_items h WHERE h.event = e.number) LIMIT 1");
    /* From the end, so that the remaining seats have no gap after a crash. */
    p->seats_remove =
        sql_prepare(s, "DELETE FROM seats WHERE event = ?1 AND position IN "
                       "(SELECT position FROM seats WHERE event = ?1 ORDER BY position DESC LIMIT ?2)");
    p->queue_remove =
        sql_prepare(s, "DELETE FROM queue WHERE event = ?1 AND number > "
                       "(SELECT number FROM queue WHERE event = ?1 ORDER BY number DESC LIMIT 1) - ?2");
    p->list_remove =
        sql_prepare(s, "DELETE FROM waiting_list WHERE event = ?1 AND number > (SELECT number FROM "
                       "waiting_list WHERE event = ?1 ORDER BY number DESC LIMIT 1) - ?2");
    ASSERT(book_kept_count <= KINDS_MAX);
    for (int i = 0; i < book_kept_count; i++)
        if (book_kept[i].of_event)
            p->rest[i] = book_record_prepare(s, book_kept[i].record, "DELETE FROM @ WHERE event = ?");
    p->event_remove = sql_prepare(s, "DELETE FROM events WHERE number = ?");
    p->calendar_find =
        sql_prepare(s, "SELECT number FROM calendars c WHERE removed_at < ? "
                       "AND NOT EXISTS (SELECT 1 FROM items i WHERE i.calendar = c.number) "
                       "AND NOT EXISTS (SELECT 1 FROM history_items h WHERE h.calendar = c.number) LIMIT 1");
    /* Both select the same rides, by the time of their end. */
    p->offers_remove = sql_prepare(s, "DELETE FROM offers WHERE ride IN " OLD_RIDES("id"));
    p->rides_remove = sql_prepare(s, "DELETE FROM rides WHERE number IN " OLD_RIDES("number"));
    p->fleet_find = sql_prepare(s, "SELECT number FROM fleets f WHERE removed_at < ? "
                                   "AND NOT EXISTS (SELECT 1 FROM rides r WHERE r.fleet = f.number) LIMIT 1");
    p->drivers_remove = sql_prepare(s, "DELETE FROM drivers WHERE fleet = ?1 AND id IN "
                                       "(SELECT id FROM drivers WHERE fleet = ?1 LIMIT ?2)");
    p->fleet_remove = sql_prepare(s, "DELETE FROM fleets WHERE number = ?");
    p->calendar_lists[0] = sql_prepare(s, "DELETE FROM calendar_hours WHERE calendar = ?");
    p->calendar_lists[1] = sql_prepare(s, "DELETE FROM calendar_closed WHERE calendar = ?");
    p->calendar_lists[2] = sql_prepare(s, "DELETE FROM services WHERE calendar = ?");
    p->calendar_remove = sql_prepare(s, "DELETE FROM calendars WHERE number = ?");
    return p;
}

struct candidate {
    uint64_t number;
    uint64_t ticket_key[2];
};

/* Examines at most `most` reservations of one status. False: the walk has reached its end, and starts again next time. */
LARGE_FRAME("the recorder's, once for a chunk")
static bool walk(struct book_prune *p, int which, int64_t before_ms, uint32_t most, uint32_t *looked,
                 uint32_t *pruned)
{
    struct candidate found[CHUNK];
    uint32_t count = 0, rows = 0;
    bool fresh = false;
    ASSERT(before_ms > 0 && most > 0);
    ASSERT(!book_claim_live(ended_statuses[which])); /* a live reservation is never pruned */
    sql_bind_word(p->ended, 1, reservation_status_name(ended_statuses[which]));
    sql_bind_int(p->ended, 2, (int64_t)p->reached[which]);
    sql_bind_int(p->ended, 3, most < CHUNK ? most : CHUNK);
    while (!fresh && sql_next(p->ended)) {
        rows++;
        /* Numbers are in order of creation: after the first one created too recently, none can be old enough. */
        fresh = sql_int(p->ended, 1) >= before_ms;
        if (fresh)
            break;
        p->reached[which] = (uint64_t)sql_int(p->ended, 0);
        if (sql_int(p->ended, 2) >= before_ms)
            continue;
        found[count].number = p->reached[which];
        book_row_pair(p->sql, p->ended, 3, found[count++].ticket_key);
    }
    sql_reset(p->ended);
    ASSERT(count <= rows && rows <= CHUNK);
    for (uint32_t i = 0; i < count; i++)
        book_reservation_forget(p->reservation, found[i].number, found[i].ticket_key);
    *looked += rows;
    *pruned += count;
    bool further = !fresh && rows == (most < CHUNK ? most : CHUNK);
    if (!further)
        /* Those that were skipped may be old enough next time. */
        p->reached[which] = 0;
    return further;
}
LARGE_FRAME_END

static bool prune_idempotency(struct book_prune *p, int64_t before_ms, uint32_t limit, uint32_t *pruned)
{
    int64_t last = 0;
    uint32_t count = 0;
    sql_bind_int(p->idempotency_oldest, 1, limit);
    while (sql_next(p->idempotency_oldest) && sql_int(p->idempotency_oldest, 1) < before_ms) {
        last = sql_int(p->idempotency_oldest, 0);
        count++;
    }
    sql_reset(p->idempotency_oldest);
    ASSERT(count <= limit && !count == !last);
    if (count)
        /* Seqs are in the order of time, so one statement deletes them all. */
        sql_do_ints(p->idempotency_remove, last);
    *pruned += count;
    return count == limit;
}

/* Deletes, from the end, up to `limit` rows of the tables that have millions of rows per event. True: none are left. */
static bool prune_rows(struct book_prune *p, int64_t event, uint32_t *limit, uint32_t *pruned)
{
    struct sql_statement *many[] = {p->seats_remove, p->queue_remove, p->list_remove};
    ASSERT(*limit > 0); /* otherwise it would never end */
    for (size_t i = 0; i < sizeof(many) / sizeof(many[0]); i++) {
        uint32_t rows = (uint32_t)sql_do_ints(many[i], event, *limit);
        *pruned += rows;
        if (rows >= *limit)
            return false;
        *limit -= rows;
    }
    return true;
}

/* True: there may be more. */
static bool prune_event(struct book_prune *p, int64_t before_ms, uint32_t limit, uint32_t *pruned)
{
    sql_bind_int(p->event_find, 1, before_ms);
    int64_t event = sql_next(p->event_find) ? sql_int(p->event_find, 0) : 0;
    sql_reset(p->event_find);
    if (!event)
        return false;
    /* Children first: a foreign key protects an event that rows refer to. */
    if (!prune_rows(p, event, &limit, pruned))
        return true;
    for (int i = 0; i < book_kept_count; i++)
        *pruned += (uint32_t)sql_do_ints(p->rest[i], event);
    sql_do_ints(p->touched_remove, event);
    *pruned += (uint32_t)sql_do_ints(p->event_remove, event);
    return true;
}

/* All at once: its lists are short. True: there may be more. */
static bool prune_calendar(struct book_prune *p, int64_t before_ms, uint32_t *pruned)
{
    sql_bind_int(p->calendar_find, 1, before_ms);
    int64_t calendar = sql_next(p->calendar_find) ? sql_int(p->calendar_find, 0) : 0;
    sql_reset(p->calendar_find);
    if (!calendar)
        return false;
    for (int i = 0; i < 3; i++)
        *pruned += (uint32_t)sql_do_ints(p->calendar_lists[i], calendar);
    sql_do_ints(p->touched_remove, calendar);
    *pruned += (uint32_t)sql_do_ints(p->calendar_remove, calendar);
    return true;
}

/* Rides that have ended, with their offers. True: there may be more. */
static bool prune_rides(struct book_prune *p, int64_t before_ms, uint32_t limit, uint32_t *pruned)
{
    uint32_t offers = (uint32_t)sql_do_ints(p->offers_remove, before_ms, limit);
    uint32_t rides = (uint32_t)sql_do_ints(p->rides_remove, before_ms, limit);
    ASSERT(rides || !offers || !sql_sound(p->sql));
    *pruned += offers + rides;
    return rides == limit;
}

/* A removed fleet whose rides are all pruned. True: there may be more. */
static bool prune_fleet(struct book_prune *p, int64_t before_ms, uint32_t limit, uint32_t *pruned)
{
    sql_bind_int(p->fleet_find, 1, before_ms);
    int64_t fleet = sql_next(p->fleet_find) ? sql_int(p->fleet_find, 0) : 0;
    sql_reset(p->fleet_find);
    if (!fleet)
        return false;
    uint32_t drivers = (uint32_t)sql_do_ints(p->drivers_remove, fleet, limit);
    *pruned += drivers;
    if (drivers < limit)
        *pruned += (uint32_t)sql_do_ints(p->fleet_remove, fleet);
    return true;
}

/* Dead messages are kept as long as the history; a warning is not needed after its deadline. True: there may be more. */
static bool prune_hooks(struct book_prune *p, int64_t now_ms, int64_t before_ms, uint32_t limit,
                        uint32_t *pruned)
{
    uint32_t warnings = (uint32_t)sql_do_ints(p->warnings_remove, now_ms, limit);
    uint32_t dead = before_ms ? (uint32_t)sql_do_ints(p->dead_remove, before_ms, limit) : 0;
    *pruned += warnings + dead;
    return warnings == limit || dead == limit;
}

/* The audit log and the counts of refusals are kept as long as the history. True: there may be more. */
static bool prune_logs(struct book_prune *p, int64_t before_ms, uint32_t limit, uint32_t *pruned)
{
    if (!before_ms)
        return false;
    uint32_t audited = (uint32_t)sql_do_ints(p->audit_remove, before_ms, limit);
    uint32_t refused = (uint32_t)sql_do_ints(p->refusals_remove, before_ms, limit);
    uint32_t erasures = (uint32_t)sql_do_ints(p->erasures_remove, before_ms, limit);
    *pruned += audited + refused + erasures;
    return audited == limit || refused == limit || erasures == limit;
}

void book_prune_slice(struct book_prune *p, int64_t now_ms, int64_t before_ms, uint64_t imports_over,
                      uint32_t limit, uint32_t *pruned, bool *done)
{
    ASSERT(limit > 0 && before_ms >= 0);
    *pruned = 0;
    bool more = prune_idempotency(p, now_ms - IDEMPOTENCY_KEEP_MS, limit, pruned);
    more = prune_hooks(p, now_ms, before_ms, limit, pruned) || more;
    more = prune_logs(p, before_ms, limit, pruned) || more;
    *pruned += (uint32_t)sql_do_ints(p->staged_remove, imports_over);
    uint32_t looked = 0;
    /* Bounded, because the recorder must get back to writing. */
    for (int i = 0; before_ms && i < BOOK_PRUNE_STATUSES && looked < limit;) {
        bool further = walk(p, i, before_ms, limit - looked, &looked, pruned);
        more = more || (further && looked >= limit);
        i += !further;
    }
    ASSERT(looked <= limit);
    if (before_ms && looked < limit)
        more = prune_event(p, before_ms, limit - looked, pruned) || more;
    if (before_ms && looked < limit)
        more = prune_calendar(p, before_ms, pruned) || more;
    if (before_ms && looked < limit)
        more = prune_rides(p, before_ms, limit - looked, pruned) || more;
    if (before_ms && looked < limit)
        more = prune_fleet(p, before_ms, limit - looked, pruned) || more;
    *done = !more;
}
