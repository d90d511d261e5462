/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_body.h — a calendar's settings, from JSON to the record that core is asked to keep.
 *
 * Knows the fields, their defaults and what a day and a clock time look like. Whether hours overlap each
 * other and whether the capacity is enough is core's business; whether there is such a time zone, the
 * handler's.
 */
#ifndef HTTP_CALENDAR_BODY_H
#define HTTP_CALENDAR_BODY_H

#include "core/calendar/calendar_image.h"
#include "http/api/terms_body.h"
#include "http/wire/request.h"

#define CALENDAR_TIMEZONE "UTC" /* unless it names one */

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

/* Fills everything but the id, in the request's arena. On a fault 400 is replied and false returned. */
bool calendar_body_read(struct request *r, const struct calendar_body *body, struct calendar_image *out);

/* The name of a day, 0 being Monday: "mon" … "sun". */
const char *calendar_body_day(unsigned day);

#endif
