/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/redis_link.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/random.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "http/gate/redis_connection.h"

#define NEVER UINT64_MAX
#define CONNECT_MS 1000
#define BACKOFF_MIN_MS 200 /* before jitter, which takes away up to half of it */
#define BACKOFF_MAX_MS 5000
#define FAILURES_MAX 3
#define REST_MS 1000
#define PROBE_MS 20
#define PROBES_MAX 5
#define LOAD_MS 1000
#define WARN_EVERY_MS 10000

static void on_timer(uv_timer_t *timer);

static uint64_t link_now(const struct redis_link *l)
{
    return l->options.now_ms(l->options.ctx);
}

bool redis_link_up(const struct redis_link *l)
{
    return l->state == REDIS_UP;
}

bool redis_error_is(const struct resp_value *reply, const char *code)
{
    size_t size = strlen(code);
    return reply->kind == RESP_ERROR && reply->size >= size && memcmp(reply->text, code, size) == 0 &&
           (reply->size == size || reply->text[size] == ' ');
}

/* ---- Time ---- */

/* When the link has something to do. A socket that is still closing is waited for first. */
static uint64_t next_ms(const struct redis_link *l)
{
    bool waits = l->state == REDIS_AWAY && (l->has_tcp || l->resolving);
    return waits || l->earliest_ms < l->again_ms ? l->earliest_ms : l->again_ms;
}

/* The timer fires a millisecond early, and then once more. In between, replies that had come are read: after a turn of
 * the loop that took long, they are not late. */
void redis_link_arm(struct redis_link *l)
{
    uint64_t next = next_ms(l), now = link_now(l);
    if (l->closing)
        return;
    if (next == NEVER)
        uv_timer_stop(&l->timer);
    else
        uv_timer_start(&l->timer, on_timer, l->due ? 1 : next > now ? next - now - 1 : 0, 0);
}

static void set_again(struct redis_link *l, uint64_t at_ms)
{
    l->again_ms = at_ms;
    redis_link_arm(l);
}

void redis_link_sweep(struct redis_link *l)
{
    redis_link_arm(l);
}

/* ---- The log ---- */

static void warn(struct redis_link *l, const char *reason)
{
    uint64_t now = link_now(l);
    if (l->warned_ms && now - l->warned_ms < WARN_EVERY_MS)
        return;
    l->warned_ms = now;
    l->warned = true;
    log_warn("Redis is away", {"address", LOG_STR(l->options.address->name)}, {"reason", LOG_STR(reason)});
}

static void set_up(struct redis_link *l)
{
    l->state = REDIS_UP;
    l->failures = 0;
    set_again(l, NEVER);
    if (l->warned)
        log_info("Redis is back", {"address", LOG_STR(l->options.address->name)});
    l->warned = false;
}

void redis_link_ready(struct redis_link *l)
{
    l->connections++;
    l->up_ms = link_now(l);
    set_up(l);
}

/* ---- Commands in flight ---- */

static struct redis_pending *pending_at(struct redis_link *l, unsigned index)
{
    return &l->pending[(l->pending_first + index) % REDIS_RING];
}

static struct redis_pending pop(struct redis_link *l)
{
    struct redis_pending first = *pending_at(l, 0);
    l->pending_first = (l->pending_first + 1) % REDIS_RING;
    l->pending_count--;
    return first;
}

static void call(struct redis_link *l, struct redis_pending *p, const struct resp_value *reply)
{
    redis_reply_fn fn = p->reply;
    bool nested = l->calling;
    p->reply = NULL;
    if (!fn)
        return;
    l->calling = true;
    fn(p->ctx, reply);
    l->calling = nested;
}

/* The command's bytes are at the end of the output. */
static void push(struct redis_link *l, struct redis_pending p)
{
    ASSERT(l->pending_count < REDIS_RING);
    *pending_at(l, l->pending_count++) = p;
    output_add_ready(&l->output);
    redis_connection_flush_soon(l);
    if (p.until_ms < l->earliest_ms) {
        l->earliest_ms = p.until_ms;
        redis_link_arm(l);
    }
}

