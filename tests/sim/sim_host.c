/* SPDX-License-Identifier: Apache-2.0 */
/* sim_host.c — the simulator as the engine's host: the model follows every step of the engine before the next one,
 * whether a request or the server itself took it, even if the request has to be repeated after it. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "sim.h"

#define TRIES_MOST 1000

/* The server's own steps, unless sim_due says otherwise: sales of cancelled events are taken back. */
static const struct sim_step taking_back = {.undoing = true};

/* ---- What the engine asks for ---- */

static void take_sales(struct sim *s)
{
    for (uint32_t i = 0; i < s->state->sales.count; i++) {
        s->sales = memory_room(s->sales, s->sale_count, &s->sale_capacity, 16, sizeof(*s->sales));
        s->sales[s->sale_count++] = s->state->sales.list[i];
    }
}

static void appended(void *owner, uint32_t count, int64_t at_ms)
{
    struct sim *s = owner;
    if (at_ms != s->model.now)
        sim_fail(s, "A step has another instant than its call.");
    s->batch_count += count;
    take_sales(s);
    s->fresh_count = count;
    s->fresh_moved = s->state->moved_count;
    /* A request's step is followed when it is answered, or has to be repeated. */
    if (s->state->actor.role == ROLE_SERVER)
        sim_follow(s, s->own);
}

static void touched(void *owner)
{
    struct sim *s = owner;
    if (s->state->change_count)
        follower_expect(&s->node, s->state);
}

/* The engine calls this after each sale of a cancelled event that it has finished. */
static void more(void *owner)
{
    struct sim *s = owner;
    enum outcome_code code = s->engine.outcome.code;
    if (!s->selling_back || code == OUTCOME_RETRY)
        return;
    if (code == OUTCOME_UNAVAILABLE)
        s->tally->cancelled.unread++;
    else if (code != OUTCOME_OK)
        sim_fail(s, "A sale of a cancelled event cannot be taken back: %s.", outcome_name(code));
    else
        s->tally->cancelled.in_vain += s->state->change_count == 0;
}

static void read_now(struct sim *s, struct fetch *fetch, bool fails)
{
    struct fetched *records = memory_zeroed(OUTCOME_LACKS_MAX, sizeof(*records));
    fake_book_read(&s->book, s->model.now, fetch, records);
    for (uint32_t i = 0; i < fetch->count; i++)
        s->missing = s->missing || (fetch->keys[i].kind == FETCH_RESERVATION && !records[i].found);
    engine_fetched(&s->engine, s->model.now, fetch, fails ? NULL : records);
    free(records);
}

/* Reads for sales take their time, and other things happen in between. */
static void read_book(void *owner, struct fetch *fetch)
{
    struct sim *s = owner;
    s->tally->fetched++;
    if (!s->reads_wait) {
        read_now(s, fetch, false);
        return;
    }
    if (s->read_count == SIM_UNDOING)
        sim_fail(s, "Too many sales of cancelled events are under way.");
    s->reads[s->read_count++] = fetch;
}

static void begin_segment(void *owner)
{
    (void)owner;
}

static uint64_t book_seq(void *owner)
{
    return ((struct sim *)owner)->book.st->seq;
}

static void damaged(void *owner, const char *what, struct id id)
{
    sim_fail(owner, "The book's %s %llx does not fit memory.", what, (unsigned long long)id.low);
}

static bool prepare_due(const struct log *l)
{
    (void)l;
    return true; /* no erasure frees segments here: sim_disk.c does that in its own way */
}

static bool exceeds(struct log *l, uint64_t seq, uint64_t limit)
{
    (void)l;
    (void)seq;
    (void)limit;
    return false;
}

/* ---- A process begins and ends ---- */

void sim_drive(struct sim *s)
{
    static const struct log_ops ops = {.prepare_due = prepare_due, .exceeds = exceeds};
    const struct engine_host host = {.owner = s,
                                     .appended = appended,
                                     .touched = touched,
                                     .more = more,
                                     .read = read_book,
                                     .begin_segment = begin_segment,
                                     .book_seq = book_seq,
                                     .damaged = damaged};
    s->log.ops = &ops;
    engine_init(&s->engine, s->state, &s->log, &host);
    s->engine.changes = &s->batch;
    s->engine.durable_seq = s->durable_seq;
    s->engine.limits.cancel = SIM_UNDOING;
    s->state->sales.wanted = true;
    s->own = &taking_back;
    sim_due(s, DUE_DISPATCH, &(struct sim_step){.no_offers = true}); /* there are no fleets */
}

void sim_die(struct sim *s)
{
    while (s->read_count) /* frees its memory, and nothing else */
        engine_fetched(&s->engine, s->model.now, s->reads[--s->read_count], NULL);
    if (!engine_idle(&s->engine))
        sim_fail(s, "A request is kept that nothing waits for.");
}

/* ---- Requests ---- */

struct request {
    struct sim *s;
    struct sim_step *step;
    bool answered;
};

static void on_answer(void *ctx, const struct outcome *outcome)
{
    struct request *r = ctx;
    struct sim *s = r->s;
    struct outcome *out = r->step->out;
    r->answered = true;
    *out = *outcome;
    if (out->seq > s->state->seq || (s->fresh_count && out->seq != s->state->seq))
        sim_fail(s, "The answer waits for the wrong change.");
    if (out->code == OUTCOME_NO_SUCH_RESERVATION && s->missing)
        r->step->no_offers = true; /* core did not get that far */
    r->step->ask = r->step->asked;
    sim_follow(s, r->step);
}

void sim_submit(struct sim *s, const struct command *c, struct sim_step *step, enum log_room room)
{
    struct request r = {s, step, false};
    s->missing = false;
    atomic_store(&s->log.room, room);
    engine_submit(&s->engine, s->model.now, c, on_answer, &r);
    atomic_store(&s->log.room, LOG_ROOM_OK);
    for (int tries = 0; !r.answered; tries++) {
        if (tries == TRIES_MOST)
            sim_fail(s, "A command is never answered.");
        if (!s->engine.retries.first) {
            sim_read(s, false); /* it waits for the same record as a sale */
            continue;
        }
        sim_follow(s, step);
        s->tally->lines.again++;
        step->no_offers = step->no_offers && room == LOG_ROOM_OK;
        engine_retry(&s->engine, s->model.now);
    }
}

/* ---- What the server does unasked ---- */

bool sim_due(struct sim *s, enum due due, const struct sim_step *step)
{
    uint64_t steps = s->steps;
    s->own = step;
    state_set_now(s->state, s->model.now);
    bool left = due_slice(&s->engine, due, s->model.now);
    s->own = &taking_back;
    if (s->steps == steps)
        sim_follow(s, step);
    return left;
}

bool sim_sell_back(struct sim *s)
{
    s->selling_back = s->reads_wait = true;
    bool left = sim_due(s, DUE_CANCELLING, &taking_back);
    while (s->engine.retries.first)
        engine_retry(&s->engine, s->model.now);
    s->selling_back = s->reads_wait = false;
    return left;
}

void sim_read(struct sim *s, bool fails)
{
    if (!s->read_count)
        sim_fail(s, "A command waits, and nothing is being read.");
    uint32_t at = dice_roll(&s->dice, s->read_count);
    struct fetch *fetch = s->reads[at];
    s->reads[at] = s->reads[--s->read_count];
    s->selling_back = true;
    read_now(s, fetch, fails);
    s->selling_back = false;
}
