/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_sender.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "base/crypto/token.h"
#include "http/access/order_token.h"
#include "http/hook/hook_client.h"
#include "http/hook/hook_pace.h"
#include "http/hook/hook_signature.h"
#include "http/hook/hook_targets.h"
#include "http/record/encode.h"
#include "http/wire/link.h"

#define STARTS_MAX 8u /* messages that begin in one turn of the loop: their cost is only known afterwards */
#define PER_HOOK_MAX 16u /* in flight to one hook, while there are few hooks */
#define PER_HOOK_MIN 4u
#define SLICE 4u    /* messages of one hook that begin together */
#define TICK_MS 50u /* how late a retry may be */
#define REST_MS 1u
#define LOG_EVERY_MS                                                                                         \
    10000u /* failures are logged at most this often: thousands may wait for a dead receiver */
#define BODY_SIZE_MAX ((size_t)16 << 20)
_Static_assert(PER_HOOK_MIN *HOOKS_MAX <= HOOK_IN_FLIGHT_MAX, "hooks that hang leave room for the others");

struct hook_sender {
    uv_loop_t *loop;
    struct store *store;
    struct view *view;
    const struct credentials *credentials;
    struct hook_client *client;
    uv_timer_t tick;
    uv_timer_t rest;   /* runs while messages are due but the loop has no time for them */
    uv_idle_t more;    /* runs in the turn after one in which messages began */
    uint32_t starts;   /* messages that began in this turn */
    uv_prepare_t turn; /* runs at the end of a turn in which messages ended */
    uint32_t ended;    /* messages that ended and are not reported yet */
    bool stopping;
    struct link in_flight; /* every struct sending */
    struct hook_pace pace;
    uint64_t sender_ns; /* the time that the sender has cost the loop, outside of the client's callbacks */
    uint32_t next;      /* the hook whose turn it is, so that a fast receiver does not starve the others */
    uint64_t log_after; /* failures before this are not logged, by the loop's clock */
    uint64_t hooks_seq; /* the seq of the hooks in `targets` */
    struct hook_targets targets;
    struct hook_take {
        struct hook_sender *sender;
        struct command command;
    } take;
};

/* One message in flight. */
struct sending {
    struct hook_sender *sender;
    struct link link;
    uint64_t hook; /* number */
    struct hook_message message;
    struct command command;    /* LOOK */
    struct hook_report report; /* once it has ended */
    bool ended;
    struct buf body;
    uint64_t seq; /* the last change the body shows: sent once that is durable */
    bool rendered, posted;
};

static const struct actor by_app = {.role = ROLE_APP, .name = TEXT("hooks")};

/* ---- The end ---- */

static void sending_free(struct sending *m)
{
    link_remove(&m->link);
    buf_release(&m->body);
    free(m);
}

static void on_turn_end(uv_prepare_t *handle);
static void on_more(uv_idle_t *handle);

/* Submitted at the end of the turn, together with others: a receiver that answers many at once costs one change. */
static void report(struct sending *m, enum hook_result result, enum hook_attempt how)
{
    struct hook_sender *s = m->sender;
    m->report = (struct hook_report){
        .seq = m->message.seq, .ordinal = m->message.ordinal, .result = result, .random = random_u64()};
    ASSERT(!m->ended);
    m->ended = true;
    hook_targets_ended(&s->targets, m->hook, how, store_now(s->store), m->report.random);
    if (s->ended++ == 0)
        uv_prepare_start(&s->turn, on_turn_end);
}

static void reported(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    (void)outcome; /* the hook may be gone: then there is nothing to report */
}

/* Reports the ended messages of one hook in one command, and so in one change. Puts them into `done`; returns how
 * many. */
static uint32_t report_one_hook(struct hook_sender *s, struct sending *done[PER_HOOK_MAX])
{
    struct hook_report reports[PER_HOOK_MAX];
    struct command c = {.kind = COMMAND_HOOK_REPORT, .actor = {.role = ROLE_SERVER}};
    uint32_t count = 0;
    for (struct link *at = s->in_flight.next; at != &s->in_flight && count < PER_HOOK_MAX; at = at->next) {
        struct sending *m = LINK_OWNER(at, struct sending, link);
        if (!m->ended || (count && m->hook != done[0]->hook))
            continue;
        done[count] = m;
        reports[count++] = m->report;
    }
    ASSERT(count && count <= s->ended);
    c.hook_report.hook = done[0]->hook;
    c.hook_report.reports = reports;
    c.hook_report.count = count;
    store_submit(s->store, &c, reported, NULL); /* answered at once: it needs only memory */
    return count;
}

