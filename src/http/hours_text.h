/* SPDX-License-Identifier: Apache-2.0 */
/* hours_text.h — opening hours as a sentence for people: why a time cannot be had. */
#ifndef HTTP_HOURS_TEXT_H
#define HTTP_HOURS_TEXT_H

#include "core/image.h"

#define HOURS_TEXT_SIZE 1024

/* What to say to somebody who asked for [start, end) while the calendar is closed: the closed interval that
 * is in the way, else the hours and their time zone. Long hours are cut short. NUL-terminated. */
void hours_text_closed(const struct calendar_image *calendar, int64_t start_ms, int64_t end_ms,
                       char out[HOURS_TEXT_SIZE]);

#endif
