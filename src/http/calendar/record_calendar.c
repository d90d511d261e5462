/* SPDX-License-Identifier: Apache-2.0 */
/* record_calendar.c — part of encode.h: calendars. */
#include "http/calendar/calendar_body.h"
#include "http/record/encode.h"
#include "http/record/record_terms.h"

/* clang-format off */
#define HOURS(F) \
    F(WORDS, days, "mon", ABOUT_HOURS_DAYS, calendar_body_day, write_days(w, range)) \
    F(CLOCK, from, "09:00", ABOUT_HOURS_FROM, range->from_minute) \
    F(CLOCK, to, "17:30", ABOUT_HOURS_TO, range->to_minute)
RECORD(opening_hours,
    "A range of opening hours in the calendar's time zone; it ends on the next day unless `to` is after `from`.",
    HOURS)

#define INTERVAL(F) \
    F(INSTANT, start, "2030-12-24T23:00:00.000Z", ABOUT_CLOSED_START, closed->start_ms) \
    F(INSTANT, end, "2030-12-25T23:00:00.000Z", ABOUT_CLOSED_END, closed->end_ms)
RECORD(closed_interval, "A closed interval.", INTERVAL)

#define SERVICE(F) \
    F(TEXT, id, "check_up", ABOUT_SERVICE_ID, service->id) \
    F(UINT, duration_minutes, 30, ABOUT_SERVICE_DURATION, service->duration_minutes) \
    F(INT, price, 4000, "The price in minor units.", service->price)
RECORD(service, "A service that can be booked: its duration and price.", SERVICE)

#define CALENDAR(F) \
    F(TEXT, id, "dr_smith", "The id of the calendar.", calendar->id) \
    F(TEXT, name, "Dr Smith", ABOUT_NAME, calendar->name) \
    F(TEXT, timezone, "Europe/London", ABOUT_CALENDAR_TIMEZONE, calendar->timezone) \
    F(UINT, capacity, 1, ABOUT_CALENDAR_CAPACITY, calendar->capacity) \
    F(INT, price, 5000, ABOUT_CALENDAR_PRICE, calendar->price) \
    TERMS(F, calendar->terms, 300) \
    F(UINT, slot_minutes, 30, ABOUT_CALENDAR_SLOT, calendar->slot_minutes) \
    F(UINT, buffer_minutes, 0, ABOUT_CALENDAR_BUFFER, calendar->buffer_minutes) \
    F(UINT, buffer_before_minutes, 0, ABOUT_CALENDAR_BUFFER_BEFORE, calendar->rules.buffer_before_minutes) \
    F(UINT_OR_NULL, min_minutes, null, ABOUT_CALENDAR_MIN, \
      calendar->rules.min_minutes, calendar->rules.min_minutes) \
    F(UINT_OR_NULL, max_minutes, null, ABOUT_CALENDAR_MAX, \
      calendar->rules.max_minutes, calendar->rules.max_minutes) \
    F(WORD, price_per, "slot", ABOUT_CALENDAR_PRICE_PER, price_per_word, \
      price_per_name(calendar->rules.price_per)) \
    F(UINT, notice_minutes, 0, ABOUT_CALENDAR_NOTICE, calendar->rules.notice_minutes) \
    F(UINT, horizon_days, 366, ABOUT_CALENDAR_HORIZON, calendar->rules.horizon_days) \
    F(UINT, per_user_limit, 0, ABOUT_CALENDAR_LIMIT, calendar->rules.per_user_limit) \
    F(UINT, change_until_minutes, 0, ABOUT_CALENDAR_CHANGE, calendar->rules.change_until_minutes) \
    F(UINT_OR_NULL, cancel_until_minutes, null, ABOUT_CALENDAR_CANCEL, calendar->rules.cancels, \
      calendar->rules.cancel_until_minutes) \
    F(UINT, size, 1, ABOUT_CALENDAR_SIZE, calendar->rules.size) \
    F(BOOL, guests, true, ABOUT_CALENDAR_GUESTS, calendar->rules.guests) \
    F(LIST, hours, , ABOUT_CALENDAR_HOURS, opening_hours, encode_hours(w, calendar)) \
    F(LIST, closed, , ABOUT_CALENDAR_CLOSED, closed_interval, encode_closed(w, calendar, INT64_MIN, INT64_MAX)) \
    F(LIST, services, , ABOUT_CALENDAR_SERVICES, service, write_services(w, calendar)) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", calendar->created_at_ms)
RECORD(calendar, "A calendar and its settings.", CALENDAR)

#define GROUP(F) \
    F(TEXT, id, "doctors", "The id of the group.", group->id) \
    F(TEXT, name, "Any doctor", ABOUT_NAME, group->name) \
    F(TEXTS, calendars, "dr_smith", ABOUT_GROUP_CALENDARS, calendars, group->member_count) \
    F(WORD, pick, "least_busy", ABOUT_GROUP_PICK, group_pick_word, group_pick_name(group->pick)) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", group->created_at_ms)
RECORD(group, "A group of interchangeable calendars.", GROUP)

/* ---- The stream ---- */

extern const struct schema schema_stream_reset;

#define SPAN(F) \
    F(INSTANT, from, "2030-06-03T08:00:00.000Z", "Slots that end after this time may have changed.", span->from_ms) \
    F(INSTANT, to, "2030-06-03T08:30:00.000Z", "Slots that start before this time may have changed.", span->to_ms)
RECORD(calendar_changed, "The available time changed.", SPAN)

#define CALENDAR_STREAM(F) \
    F(ONE, reset, , "List the slots first.", stream_reset) \
    F(ONE, changed, , "The available time changed.", calendar_changed)
RECORD(calendar_stream, "Changes of the available time of a calendar.", CALENDAR_STREAM)
/* clang-format on */

static void write_days(struct json_writer *w, const struct hours_range *range)
{
    json_array_begin(w);
    for (unsigned day = 0; calendar_body_day(day); day++)
        if (range->days & 1u << day)
            json_string(w, calendar_body_day(day));
    json_array_end(w);
}

void encode_hours(struct json_writer *w, const struct calendar_image *calendar)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->hours_count; i++) {
        const struct hours_range *range = &calendar->hours[i];
        WRITE_RECORD(HOURS);
    }
    json_array_end(w);
}

void encode_closed(struct json_writer *w, const struct calendar_image *calendar, int64_t start_ms,
                   int64_t end_ms)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->closed_count; i++) {
        const struct closed_interval *closed = &calendar->closed[i];
        if (closed->start_ms < end_ms && closed->end_ms > start_ms)
            WRITE_RECORD(INTERVAL);
    }
    json_array_end(w);
}

static void write_services(struct json_writer *w, const struct calendar_image *calendar)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->service_count; i++) {
        const struct service_image *service = &calendar->services[i];
        if (!service->removed)
            WRITE_RECORD(SERVICE);
    }
    json_array_end(w);
}

void encode_calendar(struct json_writer *w, const struct calendar_image *calendar)
{
    WRITE_RECORD(CALENDAR);
}

void encode_span(struct json_writer *w, const struct span_view *span)
{
    WRITE_RECORD(SPAN);
}

void encode_group(struct json_writer *w, const struct group_image *group)
{
    struct text calendars[GROUP_CALENDARS_MAX];
    for (uint32_t i = 0; i < group->member_count; i++)
        calendars[i] = group->members[i].id;
    WRITE_RECORD(GROUP);
}