static void report_all(struct hook_sender *s)
{
    struct sending *done[PER_HOOK_MAX];
    while (s->ended) {
        uint32_t count = report_one_hook(s, done);
        for (uint32_t i = 0; i < count; i++)
            sending_free(done[i]);
        s->ended -= count;
    }
    uv_prepare_stop(&s->turn);
}

/* Started after the store's own prepare handle, and so called before it: the reports are in this turn's batch. */
static void on_turn_end(uv_prepare_t *handle)
{
    struct hook_sender *s = handle->data;
    uint64_t began_ns = uv_hrtime();
    report_all(s);
    s->sender_ns += uv_hrtime() - began_ns;
    hook_sender_wake(s);
}

/* NULL: the hook was removed. */
static const struct hook_image *hook_of(const struct sending *m)
{
    struct hook_view hook;
    return view_hook_numbered(m->sender->view, m->hook, &hook) ? hook.image : NULL;
}

/* The log is the only place that shows why messages wait. */
static void log_failure(const struct sending *m, int status, const char *why)
{
    struct hook_sender *s = m->sender;
    const struct hook_image *hook = hook_of(m);
    if (!hook || uv_now(s->loop) < s->log_after)
        return;
    char id[ID_SIZE_MAX + 1];
    snprintf(id, sizeof id, "%.*s", (int)hook->name.size, hook->name.at);
    s->log_after = uv_now(s->loop) + LOG_EVERY_MS;
    log_warn("a hook did not accept a message", {"hook", LOG_STR(id)}, {"status", LOG_INT(status)},
             {"why", LOG_STR(why)});
}

static void posted(void *ctx, int status, bool connected, const char *why)
{
    struct sending *m = ctx;
    if (status >= 200 && status < 300) {
        report(m, HOOK_RESULT_DELIVERED, HOOK_ATTEMPT_DELIVERED);
        return;
    }
    log_failure(m, status, why);
    report(m, HOOK_RESULT_FAILED, connected ? HOOK_ATTEMPT_FAILED : HOOK_ATTEMPT_UNREACHABLE);
}

/* ---- Sending ---- */

static void post(struct sending *m)
{
    const struct hook_image *hook = hook_of(m);
    char id[HOOK_MESSAGE_ID_SIZE], signature[HOOK_SIGNATURE_SIZE_MAX];
    char id_header[HOOK_MESSAGE_ID_SIZE + 16], time_header[48],
        signature_header[HOOK_SIGNATURE_SIZE_MAX + 24];
    if (!hook) {
        report(m, HOOK_RESULT_GONE, HOOK_ATTEMPT_NONE);
        return;
    }
    int64_t now_ms = store_now(m->sender->store);
    hook_message_id_write(&m->message, id);
    hook_signature_write(hook, now_ms, id, now_ms / 1000, &m->body, signature);
    snprintf(id_header, sizeof id_header, "webhook-id: %s", id);
    snprintf(time_header, sizeof time_header, "webhook-timestamp: %" PRId64, now_ms / 1000);
    snprintf(signature_header, sizeof signature_header, "webhook-signature: %s", signature);
    const char *headers[] = {"Content-Type: application/json", id_header, time_header, signature_header,
                             "Expect:"};
    char *url = memory_copy(hook->url.at, hook->url.size);
    m->posted = true;
    hook_client_post(m->sender->client, url, headers, sizeof headers / sizeof headers[0], &m->body, posted,
                     m);
    free(url);
}

/* The reservation as an app sees it; for a sale with its manage token. */
static void render_reservation(struct json_writer *w, const struct sending *m, const struct outcome *outcome)
{
    char token[ORDER_TOKEN_SIZE_MAX];
    size_t size = 0;
    int64_t now_ms = store_now(m->sender->store);
    const struct reservation_image *r = &outcome->reservation;
    ASSERT(outcome->has_reservation);
    if (m->message.event == HOOK_CONFIRMED && r->status == RESERVATION_CONFIRMED)
        size = order_token_write(m->sender->credentials, outcome, now_ms, token);
    if (size)
        encode_managed_reservation(w, ROLE_APP, r, now_ms, (struct text){token, size});
    else
        encode_reservation(w, ROLE_APP, r, now_ms);
}

/* {type, timestamp, data} */
static void render(struct sending *m, const struct outcome *outcome)
{
    struct json_writer w = json_writer_make(&m->body);
    json_object_begin(&w);
    json_key(&w, "type");
    json_string(&w, hook_event_name(m->message.event));
    json_key(&w, "timestamp");
    json_time(&w, m->message.at_ms);
    json_key(&w, "data");
    if (m->command.kind == COMMAND_REFUND_LOOK)
        encode_refund(&w, &outcome->refund);
    else if (m->command.kind == COMMAND_PAYMENT_LOOK)
        encode_payment(&w, &outcome->payment);
    else if (hook_event_of(m->message.event) == MADE_RIDE)
        encode_ride(&w, &outcome->ride, false);
    else
        render_reservation(&w, m, outcome);
    json_object_end(&w);
}

