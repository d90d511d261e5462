/* SPDX-License-Identifier: Apache-2.0 */
/* api_rides.c — rides: requesting, reading, cancelling, completing; and answers to offers. */
#include "base/assertion.h"
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/dispatch/point_body.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

/* ---- A new one ---- */

struct to_body {
    struct json_object_value given;
    struct json_number_value lat, lng;
};

struct ride_body {
    struct json_text_value rider_id, type;
    struct json_number_value lat, lng;
    struct to_body to;
    struct json_int_value surge;
};

/* clang-format off */
static const struct json_field to_fields[] = {FIELD_POINT(struct to_body), JSON_END};

const struct json_field api_ride_fields[] = {
    FIELD_USER_ID(struct ride_body, rider_id, "The rider. Required with an app or admin key; otherwise the caller."),
    FIELD_POINT(struct ride_body),
    JSON_OBJECT(struct ride_body, to, to_fields, JSON_NULLABLE, .about = "The destination."),
    FIELD_LABEL(struct ride_body, type, 1, JSON_NULLABLE, ABOUT_RIDE_TYPE),
    JSON_MILLI(struct ride_body, surge, SURGE_MILLI_MIN, SURGE_MILLI_MAX, JSON_OPTIONAL, .default_json = "1",
               .about = "The surge factor of its price."),
    JSON_END,
};
/* clang-format on */

static void ride_shown(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    reply_header(r, "Cache-Control", "no-store");
    encode_ride(reply_json(r, call_status(call, outcome)), &outcome->ride, outcome->as_rider);
    reply_finish(r);
}

static void ride_made(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    char id[ENCODE_ID_SIZE];
    encode_id(ENCODE_RIDE, outcome->ride.id, id);
    reply_header(r, "Location", "/v1/fleets/%.*s/rides/%.*s", (int)r->parameters[0].size, r->parameters[0].at,
                 (int)sizeof(id), id);
    ride_shown(call, outcome);
}

HANDLER(api_ride_new)
{
    struct ride_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    bool has_to = body.to.given.given && !body.to.given.is_null;
    struct call *call = call_make(r, COMMAND_RIDE_NEW);
    struct command *command = &call->command;
    command->user_id = text_given(body.rider_id);
    command->ride = (__typeof__(command->ride)){
        .fleet = r->parameters[0],
        .id = id_make(store_now(r->store), random_u64(), random_u64()),
        .pickup = point_rounded(body.lat, body.lng),
        .cell = point_cell(body.lat, body.lng, point_resolution(r, r->parameters[0])),
        .has_to = has_to,
        .to = has_to ? point_rounded(body.to.lat, body.to.lng) : (struct geo_point){0},
        .type = text_given(body.type),
        .surge_milli = body.surge.given ? (uint32_t)body.surge.value : SURGE_MILLI_MIN,
    };
    command->idempotent = request_idempotency(r, command->idempotency_key, command->idempotency_body);
    call_submit(call, ride_made);
}

/* ---- One that exists ---- */

/* For an invalid id core refuses the ride as unknown, after it has looked for the fleet. */
static void ride_call(struct request *r, enum command_kind kind, struct json_text_value named)
{
    struct call *call = call_make(r, kind);
    struct command *command = &call->command;
    command->ride.fleet = r->parameters[0];
    command->ride_checked = !encode_id_read(ENCODE_RIDE, r->parameters[1], &command->ride.id);
    command->user_id = text_given(named);
    call_submit(call, ride_shown);
}

HANDLER(api_ride_get)
{
    ride_call(r, COMMAND_RIDE_LOOK, (struct json_text_value){0});
}

struct named_body {
    struct json_text_value rider_id, driver_id;
};

const struct json_field api_rider_fields[] = {
    FIELD_USER_ID(struct named_body, rider_id,
                  "The rider. If given, it must match; otherwise 403 not_owner."),
    JSON_END,
};
const struct json_field api_ride_driver_fields[] = {
    FIELD_USER_ID(struct named_body, driver_id,
                  "The driver. If given, it must match; otherwise 403 not_owner."),
    JSON_END,
};

HANDLER(api_ride_cancel)
{
    struct named_body body;
    if (request_decode(r, &body, sizeof(body)))
        ride_call(r, COMMAND_RIDE_CANCEL, body.rider_id);
}

HANDLER(api_ride_complete)
{
    struct named_body body;
    if (request_decode(r, &body, sizeof(body)))
        ride_call(r, COMMAND_RIDE_COMPLETE, body.driver_id);
}

HANDLER(api_ride_driver_cancel)
{
    struct named_body body;
    if (request_decode(r, &body, sizeof(body)))
        ride_call(r, COMMAND_RIDE_DRIVER_CANCEL, body.driver_id);
}

/* ---- Answers to offers ---- */

