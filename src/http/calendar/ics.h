/* SPDX-License-Identifier: Apache-2.0 */
/* ics.h — bookings as an iCalendar object (RFC 5545), for calendar programs.
 *
 * Owns the form: CRLF, lines of at most 75 octets folded between characters, texts escaped, instants in UTC.
 * Has no METHOD: it is a calendar to be read, not an invitation. Which bookings there are is the caller's
 * business.
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
/* More than one booking, or the frame around them, ever takes. */
#define ICS_BOOKING_SIZE_MAX 4096

void ics_begin(struct buf *out, struct text calendar_name);
/* One VEVENT: an item of this reservation, of a calendar. Fractions of a second, which iCalendar does
 * not have, go to the booking: it begins with the second that has begun and ends with the one that is
 * under way. `changed_at_ms`: when the reservation was last changed, so that a program which has an older
 * copy takes this one. */
void ics_booking(struct buf *out, struct text calendar_name, const struct reservation_image *r,
                 const struct item_image *item, int64_t changed_at_ms);
/* `bookings` is how many were written. */
void ics_end(struct buf *out, uint64_t bookings);

#endif
