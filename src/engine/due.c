/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/due.h"

#include "base/assertion.h"
#include "core/dispatch/dispatch.h"
#include "core/queue/queue.h"
#include "engine/fetch.h"

/* ---- The rows ---- */

static int64_t expiry_next_ms(const struct engine *e)
{
    return state_next_deadline(e->state);
}

static bool expiry_slice(struct engine *e, int64_t now_ms)
{
    state_expire(e->state, now_ms, e->limits.expire, e->changes);
    engine_end_step(e);
    return state_next_deadline(e->state) <= now_ms;
}

static int64_t lists_next_ms(const struct engine *e)
{
    return state_next_service(e->state);
}

static bool lists_slice(struct engine *e, int64_t now_ms)
{
    bool more = state_serve(e->state, now_ms, e->changes);
    engine_end_step(e);
    return more;
}

static int64_t warnings_next_ms(const struct engine *e)
{
    return state_next_warning(e->state);
}

static bool warnings_slice(struct engine *e, int64_t now_ms)
{
    state_warn(e->state, now_ms, e->limits.warn, e->changes);
    engine_end_step(e);
    return state_next_warning(e->state) <= now_ms;
}

/* The first step is due at once, even if there is no one to admit: it starts the period after which people without a
 * poll are absent. */
static int64_t admission_next_ms(const struct engine *e)
{
    return e->state->admitting_since_ms ? state_next_admission(e->state) : INT64_MIN;
}

static bool admission_slice(struct engine *e, int64_t now_ms)
{
    bool more = state_admit(e->state, now_ms, e->limits.admit, e->changes);
    engine_end_step(e);
    return more;
}

static int64_t refusals_next_ms(const struct engine *e)
{
    return state_next_refusals(e->state);
}

static bool refusals_slice(struct engine *e, int64_t now_ms)
{
    state_write_refusals(e->state, now_ms, e->changes);
    engine_end_step(e);
    return false;
}

/* As with admission: drivers have until some time after the first step to report their position. */
static int64_t dispatch_next_ms(const struct engine *e)
{
    return e->state->dispatch->since_ms ? state_next_dispatch(e->state) : INT64_MIN;
}

static bool dispatch_slice(struct engine *e, int64_t now_ms)
{
    bool more = state_dispatch(e->state, now_ms, e->changes);
    engine_end_step(e);
    return more;
}

/* Starts a new segment of the log, so that the segments with the name of an erased person can be freed. Waits until the
 * next segment is ready: a batch must not wait while one is created. */
static int64_t erasure_next_ms(const struct engine *e)
{
    bool due = state_erasures_due(e->state, e->host.book_seq(e->host.owner), e->durable_seq) &&
               !e->log->ops->prepare_due(e->log);
    return due ? INT64_MIN : INT64_MAX;
}

static bool erasure_slice(struct engine *e, int64_t now_ms)
{
    state_erasures_step(e->state, now_ms, e->host.book_seq(e->host.owner), e->durable_seq, e->changes);
    ASSERT(e->state->change_count > 0); /* the batch that starts the segment must not be empty */
    engine_end_step(e);
    e->host.begin_segment(e->host.owner);
    return false;
}

/* ---- The table ---- */

static int64_t earlier(int64_t a_ms, int64_t b_ms)
{
    return a_ms < b_ms ? a_ms : b_ms;
}

static const struct due_row {
    int64_t (*next_ms)(const struct engine *e);
    bool (*slice)(struct engine *e, int64_t now_ms);
    enum due_room room;
    enum due_wake wake;
} rows[] = {
#define X(name, next, slice, room, wake) [DUE_##name] = {next, slice, room, wake},
    DUE(X)
#undef X
};
_Static_assert(sizeof(rows) / sizeof(rows[0]) == DUE_COUNT, "a row for each kind of timed work");

bool due_slice(struct engine *e, enum due due, int64_t now_ms)
{
    const struct due_row *row = &rows[due];
    ASSERT(due < DUE_COUNT && engine_decides(e));
    if (row->next_ms(e) > now_ms || (row->room == DUE_NEEDS_ROOM && !engine_has_room(e)))
        return false;
    return row->slice(e, now_ms);
}

/* Called after every command, so it is unrolled: rows of another kind cost nothing. */
int64_t due_after_command(const struct engine *e)
{
    int64_t next_ms = INT64_MAX;
#define X(name, next, slice, room, wake)                                                                     \
    if (wake == DUE_AFTER_COMMAND)                                                                           \
        next_ms = earlier(next_ms, next(e));
    DUE(X)
#undef X
    return engine_decides(e) ? next_ms : INT64_MAX;
}

int64_t engine_next_ms(const struct engine *e)
{
    int64_t next_ms = INT64_MAX;
    for (int i = 0; i < DUE_COUNT && engine_decides(e); i++)
        if (rows[i].wake >= DUE_AT_INSTANT)
            next_ms = earlier(next_ms, rows[i].next_ms(e));
    return next_ms;
}

/* What every read of the book in flight has seen. A later change may concern a record of such a read: if it were forgotten
 * before the answer comes, an old image would be restored. */
static uint64_t forgettable_seq(const struct engine *e)
{
    uint64_t seq = e->host.book_seq(e->host.owner);
    for (const struct fetch *f = e->fetches; f; f = f->next)
        seq = f->book_seq < seq ? f->book_seq : seq;
    return seq;
}

bool engine_forget(struct engine *e)
{
    uint64_t book_seq = forgettable_seq(e);
    ASSERT(book_seq <= e->state->seq); /* a record that only memory has must not be forgotten */
    if (e->keeps)
        return false;
    uint32_t forgotten = state_forget(e->state, book_seq, e->limits.forget);
    ASSERT(forgotten <= e->limits.forget);
    return forgotten == e->limits.forget;
}

bool engine_due(struct engine *e, int64_t now_ms)
{
    bool more = engine_retry(e, now_ms);
    ASSERT(e->durable_seq <= e->state->seq);
    if (engine_decides(e))
        for (int i = 0; i < DUE_COUNT; i++)
            more = due_slice(e, (enum due)i, now_ms) || more;
    return engine_forget(e) || more;
}

void engine_write_refusals(struct engine *e, int64_t now_ms)
{
    if (engine_decides(e) && engine_has_room(e))
        refusals_slice(e, now_ms);
}
