/* SPDX-License-Identifier: Apache-2.0 */
/* model_admit.c — whether core admits people correctly: core moves, the model judges each move.
 *
 * Two things are not exact. Presence is kept by the second, so a person who has just become absent can count as either.
 * And the contract says what the rate is, but not how a change of it affects the moments before: so the credit is known
 * by a lower and an upper bound, and each step that ends for lack of it narrows them.
 */
#include "model.h"

#define SECOND_MS 1000
#define ADMISSION 1000 /* its cost, in thousandths */
#define STREAMED_S 30  /* a stream makes present for at least this long */
#define STEP_MS 50     /* a ready room is stepped no more often than this */

/* ---- Who is there ---- */

static int64_t latest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Absence counts from then on, for everyone. */
static int64_t counted_from(const struct model *m, const struct model_event *e, bool restart)
{
    int64_t start = m->first_step ? m->first_step : m->now;
    return latest(latest(e->queue.opened_at, e->line.open_at_ms), restart ? start : 0);
}

static bool surely_present(const struct model *m, const struct model_event *e,
                           const struct model_entry *entry)
{
    int64_t heard = latest(entry->asked_at, entry->streamed_at);
    int64_t poll_s = entry->poll_s ? entry->poll_s : POLL_AFTER_MAX_S;
    if (entry->streamed_at > entry->asked_at)
        poll_s = STREAMED_S / 2;
    return m->now < latest(heard, counted_from(m, e, m->restarted)) + 2 * poll_s * SECOND_MS;
}

static bool surely_absent(const struct model *m, const struct model_event *e, const struct model_entry *entry)
{
    int64_t most = latest(counted_from(m, e, true), entry->streamed_at) + MODEL_GRACE_MS;
    return m->now > latest(most, entry->asked_at + 2LL * entry->poll_s * SECOND_MS) + SECOND_MS;
}

/* ---- How many may be ---- */

static int64_t active(const struct model_event *e)
{
    int64_t count = 0;
    for (int i = 0; i < e->queue.count; i++)
        count += e->queue.entries[i].status == QUEUE_ADMITTED;
    return count;
}

/* What is still available: everything not sold or off sale, held or not. Whether that includes held seats that will be
 * allotted again is not specified. */
static int64_t stock(struct model *m, int event, bool most)
{
    const struct model_event *e = &m->events[event];
    bool sold[ASK_SEATS] = {0}, held[ASK_SEATS] = {0};
    int64_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; r->used && k < r->item_count; k++)
            if (r->items[k].kind == ITEM_SEAT && r->items[k].event == event) {
                sold[r->items[k].unit] |= r->status == RESERVATION_CONFIRMED;
                held[r->items[k].unit] |= r->status == RESERVATION_HELD;
            }
    }
    for (int i = 0; i < ASK_SEATS; i++)
        units += e->seats[i].exists && ((most && held[i]) || (!model_off_sale(&e->seats[i]) && !sold[i]));
    for (int i = 0; i < ASK_POOLS; i++)
        if (e->pools[i].exists && !e->pools[i].allotment)
            units += e->pools[i].capacity - model_claimed(m, event, i, true);
    return units;
}

/* How many more could still get something, or be active, whichever is less; at the least, or at the most. */
static int64_t places_left(struct model *m, int event, bool most)
{
    const struct model_event *e = &m->events[event];
    int64_t places = e->line.max_active ? (int64_t)e->line.max_active - active(e) : INT32_MAX;
    int64_t left = e->line.by_inventory && places > 0 ? stock(m, event, most) - active(e) : places;
    return left < places ? left : places;
}

/* ---- Credit ---- */

/* The rate it can have had since the credit was last known: its opening, or the end of the sale, can be in between. */
static uint32_t rate_lately(const struct model *m, const struct model_event *e)
{
    bool came = e->line.has && e->queue.opened_at && !e->queue.paused && m->now >= e->line.open_at_ms &&
                e->line.open_at_ms > e->queue.credit_at;
    return came || model_running(m, e) ? e->line.rate : 0;
}

