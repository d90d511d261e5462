/* SPDX-License-Identifier: Apache-2.0 */
#include "http/record/hours_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/time/rfc3339.h"
#include "base/time/zone.h"

#define DAYS 7
#define RANGES_SHOWN 14

struct sentence {
    char *out;
    size_t size;
};

static void say(struct sentence *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(s->out + s->size, HOURS_TEXT_SIZE - s->size, format, arguments);
    va_end(arguments);
    ASSERT(size >= 0 && (size_t)size < HOURS_TEXT_SIZE - s->size);
    s->size += (size_t)size;
}

/* "Mon-Fri", "Sat, Sun": three days in a row or more are a span. */
static void say_days(struct sentence *s, uint8_t days)
{
    static const char names[DAYS][4] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    const char *comma = "";
    for (unsigned day = 0; day < DAYS; day++) {
        if (!(days & 1u << day))
            continue;
        unsigned last = day;
        while (last + 1 < DAYS && days & 1u << (last + 1))
            last++;
        say(s, "%s%s", comma, names[day]);
        comma = ", ";
        if (last >= day + 2) {
            say(s, "-%s", names[last]);
            day = last;
        }
    }
}

static void say_hours(struct sentence *s, const struct calendar_image *calendar)
{
    for (uint32_t i = 0; i < calendar->hours_count; i++) {
        const struct hours_range *range = &calendar->hours[i];
        if (i == RANGES_SHOWN) {
            say(s, "; and more");
            return;
        }
        say(s, "%s", i ? "; " : "");
        say_days(s, range->days);
        say(s, " %02u:%02u-%02u:%02u", range->from_minute / 60u, range->from_minute % 60u,
            range->to_minute / 60u, range->to_minute % 60u);
    }
}

static const struct closed_interval *overlapping_closure(const struct calendar_image *calendar,
                                                         const struct closed_interval *asked)
{
    for (uint32_t i = 0; i < calendar->closed_count; i++)
        if (calendar->closed[i].start_ms < asked->end_ms && calendar->closed[i].end_ms > asked->start_ms)
            return &calendar->closed[i];
    return NULL;
}

/* Day and time of day, in local time. */
static void say_local(struct sentence *s, const struct zone *zone, int64_t at_ms)
{
    char text[RFC3339_SIZE];
    rfc3339_write(at_ms + (int64_t)zone_offset_s(zone, at_ms / 1000) * 1000, text);
    say(s, "%.10s %.5s", text, text + 11);
}

void hours_text_closed(const struct calendar_image *calendar, const struct zone *zone,
                       const struct closed_interval *asked, char out[HOURS_TEXT_SIZE])
{
    struct sentence s = {.out = out};
    const struct closed_interval *closed = overlapping_closure(calendar, asked);
    if (closed) {
        say(&s, "Closed from ");
        say_local(&s, zone, closed->start_ms);
        say(&s, " to ");
        say_local(&s, zone, closed->end_ms);
        say(&s, " (%.*s). Please choose another time.", (int)calendar->timezone.size, calendar->timezone.at);
        return;
    }
    say(&s, "Outside opening hours. ");
    if (calendar->hours_count) {
        say(&s, "Open: ");
        say_hours(&s, calendar);
        say(&s, " (%.*s). ", (int)calendar->timezone.size, calendar->timezone.at);
    }
    say(&s, "Please choose another time.");
}