void redis_link_push(struct redis_link *l, uint64_t until_ms, redis_reply_fn reply)
{
    push(l, (struct redis_pending){.reply = reply, .ctx = l, .until_ms = until_ms, .own = true});
}

static size_t unsent(const struct output *o)
{
    return o->out.size - o->sent + o->flight_size;
}

bool redis_link_reachable(const struct redis_link *l)
{
    return l->state == REDIS_UP || l->state == REDIS_RESTING;
}

static bool has_room(const struct redis_link *l, const struct buf *command)
{
    return l->pending_count < REDIS_COMMANDS_MAX && unsent(&l->output) + command->size <= REDIS_UNSENT_MAX;
}

void redis_link_undo(struct redis_link *l, const struct buf *command)
{
    if (!redis_link_reachable(l) || !has_room(l, command))
        return;
    buf_append(&l->output.out, command->data, command->size);
    push(l, (struct redis_pending){.until_ms = NEVER});
}

bool redis_link_send(struct redis_link *l, const struct buf *command, uint64_t timeout_ms,
                     redis_reply_fn reply, void *ctx)
{
    if (l->state != REDIS_UP || !has_room(l, command))
        return false;
    uint64_t now = link_now(l);
    buf_append(&l->output.out, command->data, command->size);
    push(l, (struct redis_pending){.reply = reply, .ctx = ctx, .sent_ms = now, .until_ms = now + timeout_ms});
    return true;
}

/* ---- Closing ---- */

void redis_link_gone(struct redis_link *l)
{
    ASSERT(l->open > 0);
    if (--l->open > 0)
        return;
    ASSERT(l->closing && l->pending_count == 0);
    resp_reader_release(&l->reader);
    free(l);
}

static void on_handle_closed(uv_handle_t *handle)
{
    redis_link_gone(handle->data);
}

static void end_all(struct redis_link *l)
{
    l->earliest_ms = NEVER;
    while (l->pending_count) {
        struct redis_pending p = pop(l);
        call(l, &p, NULL);
    }
}

static void disconnect(struct redis_link *l)
{
    l->state = REDIS_AWAY;
    redis_connection_close(l);
    end_all(l);
}

void redis_link_broken(struct redis_link *l, const char *reason)
{
    ASSERT(l->state != REDIS_AWAY);
    uint64_t now = link_now(l);
    bool lasted = l->state != REDIS_CONNECTING && now - l->up_ms >= BACKOFF_MAX_MS;
    warn(l, reason);
    if (lasted)
        l->backoff_ms = BACKOFF_MIN_MS;
    uint64_t half = l->backoff_ms / 2;
    l->again_ms = now + half + random_u64() % (half + 1);
    l->backoff_ms = l->backoff_ms * 2 < BACKOFF_MAX_MS ? l->backoff_ms * 2 : BACKOFF_MAX_MS;
    disconnect(l);
    redis_link_arm(l);
}

/* ---- Resting ---- */

static void rest(struct redis_link *l)
{
    l->state = REDIS_RESTING;
    l->failures = 0;
    warn(l, "three time-outs or errors in a row");
    set_again(l, link_now(l) + REST_MS);
}

static void on_probed(void *ctx, const struct resp_value *reply)
{
    struct redis_link *l = ctx;
    if (l->state != REDIS_RESTING)
        return;
    if (reply && reply->kind != RESP_ERROR)
        set_up(l);
    else if (++l->failures < PROBES_MAX)
        set_again(l, link_now(l) + REST_MS);
    else
        redis_link_broken(l, "no reply");
}

static void probe(struct redis_link *l)
{
    l->again_ms = NEVER;
    redis_connection_ping(l, link_now(l) + PROBE_MS, on_probed);
    redis_link_arm(l);
}

static void count_failure(struct redis_link *l)
{
    if (l->state == REDIS_UP && ++l->failures == FAILURES_MAX)
        rest(l);
}

/* One that was sent before the last of them was noticed says nothing new, unless no other can be sent. */
static void count_time_out(struct redis_link *l, const struct redis_pending *p, uint64_t now)
{
    if (p->sent_ms < l->failed_ms && l->pending_count < REDIS_COMMANDS_MAX)
        return;
    l->failed_ms = now;
    count_failure(l);
}

