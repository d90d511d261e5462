/* SPDX-License-Identifier: Apache-2.0 */
#include "http/routes.h"

#include <stdio.h>

#include "base/assertion.h"
#include "http/describe/about.h"
#include "http/money/refund_csv.h"
#include "http/report/report_record.h"
#include "http/claim/reservation_csv.h"

WORD_LIST(availability_formats, "json", "map")
WORD_LIST(refund_statuses, "open", "done", "withdrawn", "all")
WORD_LIST(only_true, "true")

/* clang-format off */
/* What the rows name: handlers, body tables, records. Each is defined in the file of its noun. */
route_handler
    api_event_list, api_event_put, api_event_patch, api_event_get, api_event_remove, api_event_stream,
    api_event_cancel, api_event_cancel_get,
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
    api_person_export, api_person_erase, api_person_erasure,
    api_check_in, api_check_in_list, api_ticket_keys, api_ticket_svg, api_ticket_png,
    api_refund_list, api_refund_done, api_provider_put, api_payment_webhook, api_payment_list, api_payment_get, api_payment_event_list, api_report_money, api_reservation_refund, api_reservation_cancel,
    api_fleet_put, api_fleet_get, api_fleet_list, api_fleet_remove, api_fleet_overview, api_driver_put, api_driver_get,
    api_driver_list, api_driver_remove, api_positions, api_driver_offer, api_driver_stream, api_ride_new, api_ride_get,
    api_ride_list, api_ride_stream, api_ride_cancel, api_ride_complete, api_ride_driver_cancel, api_offer_accept, api_offer_decline,
    api_hook_put, api_hook_list, api_hook_get, api_hook_remove, api_hook_messages, api_hook_resend, demo_payment_post, demo_actors_post;
extern const struct json_field
    api_event_fields[], api_event_cancel_fields[], api_pool_fields[], api_seat_fields[], api_seat_block_fields[],
    api_seat_remove_fields[], api_queue_join_fields[], api_queue_patch_fields[], api_list_join_fields[],
    api_calendar_fields[], api_group_fields[], hold_body_fields[], api_owner_fields[], api_attributes_fields[],
    api_extend_fields[], api_payment_fields[], api_commit_fields[], api_code_fields[], api_items_fields[],
    api_item_move_fields[], api_key_fields[], api_key_rotate_fields[], api_transfer_fields[],
    api_fleet_fields[], api_driver_fields[], api_position_fields[], api_ride_fields[], api_rider_fields[], api_ride_driver_fields[],
    api_refund_fields[], api_refund_done_fields[], api_provider_fields[], api_check_in_fields[], api_hook_fields[], api_hook_resend_fields[], demo_payment_fields[], demo_actors_fields[];
extern const struct json_form api_seat_block_forms[], hold_body_forms[], api_items_forms[], api_item_move_forms[];
extern const struct schema
    schema_event, schema_event_cancel, schema_event_stream, schema_pool, schema_seat_import_result, schema_seat_block_result,
    schema_seat_remove_result, schema_layout, schema_seat, schema_availability, schema_queue,
    schema_calendar_stream, schema_queue_admin, schema_queue_entry, schema_entry_stream, schema_list_entry, schema_calendar, schema_group,
    schema_slot, schema_reservation, schema_held_reservation, schema_confirmed_reservation,
    schema_code_import_result, schema_code, schema_ended_reservation, schema_reservation_change, schema_key,
    schema_new_key, schema_rotated_key, schema_session, schema_health, schema_readiness,
    schema_openapi_document, schema_transfer, schema_refund_due, schema_refund_result, schema_payment_provider, schema_payment_result,
    schema_payment_event, schema_payment_row, schema_payment_shown, schema_money_row,
    schema_fleet, schema_fleet_overview, schema_driver, schema_driver_offer, schema_positions_result, schema_ride,
    schema_ride_stream, schema_offer_stream,
    schema_returned_reservation, schema_check_in, schema_door_ticket, schema_jwk_set, schema_sales_row, schema_abandoned_row,
    schema_funnel_row, schema_ttl_advice, schema_audit_entry, schema_person, schema_erasure, schema_hook, schema_dead_message, schema_resent;

#define EVENT "/v1/events/{event}"
#define CALENDAR "/v1/calendars/{calendar}"
#define GROUP "/v1/groups/{group}"
#define RESERVATION "/v1/reservations/{id}"
#define HOOK "/v1/hooks/{hook}"
#define FLEET "/v1/fleets/{fleet}"
#define DRIVER FLEET "/drivers/{driver}"
#define RIDE FLEET "/rides/{ride}"
#define OFFER FLEET "/offers/{offer}"
#define TICKET "/v1/tickets/{ticket}"
#define PERSON "/v1/users/{user}"
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
#include "http/catalogue/routes_catalogue.inc"
#include "http/claim/routes_reservations.inc"
#include "http/dispatch/routes_dispatch.inc"
#include "http/money/routes_payments.inc"
#include "http/door/routes_door.inc"
#include "http/report/routes_reports.inc"
#include "http/person/routes_people.inc"
#include "http/access/routes_access.inc"
#include "http/hook/routes_hooks.inc"
#include "http/api/routes_operations.inc"
#include "http/web/routes_pages.inc"
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
        {"payment_ref", OUTCOME_NO_SUCH_PAYMENT, "The payment provider's reference, percent-encoded.",
         "pi_123"},
        {"ticket", OUTCOME_NO_SUCH_TICKET, "The code of the ticket.", "9KQ2M7XW4T8Z1C5V3R6H"},
        {"hook", OUTCOME_NO_SUCH_HOOK, "The name of the hook.", "shop"},
        {"calendar", OUTCOME_NO_SUCH_CALENDAR, "The calendar.", "dr_smith"},
        {"group", OUTCOME_NO_SUCH_GROUP, "The group.", "doctors"},
        {"fleet", OUTCOME_NO_SUCH_FLEET, "The fleet.", "berlin"},
        {"driver", OUTCOME_NO_SUCH_DRIVER, "The driver: a user id, percent-encoded.", "dora"},
        {"ride", OUTCOME_NO_SUCH_RIDE, "The ride.", "rid_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
        {"offer", OUTCOME_NO_SUCH_OFFER, "The offer.", "off_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
        {"user", OUTCOME_INVALID, "The user id, percent-encoded.", "ann"},
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
