/* SPDX-License-Identifier: Apache-2.0 */
#include "base/crypto/random.h"
#include "base/time/zone.h"
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/patch_body.h"
#include "http/catalogue/price_body.h"
#include "http/queue/queue_body.h"
#include "http/api/terms_body.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"
#include "http/live/queue_snapshot.h"
#include "http/record/record.h"
#include "http/wire/reply.h"
#include "http/wire/request.h"

struct event_body {
    struct json_text_value id, name, preset, copy_seats_from, description, venue, image, transfer,
        single_seats, access, timezone;
    struct json_int_value starts_at, on_sale_at, off_sale_at, per_user_limit, staff_hold_seconds,
        cancel_until_seconds;
    struct terms_body terms;
    struct queue_body waiting_room;
    struct json_bool_value waiting_list, guests;
    struct json_list_value categories, prices;
};

static const struct preset {
    struct text name;
    struct terms_defaults defaults;
} presets[] = {
    {{"concert", 7}, {EVENT_HOLD_TTL_S, EVENT_MAX_HOLD_S, 0}}, /* also without a preset */
    {{"airline", 7}, {1200, 1800, 0}},
    {{"hotel", 5}, {1800, 2700, 0}},
    {{"restaurant", 10}, {300, 600, 0}},
};

static const struct preset *preset_find(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
        if (text_equal(presets[i].name, (struct text){text, size}))
            return &presets[i];
    return NULL;
}

static const char *words_preset(unsigned index)
{
    return index < sizeof(presets) / sizeof(presets[0]) ? presets[index].name.at : NULL;
}

const struct json_field api_event_fields[] = {
    FIELD_TEXT(struct event_body, name, 1, NAME_SIZE_MAX, JSON_REQUIRED, text_check_name, ABOUT_NAME),
    JSON_TIME(struct event_body, starts_at, JSON_NULLABLE, .about = ABOUT_STARTS_AT),
    JSON_TIME(struct event_body, on_sale_at, JSON_NULLABLE, .about = ABOUT_ON_SALE_AT),
    JSON_TIME(struct event_body, off_sale_at, JSON_NULLABLE, .about = ABOUT_OFF_SALE_AT),
    TERMS_CURRENCY(struct event_body),
    FIELD_PUT_ONLY(struct event_body, preset, JSON_OPTIONAL, .word = words_preset,
                   .about = "Default TTL and maximum in seconds: concert 600 and 900, airline 1200 and 1800, "
                            "hotel 1800 and 2700, restaurant 300 and 600."),
    TERMS_RULES(struct event_body, NULL),
    JSON_INT(struct event_body, staff_hold_seconds, 1, TTL_SECONDS_MAX, JSON_OPTIONAL,
             .about = ABOUT_STAFF_HOLD " Defaults to that."),
    JSON_INT_OR(struct event_body, per_user_limit, 0, INT32_MAX, 0, .about = ABOUT_LIMIT),
    JSON_OBJECT(struct event_body, waiting_room, queue_body_fields, JSON_NULLABLE, .about = ABOUT_QUEUE),
    JSON_BOOL_OR(struct event_body, waiting_list, false, .about = ABOUT_LIST),
    JSON_BOOL_OR(struct event_body, guests, true, .about = ABOUT_GUESTS),
    FIELD_WORD(struct event_body, access, JSON_OPTIONAL, event_access_word, ABOUT_ACCESS),
    FIELD_FORM(struct event_body, description, 1, DESCRIPTION_SIZE_MAX, JSON_NULLABLE, text_check_description,
               FIELD_BYTES(1, DESCRIPTION_SIZE_MAX) " except tab and line breaks", ABOUT_DESCRIPTION),
    FIELD_TEXT(struct event_body, venue, 1, VENUE_SIZE_MAX, JSON_NULLABLE, text_check_venue, ABOUT_VENUE),
    FIELD_FORM(struct event_body, image, 1, IMAGE_SIZE_MAX, JSON_NULLABLE, text_check_image,
               "a path that begins with /, or an https URL", ABOUT_IMAGE),
    {JSON_FIELD(JSON_KIND_TEXT, struct event_body, timezone, JSON_OPTIONAL), .least = 1,
     .most = ZONE_NAME_SIZE_MAX, .check = zone_name_valid, .form = "an IANA time zone such as Europe/London",
     .default_json = "\"UTC\"", .about = ABOUT_EVENT_TIMEZONE},
    {JSON_FIELD(JSON_KIND_TEXT, struct event_body, transfer, JSON_OPTIONAL), .word = transfer_rule_word,
     .default_json = "\"on\"", .about = ABOUT_TRANSFER},
    JSON_INT(struct event_body, cancel_until_seconds, 0, CANCEL_SECONDS_MAX, JSON_NULLABLE,
             .about = ABOUT_CANCEL_SECONDS),
    FIELD_WORD(struct event_body, single_seats, JSON_OPTIONAL, words_single_seats, ABOUT_SINGLE_SEATS),
    PRICE_BODY_CATEGORIES(struct event_body),
    PRICE_BODY_BY_TIER(struct event_body),
    FIELD_PUT_ONLY(
        struct event_body, copy_seats_from, JSON_NULLABLE, .least = 1, .most = ID_SIZE_MAX,
        .check = text_check_id, .form = FIELD_ID_FORM,
        .about =
            "An event from which to copy the seats, with blocks and allotments, and the pools. Only for an "
            "event without seats."),
    FIELD_SAME_ID(struct event_body),
    FIELD_SHOWN("created_at"),
    FIELD_SHOWN("cancelled_at"),
    FIELD_SHOWN("cancel_reason"),
    FIELD_SHOWN("counts"),
    JSON_END,
};

