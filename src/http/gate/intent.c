/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/intent.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/resp/resp_writer.h"
#include "http/access/admission.h"
#include "http/forward/forward.h"
#include "http/gate/gate.h"
#include "http/gate/gate_call.h"
#include "http/gate/gate_scripts.h"
#include "http/server.h"

#define NONCE_SIZE 16

struct intent {
    struct request *request;
    const struct command *command;
    struct text user;
    char nonce[NONCE_SIZE + 1];
    uint64_t began_ns, until_ms;
    uint32_t from, to; /* of `order`: the seats of the event that is being asked for */
    uint8_t *asked;    /* by place in `order`: it may be taken */
    uint32_t order[];  /* of the command's items, by event */
};

/* ---- Seats by event ---- */

static struct text event_of(const struct intent *i, uint32_t place)
{
    return i->command->hold.items[i->order[place]].resource;
}

static int text_order(struct text a, struct text b)
{
    size_t size = a.size < b.size ? a.size : b.size;
    int order = memcmp(a.at, b.at, size);
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* The same order for every request, so that two of them cannot take each other's second event. */
static void sort(struct intent *i, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        uint32_t at = n;
        struct text event = i->command->hold.items[n].resource;
        for (; at > 0 && text_order(event_of(i, at - 1), event) > 0; at--)
            i->order[at] = i->order[at - 1];
        i->order[at] = n;
    }
}

/* The end of the seats of the same event. */
static uint32_t run_end(const struct intent *i, uint32_t from)
{
    uint32_t to = from + 1;
    while (to < i->command->hold.count && text_equal(event_of(i, to), event_of(i, from)))
        to++;
    return to;
}

/* ---- Commands ---- */

/* The seats from `from` to `to`, and room for this many arguments. */
static void begin_command(const struct intent *i, uint32_t from, uint32_t to, enum gate_script script,
                          uint32_t arguments, struct redis_link *link, struct buf *out)
{
    buf_clear(out);
    resp_command(out, 3 + to - from + arguments);
    resp_text(out, "EVALSHA");
    resp_text(out, redis_link_script(link, script));
    resp_number(out, to - from);
    for (uint32_t n = from; n < to; n++)
        gate_key(out, event_of(i, n), i->command->hold.items[i->order[n]].part);
}

static struct redis_link *link_of(const struct intent *i, uint32_t place)
{
    return gate_link(i->request->server->gate, event_of(i, place));
}

/* Of one event. If the command is lost, they lapse. */
static void give_back_event(struct intent *i, uint32_t from, uint32_t to)
{
    struct buf *out = gate_scratch(i->request->server->gate);
    struct redis_link *link = link_of(i, from);
    char value[USER_SIZE_MAX + NONCE_SIZE + 3];
    if (!redis_link_reachable(link))
        return;
    int size = snprintf(value, sizeof value, "%.*s\ni%s", (int)i->user.size, i->user.at, i->nonce);
    begin_command(i, from, to, GATE_GIVE_BACK, 1, link, out);
    resp_bytes(out, value, (size_t)size);
    redis_link_undo(link, out);
    for (uint32_t n = from; n < to; n++)
        i->asked[n] = false;
}

/* All that may have been taken. */
static void give_back(struct intent *i)
{
    for (uint32_t from = 0, to; from < i->command->hold.count; from = to) {
        to = run_end(i, from);
        if (i->asked[from])
            give_back_event(i, from, to);
    }
}

void intent_settle(struct request *r, bool refused)
{
    if (r->intent && refused)
        give_back(r->intent);
    r->intent = NULL;
}

/* ---- Taking ---- */

/* To the process that decides, which this one may have become. */
static void pass_on(struct intent *i, enum gate_intent_result result)
{
    struct request *r = i->request;
    ASSERT(r->to_owner && !r->forward && !r->reply.begun);
    metrics_intent(&r->server->metrics, result, clock_monotonic_ns() - i->began_ns);
    if (!store_decides(r->store)) {
        forward_request(r);
        return;
    }
    intent_settle(r, true);
    admission_resume(r);
}

