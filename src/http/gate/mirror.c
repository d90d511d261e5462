/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/mirror.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/memory/memory.h"
#include "base/resp/resp_writer.h"
#include "http/gate/gate_scripts.h"
#include "http/gate/mirror_batch.h"
#include "http/gate/mirror_users.h"
#include "http/server.h"

#define QUEUE_MAX 65536u
#define FLIGHT_MAX 2u
#define TICK_MS 100u
#define REFILL_TICK_MS 4u /* a batch for each address: 64,000 keys a second */
#define PASS_MS 240000u   /* from the beginning of one pass to the next */
#define PASS_TICKS (PASS_MS / TICK_MS)
#define MARKER_EVERY_MS 1000u
#define PATIENCE_MS 1000u    /* for a batch */
#define AGAIN_MS 1000u       /* a refill after a failure */
#define TURN_NS 500000u      /* the part of a turn */
#define COUNTED_EVENTS 1000u /* in a tick */
#define SAMPLE_MS 10000u
#define SAMPLES 80u /* more than ERASED_MS of them */
#define ERASED_MS (GATE_GRANT_MS + 60000u)
#define MARKER_SIZE 64

/* A seat that a step has touched. */
struct touched {
    uint64_t event, seq;
    uint32_t position;
};

enum pass { PASS_DONE, PASS_COUNTS, PASS_WALKS };

/* One address. */
struct mirror_side {
    struct mirror *mirror;
    unsigned index;
    struct redis_link *link;
    uint64_t connections; /* of the link, as far as they were noticed */

    struct touched *queue; /* a ring */
    uint64_t queue_first, queue_end;
    uint32_t queue_capacity;
    struct mirror_batch batches[FLIGHT_MAX];

    enum pass pass;
    bool refill; /* the pass is fast */
    uint64_t pass_ms, total;
    uint64_t refill_done, refill_total; /* of the last refill; of one that is due, nothing is done */
    uint64_t counted;                   /* PASS_COUNTS: up to this event */
    struct claim_walk walk;             /* PASS_WALKS */
    uint64_t event;                     /* that the walk is in, if it is one of this address */
    uint32_t allowance;                 /* keys that the pass may send now */
    struct mirror_users users;

    bool lacking; /* Redis may lack something: a refill is due, but not before */
    uint64_t lacking_ms;
    uint64_t marker_ms; /* when it was last checked */
    bool marker_asked;
};

struct mirror {
    struct server *server;
    const struct redis_addresses *addresses;
    struct mirror_side sides[REDIS_ADDRESSES_MAX];
    uv_timer_t timer;
    bool decides; /* this process, and the mirror is open */
    char marker[MARKER_SIZE];
    uint64_t turn, turn_until_ns;
    struct buf command;
    /* What the book had when, newest last: for erasures. */
    struct {
        uint64_t at_ms, seq;
    } samples[SAMPLES];
    uint64_t sample_count;
};

/* The part of this turn is used up. */
static bool turn_spent(struct mirror *m)
{
    uint64_t now_ns = clock_monotonic_ns();
    if (m->turn != m->server->turn) {
        m->turn = m->server->turn;
        m->turn_until_ns = now_ns + TURN_NS;
    }
    return now_ns >= m->turn_until_ns;
}

static void lacks(struct mirror_side *d, uint64_t after_ms)
{
    uint64_t at_ms = d->mirror->server->now_ms + after_ms;
    if (!d->lacking || at_ms > d->lacking_ms)
        d->lacking_ms = at_ms;
    d->lacking = true;
    d->refill_done = 0;
}

static void drop_queue(struct mirror_side *d)
{
    ASSERT(d->queue_first <= d->queue_end && d->queue_end - d->queue_first <= QUEUE_MAX);
    d->queue_first = d->queue_end;
}

/* ---- Batches ---- */

static void pump(void *ctx);

static void on_batch(void *ctx, const struct resp_value *reply)
{
    struct mirror_batch *b = ctx;
    struct mirror_side *d = b->side;
    ASSERT(b->busy);
    b->busy = false;
    if (!reply || reply->kind != RESP_ARRAY)
        lacks(d, AGAIN_MS);
    else if (reply->count)
        mirror_users_miss(&d->users, b, reply);
    pump(d);
}