/* The zone that the image names, if any; the caller releases it. False: no such zone, and 400 was replied. */
static bool find_zone(struct request *r, struct event_image *image, struct zone **zone)
{
    if (text_equal(image->timezone, TEXT("UTC")))
        image->timezone = (struct text){0}; /* core keeps UTC as an absent zone */
    *zone = image->timezone.at ? zone_load(image->timezone.at) : NULL;
    if (image->timezone.at && !*zone)
        reply_invalid(r, "/timezone", "Invalid timezone: no such time zone.");
    return !image->timezone.at || *zone;
}

/* False: the body is invalid, and 400 was replied. */
static bool fill_event(struct request *r, const struct event_body *body, struct event_image *image)
{
    image->name = text_given(body->name);
    image->starts_at_ms = body->starts_at.value;
    image->on_sale_at_ms = body->on_sale_at.value;
    image->off_sale_at_ms = body->off_sale_at.value;
    image->per_user_limit = (uint32_t)body->per_user_limit.value;
    image->no_guests = body->guests.given && !body->guests.value;
    if (body->access.text)
        event_access_read(text_given(body->access), &image->access);
    image->has_queue = body->waiting_room.object.given && !body->waiting_room.object.is_null;
    image->has_list = body->waiting_list.value;
    image->description = text_given(body->description);
    image->venue = text_given(body->venue);
    image->image = text_given(body->image);
    image->timezone = text_given(body->timezone);
    image->transfer = TRANSFER_ON;
    if (body->transfer.text)
        transfer_rule_read(text_given(body->transfer), &image->transfer);
    image->cancels = body->cancel_until_seconds.given && !body->cancel_until_seconds.is_null;
    image->cancel_until_s = (uint32_t)body->cancel_until_seconds.value;
    image->refuse_singles = text_equal(text_given(body->single_seats), TEXT("refuse"));
    image->prices = price_body_by_tier(r, &body->prices);
    terms_body_read(&body->terms, &image->terms);
    image->terms.staff_hold_s = (uint32_t)body->staff_hold_seconds.value;
    return price_body_categories(r, &body->categories, &image->categories) &&
           (!image->has_queue || queue_body_read(r, &body->waiting_room, "/waiting_room", &image->queue));
}

/* Core uses it only if the event needs a key and has none yet. */
static void draw_entry_key(struct event_image *image)
{
    image->entry_key[0] = random_u64();
    image->entry_key[1] = random_u64();
}

static void event_put_done(struct call *call, const struct outcome *outcome)
{
    queue_snapshots_forget(call->request->server, outcome->event.id);
    struct json_writer *w = reply_json(call->request, outcome->created ? 201 : 200);
    encode_event(w, &outcome->event, &outcome->counts);
    reply_finish(call->request);
}

/* Core has its own reference if it keeps the zone. */
static void put_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.event_put.zone);
}

static void patch_ended(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    zone_release(call->command.event_patch.zone);
}

HANDLER(api_event_put)
{
    struct event_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_check_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_EVENT_PUT);
    struct event_image *image = &call->command.event_put.image;
    if (!fill_event(r, &body, image) || !find_zone(r, image, &call->command.event_put.zone))
        return;
    call->ended = put_ended;
    image->id = r->parameters[0];
    draw_entry_key(image);
    random_bytes(call->command.event_put.seed, sizeof(call->command.event_put.seed));
    call->command.event_put.copy_seats_from = text_given(body.copy_seats_from);
    if (body.preset.text) /* explicit values take precedence */
        call->command.event_put.preset = preset_find(body.preset.text, body.preset.size)->defaults;
    call_submit(call, event_put_done);
}

HANDLER(api_event_patch)
{
    struct event_body body;
    uint64_t named;
    if (!request_decode_patch(r, &body, sizeof(body), &named) || !call_check_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_EVENT_PATCH);
    struct event_patch *patch = &call->command.event_patch;
    if (!fill_event(r, &body, &patch->values) || !find_zone(r, &patch->values, &patch->zone))
        return;
    call->ended = patch_ended;
    patch->id = r->parameters[0];
    patch->given = patch_body_given(r->route->fields, named, event_patch_fields);
    patch->queue_given =
        patch_body_given(queue_body_fields, body.waiting_room.object.named, queue_patch_fields);
    patch->values.prices = price_body_patch(r, &body.prices);
    draw_entry_key(&patch->values);
    random_bytes(patch->seed, sizeof(patch->seed));
    call_submit(call, event_put_done);
}

