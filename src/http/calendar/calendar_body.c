/* SPDX-License-Identifier: Apache-2.0 */
#include "http/calendar/calendar_body.h"

#include <stdio.h>

#include "base/text/digits.h"
#include "base/time/zone.h"
#include "core/terms.h"
#include "http/api/call.h"
#include "http/api/terms_body.h"
#include "http/api/text_check.h"
#include "http/wire/reply.h"

#define SLOT_MINUTES 30
#define CAPACITY 1
#define DURATION_MINUTES_MAX (SLOT_LENGTH_MAX_MS / 60000)
#define DAYS 7

struct calendar_body {
    struct json_text_value id, name, timezone;
    struct json_int_value capacity, price, slot_minutes, buffer_minutes;
    struct json_int_value buffer_before_minutes, min_minutes, max_minutes, notice_minutes, horizon_days,
        per_user_limit, change_until_minutes, cancel_until_minutes, size;
    struct json_text_value price_per;
    struct json_bool_value guests;
    struct terms_body terms;
    struct json_list_value hours, closed, services;
};

struct hours_body {
    struct json_list_value days;
    struct json_text_value from, to;
};

struct closed_body {
    struct json_int_value start, end;
};

struct service_body {
    struct json_text_value id;
    struct json_int_value duration_minutes, price;
};

/* ---- Days and clock times ---- */

static const char day_names[DAYS][4] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

const char *calendar_body_day(unsigned day)
{
    return day < DAYS ? day_names[day] : NULL;
}

/* DAYS if it is not a day. */
static unsigned day_read(const char *text, size_t size)
{
    unsigned day = 0;
    while (day < DAYS && (size != 3 || memcmp(day_names[day], text, 3) != 0))
        day++;
    return day;
}

/* "HH:MM" as minutes since midnight; "24:00" is 1440. -1: invalid. */
static int clock_minute(const char *text, size_t size)
{
    uint64_t hour, minute;
    if (size != 5 || text[2] != ':' || !digits_read(text, 2, &hour) || !digits_read(text + 3, 2, &minute))
        return -1;
    return minute < 60 && hour * 60 + minute <= HOURS_DAY_MINUTES ? (int)(hour * 60 + minute) : -1;
}

static bool is_from(const char *text, size_t size)
{
    int minute = clock_minute(text, size);
    return minute >= 0 && minute < HOURS_DAY_MINUTES;
}

static bool is_to(const char *text, size_t size)
{
    return clock_minute(text, size) >= 0;
}

/* ---- The tables ---- */

static const struct json_field hours_fields[] = {
    JSON_TEXTS(struct hours_body, days, 1, DAYS, JSON_REQUIRED, .word = calendar_body_day,
               .about = ABOUT_HOURS_DAYS),
    FIELD_FORM(struct hours_body, from, 5, 5, JSON_REQUIRED, is_from, "a time of day such as 09:00",
               ABOUT_HOURS_FROM),
    FIELD_FORM(struct hours_body, to, 5, 5, JSON_REQUIRED, is_to,
               "a time of day such as 17:30, at most 24:00", ABOUT_HOURS_TO),
    JSON_END,
};

static const struct json_field closed_fields[] = {
    JSON_TIME(struct closed_body, start, JSON_REQUIRED, .about = ABOUT_CLOSED_START),
    JSON_TIME(struct closed_body, end, JSON_REQUIRED, .about = ABOUT_CLOSED_END),
    JSON_END,
};

static const struct json_field service_fields[] = {
    FIELD_ID(struct service_body, id, JSON_REQUIRED, ABOUT_SERVICE_ID),
    JSON_INT(struct service_body, duration_minutes, 1, DURATION_MINUTES_MAX, JSON_REQUIRED,
             .about = ABOUT_SERVICE_DURATION),
    JSON_INT(struct service_body, price, 0, PRICE_MAX, JSON_OPTIONAL,
             .about = "The price in minor units. Defaults to the calendar's."),
    JSON_END,
};

#define INT(member, least, most, default_value, about_)                                                      \
    JSON_INT_OR(struct calendar_body, member, least, most, default_value, .about = about_)
