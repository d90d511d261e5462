/* SPDX-License-Identifier: Apache-2.0 */
/* demo_time.h — times in the demo's data, relative to the moment it is loaded.
 *
 *   "+7d 20:00"                       in seven days, at 20:00
 *   "12-25 +1d 00:00"                 the day after the next 25 December; today counts as the next one
 *   "12-25 +0d 00:00 Europe/Berlin"   in that time zone; the default is UTC
 *
 * They are used where the API expects an RFC 3339 time, and are replaced by one before the API reads the body.
 */
#ifndef CLI_DEMO_TIME_H
#define CLI_DEMO_TIME_H

#include "base/memory/buf.h"

/* The instant that a text of this form means. False: not this form, or no such day or zone. */
bool demo_time_read(const char *text, size_t size, int64_t now_ms, int64_t *at_ms);
/* Appends the JSON with each string of this form replaced. Other strings stay: the route refuses invalid ones. */
void demo_time_replace(const char *json, int64_t now_ms, struct buf *out);

#endif
