/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_time.h"

#include <stdio.h>
#include <string.h>

#include "base/text/digits.h"
#include "base/time/rfc3339.h"
#include "base/time/zone.h"

#define DAY_S (24LL * 3600)
#define TEXT_SIZE_MAX (20 + ZONE_NAME_SIZE_MAX) /* "12-25 +1234d 20:00 " and the zone */

/* A text of this form, read from its start. */
struct parts {
    bool dated; /* by month and day */
    unsigned month, day, days, hour, minute;
    char zone[ZONE_NAME_SIZE_MAX + 1]; /* "": UTC */
};

static bool read_number(const char **at, size_t digits_max, unsigned *out)
{
    size_t size = strspn(*at, "0123456789");
    uint64_t value;
    if (size > digits_max || !digits_read(*at, size, &value))
        return false;
    *at += size;
    *out = (unsigned)value;
    return true;
}

static bool skip(const char **at, const char *expected)
{
    size_t size = strlen(expected);
    if (strncmp(*at, expected, size) != 0)
        return false;
    *at += size;
    return true;
}

static bool read_parts(const char *at, struct parts *out)
{
    *out = (struct parts){.dated = at[0] != '+'};
    if (out->dated && !(read_number(&at, 2, &out->month) && skip(&at, "-") &&
                        read_number(&at, 2, &out->day) && skip(&at, " ")))
        return false;
    if (!(skip(&at, "+") && read_number(&at, 4, &out->days) && skip(&at, "d ") &&
          read_number(&at, 2, &out->hour) && skip(&at, ":") && read_number(&at, 2, &out->minute)))
        return false;
    bool zoned = skip(&at, " ");
    size_t size = strlen(at);
    if (size > ZONE_NAME_SIZE_MAX || zoned != (size > 0))
        return false;
    memcpy(out->zone, at, size + 1);
    return out->hour < 24 && out->minute < 60;
}

/* Midnight of the next day with this month and day, from `today_s` on. */
static bool next_date(int64_t today_s, unsigned month, unsigned day, int64_t *out)
{
    char today[RFC3339_SIZE], date[32];
    uint64_t year;
    rfc3339_write(today_s * 1000, today);
    if (!digits_read(today, 4, &year))
        return false;
    for (unsigned later = 0; later <= 1; later++) {
        int64_t at_ms;
        int size =
            snprintf(date, sizeof date, "%04u-%02u-%02uT00:00:00Z", (unsigned)year + later, month, day);
        if (!rfc3339_read(date, (size_t)size, &at_ms))
            return false;
        *out = at_ms / 1000;
        if (*out >= today_s)
            return true;
    }
    return false;
}

/* The instant in this zone; NULL: UTC. */
static bool place(const struct parts *parts, const struct zone *zone, int64_t now_s, int64_t *at_s)
{
    int64_t day_s = (now_s + (zone ? zone_offset_s(zone, now_s) : 0)) / DAY_S * DAY_S;
    if (parts->dated && !next_date(day_s, parts->month, parts->day, &day_s))
        return false;
    int64_t local_s = day_s + parts->days * DAY_S + parts->hour * 3600 + parts->minute * 60;
    *at_s = zone ? zone_to_utc_s(zone, local_s) : local_s;
    return true;
}

bool demo_time_read(const char *text, size_t size, int64_t now_ms, int64_t *at_ms)
{
    char copy[TEXT_SIZE_MAX + 1] = "";
    struct parts parts;
    int64_t at_s;
    if (size > TEXT_SIZE_MAX)
        return false;
    memcpy(copy, text, size);
    if (!read_parts(copy, &parts))
        return false;
    struct zone *zone = parts.zone[0] ? zone_load(parts.zone) : NULL;
    bool good = (zone || !parts.zone[0]) && place(&parts, zone, now_ms / 1000, &at_s);
    if (good)
        *at_ms = at_s * 1000;
    zone_release(zone);
    return good;
}

/* The quote that ends the string which begins at `text`, or the end of the text. */
static const char *string_end(const char *text)
{
    const char *at = text + 1;
    while (*at && *at != '"')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at;
}

void demo_time_replace(const char *json, int64_t now_ms, struct buf *out)
{
    const char *at = json;
    while (*at) {
        const char *quote = at + strcspn(at, "\""), *end = *quote ? string_end(quote) : quote;
        int64_t at_ms;
        char time[RFC3339_SIZE];
        if (*end && demo_time_read(quote + 1, (size_t)(end - quote - 1), now_ms, &at_ms)) {
            rfc3339_write(at_ms, time);
            buf_append(out, at, (size_t)(quote + 1 - at));
            buf_append(out, time, sizeof time);
            buf_append(out, end, 1);
        } else {
            buf_append(out, at, (size_t)(end - at) + (*end ? 1 : 0));
        }
        at = *end ? end + 1 : end;
    }
}
