/* SPDX-License-Identifier: Apache-2.0 */
#include "http/routes.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/describe/about.h"
#include "http/money/refund_csv.h"
#include "http/report/report_record.h"
#include "http/claim/item_kinds.h"
#include "http/claim/reservation_csv.h"

WORD_LIST(availability_formats, "json", "map")
WORD_LIST(refund_statuses, "open", "done", "withdrawn", "all")
WORD_LIST(only_true, "true")

/* clang-format off */
/* Each file of rows has three parts: what its rows name (handlers, body tables, records), the parameters of paths, and the
 * rows. */
#define ROUTE_NAMES
#include "http/routes.inc"
#undef ROUTE_NAMES

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
#define Q_REQUIRED(name_, about_) {.name = name_, .about = about_, .required = true}
#define Q_TIME(name_, about_) {.name = name_, .about = about_, .kind = ROUTE_QUERY_TIME}
#define Q_WORD(name_, words_, about_) {.name = name_, .about = about_, .word = words_}
#define Q_NUMBER(name_, least_, most_, about_, ...) \
    {.name = name_, .about = about_, .kind = ROUTE_QUERY_NUMBER, .least = least_, .most = most_, __VA_ARGS__}
#define Q_OWNER Q("user_id", ABOUT_OWNER)
#define PAGE Q_NUMBER("limit", 1, ROUTE_LIMIT_MAX, "How many entries per page.", .default_value = ROUTE_LIMIT), \
    Q("cursor", "The `next_cursor` of the previous page.")
/* The group, the operation id, a one-line summary, and the details. */
#define ABOUT(tag_, operation_, summary_, about_) \
    .tag = ROUTE_TAG_##tag_, .operation = #operation_, .summary = summary_, .about = about_
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
#define FINISHES NO(STORAGE_FULL) /* works as long as anything can be written */
#define READS NO(UNAVAILABLE)     /* from the book, or waits for a shared answer */
#define CODED (NO(CODE_REQUIRED) | NO(CODE_INVALID))
#define JOINS (WRITES | NO(NOT_OWNER) | NO(NO_SUCH_ENTRY) | NO(NOT_ON_SALE) | NO(GUESTS_REFUSED) | CODED)
#define OWNED (NO(NOT_OWNER) | READS) /* a reservation may have to be fetched from the book */
#define OVER (NO(ALREADY_RELEASED) | NO(EXPIRED))
#define BACK (NO(ALREADY_CANCELLED) | NO(ALREADY_REFUNDED))
#define SOLD NO(ALREADY_CONFIRMED)
#define CLAIMS (WRITES | NO(NO_SUCH_SEAT) | NO(NOT_ON_SALE) | NO(CLOSED) | NO(NOT_BOOKABLE) | \
                NO(TAKEN))
#define CLAIMS_ANY (CLAIMS | ITEM_MISSING(NO) | NO(GUESTS_REFUSED) | CODED | NO(CODE_USED) | \
                    NO(LIMIT_EXCEEDED) | NO(SOLD_OUT) | NO(NO_ADJACENT_SEATS) | NO(LEAVES_SINGLE))

#define MERGES "A JSON merge patch (RFC 7396) of the record as GET shows it: omitted fields stay, null " \
    "sets the default, objects merge, lists replace. Concurrent patches of different fields all take effect. "
/* Shared by all reports. */
#define REPORT_QUERY(what_) .query = {Q("event", "Only this event."), Q_TIME("from", what_ " at or after."), \
    Q_TIME("to", what_ " before.")}, .min_seq = true, .refuses = READS
#define REPORT_OF(record_, csv_) {200, .record = &schema_##record_, .page = true, .example_csv = csv_}
#define REPORT_NOTE "Days are in UTC. Always one page; more than 50,000 rows: 400. May lag by a moment; " \
    "503 if it takes more than 30 s. For CSV send `Accept: text/csv`."
/* Pages are web/pages/NAME.html. The rows of these two kinds come last, and have no summary: nothing
 * describes them. */
#define PAGE_AT(pattern_, name_, ...) \
    {METHOD_GET, pattern_, site_page_get, MAY_ANYONE, LANE_NONE, NODE_ANY, .page = "/pages/" name_ ".html", __VA_ARGS__}
#define FILES_AT(pattern_, ...) \
    {METHOD_GET, pattern_, site_file_get, MAY_ANYONE, LANE_NONE, NODE_ANY, .page = NULL, __VA_ARGS__}
/* A call with two paths. */
#define RELEASE(operation_) \
    ABOUT(RESERVATIONS, operation_, "Release a hold.", \
          "Its items are available again immediately. Repeating the call returns the same response."), \
    .body = BODY_JSON, .fields = api_owner_fields, .example = JSON_EXAMPLE({"user_id": "ann"}), \
    .query = {Q_OWNER}, .releases = true, .without_v1 = true, \
    .refuses = OWNED | FINISHES | SOLD | BACK | NO(EXPIRED), .answers = {DONE(ended_reservation)}

const struct route routes[] = {
#include "http/routes.inc"
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

bool route_shows_state(const struct route *route)
{
    return strncmp(route->pattern, "/v1", 3) == 0;
}

const struct route_parameter *route_parameter(const struct route *route, unsigned index)
{
    static const struct route_parameter kinds[] = {
#define ROUTE_PARAMETERS
#include "http/routes.inc"
#undef ROUTE_PARAMETERS
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
