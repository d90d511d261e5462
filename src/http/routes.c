/* SPDX-License-Identifier: Apache-2.0 */
#include "http/routes.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "http/describe/about.h"
#include "http/api/api.h"
#include "http/describe/words.h"

/* clang-format off */
#define EVENT "/v1/events/{event}"
#define CALENDAR "/v1/calendars/{calendar}"
#define RESERVATION "/v1/reservations/{id}"
/* Query parameters. */
#define Q(name_, about_) {.name = name_, .about = about_}
#define Q_TIME(name_, about_) {.name = name_, .about = about_, .kind = ROUTE_QUERY_TIME}
#define Q_WORD(name_, words_, about_) {.name = name_, .about = about_, .word = words_}
#define Q_NUMBER(name_, least_, most_, about_, ...) \
    {.name = name_, .about = about_, .kind = ROUTE_QUERY_NUMBER, .least = least_, .most = most_, __VA_ARGS__}
#define Q_OWNER Q("user_id", ABOUT_OWNER)
#define PAGE Q_NUMBER("limit", 1, ROUTE_LIMIT_MAX, "How many entries a page has.", .otherwise = ROUTE_LIMIT), \
    Q("cursor", "The `next_cursor` of the page before.")
/* Groups. */
#define ABOUT(tag_, about_) .tag = ROUTE_TAG_##tag_, .about = about_
/* Answers. */
#define DONE(record_, ...) {200, .record = &schema_##record_, __VA_ARGS__}
#define MADE(record_, ...) {201, .record = &schema_##record_, __VA_ARGS__}
#define PAGE_OF(record_) {200, .record = &schema_##record_, .page = true}
#define STREAM_OF(record_) {200, .record = &schema_##record_##_stream, .type = "text/event-stream"}
#define NOTHING {.status = 204}
#define UNCHANGED {.status = 304, .etag = true}
/* Refusals. */
#define NO(name) ROUTE_REFUSES(name)
#define WRITES (NO(STORAGE_FULL) | NO(UNAVAILABLE))
#define FINISHES NO(STORAGE_FULL) /* goes on as long as anything can be written */
#define READS NO(UNAVAILABLE)     /* from the book, or a place among those that wait for the answer */
#define JOINS (WRITES | NO(NOT_OWNER) | NO(NO_SUCH_ENTRY))
#define OWNED (NO(NOT_OWNER) | READS) /* a reservation may have to be fetched from the book */
#define OVER (NO(ALREADY_RELEASED) | NO(EXPIRED))
#define SOLD NO(ALREADY_CONFIRMED)
#define CLAIMS (WRITES | NO(NO_SUCH_SEAT) | NO(NOT_ON_SALE) | NO(CLOSED) | NO(TAKEN))
#define CLAIMS_ANY (CLAIMS | NO(NO_SUCH_EVENT) | NO(NO_SUCH_POOL) | NO(NO_SUCH_CALENDAR) | \
                    NO(LIMIT_EXCEEDED) | NO(SOLD_OUT) | NO(NO_ADJACENT_SEATS))

