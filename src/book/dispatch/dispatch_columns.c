/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_columns.c — fleets, drivers, rides and offers: see book/record/columns.h. */
#include "book/record/column.h"
#include "book/record/columns.h"

WORDS(ride_status, "status of a ride", RIDE_STATUS_FIRST, RIDE_STATUS_LAST, static)
WORDS(offer_end, "end of an offer", OFFER_END_FIRST, OFFER_END_LAST, static)

/* clang-format off */
static const struct column fleet_columns[] = {
    COLUMN(book_fleet, "number", U64, image.number, KEY),
    COLUMN(book_fleet, "id", TEXT, image.id, FIXED),
    COLUMN(book_fleet, "offer_seconds", U32, image.offer_s),
    COLUMN(book_fleet, "resolution", U32, image.resolution),
    COLUMN(book_fleet, "max_rings", U32, image.max_rings),
    COLUMN(book_fleet, "presence_seconds", U32, image.presence_s),
    COLUMN(book_fleet, "search_seconds", U32, image.search_s),
    COLUMN(book_fleet, "speed_kmh", U32, image.speed_kmh),
    COLUMN(book_fleet, "batch_ms", U32, image.batch_ms),
    COLUMN(book_fleet, "guests", BOOL, image.guests),
    COLUMN(book_fleet, "rides_per_rider", U32, image.rides_per_rider),
    COLUMN(book_fleet, "weight_eta", U32, image.weights.eta_milli),
    COLUMN(book_fleet, "weight_rating", U32, image.weights.rating_milli),
    COLUMN(book_fleet, "weight_waiting", U32, image.weights.waiting_milli),
    COLUMN(book_fleet, "weight_surge", U32, image.weights.surge_milli),
    COLUMN(book_fleet, "offer_key", PAIR, image.key, FIXED),
    COLUMN(book_fleet, "created_at", I64, image.created_at_ms, FIXED),
    COLUMN(book_fleet, "removed_at", TIME, removed_at_ms),
};
/* Read into a fleet_image alone. */
RECORD_OF(fleet, "fleets", fleet_columns, sizeof(struct fleet_image), 1, 0);
_Static_assert(offsetof(struct book_fleet, image) == 0, "the image alone can be read into one");

static const struct column driver_columns[] = {
    COLUMN(driver_image, "fleet", U64, fleet, KEY),
    COLUMN(driver_image, "id", TEXT, id, KEY),
    COLUMN(driver_image, "rating", U32, rating_milli),
    COLUMN(driver_image, "surge", BOOL, surge),
    COLUMN(driver_image, "types", TIERS, types, BESIDE(driver_image, type_count)),
};
RECORD(driver, "drivers", driver_image, 0);

static const struct column ride_columns[] = {
    COLUMN(ride_image, "number", U64, number, KEY),
    COLUMN(ride_image, "id", RIDE, id, FIXED),
    COLUMN(ride_image, "fleet", U64, fleet, FIXED),
    COLUMN(ride_image, "rider_id", TEXT, rider_id, FIXED),
    COLUMN(ride_image, "lat", I32, pickup.lat_e7, FIXED),
    COLUMN(ride_image, "lng", I32, pickup.lng_e7, FIXED),
    COLUMN(ride_image, "cell", U64, cell, FIXED),
    COLUMN(ride_image, "to_lat", MILLI, to.lat_e7, BESIDE(ride_image, has_to), FIXED),
    COLUMN(ride_image, "to_lng", MILLI, to.lng_e7, BESIDE(ride_image, has_to), FIXED),
    COLUMN(ride_image, "type", TEXT, type, FIXED),
    COLUMN(ride_image, "surge", U32, surge_milli, FIXED),
    WORD(ride_image, "status", ride_status, status),
    COLUMN(ride_image, "created_at", I64, created_at_ms, FIXED),
    COLUMN(ride_image, "search_until", I64, search_until_ms),
    COLUMN(ride_image, "assigned_at", TIME, assigned_at_ms),
    COLUMN(ride_image, "ended_at", TIME, ended_at_ms),
    COLUMN(ride_image, "driver_id", TEXT, driver_id),
    COLUMN(ride_image, "offer", NUMBER, offer),
};
RECORD(ride, "rides", ride_image, 0);

static const struct column offer_columns[] = {
    COLUMN(offer_image, "number", U64, number, KEY),
    COLUMN(offer_image, "fleet", U64, fleet, FIXED),
    COLUMN(offer_image, "ride", RIDE, ride, FIXED),
    COLUMN(offer_image, "driver_id", TEXT, driver_id, FIXED),
    COLUMN(offer_image, "score", I64, score_ms, FIXED),
    COLUMN(offer_image, "eta", I64, eta_ms, FIXED),
    COLUMN(offer_image, "made_at", I64, made_at_ms, FIXED),
    COLUMN(offer_image, "expires_at", I64, expires_at_ms, FIXED),
    COLUMN(offer_image, "ended_at", TIME, ended_at_ms),
    WORD_OR_NULL(offer_image, "\"end\"", offer_end, end),
};
RECORD(offer, "offers", offer_image, 0);
/* clang-format on */
