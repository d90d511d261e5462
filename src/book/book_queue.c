/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_queue.h"

#include "book/book_row.h"

/* ---- Into the tables ---- */

void book_queue_prepare(struct book_queue *b, struct sql *s)
{
    b->sql = s;
    b->settings_put = sql_prepare(
        s, "REPLACE INTO room_settings (event, open_at, rate_per_second, max_active, pass_ttl_seconds, "
           "shuffle_before_open, by_inventory, tiers) VALUES (?,?,?,?,?,?,?,?)");
    b->settings_remove = sql_prepare(s, "DELETE FROM room_settings WHERE event = ?");
    b->put =
        sql_prepare(s, "INSERT INTO rooms (event, seed, paused, opened_at, drawn) VALUES (?,?,?,?,?) "
                       "ON CONFLICT (event) DO UPDATE SET seed = excluded.seed, paused = excluded.paused, "
                       "opened_at = excluded.opened_at, drawn = excluded.drawn");
    b->join = sql_prepare(s, "INSERT INTO queue (event, number, user_id, status, live, joined_at, tiers) "
                             "VALUES (?,?,?,'waiting',1,?,?)");
    /* Naming `live` in SET would write the index of live entries even when it stays the same. */
    b->move = sql_prepare(
        s, "UPDATE queue SET status = ?3, until = ?4 WHERE event = ?1 AND number = ?2 AND live = 1");
    b->admit =
        sql_prepare(s, "UPDATE queue SET status = ?3, until = ?4, admitted_at = ?5 WHERE event = ?1 AND "
                       "number = ?2 AND live = 1");
    b->end = sql_prepare(
        s,
        "UPDATE queue SET status = ?3, until = ?4, live = 0 WHERE event = ?1 AND number = ?2 AND live = 1");
}

void book_queue_put_settings(struct book_queue *b, const struct event_image *e)
{
    struct sql_statement *t = e->has_queue ? b->settings_put : b->settings_remove;
    sql_bind_int(t, 1, (int64_t)e->number);
    if (e->has_queue) {
        book_row_bind_time(t, 2, e->queue.open_at_ms);
        sql_bind_int(t, 3, e->queue.rate_per_second);
        sql_bind_int(t, 4, e->queue.max_active);
        sql_bind_int(t, 5, e->queue.pass_ttl_s);
        sql_bind_int(t, 6, e->queue.shuffle_before_open);
        sql_bind_int(t, 7, e->queue.by_inventory);
        book_row_bind_tiers(t, 8, e->queue.tiers, e->queue.tier_count);
    }
    sql_do(t);
}

void book_queue_put(struct book_queue *b, const struct queue_image *r)
{
    sql_bind_int(b->put, 1, (int64_t)r->event);
    sql_bind_blob(b->put, 2, r->seed, sizeof(r->seed));
    sql_bind_int(b->put, 3, r->paused);
    book_row_bind_time(b->put, 4, r->opened_at_ms);
    sql_bind_int(b->put, 5, r->drawn);
    sql_do(b->put);
}

void book_queue_join(struct book_queue *b, const struct change *c)
{
    sql_bind_int(b->join, 1, (int64_t)c->joined.event);
    sql_bind_int(b->join, 2, c->joined.number);
    sql_bind_text(b->join, 3, c->joined.user_id);
    sql_bind_int(b->join, 4, c->at_ms);
    book_row_bind_tiers(b->join, 5, c->joined.tiers, c->joined.tier_count);
    if (!sql_try(b->join))
        sql_fail(
            b->sql, STATUS_CORRUPT,
            "Change %llu adds entry %u to the queue of event %llu, which has no waiting room or already has "
            "that number or user.",
            (unsigned long long)c->seq, c->joined.number, (unsigned long long)c->joined.event);
}

