/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/rfc3339.h"

#include <string.h>

#include "base/assertion.h"

#define RFC3339_MS_PER_DAY ((int64_t)86400000)
#define RFC3339_DAYS_0000 ((int64_t)719528)  /* from 0000-01-01 to 1970-01-01 */
#define RFC3339_DAYS_9999 ((int64_t)2932897) /* from 1970-01-01 to 10000-01-01 */

/* Days are counted from 0000-03-01, so that a leap day is the last of its year and months need no table. */
static int64_t rfc3339_days(int64_t year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1;
    int64_t era = y >= 0 ? y / 400 : -1; /* only the year -1 is ever below zero */
    int64_t of_era = y - era * 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - (RFC3339_DAYS_0000 - 60);
}

/* Two digits at once: an answer with a reservation has five instants. */
static void rfc3339_pair(char *out, uint32_t value)
{
    static const char pairs[] = "0001020304050607080910111213141516171819"
                                "2021222324252627282930313233343536373839"
                                "4041424344454647484950515253545556575859"
                                "6061626364656667686970717273747576777879"
                                "8081828384858687888990919293949596979899";
    memcpy(out, pairs + 2 * (size_t)value, 2);
}

static void rfc3339_write_date(int64_t days, char *out)
{
    /* A whole cycle of 400 years is added, so that everything stays positive. */
    uint32_t day = (uint32_t)(days + RFC3339_DAYS_0000 - 60 + 146097);
    uint32_t era = day / 146097;
    uint32_t of_era = day % 146097;
    uint32_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    uint32_t of_year = of_era - (365 * year + year / 4 - year / 100);
    uint32_t shifted = (5 * of_year + 2) / 153;
    uint32_t month = shifted < 10 ? shifted + 3 : shifted - 9;
    uint32_t shown = year + era * 400 + (month <= 2) - 400;
    rfc3339_pair(out, shown / 100);
    rfc3339_pair(out + 2, shown % 100);
    out[4] = '-';
    rfc3339_pair(out + 5, month);
    out[7] = '-';
    rfc3339_pair(out + 8, of_year - (153 * shifted + 2) / 5 + 1);
}

static bool rfc3339_in_range(int64_t at_ms)
{
    return at_ms >= -RFC3339_DAYS_0000 * RFC3339_MS_PER_DAY && at_ms < RFC3339_DAYS_9999 * RFC3339_MS_PER_DAY;
}

void rfc3339_write(int64_t at_ms, char out[RFC3339_SIZE])
{
    ASSERT(rfc3339_in_range(at_ms));
    int64_t days = (at_ms + RFC3339_DAYS_0000 * RFC3339_MS_PER_DAY) / RFC3339_MS_PER_DAY - RFC3339_DAYS_0000;
    uint32_t ms = (uint32_t)(at_ms - days * RFC3339_MS_PER_DAY);
    /* Most instants of an answer are of one day. */
    static _Thread_local int64_t last_days = INT64_MIN;
    static _Thread_local char last_date[10];
    if (days != last_days) {
        rfc3339_write_date(days, last_date);
        last_days = days;
    }
    memcpy(out, last_date, sizeof(last_date));
    out[10] = 'T';
    rfc3339_pair(out + 11, ms / 3600000);
    out[13] = ':';
    rfc3339_pair(out + 14, ms / 60000 % 60);
    out[16] = ':';
    rfc3339_pair(out + 17, ms / 1000 % 60);
    out[19] = '.';
    rfc3339_pair(out + 20, ms % 1000 / 10);
    out[22] = (char)('0' + ms % 10);
    out[23] = 'Z';
}

struct rfc3339_cursor {
    const char *at;
    const char *end;
    bool bad;
};

static bool rfc3339_is_digit(const struct rfc3339_cursor *c)
{
    return c->at < c->end && *c->at >= '0' && *c->at <= '9';
}

static int rfc3339_number(struct rfc3339_cursor *c, int digits, int least, int most)
{
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if (!rfc3339_is_digit(c)) {
            c->bad = true;
            return least;
        }
        value = value * 10 + (*c->at++ - '0');
    }
    if (value < least || value > most)
        c->bad = true;
    return value;
}

/* One of two characters; returns whether it was the first. */
static bool rfc3339_either(struct rfc3339_cursor *c, char one, char other)
{
    if (c->at == c->end || (*c->at != one && *c->at != other)) {
        c->bad = true;
        return false;
    }
    return *c->at++ == one;
}

static int rfc3339_fraction_ms(struct rfc3339_cursor *c)
{
    if (c->at == c->end || *c->at != '.')
        return 0;
    c->at++;
    if (!rfc3339_is_digit(c))
        c->bad = true;
    int ms = 0;
    for (int scale = 100; rfc3339_is_digit(c); scale /= 10)
        ms += (*c->at++ - '0') * scale;
    return ms;
}

static int rfc3339_offset_minutes(struct rfc3339_cursor *c)
{
    if (c->at < c->end && (*c->at == 'Z' || *c->at == 'z')) {
        c->at++;
        return 0;
    }
    bool east = rfc3339_either(c, '+', '-');
    int hours = rfc3339_number(c, 2, 0, 23);
    rfc3339_either(c, ':', ':');
    int minutes = hours * 60 + rfc3339_number(c, 2, 0, 59);
    return east ? minutes : -minutes;
}

static int rfc3339_month_days(int year, int month)
{
    if (month == 2)
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

bool rfc3339_read(const char *text, size_t size, int64_t *at_ms)
{
    struct rfc3339_cursor c = {.at = text, .end = text + size};
    int year = rfc3339_number(&c, 4, 0, 9999);
    rfc3339_either(&c, '-', '-');
    int month = rfc3339_number(&c, 2, 1, 12);
    rfc3339_either(&c, '-', '-');
    int day = rfc3339_number(&c, 2, 1, rfc3339_month_days(year, month));
    rfc3339_either(&c, 'T', 't');
    int hour = rfc3339_number(&c, 2, 0, 23);
    rfc3339_either(&c, ':', ':');
    int minute = rfc3339_number(&c, 2, 0, 59);
    rfc3339_either(&c, ':', ':');
    int second = rfc3339_number(&c, 2, 0, 60);
    int fraction_ms = rfc3339_fraction_ms(&c);
    int offset = rfc3339_offset_minutes(&c);
    if (c.bad || c.at != c.end)
        return false;
    if (second == 60)
        fraction_ms = 0;
    int64_t minutes = rfc3339_days(year, month, day) * 1440 + hour * 60 + minute - offset;
    int64_t read_ms = minutes * 60000 + second * 1000 + fraction_ms;
    if (!rfc3339_in_range(read_ms))
        return false;
    *at_ms = read_ms;
    return true;
}
