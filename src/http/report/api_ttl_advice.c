/* SPDX-License-Identifier: Apache-2.0 */
/* Recommends a TTL for the holds of an event, from how long its buyers took to pay. The operator decides. */
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define WINDOW_MS (30LL * 24 * 3600 * 1000)
#define SAMPLES_MAX 10000

/* Whole seconds, rounded up. */
static uint64_t seconds(int64_t ms)
{
    return (uint64_t)(ms + 999) / 1000;
}

/* The 95th percentile plus a tenth, within the range of hold_ttl_seconds. */
static uint64_t advice(int64_t p95_ms)
{
    uint64_t wanted = seconds(p95_ms + (p95_ms + 9) / 10);
    return wanted < 1 ? 1 : wanted > TTL_SECONDS_MAX ? TTL_SECONDS_MAX : wanted;
}

/* clang-format off */
#define TTL_ADVICE(F) \
    F(UINT, samples, 812, "How many payments this is based on.", ttl->samples) \
    F(UINT_OR_NULL, p50_seconds, 74, "The median time from hold to payment; null: there are none.", \
      ttl->samples, seconds(ttl->p50_ms)) \
    F(UINT_OR_NULL, p95_seconds, 310, "The 95th percentile of that time; null: there are none.", \
      ttl->samples, seconds(ttl->p95_ms)) \
    F(UINT_OR_NULL, recommended_ttl_seconds, 341, "`p95_seconds` plus a tenth: a `hold_ttl_seconds` that few buyers " \
      "would exceed; null: there are none.", ttl->samples, advice(ttl->p95_ms))
RECORD(ttl_advice, "A recommended hold TTL for an event.", TTL_ADVICE)
/* clang-format on */

/* On the reader thread. */
static void keep_figures(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    struct ttl_figures *figures = listing->data;
    *figures = *row->ttl;
}

static void advise(void *ctx, const struct query_result *result)
{
    struct listing *listing = ctx;
    struct request *r = listing->request;
    const struct ttl_figures *ttl = listing->data;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    reply_seq(r, result->seq);
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(TTL_ADVICE);
    reply_finish(r);
}

HANDLER(api_ttl_advice)
{
    struct event_view view;
    struct listing *listing = listing_make(r);
    if (!view_event_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    listing->data = arena_zeroed(&r->arena, sizeof(struct ttl_figures));
    listing->query.kind = QUERY_TTL;
    listing->query.event_number = view.image.number;
    listing->query.from_ms = r->now_ms - WINDOW_MS;
    listing->query.limit = SAMPLES_MAX;
    store_query(r->store, &listing->query, keep_figures, advise, listing);
}
