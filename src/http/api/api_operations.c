/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/api.h"

#include "http/record/encode.h"
#include "http/describe/openapi.h"
#include "http/wire/reply.h"
#include "http/server.h"

#define OPENAPI_LIMIT (1u << 20)

void api_session_create(struct request *r)
{
    struct {
        char unused;
    } nothing;
    if (!request_decode(r, &nothing, sizeof nothing))
        return;
    struct auth_guest guest = auth_make_guest(&r->server->auth, r->now_ms, &r->arena);
    reply_header(r, "Cache-Control", "no-store");
    encode_session(reply_json(r, 201), &guest);
    reply_finish(r);
}

void api_healthz(struct request *r)
{
    encode_health(reply_json(r, 200));
    reply_finish(r);
}

/* What keeps new holds from being taken; NULL: nothing. */
static const char *degraded_by(const struct server *s, enum store_condition condition)
{
    if (s->stopping)
        return "stopping";
    switch (condition) {
    case STORE_READY:
        return NULL;
    case STORE_FULL:
        return "storage_full";
    case STORE_BEHIND:
        return "book_behind";
    }
    return NULL;
}

void api_readyz(struct request *r)
{
    struct store_stats stats;
    store_stats(r->store, &stats);
    const char *degraded = degraded_by(r->server, stats.condition);
    if (degraded)
        reply_header(r, "Retry-After", "1");
    encode_readiness(reply_json(r, degraded ? 503 : 200), degraded);
    reply_finish(r);
}

void api_metrics(struct request *r)
{
    struct server *s = r->server;
    struct metrics_gauges gauges = {.connections = s->connection_count,
                                    .streams = s->streams.count,
                                    .entry_streams = s->entry_streams.count};
    store_stats(r->store, &gauges.store);
    view_entry_stats(r->view, &gauges.entries);
    metrics_write(&s->metrics, &gauges, reply_begin(r, 200, "text/plain; version=0.0.4; charset=utf-8"));
    reply_finish(r);
}

void api_openapi(struct request *r)
{
    struct buf *made = &r->server->openapi;
    if (made->size == 0) {
        buf_init(made, OPENAPI_LIMIT);
        openapi_write(made);
    }
    reply_copy(r, 200, made->data, made->size);
}
