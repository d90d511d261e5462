/* SPDX-License-Identifier: Apache-2.0 */
/* schema_calendar.c — of schema.h: calendars and their slots. */
#include "http/api/calendar_body.h"
#include "http/describe/schema_table.h"
#include "http/describe/schema_terms.h"

/* clang-format off */

RECORD(calendar, "The settings of a calendar: time that can be claimed.",
    MEMBER(id, TEXT, "dr_smith", "The id, as in the path."),
    MEMBER(name, TEXT, "Dr Smith", ABOUT_NAME),
    MEMBER(timezone, TEXT, "Europe/London", ABOUT_CALENDAR_TIMEZONE),
    MEMBER(capacity, INT, 1, ABOUT_CALENDAR_CAPACITY),
    MEMBER(price, INT, 5000, ABOUT_CALENDAR_PRICE),
    SCHEMA_TERMS(300),
    MEMBER(slot_minutes, INT, 30, ABOUT_CALENDAR_SLOT),
    MEMBER(buffer_minutes, INT, 0, ABOUT_CALENDAR_BUFFER),
    LIST(hours, hours, ABOUT_CALENDAR_HOURS),
    LIST(closed, interval, ABOUT_CALENDAR_CLOSED),
    LIST(services, service, ABOUT_CALENDAR_SERVICES),
    MEMBER(created_at, TIME, "2030-05-01T08:00:00.000Z", "When it was made."))

RECORD(hours,
    "A range of opening hours on the clocks of the calendar; past midnight where `to` is not after `from`.",
    WORDS(days, calendar_body_day, "mon", ABOUT_HOURS_DAYS),
    MEMBER(from, TEXT, "09:00", ABOUT_HOURS_FROM),
    MEMBER(to, TEXT, "17:30", ABOUT_HOURS_TO))

RECORD(interval, "A time that is closed.",
    MEMBER(start, TIME, "2030-12-24T23:00:00.000Z", ABOUT_CLOSED_START),
    MEMBER(end, TIME, "2030-12-25T23:00:00.000Z", ABOUT_CLOSED_END))

RECORD(service, "What can be booked: how long it takes and what it costs.",
    MEMBER(id, TEXT, "check_up", ABOUT_SERVICE_ID),
    MEMBER(duration_minutes, INT, 30, ABOUT_SERVICE_DURATION),
    MEMBER(price, INT, 4000, "What it costs, in minor units."))

RECORD(slot, "A time that can be claimed, and how often.",
    MEMBER(start, TIME, "2030-06-03T08:00:00.000Z", "When it begins."),
    MEMBER(end, TIME, "2030-06-03T08:30:00.000Z", "When it ends."),
    MEMBER(available, INT, 1, "How many more could have it."))
/* clang-format on */