/* ---- Replies ---- */

/* What the reply to a command says about the server, if it came in time. */
static void judge(struct redis_link *l, const struct resp_value *reply)
{
    bool unknown = redis_error_is(reply, "NOSCRIPT");
    if (unknown && l->loading == 0)
        redis_connection_load_again(l, link_now(l) + LOAD_MS);
    if (reply->kind == RESP_ERROR && !unknown)
        count_failure(l);
    else if (l->state == REDIS_UP)
        l->failures = 0;
}

/* False: the connection is broken. */
bool redis_link_reply(struct redis_link *l, const struct resp_value *reply)
{
    if (l->pending_count == 0) {
        redis_link_broken(l, "a reply to nothing");
        return false;
    }
    struct redis_pending p = pop(l);
    if (p.reply && !p.own)
        judge(l, reply);
    call(l, &p, reply);
    return l->state != REDIS_AWAY;
}

const char *redis_link_script(const struct redis_link *l, unsigned index)
{
    ASSERT(index < REDIS_SCRIPTS_MAX && l->sha[index][0]);
    return l->sha[index];
}

/* ---- What is due ---- */

static void start_connecting(struct redis_link *l)
{
    l->state = REDIS_CONNECTING;
    l->again_ms = link_now(l) + CONNECT_MS;
    redis_connection_open(l);
}

/* A command that is too late stays in the ring, so that its reply is known when it comes. */
static void end_late(struct redis_link *l, uint64_t now)
{
    l->earliest_ms = NEVER;
    for (unsigned i = 0; i < l->pending_count; i++) {
        struct redis_pending *p = pending_at(l, i);
        if (p->reply && p->until_ms <= now) {
            if (!p->own)
                count_time_out(l, p, now);
            call(l, p, NULL);
        } else if (p->reply && p->until_ms < l->earliest_ms) {
            l->earliest_ms = p->until_ms;
        }
    }
}

static void on_timer(uv_timer_t *timer)
{
    struct redis_link *l = timer->data;
    uint64_t now = link_now(l);
    if (!l->due) {
        l->due = next_ms(l) <= now + 1;
        redis_link_arm(l);
        return;
    }
    l->due = false;
    if (l->earliest_ms <= now)
        end_late(l, now);
    if (l->again_ms <= now && l->state == REDIS_CONNECTING)
        redis_link_broken(l, "no answer while connecting");
    else if (l->again_ms <= now && l->state == REDIS_RESTING)
        probe(l);
    else if (l->again_ms <= now && l->state == REDIS_AWAY && !l->has_tcp && !l->resolving)
        start_connecting(l);
    redis_link_arm(l);
}

/* ---- Life ---- */

struct redis_link *redis_link_open(uv_loop_t *loop, const struct redis_link_options *options)
{
    static const struct resp_limits limits = {.depth = 4, .values = 4096, .bytes = REDIS_REPLY_MAX};
    struct redis_link *l = memory_zeroed(1, sizeof *l);
    l->loop = loop;
    l->options = *options;
    l->backoff_ms = BACKOFF_MIN_MS;
    l->earliest_ms = NEVER;
    while (options->scripts && options->scripts[l->script_count])
        l->script_count++;
    ASSERT(l->script_count <= REDIS_SCRIPTS_MAX);
    resp_reader_init(&l->reader, &limits);
    uv_timer_init(loop, &l->timer);
    uv_prepare_init(loop, &l->prepare);
    l->timer.data = l->prepare.data = l;
    l->open = 3;
    redis_link_arm(l); /* again_ms is 0: at once */
    return l;
}

void redis_link_close(struct redis_link *l)
{
    ASSERT(!l->calling && !l->closing);
    l->closing = true;
    if (l->state != REDIS_AWAY)
        disconnect(l);
    uv_close((uv_handle_t *)&l->timer, on_handle_closed);
    uv_close((uv_handle_t *)&l->prepare, on_handle_closed);
    redis_link_gone(l);
}
