/* SPDX-License-Identifier: Apache-2.0 */
/* record_dispatch.c — of encode.h: fleets, drivers, rides and offers. */
#include "base/geo/h3.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* A part of a second counts as one: nobody comes earlier than is said. */
#define SECONDS(ms_) (uint64_t)(((ms_) + 999) / 1000)

/* clang-format off */

/* ---- Fleets ---- */

#define WEIGHTS(F) \
    F(MILLI, eta, 1, ABOUT_WEIGHT_ETA, weights->eta_milli) \
    F(MILLI, rating, 0, ABOUT_WEIGHT_RATING, weights->rating_milli) \
    F(MILLI, waiting, 0, ABOUT_WEIGHT_WAITING, weights->waiting_milli) \
    F(MILLI, surge, 0, ABOUT_WEIGHT_SURGE, weights->surge_milli)
RECORD(fleet_weights, "What the score of a driver is made of.", WEIGHTS)

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
RECORD(fleet, "A fleet: drivers who are offered rides, and how.", FLEET_LIST)

#define CELL(F) \
    F(TEXT, cell, "891f1d48b6bffff", ABOUT_CELL, text) \
    F(UINT, free, 3, "Drivers who can be offered a ride.", cell->free) \
    F(UINT, offered, 1, "Drivers who have a live offer.", cell->offered) \
    F(UINT, busy, 2, "Drivers who are on a ride.", cell->busy)
RECORD(fleet_cell, "The drivers of one cell.", CELL)

#define RIDES(F) \
    F(UINT, searching, 2, "Waiting for a driver.", o->rides[RIDE_SEARCHING]) \
    F(UINT, offered, 1, "Offered to a driver.", o->rides[RIDE_OFFERED]) \
    F(UINT, assigned, 2, "Accepted by a driver.", o->rides[RIDE_ASSIGNED]) \
    F(UINT, no_driver, 0, "Ended in the last 15 minutes: nobody was found.", o->rides[RIDE_NO_DRIVER]) \
    F(UINT, cancelled, 1, "Ended in the last 15 minutes: cancelled.", o->rides[RIDE_CANCELLED]) \
    F(UINT, completed, 40, "Ended in the last 15 minutes: completed.", o->rides[RIDE_COMPLETED])
RECORD(fleet_rides, "The rides of a fleet by status.", RIDES)

#define ASSIGNMENT(F) \
    F(UINT, rides, 42, "How many rides were assigned in this minute and the 15 before it.", o->assignment.count) \
    F(MILLI_OR_NULL, median_seconds, 7.5, "Half of them waited at most so long, in seconds; null: there were none.", \
      o->assignment.count, o->assignment.median_ms) \
    F(MILLI_OR_NULL, p95_seconds, 31.2, "So long 19 of 20 waited at most; null: there were none.", \
      o->assignment.count, o->assignment.p95_ms)
RECORD(fleet_assignment, "How long rides wait for a driver.", ASSIGNMENT)

/* Its cells are written by the handler, a slice at a time. */
#define OVERVIEW_REST(F) \
    F(ONE, rides, , "Rides by status.", fleet_rides, write_rides(w, o)) \
    F(ONE, assignment, , "Seconds from request to assignment, over 15 minutes.", fleet_assignment, write_assignment(w, o))
#define OVERVIEW(F) \
    F(LIST, cells, , "Cells with drivers who are not away, in no order.", fleet_cell) OVERVIEW_REST(F)
RECORD(fleet_overview, "What goes on in a fleet.", OVERVIEW)

/* ---- Drivers ---- */

#define DRIVER_LIST(F) \
    F(TEXT, driver_id, "dora", "The driver: a user id.", driver->id) \
    F(TEXT_OR_NULL, cell, "891f1d48b6bffff", ABOUT_CELL " null: not heard of since the server started.", cell) \
    F(WORD, status, "free", "`free`: can be offered a ride. `offered`: has a live offer. `busy`: is on a ride. `away`: not " \
      "available, or not heard of for `presence_seconds`.", driver_status_word, driver_status_name(driver->status)) \
    F(DEGREES_OR_NULL, lat, 52.520008, ABOUT_LAT, driver->has_point, driver->point.lat_e7) \
    F(DEGREES_OR_NULL, lng, 13.404954, ABOUT_LNG, driver->has_point, driver->point.lng_e7) \
    F(BOOL, available, true, ABOUT_AVAILABLE, driver->available) \
    F(MILLI, rating, 4.9, ABOUT_RATING, driver->rating_milli) \
    F(TEXTS, types, "van", ABOUT_DRIVER_TYPES, driver->types, driver->type_count) \
    F(BOOL, surge, false, ABOUT_DRIVER_SURGE, driver->surge) \
    F(TIME_OR_NULL, heard_at, "2030-06-03T09:00:00.000Z", "When its position was last reported; null: not since the server " \
      "started.", driver->heard_at_ms)
RECORD(driver, "A driver of a fleet.", DRIVER_LIST)

/* ---- Rides ---- */

#define POINT(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, point->lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, point->lng_e7)
RECORD(point, "A place.", POINT)