static void offer_answered(struct request *r, enum command_kind kind)
{
    struct named_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, kind);
    struct command *command = &call->command;
    command->offer.fleet = r->parameters[0];
    command->ride_checked = !encode_id_read(ENCODE_OFFER, r->parameters[1], &command->offer.id);
    command->user_id = text_given(body.driver_id);
    call_submit(call, ride_shown);
}

HANDLER(api_offer_accept)
{
    offer_answered(r, COMMAND_OFFER_ACCEPT);
}

HANDLER(api_offer_decline)
{
    offer_answered(r, COMMAND_OFFER_DECLINE);
}

/* ---- List ---- */

enum { QUERY_STATUS, QUERY_RIDER_ID, QUERY_DRIVER_ID, QUERY_LIMIT, QUERY_CURSOR };

/* The book does not have the drivers' positions: rows are collected on the reader thread, and written on the loop,
 * where the positions can be read from memory. */
struct ride_page {
    struct ride_image *rides;
    uint32_t count;
};

/* On the reader thread. */
static void gather_ride(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    struct ride_page *page = listing->data;
    struct request *r = listing->request;
    struct ride_image *ride = &page->rides[page->count++];
    ASSERT(page->count <= listing->query.limit);
    *ride = *row->ride;
    ride->rider_id = request_keep(r, ride->rider_id);
    ride->type = request_keep(r, ride->type);
    ride->driver_id = request_keep(r, ride->driver_id);
    struct offer_image *offers = arena_take(&r->arena, (ride->offer_count + 1) * sizeof(*offers));
    for (uint32_t i = 0; i < ride->offer_count; i++) {
        offers[i] = ride->offers[i];
        offers[i].driver_id = request_keep(r, offers[i].driver_id);
    }
    ride->offers = offers;
    listing->last = ride->id;
}

/* Only if the ride still has this driver: the book may lag behind. */
static void place_driver(struct request *r, struct ride_image *ride)
{
    struct ride_seen seen;
    if (ride->status != RIDE_ASSIGNED ||
        !view_ride(r->view, ride->fleet, ride->id, (struct text){0}, &seen) || !seen.image.has_driver ||
        !text_equal(seen.image.driver_id, ride->driver_id))
        return;
    ride->has_driver = true;
    ride->driver = seen.image.driver;
    ride->driver_heard_at_ms = seen.image.driver_heard_at_ms;
    ride->driver_eta_ms = seen.image.driver_eta_ms;
}

static void write_rides(struct listing *listing)
{
    struct ride_page *page = listing->data;
    struct request *r = listing->request;
    for (uint32_t i = 0; i < page->count; i++) {
        struct ride_image *ride = &page->rides[i];
        bool as_rider = r->actor.role == ROLE_USER && text_equal(r->actor.name, ride->rider_id);
        place_driver(r, ride);
        encode_ride(&listing->writer, ride, as_rider);
    }
}

/* A user token sees only its own rides: as rider, or as driver with driver_id. */
static bool read_filters(struct request *r, struct query *query)
{
    static const unsigned people[] = {QUERY_RIDER_ID, QUERY_DRIVER_ID};
    for (unsigned i = 0; i < 2; i++) {
        struct text user = r->query[people[i]];
        if (user.at && !text_check_user_id(user.at, user.size))
            return request_refuse_query(r, people[i], FIELD_USER_ID_FORM);
    }
    query->rider_id = r->query[QUERY_RIDER_ID];
    query->driver_id = r->query[QUERY_DRIVER_ID];
    query->has_ride_status = r->query[QUERY_STATUS].at != NULL;
    if (query->has_ride_status && !ride_status_read(r->query[QUERY_STATUS], &query->ride_status))
        return request_refuse_query(r, QUERY_STATUS, NULL);
    if (r->actor.role != ROLE_USER)
        return true;
    bool as_driver = query->driver_id.at && text_equal(query->driver_id, r->actor.name);
    bool as_rider = query->rider_id.at && text_equal(query->rider_id, r->actor.name);
    if (!query->rider_id.at && !query->driver_id.at)
        query->rider_id = r->actor.name;
    else if (!as_driver && !as_rider) {
        struct problem problem = problem_of(OUTCOME_NOT_OWNER);
        problem.detail = "A user token can only list its own rides.";
        reply_problem(r, &problem);
        return false;
    }
    return true;
}

HANDLER(api_ride_list)
{
    struct fleet_view fleet;
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_RIDES;
    if (!read_filters(r, query) || !page_limit(r, QUERY_LIMIT, &query->limit) ||
        !page_cursor(r, QUERY_CURSOR, &query->after))
        return;
    if (!view_fleet_find(r->view, r->parameters[0], &fleet)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    query->fleet = fleet.image->number;
    struct ride_page *page = arena_zeroed(&r->arena, sizeof(*page));
    page->rides = arena_take(&r->arena, query->limit * sizeof(*page->rides));
    listing->data = page;
    listing->write = write_rides;
    listing_submit(listing, gather_ride);
}
