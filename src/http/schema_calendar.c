/* SPDX-License-Identifier: Apache-2.0 */
/* schema_calendar.c — of schema.h: calendars and their slots. */
#include "http/calendar_body.h"
#include "http/schema_table.h"
#include "http/schema_terms.h"

/* clang-format off */

RECORD(calendar, "The settings of a calendar: time that can be claimed.",
    MEMBER(id, TEXT),
    MEMBER(name, TEXT),
    MEMBER(timezone, TEXT),
    MEMBER(capacity, INT),
    MEMBER(price, INT),
    SCHEMA_TERMS,
    MEMBER(slot_minutes, INT),
    MEMBER(buffer_minutes, INT),
    LIST(hours, hours),
    LIST(closed, interval),
    LIST(services, service),
    MEMBER(created_at, TIME))

RECORD(hours,
    "A range of opening hours on the clocks of the calendar; past midnight where `to` is not after `from`.",
    WORDS(days, words_day),
    MEMBER(from, TEXT),
    MEMBER(to, TEXT))

RECORD(interval, "A time that is closed.",
    MEMBER(start, TIME), MEMBER(end, TIME))

RECORD(service, "What can be booked: how long it takes and what it costs.",
    MEMBER(id, TEXT),
    MEMBER(duration_minutes, INT),
    MEMBER(price, INT))

RECORD(slot, "A time that can be claimed, and how often.",
    MEMBER(start, TIME),
    MEMBER(end, TIME),
    MEMBER(available, INT))
/* clang-format on */
