/* SPDX-License-Identifier: Apache-2.0 */
/* api_fleets.c — fleets: their settings and their overview. */
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/record/member.h"
#include "http/wire/reply.h"

#define CELLS_AT_ONCE 2048          /* written in one turn of the loop */
#define CELLS_VISITED_AT_ONCE 16384 /* including cells whose drivers are all away */

/* ---- Settings ---- */

/* Defaults of omitted fields. */
#define OFFER_SECONDS_DEFAULT 15
#define RESOLUTION_DEFAULT 9
#define RINGS_DEFAULT 6
#define PRESENCE_SECONDS_DEFAULT 30
#define SEARCH_SECONDS_DEFAULT 180
#define SPEED_KMH_DEFAULT 30
#define BATCH_MS_DEFAULT 0
#define RIDES_PER_RIDER_DEFAULT 1
#define WEIGHT_ETA_DEFAULT 1
#define WEIGHT_DEFAULT 0 /* all others */

struct weights_body {
    struct json_object_value given;
    struct json_int_value eta, rating, waiting, surge;
};

struct fleet_body {
    struct json_text_value id;
    struct json_int_value offer_seconds, resolution, max_rings, presence_seconds, search_seconds, speed_kmh,
        batch_ms, rides_per_rider;
    struct json_bool_value guests;
    struct weights_body weights;
};

/* clang-format off */
static const struct json_field weights_fields[] = {
    JSON_MILLI(struct weights_body, eta, 0, WEIGHT_MILLI_MAX, JSON_OPTIONAL, .default_json = JSON_STRINGIFY(WEIGHT_ETA_DEFAULT),
               .about = ABOUT_WEIGHT_ETA),
    JSON_MILLI(struct weights_body, rating, 0, WEIGHT_MILLI_MAX, JSON_OPTIONAL, .default_json = JSON_STRINGIFY(WEIGHT_DEFAULT),
               .about = ABOUT_WEIGHT_RATING),
    JSON_MILLI(struct weights_body, waiting, 0, WEIGHT_MILLI_MAX, JSON_OPTIONAL, .default_json = JSON_STRINGIFY(WEIGHT_DEFAULT),
               .about = ABOUT_WEIGHT_WAITING),
    JSON_MILLI(struct weights_body, surge, 0, WEIGHT_MILLI_MAX, JSON_OPTIONAL, .default_json = JSON_STRINGIFY(WEIGHT_DEFAULT),
               .about = ABOUT_WEIGHT_SURGE),
    JSON_END,
};

const struct json_field api_fleet_fields[] = {
    JSON_INT_OR(struct fleet_body, offer_seconds, 1, OFFER_SECONDS_MAX, OFFER_SECONDS_DEFAULT, .about = ABOUT_OFFER_SECONDS),
    JSON_INT_OR(struct fleet_body, resolution, 0, FLEET_RESOLUTION_MAX, RESOLUTION_DEFAULT, .about = ABOUT_RESOLUTION),
    JSON_INT_OR(struct fleet_body, max_rings, 0, FLEET_RINGS_MAX, RINGS_DEFAULT, .about = ABOUT_MAX_RINGS),
    JSON_INT_OR(struct fleet_body, presence_seconds, 1, PRESENCE_SECONDS_MAX, PRESENCE_SECONDS_DEFAULT, .about = ABOUT_PRESENCE_SECONDS),
    JSON_INT_OR(struct fleet_body, search_seconds, 1, SEARCH_SECONDS_MAX, SEARCH_SECONDS_DEFAULT, .about = ABOUT_SEARCH_SECONDS),
    JSON_INT_OR(struct fleet_body, speed_kmh, 1, SPEED_KMH_MAX, SPEED_KMH_DEFAULT, .about = ABOUT_SPEED),
    JSON_INT_OR(struct fleet_body, batch_ms, 0, BATCH_MS_MAX, BATCH_MS_DEFAULT, .about = ABOUT_BATCH_MS),
    JSON_BOOL_OR(struct fleet_body, guests, false, .about = ABOUT_RIDE_GUESTS),
    JSON_INT_OR(struct fleet_body, rides_per_rider, 0, RIDES_PER_RIDER_MAX, RIDES_PER_RIDER_DEFAULT, .about = ABOUT_RIDES_PER_RIDER),
    JSON_OBJECT(struct fleet_body, weights, weights_fields, JSON_OPTIONAL, .about = ABOUT_WEIGHTS),
    FIELD_SAME_ID(struct fleet_body),
    FIELD_SHOWN("created_at"),
    JSON_END,
};
/* clang-format on */

