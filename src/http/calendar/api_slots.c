/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define DAY_MS (24LL * 3600 * 1000)
#define MINUTE_MS 60000LL
#define SPAN_MS (7 * DAY_MS)      /* the interval if `to` is not given */
#define SPAN_MAX_MS (62 * DAY_MS) /* the longest interval of one request */

enum { QUERY_FROM, QUERY_TO, QUERY_DURATION, QUERY_SERVICE, QUERY_LIMIT, QUERY_CURSOR, QUERY_PARTY };

/* The interval of the page. A cursor contains the next start and the end of the interval, in the form of an id, so
 * that the end stays the same on all pages even if it was not given. */
static bool read_span(struct request *r, struct slots_query *query)
{
    struct id cursor;
    if (!request_query_time(r, QUERY_FROM, query->now_ms, &query->from_ms) ||
        !request_query_time(r, QUERY_TO, query->from_ms + SPAN_MS, &query->to_ms) ||
        !page_cursor(r, QUERY_CURSOR, &cursor))
        return false;
    if (query->to_ms <= query->from_ms)
        return reply_invalid(r, "?to", "Invalid to: must be after from.");
    if (query->to_ms - query->from_ms > SPAN_MAX_MS)
        return reply_invalid(r, "?to", "Invalid to: at most 62 days after from.");
    if (!r->query[QUERY_CURSOR].at)
        return true;
    int64_t next_ms = (int64_t)cursor.low, to_ms = (int64_t)cursor.high;
    if (cursor.low > INT64_MAX || cursor.high > INT64_MAX || to_ms <= next_ms ||
        to_ms - next_ms > SPAN_MAX_MS || to_ms > query->now_ms + SLOT_AHEAD_MAX_MS + SPAN_MAX_MS ||
        (r->query[QUERY_TO].at && to_ms > query->to_ms) ||
        (r->query[QUERY_FROM].at && next_ms < query->from_ms))
        return reply_invalid(r, "?cursor", "Invalid cursor: not from this list.");
    query->from_ms = next_ms;
    query->to_ms = to_ms;
    return true;
}

/* The length of each slot; 0: that of the calendar, or of the service, which is looked up later. */
static bool read_length(struct request *r, int64_t *length_ms)
{
    uint64_t minutes;
    if (r->query[QUERY_SERVICE].at && r->query[QUERY_DURATION].at)
        return reply_invalid(r, "?service", "Send either duration_minutes or service, not both.");
    if (!request_query_number(r, QUERY_DURATION, &minutes))
        return false;
    *length_ms = (int64_t)minutes * MINUTE_MS;
    return true;
}

/* clang-format off */
#define SLOT(F) \
    F(INSTANT, start, "2030-06-03T08:00:00.000Z", "The start of the slot.", slot->start_ms) \
    F(INSTANT, end, "2030-06-03T08:30:00.000Z", "The end of the slot.", slot->end_ms) \
    F(UINT, available, 1, "How many more claims fit; for a group, how many of its calendars are free.", slot->available)
RECORD(slot, "A free slot of a calendar, or of a group.", SLOT)
/* clang-format on */

static void reply_slots(struct request *r, const struct slots_page *page, const struct slot *slots,
                        int64_t to_ms)
{
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (const struct slot *slot = slots; slot < slots + page->count; slot++)
        WRITE_RECORD(SLOT);
    page_end(w, page->more, (struct id){(uint64_t)to_ms, (uint64_t)page->next_ms});
    reply_wait(r, page->seq);
    reply_finish(r);
}

/* An answer that depends on the calendar's settings waits until they are durable. */
static void reply_wait_calendar(struct request *r)
{
    struct calendar_view view;
    if (view_calendar_find(r->view, r->parameters[0], &view))
        reply_wait(r, view.seq);
}

HANDLER(api_slot_list)
{
    bool trusted = r->actor.role == ROLE_APP || r->actor.role == ROLE_ADMIN;
    struct slots_query query = {.now_ms = store_now(r->store), .ruled = !trusted};
    struct slots_page page;
    if (!read_span(r, &query) || !read_length(r, &query.length_ms) ||
        !page_limit(r, QUERY_LIMIT, &query.limit))
        return;
    struct slot *slots = arena_take(&r->arena, query.limit * sizeof(*slots));
    enum outcome_code code =
        view_slots(r->view, r->parameters[0], r->query[QUERY_SERVICE], &query, slots, &page);
    if (code == OUTCOME_INVALID) {
        reply_wait_calendar(r);
        reply_invalid(r, "?service", "Invalid service: not offered by this calendar.");
        return;
    }
    if (code != OUTCOME_OK) {
        reply_outcome(r, code);
        return;
    }
    reply_slots(r, &page, slots, query.to_ms);
}

/* ---- Groups ---- */

struct group_listing {
    struct request *request;
    int64_t to_ms; /* of the whole list */
    struct group_slots_view view;
};

/* A few calendars at a time, so that other requests do not wait for a large group. */
static void slice(void *ctx)
{
    struct group_listing *listing = ctx;
    struct request *r = listing->request;
    struct group_slots_view *view = &listing->view;
    bool more = false;
    enum outcome_code code = view_group_slots(r->view, r->parameters[0], view, &more);
    if (more) {
        call_after_turn(r, slice, listing);
        return;
    }
    reply_wait(r, view->seq);
    if (code == OUTCOME_INVALID) {
        reply_invalid(r, "?service", "Invalid service: not offered by a calendar of this group.");
    } else if (code != OUTCOME_OK) {
        reply_outcome(r, code);
    } else {
        struct slots_page page = group_slots_end(&view->slots);
        page.seq = view->seq;
        reply_slots(r, &page, view->slots.out, listing->to_ms);
    }
}

HANDLER(api_group_slot_list)
{
    bool trusted = r->actor.role == ROLE_APP || r->actor.role == ROLE_ADMIN;
    struct slots_query query = {.now_ms = store_now(r->store), .ruled = !trusted};
    uint64_t party;
    if (!read_span(r, &query) || !read_length(r, &query.length_ms) ||
        !page_limit(r, QUERY_LIMIT, &query.limit) || !request_query_number(r, QUERY_PARTY, &party))
        return;
    struct group_listing *listing = arena_take(&r->arena, sizeof(*listing));
    size_t room = GROUP_SLOTS_ROOM(query.limit) * sizeof(struct slot);
    *listing = (struct group_listing){
        .request = r,
        .to_ms = query.to_ms,
        .view = {.slots = {.query = query,
                           .out = arena_take(&r->arena, room),
                           .spare = arena_take(&r->arena, room),
                           .page = arena_take(&r->arena, query.limit * sizeof(struct slot))},
                 .service = r->query[QUERY_SERVICE],
                 .party = (uint32_t)party}};
    slice(listing);
}
