/* SPDX-License-Identifier: Apache-2.0 */
/* api_drivers.c — drivers: their records, positions and offers. */
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/dispatch/point_body.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define PLACES_AT_ONCE 65536u /* read for one page, including those of removed drivers */

/* ---- One driver ---- */

struct driver_body {
    struct json_number_value lat, lng;
    struct json_bool_value available, surge;
    struct json_int_value rating;
    struct json_list_value types;
};

/* clang-format off */
const struct json_field api_driver_fields[] = {
    FIELD_POINT(struct driver_body),
    JSON_BOOL(struct driver_body, available, JSON_REQUIRED, .about = ABOUT_AVAILABLE),
    JSON_MILLI(struct driver_body, rating, 0, RATING_MILLI_MAX, JSON_OPTIONAL,
               .about = ABOUT_RATING " For app and admin keys. If omitted, unchanged; 5 for a new driver."),
    JSON_TEXTS(struct driver_body, types, 0, DRIVER_TYPES_MAX, JSON_OPTIONAL, .check = text_check_label,
               .form = FIELD_LABEL_FORM(1), .about = ABOUT_DRIVER_TYPES " For app and admin keys. If omitted, unchanged."),
    JSON_BOOL(struct driver_body, surge, JSON_OPTIONAL, .about = ABOUT_DRIVER_SURGE " If omitted, unchanged."),
    JSON_END,
};
/* clang-format on */

static void driver_shown(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    reply_header(r, "Cache-Control", "no-store");
    encode_driver(reply_json(r, outcome->created ? 201 : 200), &outcome->driver);
    reply_finish(r);
}

/* False: a type is empty or a duplicate, and 400 was replied. */
static bool read_types(struct request *r, const struct json_list_value *list, struct text *types)
{
    const struct json_text_value *given = list->entries;
    for (size_t i = 0; i < list->count; i++) {
        char pointer[32];
        types[i] = text_given(given[i]);
        bool fine = types[i].size > 0;
        for (size_t k = 0; fine && k < i; k++)
            fine = !text_equal(types[i], types[k]);
        if (fine)
            continue;
        snprintf(pointer, sizeof(pointer), "/types/%zu", i);
        return reply_invalid(r, pointer, types[i].size ? "Duplicate type." : "Invalid type: empty.");
    }
    return true;
}

HANDLER(api_driver_put)
{
    struct driver_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_DRIVER_PUT);
    struct text *types = arena_take(&r->arena, (body.types.count + 1) * sizeof(*types));
    if (!read_types(r, &body.types, types))
        return;
    call->command.driver_put = (__typeof__(call->command.driver_put)){
        .fleet = r->parameters[0],
        .id = r->parameters[1],
        .point = point_rounded(body.lat, body.lng),
        .cell = point_cell(body.lat, body.lng, point_resolution(r, r->parameters[0])),
        .available = body.available.value,
        .has_rating = body.rating.given,
        .rating_milli = (uint32_t)body.rating.value,
        .has_types = body.types.given,
        .types = types,
        .type_count = (uint32_t)body.types.count,
        .has_surge = body.surge.given,
        .surge = body.surge.value,
    };
    call_submit(call, driver_shown);
}

static struct call *driver_call(struct request *r, enum command_kind kind)
{
    struct call *call = call_make(r, kind);
    call->command.driver.fleet = r->parameters[0];
    call->command.driver.id = r->parameters[1];
    return call;
}

HANDLER(api_driver_get)
{
    call_submit(driver_call(r, COMMAND_DRIVER_LOOK), driver_shown);
}

HANDLER(api_driver_remove)
{
    call_submit(driver_call(r, COMMAND_DRIVER_REMOVE), call_reply_empty);
}

HANDLER(api_driver_list)
{
    uint32_t limit, budget = PLACES_AT_ONCE;
    struct id after; /* a place in the fleet's table, in the form of an id */
    struct fleet_view fleet;
    struct driver_image driver;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    if (!view_fleet_find(r->view, r->parameters[0], &fleet)) {
        reply_outcome(r, OUTCOME_NO_SUCH_FLEET);
        return;
    }
    uint32_t place = after.low < UINT32_MAX ? (uint32_t)after.low : UINT32_MAX;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    bool found = true;
    for (; limit && (found = view_driver_next(r->view, r->parameters[0], &place, &budget, &driver)); limit--)
        encode_driver(w, &driver);
    after = (struct id){0, place};
    bool more =
        found ? view_driver_next(r->view, r->parameters[0], &place, &budget, &driver) || !budget : !budget;
    page_end(w, more, after);
    reply_wait(r, view_seq(r->view));
    reply_finish(r);
}

/* ---- Positions of many drivers ---- */

struct position_body {
    struct json_text_value driver;
    struct json_number_value lat, lng;
    struct json_bool_value available;
};

/* clang-format off */
const struct json_field api_position_fields[] = {
    FIELD_TEXT(struct position_body, driver, 1, USER_SIZE_MAX, JSON_REQUIRED, text_check_user_id, "The driver."),
    FIELD_POINT(struct position_body),
    JSON_BOOL(struct position_body, available, JSON_OPTIONAL, .about = ABOUT_AVAILABLE " If omitted, unchanged."),
    JSON_END,
};

#define POSITIONS_RESULT(F) \
    F(UINT, updated, 998, "How many positions were applied.", outcome->updated) \
    F(TEXTS, unknown, "zoe", "Drivers that do not exist.", unknown, outcome->unknown_count)
RECORD(positions_result, "The result of a list of positions.", POSITIONS_RESULT)
/* clang-format on */

static void positions_taken(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct text *unknown = arena_take(&r->arena, (outcome->unknown_count + 1) * sizeof(*unknown));
    for (uint32_t i = 0; i < outcome->unknown_count; i++)
        unknown[i] = call->command.positions.all[outcome->unknown[i]].driver;
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(POSITIONS_RESULT);
    reply_finish(r);
}

HANDLER(api_positions)
{
    void *entries;
    size_t count;
    if (!request_decode_list(r, sizeof(struct position_body), &entries, &count))
        return;
    const struct position_body *bodies = entries;
    struct position *all = arena_zeroed(&r->arena, count * sizeof(*all));
    int resolution = point_resolution(r, r->parameters[0]);
    for (size_t i = 0; i < count; i++)
        all[i] = (struct position){
            .driver = text_given(bodies[i].driver),
            .point = point_rounded(bodies[i].lat, bodies[i].lng),
            .cell = point_cell(bodies[i].lat, bodies[i].lng, resolution),
            .has_available = bodies[i].available.given,
            .available = bodies[i].available.value,
        };
    struct call *call = call_make(r, COMMAND_POSITIONS);
    call->command.positions.fleet = r->parameters[0];
    call->command.positions.all = all;
    call->command.positions.count = (uint32_t)count;
    call_submit(call, positions_taken);
}

/* ---- Offers ---- */

static void offer_shown(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    reply_header(r, "Cache-Control", "no-store");
    if (!outcome->has_offer) {
        reply_empty(r, 204);
        return;
    }
    encode_driver_offer(reply_json(r, 200), &outcome->offer, &outcome->ride, store_now(r->store));
    reply_finish(r);
}

HANDLER(api_driver_offer)
{
    call_submit(driver_call(r, COMMAND_OFFER_LOOK), offer_shown);
}
