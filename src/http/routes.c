/* SPDX-License-Identifier: Apache-2.0 */
#include "http/routes.h"

#include <stdio.h>

#include "base/assertion.h"
#include "http/describe/about.h"
#include "http/record/refund_csv.h"
#include "http/record/report_record.h"
#include "http/record/reservation_csv.h"

WORD_LIST(availability_formats, "json", "map")
WORD_LIST(refund_statuses, "open", "done", "all")

/* clang-format off */
/* What the rows name: handlers, body tables, records. Each is defined in the file of its noun. */
route_handler
    api_event_list, api_event_put, api_event_patch, api_event_get, api_event_remove, api_event_stream,
    api_pool_put, api_pool_list, api_pool_get, api_seats_import, api_seats_block, api_seats_layout,
    api_seats_remove, api_seat_get, api_availability_get, api_queue_join, api_queue_get, api_queue_patch,
    api_queue_entry_get, api_queue_entry_leave, api_queue_entry_stream, api_list_join, api_list_get,
    api_list_entry_get, api_list_entry_leave, api_calendar_list, api_calendar_put, api_calendar_patch,
    api_calendar_get, api_calendar_remove, api_calendar_stream, api_codes_import, api_code_list, api_code_remove, api_slot_list, api_booking_list,
    api_group_list, api_group_put, api_group_get, api_group_remove, api_group_slot_list,
    api_reservation_hold, api_reservation_list, api_reservation_get, api_reservation_attributes,
    api_reservation_release, api_reservation_extend, api_reservation_payment, api_reservation_commit,
    api_reservation_history, api_reservation_transfer, api_items_add, api_item_drop, api_item_move,
    api_key_create, api_key_list, api_key_rotate, api_key_remove, api_session_create, api_healthz,
    site_page_get, site_file_get, api_readyz, api_metrics, api_manage_tokens_revoke, api_openapi,
    api_report_sales, api_report_abandoned, api_report_funnel, api_ttl_advice, api_audit_list,
    api_check_in, api_check_in_list, api_ticket_keys, api_ticket_svg, api_ticket_png,
    api_refund_list, api_refund_done, api_provider_put, api_payment_webhook, api_payment_list, api_reservation_refund, api_reservation_cancel,
    api_hook_put, api_hook_get, api_hook_remove, api_hook_messages, api_hook_resend;
extern const struct json_field
    api_event_fields[], api_pool_fields[], api_seat_fields[], api_seat_block_fields[],
    api_seat_remove_fields[], api_queue_join_fields[], api_queue_patch_fields[], api_list_join_fields[],
    api_calendar_fields[], api_group_fields[], api_hold_fields[], api_owner_fields[], api_attributes_fields[],
    api_extend_fields[], api_payment_fields[], api_commit_fields[], api_code_fields[], api_items_fields[],
    api_item_move_fields[], api_key_fields[], api_key_rotate_fields[], api_transfer_fields[],
    api_refund_fields[], api_provider_fields[], api_check_in_fields[], api_hook_fields[], api_hook_resend_fields[];
extern const struct json_form api_seat_block_forms[], api_hold_forms[], api_items_forms[], api_item_move_forms[];
extern const struct schema
    schema_event, schema_event_stream, schema_pool, schema_seat_import_result, schema_seat_block_result,
    schema_seat_remove_result, schema_layout, schema_seat, schema_availability, schema_queue,
    schema_calendar_stream, schema_queue_admin, schema_queue_entry, schema_entry_stream, schema_list_entry, schema_calendar, schema_group,
    schema_slot, schema_reservation, schema_held_reservation, schema_confirmed_reservation,
    schema_code_import_result, schema_code, schema_ended_reservation, schema_reservation_change, schema_key,
    schema_new_key, schema_rotated_key, schema_session, schema_health, schema_readiness,
    schema_openapi_document, schema_transfer, schema_refund_due, schema_refund_result, schema_payment_provider, schema_payment_result,
    schema_payment_event,
    schema_returned_reservation, schema_check_in, schema_door_ticket, schema_jwk_set, schema_sales_row, schema_abandoned_row,
    schema_funnel_row, schema_ttl_advice, schema_audit_entry, schema_hook, schema_dead_message, schema_resent;

#define EVENT "/v1/events/{event}"
#define CALENDAR "/v1/calendars/{calendar}"
#define GROUP "/v1/groups/{group}"
#define RESERVATION "/v1/reservations/{id}"
#define HOOK "/v1/hooks/{hook}"
#define TICKET "/v1/tickets/{ticket}"
/* Query parameters. */
#define Q(name_, about_) {.name = name_, .about = about_}
#define Q_NEEDED(name_, about_) {.name = name_, .about = about_, .needed = true}
#define Q_TIME(name_, about_) {.name = name_, .about = about_, .kind = ROUTE_QUERY_TIME}
#define Q_WORD(name_, words_, about_) {.name = name_, .about = about_, .word = words_}
#define Q_NUMBER(name_, least_, most_, about_, ...) \
    {.name = name_, .about = about_, .kind = ROUTE_QUERY_NUMBER, .least = least_, .most = most_, __VA_ARGS__}
#define Q_OWNER Q("user_id", ABOUT_OWNER)
#define PAGE Q_NUMBER("limit", 1, ROUTE_LIMIT_MAX, "How many entries per page.", .otherwise = ROUTE_LIMIT), \
    Q("cursor", "The `next_cursor` of the previous page.")
/* The group, a line, and what else there is to know. */
#define ABOUT(tag_, summary_, about_) .tag = ROUTE_TAG_##tag_, .summary = summary_, .about = about_
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
#define CODED (NO(CODE_REQUIRED) | NO(CODE_INVALID))
#define JOINS (WRITES | NO(NOT_OWNER) | NO(NO_SUCH_ENTRY) | NO(NOT_ON_SALE) | NO(GUESTS_REFUSED) | CODED)
#define OWNED (NO(NOT_OWNER) | READS) /* a reservation may have to be fetched from the book */
#define OVER (NO(ALREADY_RELEASED) | NO(EXPIRED))
#define BACK (NO(ALREADY_CANCELLED) | NO(ALREADY_REFUNDED))
#define SOLD NO(ALREADY_CONFIRMED)
#define CLAIMS (WRITES | NO(NO_SUCH_SEAT) | NO(NOT_ON_SALE) | NO(CLOSED) | NO(NOT_BOOKABLE) | \
                NO(TAKEN))