static struct mirror_batch *free_batch(struct mirror_side *d)
{
    for (unsigned i = 0; i < FLIGHT_MAX; i++)
        if (!d->batches[i].busy)
            return &d->batches[i];
    return NULL;
}

static void batch_send(struct mirror_side *d, struct mirror_batch *b)
{
    ASSERT(b->count > 0 && !b->busy && d->mirror->decides);
    struct buf *out = &d->mirror->command;
    mirror_batch_write(b, redis_link_script(d->link, GATE_MIRROR), out);
    b->busy = redis_link_send(d->link, out, PATIENCE_MS, on_batch, b);
    if (!b->busy)
        lacks(d, AGAIN_MS);
}

/* ---- What is in them ---- */

/* The claim as it is now. One that is not durable yet has a later place in the queue. */
static void put_claim(struct mirror_side *d, struct mirror_batch *b, const struct claim_view *c)
{
    if (c->version == 0 || c->version > store_durable_seq(d->mirror->server->store))
        return;
    mirror_batch_put(b, !c->live ? 'e' : c->user.at ? 's' : 'k', c, c->user);
}

static void fill_touched(struct mirror_side *d, struct mirror_batch *b)
{
    struct server *s = d->mirror->server;
    uint64_t durable = store_durable_seq(s->store);
    while (b->count < MIRROR_BATCH_MAX && d->queue_first < d->queue_end) {
        const struct touched *t = &d->queue[d->queue_first & (d->queue_capacity - 1)];
        struct claim_view c;
        if (t->seq > durable)
            return;
        if (view_claim_find(s->view, t->event, t->position, &c))
            put_claim(d, b, &c);
        d->queue_first++;
    }
}

static void pass_end(struct mirror_side *d)
{
    if (d->refill && !d->lacking)
        d->refill_total = d->refill_done; /* claims came and went meanwhile */
    d->refill = false;
    d->pass = PASS_DONE;
}

static void fill_pass(struct mirror_side *d, struct mirror_batch *b)
{
    struct mirror *m = d->mirror;
    ASSERT(!b->count && d->pass == PASS_WALKS);
    uint32_t most = d->allowance < MIRROR_BATCH_MAX ? d->allowance : MIRROR_BATCH_MAX;
    for (uint32_t steps = 0; b->count < most; steps++) {
        struct claim_view c;
        if (steps % 64 == 63 && turn_spent(m))
            break;
        bool found = view_claim_next(m->server->view, &d->walk, &c);
        if (d->walk.done) {
            pass_end(d);
            break;
        }
        if (!found)
            continue;
        if (c.event_number != d->event &&
            redis_addresses_pick(m->addresses, c.event_id.at, c.event_id.size) != d->index) {
            d->walk.position = 0; /* the next event */
            continue;
        }
        d->event = c.event_number;
        put_claim(d, b, &c);
        d->refill_done += d->refill && !d->lacking;
    }
    d->allowance -= b->count;
}

/* One that was freed, or has none: what is urgent comes first. */
static bool fill(struct mirror_side *d, struct mirror_batch *b)
{
    struct mirror *m = d->mirror;
    mirror_batch_clear(b);
    fill_touched(d, b);
    if (!b->count)
        mirror_users_fill(&d->users, m->server->view, b);
    if (!b->count && d->pass == PASS_WALKS && !mirror_users_busy(&d->users))
        fill_pass(d, b);
    return b->count;
}

/* Sends what there is for one address, as far as the turn allows. */
static void pump(void *ctx)
{
    struct mirror_side *d = ctx;
    struct mirror *m = d->mirror;
    struct mirror_batch *b;
    if (!m->decides || !store_decides(m->server->store) || !redis_link_up(d->link))
        return;
    while (!turn_spent(m) && (b = free_batch(d)) != NULL && fill(d, b))
        batch_send(d, b);
    mirror_users_look_up(&d->users, m->server->store);
}

void mirror_durable(struct mirror *m)
{
    for (unsigned i = 0; i < m->addresses->count; i++)
        if (m->sides[i].queue_first < m->sides[i].queue_end)
            pump(&m->sides[i]);
}