static void looked(void *ctx, const struct outcome *outcome)
{
    struct sending *m = ctx;
    if (m->sender->stopping)
        return; /* hook_sender_free frees it */
    if (outcome->code != OUTCOME_OK) {
        bool gone = outcome->code == OUTCOME_NO_SUCH_RESERVATION || outcome->code == OUTCOME_NO_SUCH_REFUND ||
                    outcome->code == OUTCOME_NO_SUCH_PAYMENT || outcome->code == OUTCOME_NO_SUCH_RIDE;
        report(m, gone ? HOOK_RESULT_GONE : HOOK_RESULT_FAILED, HOOK_ATTEMPT_NONE);
        return;
    }
    render(m, outcome);
    m->rendered = true;
    m->seq = outcome->seq;
    if (m->seq <= store_durable_seq(m->sender->store))
        post(m);
}

static void look(struct hook_sender *s, uint64_t hook, const struct hook_message *message)
{
    struct sending *m = memory_zeroed(1, sizeof *m);
    *m = (struct sending){.sender = s, .hook = hook, .message = *message};
    buf_init(&m->body, BODY_SIZE_MAX);
    link_init(&m->link);
    link_append(&s->in_flight, &m->link);
    if (message->event == HOOK_REFUND_DUE || message->event == HOOK_REFUND_WITHDRAWN) {
        m->command = (struct command){.kind = COMMAND_REFUND_LOOK, .actor = by_app};
        m->command.refund_done.number = message->subject;
    } else if (message->event == HOOK_PAYMENT_DISCREPANCY) {
        m->command = (struct command){.kind = COMMAND_PAYMENT_LOOK, .actor = by_app};
        m->command.payment_look = message->subject;
    } else if (hook_event_of(message->event) == MADE_RIDE) {
        m->command = (struct command){.kind = COMMAND_RIDE_LOOK, .actor = by_app};
        m->command.ride.id = message->reservation; /* of any fleet */
    } else {
        m->command =
            (struct command){.kind = COMMAND_LOOK, .actor = by_app, .reservation = message->reservation};
    }
    store_submit(s->store, &m->command, looked, m);
}

/* Counts messages that begin now; the next turn decides whether more may begin. */
static void hook_sender_begin(struct hook_sender *s, uint32_t count)
{
    s->starts += count;
    uv_idle_start(&s->more, on_more);
}

static void taken(void *ctx, const struct outcome *outcome)
{
    struct hook_sender *s = ctx;
    uint32_t count = outcome->message_count;
    /* Copied: the next command invalidates the outcome. */
    struct hook_message *messages = memory_zeroed(count, sizeof *messages);
    hook_targets_begun(&s->targets, s->take.command.hook_take.hook, count);
    if (count) {
        memcpy(messages, outcome->messages, count * sizeof *messages);
        hook_sender_begin(s, count);
    }
    for (uint32_t i = 0; i < count; i++)
        look(s, s->take.command.hook_take.hook, &messages[i]);
    free(messages);
}

static void sender_take(struct hook_sender *s, uint64_t hook, uint32_t most)
{
    s->take.command = (struct command){.kind = COMMAND_HOOK_TAKE, .actor = {.role = ROLE_SERVER}};
    s->take.command.hook_take.hook = hook;
    s->take.command.hook_take.most = most;
    s->take.command.hook_take.durable_seq = store_durable_seq(s->store);
    store_submit(s->store, &s->take.command, taken, s); /* answered at once: it needs only memory */
}

/* Sends messages whose body was ahead of the disk. */
static void post_durable(struct hook_sender *s)
{
    for (struct link *at = s->in_flight.next, *next; at != &s->in_flight; at = next) {
        struct sending *m = LINK_OWNER(at, struct sending, link);
        next = at->next;
        /* A message to a removed hook has ended without being posted. */
        if (!m->rendered || m->posted || m->ended || m->seq > store_durable_seq(s->store))
            continue;
        if (s->starts >= STARTS_MAX)
            return;
        hook_sender_begin(s, 1);
        post(m);
    }
}

static void on_tick(uv_timer_t *timer)
{
    hook_sender_wake(timer->data);
}

static void on_more(uv_idle_t *handle)
{
    struct hook_sender *s = handle->data;
    uv_idle_stop(&s->more);
    s->starts = 0;
    hook_sender_wake(s);
}

static bool may_begin(struct hook_sender *s)
{
    return hook_pace_may(&s->pace, uv_hrtime(), uv_metrics_idle_time(s->loop),
                         hook_client_worked_ns(s->client) + s->sender_ns);
}