void model_rate_changed(struct model *m, struct model_event *e)
{
    uint32_t rate = model_running(m, e) ? e->line.rate : 0, lately = rate_lately(m, e);
    if (rate < e->queue.rate_least)
        e->queue.rate_least = rate;
    if (lately > e->queue.rate_most)
        e->queue.rate_most = lately;
    e->queue.least_from = m->now;
    if (e->queue.credit_least > ADMISSION)
        e->queue.credit_least = ADMISSION;
}

static int64_t gained(int64_t credit, uint32_t rate, int64_t passed_ms, int64_t most)
{
    credit += passed_ms * rate;
    return credit < most ? credit : most;
}

static void accrue(struct model *m, struct model_event *e)
{
    struct model_queue *queue = &e->queue;
    int64_t from = latest(queue->credit_at, queue->least_from),
            kept_most = queue->rested ? 0 : queue->rate_least * 100LL;
    bool opened_since = queue->opened_at > queue->credit_at || e->line.open_at_ms > queue->credit_at;
    /* The last moments of a sale are not specified either. */
    bool nothing = opened_since || queue->fresh || model_sale_over(m, e);
    uint32_t lately = rate_lately(m, e);
    if (lately > queue->rate_most)
        queue->rate_most = lately;
    queue->credit_least = gained(queue->credit_least, nothing ? 0 : queue->rate_least, m->now - from,
                                 latest(kept_most, ADMISSION));
    queue->credit_most = gained(queue->credit_most, queue->rate_most, m->now - queue->credit_at,
                                ADMISSION + queue->rate_most * 100LL);
    queue->credit_at = m->now;
    queue->rate_least = queue->rate_most = model_running(m, e) ? e->line.rate : 0;
}

void model_admit_begin(struct model *m)
{
    if (!m->first_step)
        m->first_step = m->now;
    for (int i = 0; i < ASK_EVENTS; i++)
        if (m->events[i].queue.made)
            accrue(m, &m->events[i]);
}

void model_restart(struct model *m)
{
    m->restarted = true;
    m->first_step = 0;
    for (int i = 0; i < ASK_EVENTS; i++) {
        struct model_event *e = &m->events[i];
        struct model_queue *queue = &e->queue;
        queue->credit_least = 0;
        queue->credit_most = ADMISSION;
        queue->credit_at = m->now;
        queue->rate_least = 0;
        queue->rate_most = model_running(m, e) ? e->line.rate : 0;
        queue->ready_at = 0;
        queue->fresh = true;
        for (int k = 0; k < queue->count; k++)
            queue->entries[k].asked_at = queue->entries[k].streamed_at = queue->entries[k].poll_s = 0;
    }
}

/* ---- Opening ---- */

const char *model_opened(struct model *m, int event, const struct queue_image *image)
{
    struct model_event *e = &m->events[event];
    if (!e->line.has || m->now < e->line.open_at_ms)
        return "a room opens before its time";
    if (image->opened_at_ms != m->now)
        return "a room opens at another instant";
    if (image->drawn != (e->line.shuffle ? e->queue.count : 0))
        return "a room draws entries that do not exist";
    e->queue.opened_at = m->now;
    e->queue.drawn = (uint8_t)image->drawn;
    e->queue.undrawn = image->drawn > 0;
    e->queue.credit_most = ADMISSION;
    model_rate_changed(m, e);
    return NULL;
}

const char *model_drawn(struct model *m, int event, const uint32_t *positions)
{
    struct model_queue *queue = &m->events[event].queue;
    bool taken[MODEL_QUEUE + 1] = {0};
    for (int i = 0; i < queue->drawn; i++) {
        if (positions[i] < 1 || positions[i] > queue->drawn || taken[positions[i]])
            return "the draw is no permutation";
        taken[positions[i]] = true;
        queue->entries[i].position = (uint8_t)positions[i];
    }
    queue->undrawn = false;
    return NULL;
}

