/* SPDX-License-Identifier: Apache-2.0 */
/* ics.h — bookings as an iCalendar object (RFC 5545), for calendar programs.
 *
 * Owns the format: CRLF, lines of at most 75 octets folded between characters, texts escaped, times in the
 * calendar's zone, with a VTIMEZONE of the offsets that were used. In UTC, and for a time that its clocks show
 * twice and that is the second one, as UTC. Has no METHOD: it is a calendar to read, not an invitation. The
 * caller supplies the bookings.
 *
 *     ics_begin(&ics, out, name, zone);
 *     ics_booking(&ics, reservation, item, changed_at_ms); … once for each
 *     ics_end(&ics);
 */
#ifndef HTTP_ICS_H
#define HTTP_ICS_H

#include "base/memory/buf.h"
#include "base/time/zone.h"
#include "core/image.h"

#define ICS_LINE_MAX 75 /* octets, without the CRLF */
/* An upper bound of the size of one booking, and of the frame around them. */
#define ICS_BOOKING_SIZE_MAX 4096

struct ics {
    struct buf *out;
    struct text calendar_name;
    const struct zone *zone; /* NULL: UTC */
    int64_t first_s, last_s; /* of all times written in the zone */
    uint64_t bookings;
};

/* The name and the zone must last until ics_end. */
void ics_begin(struct ics *ics, struct buf *out, struct text calendar_name, const struct zone *zone);
/* One VEVENT: an item of this reservation, on a calendar. iCalendar has no fractions of a second: the start is
 * rounded down and the end up. `changed_at_ms`: when the reservation was last changed, so that a program with an
 * older copy replaces it. */
void ics_booking(struct ics *ics, const struct reservation_image *r, const struct item_image *item,
                 int64_t changed_at_ms);
void ics_end(struct ics *ics);

#endif