static void on_seat(void *ctx, uint64_t event, uint32_t position, uint64_t seq)
{
    struct mirror *m = ctx;
    struct claim_view c;
    if (!m->decides || !store_decides(m->server->store) ||
        !view_claim_find(m->server->view, event, position, &c))
        return;
    struct mirror_side *d = &m->sides[redis_addresses_pick(m->addresses, c.event_id.at, c.event_id.size)];
    if (!redis_link_up(d->link) || d->queue_end - d->queue_first == QUEUE_MAX) {
        drop_queue(d);
        lacks(d, 0);
        return;
    }
    d->queue =
        memory_room_ring(d->queue, d->queue_end - d->queue_first, &d->queue_capacity, 1024, sizeof *d->queue);
    d->queue[d->queue_end++ & (d->queue_capacity - 1)] = (struct touched){event, seq, position};
}

/* ---- The marker ---- */

static void on_marker(void *ctx, const struct resp_value *reply)
{
    struct mirror_side *d = ctx;
    d->marker_asked = false;
    if (reply && !resp_is(reply, RESP_BULK, d->mirror->marker))
        lacks(d, 0);
}

static void on_marked(void *ctx, const struct resp_value *reply)
{
    (void)ctx;
    (void)reply; /* else the next look finds out */
}

static void check_marker(struct mirror_side *d)
{
    struct mirror *m = d->mirror;
    struct buf *out = &m->command;
    if (d->marker_asked || d->lacking || m->server->now_ms - d->marker_ms < MARKER_EVERY_MS)
        return;
    d->marker_ms = m->server->now_ms;
    buf_clear(out);
    resp_command(out, 4);
    resp_text(out, "GETEX");
    resp_text(out, GATE_MARKER);
    resp_text(out, "PX");
    resp_number(out, GATE_GRANT_MS);
    d->marker_asked = redis_link_send(d->link, out, PATIENCE_MS, on_marker, d);
}

static void write_marker(struct mirror_side *d)
{
    struct mirror *m = d->mirror;
    struct buf *out = &m->command;
    buf_clear(out);
    resp_command(out, 5);
    resp_text(out, "SET");
    resp_text(out, GATE_MARKER);
    resp_text(out, m->marker);
    resp_text(out, "PX");
    resp_number(out, GATE_GRANT_MS);
    redis_link_send(d->link, out, PATIENCE_MS, on_marked, d);
}

/* ---- Passes ---- */

static void pass_begin(struct mirror_side *d, bool refill)
{
    ASSERT(d->mirror->decides && redis_link_up(d->link));
    d->pass = PASS_COUNTS;
    d->refill = refill;
    d->pass_ms = d->mirror->server->now_ms;
    d->total = d->counted = d->event = 0;
    d->walk = (struct claim_walk){0};
    d->allowance = 0;
    if (!refill)
        return;
    d->lacking = false;
    d->refill_done = 0;
    write_marker(d);
}

static void count_event(void *ctx, struct text event, uint64_t claims)
{
    struct mirror_side *d = ctx;
    if (claims && redis_addresses_pick(d->mirror->addresses, event.at, event.size) == d->index)
        d->total += claims;
}

/* The link may have come or gone, and a pass may be due. */
static void check_pass(struct mirror_side *d)
{
    uint64_t now_ms = d->mirror->server->now_ms;
    if (d->connections != d->link->connections) {
        d->connections = d->link->connections;
        lacks(d, 0);
    }
    check_marker(d);
    if (d->lacking && now_ms >= d->lacking_ms)
        pass_begin(d, true);
    else if (d->pass == PASS_DONE && now_ms - d->pass_ms >= PASS_MS)
        pass_begin(d, false);
    if (d->pass != PASS_COUNTS)
        return;
    view_claims_count(d->mirror->server->view, &d->counted, COUNTED_EVENTS, count_event, d);
    if (d->counted)
        return;
    d->pass = PASS_WALKS;
    if (d->refill)
        d->refill_total = d->total;
}

static void tick_side(struct mirror_side *d)
{
    if (!redis_link_up(d->link)) {
        if (d->queue_first < d->queue_end)
            lacks(d, 0);
        drop_queue(d);
        return;
    }
    check_pass(d);
    uint64_t more = d->refill ? MIRROR_BATCH_MAX : d->total / PASS_TICKS + 1;
    d->allowance = d->allowance + more < FLIGHT_MAX * MIRROR_BATCH_MAX ? d->allowance + (uint32_t)more
                                                                       : FLIGHT_MAX * MIRROR_BATCH_MAX;
    pump(d);
}