static uint32_t given_or(struct json_int_value value, uint32_t default_value)
{
    return value.given ? (uint32_t)value.value : default_value;
}

static void fleet_put_done(struct call *call, const struct outcome *outcome)
{
    encode_fleet(reply_json(call->request, outcome->created ? 201 : 200), outcome->fleet);
    reply_finish(call->request);
}

HANDLER(api_fleet_put)
{
    struct fleet_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_check_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_FLEET_PUT);
    struct fleet_image *image = &call->command.fleet_put;
    *image = (struct fleet_image){
        .id = r->parameters[0],
        .offer_s = given_or(body.offer_seconds, OFFER_SECONDS_DEFAULT),
        .resolution = given_or(body.resolution, RESOLUTION_DEFAULT),
        .max_rings = given_or(body.max_rings, RINGS_DEFAULT),
        .presence_s = given_or(body.presence_seconds, PRESENCE_SECONDS_DEFAULT),
        .search_s = given_or(body.search_seconds, SEARCH_SECONDS_DEFAULT),
        .speed_kmh = given_or(body.speed_kmh, SPEED_KMH_DEFAULT),
        .batch_ms = given_or(body.batch_ms, BATCH_MS_DEFAULT),
        .guests = body.guests.value,
        .rides_per_rider = given_or(body.rides_per_rider, RIDES_PER_RIDER_DEFAULT),
        .weights = {.eta_milli = given_or(body.weights.eta, WEIGHT_ETA_DEFAULT * 1000),
                    .rating_milli = given_or(body.weights.rating, WEIGHT_DEFAULT * 1000),
                    .waiting_milli = given_or(body.weights.waiting, WEIGHT_DEFAULT * 1000),
                    .surge_milli = given_or(body.weights.surge, WEIGHT_DEFAULT * 1000)},
    };
    random_bytes(image->key, sizeof(image->key));
    call_submit(call, fleet_put_done);
}

HANDLER(api_fleet_get)
{
    struct fleet_view view;
    if (!view_fleet_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    encode_fleet(reply_json(r, 200), view.image);
    reply_wait(r, view.seq);
    reply_finish(r);
}

HANDLER(api_fleet_list)
{
    uint32_t limit;
    struct text after;
    struct fleet_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor_name(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_fleet_after(r->view, after, &view); limit--) {
        encode_fleet(w, view.image);
        reply_wait(r, view.seq);
        after = view.image->id;
    }
    page_end_name(w, limit == 0 && view_fleet_after(r->view, after, &view), after);
    reply_wait(r, view_absent_seq(r->view));
    reply_finish(r);
}

HANDLER(api_fleet_remove)
{
    struct call *call = call_make(r, COMMAND_FLEET_REMOVE);
    call->command.fleet = r->parameters[0];
    call_submit(call, call_reply_empty);
}

/* ---- Overview ---- */

struct overview {
    struct request *request;
    uint64_t fleet; /* number */
    uint32_t from;  /* the cells before it are written */
    struct json_writer writer;
};

/* Writes some cells, and finally the rest of the overview, which may be too large for one turn of the loop. */
static void overview_continue(void *ctx)
{
    struct overview *o = ctx;
    struct request *r = o->request;
    struct fleet_cell cell;
    struct fleet_overview rest;
    uint32_t budget = CELLS_VISITED_AT_ONCE, cells = 0;
    while (cells < CELLS_AT_ONCE && view_fleet_cell(r->view, o->fleet, &o->from, &budget, &cell)) {
        encode_fleet_cell(&o->writer, &cell);
        cells++;
    }
    if (cells == CELLS_AT_ONCE || !budget) {
        call_after_turn(r, overview_continue, o);
        return;
    }
    json_array_end(&o->writer);
    if (!view_fleet_overview(r->view, o->fleet, &rest)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    encode_fleet_overview_rest(&o->writer, &rest);
    json_object_end(&o->writer);
    reply_wait(r, view_seq(r->view));
    reply_copy(r, 200, r->scratch.data, r->scratch.size);
}

HANDLER(api_fleet_overview)
{
    struct fleet_view view;
    if (!view_fleet_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    struct overview *o = arena_zeroed(&r->arena, sizeof(*o));
    o->request = r;
    o->fleet = view.image->number;
    o->writer = json_writer_make(&r->scratch);
    json_object_begin(&o->writer);
    member_array_begin(&o->writer, "cells");
    overview_continue(o);
}