/* ---- Moves ---- */

/* The entry to admit or pass over before a waiting one at this position, or a returned one; 0: none. */
static int before(const struct model *m, const struct model_event *e, int position, bool returned)
{
    for (int i = 1; i <= e->queue.count; i++) {
        const struct model_entry *other = &e->queue.entries[i - 1];
        bool smaller = model_position(e, i) < position;
        if (other->status == QUEUE_WAITING && smaller && !returned)
            return i;
        if (other->status == QUEUE_PASSED_OVER && other->returned && (smaller || !returned) &&
            surely_present(m, e, other))
            return i;
    }
    return 0;
}

static int64_t whole_seconds(int64_t ms)
{
    return (ms + SECOND_MS - 1) / SECOND_MS * SECOND_MS;
}

static const char *judge_turn(struct model *m, int event, const struct model_entry *entry, int position)
{
    const struct model_event *e = &m->events[event];
    if (!model_running(m, e))
        return "an entry is moved although nobody is admitted now";
    if (places_left(m, event, true) <= 0)
        return "an entry has its turn although there is no place";
    if (e->queue.credit_most < ADMISSION)
        return "an entry has its turn faster than the rate";
    if (before(m, e, position, entry->status == QUEUE_PASSED_OVER))
        return "an entry has its turn before one with a smaller number";
    return NULL;
}

static const char *judge_admitted(struct model *m, int event, struct model_entry *entry, int position,
                                  int64_t until)
{
    struct model_queue *queue = &m->events[event].queue;
    const char *wrong = judge_turn(m, event, entry, position);
    if (wrong)
        return wrong;
    if (entry->status == QUEUE_PASSED_OVER ? !entry->returned : entry->status != QUEUE_WAITING)
        return "one is admitted that was not in line";
    if (entry->status == QUEUE_WAITING && surely_absent(m, &m->events[event], entry))
        return "an absent one is admitted";
    if (until != whole_seconds(m->now + m->events[event].line.pass_ttl_s * (int64_t)SECOND_MS))
        return "a pass has another end";
    queue->credit_most -= ADMISSION;
    queue->credit_least = queue->credit_least > ADMISSION ? queue->credit_least - ADMISSION : 0;
    if (position > queue->serving)
        queue->serving = (uint8_t)position;
    queue->ready_at = 0;
    queue->rested = false;
    entry->admitted_at = m->now;
    entry->until = until;
    return NULL;
}

static const char *judge_passed_over(struct model *m, int event, struct model_entry *entry, int position,
                                     int64_t until)
{
    const char *wrong = judge_turn(m, event, entry, position);
    if (wrong)
        return wrong;
    if (!model_in_line(entry))
        return "an entry is passed over that does not wait";
    if (surely_present(m, &m->events[event], entry))
        return "a present entry is passed over";
    if (until < m->now + RETURN_MAX_S * SECOND_MS || until > whole_seconds(m->now + RETURN_MAX_S * SECOND_MS))
        return "an entry passed over has the wrong time to come back";
    entry->returned = entry->coming = entry->told_back = false;
    entry->until = until;
    m->events[event].queue.ready_at = 0;
    m->events[event].queue.rested = false;
    return NULL;
}

/* It was passed over, and is in line again. */
static const char *judge_back(struct model_entry *entry, int64_t until, bool admitting)
{
    if (!entry->returned && !(entry->coming && admitting))
        return "one is back that is not";
    if (until || entry->told_back)
        return "one is back otherwise than it should";
    entry->returned = entry->told_back = true;
    entry->coming = false;
    entry->until = 0;
    return NULL;
}

