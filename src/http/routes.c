/* SPDX-License-Identifier: Apache-2.0 */
#include "http/routes.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "http/api.h"
#include "http/words.h"

/* clang-format off */
#define EVENT "/v1/events/{event}"
#define CALENDAR "/v1/calendars/{calendar}"
#define RESERVATION "/v1/reservations/{id}"
/* Query parameters. */
#define Q(name_) {.name = name_}
#define Q_TIME(name_) {.name = name_, .kind = ROUTE_QUERY_TIME}
#define Q_WORD(name_, words_) {.name = name_, .word = words_}
#define Q_NUMBER(name_, least_, most_, ...) \
    {.name = name_, .kind = ROUTE_QUERY_NUMBER, .least = least_, .most = most_, __VA_ARGS__}
#define PAGE Q_NUMBER("limit", 1, ROUTE_LIMIT_MAX, .otherwise = ROUTE_LIMIT), Q("cursor")
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
     .summary = "List the events.", .query = {PAGE}, .answers = {PAGE_OF(event)}},
    {METHOD_PUT, EVENT, api_event_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create an event or replace its settings.",
     .body = BODY_JSON, .fields = api_event_fields,
     .refuses = WRITES, .answers = {MADE(event), DONE(event)}},
    {METHOD_GET, EVENT, api_event_get, MAY_ANYONE, LANE_READ,
     .summary = "Read an event: its settings and counts.", .answers = {DONE(event)}},
    {METHOD_DELETE, EVENT, api_event_remove, MAY_ADMIN, LANE_NONE,
     .summary = "Remove an event without live claims.",
     .refuses = FINISHES | NO(IN_USE), .answers = {NOTHING}},
    {METHOD_POST, EVENT "/seats", api_seats_import, MAY_ADMIN, LANE_NONE,
     .summary = "Add or update seats: a JSON array, or CSV with a header line.",
     .body = BODY_SEATS, .fields = api_seat_fields,
     .refuses = WRITES | NO(TAKEN), .answers = {MADE(seats_imported)}},
    {METHOD_PATCH, EVENT "/seats", api_seats_block, MAY_ADMIN, LANE_NONE,
     .summary = "Take seats off sale or put them back.",
     .body = BODY_JSON, .fields = api_seat_block_fields,
     .refuses = WRITES | NO(NO_SUCH_SEAT) | NO(TAKEN), .answers = {DONE(seats_blocked)}},
    {METHOD_GET, EVENT "/seats", api_seats_layout, MAY_ANYONE, LANE_READ,
     .summary = "Read the layout: the static facts of every seat.",
     .answers = {DONE(layout, .etag = true), UNCHANGED}},
    {METHOD_GET, EVENT "/seats/{seat}", api_seat_get, MAY_ANYONE, LANE_READ,
     .summary = "Read one seat and its status.", .answers = {DONE(seat, .etag = true)}},
    {METHOD_PUT, EVENT "/pools/{pool}", api_pool_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create a pool or change it.",
     .body = BODY_JSON, .fields = api_pool_fields,
     .refuses = WRITES | NO(CAPACITY_IN_USE), .answers = {MADE(pool), DONE(pool)}},
    {METHOD_GET, EVENT "/availability", api_availability_get, MAY_ANYONE, LANE_READ,
     .summary = "Read what is free, whole or since a version.",
     .query = {Q_NUMBER("since", 0, UINT64_MAX), Q_WORD("format", words_availability_format)},
     .refuses = READS, .answers = {DONE(availability)}},
    {METHOD_GET, EVENT "/stream", api_event_stream, MAY_ANYONE, LANE_READ,
     .summary = "Follow the changes of seats and pools.",
     .refuses = READS, .resumes = true, .answers = {STREAM_OF(event)}},

    {METHOD_POST, EVENT "/queue", api_queue_join, MAY_BUY, LANE_JOIN,
     .summary = "Join the waiting room.",
     .body = BODY_JSON, .fields = api_queue_join_fields, .idempotent = true,
     .refuses = JOINS | NO(NO_WAITING_ROOM),
     .answers = {MADE(queue_entry, .location = true), DONE(queue_entry, .location = true)}},
    {METHOD_GET, EVENT "/queue", api_queue_get, MAY_ANYONE, LANE_POLL,
     .summary = "How far the waiting room is: one answer for everybody; for an admin, all about it.",
     .refuses = NO(NO_WAITING_ROOM), .answers = {DONE(queue, .etag = true), UNCHANGED}},
    {METHOD_PATCH, EVENT "/queue", api_queue_patch, MAY_ADMIN, LANE_NONE,
     .summary = "Change the running of a waiting room: pace, pause, opening.",
     .body = BODY_JSON, .fields = api_queue_patch_fields,
     .refuses = FINISHES | NO(NO_WAITING_ROOM), .answers = {DONE(queue_admin)}},
    {METHOD_GET, EVENT "/queue/{entry}", api_queue_entry_get, MAY_BUY, LANE_READ,
     .summary = "Read an entry of a waiting room; its owner is present by asking.",
     .query = {Q("user_id")}, .refuses = NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_DELETE, EVENT "/queue/{entry}", api_queue_entry_leave, MAY_BUY, LANE_COMMIT,
     .summary = "Leave a waiting room.", .query = {Q("user_id")},
     .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(queue_entry)}},
    {METHOD_GET, EVENT "/queue/{entry}/stream", api_queue_entry_stream, MAY_BUY, LANE_READ,
     .summary = "Follow an entry of a waiting room.", .query = {Q("user_id")},
     .refuses = READS | NO(NOT_OWNER), .answers = {STREAM_OF(entry)}},
    {METHOD_POST, EVENT "/waiting-list", api_list_join, MAY_BUY, LANE_JOIN,
     .summary = "Join the waiting list for what is sold out.",
     .body = BODY_JSON, .fields = api_list_join_fields, .idempotent = true,
     .refuses = JOINS | NO(NO_WAITING_LIST) | NO(NOT_SOLD_OUT) | NO(NO_SUCH_POOL),
     .answers = {MADE(list_entry, .location = true), DONE(list_entry, .location = true)}},
    {METHOD_GET, EVENT "/waiting-list", api_list_get, MAY_ADMIN, LANE_NONE,
     .summary = "List the entries of a waiting list in the order of joining.",
     .query = {Q_WORD("status", words_list_status), PAGE},
     .refuses = READS, .min_seq = true, .answers = {PAGE_OF(list_entry)}},
    {METHOD_GET, EVENT "/waiting-list/{entry}", api_list_entry_get, MAY_BUY, LANE_READ,
     .summary = "Read an entry of a waiting list.", .query = {Q("user_id")},
     .refuses = NO(NOT_OWNER), .answers = {DONE(list_entry)}},
    {METHOD_DELETE, EVENT "/waiting-list/{entry}", api_list_entry_leave, MAY_BUY, LANE_COMMIT,
     .summary = "Leave a waiting list, or decline what it has offered.", .query = {Q("user_id")},
     .releases = true, .refuses = FINISHES | NO(NOT_OWNER), .answers = {DONE(list_entry)}},

    {METHOD_GET, "/v1/calendars", api_calendar_list, MAY_ANYONE, LANE_READ,
     .summary = "List the calendars.", .query = {PAGE}, .answers = {PAGE_OF(calendar)}},
    {METHOD_PUT, CALENDAR, api_calendar_put, MAY_ADMIN, LANE_NONE,
     .summary = "Create a calendar or replace its settings.",
     .body = BODY_JSON, .fields = api_calendar_fields,
     .refuses = WRITES | NO(CAPACITY_IN_USE), .answers = {MADE(calendar), DONE(calendar)}},
    {METHOD_GET, CALENDAR, api_calendar_get, MAY_ANYONE, LANE_READ, .summary = "Read a calendar's settings.",
     .answers = {DONE(calendar)}},
    {METHOD_GET, CALENDAR "/slots", api_slot_list, MAY_ANYONE, LANE_READ,
     .summary = "List the slots that can be claimed.",
     .query = {Q_TIME("from"), Q_TIME("to"), Q_NUMBER("duration_minutes", 1, SLOT_LENGTH_MAX_MS / 60000),
               Q("service"), PAGE}, .answers = {PAGE_OF(slot)}},
    {METHOD_GET, CALENDAR ".ics", api_booking_list, MAY_ADMIN, LANE_NONE,
     .summary = "Read the confirmed bookings as iCalendar.", .query = {Q_TIME("from"), Q_TIME("to")},
     .refuses = READS, .min_seq = true, .answers = {{200, .type = "text/calendar"}}},

    /* ---- Reservations ---- */
    {METHOD_POST, "/v1/reservations", api_reservation_hold, MAY_BUY, LANE_HOLD,
     .summary = "Hold seats, pool units and slots, all of them or none.",
     .body = BODY_JSON, .fields = api_hold_fields, .forms = api_hold_forms,
     .query = {Q("user_id")}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = CLAIMS_ANY | NO(NOT_OWNER) | NO(VERSION_MISMATCH), .body_needed = true, .if_match = true,
     .answers = {MADE(reservation, .location = true)}},
    {METHOD_GET, "/v1/reservations", api_reservation_list, MAY_BUY, LANE_READ,
     .summary = "List reservations, newest first.",
     .query = {Q("user_id"), Q("event"), Q("calendar"), Q_WORD("status", words_reservation_status),
               Q("pnr"), PAGE}, .without_v1 = true,
     .refuses = READS | NO(NOT_OWNER), .min_seq = true, .answers = {PAGE_OF(reservation)}},
    {METHOD_GET, RESERVATION, api_reservation_get, MAY_BUY, LANE_READ, .summary = "Read a reservation.",
     .query = {Q("user_id")}, .without_v1 = true,
     .refuses = OWNED, .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION, api_reservation_attributes, MAY_BUY, LANE_HOLD,
     .summary = "Replace the attributes.",
     .body = BODY_JSON, .fields = api_attributes_fields, .query = {Q("user_id")}, .without_v1 = true,
     .refuses = OWNED | WRITES | OVER, .answers = {DONE(reservation)}},
    {METHOD_DELETE, RESERVATION, api_reservation_release, MAY_BUY, LANE_COMMIT, .summary = "Release a hold.",
     .body = BODY_JSON, .fields = api_owner_fields,
     .query = {Q("user_id")}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | NO(EXPIRED), .answers = {DONE(reservation_over)}},
    {METHOD_POST, RESERVATION "/release", api_reservation_release, MAY_BUY, LANE_COMMIT,
     .summary = "Release a hold.",
     .body = BODY_JSON, .fields = api_owner_fields,
     .query = {Q("user_id")}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | NO(EXPIRED), .answers = {DONE(reservation_over)}},
    {METHOD_POST, RESERVATION "/items", api_items_add, MAY_BUY, LANE_HOLD,
     .summary = "Add an item or several to a hold.",
     .body = BODY_JSON, .fields = api_items_fields, .forms = api_items_forms,
     .query = {Q("user_id")}, .idempotent = true, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS_ANY | SOLD | OVER | NO(PAYING), .body_needed = true,
     .answers = {MADE(reservation), DONE(reservation)}},
    {METHOD_DELETE, RESERVATION "/items/{item_id}", api_item_drop, MAY_BUY, LANE_COMMIT,
     .summary = "Drop an item; dropping the last one releases the hold.",
     .body = BODY_JSON, .fields = api_owner_fields,
     .query = {Q("user_id")}, .releases = true, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | NO(PAYING), .answers = {DONE(reservation)}},
    {METHOD_PATCH, RESERVATION "/items/{item_id}", api_item_move, MAY_BUY, LANE_HOLD,
     .summary = "Move an item to another seat or another time.",
     .body = BODY_JSON, .fields = api_item_move_fields, .forms = api_item_move_forms,
     .query = {Q("user_id")}, .takes_pass = true, .without_v1 = true,
     .refuses = OWNED | CLAIMS | OVER | NO(PAYING) | NO(PAYMENT_REQUIRED), .body_needed = true,
     .answers = {DONE(reservation)}},
    {METHOD_POST, RESERVATION "/extend", api_reservation_extend, MAY_BUY, LANE_COMMIT,
     .summary = "Move the deadline on.",
     .body = BODY_JSON, .fields = api_extend_fields, .query = {Q("user_id")}, .without_v1 = true,
     .refuses = OWNED | WRITES | SOLD | OVER | NO(PAYING), .answers = {DONE(reservation_held)}},
    {METHOD_POST, RESERVATION "/payment", api_reservation_payment, MAY_BUY, LANE_COMMIT,
     .summary = "The buyer went to pay.",
     .body = BODY_JSON, .fields = api_payment_fields, .query = {Q("user_id")}, .without_v1 = true,
     .refuses = OWNED | FINISHES | SOLD | OVER | NO(PAYMENT_WINDOW_OFF),
     .answers = {DONE(reservation_held)}},
    {METHOD_POST, RESERVATION "/commit", api_reservation_commit, MAY_BUY, LANE_COMMIT,
     .summary = "Turn a hold into a sale.",
     .body = BODY_JSON, .fields = api_commit_fields, .query = {Q("user_id")}, .without_v1 = true,
     .refuses = OWNED | FINISHES | OVER | NO(PAYMENT_REQUIRED), .answers = {DONE(reservation_confirmed)}},
    {METHOD_GET, RESERVATION "/history", api_reservation_history, MAY_BUY, LANE_READ,
     .summary = "Every change of a reservation.",
     .query = {Q("user_id"), PAGE}, .without_v1 = true,
     .refuses = OWNED, .min_seq = true, .answers = {PAGE_OF(change)}},

    /* ---- Keys and sessions ---- */
    {METHOD_POST, "/v1/keys", api_key_create, MAY_ADMIN, LANE_NONE,
     .summary = "Make an app or door key; it is shown once.",
     .body = BODY_JSON, .fields = api_key_fields,
     .refuses = WRITES | NO(EXISTS), .answers = {MADE(key_made)}},
    {METHOD_GET, "/v1/keys", api_key_list, MAY_ADMIN, LANE_NONE,
     .summary = "List the keys by name.", .query = {PAGE}, .answers = {PAGE_OF(key)}},
    {METHOD_POST, "/v1/keys/{name}/rotate", api_key_rotate, MAY_ADMIN, LANE_NONE,
     .summary = "Give a key another value; the one before is good for a while longer.",
     .body = BODY_JSON, .fields = api_key_rotate_fields,
     .refuses = WRITES, .answers = {MADE(key_rotated)}},
    {METHOD_DELETE, "/v1/keys/{name}", api_key_remove, MAY_ADMIN, LANE_NONE, .summary = "Remove a key.",
     .refuses = FINISHES, .answers = {NOTHING}},
    {METHOD_POST, "/v1/sessions", api_session_create, MAY_ANYONE, LANE_SESSION,
     .summary = "Get a guest token, good for a day.",
     .body = BODY_JSON, .answers = {MADE(session)}},

    /* ---- Operations ---- */
    {METHOD_GET, "/healthz", api_healthz, MAY_ANYONE, LANE_NONE, .summary = "Whether the process answers.",
     .answers = {DONE(health)}},
    {METHOD_GET, "/readyz", api_readyz, MAY_ANYONE, LANE_NONE, .summary = "Whether new holds are taken.",
     .answers = {DONE(readiness), {503, .record = &schema_readiness}}},
    {METHOD_GET, "/metrics", api_metrics, MAY_ANYONE, LANE_NONE,
     .summary = "Figures in Prometheus text form.", .door = ROUTE_DOOR_METRICS, .answers = {{200, .type = "text/plain"}}},
    {METHOD_GET, "/openapi.json", api_openapi, MAY_ANYONE, LANE_NONE, .summary = "This description.",
     .door = ROUTE_DOOR_OPENAPI, .answers = {DONE(description)}},
};
/* clang-format on */
const unsigned routes_count = sizeof routes / sizeof *routes;

enum outcome_code route_parameter_refusal(const struct route *route, unsigned index)
{
    static const struct {
        const char *name;
        enum outcome_code refusal;
    } kinds[] = {
        {"{event}", OUTCOME_NO_SUCH_EVENT},       {"{seat}", OUTCOME_NO_SUCH_SEAT},
        {"{pool}", OUTCOME_NO_SUCH_POOL},         {"{id}", OUTCOME_NO_SUCH_RESERVATION},
        {"{item_id}", OUTCOME_NO_SUCH_ITEM},      {"{name}", OUTCOME_NO_SUCH_KEY},
        {"{calendar}", OUTCOME_NO_SUCH_CALENDAR}, {"{entry}", OUTCOME_NO_SUCH_ENTRY},
    };
    const char *at = strchr(route->pattern, '{');
    while (index-- && at)
        at = strchr(at + 1, '{');
    if (!at)
        return OUTCOME_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(at, kinds[i].name, strlen(kinds[i].name)) == 0)
            return kinds[i].refusal;
    ASSERT(!"a path parameter without a refusal");
    return OUTCOME_INVALID;
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