/* This process begins to decide, or does no longer. */
static void check_role(struct mirror *m)
{
    struct store_stats stats;
    bool decides = store_decides(m->server->store);
    if (m->decides == decides)
        return;
    m->decides = decides;
    store_stats(m->server->store, &stats);
    snprintf(m->marker, sizeof m->marker, "%" PRIu64 ":%016" PRIx64, stats.epoch, random_u64());
    for (unsigned i = 0; i < m->addresses->count; i++) {
        struct mirror_side *d = &m->sides[i];
        drop_queue(d);
        mirror_users_forget(&d->users);
        d->pass = PASS_DONE;
        d->refill = d->lacking = false;
        if (decides)
            lacks(d, 0);
    }
}

static void on_tick(uv_timer_t *timer)
{
    struct mirror *m = timer->data;
    bool refills = false;
    server_now_ms(m->server);
    check_role(m);
    for (unsigned i = 0; i < m->addresses->count && m->decides; i++) {
        tick_side(&m->sides[i]);
        refills = refills || (m->sides[i].refill && redis_link_up(m->sides[i].link));
    }
    uint64_t every_ms = refills ? REFILL_TICK_MS : TICK_MS;
    uv_timer_start(timer, on_tick, every_ms, 0);
}

/* ---- Erasures ---- */

void mirror_sweep(struct mirror *m)
{
    uint64_t now_ms = m->server->now_ms;
    struct store_stats stats;
    if (m->sample_count && now_ms - m->samples[(m->sample_count - 1) % SAMPLES].at_ms < SAMPLE_MS)
        return;
    store_stats(m->server->store, &stats);
    m->samples[m->sample_count % SAMPLES].at_ms = now_ms;
    m->samples[m->sample_count++ % SAMPLES].seq = stats.book_seq;
}

uint64_t mirror_erased_seq(const struct mirror *m)
{
    uint64_t seq = 0, first = m->sample_count > SAMPLES ? m->sample_count - SAMPLES : 0;
    for (uint64_t i = first; i < m->sample_count; i++)
        if (m->server->now_ms - m->samples[i % SAMPLES].at_ms >= ERASED_MS)
            seq = m->samples[i % SAMPLES].seq + 1;
    return seq;
}

/* ---- Life ---- */

void mirror_read_gauges(const struct mirror *m, struct gate_gauges *out)
{
    for (unsigned i = 0; i < m->addresses->count; i++) {
        const struct mirror_side *d = &m->sides[i];
        out->mirror_queue += d->queue_end - d->queue_first;
        out->refill_done += d->refill_done;
        out->refill_total += d->refill_total;
    }
}

struct mirror *mirror_open(struct server *server, const struct redis_addresses *addresses,
                           struct redis_link *const *links)
{
    struct mirror *m = memory_zeroed(1, sizeof *m);
    m->server = server;
    m->addresses = addresses;
    buf_init(&m->command, MIRROR_COMMAND_SIZE_MAX);
    for (unsigned i = 0; i < addresses->count; i++) {
        struct mirror_side *d = &m->sides[i];
        *d = (struct mirror_side){.mirror = m, .index = i, .link = links[i]};
        mirror_users_init(&d->users, pump, d);
        for (unsigned n = 0; n < FLIGHT_MAX; n++)
            mirror_batch_init(&d->batches[n], d);
    }
    view_on_seats(server->view, on_seat, m);
    uv_timer_init(server->loop, &m->timer);
    m->timer.data = m;
    uv_timer_start(&m->timer, on_tick, TICK_MS, 0);
    return m;
}

void mirror_close(struct mirror *m, uv_close_cb closed)
{
    m->decides = false;
    view_on_seats(m->server->view, NULL, NULL);
    m->timer.data = m->server; /* for `closed` */
    uv_close((uv_handle_t *)&m->timer, closed);
}

void mirror_free(struct mirror *m)
{
    for (unsigned i = 0; i < m->addresses->count; i++) {
        struct mirror_side *d = &m->sides[i];
        for (unsigned n = 0; n < FLIGHT_MAX; n++)
            mirror_batch_release(&d->batches[n]);
        mirror_users_release(&d->users);
        free(d->queue);
    }
    buf_release(&m->command);
    free(m);
}
