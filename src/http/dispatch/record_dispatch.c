/* SPDX-License-Identifier: Apache-2.0 */
/* record_dispatch.c — part of encode.h: fleets, drivers, rides and offers. */
#include "base/geo/h3.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* Rounded up, so that an ETA is never too early. */
#define SECONDS(ms_) (uint64_t)(((ms_) + 999) / 1000)

/* clang-format off */

/* ---- Fleets ---- */

#define WEIGHTS(F) \
    F(MILLI, eta, 1, ABOUT_WEIGHT_ETA, weights->eta_milli) \
    F(MILLI, rating, 0, ABOUT_WEIGHT_RATING, weights->rating_milli) \
    F(MILLI, waiting, 0, ABOUT_WEIGHT_WAITING, weights->waiting_milli) \
    F(MILLI, surge, 0, ABOUT_WEIGHT_SURGE, weights->surge_milli)
RECORD(fleet_weights, "The weights of a driver's score.", WEIGHTS)

#define FLEET_LIST(F) \
    F(TEXT, id, "berlin", "The id of the fleet.", fleet->id) \
    F(UINT, offer_seconds, 15, ABOUT_OFFER_SECONDS, fleet->offer_s) \
    F(UINT, resolution, 9, ABOUT_RESOLUTION, fleet->resolution) \
    F(UINT, max_rings, 6, ABOUT_MAX_RINGS, fleet->max_rings) \
    F(UINT, presence_seconds, 30, ABOUT_PRESENCE_SECONDS, fleet->presence_s) \
    F(UINT, search_seconds, 180, ABOUT_SEARCH_SECONDS, fleet->search_s) \
    F(UINT, speed_kmh, 30, ABOUT_SPEED, fleet->speed_kmh) \
    F(UINT, batch_ms, 0, ABOUT_BATCH_MS, fleet->batch_ms) \
    F(BOOL, guests, false, ABOUT_RIDE_GUESTS, fleet->guests) \
    F(UINT, rides_per_rider, 1, ABOUT_RIDES_PER_RIDER, fleet->rides_per_rider) \
    F(ONE, weights, , ABOUT_WEIGHTS, fleet_weights, write_weights(w, &fleet->weights)) \
    F(TIME, created_at, "2030-06-01T10:00:00.000Z", "When it was created.", fleet->created_at_ms)
RECORD(fleet, "A fleet of drivers and its settings.", FLEET_LIST)

#define CELL(F) \
    F(TEXT, cell, "891f1d48b6bffff", ABOUT_CELL, text) \
    F(UINT, free, 3, "Drivers who can get an offer.", cell->free) \
    F(UINT, offered, 1, "Drivers who have a live offer.", cell->offered) \
    F(UINT, busy, 2, "Drivers who are on a ride.", cell->busy)
RECORD(fleet_cell, "The drivers of one cell.", CELL)

#define RIDES(F) \
    F(UINT, searching, 2, "Waiting for a driver.", o->rides[RIDE_SEARCHING]) \
    F(UINT, offered, 1, "Offered to a driver.", o->rides[RIDE_OFFERED]) \
    F(UINT, assigned, 2, "Accepted by a driver.", o->rides[RIDE_ASSIGNED]) \
    F(UINT, no_driver, 0, "Ended in the last 15 minutes: no driver was found.", o->rides[RIDE_NO_DRIVER]) \
    F(UINT, cancelled, 1, "Ended in the last 15 minutes: cancelled.", o->rides[RIDE_CANCELLED]) \
    F(UINT, completed, 40, "Ended in the last 15 minutes: completed.", o->rides[RIDE_COMPLETED])
RECORD(fleet_rides, "The rides of a fleet by status.", RIDES)

#define ASSIGNMENT(F) \
    F(UINT, rides, 42, "How many rides were assigned in this minute and the 15 before it.", o->assignment.count) \
    F(MILLI_OR_NULL, median_seconds, 7.5, "The median waiting time, in seconds; null: there were none.", \
      o->assignment.count, o->assignment.median_ms) \
    F(MILLI_OR_NULL, p95_seconds, 31.2, "The 95th percentile of the waiting time, in seconds; null: there were none.", \
      o->assignment.count, o->assignment.p95_ms)
RECORD(fleet_assignment, "How long rides waited for a driver.", ASSIGNMENT)

/* Its cells are written by the handler, a slice at a time. */
#define OVERVIEW_REST(F) \
    F(ONE, rides, , "Rides by status.", fleet_rides, write_rides(w, o)) \
    F(ONE, assignment, , "Seconds from request to assignment, over 15 minutes.", fleet_assignment, write_assignment(w, o))
#define OVERVIEW(F) \
    F(LIST, cells, , "Cells with drivers who are not away, in no particular order.", fleet_cell) OVERVIEW_REST(F)
RECORD(fleet_overview, "An overview of a fleet.", OVERVIEW)

