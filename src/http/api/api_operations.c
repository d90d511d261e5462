/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "http/describe/openapi.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/wire/reply.h"

/* clang-format off */
WORD_LIST(healthy, "ok")
WORD_LIST(conditions, "ready", "degraded")
WORD_LIST(causes, "stopping", "lagging", "owner_away", "log_away", "storage_full", "book_behind", "book_pinned", \
    "gate_away")
WORD_LIST(roles, "owner", "follower")

#define SESSION(F) \
    F(TEXT, token, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdF8xIn0.c2lnbmF0dXJl", \
      "The token to send as Bearer.", guest.token) \
    F(TEXT, user_id, "guest_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The user id of the guest.", guest.user_id) \
    F(TIME, expires_at, "2030-06-04T09:00:00.000Z", "When the token expires.", guest.expires_at_ms)
RECORD(session, "A guest's token.", SESSION)

#define HEALTH(F) F(WORD, status, "ok", "Always `ok`.", healthy, "ok")
RECORD(health, "The process is up.", HEALTH)

#define READINESS(F) \
    F(WORD, status, "ready", "`degraded`: new holds are refused.", conditions, cause ? "degraded" : "ready") \
    F(WORDS, degraded, [], "The problems; with any but `book_pinned` and `gate_away`, new holds are refused.", causes, \
      write_causes(w, cause, stats.pinned, gate_away(r->server))) \
    F(MAYBE_WORD, role, , "With a shared log: whether this server decides, or follows one that does.", roles, \
      stats.shared, store_decides(r->store) ? "owner" : "follower") \
    F(MAYBE_UINT, epoch, , "With a shared log: how often its owner has changed.", stats.shared, stats.epoch) \
    F(MAYBE_UINT, lag_ms, , "With a shared log: how far this server is behind its owner.", stats.shared, stats.lag_ms)
RECORD(readiness, "Whether new holds are accepted, and any problems.", READINESS)

ANY_OBJECT(openapi_document, "An OpenAPI 3.1 document.", "{\"openapi\":\"3.1.0\"}")
/* clang-format on */

HANDLER(api_session_create)
{
    struct {
        char unused;
    } nothing;
    if (r->server->options->guests_refused) {
        reply_outcome(r, OUTCOME_GUESTS_REFUSED);
        return;
    }
    if (r->actor.role == ROLE_USER && !actor_is_guest(r->actor)) { /* it has an account already */
        reply_forbidden(r,
                        "This user has an account. Only guests, and callers without a token, get a session.");
        return;
    }
    if (!request_decode(r, &nothing, sizeof nothing))
        return;
    struct auth_guest guest = auth_make_guest(&r->server->auth, r->actor, r->now_ms, &r->arena);
    reply_header(r, "Cache-Control", "no-store");
    struct json_writer *w = reply_json(r, 201);
    WRITE_RECORD(SESSION);
    reply_finish(r);
}

HANDLER(api_healthz)
{
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(HEALTH);
    reply_finish(r);
}

/* Why this node cannot get a hold decided, here or by the owner; NULL: it can. */
static const char *undecided_by(struct store *s)
{
    if (store_decides(s))
        return store_may_answer(s) ? NULL : "log_away"; /* the lease could not be renewed */
    if (!store_may_answer(s))
        return "lagging";
    return *store_owner_url(s) ? NULL : "owner_away";
}

/* Why new holds are refused; NULL: they are not. */
static const char *degraded_by(const struct server *s, enum engine_condition condition)
{
    if (s->stopping)
        return "stopping";
    const char *undecided = undecided_by(s->store);
    if (undecided)
        return undecided;
    switch (condition) {
    case ENGINE_READY:
        return NULL;
    case ENGINE_AWAY:
        return "log_away";
    case ENGINE_FULL:
        return "storage_full";
    case ENGINE_BEHIND:
        return "book_behind";
    }
    return NULL;
}

/* Holds go around it. */
static bool gate_away(const struct server *s)
{
    return s->gate && !gate_up(s->gate);
}

static void write_causes(struct json_writer *w, const char *cause, bool pinned, bool away)
{
    json_array_begin(w);
    if (cause)
        json_string(w, cause);
    if (pinned)
        json_string(w, "book_pinned");
    if (away)
        json_string(w, "gate_away");
    json_array_end(w);
}

HANDLER(api_readyz)
{
    struct store_stats stats;
    store_stats(r->store, &stats);
    const char *cause = degraded_by(r->server, stats.condition);
    if (cause)
        reply_header(r, "Retry-After", "1");
    struct json_writer *w = reply_json(r, cause ? 503 : 200);
    WRITE_RECORD(READINESS);
    reply_finish(r);
}

/* 0: not available on this system. */
static uint64_t resident_bytes(void)
{
    char text[64] = "";
    unsigned long long pages = 0;
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t size = read(fd, text, sizeof text - 1);
    close(fd);
    return size > 0 && sscanf(text, "%*u %llu", &pages) == 1 ? pages * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

HANDLER(api_metrics)
{
    struct server *s = r->server;
    struct metrics_gauges gauges = {.resident_bytes = resident_bytes(),
                                    .connections = s->connection_count,
                                    .streams = s->streams.counts[STREAM_GAUGE_EVENTS],
                                    .entry_streams = s->streams.counts[STREAM_GAUGE_ENTRIES],
                                    .ride_streams = s->streams.counts[STREAM_GAUGE_RIDES],
                                    .forwarded_streams = s->streams.counts[STREAM_GAUGE_FORWARDED]};
    store_stats(r->store, &gauges.store);
    gauges.ready = !degraded_by(s, gauges.store.condition);
    gauges.owner = store_decides(r->store);
    view_entry_stats(r->view, &gauges.entries);
    view_dispatch_stats(r->view, &gauges.dispatch);
    gauges.hooks = view_hook_stats(r->view);
    if (s->gate)
        gate_read_gauges(s->gate, &gauges.gate);
    metrics_write(&s->metrics, &gauges, reply_begin(r, 200, "text/plain; version=0.0.4; charset=utf-8"));
    reply_finish(r);
}

HANDLER(api_openapi)
{
    struct buf *made = &r->server->openapi;
    if (made->size == 0) {
        buf_init(made, OPENAPI_SIZE_MAX);
        openapi_write(made);
    }
    reply_copy(r, 200, made->data, made->size);
}
