/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c — writes and loads waiting rooms: their state, and their entries. book/catalogue/catalogue.c writes their settings,
 * with the event.
 *
 * An entry is one row, from joining until some time after the event was removed; only `status` and `until` change. A second
 * live entry of a user, a number that is taken, and a move of an entry that is not live are CORRUPT faults. Faults stick to
 * the connection (see sql.h).
 */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_queue {
    struct sql *sql;
    struct sql_statement *join, *move, *admit, *end;
};

/* ---- Into the tables ---- */

struct book_queue *book_queue_make(struct sql *s)
{
    struct book_queue *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->join = book_record_prepare(s, &queue_record, BOOK_INSERT);
    b->move = book_record_prepare(s, &queue_record, BOOK_UPDATE " AND live = 1");
    b->admit = book_record_prepare(s, &queue_record, BOOK_UPDATE_APART " AND live = 1");
    b->end = book_record_prepare(s, &queue_record,
                                 "UPDATE @ SET {set $ = ?#}, live = 0 WHERE {where $ = ?#} AND live = 1");
    return b;
}

void book_queue_join(struct book_parts *parts, const struct change *c)
{
    struct book_queue *b = parts->queue;
    ASSERT(c->kind == CHANGE_QUEUE_JOINED && c->joined.number >= 1 && c->joined.user_id.size);
    struct book_queue_entry entry = {.image = {.event = c->joined.event,
                                               .number = c->joined.number,
                                               .user_id = c->joined.user_id,
                                               .status = QUEUE_WAITING,
                                               .joined_at_ms = c->at_ms,
                                               .tiers = c->joined.tiers,
                                               .tier_count = c->joined.tier_count},
                                     .live = true};
    if (!book_record_try(b->join, &queue_record, &entry))
        sql_fail(
            b->sql, STATUS_CORRUPT,
            "Change %llu adds entry %u to the queue of event %llu, which has no waiting room or already has "
            "that number or user.",
            (unsigned long long)c->seq, c->joined.number, (unsigned long long)c->joined.event);
}

static void move_one(struct book_queue *b, const struct change *c, const struct queue_move *move)
{
    struct book_queue_entry entry = {.image = {.event = c->moved.event,
                                               .number = move->number,
                                               .status = move->status,
                                               .until_ms = move->until_ms},
                                     .live = queue_status_live(move->status),
                                     .admitted_at_ms = c->at_ms};
    /* An UPDATE that names `live` rewrites its index, so only the end of an entry does. */
    ASSERT(entry.live || move->status != QUEUE_ADMITTED);
    struct sql_statement *t = move->status == QUEUE_ADMITTED ? b->admit : entry.live ? b->move : b->end;
    if (book_record_put(t, &queue_record, &entry) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu changes entry %u of event %llu, which is not live.",
                 (unsigned long long)c->seq, move->number, (unsigned long long)c->moved.event);
}

void book_queue_move(struct book_parts *parts, const struct change *c)
{
    struct book_queue *b = parts->queue;
    struct bytes_reader moves = c->moved.moves;
    ASSERT(c->kind == CHANGE_QUEUE_MOVED && c->moved.count >= 1);
    for (uint32_t i = 0; i < c->moved.count && sql_sound(b->sql); i++) {
        struct queue_move move;
        if (!queue_move_get(&moves, &move)) {
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu gives an entry an unknown status.",
                     (unsigned long long)c->seq);
            return;
        }
        move_one(b, c, &move);
    }
}

/* ---- Out of them ---- */

static void read_entries(struct sql *s, struct sql_statement *t, uint64_t event, struct arena *arena,
                         const struct book_load_sink *sink)
{
    sql_bind_ints(t, event);
    for (uint32_t expected = 1; sql_next(t); expected++) {
        struct book_queue_entry row;
        book_record_read(s, t, &queue_record, &row, arena);
        row.image.event = event;
        if (row.image.number != expected || !row.image.user_id.size)
            sql_fail(s, STATUS_CORRUPT, "Entry %u is missing in the queue of event %llu.", expected,
                     (unsigned long long)event);
        if (sql_sound(s) && sink->queue_entry)
            book_row_accept(s, sink->queue_entry(sink->owner, &row.image), "the queue of event", event);
        /* Most entries have none: saves up to two million resets. */
        if (row.image.tier_count)
            arena_reset(arena);
    }
}

void book_queue_each(struct sql *s, const struct book_load_sink *sink)
{
    struct arena arena; /* the tiers of one entry */
    /* Numbers have no gaps, so the last number is the count. */
    struct sql_statement *queues = book_record_prepare(
        s, &queues_record,
        "SELECT {read $}, (SELECT number FROM queue WHERE event = @.event ORDER BY number DESC LIMIT 1) "
        "FROM @ WHERE event IN (SELECT number FROM events WHERE removed_at IS NULL) ORDER BY event");
    struct sql_statement *entries =
        book_record_prepare(s, &queue_record, BOOK_SELECT "WHERE event = ? ORDER BY number");
    arena_init(&arena, 4096);
    while (sql_next(queues)) {
        struct queue_image queue;
        book_record_read(s, queues, &queues_record, &queue, NULL);
        uint32_t joined = (uint32_t)sql_int(queues, queues_record.read);
        if (queue.drawn > joined)
            sql_fail(s, STATUS_CORRUPT,
                     "The waiting room of event %llu says %u were drawn, but only %u joined.",
                     (unsigned long long)queue.event, queue.drawn, joined);
        if (sql_sound(s))
            book_row_accept(s, sink->queue(sink->owner, &queue, joined), "the waiting room of event",
                            queue.event);
        read_entries(s, entries, queue.event, &arena, sink);
    }
    arena_release(&arena);
}