const struct route routes[] = {
    /* ---- Catalogue ---- */
    {METHOD_GET, "/v1/events", api_event_list, MAY_ANYONE, LANE_READ,
     .summary = "List the events.",
     ABOUT(EVENTS, "Ordered by id."), .query = {PAGE}, .answers = {PAGE_OF(event)}},
    {METHOD_PUT, EVENT, api_event_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create an event or replace its settings.",
     ABOUT(EVENTS,
           "Replaces the whole record: a field left out takes its default, also `waiting_room` and "
           "`waiting_list`. Changed settings touch new holds only."),
     .body = BODY_JSON, .fields = api_event_fields,
     .example = JSON_EXAMPLE({"name": "An evening at the arena", "starts_at": "2030-06-07T19:00:00Z", "per_user_limit": 8}),
     .refuses = WRITES, .answers = {MADE(event), DONE(event)}},
    {METHOD_GET, EVENT, api_event_get, MAY_ANYONE, LANE_READ,
     .summary = "Read an event: its settings and counts.",
     ABOUT(EVENTS, "Shows everything that was acknowledged before."), .answers = {DONE(event)}},
    {METHOD_DELETE, EVENT, api_event_remove, MAY_ADMIN, LANE_NONE,
     .summary = "Remove an event without live claims.",
     ABOUT(EVENTS, "Refused while anything of it is held or sold."),
     .refuses = FINISHES | NO(IN_USE), .answers = {NOTHING}},
    {METHOD_POST, EVENT "/seats", api_seats_import, MAY_ADMIN, LANE_NONE,
     .summary = "Add or update seats: a JSON array, or CSV with a header line.",
     ABOUT(EVENTS,
           "Whole or not at all. Seats that are there already are updated; a column or field that is "
           "left out stays as it was. CSV is that of RFC 4180, its columns in any order."),
     .body = BODY_SEATS, .fields = api_seat_fields,
     .example = JSON_EXAMPLE([{"id": "A15", "section": "stalls", "row": "A", "number": "15", "tier": "gold", "price": 4500}]),
     .example_csv = "id,section,row,number,tier,price\nA15,stalls,A,15,gold,4500\n",
     .refuses = WRITES | NO(TAKEN), .answers = {MADE(seats_imported)}},
    {METHOD_PATCH, EVENT "/seats", api_seats_block, MAY_ADMIN, LANE_NONE,
     .summary = "Take seats off sale or put them back.",
     ABOUT(EVENTS, "All of them or none: refused if one is claimed."),
     .body = BODY_JSON, .fields = api_seat_block_fields,
     .example = JSON_EXAMPLE({"ids": ["A1", "A2"], "blocked": true}),
     .refuses = WRITES | NO(NO_SUCH_SEAT) | NO(TAKEN), .answers = {DONE(seats_blocked)}},
    {METHOD_GET, EVENT "/seats", api_seats_layout, MAY_ANYONE, LANE_READ,
     .summary = "Read the layout: the static facts of every seat.",
     ABOUT(EVENTS, "Changes with imports only: keep it by its ETag."),
     .answers = {DONE(layout, .etag = true), UNCHANGED}},
    {METHOD_GET, EVENT "/seats/{seat}", api_seat_get, MAY_ANYONE, LANE_READ,
     .summary = "Read one seat and its status.",
     ABOUT(EVENTS,
           "The ETag is its version: with If-Match a hold in the short form is granted only if "
           "nobody has touched the seat since."), .answers = {DONE(seat, .etag = true)}},
    {METHOD_PUT, EVENT "/pools/{pool}", api_pool_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create a pool or change it.",
     ABOUT(EVENTS, "Replaces the whole record. The capacity cannot fall below what is claimed."),
     .body = BODY_JSON, .fields = api_pool_fields,
     .example = JSON_EXAMPLE({"capacity": 500, "price": 2500, "name": "Standing room"}),
     .refuses = WRITES | NO(CAPACITY_IN_USE), .answers = {MADE(pool), DONE(pool)}},
    {METHOD_GET, EVENT "/availability", api_availability_get, MAY_ANYONE, LANE_READ,
     .summary = "Read what is free, whole or since a version.",
     ABOUT(EVENTS,
           "With `since` only what has changed, if that can still be told; `full` says which it is. "
           "With `format=map` a letter a seat."),
     .query = {Q_NUMBER("since", 0, UINT64_MAX, "A `version`: only what has changed since then."),
               Q_WORD("format", words_availability_format, "`json`: by id. `map`: a letter a seat.")},
     .refuses = READS, .answers = {DONE(availability)}},
    {METHOD_GET, EVENT "/stream", api_event_stream, MAY_ANYONE, LANE_READ,
     .summary = "Follow the changes of seats and pools.",
     ABOUT(EVENTS,
           "Server-sent events; the id is the version. Without a Last-Event-ID, or with one that is "
           "too old, it begins with `reset`: read the availability, then follow. A comment comes "
           "every 15 seconds."),
     .refuses = READS, .resumes = true, .answers = {STREAM_OF(event)}},

    {METHOD_POST, EVENT "/queue", api_queue_join, MAY_BUY, LANE_JOIN,
     .summary = "Join the waiting room.",
     ABOUT(WAITING_ROOMS, "One live entry for each user: joining again answers 200 and the same entry."),
     .body = BODY_JSON, .fields = api_queue_join_fields,
     .example = JSON_EXAMPLE({"user_id": "ann"}), .idempotent = true,
     .refuses = JOINS | NO(NO_WAITING_ROOM),
     .answers = {MADE(queue_entry, .location = true), DONE(queue_entry, .location = true)}},
    {METHOD_GET, EVENT "/queue", api_queue_get, MAY_ANYONE, LANE_POLL,
     .summary = "How far the waiting room is: one answer for everybody; for an admin, all about it.",
     ABOUT(WAITING_ROOMS, "Made at most five times a second, so it may be a fraction of a second behind."),
     .refuses = NO(NO_WAITING_ROOM), .answers = {DONE(queue, .etag = true), UNCHANGED}},
    {METHOD_PATCH, EVENT "/queue", api_queue_patch, MAY_ADMIN, LANE_NONE,
     .summary = "Change the running of a waiting room: pace, pause, opening.",
     ABOUT(WAITING_ROOMS, "Acts at once. What is left out stays as it is."),
     .body = BODY_JSON, .fields = api_queue_patch_fields,
     .example = JSON_EXAMPLE({"rate_per_second": 500, "paused": false}),
     .refuses = FINISHES | NO(NO_WAITING_ROOM), .answers = {DONE(queue_admin)}},
    {METHOD_GET, EVENT "/queue/{entry}", api_queue_entry_get, MAY_BUY, LANE_READ,
     .summary = "Read an entry of a waiting room; its owner is present by asking.",
     ABOUT(WAITING_ROOMS,
           "Ask every `poll_after_seconds`: who does not is passed over when the turn comes. When "
           "admitted it has a `pass`."),
     .query = {Q_OWNER}, .refuses = NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_DELETE, EVENT "/queue/{entry}", api_queue_entry_leave, MAY_BUY, LANE_COMMIT,
     .summary = "Leave a waiting room.",
     ABOUT(WAITING_ROOMS,
           "An admitted one gives its place to the next. Of an entry that is over it changes "
           "nothing."), .query = {Q_OWNER},
     .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_GET, EVENT "/queue/{entry}/stream", api_queue_entry_stream, MAY_BUY, LANE_READ,
     .summary = "Follow an entry of a waiting room.",
     ABOUT(WAITING_ROOMS,
           "Server-sent events, each the whole entry; at most fifteen seconds apart. It ends when "
           "the entry is finished or left."), .query = {Q_OWNER},
     .refuses = READS | NO(NOT_OWNER), .answers = {STREAM_OF(entry)}},
    {METHOD_POST, EVENT "/waiting-list", api_list_join, MAY_BUY, LANE_JOIN,
     .summary = "Join the waiting list for what is sold out.",
     ABOUT(WAITING_LISTS,
           "One live entry for each user: joining again answers 200 and the same entry. Refused "
           "while what is wanted can still be had."),
     .body = BODY_JSON, .fields = api_list_join_fields,
     .example = JSON_EXAMPLE({"user_id": "ann", "quantity": 2, "adjacent": true, "tier": "gold"}), .idempotent = true,
     .refuses = JOINS | NO(NO_WAITING_LIST) | NO(NOT_SOLD_OUT) | NO(NO_SUCH_POOL),
     .answers = {MADE(list_entry, .location = true), DONE(list_entry, .location = true)}},
    {METHOD_GET, EVENT "/waiting-list", api_list_get, MAY_ADMIN, LANE_NONE,
     .summary = "List the entries of a waiting list in the order of joining.",
     ABOUT(WAITING_LISTS, "Comes from the book and may lag a moment."),
     .query = {Q_WORD("status", words_list_status, "Of this status."), PAGE},
     .refuses = READS, .min_seq = true, .answers = {PAGE_OF(list_entry)}},
    {METHOD_GET, EVENT "/waiting-list/{entry}", api_list_entry_get, MAY_BUY, LANE_READ,
     .summary = "Read an entry of a waiting list.",
     ABOUT(WAITING_LISTS, "When offered it has a `reservation_id`: commit that before its deadline."), .query = {Q_OWNER},
     .refuses = NO(NOT_OWNER), .answers = {DONE(list_entry)}},
    {METHOD_DELETE, EVENT "/waiting-list/{entry}", api_list_entry_leave, MAY_BUY, LANE_COMMIT,
     .summary = "Leave a waiting list, or decline what it has offered.",
     ABOUT(WAITING_LISTS, "Of an offered one it releases the reservation."), .query = {Q_OWNER},
     .releases = true, .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(list_entry)}},

    {METHOD_GET, "/v1/calendars", api_calendar_list, MAY_ANYONE, LANE_READ,
     .summary = "List the calendars.",
     ABOUT(CALENDARS, "Ordered by id."), .query = {PAGE}, .answers = {PAGE_OF(calendar)}},
    {METHOD_PUT, CALENDAR, api_calendar_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create a calendar or replace its settings.",
     ABOUT(CALENDARS,
           "Replaces the whole record: a field left out takes its default. Changed settings touch "
           "new claims only."),
     .body = BODY_JSON, .fields = api_calendar_fields,
     .example = JSON_EXAMPLE({"name": "Dr Smith", "timezone": "Europe/London", "price": 5000,
        "hours": [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:30"}],
        "services": [{"id": "check_up", "duration_minutes": 30, "price": 4000}]}),
     .refuses = WRITES | NO(CAPACITY_IN_USE), .answers = {MADE(calendar), DONE(calendar)}},
    {METHOD_GET, CALENDAR, api_calendar_get, MAY_ANYONE, LANE_READ, .summary = "Read a calendar's settings.",
     ABOUT(CALENDARS, "Shows everything that was acknowledged before."),
     .answers = {DONE(calendar)}},
    {METHOD_GET, CALENDAR "/slots", api_slot_list, MAY_ANYONE, LANE_READ,
     .summary = "List the slots that can be claimed.",
     ABOUT(CALENDARS,
           "What could be claimed at this moment, at most 62 days of it. A page may be short, or "
           "empty, and still have a next one."),
     .query = {Q_TIME("from", "Slots that begin from then on; left out, from now on."),
               Q_TIME("to", "Slots that begin before then; left out, seven days after `from`."),
               Q_NUMBER("duration_minutes", 1, SLOT_LENGTH_MAX_MS / 60000, "How long a slot is to be."),
               Q("service", "The service whose length it is to have."), PAGE}, .answers = {PAGE_OF(slot)}},
    {METHOD_GET, CALENDAR ".ics", api_booking_list, MAY_ADMIN, LANE_NONE,
     .summary = "Read the confirmed bookings as iCalendar.",
     ABOUT(CALENDARS,
           "One VEVENT for each confirmed slot, in the order of time. `from` and `to` ask for those "
           "that overlap that time."), .query = {Q_TIME("from", "Bookings that end after then."),
                                                                Q_TIME("to", "Bookings that begin before then.")},
     .refuses = READS, .min_seq = true, .answers = {{200, .type = "text/calendar",
     .example = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//EN\r\nEND:VCALENDAR\r\n"}}},

    /* ---- Reservations ---- */
    {METHOD_POST, "/v1/reservations", api_reservation_hold, MAY_BUY, LANE_HOLD,
     .summary = "Hold seats, pool units and slots, all of them or none.",
     ABOUT(RESERVATIONS,
           "All of it or nothing, for as long as the event or calendar says. A refusal names "
           "everything that was in the way. With an Idempotency-Key it can be repeated safely."),
     .body = BODY_JSON, .fields = api_hold_fields, .forms = api_hold_forms,
     .query = {Q_OWNER}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = CLAIMS_ANY | NO(NOT_OWNER) | NO(VERSION_MISMATCH), .body_needed = true, .if_match = true,
     .answers = {MADE(reservation, .location = true)}},
    {METHOD_GET, "/v1/reservations", api_reservation_list, MAY_BUY, LANE_READ,
     .summary = "List reservations, newest first.",
     ABOUT(RESERVATIONS, "A user sees its own. Comes from the book and may lag a moment."),
     .query = {Q("user_id", "Of this user; a user token may name its own only."),
               Q("event", "With an item of this event."), Q("calendar", "With an item of this calendar."),
               Q_WORD("status", words_reservation_status, "Of this status."), Q("pnr", "With this PNR."), PAGE}, .without_v1 = true,
     .refuses = READS | NO(NOT_OWNER), .min_seq = true, .answers = {PAGE_OF(reservation)}},
    {METHOD_GET, RESERVATION, api_reservation_get, MAY_BUY, LANE_READ, .summary = "Read a reservation.",
     ABOUT(RESERVATIONS, "For a user token another one's reservation does not exist."),
     .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED, .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION, api_reservation_attributes, MAY_BUY, LANE_HOLD,
     .summary = "Replace the attributes.",
     ABOUT(RESERVATIONS, "The whole object is replaced."),
     .body = BODY_JSON, .fields = api_attributes_fields,
     .example = JSON_EXAMPLE({"attributes": {"channel": "web"}}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | WRITES | OVER, .answers = {DONE(reservation)}},
    {METHOD_DELETE, RESERVATION, api_reservation_release, MAY_BUY, LANE_COMMIT, .summary = "Release a hold.",
     ABOUT(RESERVATIONS, "What was in it is free at once. Again: the same answer."),
     .body = BODY_JSON, .fields = api_owner_fields,
     .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | NO(EXPIRED), .answers = {DONE(reservation_over)}},
    {METHOD_POST, RESERVATION "/release", api_reservation_release, MAY_BUY, LANE_COMMIT,
     .summary = "Release a hold.",
     ABOUT(RESERVATIONS, "What was in it is free at once. Again: the same answer."),
     .body = BODY_JSON, .fields = api_owner_fields,
     .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | NO(EXPIRED), .answers = {DONE(reservation_over)}},
    {METHOD_POST, RESERVATION "/items", api_items_add, MAY_BUY, LANE_HOLD,
     .summary = "Add an item or several to a hold.",
     ABOUT(RESERVATIONS,
           "All of it or nothing. What the hold has already is passed over; if that is all, 200 and "
           "nothing changes. The deadline stays."),
     .body = BODY_JSON, .fields = api_items_fields, .forms = api_items_forms,
     .query = {Q_OWNER}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS_ANY | SOLD | OVER | NO(PAYING), .body_needed = true,
     .answers = {MADE(reservation), DONE(reservation)}},
    {METHOD_DELETE, RESERVATION "/items/{item_id}", api_item_drop, MAY_BUY, LANE_COMMIT,
     .summary = "Drop an item; dropping the last one releases the hold.",
     ABOUT(RESERVATIONS, "What was in the item is free at once."),
     .body = BODY_JSON, .fields = api_owner_fields,
     .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | NO(PAYING), .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION "/items/{item_id}", api_item_move, MAY_BUY, LANE_HOLD,
     .summary = "Move an item to another seat or another time.",
     ABOUT(RESERVATIONS,
           "The old place is given up only if the new one is granted. Of a confirmed reservation the "
           "tickets stay good."),
     .body = BODY_JSON, .fields = api_item_move_fields, .forms = api_item_move_forms,
     .query = {Q_OWNER}, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS | OVER | NO(PAYING) | NO(PAYMENT_REQUIRED), .body_needed = true,
     .answers = {DONE(reservation)}},
    {METHOD_POST, RESERVATION "/extend", api_reservation_extend, MAY_BUY, LANE_COMMIT,
     .summary = "Move the deadline on.",
     ABOUT(RESERVATIONS, "To now plus the TTL, at most to `max_expires_at`, and never to an earlier time."),
     .body = BODY_JSON, .fields = api_extend_fields,
     .example = JSON_EXAMPLE({"ttl_seconds": 300}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | WRITES | SOLD | OVER | NO(PAYING), .answers = {DONE(reservation_held)}},
    {METHOD_POST, RESERVATION "/payment", api_reservation_payment, MAY_BUY, LANE_COMMIT,
     .summary = "The buyer went to pay.",
     ABOUT(RESERVATIONS,
           "The deadline moves on to now plus `payment_ttl_seconds`, and the items stay as they are "
           "from then on. With a `payment_ref` from an app or admin key the owner can commit by "
           "itself. Again: the same answer."),
     .body = BODY_JSON, .fields = api_payment_fields,
     .example = JSON_EXAMPLE({"payment_ref": "pi_123"}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | NO(PAYMENT_WINDOW_OFF),
     .answers = {DONE(reservation_held)}},
    {METHOD_POST, RESERVATION "/commit", api_reservation_commit, MAY_BUY, LANE_COMMIT,
     .summary = "Turn a hold into a sale.",
     ABOUT(RESERVATIONS,
           "Charges nobody: what is said about the payment is recorded. Where payment is required, "
           "an app or admin key does it, or the owner once a payment is recorded. Again: the same "
           "answer."),
     .body = BODY_JSON, .fields = api_commit_fields,
     .example = JSON_EXAMPLE({"payment_method": "card", "payment_ref": "pi_123"}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | FINISHES | OVER | NO(PAYMENT_REQUIRED), .answers = {DONE(reservation_confirmed)}},
    {METHOD_GET, RESERVATION "/history", api_reservation_history, MAY_BUY, LANE_READ,
     .summary = "Every change of a reservation.",
     ABOUT(RESERVATIONS, "Oldest first. Comes from the book and may lag a moment."),
     .query = {Q_OWNER, PAGE}, .without_v1 = true,
     .refuses = OWNED, .min_seq = true, .answers = {PAGE_OF(change)}},

    /* ---- Keys and sessions ---- */
    {METHOD_POST, "/v1/keys", api_key_create, MAY_ADMIN, LANE_NONE,
     .summary = "Make an app or door key; it is shown once.",
     ABOUT(ACCESS, "Keep it: only a digest of it is stored."),
     .body = BODY_JSON, .fields = api_key_fields,
     .example = JSON_EXAMPLE({"name": "shop", "role": "app"}),
     .refuses = WRITES | NO(EXISTS), .answers = {MADE(key_made)}},
    {METHOD_GET, "/v1/keys", api_key_list, MAY_ADMIN, LANE_NONE,
     .summary = "List the keys by name.",
     ABOUT(ACCESS, "Without the keys themselves."), .query = {PAGE}, .answers = {PAGE_OF(key)}},
    {METHOD_POST, "/v1/keys/{name}/rotate", api_key_rotate, MAY_ADMIN, LANE_NONE,
     .summary = "Give a key another value; the one before is good for a while longer.",
     ABOUT(ACCESS, "Rotating again while two values are good ends the older one at once."),
     .body = BODY_JSON, .fields = api_key_rotate_fields,
     .example = JSON_EXAMPLE({"old_valid_seconds": 3600}),
     .refuses = WRITES, .answers = {MADE(key_rotated)}},
    {METHOD_DELETE, "/v1/keys/{name}", api_key_remove, MAY_ADMIN, LANE_NONE, .summary = "Remove a key.",
     ABOUT(ACCESS, "It is good for nothing from then on."),
     .refuses = FINISHES, .answers = {NOTHING}},
    {METHOD_POST, "/v1/sessions", api_session_create, MAY_ANYONE, LANE_SESSION,
     .summary = "Get a guest token, good for a day.",
     ABOUT(ACCESS, "For a browser without an account. With a good guest token it renews that one."),
     .body = BODY_JSON,
     .example = "{}", .answers = {MADE(session)}},

    /* ---- Operations ---- */
    {METHOD_GET, "/healthz", api_healthz, MAY_ANYONE, LANE_NONE, .summary = "Whether the process answers.",
     ABOUT(OPERATIONS, "For a supervisor: restart the process if it does not answer."),
     .answers = {DONE(health)}},
    {METHOD_GET, "/readyz", api_readyz, MAY_ANYONE, LANE_NONE, .summary = "Whether new holds are taken.",
     ABOUT(OPERATIONS, "For a load balancer: send holds elsewhere while it is 503."),
     .answers = {DONE(readiness), {503, .record = &schema_readiness}}},
    {METHOD_GET, "/metrics", api_metrics, MAY_ANYONE, LANE_NONE,
     .summary = "Figures in Prometheus text form.",
     ABOUT(OPERATIONS, "For a Prometheus to scrape."), .door = ROUTE_DOOR_METRICS, .answers = {{200, .type = "text/plain",
     .example = "# TYPE holdfast_requests_total counter\n"
                 "holdfast_requests_total{method=\"GET\",route=\"/v1/events\",status=\"2xx\"} 42\n"}}},
    {METHOD_GET, "/openapi.json", api_openapi, MAY_ANYONE, LANE_NONE, .summary = "This description.",
     ABOUT(OPERATIONS, "Made from the tables that requests are judged by."),
     .door = ROUTE_DOOR_OPENAPI, .answers = {DONE(description)}},
};
/* clang-format on */
const unsigned routes_count = sizeof routes / sizeof *routes;

const struct route_parameter *route_parameter(const struct route *route, unsigned index)
{
    static const struct route_parameter kinds[] = {
        {"event", OUTCOME_NO_SUCH_EVENT, "The event.", "arena"},
        {"seat", OUTCOME_NO_SUCH_SEAT, "The seat.", "A15"},
        {"pool", OUTCOME_NO_SUCH_POOL, "The pool.", "floor"},
        {"id", OUTCOME_NO_SUCH_RESERVATION, "The reservation.", "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
        {"item_id", OUTCOME_NO_SUCH_ITEM, "The item of the reservation.", "1"},
        {"name", OUTCOME_NO_SUCH_KEY, "The name of the key.", "shop"},
        {"calendar", OUTCOME_NO_SUCH_CALENDAR, "The calendar.", "dr_smith"},
        {"entry", OUTCOME_NO_SUCH_ENTRY, "The entry.", "ent_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
    };
    const char *at = strchr(route->pattern, '{');
    while (index-- && at)
        at = strchr(at + 1, '{');
    if (!at)
        return NULL;
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(at + 1, kinds[i].name, strcspn(at + 1, "}")) == 0 &&
            strlen(kinds[i].name) == strcspn(at + 1, "}"))
            return &kinds[i];
    ASSERT(false);
    return NULL;
}

/* The index is a trie of path segments. Node 0 is the root, so 0 also means "none" in the links. */
#define NODES_MAX 96
struct route_node {
    const char *literal; /* NULL: a parameter, of which `suffix` is the end */
    const char *suffix;  /* of a parameter; "" when it is the whole segment */
    size_t size;         /* of the literal or the suffix */
    uint16_t child, sibling;
    unsigned allow;
    const struct route *by_method[METHOD_OPTIONS];
};
static struct route_node nodes[NODES_MAX];
static uint16_t nodes_used;

const char *method_name(enum method method)
{
    static const char *const names[] = {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "OTHER"};
    ASSERT(method <= METHOD_OTHER);
    return names[method];
}

static uint16_t node_child(uint16_t parent, const char *segment, size_t size)
{
    struct route_node made = {.literal = segment, .size = size, .sibling = nodes[parent].child};
    if (segment[0] == '{') {
        made.literal = NULL;
        made.suffix = strchr(segment, '}') + 1;
        made.size = size - (size_t)(made.suffix - segment);
    }
    for (uint16_t n = nodes[parent].child; n; n = nodes[n].sibling) {
        const char *ours = made.literal ? made.literal : made.suffix;
        const char *theirs = nodes[n].literal ? nodes[n].literal : nodes[n].suffix;
        if (!made.literal == !nodes[n].literal && made.size == nodes[n].size &&
            memcmp(ours, theirs, made.size) == 0)
            return n;
    }
    ASSERT(nodes_used < NODES_MAX);
    uint16_t n = nodes_used++;
    nodes[n] = made;
    nodes[parent].child = n;
    return n;
}

static void routes_insert(const struct route *route, const char *pattern)
{
    uint16_t at = 0;
    unsigned parameters = 0;
    while (*pattern) {
        ASSERT(*pattern == '/');
        const char *segment = pattern + 1;
        size_t size = strcspn(segment, "/");
        ASSERT(size > 0);
        parameters += segment[0] == '{';
        at = node_child(at, segment, size);
        pattern = segment + size;
    }
    ASSERT(at != 0 && parameters <= ROUTE_PARAMETERS_MAX);
    ASSERT(!nodes[at].by_method[route->method]);
    nodes[at].by_method[route->method] = route;
    nodes[at].allow |= 1u << route->method;
}

void routes_init(void)
{
    if (nodes_used)
        return;
    nodes_used = 1;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        ASSERT(route->method < METHOD_OPTIONS && route->handler && route->may && route->summary);
        ASSERT(route->about && route->tag);
        ASSERT(route->answers[0].status);
        ASSERT(!route->idempotent || route->method == METHOD_POST);
        routes_insert(route, route->pattern);
        if (route->without_v1)
            routes_insert(route, route->pattern + strlen("/v1"));
    }
}

static bool ends_with(const char *segment, size_t size, const struct route_node *parameter)
{
    return size > parameter->size &&
           memcmp(segment + size - parameter->size, parameter->suffix, parameter->size) == 0;
}

/* Literal segments win over a parameter in the same place, and of those the one with the longer suffix. */
static uint16_t node_find(uint16_t parent, const char *segment, size_t size)
{
    uint16_t parameter = 0;
    for (uint16_t n = nodes[parent].child; n; n = nodes[n].sibling) {
        if (nodes[n].literal) {
            if (nodes[n].size == size && memcmp(nodes[n].literal, segment, size) == 0)
                return n;
        } else if (ends_with(segment, size, &nodes[n]) &&
                   (!parameter || nodes[n].size > nodes[parameter].size)) {
            parameter = n;
        }
    }
    return parameter;
}

void routes_match(enum method method, struct text path, struct route_match *out)
{
    *out = (struct route_match){0};
    const char *at = path.at, *end = path.at + path.size;
    uint16_t node = 0;
    unsigned parameters = 0;
    while (at < end) {
        if (*at != '/')
            return;
        const char *segment = at + 1;
        const char *stop = segment < end ? memchr(segment, '/', (size_t)(end - segment)) : NULL;
        size_t size = (size_t)((stop ? stop : end) - segment);
        if (size == 0)
            return;
        node = node_find(node, segment, size);
        if (node == 0)
            return;
        if (!nodes[node].literal)
            out->parameters[parameters++] = (struct text){segment, size - nodes[node].size};
        at = segment + size;
    }
    out->allow = nodes[node].allow;
    out->route = method < METHOD_OPTIONS ? nodes[node].by_method[method] : NULL;
}