#define LENGTH(member, about_)                                                                               \
    JSON_INT(struct calendar_body, member, 1, LENGTH_MINUTES_MAX, JSON_NULLABLE, .about = about_)
#define LIST(member, element, most, about_)                                                                  \
    JSON_LIST(struct calendar_body, member, struct element##_body, element##_fields, 0, most, JSON_OPTIONAL, \
              .about = about_)

const struct json_field api_calendar_fields[] = {
    FIELD_TEXT(struct calendar_body, name, 1, NAME_SIZE_MAX, JSON_REQUIRED, text_check_name, ABOUT_NAME),
    {JSON_FIELD(JSON_KIND_TEXT, struct calendar_body, timezone, JSON_OPTIONAL), .least = 1,
     .most = ZONE_NAME_SIZE_MAX, .check = zone_name_valid, .form = "an IANA time zone such as Europe/London",
     .default_json = "\"" CALENDAR_TIMEZONE "\"", .about = ABOUT_CALENDAR_TIMEZONE},
    INT(capacity, 1, CALENDAR_CAPACITY_MAX, CAPACITY, ABOUT_CALENDAR_CAPACITY),
    INT(price, 0, PRICE_MAX, 0, ABOUT_CALENDAR_PRICE),
    TERMS_CURRENCY(struct calendar_body),
    TERMS_RULES(struct calendar_body, JSON_STRINGIFY(CALENDAR_HOLD_TTL_S)),
    INT(slot_minutes, 1, SLOT_MINUTES_MAX, SLOT_MINUTES, ABOUT_CALENDAR_SLOT),
    INT(buffer_minutes, 0, BUFFER_MINUTES_MAX, 0, ABOUT_CALENDAR_BUFFER),
    INT(buffer_before_minutes, 0, BUFFER_MINUTES_MAX, 0, ABOUT_CALENDAR_BUFFER_BEFORE),
    LENGTH(min_minutes, ABOUT_CALENDAR_MIN),
    LENGTH(max_minutes, ABOUT_CALENDAR_MAX),
    {JSON_FIELD(JSON_KIND_TEXT, struct calendar_body, price_per, JSON_OPTIONAL), .word = price_per_word,
     .default_json = "\"slot\"", .about = ABOUT_CALENDAR_PRICE_PER},
    INT(notice_minutes, 0, NOTICE_MINUTES_MAX, 0, ABOUT_CALENDAR_NOTICE),
    INT(horizon_days, 1, HORIZON_DAYS_MAX, HORIZON_DAYS, ABOUT_CALENDAR_HORIZON),
    INT(per_user_limit, 0, CALENDAR_LIMIT_MAX, 0, ABOUT_CALENDAR_LIMIT),
    INT(change_until_minutes, 0, NOTICE_MINUTES_MAX, 0, ABOUT_CALENDAR_CHANGE),
    JSON_INT(struct calendar_body, cancel_until_minutes, 0, NOTICE_MINUTES_MAX, JSON_NULLABLE,
             .about = ABOUT_CALENDAR_CANCEL),
    INT(size, 1, CALENDAR_SIZE_MAX, 1, ABOUT_CALENDAR_SIZE),
    JSON_BOOL_OR(struct calendar_body, guests, true, .about = ABOUT_CALENDAR_GUESTS),
    LIST(hours, hours, HOURS_MAX, ABOUT_CALENDAR_HOURS),
    LIST(closed, closed, CLOSED_MAX, ABOUT_CALENDAR_CLOSED),
    LIST(services, service, SERVICES_MAX, ABOUT_CALENDAR_SERVICES),
    FIELD_SAME_ID(struct calendar_body),
    FIELD_SHOWN("created_at"),
    JSON_END,
};

/* ---- From the body to the image ---- */

static bool fill_range(struct request *r, const struct hours_body *body, size_t index,
                       struct hours_range *range)
{
    const struct json_text_value *days = body->days.entries;
    *range = (struct hours_range){0};
    for (size_t i = 0; i < body->days.count; i++) {
        unsigned bit = 1u << day_read(days[i].text, days[i].size);
        if (range->days & bit) {
            char pointer[64];
            snprintf(pointer, sizeof(pointer), "/hours/%zu/days/%zu", index, i);
            return reply_invalid(r, pointer, "Duplicate day.");
        }
        range->days = (uint8_t)(range->days | bit);
    }
    range->from_minute = (uint16_t)clock_minute(body->from.text, body->from.size);
    range->to_minute = (uint16_t)(clock_minute(body->to.text, body->to.size) % HOURS_DAY_MINUTES);
    return true;
}