void book_queue_move(struct book_queue *b, const struct change *c)
{
    struct bytes_reader moves = c->moved.moves;
    for (uint32_t i = 0; i < c->moved.count && sql_sound(b->sql); i++) {
        struct queue_move move;
        if (!queue_move_get(&moves, &move)) {
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu gives an entry an unknown status.",
                     (unsigned long long)c->seq);
            return;
        }
        struct sql_statement *t = move.status == QUEUE_ADMITTED    ? b->admit
                                  : queue_status_live(move.status) ? b->move
                                                                   : b->end;
        sql_bind_int(t, 1, (int64_t)c->moved.event);
        sql_bind_int(t, 2, move.number);
        sql_bind_word(t, 3, queue_status_name(move.status));
        book_row_bind_time(t, 4, move.until_ms);
        if (t == b->admit)
            sql_bind_int(t, 5, c->at_ms);
        if (sql_do(t) != 1)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu changes entry %u of event %llu, which is not live.",
                     (unsigned long long)c->seq, move.number, (unsigned long long)c->moved.event);
    }
}

/* ---- Out of them ---- */

void book_queue_settings(struct sql *s, struct sql_statement *t, int column, struct arena *arena,
                         struct event_image *e)
{
    e->has_queue = !sql_null(t, column);
    if (!e->has_queue)
        return;
    e->queue = (struct queue_settings){
        .open_at_ms = sql_int(t, column + 1),
        .rate_per_second = (uint32_t)sql_int(t, column + 2),
        .max_active = (uint32_t)sql_int(t, column + 3),
        .pass_ttl_s = (uint32_t)sql_int(t, column + 4),
        .shuffle_before_open = sql_int(t, column + 5) != 0,
        .by_inventory = sql_int(t, column + 6) != 0,
    };
    e->queue.tiers = book_row_tiers(s, t, column + 7, arena, &e->queue.tier_count);
}

static void read_entries(struct sql *s, struct sql_statement *t, uint64_t event, struct arena *arena,
                         const struct book_queue_sink *sink)
{
    sql_bind_int(t, 1, (int64_t)event);
    for (int64_t expected = 1; sql_next(t); expected++) {
        struct queue_entry_image entry = {.event = event,
                                          .number = (uint32_t)sql_int(t, 0),
                                          .user_id = sql_text(t, 1),
                                          .status = book_row_queue_status(s, t, 2),
                                          .joined_at_ms = sql_int(t, 3),
                                          .until_ms = sql_int(t, 4)};
        if (!sql_null(t, 5))
            entry.tiers = book_row_tiers(s, t, 5, arena, &entry.tier_count);
        if (sql_int(t, 0) != expected || !entry.user_id.size)
            sql_fail(s, STATUS_CORRUPT, "Entry %lld is missing in the queue of event %llu.",
                     (long long)expected, (unsigned long long)event);
        if (sql_sound(s))
            sink->entry(sink->owner, &entry);
        if (entry.tier_count)
            arena_reset(arena);
    }
}

void book_queue_each(struct sql *s, const struct book_queue_sink *sink)
{
    struct arena arena; /* the tiers of one entry */
    struct sql_statement *queues = sql_prepare(
        s, "SELECT r.event, r.seed, r.paused, r.opened_at, r.drawn, (SELECT q.number FROM queue q "
           "WHERE q.event = r.event ORDER BY q.number DESC LIMIT 1) FROM rooms r "
           "JOIN events e ON e.number = r.event WHERE e.removed_at IS NULL ORDER BY r.event");
    struct sql_statement *entries =
        sql_prepare(s, "SELECT number, user_id, status, joined_at, until, tiers FROM queue WHERE event = ? "
                       "ORDER BY number");
    arena_init(&arena, 4096);
    while (sql_next(queues)) {
        struct queue_image queue = {.event = (uint64_t)sql_int(queues, 0),
                                    .paused = sql_int(queues, 2) != 0,
                                    .opened_at_ms = sql_int(queues, 3),
                                    .drawn = (uint32_t)sql_int(queues, 4)};
        const void *seed = sql_blob(queues, 1, sizeof(queue.seed));
        if (seed)
            memcpy(queue.seed, seed, sizeof(queue.seed));
        else
            sql_fail(s, STATUS_CORRUPT, "The waiting room of event %llu has no seed.",
                     (unsigned long long)queue.event);
        if (sql_sound(s))
            sink->queue(sink->owner, &queue, (uint32_t)sql_int(queues, 5));
        read_entries(s, entries, queue.event, &arena, sink);
    }
    arena_release(&arena);
}
