/* SPDX-License-Identifier: Apache-2.0 */
/* record_catalogue.c — part of encode.h: events, seats, and their changes. */
#include "base/assertion.h"
#include "http/record/encode.h"
#include "http/record/record_terms.h"

const char *words_single_seats(unsigned index)
{
    static const char *const words[] = {"allow", "refuse", NULL};
    return words[index];
}

/* clang-format off */

/* ---- Events ---- */

#define POOL_COUNTS(F) \
    F(UINT, capacity, 500, "All units.", counts->pool_capacity) \
    F(UINT, available, 498, "Free units.", counts->pool_available)
RECORD(pool_counts, "The number of units of all pools of an event.", POOL_COUNTS)

#define EVENT_COUNTS(F) \
    F(UINT, seats, 20000, "All seats.", counts->seats) \
    F(UINT, available, 19250, "Free seats.", counts->available) \
    F(UINT, held, 150, "Seats in holds.", counts->held) \
    F(UINT, sold, 500, "Seats in confirmed reservations.", counts->sold) \
    F(UINT, blocked, 100, "Seats off sale.", counts->blocked) \
    F(ONE, pools, , "Units of all pools together.", pool_counts, write_pool_counts(w, counts))
RECORD(event_counts, "The number of seats of an event, in total and by status, and of units of its pools.",
    EVENT_COUNTS)

#define EVENT(F) \
    F(TEXT, id, "arena", "The id of the event.", event->id) \
    F(TEXT, name, "An evening at the arena", ABOUT_NAME, event->name) \
    F(TIME_OR_NULL, starts_at, "2030-06-07T19:00:00.000Z", ABOUT_STARTS_AT, event->starts_at_ms) \
    F(TIME_OR_NULL, on_sale_at, null, ABOUT_ON_SALE_AT, event->on_sale_at_ms) \
    F(TIME_OR_NULL, off_sale_at, null, ABOUT_OFF_SALE_AT, event->off_sale_at_ms) \
    TERMS(F, event->terms, 600) \
    F(UINT, staff_hold_seconds, 900, ABOUT_STAFF_HOLD, terms_staff_hold_s(&event->terms)) \
    F(UINT, per_user_limit, 8, ABOUT_LIMIT, event->per_user_limit) \
    F(ONE_OR_NULL, waiting_room, null, ABOUT_QUEUE, waiting_room, \
      event->has_queue ? encode_queue_settings(w, &event->queue) : json_null(w)) \
    F(BOOL, waiting_list, false, ABOUT_LIST, event->has_list) \
    F(BOOL, guests, true, ABOUT_GUESTS, !event->no_guests) \
    F(WORD, access, "open", ABOUT_ACCESS, event_access_word, event_access_name(event->access)) \
    F(TEXT_OR_NULL, description, "Doors open at 18:00.", ABOUT_DESCRIPTION, event->description) \
    F(TEXT_OR_NULL, venue, "The arena", ABOUT_VENUE, event->venue) \
    F(TEXT_OR_NULL, image, "/assets/arena.jpg", ABOUT_IMAGE, event->image) \
    F(TEXT, timezone, "Europe/London", ABOUT_EVENT_TIMEZONE, event->timezone.at ? event->timezone : TEXT("UTC")) \
    F(WORD, transfer, "on", ABOUT_TRANSFER, transfer_rule_word, transfer_rule_name(event->transfer)) \
    F(UINT_OR_NULL, cancel_until_seconds, null, ABOUT_CANCEL_SECONDS, event->cancels, event->cancel_until_s) \
    F(WORD, single_seats, "allow", ABOUT_SINGLE_SEATS, words_single_seats, words_single_seats(event->refuse_singles)) \
    F(JSON_TEXTS_OR_NULL, categories, null, ABOUT_CATEGORIES, event->categories) \
    F(INT_MAPS_OR_NULL, prices, null, ABOUT_PRICES, event->prices) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", event->created_at_ms) \
    F(TIME_OR_NULL, cancelled_at, null, "When it was cancelled; null: it was not.", event->cancelled.at_ms) \
    F(TEXT_OR_NULL, cancel_reason, null, "The reason given when it was cancelled.", event->cancelled.reason) \
    F(ONE, counts, , "Seats by status.", event_counts, write_counts(w, counts))
RECORD(event, "An event, its settings and seat counts.", EVENT)

/* ---- Seats and pools ---- */

#define SEAT_ID(F) F(TEXT, id, "A15", ABOUT_SEAT_ID, s->id)
#define SEAT_STATE(F, seat_, version_) \
    F(WORD, status, "held", "The status of the seat.", unit_status_word, unit_status_name((seat_)->status)) \
    F(UINT, version, version_, "Increases whenever a claim on the seat begins or ends; 0: never claimed.", \
      (seat_)->version)
