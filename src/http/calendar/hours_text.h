/* SPDX-License-Identifier: Apache-2.0 */
/* hours_text.h — opening hours as a sentence for people: why a time cannot be had. */
#ifndef HTTP_HOURS_TEXT_H
#define HTTP_HOURS_TEXT_H

#include "core/calendar/calendar_image.h"

struct zone; /* base/time/zone.h */

#define HOURS_TEXT_SIZE 1024

/* What to say to somebody who asked for this interval while the calendar is closed: the closed interval that
 * is in the way, else the hours, as the clocks there show it. Long hours are cut short. NUL-terminated. */
void hours_text_closed(const struct calendar_image *calendar, const struct zone *zone,
                       const struct closed_interval *asked, char out[HOURS_TEXT_SIZE]);

#endif
