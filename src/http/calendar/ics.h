/* SPDX-License-Identifier: Apache-2.0 */
/* ics.h — bookings as an iCalendar object (RFC 5545), for calendar programs.
 *
 * Owns the format: CRLF, lines of at most 75 octets folded between characters, texts escaped, instants in UTC.
 * Has no METHOD: it is a calendar to read, not an invitation. The caller supplies the bookings.
 *
 *     ics_begin(out, name);
 *     ics_booking(out, name, reservation, item, changed_at_ms); … once for each
 *     ics_end(out, how_many);
 */
#ifndef HTTP_ICS_H
#define HTTP_ICS_H

#include "base/memory/buf.h"
#include "core/image.h"

#define ICS_LINE_MAX 75 /* octets, without the CRLF */
/* An upper bound of the size of one booking, and of the frame around them. */
#define ICS_BOOKING_SIZE_MAX 4096

void ics_begin(struct buf *out, struct text calendar_name);
/* One VEVENT: an item of this reservation, on a calendar. iCalendar has no fractions of a second: the start is
 * rounded down and the end up. `changed_at_ms`: when the reservation was last changed, so that a program with an
 * older copy replaces it. */
void ics_booking(struct buf *out, struct text calendar_name, const struct reservation_image *r,
                 const struct item_image *item, int64_t changed_at_ms);
/* `bookings`: how many were written. */
void ics_end(struct buf *out, uint64_t bookings);

#endif