/* Seats of the event that was asked for have intents of others: the reply has their places. */
static void refuse(struct intent *i, const struct resp_value *place, uint32_t places)
{
    struct request *r = i->request;
    struct metrics *m = &r->server->metrics;
    uint64_t began_ns = i->began_ns;
    struct gate_intents found = {0};
    bool in_way[ITEMS_MAX] = {false};
    for (; places; places--, place = resp_next(place))
        if (place->kind == RESP_INTEGER && place->integer >= 0 && place->integer < i->to - i->from)
            in_way[i->order[i->from + (uint32_t)place->integer]] = true;
    for (uint32_t n = 0; n < i->command->hold.count; n++)
        if (in_way[n])
            found.items[found.count++] = n;
    for (uint32_t n = i->from; n < i->to; n++)
        i->asked[n] = false; /* nothing was written */
    intent_settle(r, true);
    if (!found.count || !gate_refuse(r, i->command, &found)) { /* the copy may know more by now */
        pass_on(i, GATE_INTENT_AROUND);
        return;
    }
    metrics_intent(m, GATE_INTENT_REFUSED, clock_monotonic_ns() - began_ns);
}

static void ask_next(struct intent *i);

static void on_reply(void *ctx, const struct resp_value *reply)
{
    struct intent *i = ctx;
    struct metrics *m = &i->request->server->metrics;
    const struct resp_value *first =
        reply && reply->kind == RESP_ARRAY && reply->count ? resp_first(reply) : NULL;
    /* What comes too late would keep others away when this request is long over: Redis takes it back right after. */
    if (!reply)
        give_back_event(i, i->from, i->to);
    if (!first || first->kind != RESP_INTEGER) {
        pass_on(i, reply ? GATE_INTENT_AROUND : GATE_INTENT_TIMED_OUT);
        return;
    }
    if (reply->count > 1) {
        refuse(i, resp_next(first), reply->count - 1);
        return;
    }
    m->gate_repaired += first->integer > 0 ? (uint64_t)first->integer : 0;
    i->from = i->to;
    ask_next(i);
}

/* Sends the command for the seats from `from` to `to`. */
static bool take(struct intent *i)
{
    struct server *s = i->request->server;
    struct buf *out = gate_scratch(s->gate);
    ASSERT(i->from < i->to && i->to <= i->command->hold.count);
    uint64_t now_ms = server_now_ms(s);
    struct redis_link *link = link_of(i, i->from);
    if (now_ms >= i->until_ms || !redis_link_up(link))
        return false;
    begin_command(i, i->from, i->to, GATE_TAKE, 3, link, out);
    resp_bytes(out, i->user.at, i->user.size);
    resp_bytes(out, i->nonce, NONCE_SIZE);
    resp_number(out, store_durable_seq(s->store));
    if (!redis_link_send(link, out, i->until_ms - now_ms, on_reply, i))
        return false;
    for (uint32_t n = i->from; n < i->to; n++)
        i->asked[n] = true;
    return true;
}

/* Whether a reply will come. Events whose Redis is away are left out. */
static bool ask_some(struct intent *i)
{
    for (; i->from < i->command->hold.count; i->from = i->to) {
        i->to = run_end(i, i->from);
        if (take(i))
            return true;
    }
    return false;
}

static void ask_next(struct intent *i)
{
    if (!ask_some(i))
        pass_on(i, GATE_INTENT_TAKEN);
}

bool intent_ask(struct request *r, const struct command *command)
{
    uint32_t items = command->hold.count;
    struct intent *i = arena_zeroed(&r->arena, sizeof *i + items * sizeof i->order[0]);
    ASSERT(!r->intent && items > 0);
    *i = (struct intent){.request = r,
                         .command = command,
                         .user = command->user_id.at ? command->user_id : command->actor.name,
                         .began_ns = clock_monotonic_ns(),
                         .until_ms = server_now_ms(r->server) + INTENT_PATIENCE_MS,
                         .asked = arena_zeroed(&r->arena, items)};
    ASSERT(i->user.size > 0 && i->user.size <= USER_SIZE_MAX);
    snprintf(i->nonce, sizeof i->nonce, "%016" PRIx64, random_u64());
    sort(i, items);
    bool asked = ask_some(i);
    if (asked)
        r->intent = i;
    else
        r->server->metrics.gate_intents[GATE_INTENT_AROUND]++;
    return asked;
}