#define CLAIMS_ANY (CLAIMS | NO(NO_SUCH_EVENT) | NO(NO_SUCH_POOL) | NO(NO_SUCH_CALENDAR) | \
                    NO(NO_SUCH_GROUP) | \
                    NO(GUESTS_REFUSED) | CODED | NO(CODE_USED) | \
                    NO(LIMIT_EXCEEDED) | NO(SOLD_OUT) | NO(NO_ADJACENT_SEATS) | NO(LEAVES_SINGLE))

#define MERGES "A JSON merge patch (RFC 7396) of the record as GET shows it: what it does not name stays, null " \
    "sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. "
/* What reports have in common. */
#define REPORT_QUERY(what_) .query = {Q("event", "Only this event."), Q_TIME("from", what_ " at or after."), \
    Q_TIME("to", what_ " before.")}, .min_seq = true, .refuses = READS
#define REPORT_OF(record_, csv_) {200, .record = &schema_##record_, .page = true, .example_csv = csv_}
#define REPORT_NOTE "Days are of UTC. Always one page; more than 50,000 rows are 400. May lag behind by a moment, and is " \
    "503 if it takes more than 30 s. For CSV send `Accept: text/csv`."
/* Pages are web/pages/NAME.html. The rows of these two kinds come last, and have no summary: nothing
 * describes them. */
#define PAGE_AT(pattern_, name_, ...) \
    {METHOD_GET, pattern_, site_page_get, MAY_ANYONE, LANE_NONE, .page = "/pages/" name_ ".html", __VA_ARGS__}
#define FILES_AT(pattern_, ...) {METHOD_GET, pattern_, site_file_get, MAY_ANYONE, LANE_NONE, .page = NULL, __VA_ARGS__}
/* What has two paths. */
#define RELEASE \
    ABOUT(RESERVATIONS, "Release a hold.", \
          "Everything in it is free at once. Repeating the call returns the same response."), \
    .body = BODY_JSON, .fields = api_owner_fields, .example = JSON_EXAMPLE({"user_id": "ann"}), \
    .query = {Q_OWNER}, .releases = true, .without_v1 = true, \
    .refuses = OWNED | FINISHES | SOLD | BACK | NO(EXPIRED), .answers = {DONE(ended_reservation)}

