/* SPDX-License-Identifier: Apache-2.0 */
/* hours_text.h — opening hours as a sentence: why a time is not available. */
#ifndef HTTP_HOURS_TEXT_H
#define HTTP_HOURS_TEXT_H

#include "core/calendar/calendar_image.h"

struct zone; /* base/time/zone.h */

#define HOURS_TEXT_SIZE 1024

/* The detail of a refusal because the calendar is closed in this interval: the closed interval that overlaps it, else
 * the opening hours, in local time. Long lists of hours are shortened. NUL-terminated. */
void hours_text_closed(const struct calendar_image *calendar, const struct zone *zone,
                       const struct closed_interval *asked, char out[HOURS_TEXT_SIZE]);

#endif