/* ---- Drivers ---- */

#define DRIVER_LIST(F) \
    F(TEXT, driver_id, "dora", "The driver: a user id.", driver->id) \
    F(TEXT_OR_NULL, cell, "891f1d48b6bffff", ABOUT_CELL " null: no position since the server started.", cell) \
    F(WORD, status, "free", "`free`: can get an offer. `offered`: has a live offer. `busy`: is on a ride. `away`: not " \
      "available, or no position for `presence_seconds`.", driver_status_word, driver_status_name(driver->status)) \
    F(DEGREES_OR_NULL, lat, 52.520008, ABOUT_LAT, driver->has_point, driver->point.lat_e7) \
    F(DEGREES_OR_NULL, lng, 13.404954, ABOUT_LNG, driver->has_point, driver->point.lng_e7) \
    F(BOOL, available, true, ABOUT_AVAILABLE, driver->available) \
    F(MILLI, rating, 4.9, ABOUT_RATING, driver->rating_milli) \
    F(TEXTS, types, "van", ABOUT_DRIVER_TYPES, driver->types, driver->type_count) \
    F(BOOL, surge, false, ABOUT_DRIVER_SURGE, driver->surge) \
    F(TIME_OR_NULL, heard_at, "2030-06-03T09:00:00.000Z", "When the position was last reported; null: not since the server " \
      "started.", driver->heard_at_ms)
RECORD(driver, "A driver of a fleet.", DRIVER_LIST)

/* ---- Rides ---- */

#define POINT(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, point->lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, point->lng_e7)
RECORD(point, "A place.", POINT)

#define RIDE_OFFER(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(TEXT_OR_NULL, driver_id, "dora", "The driver it was offered to; null for the rider, unless that driver has the ride.", \
      shown ? offer->driver_id : (struct text){0}) \
    F(INT, score, 92000, "The score of that driver in milliseconds; the lowest gets the offer first.", offer->score_ms) \
    F(UINT, eta_seconds, 92, "The driver's ETA at that time, in seconds.", SECONDS(offer->eta_ms)) \
    F(TIME, made_at, "2030-06-03T09:00:00.000Z", "When it was made.", offer->made_at_ms) \
    F(TIME_OR_NULL, ended_at, "2030-06-03T09:00:07.000Z", "When it ended; null: it is live.", offer->ended_at_ms) \
    F(WORD_OR_NULL, end, "accepted", "How it ended; null: it is live.", offer_end_word, \
      offer->end ? offer_end_name(offer->end) : NULL)
RECORD(ride_offer, "An offer of a ride to a driver.", RIDE_OFFER)

#define RIDE_DRIVER(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, ride->driver.lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, ride->driver.lng_e7) \
    F(TIME, heard_at, "2030-06-03T09:00:00.000Z", "When the position was last reported.", ride->driver_heard_at_ms) \
    F(UINT, eta_seconds, 85, "The ETA at the pickup, in seconds.", SECONDS(ride->driver_eta_ms))
RECORD(ride_driver, "The position of a ride's driver.", RIDE_DRIVER)

#define RIDE_LIST(F) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the ride.", ENCODE_RIDE, ride->id) \
    F(WORD, status, "assigned", "The status of the ride.", ride_status_word, ride_status_name(ride->status)) \
    F(TEXT, rider_id, "ann", "The rider.", ride->rider_id) \
    F(ONE, pickup, , "The pickup.", point, write_point(w, &ride->pickup)) \
    F(ONE_OR_NULL, to, null, "The destination; null: not given.", point, \
      ride->has_to ? write_point(w, &ride->to) : json_null(w)) \
    F(TEXT_OR_NULL, type, null, ABOUT_RIDE_TYPE, ride->type) \
    F(TIME, created_at, "2030-06-03T08:59:58.000Z", "When it was requested.", ride->created_at_ms) \
    F(TIME_OR_NULL, assigned_at, "2030-06-03T09:00:07.000Z", "When its driver accepted it; null: no driver yet.", \
      ride->assigned_at_ms) \
    F(TIME_OR_NULL, ended_at, null, "When it ended; null: not yet.", ride->ended_at_ms) \
    F(TEXT_OR_NULL, driver_id, "dora", "The driver, now or when it ended; null: none.", ride->driver_id) \
    F(ONE_OR_NULL, driver, null, "While assigned: its driver's position; null: unknown.", ride_driver, \
      ride->has_driver ? write_ride_driver(w, ride) : json_null(w)) \
    F(LIST, offers, , "All its offers, oldest first.", ride_offer, write_offers(w, ride, as_rider))
RECORD(ride, "A ride.", RIDE_LIST)