const struct route routes[] = {
    /* ---- Catalogue ---- */
    {METHOD_GET, "/v1/events", api_event_list, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "List events.", "Ordered by id."), .query = {PAGE}, .answers = {PAGE_OF(event)}},
    {METHOD_PUT, EVENT, api_event_put, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Create or replace an event.",
           "Replaces the whole record: an omitted field gets its default, including `waiting_room` and "
           "`waiting_list`. Changes affect new holds only."),
     .body = BODY_JSON, .fields = api_event_fields,
     .example = JSON_EXAMPLE({"name": "An evening at the arena", "starts_at": "2030-06-07T19:00:00Z",
        "per_user_limit": 8}),
     .refuses = WRITES, .answers = {MADE(event), DONE(event)}},
    {METHOD_PATCH, EVENT, api_event_patch, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Change some settings of an event.", MERGES "`preset` and `copy_seats_from` need a PUT."),
     .body = BODY_PATCH, .fields = api_event_fields,
     .example = JSON_EXAMPLE({"per_user_limit": 4, "off_sale_at": null, "waiting_room": {"rate_per_second": 100}}),
     .refuses = WRITES, .answers = {DONE(event)}},
    {METHOD_GET, EVENT, api_event_get, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Get an event, with its settings and counts.",
           "Reflects every change acknowledged so far."), .answers = {DONE(event)}},
    {METHOD_DELETE, EVENT, api_event_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Delete an event without live claims.", "Refused while any of it is held or sold."),
     .refuses = FINISHES | NO(IN_USE), .answers = {NOTHING}},
    {METHOD_POST, EVENT "/seats", api_seats_import, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Add or update seats: a JSON array, or CSV with a header line.",
           "All or nothing. Existing seats are updated; an omitted column or field keeps its value. CSV "
           "follows RFC 4180, with columns in any order."),
     .body = BODY_IMPORT, .fields = api_seat_fields,
     .example = JSON_EXAMPLE([{"id": "A15", "section": "stalls", "row": "A", "number": "15",
        "tier": "gold", "price": 4500}]),
     .example_csv = "id,section,row,number,tier,price\nA15,stalls,A,15,gold,4500\n",
     .refuses = WRITES | NO(TAKEN), .answers = {MADE(seat_import_result)}},
    {METHOD_PATCH, EVENT "/seats", api_seats_block, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Take seats off sale, put them back, or move them between allotments.",
           "With `ids` all or nothing: refused if one of them is claimed. With `allotment` claimed ones are skipped, and "
           "follow when they come free."),
     .body = BODY_JSON, .body_needed = true, .fields = api_seat_block_fields, .forms = api_seat_block_forms,
     .refuses = WRITES | NO(NO_SUCH_SEAT) | NO(TAKEN), .answers = {DONE(seat_block_result)}},
    {METHOD_DELETE, EVENT "/seats", api_seats_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Remove seats.",
           "All or nothing: refused if one of them is claimed. A removed id can be imported again, as a new seat."),
     .body = BODY_JSON, .fields = api_seat_remove_fields, .example = JSON_EXAMPLE({"ids": ["A1", "A2"]}),
     .refuses = WRITES | NO(NO_SUCH_SEAT) | NO(TAKEN), .answers = {DONE(seat_remove_result)}},
    {METHOD_GET, EVENT "/seats", api_seats_layout, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Get the layout: the static data of every seat.",
           "Changes only with imports: cache it by its ETag."),
     .answers = {DONE(layout, .etag = true), UNCHANGED}},
    {METHOD_GET, EVENT "/seats/{seat}", api_seat_get, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Get a seat and its status.",
           "The ETag is the seat's version: with If-Match a hold by `resource_id` is granted only if the "
           "seat has not changed since."), .answers = {DONE(seat, .etag = true)}},
    {METHOD_PUT, EVENT "/pools/{pool}", api_pool_put, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Create or replace a pool.",
           "Replaces the whole record. The capacity cannot drop below what is claimed."),
     .body = BODY_JSON, .fields = api_pool_fields,
     .example = JSON_EXAMPLE({"capacity": 500, "price": 2500, "name": "Standing room"}),
     .refuses = WRITES | NO(CAPACITY_IN_USE), .answers = {MADE(pool), DONE(pool)}},
    {METHOD_GET, EVENT "/pools", api_pool_list, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "List the pools of an event.", "Oldest first."), .query = {PAGE},
     .answers = {PAGE_OF(pool)}},
    {METHOD_GET, EVENT "/pools/{pool}", api_pool_get, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Get a pool, with its price and what is left.",
           "Reflects every change acknowledged so far."), .answers = {DONE(pool)}},
    {METHOD_POST, EVENT "/codes", api_codes_import, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Add or update codes: a JSON array, or CSV with a header line.",
           "One invalid line and nothing is changed. Replaces the record of each code that exists; what is used stays. In "
           "CSV, tiers are separated by semicolons or blanks. Large imports are applied 1,000 codes at a time."),
     .body = BODY_IMPORT, .fields = api_code_fields,
     .example = JSON_EXAMPLE([{"code": "PRESALE-7K2Q", "units": 2, "tiers": ["gold"]}]),
     .example_csv = "code,units,tiers\nPRESALE-7K2Q,2,gold;silver\n",
     .refuses = WRITES, .answers = {MADE(code_import_result)}},
    {METHOD_GET, EVENT "/codes", api_code_list, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "List the codes of an event, with what is used of each.", "In the order of their import."),
     .query = {PAGE}, .answers = {PAGE_OF(code)}},
    {METHOD_DELETE, EVENT "/codes/{code}", api_code_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(EVENTS, "Delete a code.",
           "It is not valid for new claims. What was claimed with it stays, and counts again if the code is added again."),
     .refuses = WRITES, .answers = {NOTHING}},
    {METHOD_GET, EVENT "/availability", api_availability_get, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Get availability, in full or since a version.",
           "With `since`, only the changes, if they are still known; `full` tells which. With `format=map`, "
           "one letter per seat."),
     .query = {Q_NUMBER("since", 0, UINT64_MAX, "A `version`: return only what changed since."),
               Q_WORD("format", availability_formats, "`json`: by id. `map`: one letter per seat.")},
     .refuses = READS, .answers = {DONE(availability)}},
    {METHOD_GET, EVENT "/stream", api_event_stream, MAY_ANYONE, LANE_READ,
     ABOUT(EVENTS, "Stream changes of seats and pools.",
           "Server-sent events; the id is the version. Without a Last-Event-ID, or if it is too old, the "
           "stream starts with `reset`: get the availability, then follow. A comment is sent "
           "every 15 seconds."),
     .refuses = READS, .resumes = true, .answers = {STREAM_OF(event)}},

    {METHOD_POST, EVENT "/queue", api_queue_join, MAY_BUY, LANE_JOIN,
     ABOUT(WAITING_ROOMS, "Join the waiting room.",
           "One live entry per user: joining again returns 200 and the same entry."),
     .body = BODY_JSON, .fields = api_queue_join_fields,
     .example = JSON_EXAMPLE({"user_id": "ann"}), .idempotent = true,
     .refuses = JOINS | NO(NO_WAITING_ROOM),
     .answers = {MADE(queue_entry, .location = true), DONE(queue_entry, .location = true)}},
    {METHOD_GET, EVENT "/queue", api_queue_get, MAY_ANYONE, LANE_POLL,
     ABOUT(WAITING_ROOMS, "Get the progress of the waiting room; for admins, with all details.",
           "The same response for everybody, updated at most five times a second."),
     .refuses = NO(NO_WAITING_ROOM), .answers = {DONE(queue, .etag = true), UNCHANGED}},
    {METHOD_PATCH, EVENT "/queue", api_queue_patch, MAY_ADMIN, LANE_NONE,
     ABOUT(WAITING_ROOMS, "Control a waiting room: pace, pause, opening.",
           "Takes effect at once. Omitted fields stay unchanged."),
     .body = BODY_JSON, .fields = api_queue_patch_fields,
     .example = JSON_EXAMPLE({"rate_per_second": 500, "paused": false}),
     .refuses = FINISHES | NO(NO_WAITING_ROOM), .answers = {DONE(queue_admin)}},
    {METHOD_GET, EVENT "/queue/{entry}", api_queue_entry_get, MAY_BUY, LANE_READ,
     ABOUT(WAITING_ROOMS, "Get a waiting room entry. Polling it shows that its owner is present.",
           "Poll every `poll_after_seconds`; otherwise the entry is passed over at its turn. Once admitted, "
           "it has a `pass`."),
     .query = {Q_OWNER}, .refuses = NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_DELETE, EVENT "/queue/{entry}", api_queue_entry_leave, MAY_BUY, LANE_COMMIT,
     ABOUT(WAITING_ROOMS, "Leave a waiting room.",
           "An admitted entry gives its place to the next one. An entry that has ended is left unchanged."),
     .query = {Q_OWNER}, .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_GET, EVENT "/queue/{entry}/stream", api_queue_entry_stream, MAY_BUY, LANE_READ,
     ABOUT(WAITING_ROOMS, "Stream a waiting room entry.",
           "Server-sent events, each with the whole entry, at most 15 seconds apart. The stream ends when "
           "the entry is finished or left."), .query = {Q_OWNER},
     .refuses = READS | NO(NOT_OWNER), .answers = {STREAM_OF(entry)}},
    {METHOD_POST, EVENT "/waiting-list", api_list_join, MAY_BUY, LANE_JOIN,
     ABOUT(WAITING_LISTS, "Join the waiting list.",
           "One live entry per user: joining again returns 200 and the same entry. For users of an event with "
           "a waiting room it is refused while what they want is still available."),
     .body = BODY_JSON, .fields = api_list_join_fields,
     .example = JSON_EXAMPLE({"user_id": "ann", "quantity": 2, "adjacent": true, "tier": "gold"}),
     .idempotent = true, .refuses = JOINS | NO(NO_WAITING_LIST) | NO(NOT_SOLD_OUT) | NO(NO_SUCH_POOL),
     .answers = {MADE(list_entry, .location = true), DONE(list_entry, .location = true)}},
    {METHOD_GET, EVENT "/waiting-list", api_list_get, MAY_ADMIN, LANE_NONE,
     ABOUT(WAITING_LISTS, "List the entries of a waiting list in the order they joined.",
           "May lag behind by a moment."),
     .query = {Q_WORD("status", list_status_word, "Only entries with this status."), PAGE},
     .refuses = READS, .min_seq = true, .answers = {PAGE_OF(list_entry)}},
    {METHOD_GET, EVENT "/waiting-list/{entry}", api_list_entry_get, MAY_BUY, LANE_READ,
     ABOUT(WAITING_LISTS, "Get a waiting list entry.",
           "Once offered, it has a `reservation_id`: commit that reservation before its deadline."),
     .query = {Q_OWNER}, .refuses = NO(NOT_OWNER), .answers = {DONE(list_entry)}},
    {METHOD_DELETE, EVENT "/waiting-list/{entry}", api_list_entry_leave, MAY_BUY, LANE_COMMIT,
     ABOUT(WAITING_LISTS, "Leave a waiting list, or decline its offer.",
           "Also releases the reservation of an offer."), .query = {Q_OWNER},
     .releases = true, .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(list_entry)}},

    {METHOD_GET, "/v1/calendars", api_calendar_list, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "List calendars.", "Ordered by id."), .query = {PAGE}, .answers = {PAGE_OF(calendar)}},
    {METHOD_PUT, CALENDAR, api_calendar_put, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Create or replace a calendar.",
           "Replaces the whole record: an omitted field gets its default. Changes affect new claims only."),
     .body = BODY_JSON, .fields = api_calendar_fields,
     .example = JSON_EXAMPLE({"name": "Dr Smith", "timezone": "Europe/London", "price": 5000,
        "hours": [{"days": ["mon", "tue", "wed", "thu", "fri"], "from": "09:00", "to": "17:30"}],
        "services": [{"id": "check_up", "duration_minutes": 30, "price": 4000}]}),
     .refuses = WRITES | NO(CAPACITY_IN_USE) | NO(IN_USE), .answers = {MADE(calendar), DONE(calendar)}},
    {METHOD_PATCH, CALENDAR, api_calendar_patch, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Change some settings of a calendar.", MERGES "Changes affect new claims only."),
     .body = BODY_PATCH, .fields = api_calendar_fields,
     .example = JSON_EXAMPLE({"buffer_minutes": 10, "closed": [{"start": "2030-12-24T00:00:00Z",
        "end": "2030-12-27T00:00:00Z"}]}),
     .refuses = WRITES | NO(CAPACITY_IN_USE) | NO(IN_USE), .answers = {DONE(calendar)}},
    {METHOD_GET, CALENDAR, api_calendar_get, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "Get a calendar.", "Reflects every change acknowledged so far."),
     .answers = {DONE(calendar)}},
    {METHOD_DELETE, CALENDAR, api_calendar_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Delete a calendar without claims that are not over.",
           "Refused while any time on it, buffers included, is held or sold. Reservations of the past keep their items, "
           "which can no longer move."),
     .refuses = FINISHES | NO(IN_USE), .answers = {NOTHING}},
    {METHOD_GET, CALENDAR "/slots", api_slot_list, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "List available slots.",
           "What can be claimed right now, over at most 62 days. A page may be short or empty and still have "
           "a next page."),
     .query = {Q_TIME("from", "Slots that start at or after this time. Defaults to now."),
               Q_TIME("to", "Slots that start before this time. Defaults to seven days after `from`."),
               Q_NUMBER("duration_minutes", 1, SLOT_LENGTH_MAX_MS / 60000, "The length of a slot."),
               Q("service", "The service to list slots for."), PAGE}, .answers = {PAGE_OF(slot)}},
    {METHOD_GET, CALENDAR "/stream", api_calendar_stream, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "Stream changes of the time that can be claimed.",
           "Server-sent events; the id is the version. `changed` says that slots which overlap [`from`, `to`) may look "
           "different; changed settings concern all that is to come. Without a Last-Event-ID, or if it is too old, the "
           "stream starts with `reset`: list the slots, then follow. A comment is sent every 15 seconds."),
     .refuses = READS, .resumes = true, .answers = {STREAM_OF(calendar)}},
    {METHOD_GET, CALENDAR ".ics", api_booking_list, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Get confirmed bookings as iCalendar.",
           "One VEVENT per confirmed slot, in order of time. `from` and `to` select the bookings that "
           "overlap that interval."),
     .query = {Q_TIME("from", "Bookings that end after this time."),
               Q_TIME("to", "Bookings that start before this time.")},
     .refuses = READS, .min_seq = true, .answers = {{200, .type = "text/calendar",
     .example = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Holdfast//EN\r\nEND:VCALENDAR\r\n"}}},

    {METHOD_GET, "/v1/groups", api_group_list, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "List groups of calendars.", "In the order in which they were first created."),
     .query = {PAGE}, .answers = {PAGE_OF(group)}},
    {METHOD_PUT, GROUP, api_group_put, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Create or replace a group of calendars.",
           "Calendars of which any one will do: any doctor, a table for four. Replaces the whole record. What was "
           "claimed through the group stays on its calendar."),
     .body = BODY_JSON, .fields = api_group_fields,
     .example = JSON_EXAMPLE({"name": "Any doctor", "calendars": ["dr_smith", "dr_jones"], "pick": "least_busy"}),
     .refuses = WRITES, .answers = {MADE(group), DONE(group)}},
    {METHOD_GET, GROUP, api_group_get, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "Get a group of calendars.", "Reflects every change acknowledged so far."),
     .answers = {DONE(group)}},
    {METHOD_DELETE, GROUP, api_group_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(CALENDARS, "Remove a group of calendars.",
           "Its calendars stay, and so does what was claimed through it."),
     .refuses = WRITES, .answers = {NOTHING}},
    {METHOD_GET, GROUP "/slots", api_group_slot_list, MAY_ANYONE, LANE_READ,
     ABOUT(CALENDARS, "List available slots of a group.",
           "As for a calendar; `available` counts the calendars that are free. Those that begin together are on one "
           "page, which may be longer than `limit` for it."),
     .query = {Q_TIME("from", "Slots that start at or after this time. Defaults to now."),
               Q_TIME("to", "Slots that start before this time. Defaults to seven days after `from`."),
               Q_NUMBER("duration_minutes", 1, SLOT_LENGTH_MAX_MS / 60000, "The length of a slot."),
               Q("service", "The service to list slots for."), PAGE,
               Q_NUMBER("party", 1, CALENDAR_SIZE_MAX, "For how many people.", .otherwise = 1)}, .answers = {PAGE_OF(slot)}},

    /* ---- Reservations ---- */
    {METHOD_POST, "/v1/reservations", api_reservation_hold, MAY_BUY, LANE_HOLD,
     ABOUT(RESERVATIONS, "Hold seats, pool units and slots: all or nothing.",
           "The hold lasts as long as the event or calendar allows. A refusal lists everything that was in "
           "the way. With an Idempotency-Key it is safe to retry."),
     .body = BODY_JSON, .fields = api_hold_fields, .forms = api_hold_forms,
     .query = {Q("user_id", "Who the hold is for, in place of the field.")}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = CLAIMS_ANY | NO(NOT_OWNER) | NO(NO_SUCH_RESERVATION) | NO(VERSION_MISMATCH), .body_needed = true, .if_match = true,
     .answers = {MADE(reservation, .location = true)}},
    {METHOD_GET, "/v1/reservations", api_reservation_list, MAY_BUY, LANE_READ,
     ABOUT(RESERVATIONS, "List reservations, newest first.",
           "Users see only their own. May lag behind by a moment. For app and admin keys also as CSV, a row per "
           "item: send `Accept: text/csv`; the next page is then in the header `Holdfast-Next-Cursor`."),
     .query = {Q("user_id", "Only reservations of this user. A user token can only name its own user."),
               Q("event", "Only reservations with an item of this event."),
               Q("calendar", "Only reservations with an item of this calendar."),
               Q_WORD("status", reservation_status_word, "Only reservations with this status."),
               Q("pnr", "Only the reservation with this PNR."), PAGE,
               Q_TIME("from", "Only reservations created at or after this time."),
               Q_TIME("to", "Only reservations created before this time."),
               Q("q", "Only reservations with all of these words in PNR, user or attributes."),
               Q("ticket", "Only the reservation with this ticket, by its code, also if it is void."),
               Q("payment_ref", "Only reservations with this payment, kept or owed back. For app and admin keys.")},
     .min_seq = true, .without_v1 = true,
     .refuses = READS | NO(NOT_OWNER),
     .answers = {{200, .record = &schema_reservation, .page = true, .example_csv = reservation_csv_example}}},
    {METHOD_GET, RESERVATION, api_reservation_get, MAY_BUY | MAY_ORDER, LANE_READ,
     ABOUT(RESERVATIONS, "Get a reservation.", "A user token gets 404 for other users' reservations."),
     .query = {Q_OWNER, Q_NUMBER("manage_token", 1, 1, ABOUT_MANAGE_TOKEN)}, .without_v1 = true, .refuses = OWNED, .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION, api_reservation_attributes, MAY_BUY, LANE_HOLD,
     ABOUT(RESERVATIONS, "Replace the attributes.", "Replaces the whole object."),
     .body = BODY_JSON, .fields = api_attributes_fields,
     .example = JSON_EXAMPLE({"attributes": {"channel": "web"}}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | WRITES | OVER | BACK, .answers = {DONE(reservation)}},
    {METHOD_DELETE, RESERVATION, api_reservation_release, MAY_BUY, LANE_COMMIT, RELEASE},
    {METHOD_POST, RESERVATION "/release", api_reservation_release, MAY_BUY, LANE_COMMIT, RELEASE},
    {METHOD_POST, RESERVATION "/items", api_items_add, MAY_BUY, LANE_HOLD,
     ABOUT(RESERVATIONS, "Add items to a hold.",
           "All or nothing. Items that the hold already has are skipped; if that is all, the response is 200 "
           "and nothing changes. The deadline never moves later: an item with a shorter TTL moves it earlier."),
     .body = BODY_JSON, .fields = api_items_fields, .forms = api_items_forms,
     .query = {Q_OWNER}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS_ANY | SOLD | OVER | BACK | NO(PAYING), .body_needed = true,
     .answers = {MADE(reservation), DONE(reservation)}},
    {METHOD_DELETE, RESERVATION "/items/{item_id}", api_item_drop, MAY_BUY, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Remove an item. Removing the last one releases the hold.",
           "What was in the item is free at once."),
     .body = BODY_JSON, .fields = api_owner_fields, .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | BACK | NO(PAYING), .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION "/items/{item_id}", api_item_move, MAY_BUY, LANE_HOLD,
     ABOUT(RESERVATIONS, "Change an item: another seat or time, another quantity, category, or other attributes.",
           "The old place is given up only if the new one is granted. The tickets of a confirmed reservation "
           "stay valid."),
     .body = BODY_JSON, .fields = api_item_move_fields, .forms = api_item_move_forms,
     .query = {Q_OWNER}, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS | NO(NO_SUCH_CALENDAR) | NO(LIMIT_EXCEEDED) | NO(SOLD_OUT) | NO(CODE_INVALID) | NO(CODE_USED) | SOLD | OVER | BACK | NO(PAYING) | NO(PAYMENT_REQUIRED) | NO(CHECKED_IN),
     .body_needed = true,
     .answers = {DONE(reservation)}},
    {METHOD_POST, RESERVATION "/extend", api_reservation_extend, MAY_BUY, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Extend a hold.",
           "Sets the deadline to now plus the TTL, at most `max_expires_at`, and never earlier than before."),
     .body = BODY_JSON, .fields = api_extend_fields,
     .example = JSON_EXAMPLE({"ttl_seconds": 300}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | WRITES | SOLD | OVER | BACK | NO(PAYING), .answers = {DONE(held_reservation)}},
    {METHOD_POST, RESERVATION "/payment", api_reservation_payment, MAY_BUY, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Start the payment.",
           "Extends the deadline to now plus `payment_ttl_seconds`; from then on the items cannot change. "
           "With a `payment_ref` from an app or admin key, the owner can commit without a key. Repeating the "
           "call returns the same response."),
     .body = BODY_JSON, .fields = api_payment_fields,
     .example = JSON_EXAMPLE({"payment_ref": "pi_123"}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | BACK | NO(PAYMENT_WINDOW_OFF) | NO(LEAVES_SINGLE),
     .answers = {DONE(held_reservation)}},
    {METHOD_POST, RESERVATION "/commit", api_reservation_commit, MAY_BUY, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Confirm a hold.",
           "Does not charge anybody; payment details are only recorded. If payment is required, use an app "
           "or admin key, or record a payment first. Repeating the call returns the same response. If it is "
           "refused, a `payment_ref` from an app or admin key is a refund due; on a confirmed reservation another "
           "`payment_ref` than the recorded one is, too."),
     .body = BODY_JSON, .fields = api_commit_fields,
     .example = JSON_EXAMPLE({"payment_method": "card", "payment_ref": "pi_123"}),
     .query = {Q_OWNER}, .without_v1 = true, .refuses = OWNED | FINISHES | OVER | BACK | NO(PAYMENT_REQUIRED) | NO(LEAVES_SINGLE),
     .answers = {DONE(confirmed_reservation)}},
    {METHOD_POST, RESERVATION "/transfer", api_reservation_transfer, MAY_BUY | MAY_ORDER, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Transfer a confirmed reservation to another user.",
           "Its ticket codes and manage tokens are replaced: all earlier ones are void. Only app and admin keys "
           "get the whole reservation in response; for the old owner it no longer exists."),
     .body = BODY_JSON, .fields = api_transfer_fields, .example = JSON_EXAMPLE({"to_user_id": "bob"}),
     .query = {Q_OWNER}, .idempotent = true, .without_v1 = true,
     .refuses = OWNED | WRITES | OVER | BACK | NO(NOT_CONFIRMED) | NO(NOT_TRANSFERABLE) | NO(GUESTS_REFUSED) | NO(LIMIT_EXCEEDED) | NO(CHECKED_IN),
     .answers = {DONE(transfer)}},
    {METHOD_POST, RESERVATION "/cancel", api_reservation_cancel, MAY_BUY | MAY_ORDER, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Cancel a confirmed reservation.",
           "By its owner, while every item allows it (`cancel_until_seconds` of events, `cancel_until_minutes` of "
           "calendars). Everything in it is free at once; a recorded payment is a refund due. App and admin keys "
           "get 403: they refund instead. Repeating the call returns the same response."),
     .body = BODY_JSON, .fields = api_owner_fields, .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | FINISHES | OVER | NO(NOT_CONFIRMED) | NO(ALREADY_REFUNDED) | NO(NOT_CANCELLABLE),
     .answers = {DONE(returned_reservation)}},
    {METHOD_POST, RESERVATION "/refund", api_reservation_refund, MAY_APP | MAY_ADMIN, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Refund a confirmed reservation, or some of its items.",
           "The items are free at once and their tickets void. Holdfast moves no money: a recorded payment leaves a "
           "refund due over their prices, unless `paid_back`. Repeating the call returns the same response."),
     .body = BODY_JSON, .fields = api_refund_fields,
     .example = JSON_EXAMPLE({"reason": "rained off", "items": ["1"]}), .query = {Q_OWNER}, .without_v1 = true,
     .refuses = OWNED | FINISHES | OVER | NO(NOT_CONFIRMED) | NO(ALREADY_CANCELLED) | NO(NO_SUCH_ITEM),
     .answers = {DONE(refund_result)}},
    {METHOD_DELETE, RESERVATION "/manage-tokens", api_manage_tokens_revoke, MAY_BUY, LANE_COMMIT,
     ABOUT(RESERVATIONS, "Revoke all manage tokens of a reservation.", "New ones can be issued at any time."),
     .body = BODY_JSON, .fields = api_owner_fields, .example = JSON_EXAMPLE({"user_id": "ann"}),
     .query = {Q_OWNER}, .without_v1 = true, .refuses = OWNED | FINISHES | OVER | BACK | NO(NOT_CONFIRMED),
     .answers = {NOTHING}},
    {METHOD_GET, RESERVATION "/history", api_reservation_history, MAY_BUY | MAY_ORDER, LANE_READ,
     ABOUT(RESERVATIONS, "Get the history of a reservation.",
           "Oldest first. May lag behind by a moment. After a transfer the owner sees it from there on."),
     .query = {Q_OWNER, PAGE}, .without_v1 = true,
     .refuses = OWNED, .min_seq = true, .answers = {PAGE_OF(reservation_change)}},

    /* ---- Payments ---- */
    {METHOD_PUT, "/v1/payments/provider", api_provider_put, MAY_ADMIN, LANE_NONE,
     ABOUT(PAYMENTS, "Set the payment provider.",
           "Whose events `POST /v1/webhooks/payments` takes, and the secret that signs them: Stripe's signing secret of "
           "the endpoint as it is, or `whsec_` and base64 for Standard Webhooks. The one before stays good for a day."),
     .body = BODY_JSON, .fields = api_provider_fields,
     .example = JSON_EXAMPLE({"provider": "stripe", "secret": "whsec_0123456789abcdefghij"}),
     .refuses = WRITES, .answers = {DONE(payment_provider)}},
    {METHOD_POST, "/v1/webhooks/payments", api_payment_webhook, MAY_ANYONE, LANE_NONE,
     ABOUT(PAYMENTS, "Tell of a payment.",
           "For the payment provider. Events as Stripe sends them, signed in `Stripe-Signature`, or by Standard Webhooks in "
           "`webhook-id`, `webhook-timestamp` and `webhook-signature`, within five minutes; otherwise 401. "
           "`payment_intent.succeeded` names the reservation in `data.object.metadata.reservation_id`. Every signed "
           "event gets 200 once it is durable, the same one always the same."),
     .body = BODY_FOREIGN,
     .example = JSON_EXAMPLE({"id": "evt_1", "type": "payment_intent.succeeded", "data": {"object": {"id": "pi_123",
        "amount_received": 4500, "currency": "eur",
        "metadata": {"reservation_id": "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E"}}}}),
     .refuses = FINISHES | READS, .answers = {DONE(payment_result)}},
    {METHOD_GET, "/v1/payments", api_payment_list, MAY_ADMIN, LANE_READ,
     ABOUT(PAYMENTS, "List what was told of payments.",
           "Oldest first: each event of the provider with its result, and payments that came with a request of an app or "
           "admin key that was refused. May lag behind by a moment."),
     .query = {Q("payment_ref", "Only of this payment."), PAGE}, .min_seq = true, .refuses = READS,
     .answers = {PAGE_OF(payment_event)}},
    {METHOD_GET, "/v1/refunds-due", api_refund_list, MAY_APP | MAY_ADMIN, LANE_READ,
     ABOUT(PAYMENTS, "List refunds due.",
           "Oldest first; those that are open unless `status` says otherwise. May lag behind by a moment. For CSV "
           "send `Accept: text/csv`; the next page is then in the header `Holdfast-Next-Cursor`."),
     .query = {Q_WORD("status", refund_statuses, "Which ones. Defaults to open."), PAGE}, .min_seq = true,
     .refuses = READS,
     .answers = {{200, .record = &schema_refund_due, .page = true, .example_csv = refund_csv_example}}},
    {METHOD_POST, "/v1/refunds-due/{refund}/done", api_refund_done, MAY_APP | MAY_ADMIN, LANE_COMMIT,
     ABOUT(PAYMENTS, "Mark a refund due as done.",
           "Somebody has paid it back. Repeating the call returns the same response."),
     .body = BODY_JSON, .example = "{}", .refuses = FINISHES | READS, .answers = {DONE(refund_due)}},

    /* ---- The door ---- */
    {METHOD_POST, "/v1/check-ins", api_check_in, MAY_DOOR | MAY_APP | MAY_ADMIN, LANE_NONE,
     ABOUT(DOOR, "Check a ticket in, undo that, or upload a scan.",
           "Once per ticket, however many scanners ask. With a `nonce` it is safe to retry: the same answer as long as "
           "that check-in is the ticket's last. A scan made without a network is uploaded with `scanned_at`, is always "
           "recorded, and its `result` says what it should have been told."),
     .body = BODY_JSON, .fields = api_check_in_fields,
     .example = JSON_EXAMPLE({"code": "9KQ2M7XW4T8Z1C5V3R6H", "event": "arena", "gate": "north", "nonce": "scanner-7/4711"}),
     .refuses = FINISHES | READS | NO(NO_SUCH_TICKET) | NO(ALREADY_CHECKED_IN) | NO(TICKET_VOID) | NO(WRONG_EVENT) | NO(UNDONE),
     .answers = {DONE(check_in)}},
    {METHOD_GET, "/v1/check-ins", api_check_in_list, MAY_DOOR | MAY_APP | MAY_ADMIN, LANE_NONE,
     ABOUT(DOOR, "List the tickets of an event that were used, are void or have moved.",
           "For a door that may lose its network, in the order of their last change. May lag behind by a moment. A "
           "check-in that was undone is in no list: to hear of it, get the whole list again."),
     .query = {Q_NEEDED("event", "The event."), Q_TIME("since", "Only what has changed at or after this time."), PAGE},
     .refuses = READS | NO(NO_SUCH_EVENT), .min_seq = true, .answers = {PAGE_OF(door_ticket)}},

    {METHOD_GET, "/v1/tickets/key", api_ticket_keys, MAY_ANYONE, LANE_READ,
     ABOUT(DOOR, "Get the public keys that verify signed tickets.",
           "A JWK set (RFC 7517, RFC 8037). The first key signs; the others have signed before."),
     .answers = {DONE(jwk_set)}},
    {METHOD_GET, TICKET ".svg", api_ticket_svg, MAY_ANYONE | MAY_ORDER, LANE_PICTURE,
     ABOUT(DOOR, "Get a ticket as a QR code, as SVG.",
           "Needs no credentials: the code is one. The QR code holds the signed form of the ticket, as it is now."),
     .refuses = READS | NO(TICKET_GONE), .answers = {{200, .type = "image/svg+xml",
     .example = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 65 65\"></svg>\n"}}},
    {METHOD_GET, TICKET ".png", api_ticket_png, MAY_ANYONE | MAY_ORDER, LANE_PICTURE,
     ABOUT(DOOR, "Get a ticket as a QR code, as PNG.", "As the SVG; a module has eight pixels."),
     .refuses = READS | NO(TICKET_GONE), .answers = {{200, .type = "image/png",
     .example = "The bytes of a picture."}}},

    /* ---- Reports ---- */
    {METHOD_GET, "/v1/reports/sales", api_report_sales, MAY_ADMIN, LANE_READ,
     ABOUT(REPORTS, "Report what was sold.", "By the day of the sale and by event and tier, pool, or calendar and "
           "service; what has been refunded or cancelled since is counted apart. " REPORT_NOTE),
     REPORT_QUERY("Sold"), .answers = {REPORT_OF(sales_row, report_sales_csv_example)}},
    {METHOD_GET, "/v1/reports/abandoned", api_report_abandoned, MAY_ADMIN, LANE_READ,
     ABOUT(REPORTS, "Report abandoned checkouts.", "Holds that expired or were released: when, how far they got, how "
           "long they were held, and what was in them. " REPORT_NOTE),
     REPORT_QUERY("Ended"), .answers = {REPORT_OF(abandoned_row, report_abandoned_csv_example)}},
    {METHOD_GET, "/v1/reports/funnel", api_report_funnel, MAY_ADMIN, LANE_READ,
     ABOUT(REPORTS, "Report how far reservations got.", "Of those made on each day: held, paying, confirmed, late, "
           "refunded. One with items of several rows counts in each. " REPORT_NOTE),
     REPORT_QUERY("Made"), .answers = {REPORT_OF(funnel_row, report_funnel_csv_example)}},

    {METHOD_GET, EVENT "/ttl-advice", api_ttl_advice, MAY_ADMIN, LANE_READ,
     ABOUT(REPORTS, "Get advice on how long the holds of an event should live.",
           "Judged by the last 10,000 payments for holds of the last 30 days, late ones included, so that a TTL that is too "
           "short shows. Nothing is changed by it: set `hold_ttl_seconds`. May lag behind by a moment."),
     .min_seq = true, .refuses = READS, .answers = {DONE(ttl_advice)}},

    {METHOD_GET, "/v1/audit", api_audit_list, MAY_ADMIN, LANE_READ,
     ABOUT(REPORTS, "List who changed the catalogue, keys and hooks.",
           "Newest first. Changes of reservations are in their own history. Kept as long as those. May lag behind by a moment."),
     .query = {Q_TIME("from", "Made at or after."), Q_TIME("to", "Made before."), PAGE}, .min_seq = true,
     .refuses = READS, .answers = {PAGE_OF(audit_entry)}},

    /* ---- Keys and sessions ---- */
    {METHOD_POST, "/v1/keys", api_key_create, MAY_ADMIN, LANE_NONE,
     ABOUT(ACCESS, "Create an app or door key. It is shown once.", "Save the key: only its hash is stored."),
     .body = BODY_JSON, .fields = api_key_fields, .example = JSON_EXAMPLE({"name": "shop", "role": "app"}),
     .refuses = WRITES | NO(EXISTS), .answers = {MADE(new_key)}},
    {METHOD_GET, "/v1/keys", api_key_list, MAY_ADMIN, LANE_NONE,
     ABOUT(ACCESS, "List keys by name.", "The keys themselves are not included."),
     .query = {PAGE}, .answers = {PAGE_OF(key)}},
    {METHOD_POST, "/v1/keys/{name}/rotate", api_key_rotate, MAY_ADMIN, LANE_NONE,
     ABOUT(ACCESS, "Rotate a key. The old value stays valid for a while.",
           "Rotating again while two values are valid ends the older one at once."),
     .body = BODY_JSON, .fields = api_key_rotate_fields, .example = JSON_EXAMPLE({"old_valid_seconds": 3600}),
     .refuses = WRITES, .answers = {MADE(rotated_key)}},
    {METHOD_DELETE, "/v1/keys/{name}", api_key_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(ACCESS, "Delete a key.", "It stops working at once."),
     .refuses = FINISHES, .answers = {NOTHING}},
    {METHOD_POST, "/v1/sessions", api_session_create, MAY_NOBODY | MAY_USER, LANE_SESSION,
     ABOUT(ACCESS, "Create a guest token, or renew one, for a day.",
           "For browsers without an account. With a guest token that is still valid the same guest gets a new "
           "one; any other user token is refused. The operator can turn guests off (`--guests off`)."),
     .body = BODY_JSON, .example = "{}", .refuses = NO(GUESTS_REFUSED), .answers = {MADE(session)}},

    /* ---- Hooks ---- */
    {METHOD_PUT, HOOK, api_hook_put, MAY_ADMIN, LANE_NONE,
     ABOUT(HOOKS, "Create or replace an outgoing webhook.",
           "Messages follow Standard Webhooks: a POST of `{type, timestamp, data}`, where data is the reservation as an "
           "app sees it, signed in `webhook-signature`. At least once, in order for each reservation; retried with "
           "growing pauses for a day. A replaced secret signs too for a day. Private addresses are refused at every "
           "connect unless the operator allows them (`--hooks-private`); redirects are not followed."),
     .body = BODY_JSON, .fields = api_hook_fields,
     .example = JSON_EXAMPLE({"url": "https://shop.example/holdfast", "events": ["reservation.confirmed"],
        "secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}),
     .refuses = WRITES, .answers = {MADE(hook), DONE(hook)}},
    {METHOD_GET, HOOK, api_hook_get, MAY_ADMIN, LANE_NONE,
     ABOUT(HOOKS, "Get a webhook.", "Its secret is never shown."), .answers = {DONE(hook)}},
    {METHOD_DELETE, HOOK, api_hook_remove, MAY_ADMIN, LANE_NONE,
     ABOUT(HOOKS, "Delete a webhook.", "Nothing more is sent to it, and its messages are gone."),
     .refuses = FINISHES, .answers = {NOTHING}},
    {METHOD_GET, HOOK "/messages", api_hook_messages, MAY_ADMIN, LANE_NONE,
     ABOUT(HOOKS, "List the messages that could not be delivered.",
           "Oldest first: given up after a day of attempts. They are kept as long as the history."),
     .query = {PAGE}, .refuses = READS, .answers = {PAGE_OF(dead_message)}},
    {METHOD_POST, HOOK "/resend", api_hook_resend, MAY_ADMIN, LANE_NONE,
     ABOUT(HOOKS, "Send messages again that could not be delivered.",
           "All of them, or those that the body names; 1024 at once."),
     .body = BODY_JSON, .fields = api_hook_resend_fields, .example = JSON_EXAMPLE({"since": "2030-06-03T00:00:00Z"}),
     .refuses = WRITES | READS, .answers = {DONE(resent)}},

    /* ---- Operations ---- */
    {METHOD_GET, "/healthz", api_healthz, MAY_ANYONE, LANE_NONE,
     ABOUT(OPERATIONS, "Check that the process is alive.",
           "For supervisors: restart the process if it does not respond."),
     .answers = {DONE(health)}},
    {METHOD_GET, "/readyz", api_readyz, MAY_ANYONE, LANE_NONE,
     ABOUT(OPERATIONS, "Check that new holds are accepted.",
           "For load balancers: do not send holds here while it returns 503."),
     .answers = {DONE(readiness), {503, .record = &schema_readiness}}},
    {METHOD_GET, "/metrics", api_metrics, MAY_ANYONE, LANE_NONE,
     ABOUT(OPERATIONS, "Get metrics in Prometheus text format.", "For Prometheus to scrape."),
     .door = ROUTE_DOOR_METRICS, .answers = {{200, .type = "text/plain",
     .example = "# TYPE holdfast_requests_total counter\n"
                 "holdfast_requests_total{method=\"GET\",route=\"/v1/events\",status=\"2xx\"} 42\n"}}},
    {METHOD_GET, "/openapi.json", api_openapi, MAY_ANYONE, LANE_NONE,
     ABOUT(OPERATIONS, "Get this OpenAPI description.", "Generated from the tables that validate requests."),
     .door = ROUTE_DOOR_OPENAPI, .answers = {DONE(openapi_document)}},
    /* ---- For browsers ---- */
    PAGE_AT("/", "home"),
    PAGE_AT("/e/{event}", "event"),
    PAGE_AT("/q/{event}", "queue"),
    PAGE_AT("/c/{calendar}", "calendar"),
    PAGE_AT("/c/group/{group}", "calendar"),
    PAGE_AT("/licenses", "licenses"),
    FILES_AT("/assets/*", .any_origin = true),
    FILES_AT("/embed/holdfast.js", .any_origin = true),
    FILES_AT("/favicon.svg"),
};
/* clang-format on */
const unsigned routes_count = sizeof routes / sizeof *routes;
_Static_assert(sizeof routes / sizeof *routes <= ROUTES_MAX, "requests are counted by route");

unsigned routes_described(void)
{
    unsigned count = 0;
    while (count < routes_count && routes[count].summary)
        count++;
    return count;
}

const struct route_parameter *route_parameter(const struct route *route, unsigned index)
{
    static const struct route_parameter kinds[] = {
        {"event", OUTCOME_NO_SUCH_EVENT, "The event.", "arena"},
        {"seat", OUTCOME_NO_SUCH_SEAT, "The seat.", "A15"},
        {"pool", OUTCOME_NO_SUCH_POOL, "The pool.", "floor"},
        {"id", OUTCOME_NO_SUCH_RESERVATION, "The reservation.", "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
        {"item_id", OUTCOME_NO_SUCH_ITEM, "The item within the reservation.", "1"},
        {"code", OUTCOME_NO_SUCH_CODE, "The code.", "PRESALE-7K2Q"},
        {"name", OUTCOME_NO_SUCH_KEY, "The name of the key.", "shop"},
        {"refund", OUTCOME_NO_SUCH_REFUND, "The refund due.", "rfd_184470"},
        {"ticket", OUTCOME_NO_SUCH_TICKET, "The code of the ticket.", "9KQ2M7XW4T8Z1C5V3R6H"},
        {"hook", OUTCOME_NO_SUCH_HOOK, "The name of the hook.", "shop"},
        {"calendar", OUTCOME_NO_SUCH_CALENDAR, "The calendar.", "dr_smith"},
        {"group", OUTCOME_NO_SUCH_GROUP, "The group.", "doctors"},
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

const char *method_name(enum method method)
{
#define X(name) #name,
    static const char *const names[] = {METHODS(X)};
#undef X
    ASSERT(method <= METHOD_OTHER);
    return names[method];
}

void methods_write(unsigned allow, char out[METHODS_SIZE])
{
    out[0] = '\0';
    for (unsigned i = METHOD_GET; i < METHOD_OPTIONS; i++)
        if (allow & 1u << i)
            snprintf(out + strlen(out), METHODS_SIZE - strlen(out), "%s%s", out[0] ? ", " : "",
                     i == METHOD_GET ? "GET, HEAD" : method_name((enum method)i));
}
