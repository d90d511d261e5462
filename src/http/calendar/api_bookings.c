/* SPDX-License-Identifier: Apache-2.0 */
/* The confirmed bookings of a calendar as iCalendar.
 *
 * They come from the book, page by page, so that no single query keeps the reader busy for long. The rows are written
 * on the reader's thread to the request's scratch buffer; nothing else of the request is touched until the last page is
 * done. The answer is bounded: clients with more bookings request them in parts. */
#include <stdio.h>

#include "base/assertion.h"
#include "book/record/query.h"
#include "http/record/encode.h"
#include "http/calendar/ics.h"
#include "http/wire/reply.h"

#define ANSWER_SIZE_MAX ((size_t)64 << 20)
#define PAGE_ROWS 5000

enum { QUERY_FROM, QUERY_TO };

struct bookings {
    struct request *request;
    struct query query;
    struct ics ics;
    struct zone *zone;      /* released with the last page */
    int64_t from_ms, to_ms; /* those that overlap this */
    bool full;              /* there are more bookings than fit an answer */
    bool past;              /* all following bookings begin after to_ms */
};

static void booking_row(void *ctx, const struct query_row *row)
{
    struct bookings *b = ctx;
    struct buf *out = &b->request->scratch;
    const struct reservation_image *reservation = row->reservation;
    ASSERT(reservation->item_count == 1);
    const struct item_image *item = reservation->items;
    b->past = b->past || item->start_ms >= b->to_ms;
    if (b->past || b->full || item->end_ms <= b->from_ms)
        return;
    b->full = out->size + ICS_BOOKING_SIZE_MAX > ANSWER_SIZE_MAX;
    if (b->full)
        return;
    ics_booking(&b->ics, reservation, item, row->changed_at_ms);
}

static void page_done(void *ctx, const struct query_result *result)
{
    struct bookings *b = ctx;
    struct request *r = b->request;
    if (result->ok && result->more && !b->past && !b->full) {
        b->query.after_booking = result->last_booking;
        store_query(r->store, &b->query, booking_row, page_done, b);
        return;
    }
    if (result->ok && !b->full)
        ics_end(&b->ics);
    zone_release(b->zone);
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    if (b->full) {
        reply_invalid(r, "?from", "Too many bookings for one answer: narrow it with from and to.");
        return;
    }
    reply_seq(r, result->seq);
    reply_take(r, "text/calendar; charset=utf-8", &r->scratch);
}

HANDLER(api_booking_list)
{
    struct calendar_view view;
    struct bookings *b = arena_zeroed(&r->arena, sizeof(*b));
    if (!request_query_time(r, QUERY_FROM, INT64_MIN, &b->from_ms) ||
        !request_query_time(r, QUERY_TO, INT64_MAX, &b->to_ms))
        return;
    if (b->to_ms <= b->from_ms) {
        reply_invalid(r, "?to", "Invalid to: must be after from.");
        return;
    }
    if (!view_calendar_find(r->view, r->parameters[0], &view)) {
        reply_outcome(r, OUTCOME_NO_SUCH_CALENDAR);
        return;
    }
    b->request = r;
    struct text name = request_keep(r, view.image.name), zone = view.image.timezone;
    char zone_path[ZONE_NAME_SIZE_MAX + 1];
    snprintf(zone_path, sizeof(zone_path), "%.*s", (int)zone.size, zone.at);
    b->zone = zone_load(zone_path);
    b->query = (struct query){.kind = QUERY_BOOKINGS, .calendar = r->parameters[0], .limit = PAGE_ROWS};
    /* A booking confirmed a moment ago must be in the answer. */
    b->query.min_seq = r->min_seq > view.seq ? r->min_seq : view.seq;
    if (b->from_ms > SLOT_LENGTH_MAX_MS) /* a slot that began before this has ended by from_ms */
        b->query.after_booking.start_ms = b->from_ms - SLOT_LENGTH_MAX_MS;
    ics_begin(&b->ics, &r->scratch, name, b->zone);
    reply_wait(r, view.seq);
    store_query(r->store, &b->query, booking_row, page_done, b);
}