static bool fill_hours(struct request *r, const struct json_list_value *list, struct calendar_image *out)
{
    const struct hours_body *bodies = list->entries;
    struct hours_range *ranges = arena_take(&r->arena, list->count * sizeof(*ranges));
    for (size_t i = 0; i < list->count; i++)
        if (!fill_range(r, &bodies[i], i, &ranges[i]))
            return false;
    out->hours = ranges;
    out->hours_count = (uint32_t)list->count;
    return true;
}

static void fill_closed(struct request *r, const struct json_list_value *list, struct calendar_image *out)
{
    const struct closed_body *bodies = list->entries;
    struct closed_interval *closed = arena_take(&r->arena, list->count * sizeof(*closed));
    for (size_t i = 0; i < list->count; i++)
        closed[i] = (struct closed_interval){bodies[i].start.value, bodies[i].end.value};
    out->closed = closed;
    out->closed_count = (uint32_t)list->count;
}

static void fill_services(struct request *r, const struct json_list_value *list, struct calendar_image *out)
{
    const struct service_body *bodies = list->entries;
    struct service_image *services = arena_take(&r->arena, list->count * sizeof(*services));
    for (size_t i = 0; i < list->count; i++)
        services[i] = (struct service_image){
            .id = text_given(bodies[i].id),
            .duration_minutes = (uint32_t)bodies[i].duration_minutes.value,
            .price = bodies[i].price.given ? bodies[i].price.value : SERVICE_PRICE_OPEN,
        };
    out->services = services;
    out->service_count = (uint32_t)list->count;
}

static uint32_t value_or(struct json_int_value value, uint32_t default_value)
{
    return value.given ? (uint32_t)value.value : default_value;
}

static void fill_rules(const struct calendar_body *body, struct calendar_rules *out)
{
    *out = (struct calendar_rules){
        .buffer_before_minutes = (uint32_t)body->buffer_before_minutes.value,
        .min_minutes = (uint32_t)body->min_minutes.value,
        .max_minutes = (uint32_t)body->max_minutes.value,
        .price_per = PRICE_PER_SLOT,
        .notice_minutes = (uint32_t)body->notice_minutes.value,
        .horizon_days = value_or(body->horizon_days, HORIZON_DAYS),
        .per_user_limit = (uint32_t)body->per_user_limit.value,
        .change_until_minutes = (uint32_t)body->change_until_minutes.value,
        .cancels = body->cancel_until_minutes.given && !body->cancel_until_minutes.is_null,
        .cancel_until_minutes = (uint32_t)body->cancel_until_minutes.value,
        .size = value_or(body->size, 1),
        .guests = !body->guests.given || body->guests.value,
    };
    if (body->price_per.text)
        price_per_read(text_given(body->price_per),
                       &out->price_per); /* cannot fail: the table allows only these */
}

static bool fill_calendar(struct request *r, const struct calendar_body *body, struct calendar_image *out)
{
    out->name = text_given(body->name);
    out->timezone = body->timezone.text ? text_given(body->timezone) : TEXT(CALENDAR_TIMEZONE);
    out->capacity = value_or(body->capacity, CAPACITY);
    out->price = body->price.value;
    out->slot_minutes = value_or(body->slot_minutes, SLOT_MINUTES);
    out->buffer_minutes = value_or(body->buffer_minutes, 0);
    fill_rules(body, &out->rules);
    fill_closed(r, &body->closed, out);
    fill_services(r, &body->services, out);
    terms_body_read(&body->terms, &out->terms);
    return fill_hours(r, &body->hours, out);
}

bool calendar_body_read(struct request *r, struct calendar_image *out, uint64_t *named)
{
    struct calendar_body body;
    bool read =
        named ? request_decode_patch(r, &body, sizeof(body), named) : request_decode(r, &body, sizeof(body));
    return read && call_check_id(r, 0, body.id) && fill_calendar(r, &body, out);
}
