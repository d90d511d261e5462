/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api.h"

#include "http/call.h"
#include "http/encode.h"
#include "http/page.h"
#include "http/reply.h"
#include "http/request.h"
#include "http/shape.h"

#define HOLD_TTL_SECONDS 600
#define MAX_HOLD_SECONDS 900
#define PAYMENT_TTL_SECONDS 300

struct event_body {
    struct json_text_value name, currency, preset, payment, late_payment, copy_seats_from;
    struct json_int_value starts_at, on_sale_at, off_sale_at;
    struct json_int_value hold_ttl_seconds, max_hold_seconds, payment_ttl_seconds, per_user_limit;
};

static const struct preset {
    struct text name;
    uint32_t hold_ttl_s, max_hold_s;
} presets[] = {
    {{"concert", 7}, 600, 900},
    {{"airline", 7}, 1200, 1800},
    {{"hotel", 5}, 1800, 2700},
    {{"restaurant", 10}, 300, 600},
};

static const struct preset *preset_find(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof(presets) / sizeof(presets[0]); i++)
        if (text_equal(presets[i].name, (struct text){text, size}))
            return &presets[i];
    return NULL;
}

static bool shape_preset(const char *text, size_t size)
{
    return preset_find(text, size) != NULL;
}

#define WORD(member, check) SHAPE_TEXT(struct event_body, member, 1, 32, JSON_OPTIONAL, check)
const struct json_field api_event_fields[] = {
    SHAPE_TEXT(struct event_body, name, 1, NAME_SIZE_MAX, JSON_REQUIRED, shape_name),
    JSON_TIME(struct event_body, starts_at, JSON_NULLABLE),
    JSON_TIME(struct event_body, on_sale_at, JSON_NULLABLE),
    JSON_TIME(struct event_body, off_sale_at, JSON_NULLABLE),
    SHAPE_TEXT(struct event_body, currency, 3, 3, JSON_OPTIONAL, shape_currency),
    WORD(preset, shape_preset),
    JSON_INT(struct event_body, hold_ttl_seconds, 1, TTL_SECONDS_MAX, JSON_OPTIONAL),
    JSON_INT(struct event_body, max_hold_seconds, 1, TTL_SECONDS_MAX, JSON_OPTIONAL),
    JSON_INT(struct event_body, payment_ttl_seconds, 0, TTL_SECONDS_MAX, JSON_OPTIONAL),
    WORD(payment, shape_payment_rule),
    WORD(late_payment, shape_late_payment_rule),
    JSON_INT(struct event_body, per_user_limit, 0, INT32_MAX, JSON_OPTIONAL),
    SHAPE_ID(struct event_body, copy_seats_from, JSON_NULLABLE),
    JSON_END,
};

static uint32_t seconds_or(struct json_int_value value, uint32_t otherwise)
{
    return value.given ? (uint32_t)value.value : otherwise;
}

/* Explicit values beat the preset; a TTL without a maximum brings its own. */
static void fill_ttls(const struct event_body *body, struct event_image *image)
{
    uint32_t ttl_s = HOLD_TTL_SECONDS, max_s = MAX_HOLD_SECONDS;
    const struct preset *preset =
        body->preset.text ? preset_find(body->preset.text, body->preset.size) : NULL;
    if (preset) {
        ttl_s = preset->hold_ttl_s;
        max_s = preset->max_hold_s;
    }
    if (body->hold_ttl_seconds.given) {
        ttl_s = (uint32_t)body->hold_ttl_seconds.value;
        max_s = ttl_s + ttl_s / 2 < TTL_SECONDS_MAX ? ttl_s + ttl_s / 2 : TTL_SECONDS_MAX;
    }
    image->hold_ttl_s = ttl_s;
    image->max_hold_s = seconds_or(body->max_hold_seconds, max_s);
    image->payment_ttl_s = seconds_or(body->payment_ttl_seconds, PAYMENT_TTL_SECONDS);
}

static void fill_event(const struct event_body *body, struct event_image *image)
{
    image->name = shape_text(body->name);
    image->starts_at_ms = body->starts_at.value;
    image->on_sale_at_ms = body->on_sale_at.value;
    image->off_sale_at_ms = body->off_sale_at.value;
    memcpy(image->currency, body->currency.text ? body->currency.text : "EUR", 4);
    bool free_of_charge = body->payment.text && body->payment.text[0] == 'n';
    image->payment = free_of_charge ? PAYMENT_NONE : PAYMENT_REQUIRED;
    bool refund = body->late_payment.text && body->late_payment.text[0] == 'r';
    image->late_payment = refund ? LATE_PAYMENT_REFUND : LATE_PAYMENT_ACCEPT_IF_FREE;
    image->per_user_limit = (uint32_t)body->per_user_limit.value;
    fill_ttls(body, image);
}

static void event_was_put(struct call *call, const struct outcome *outcome)
{
    struct json_writer *w = reply_json(call->request, outcome->created ? 201 : 200);
    encode_event(w, &outcome->event, &outcome->counts);
    reply_finish(call->request);
}

void api_event_put(struct request *r)
{
    struct event_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_EVENT_PUT);
    struct event_image *image = &call->command.event_put.image;
    fill_event(&body, image);
    image->id = r->parameters[0];
    call->command.event_put.copy_seats_from = shape_text(body.copy_seats_from);
    if (image->hold_ttl_s > image->max_hold_s) {
        bool own = body.hold_ttl_seconds.given;
        reply_invalid(r, own ? "/hold_ttl_seconds" : "/max_hold_seconds", "The TTL is over the maximum.");
        return;
    }
    call_submit(call, event_was_put);
}

void api_event_get(struct request *r)
{
    struct event_view view;
    if (!store_event_find(r->store, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_EVENT);
        return;
    }
    encode_event(reply_json(r, 200), &view.image, &view.counts);
    reply_wait(r, view.seq);
    reply_finish(r);
}

void api_event_list(struct request *r)
{
    uint32_t limit;
    struct id after; /* the number of an event, in the form of an id */
    struct event_view view;
    if (!page_limit(r, 0, &limit) || !page_cursor(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && store_event_after(r->store, after.low, &view); limit--) {
        encode_event(w, &view.image, &view.counts);
        reply_wait(r, view.seq);
        after.low = view.image.number;
    }
    if (limit == 0 && store_event_after(r->store, after.low, &view))
        page_end_more(w, after);
    else
        page_end(w);
    reply_finish(r);
}

void api_event_remove(struct request *r)
{
    struct call *call = call_make(r, COMMAND_EVENT_REMOVE);
    call->command.event = r->parameters[0];
    call_submit(call, call_reply_empty);
}