#define SEAT_FACTS(F) \
    F(TEXT_OR_NULL, section, "stalls", ABOUT_SEAT_SECTION, s->section) \
    F(TEXT_OR_NULL, row, "A", ABOUT_SEAT_ROW, s->row) \
    F(TEXT_OR_NULL, number, "15", ABOUT_SEAT_NUMBER, s->number) \
    F(MILLI_OR_NULL, x, 7.5, ABOUT_SEAT_X, s->has_x, s->x_milli) \
    F(MILLI_OR_NULL, y, 1, ABOUT_SEAT_Y, s->has_y, s->y_milli) \
    F(TEXT_OR_NULL, tier, "gold", ABOUT_SEAT_TIER, s->tier) \
    F(INT, price, 4500, ABOUT_SEAT_PRICE, s->price) \
    F(BOOL, accessible, false, ABOUT_SEAT_ACCESSIBLE, s->accessible)
#define SEAT(F) SEAT_ID(F) SEAT_STATE(F, seat, 1041) SEAT_FACTS(F) \
    F(MAYBE_TEXT_OR_NULL, allotment, , ABOUT_SEAT_ALLOTMENT " Only for app and admin keys.", \
      encode_for_staff(role), s->allotment)
RECORD(seat, "A seat and its status.", SEAT)

/* ---- Layout and availability: view/ writes them ---- */

#define LAYOUT_SEAT(F) SEAT_ID(F) SEAT_FACTS(F)
RECORD(layout_seat, "The static data of a seat.", LAYOUT_SEAT)

#define LAYOUT(F) \
    F(TEXT, event, "arena", "The event.") \
    F(LIST, seats, , "Every seat, in the order of the availability map.", layout_seat)
RECORD(layout, "The static data of every seat, in the order of the availability map.", LAYOUT)

#define AVAILABILITY_POOL(F) \
    F(UINT, capacity, 500, ABOUT_POOL_CAPACITY) \
    F(UINT, available, 498, "How many units are free.")
RECORD(availability_pool, "The capacity of a pool and how many units are free.", AVAILABILITY_POOL)

#define VERSION(F) \
    F(UINT, version, 1041, \
      "The version of this answer: send it as `since`, or compare it with the ids of stream events.")
#define AVAILABILITY_SEATS(F) \
    VERSION(F) \
    F(BOOL, full, true, "Whether this is everything, or only the changes since.") \
    F(WORD_MAP, seats, "held", "The status of each seat, by id.", "A15", unit_status_word) \
    F(ONE_MAP, pools, , "The availability of each pool, by id.", "floor", availability_pool)
RECORD(availability_seats, "The status of every seat and pool, or of those changed since a version.",
    AVAILABILITY_SEATS)

#define AVAILABILITY_MAP(F) \
    VERSION(F) \
    F(TEXT, layout, "\"9f3c2a\"", "The ETag of the layout that the map belongs to.") \
    F(TEXT, map, "aahsb", "One letter per seat: available, held, sold or blocked.")
RECORD(availability_map, "The status of every seat as one letter (a, h, s or b), in the order of the layout.",
    AVAILABILITY_MAP)

ONE_OF(availability, "Availability: by id or, with format=map, as letters.",
    OPTION(availability_seats) OPTION(availability_map))

/* ---- The stream ---- */

#define SEAT_CHANGED(F) F(TEXT, id, "A15", ABOUT_SEAT_ID, touch->unit_id) SEAT_STATE(F, touch, 1042)
RECORD(seat_changed, "The status of a seat changed.", SEAT_CHANGED)

#define POOL_CHANGED(F) \
    F(TEXT, id, "floor", "The id of the pool.", touch->unit_id) \
    F(UINT, available, 496, "How many units are free.", touch->available)
RECORD(pool_changed, "The number of free units changed.", POOL_CHANGED)

#define STREAM_RESET(F) F(UINT, version, 1041, "Your next read has at least this version.", version)
RECORD(stream_reset, "Earlier events are not available: read the current state, then follow the stream.",
    STREAM_RESET)

#define EVENT_STREAM(F) \
    F(ONE, reset, , "Read the availability first.", stream_reset) \
    F(ONE, seat, , "The status of a seat changed.", seat_changed) \
    F(ONE, pool, , "The number of free units changed.", pool_changed)
RECORD(event_stream, "Changes of the seats and pools of an event.", EVENT_STREAM)
/* clang-format on */

static void write_pool_counts(struct json_writer *w, const struct event_counts *counts)
{
    WRITE_RECORD(POOL_COUNTS);
}

static void write_counts(struct json_writer *w, const struct event_counts *counts)
{
    WRITE_RECORD(EVENT_COUNTS);
}

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts)
{
    WRITE_RECORD(EVENT);
}

void encode_seat(struct json_writer *w, enum role role, const struct seat_view *seat)
{
    const struct seat_image *s = &seat->image;
    WRITE_RECORD(SEAT);
}

void encode_stream_reset(struct json_writer *w, uint64_t version)
{
    WRITE_RECORD(STREAM_RESET);
}

const char *encode_touch_event(const struct touch_view *touch)
{
    return touch->is_seat ? "seat" : "pool";
}

void encode_touch(struct json_writer *w, const struct touch_view *touch)
{
    if (touch->is_seat)
        WRITE_RECORD(SEAT_CHANGED);
    else
        WRITE_RECORD(POOL_CHANGED);
}
