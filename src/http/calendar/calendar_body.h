/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_body.h — a calendar's settings, from JSON to core's record.
 *
 * Knows the fields, their defaults and the form of days and clock times. Whether hours overlap and whether the
 * capacity is sufficient is core's business; whether the time zone exists is the handler's.
 */
#ifndef HTTP_CALENDAR_BODY_H
#define HTTP_CALENDAR_BODY_H

#include "core/calendar/calendar_image.h"
#include "http/wire/request.h"

#define CALENDAR_TIMEZONE "UTC" /* the default */

/* Reads the body of the request into everything but the id, in the request's arena. `named`: it is a patch, and these
 * fields are in it; NULL: a PUT. False: invalid, and 400 was replied. */
bool calendar_body_read(struct request *r, struct calendar_image *out, uint64_t *named);

/* The name of a day, 0 being Monday: "mon" … "sun". */
const char *calendar_body_day(unsigned day);

#endif
