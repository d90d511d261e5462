/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/zone_rule.h"

#include <string.h>

#include "base/assertion.h"

#define ZONE_RULE_DAY_S 86400
#define ZONE_RULE_NEVER_S (1LL << 61) /* beyond every instant that can be asked about */

struct zone_rule_cursor {
    const char *at;
    const char *end;
    bool bad;
};

static char zone_rule_peek(const struct zone_rule_cursor *c)
{
    return c->at < c->end ? *c->at : '\0';
}

static bool zone_rule_skip(struct zone_rule_cursor *c, char wanted)
{
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static void zone_rule_expect(struct zone_rule_cursor *c, char wanted)
{
    if (!zone_rule_skip(c, wanted))
        c->bad = true;
}

/* One to three digits. */
static int zone_rule_number(struct zone_rule_cursor *c, int least, int most)
{
    int value = 0, digits = 0;
    for (; digits < 3 && zone_rule_peek(c) >= '0' && zone_rule_peek(c) <= '9'; digits++)
        value = value * 10 + (*c->at++ - '0');
    if (digits == 0 || value < least || value > most) {
        c->bad = true;
        return least;
    }
    return value;
}

static bool zone_rule_in_name(char letter, bool quoted)
{
    if ((letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z'))
        return true;
    return quoted && ((letter >= '0' && letter <= '9') || letter == '+' || letter == '-');
}

/* Names are checked and not kept: nothing shows them. */
static void zone_rule_name(struct zone_rule_cursor *c)
{
    bool quoted = zone_rule_skip(c, '<');
    const char *start = c->at;
    while (zone_rule_in_name(zone_rule_peek(c), quoted))
        c->at++;
    if (c->at - start < 3)
        c->bad = true;
    if (quoted)
        zone_rule_expect(c, '>');
}

/* [+-]h[:m[:s]] */
static int32_t zone_rule_time_s(struct zone_rule_cursor *c, int hours_max)
{
    bool negative = zone_rule_skip(c, '-');
    if (!negative)
        zone_rule_skip(c, '+');
    int32_t seconds = zone_rule_number(c, 0, hours_max) * 3600;
    if (zone_rule_skip(c, ':')) {
        seconds += zone_rule_number(c, 0, 59) * 60;
        if (zone_rule_skip(c, ':'))
            seconds += zone_rule_number(c, 0, 59);
    }
    return negative ? -seconds : seconds;
}

static struct zone_rule_date zone_rule_date(struct zone_rule_cursor *c)
{
    struct zone_rule_date d = {.time_s = 2 * 3600};
    zone_rule_expect(c, ',');
    if (zone_rule_skip(c, 'M')) {
        d.kind = ZONE_RULE_WEEKDAY;
        d.month = zone_rule_number(c, 1, 12);
        zone_rule_expect(c, '.');
        d.week = zone_rule_number(c, 1, 5);
        zone_rule_expect(c, '.');
        d.day = zone_rule_number(c, 0, 6);
    } else if (zone_rule_skip(c, 'J')) {
        d.kind = ZONE_RULE_NO_LEAP;
        d.day = zone_rule_number(c, 1, 365);
    } else {
        d.kind = ZONE_RULE_WITH_LEAP;
        d.day = zone_rule_number(c, 0, 365);
    }
    if (zone_rule_skip(c, '/'))
        d.time_s = zone_rule_time_s(c, 167);
    return d;
}

bool zone_rule_parse(const char *text, size_t size, struct zone_rule *out)
{
    struct zone_rule_cursor c = {.at = text, .end = text + size};
    struct zone_rule r = {0};
    zone_rule_name(&c);
    r.offset_s = -zone_rule_time_s(&c, 24); /* POSIX counts westward */
    r.has_summer = c.at != c.end;
    if (r.has_summer) {
        zone_rule_name(&c);
        r.summer_offset_s = zone_rule_peek(&c) == ',' ? r.offset_s + 3600 : -zone_rule_time_s(&c, 24);
        r.start = zone_rule_date(&c);
        r.end = zone_rule_date(&c);
    }
    if (c.bad || c.at != c.end)
        return false;
    *out = r;
    return true;
}

static int64_t zone_rule_floor(int64_t value, int64_t by)
{
    return value / by - (value % by < 0);
}

/* The first day of a year, counted from 1970-01-01. */
static int64_t zone_rule_year_day(int64_t year)
{
    int64_t past = year - 1;
    return 365 * (year - 1970) + zone_rule_floor(past, 4) - zone_rule_floor(past, 100) +
           zone_rule_floor(past, 400) - 477; /* leap days before 1970 */
}

static int64_t zone_rule_year_of(int64_t day)
{
    int64_t year = 1970 + zone_rule_floor(day * 400, 146097);
    while (zone_rule_year_day(year) > day)
        year--;
    while (zone_rule_year_day(year + 1) <= day)
        year++;
    return year;
}

static int64_t zone_rule_weekday_day(const struct zone_rule_date *d, int64_t year_day, bool leap)
{
    static const int16_t before[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};
    int64_t first = year_day + before[d->month - 1] + (leap && d->month > 2);
    int64_t next = year_day + before[d->month] + (leap && d->month >= 2);
    int64_t sundays = first + 4; /* 1970-01-01 was a Thursday */
    int64_t weekday = sundays - zone_rule_floor(sundays, 7) * 7;
    int64_t day = first + (d->day - weekday + 7) % 7 + 7 * (d->week - 1);
    return day >= next ? day - 7 : day;
}

/* The instant of a change, given the offset that it ends. */
static int64_t zone_rule_change_s(const struct zone_rule_date *d, int64_t year, int32_t offset_s)
{
    int64_t day = zone_rule_year_day(year);
    bool leap = zone_rule_year_day(year + 1) - day == 366;
    switch (d->kind) {
    case ZONE_RULE_WEEKDAY:
        day = zone_rule_weekday_day(d, day, leap);
        break;
    case ZONE_RULE_NO_LEAP:
        day += d->day - 1 + (leap && d->day >= 60);
        break;
    case ZONE_RULE_WITH_LEAP:
        day += d->day;
        break;
    }
    return day * ZONE_RULE_DAY_S + d->time_s - offset_s;
}

/* Where the clock is between two of the same yearly changes: the last one so far, and the next. A change may
 * be up to eight days outside its year. */
static struct zone_span zone_rule_bracket(const struct zone_rule_date *d, int64_t utc_s, int32_t before_s,
                                          int32_t after_s)
{
    int64_t year = zone_rule_year_of(zone_rule_floor(utc_s, ZONE_RULE_DAY_S));
    struct zone_span span = {.from_s = zone_rule_change_s(d, year, before_s), .offset_s = after_s};
    while (span.from_s > utc_s)
        span.from_s = zone_rule_change_s(d, --year, before_s);
    while ((span.until_s = zone_rule_change_s(d, ++year, before_s)) <= utc_s)
        span.from_s = span.until_s;
    return span;
}

struct zone_span zone_rule_span_at(const struct zone_rule *r, int64_t utc_s)
{
    if (!r->has_summer)
        return (struct zone_span){-ZONE_RULE_NEVER_S, ZONE_RULE_NEVER_S, r->offset_s};
    struct zone_span summer = zone_rule_bracket(&r->start, utc_s, r->offset_s, r->summer_offset_s);
    struct zone_span winter = zone_rule_bracket(&r->end, utc_s, r->summer_offset_s, r->offset_s);
    /* Whichever began last. Where summer ends and starts at once it lasts all year. */
    struct zone_span span = summer.from_s >= winter.from_s ? summer : winter;
    if (summer.until_s < span.until_s)
        span.until_s = summer.until_s;
    if (winter.until_s < span.until_s)
        span.until_s = winter.until_s;
    ASSERT(span.from_s <= utc_s && utc_s < span.until_s);
    return span;
}
