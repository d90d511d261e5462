/* SPDX-License-Identifier: Apache-2.0 */
/* demo_time.h — times of the demo's data, which are relative to when it is put in.
 *
 *   "+7d 20:00"                       in seven days, at 20:00
 *   "12-25 +1d 00:00"                 the day after the next 25 December; today counts as the next one
 *   "12-25 +0d 00:00 Europe/Berlin"   by the clocks there; otherwise by UTC
 *
 * They stand where the API takes a time (RFC 3339), and are replaced by one before it reads the body.
 */
#ifndef CLI_DEMO_TIME_H
#define CLI_DEMO_TIME_H

#include "base/memory/buf.h"

/* The instant that a text of this form means. False: it has another form, or there is no such day or zone. */
bool demo_time_read(const char *text, size_t size, int64_t now_ms, int64_t *at_ms);
/* Appends the JSON with each string of this form replaced. Others stay: the route refuses those that it cannot read. */
void demo_time_replace(const char *json, int64_t now_ms, struct buf *out);

#endif