HANDLER(api_event_get)
{
    struct event_view view;
    if (!view_event_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    encode_event(reply_json(r, 200), &view.image, &view.counts);
    reply_wait(r, view.seq);
    reply_finish(r);
}

HANDLER(api_event_list)
{
    uint32_t limit;
    struct id after; /* the number of an event, in the form of an id */
    struct event_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_event_after(r->view, after.low, &view); limit--) {
        encode_event(w, &view.image, &view.counts);
        reply_wait(r, view.seq);
        after.low = view.image.number;
    }
    page_end(w, limit == 0 && view_event_after(r->view, after.low, &view), after);
    reply_wait(r, view_absent_seq(r->view)); /* an event missing here may have been removed a moment ago */
    reply_finish(r);
}

static void event_removed(struct call *call, const struct outcome *outcome)
{
    queue_snapshots_forget(call->request->server, call->command.event);
    call_reply_empty(call, outcome);
}

HANDLER(api_event_remove)
{
    struct call *call = call_make(r, COMMAND_EVENT_REMOVE);
    call->command.event = r->parameters[0];
    call_submit(call, event_removed);
}

/* ---- Pools ---- */

/* clang-format off */
#define POOL(F) \
    F(TEXT, id, "floor", "The id of the pool within its event.", pool->id) \
    F(TEXT_OR_NULL, name, "Standing room", ABOUT_NAME, pool->name) \
    F(UINT, capacity, 500, ABOUT_POOL_CAPACITY, pool->capacity) \
    F(UINT, available, 498, "How many units are free.", pool->available) \
    F(INT, price, 2500, ABOUT_POOL_PRICE, pool->price) \
    F(INTS_OR_NULL, prices, null, ABOUT_POOL_PRICES, pool->prices) \
    F(MAYBE_TEXT_OR_NULL, allotment, , ABOUT_POOL_ALLOTMENT " Only for app and admin keys.", encode_for_staff(role), \
      pool->allotment)
RECORD(pool, "A pool of identical units.", POOL)
/* clang-format on */

struct pool_body {
    struct json_text_value id, name, allotment;
    struct json_int_value capacity, price;
    struct json_list_value prices;
};

const struct json_field api_pool_fields[] = {
    JSON_INT(struct pool_body, capacity, 0, POOL_CAPACITY_MAX, JSON_REQUIRED, .about = ABOUT_POOL_CAPACITY),
    JSON_INT_OR(struct pool_body, price, 0, PRICE_MAX, 0, .about = ABOUT_POOL_PRICE),
    PRICE_BODY_AMOUNTS(struct pool_body),
    FIELD_TEXT(struct pool_body, name, 1, NAME_SIZE_MAX, JSON_NULLABLE, text_check_name, ABOUT_NAME),
    FIELD_ALLOTMENT(struct pool_body, allotment, JSON_NULLABLE, ABOUT_POOL_ALLOTMENT),
    FIELD_SAME_ID(struct pool_body),
    FIELD_SHOWN("available"),
    JSON_END,
};

static void encode_pool(struct json_writer *w, enum role role, const struct pool_image *pool)
{
    WRITE_RECORD(POOL);
}

static void pool_put_done(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    encode_pool(reply_json(r, outcome->created ? 201 : 200), r->actor.role, &outcome->pool);
    reply_finish(r);
}

HANDLER(api_pool_put)
{
    struct pool_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_check_id(r, 1, body.id))
        return;
    struct call *call = call_make(r, COMMAND_POOL_PUT);
    call->command.pool_put.event = r->parameters[0];
    call->command.pool_put.id = r->parameters[1];
    call->command.pool_put.name = text_given(body.name);
    call->command.pool_put.capacity = (uint32_t)body.capacity.value;
    call->command.pool_put.price = body.price.value;
    call->command.pool_put.prices = price_body_amounts(r, &body.prices);
    call->command.pool_put.allotment = text_given(body.allotment);
    call_submit(call, pool_put_done);
}

HANDLER(api_pool_get)
{
    struct pool_view view;
    enum outcome_code code = view_pool_find(r->view, r->parameters[0], r->parameters[1], &view);
    if (code != OUTCOME_OK) {
        reply_outcome(r, code);
        return;
    }
    encode_pool(reply_json(r, 200), r->actor.role, &view.image);
    reply_wait(r, view.seq);
    reply_finish(r);
}

HANDLER(api_pool_list)
{
    uint32_t limit;
    struct id after; /* how many were shown before, in the form of an id */
    struct pool_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    enum outcome_code code = view_pool_at(r->view, r->parameters[0], after.low, &view);
    if (code == OUTCOME_NO_SUCH_EVENT) {
        reply_outcome(r, code);
        return;
    }
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && code == OUTCOME_OK; limit--) {
        encode_pool(w, r->actor.role, &view.image);
        code = view_pool_at(r->view, r->parameters[0], ++after.low, &view);
    }
    page_end(w, code == OUTCOME_OK, after);
    reply_wait(r, view.seq);
    reply_finish(r);
}