#define RIDE_OFFER(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(TEXT_OR_NULL, driver_id, "dora", "Whom it was offered to; null for the rider, unless that driver has the ride.", \
      shown ? offer->driver_id : (struct text){0}) \
    F(INT, score, 92000, "The score of that driver in milliseconds; the lowest is asked first.", offer->score_ms) \
    F(UINT, eta_seconds, 92, "How far away it was, in seconds.", SECONDS(offer->eta_ms)) \
    F(TIME, made_at, "2030-06-03T09:00:00.000Z", "When it was made.", offer->made_at_ms) \
    F(TIME_OR_NULL, ended_at, "2030-06-03T09:00:07.000Z", "When it ended; null: it is live.", offer->ended_at_ms) \
    F(WORD_OR_NULL, end, "accepted", "How it ended; null: it is live.", offer_end_word, \
      offer->end ? offer_end_name(offer->end) : NULL)
RECORD(ride_offer, "An offer of a ride to a driver.", RIDE_OFFER)

#define RIDE_DRIVER(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, ride->driver.lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, ride->driver.lng_e7) \
    F(TIME, heard_at, "2030-06-03T09:00:00.000Z", "When it was last heard of.", ride->driver_heard_at_ms) \
    F(UINT, eta_seconds, 85, "How far it is from the pickup, in seconds.", SECONDS(ride->driver_eta_ms))
RECORD(ride_driver, "Where the driver of a ride is.", RIDE_DRIVER)

#define RIDE_LIST(F) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the ride.", ENCODE_RIDE, ride->id) \
    F(WORD, status, "assigned", "The status of the ride.", ride_status_word, ride_status_name(ride->status)) \
    F(TEXT, rider_id, "ann", "Who is picked up.", ride->rider_id) \
    F(ONE, pickup, , "Where.", point, write_point(w, &ride->pickup)) \
    F(ONE_OR_NULL, to, null, "Where to; null: not said.", point, \
      ride->has_to ? write_point(w, &ride->to) : json_null(w)) \
    F(TEXT_OR_NULL, type, null, ABOUT_RIDE_TYPE, ride->type) \
    F(TIME, created_at, "2030-06-03T08:59:58.000Z", "When it was asked for.", ride->created_at_ms) \
    F(TIME_OR_NULL, assigned_at, "2030-06-03T09:00:07.000Z", "When its driver accepted it; null: nobody has it.", \
      ride->assigned_at_ms) \
    F(TIME_OR_NULL, ended_at, null, "When it ended; null: it is under way.", ride->ended_at_ms) \
    F(TEXT_OR_NULL, driver_id, "dora", "Who has it, or had it at its end; null: nobody.", ride->driver_id) \
    F(ONE_OR_NULL, driver, null, "While assigned: where its driver is; null: nobody knows.", ride_driver, \
      ride->has_driver ? write_ride_driver(w, ride) : json_null(w)) \
    F(LIST, offers, , "Every offer of it, oldest first.", ride_offer, write_offers(w, ride, as_rider))
RECORD(ride, "A ride.", RIDE_LIST)

#define DRIVER_OFFER(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(ID, ride_id, "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The ride that is offered.", ENCODE_RIDE, offer->ride) \
    F(ONE, pickup, , "Where it begins.", point, write_point(w, &ride->pickup)) \
    F(ONE_OR_NULL, to, null, "Where it goes; null: not said.", point, \
      ride->has_to ? write_point(w, &ride->to) : json_null(w)) \
    F(UINT, eta_seconds, 92, "How far away the pickup was when the offer was made, in seconds.", SECONDS(offer->eta_ms)) \
    F(TIME, expires_at, "2030-06-03T09:00:15.000Z", "Until when it can be accepted.", offer->expires_at_ms) \
    F(UINT, expires_in_ms, 14200, "The same, from now.", \
      offer->expires_at_ms > now_ms ? (uint64_t)(offer->expires_at_ms - now_ms) : 0)
RECORD(driver_offer, "What a driver is offered.", DRIVER_OFFER)

/* ---- Streams ---- */

extern const struct schema schema_stream_reset;

#define OFFER_ENDED(F) \
    F(ID, offer_id, "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the offer.", ENCODE_OFFER, offer->id) \
    F(WORD, end, "timed_out", "How it ended.", offer_end_word, offer_end_name(offer->end))
RECORD(offer_ended, "The end of an offer.", OFFER_ENDED)

#define DRIVER_PLACE(F) \
    F(DEGREES, lat, 52.520008, ABOUT_LAT, ride->driver.lat_e7) \
    F(DEGREES, lng, 13.404954, ABOUT_LNG, ride->driver.lng_e7) \
    F(UINT, eta_seconds, 85, "How far it is from the pickup, in seconds.", SECONDS(ride->driver_eta_ms))
RECORD(driver_place, "Where the driver is now.", DRIVER_PLACE)

#define RIDE_STREAM(F) \
    F(ONE, reset, , "Nothing is resumed: what follows is all there is.", stream_reset) \
    F(ONE, ride, , "The whole ride, as it is now.", ride) \
    F(ONE, driver, , "While it is assigned: where the driver is, at most once a second. Has no id.", driver_place)
RECORD(ride_stream, "Changes of a ride.", RIDE_STREAM)

#define OFFER_STREAM(F) \
    F(ONE, reset, , "Nothing is resumed: what follows is all there is.", stream_reset) \
    F(ONE, offer, , "An offer was made.", driver_offer) \
    F(ONE, offer_ended, , "It is over.", offer_ended)
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

/* The rider learns who drives once somebody does, and of the others nothing. */
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

void encode_driver_place(struct json_writer *w, const struct ride_image *ride)
{
    WRITE_RECORD(DRIVER_PLACE);
}