static void update_targets(struct hook_sender *s)
{
    struct hook_view hook;
    if (s->hooks_seq == view_hooks_seq(s->view))
        return;
    s->hooks_seq = view_hooks_seq(s->view);
    hook_targets_clear(&s->targets);
    for (uint32_t i = 0; view_hook_at(s->view, i, &hook); i++)
        hook_targets_keep(&s->targets, hook.image->number, hook.image->url);
}

/* Gives up messages that have waited a day for a failing receiver, as many as fit one change. */
static void give_up(struct hook_sender *s, uint64_t hook)
{
    struct command c = {.kind = COMMAND_HOOK_REPORT, .actor = {.role = ROLE_SERVER}};
    c.hook_report.hook = hook;
    c.hook_report.failing = true;
    store_submit(s->store, &c, reported, NULL);
}

/* Starts a few messages to this hook, if allowed. False: no more in this turn. */
static bool serve(struct hook_sender *s, const struct hook_view *view, uint32_t share)
{
    int64_t now_ms = store_now(s->store);
    uint64_t hook = view->image->number;
    bool old = hook_targets_failing(&s->targets, hook) && now_ms - view->oldest_ms >= HOOK_TRY_MS;
    uint32_t room = view->due_ms <= now_ms ? hook_targets_room(&s->targets, hook, now_ms, share) : 0;
    /* A hook with its full share in flight is served again when one of them ends. */
    if (!old && !room)
        return true;
    if (s->starts >= STARTS_MAX)
        return false;
    if (room && may_begin(s)) {
        sender_take(s, hook, room < SLICE ? room : SLICE);
        return true;
    }
    if (!room)
        give_up(s, hook);
    uv_timer_start(&s->rest, on_tick, REST_MS, 0);
    return false;
}

/* One hook after the other, as long as the loop has time. */
static void serve_all(struct hook_sender *s)
{
    struct hook_view hook;
    uint32_t hooks = view_hook_count(s->view);
    uint32_t share = hooks ? HOOK_IN_FLIGHT_MAX / hooks : 0;
    share = share > PER_HOOK_MAX ? PER_HOOK_MAX : share;
    update_targets(s);
    for (uint32_t i = 0; i < hooks; i++) {
        uint32_t index = (s->next + i) % hooks;
        bool found = view_hook_at(s->view, index, &hook);
        ASSERT(found); /* no command submitted here removes a hook */
        if (serve(s, &hook, share))
            continue;
        s->next = index;
        return;
    }
}

void hook_sender_wake(struct hook_sender *s)
{
    if (s->stopping || !store_decides(s->store) || (!view_hook_count(s->view) && link_alone(&s->in_flight)))
        return;
    uint64_t began_ns = uv_hrtime(), client_ns = hook_client_worked_ns(s->client);
    post_durable(s);
    serve_all(s);
    /* Inside a callback of the client the time is already counted there. */
    uint64_t took_ns = uv_hrtime() - began_ns, counted_ns = hook_client_worked_ns(s->client) - client_ns;
    s->sender_ns += took_ns > counted_ns ? took_ns - counted_ns : 0;
}

/* ---- Life ---- */

struct hook_sender *hook_sender_open(uv_loop_t *loop, struct store *store, struct view *view,
                                     const struct credentials *credentials, bool private_allowed)
{
    struct hook_sender *s = memory_zeroed(1, sizeof *s);
    s->loop = loop;
    s->store = store;
    s->view = view;
    s->credentials = credentials;
    s->hooks_seq = UINT64_MAX; /* none yet; 0 could be the seq of hooks from the book */
    s->client = hook_client_open(loop, private_allowed);
    ASSERT(s->client);
    link_init(&s->in_flight);
    uv_timer_init(loop, &s->tick);
    uv_timer_init(loop, &s->rest);
    uv_idle_init(loop, &s->more);
    s->tick.data = s->rest.data = s->more.data = s;
    uv_timer_start(&s->tick, on_tick, TICK_MS, TICK_MS);
    uv_prepare_init(loop, &s->turn);
    s->turn.data = s;
    return s;
}

void hook_sender_stop(struct hook_sender *s)
{
    if (s->stopping)
        return;
    report_all(s);
    s->stopping = true;
    hook_client_close(s->client);
    uv_close((uv_handle_t *)&s->tick, NULL);
    uv_close((uv_handle_t *)&s->rest, NULL);
    uv_close((uv_handle_t *)&s->more, NULL);
    uv_close((uv_handle_t *)&s->turn, NULL);
}

void hook_sender_free(struct hook_sender *s)
{
    ASSERT(s->stopping);
    while (!link_alone(&s->in_flight)) {
        struct sending *m = LINK_OWNER(s->in_flight.next, struct sending, link);
        link_remove(&m->link);
        buf_release(&m->body);
        free(m);
    }
    free(s);
}
