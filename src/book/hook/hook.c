/* SPDX-License-Identifier: Apache-2.0 */
/* hook.c — writes and loads hooks and their outbox.
 *
 * Messages have no change of their own: core and the book derive them from other changes by the same function
 * (hook_messages_of). The hooks are cached, so that a change that no hook wants costs nothing. Faults stick to the connection
 * (see sql.h).
 */
#include "book/record/kept.h"

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_hook {
    struct sql *sql;
    struct sql_statement *all, *put, *clear, *remove, *insert, *delivered, *dead, *again;
    bool known; /* `hooks` is what the table has */
    uint32_t count;
    struct {
        uint64_t number;
        uint32_t events;
    } hooks[HOOKS_MAX];
};

struct book_hook *book_hook_make(struct sql *s)
{
    struct book_hook *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->all = sql_prepare(s, "SELECT number, events FROM hooks ORDER BY number");
    b->put = book_record_prepare(s, &hook_record, BOOK_UPSERT);
    b->clear = sql_prepare(s, "DELETE FROM outbox WHERE hook = ?");
    b->remove = sql_prepare(s, "DELETE FROM hooks WHERE number = ?");
    b->insert = book_record_prepare(s, &message_record, BOOK_INSERT);
    b->delivered = sql_prepare(s, "DELETE FROM outbox WHERE hook = ?1 AND seq = ?2 AND ordinal = ?3");
    b->dead = sql_prepare(s, "UPDATE outbox SET dead_at = ?4 WHERE hook = ?1 AND seq = ?2 AND ordinal = ?3 "
                             "AND dead_at IS NULL");
    b->again = book_record_prepare(s, &message_record, BOOK_UPSERT);
    return b;
}

void book_hook_forget(struct book_hook *b)
{
    b->known = false;
}

/* ---- Into the tables ---- */

void book_hook_put(struct book_parts *parts, const struct change *c)
{
    struct book_hook *b = parts->hook;
    ASSERT(c->kind == CHANGE_HOOK && c->hook.number && c->hook.number <= c->seq);
    b->known = false;
    if (!c->hook.removed) {
        book_record_put(b->put, &hook_record, &c->hook);
        return;
    }
    sql_do_ints(b->clear, (int64_t)c->hook.number);
    if (sql_do_ints(b->remove, (int64_t)c->hook.number) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu removes a hook that the book does not have.",
                 (unsigned long long)c->seq);
}

static bool move(struct book_hook *b, const struct change *c, const struct hook_move *m)
{
    uint64_t hook = c->hook_moved.hook;
    ASSERT(m->message.seq < c->seq); /* an earlier change created it */
    if (m->to == HOOK_DELIVERED)
        return sql_do_ints(b->delivered, (int64_t)hook, (int64_t)m->message.seq, m->message.ordinal) == 1;
    if (m->to == HOOK_DEAD)
        return sql_do_ints(b->dead, (int64_t)hook, (int64_t)m->message.seq, m->message.ordinal, c->at_ms) ==
               1;
    ASSERT(m->to == HOOK_WAITING);
    /* It may have been pruned since the request to send it again. */
    book_record_put(
        b->again, &message_record,
        &(struct book_message){
            .hook = hook, .message = m->message, .of = hook_event_of(m->message.event), .queued = c->seq});
    return true;
}

void book_hook_move(struct book_parts *parts, const struct change *c)
{
    struct book_hook *b = parts->hook;
    struct bytes_reader in = c->hook_moved.moves;
    ASSERT(c->kind == CHANGE_HOOK_MOVED);
    for (uint32_t i = 0; i < c->hook_moved.count && sql_sound(b->sql); i++) {
        struct hook_move m;
        if (!hook_move_get(&in, &m) || !move(b, c, &m))
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu moves a message that the book does not have.",
                     (unsigned long long)c->seq);
    }
}

static void load_hooks(struct book_hook *b)
{
    b->count = 0;
    while (sql_next(b->all)) {
        if (b->count == HOOKS_MAX) {
            sql_fail(b->sql, STATUS_CORRUPT, "The book has more than %d hooks.", HOOKS_MAX);
            break;
        }
        b->hooks[b->count].number = (uint64_t)sql_int(b->all, 0);
        b->hooks[b->count++].events = (uint32_t)sql_int(b->all, 1);
    }
    b->known = sql_sound(b->sql);
}

struct noting {
    struct book_hook *book;
    const struct change *change;
};

static void note(void *ctx, enum hook_event event, uint32_t ordinal, struct id reservation, uint64_t subject)
{
    const struct noting *n = ctx;
    ASSERT(n->book->known);
    struct book_message row = {.message = {.seq = n->change->seq,
                                           .ordinal = ordinal,
                                           .event = event,
                                           .reservation = reservation,
                                           .subject = subject,
                                           .at_ms = n->change->at_ms,
                                           .since_ms = n->change->at_ms},
                               .of = hook_event_of(event),
                               .queued = n->change->seq};
    for (uint32_t i = 0; i < n->book->count; i++) {
        if (!(n->book->hooks[i].events & HOOK_BIT(event)))
            continue;
        row.hook = n->book->hooks[i].number;
        book_record_put(n->book->insert, &message_record, &row);
    }
}

void book_hook_note(struct book_hook *b, const struct change *c)
{
    if (!b->known)
        load_hooks(b);
    if (b->known && b->count)
        hook_messages_of(c, note, &(struct noting){b, c});
}

/* ---- Out of them ---- */

void book_hook_each_message(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct sql_statement *t = book_record_prepare(
        s, &message_record, BOOK_SELECT "WHERE dead_at IS NULL ORDER BY hook, queued, seq, ordinal");
    struct buf moves;
    buf_init(&moves, 256);
    while (sql_next(t)) {
        struct book_message row;
        book_record_read(s, t, &message_record, &row, NULL);
        if (!sql_sound(s) || !row.message.seq)
            break;
        buf_clear(&moves);
        hook_move_put(&moves, &(struct hook_move){HOOK_WAITING, row.message});
        c->hook_moved.hook = row.hook;
        c->hook_moved.moves = bytes_reader_make(moves.data, moves.size);
        c->hook_moved.count = 1;
        book_row_accept(s, sink->record(sink->owner, c), "a message of hook", row.hook);
    }
    buf_release(&moves);
}
