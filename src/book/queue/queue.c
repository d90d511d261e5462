/* SPDX-License-Identifier: Apache-2.0 */
/* queue.c — waiting rooms as rows, both ways: what they remember, and who stands in line. Their settings
 * are the event's: see book/catalogue/catalogue.c.
 *
 * A person in line is one row from joining until some time after the event is removed; only status and until
 * change. Two live entries of one user, a number that is taken, and a move of one who is no longer in line do
 * not fit: the fault is CORRUPT. Faults stick to the connection (see sql.h).
 */
#include "book/record/kept.h"

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
    /* An UPDATE that names `live` rewrites its index, and only an end changes it. */
    struct sql_statement *t = move->status == QUEUE_ADMITTED ? b->admit : entry.live ? b->move : b->end;
    if (book_record_put(t, &queue_record, &entry) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu changes entry %u of event %llu, which is not live.",
                 (unsigned long long)c->seq, move->number, (unsigned long long)c->moved.event);
}

void book_queue_move(struct book_parts *parts, const struct change *c)
{
    struct book_queue *b = parts->queue;
    struct bytes_reader moves = c->moved.moves;
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
        /* Most entries have none: two million needless resets. */
        if (row.image.tier_count)
            arena_reset(arena);
    }
}

void book_queue_each(struct sql *s, const struct book_load_sink *sink)
{
    struct arena arena; /* the tiers of one entry */
    /* The last number is the count: numbers have no gaps. */
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