#define DRIVER_OFFER(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The ride that is offered.", ENCODE_RIDE, offer->ride) \
    F(ONE, pickup, , "The pickup.", point, write_point(w, &ride->pickup)) \
    F(ONE_OR_NULL, to, null, "The destination; null: not given.", point, \
      ride->has_to ? write_point(w, &ride->to) : json_null(w)) \
    F(UINT, eta_seconds, 92, "The ETA at the pickup when the offer was made, in seconds.", SECONDS(offer->eta_ms)) \
    F(TIME, expires_at, "2030-06-03T09:00:15.000Z", "Until when it can be accepted.", offer->expires_at_ms) \
    F(UINT, expires_in_ms, 14200, "Milliseconds until then.", \
      offer->expires_at_ms > now_ms ? (uint64_t)(offer->expires_at_ms - now_ms) : 0)
RECORD(driver_offer, "An offer, as its driver sees it.", DRIVER_OFFER)

/* ---- Streams ---- */

extern const struct schema schema_stream_reset;

#define OFFER_ENDED(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(WORD, end, "timed_out", "How it ended.", offer_end_word, offer_end_name(offer->end))
RECORD(offer_ended, "The end of an offer.", OFFER_ENDED)

#define DRIVER_POSITION(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, ride->driver.lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, ride->driver.lng_e7) \
    F(UINT, eta_seconds, 85, "The ETA at the pickup, in seconds.", SECONDS(ride->driver_eta_ms))
RECORD(driver_position, "The driver's current position.", DRIVER_POSITION)

#define RIDE_STREAM(F) \
    F(ONE, reset, , "The stream was not resumed: the current state follows.", stream_reset) \
    F(ONE, ride, , "The whole current ride.", ride) \
    F(ONE, driver, , "While it is assigned: the driver's position, at most once a second. Has no id.", driver_position)
RECORD(ride_stream, "Changes of a ride.", RIDE_STREAM)

#define OFFER_STREAM(F) \
    F(ONE, reset, , "The stream was not resumed: the current state follows.", stream_reset) \
    F(ONE, offer, , "An offer was made.", driver_offer) \
    F(ONE, offer_ended, , "The offer ended.", offer_ended)
RECORD(offer_stream, "The offers of a driver.", OFFER_STREAM)
/* clang-format on */

/* ---- Fleets ---- */

static void write_weights(struct json_writer *w, const struct fleet_weights *weights)
{
    WRITE_RECORD(WEIGHTS);
}

void encode_fleet(struct json_writer *w, const struct fleet_image *fleet)
{
    WRITE_RECORD(FLEET_LIST);
}

static struct text cell_text(uint64_t cell, char out[H3_TEXT_SIZE])
{
    return (struct text){out, h3_write(cell, out)};
}

void encode_fleet_cell(struct json_writer *w, const struct fleet_cell *cell)
{
    char hex[H3_TEXT_SIZE];
    struct text text = cell_text(cell->cell, hex);
    WRITE_RECORD(CELL);
}

static void write_rides(struct json_writer *w, const struct fleet_overview *o)
{
    WRITE_RECORD(RIDES);
}

static void write_assignment(struct json_writer *w, const struct fleet_overview *o)
{
    WRITE_RECORD(ASSIGNMENT);
}

void encode_fleet_overview_rest(struct json_writer *w, const struct fleet_overview *o)
{
    OVERVIEW_REST(WRITE)
}

/* ---- Drivers ---- */

void encode_driver(struct json_writer *w, const struct driver_image *driver)
{
    char hex[H3_TEXT_SIZE];
    struct text cell = driver->has_point ? cell_text(driver->cell, hex) : (struct text){0};
    WRITE_RECORD(DRIVER_LIST);
}

/* ---- Rides ---- */

static void write_point(struct json_writer *w, const struct geo_point *point)
{
    WRITE_RECORD(POINT);
}

static void write_ride_driver(struct json_writer *w, const struct ride_image *ride)
{
    WRITE_RECORD(RIDE_DRIVER);
}

/* The rider sees only the driver who has the ride, none of the others. */
static void write_offers(struct json_writer *w, const struct ride_image *ride, bool as_rider)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < ride->offer_count; i++) {
        const struct offer_image *offer = &ride->offers[i];
        bool shown = !as_rider || (ride->driver_id.at && text_equal(ride->driver_id, offer->driver_id));
        WRITE_RECORD(RIDE_OFFER);
    }
    json_array_end(w);
}

void encode_ride(struct json_writer *w, const struct ride_image *ride, bool as_rider)
{
    WRITE_RECORD(RIDE_LIST);
}

void encode_driver_offer(struct json_writer *w, const struct offer_image *offer,
                         const struct ride_image *ride, int64_t now_ms)
{
    WRITE_RECORD(DRIVER_OFFER);
}

void encode_offer_ended(struct json_writer *w, const struct offer_image *offer)
{
    WRITE_RECORD(OFFER_ENDED);
}

void encode_driver_position(struct json_writer *w, const struct ride_image *ride)
{
    WRITE_RECORD(DRIVER_POSITION);
}