const char *model_moved(struct model *m, int event, const struct queue_move *move, bool admitting)
{
    struct model_event *e = &m->events[event];
    if (move->number > e->queue.count)
        return "an entry is moved that never joined";
    struct model_entry *entry = &e->queue.entries[move->number - 1];
    const char *wrong = NULL;
    bool due = m->now >= entry->until, told = entry->status == (uint8_t)move->status;
    if (move->status == QUEUE_PASSED_OVER && entry->status == QUEUE_PASSED_OVER && !move->until_ms)
        wrong = judge_back(entry, move->until_ms, admitting);
    else if (!admitting && (move->status == QUEUE_ADMITTED || move->status == QUEUE_PASSED_OVER))
        wrong = "a request admits an entry";
    else if (move->status == QUEUE_ADMITTED)
        wrong = judge_admitted(m, event, entry, model_position(e, (int)move->number), move->until_ms);
    else if (move->status == QUEUE_PASSED_OVER)
        wrong = judge_passed_over(m, event, entry, model_position(e, (int)move->number), move->until_ms);
    else if (move->status == QUEUE_FINISHED && !told && !(entry->status == QUEUE_ADMITTED && due))
        wrong = "one has finished that has not";
    else if (move->status == QUEUE_LEFT && !told &&
             !(entry->status == QUEUE_PASSED_OVER && due &&
               !(entry->returned && surely_present(m, e, entry))))
        wrong = "one has left that has not";
    if (move->status == QUEUE_FINISHED && !told)
        entry->lapsed = true;
    entry->status = entry->told = (uint8_t)move->status;
    return wrong;
}

/* ---- The end of a step ---- */

/* The instant at which the queue opens, or something in it ends. */
static int64_t ends_at(const struct model *m, const struct model_event *e)
{
    int64_t at = e->queue.opened_at ? INT64_MAX : e->line.open_at_ms;
    for (int i = 0; i < e->queue.count; i++) {
        const struct model_entry *entry = &e->queue.entries[i];
        bool ends = entry->status == QUEUE_ADMITTED || model_gone(m, entry);
        if (ends && entry->until < at)
            at = entry->until;
    }
    return at;
}

/* An entry could be admitted, or passed over, if there is credit. */
static bool waited_for(struct model *m, int event)
{
    const struct model_event *e = &m->events[event];
    for (int i = 0; model_running(m, e) && i < e->queue.count; i++) {
        const struct model_entry *entry = &e->queue.entries[i];
        if (entry->status == QUEUE_WAITING ||
            (entry->status == QUEUE_PASSED_OVER && entry->returned && surely_present(m, e, entry)))
            return places_left(m, event, false) > 0;
    }
    return false;
}

static const char *judge_rest(struct model *m, int event, int64_t next_ms)
{
    struct model_event *e = &m->events[event];
    struct model_queue *queue = &e->queue;
    int64_t at = ends_at(m, e);
    if (at <= m->now || next_ms > at)
        return "a room is not opened, or something in it not ended, in time";
    if (!waited_for(m, event)) {
        queue->rested = true;
        queue->ready_at = 0;
        if (queue->credit_least > ADMISSION)
            queue->credit_least = ADMISSION; /* no credit is saved up for a burst */
        return NULL;
    }
    queue->fresh = false;
    int64_t lacks = ADMISSION - queue->credit_least;
    if (lacks > 0) {
        queue->ready_at = 0;
        if (queue->credit_most >= ADMISSION)
            return NULL;
        at = m->now + (lacks + e->line.rate - 1) / e->line.rate + STEP_MS;
        return next_ms > at ? "the next step would be too late" : NULL;
    }
    if (!queue->ready_at)
        queue->ready_at = m->now;
    if (m->now - queue->ready_at >= STEP_MS || next_ms > m->now + STEP_MS)
        return "nobody is admitted although an entry could be";
    return NULL;
}

const char *model_admit_end(struct model *m, bool done, int64_t next_ms)
{
    const char *wrong = NULL;
    for (int i = 0; done && !wrong && i < ASK_EVENTS; i++)
        if (m->events[i].exists && m->events[i].line.has)
            wrong = judge_rest(m, i, next_ms);
    return wrong;
}
