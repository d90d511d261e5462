/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/columns.h"

#include "book/claim/reservation.h"
#include "book/door/door.h"
#include "book/record/column.h"
#include "book/record/kept.h"

/* clang-format off */
/* ---- Words ---- */

WORDS(reservation_status, "status", RESERVATION_STATUS_FIRST, RESERVATION_STATUS_LAST, )
WORDS(role, "role", ROLE_USER, ROLE_LAST, static)
WORDS(action, "action", ACTION_FIRST, ACTION_LAST, static)
WORDS(queue_status, "status of a queue entry", QUEUE_STATUS_FIRST, QUEUE_STATUS_LAST, static)
WORDS(list_status, "status of an entry of a waiting list", LIST_STATUS_FIRST, LIST_STATUS_LAST, static)
WORDS(payment_rule, "rule of payment", PAYMENT_RULE_FIRST, PAYMENT_RULE_LAST, static)
WORDS(price_per, "price_per", PRICE_PER_FIRST, PRICE_PER_LAST, static)
WORDS(group_pick, "pick", GROUP_PICK_FIRST, GROUP_PICK_LAST, static)
WORDS(event_access, "access to an event", EVENT_ACCESS_FIRST, EVENT_ACCESS_LAST, static)
WORDS(late_payment_rule, "rule of late payment", LATE_PAYMENT_RULE_FIRST, LATE_PAYMENT_RULE_LAST, static)
WORDS(payment_result, "result of a payment", PAYMENT_RESULT_FIRST, PAYMENT_RESULT_LAST, static)
WORDS(discrepancy, "discrepancy", DISCREPANCY_FIRST, DISCREPANCY_LAST, static)
WORDS(refund_status, "status of a refund due", REFUND_STATUS_FIRST, REFUND_STATUS_LAST, static)
WORDS(payment_provider, "payment provider", PAYMENT_PROVIDER_FIRST, PAYMENT_PROVIDER_LAST, static)
WORDS(hook_event, "event of a hook", HOOK_EVENT_FIRST, HOOK_EVENT_LAST, static)
WORDS(transfer_rule, "rule of transfer", TRANSFER_RULE_FIRST, TRANSFER_RULE_LAST, static)

/* ---- The kinds of item ---- */

/* X(kind, its word, event or calendar, the table of its parts, that of its claims or NULL): see struct book_item_kind.
 * `best` has no row: core replaces it by seats. */
#define ITEMS(X)                                                                                             \
    X(ITEM_SEAT, seat, event, seats, "claims")                                                               \
    X(ITEM_POOL, pool, event, pools, NULL)                                                                   \
    X(ITEM_SLOT, slot, calendar, services, NULL)
#define ITEM(kind, word, owner, parts, claims) [kind] = {#word, #owner, #parts, claims},
const struct book_item_kind book_item_kinds[] = {ITEMS(ITEM)};
_Static_assert(ITEM_KIND_LAST < 8 * sizeof(((struct column *)0)->only), "each kind has its bit");

_Static_assert(sizeof(type_of_HASH) == BOOK_HASH_SIZE, "a hash is read and written whole");

static const char *item_kind_text(int kind)
{
    return book_item_kinds[kind].word;
}
static const struct book_words item_kind_words = {"kind of item", 1, ITEM_KIND_LAST, item_kind_text};

/* ---- Events ---- */

#define TERMS(row)                                                                                           \
    COLUMN(row, "currency", CURRENCY, image.terms.currency),                                                 \
    COLUMN(row, "hold_ttl_seconds", U32, image.terms.hold_ttl_s),                                            \
    COLUMN(row, "max_hold_seconds", U32, image.terms.max_hold_s),                                            \
    COLUMN(row, "payment_ttl_seconds", U32, image.terms.payment_ttl_s),                                      \
    WORD(row, "payment", payment_rule, image.terms.payment),                                                 \
    WORD(row, "late_payment", late_payment_rule, image.terms.late_payment)

#define EVENT_SETTING(form, member, name, column, ...)                                                       \
    SETTING_COLUMN_##form(book_event, column, image.member, __VA_ARGS__),
static const struct column event_columns[] = {
    COLUMN(book_event, "number", U64, image.number, KEY),
    COLUMN(book_event, "id", TEXT, image.id, FIXED),
    COLUMN(book_event, "name", NAME, image.name),
    EVENT_SETTINGS(EVENT_SETTING)
    TERMS(book_event),
    COLUMN(book_event, "staff_hold_seconds", U32, image.terms.staff_hold_s),
    COLUMN(book_event, "created_at", I64, image.created_at_ms, FIXED),
    COLUMN(book_event, "removed_at", TIME, removed_at_ms),
    COLUMN(book_event, "waiting_list", BOOL, image.has_list),
    COLUMN(book_event, "categories", TEXT, image.categories),
    COLUMN(book_event, "prices", TEXT, image.prices),
    COLUMN(book_event, "line_key", PAIR_OR_NULL, image.entry_key),
    COLUMN(book_event, "cancels", BOOL, image.cancels),
    COLUMN(book_event, "cancel_until_seconds", U32, image.cancel_until_s),
    COLUMN(book_event, "terms_before", TEXT, image.terms_before),
    COLUMN(book_event, "cancelled_at", TIME, image.cancelled.at_ms),
    COLUMN(book_event, "cancel_reason", TEXT, image.cancelled.reason),
    COLUMN(book_event, "cancel_refunded", U32, image.cancelled.refunded),
    COLUMN(book_event, "cancel_done", BOOL, image.cancelled.done),
    COLUMN(book_event, "seats", U32, seats, FIXED), /* updated when an import is published */
};
RECORD(event, "events", book_event, 0);

static const struct column cancelling_columns[] = {
    COLUMN(cancelling_image, "number", U64, event, KEY),
    COLUMN(cancelling_image, "cancel_refunded", U32, refunded),
    COLUMN(cancelling_image, "cancel_done", BOOL, done),
};
RECORD(cancelling, "events", cancelling_image, 0);

static const struct column queue_settings_columns[] = {
    COLUMN(event_image, "event", U64, number, KEY),
    COLUMN(event_image, "open_at", TIME, queue.open_at_ms),
    COLUMN(event_image, "rate_per_second", U32, queue.rate_per_second),
    COLUMN(event_image, "max_active", U32, queue.max_active),
    COLUMN(event_image, "pass_ttl_seconds", U32, queue.pass_ttl_s),
    COLUMN(event_image, "shuffle_before_open", BOOL, queue.shuffle_before_open),
    COLUMN(event_image, "by_inventory", BOOL, queue.by_inventory),
    COLUMN(event_image, "tiers", TIERS, queue.tiers, BESIDE(event_image, queue.tier_count)),
};
RECORD_OF(queue_settings, "room_settings", queue_settings_columns, 0, 0, 0);

#define GIVEN(what) .given = SEAT_COLUMN_##what
static const struct column seat_columns[] = {
    COLUMN(book_seat, "position", U32, position, KEY),
    COLUMN(book_seat, "id", TEXT, image.id),
    COLUMN(book_seat, "section", LABEL, image.section, GIVEN(SECTION)),
    COLUMN(book_seat, "row", LABEL, image.row, GIVEN(ROW)),
    COLUMN(book_seat, "number", LABEL, image.number, GIVEN(NUMBER)),
    COLUMN(book_seat, "x", MILLI, image.x_milli, BESIDE(book_seat, image.has_x), GIVEN(X)),
    COLUMN(book_seat, "y", MILLI, image.y_milli, BESIDE(book_seat, image.has_y), GIVEN(Y)),
    COLUMN(book_seat, "tier", LABEL, image.tier, GIVEN(TIER)),
    COLUMN(book_seat, "price", I64, image.price, GIVEN(PRICE)),
    COLUMN(book_seat, "accessible", BOOL, image.accessible, GIVEN(ACCESSIBLE)),
    COLUMN(book_seat, "blocked", BOOL, image.blocked, GIVEN(BLOCKED), FRESH),
    COLUMN(book_seat, "allotment", TEXT, image.allotment, GIVEN(ALLOTMENT), FRESH),
    COLUMN(book_seat, "removed", BOOL, image.removed),
    COLUMN(book_seat, "version", U64, version, FRESH),
    COLUMN(book_seat, "event", U64, event, .flags = COLUMN_KEY | COLUMN_FRESH),
};
RECORD(seat, "seats", book_seat, 1);

static const struct column staged_columns[] = {
    COLUMN(book_staged, "seq", U64, seq, KEY),
    COLUMN(book_staged, "event", U64, event),
    COLUMN(book_staged, "import", U64, import),
    COLUMN(book_staged, "at", I64, at_ms),
    COLUMN(book_staged, "count", U32, count),
    COLUMN(book_staged, "rows", ROWS, rows), /* seat_row_put of core/change.h */
};
RECORD(staged, "seats_staged", book_staged, 0);

static const struct column pool_columns[] = {
    COLUMN(pool_image, "event", U64, event, KEY),
    COLUMN(pool_image, "position", U32, position, KEY),
    COLUMN(pool_image, "id", TEXT, id, FIXED),
    COLUMN(pool_image, "name", TEXT, name),
    COLUMN(pool_image, "capacity", U32, capacity),
    COLUMN(pool_image, "price", I64, price),
    COLUMN(pool_image, "prices", TEXT, prices),
    COLUMN(pool_image, "allotment", TEXT, allotment),
};
RECORD(pool, "pools", pool_image, 0); /* held and sold are updated by book/claim/claim.c */

static const struct column code_columns[] = {
    COLUMN(code_image, "event", U64, event, KEY),
    COLUMN(code_image, "position", U32, position, KEY),
    COLUMN(code_image, "code", TEXT, code),
    COLUMN(code_image, "units", U32, units),
    COLUMN(code_image, "tiers", TIERS, tiers, BESIDE(code_image, tier_count)),
    COLUMN(code_image, "allotment", TEXT, allotment),
    COLUMN(code_image, "removed", BOOL, removed),
};
RECORD(code, "codes", code_image, 0); /* how often it was used follows from items */

/* ---- Calendars ---- */

#define CALENDAR_RULE(form, name, plain, ...)                                                                \
    SETTING_COLUMN_##form(book_calendar_row, #name, image.rules.name, __VA_ARGS__),
static const struct column calendar_columns[] = {
    COLUMN(book_calendar_row, "number", U64, image.number, KEY),
    COLUMN(book_calendar_row, "id", TEXT, image.id, FIXED),
    COLUMN(book_calendar_row, "name", NAME, image.name),
    COLUMN(book_calendar_row, "timezone", TEXT, image.timezone),
    COLUMN(book_calendar_row, "capacity", U32, image.capacity),
    COLUMN(book_calendar_row, "price", I64, image.price),
    TERMS(book_calendar_row),
    COLUMN(book_calendar_row, "slot_minutes", U32, image.slot_minutes),
    COLUMN(book_calendar_row, "buffer_minutes", U32, image.buffer_minutes),
    CALENDAR_RULES(CALENDAR_RULE)
    COLUMN(book_calendar_row, "cancels", BOOL, image.rules.cancels),
    COLUMN(book_calendar_row, "cancel_until_minutes", U32, image.rules.cancel_until_minutes),
    COLUMN(book_calendar_row, "terms_before", TEXT, image.terms_before),
    COLUMN(book_calendar_row, "created_at", I64, image.created_at_ms, FIXED),
    COLUMN(book_calendar_row, "removed_at", TIME, removed_at_ms),
    COLUMN(book_calendar_row, "changed_at", I64, changed_at_ms),
};
RECORD(calendar, "calendars", book_calendar_row, 1);

static const struct column hours_columns[] = {
    COLUMN(book_hours, "calendar", U64, calendar, KEY),
    COLUMN(book_hours, "position", U32, position, KEY),
    COLUMN(book_hours, "days", DAYS, range.days), /* bit 0 is Monday */
    COLUMN(book_hours, "opens", MINUTE, range.from_minute),
    COLUMN(book_hours, "closes", MINUTE, range.to_minute),
};
RECORD(hours, "calendar_hours", book_hours, 0);

static const struct column closed_columns[] = {
    COLUMN(book_closed, "calendar", U64, calendar, KEY),
    COLUMN(book_closed, "position", U32, position, KEY),
    COLUMN(book_closed, "starts_at", I64, interval.start_ms),
    COLUMN(book_closed, "ends_at", I64, interval.end_ms),
};
RECORD(closed, "calendar_closed", book_closed, 0);

static const struct column service_columns[] = {
    COLUMN(book_service, "calendar", U64, calendar, KEY),
    COLUMN(book_service, "position", U32, position, KEY),
    COLUMN(book_service, "id", TEXT, image.id, FIXED),
    COLUMN(book_service, "duration_minutes", U32, image.duration_minutes),
    COLUMN(book_service, "price", I64, image.price),
    COLUMN(book_service, "removed", BOOL, image.removed),
};
RECORD(service, "services", book_service, 0);

static const struct column group_columns[] = {
    COLUMN(group_image, "number", U64, number, KEY),
    COLUMN(group_image, "id", TEXT, id, FIXED),
    COLUMN(group_image, "name", NAME, name),
    WORD(group_image, "pick", group_pick, pick),
    COLUMN(group_image, "created_at", I64, created_at_ms),
    COLUMN(group_image, "removed", BOOL, removed),
};
RECORD_OF(group, "groups", group_columns, 0, 0, 0); /* read into an image that has its members */

static const struct column group_member_columns[] = {
    COLUMN(book_group_member, "group_number", U64, group, KEY),
    COLUMN(book_group_member, "position", U32, position, KEY),
    COLUMN(book_group_member, "calendar", U64, calendar),
};
RECORD(group_member, "group_members", book_group_member, 0);

/* ---- Reservations ---- */

static const struct column reservation_columns[] = {
    COLUMN(reservation_image, "number", U64, number, KEY),
    COLUMN(reservation_image, "id", ID, id, FIXED),
    COLUMN(reservation_image, "user_id", TEXT, user_id, FIXED), /* except for a transfer: book/claim/reservation.c */
#define OWNER_COLUMNS 3
    COLUMN(reservation_image, "fence", U64, fence),
    COLUMN(reservation_image, "version", U32, version),
    COLUMN(reservation_image, "created_at", I64, created_at_ms, FIXED),
    COLUMN(reservation_image, "expires_at", I64, expires_at_ms),
    COLUMN(reservation_image, "max_expires_at", I64, max_expires_at_ms),
    COLUMN(reservation_image, "user_max_at", TIME, user_max_at_ms),
    COLUMN(reservation_image, "staff_max_at", TIME, staff_max_at_ms),
    COLUMN(reservation_image, "payment_started_at", TIME, payment_started_at_ms),
    COLUMN(reservation_image, "hold_ttl_seconds", U32, hold_ttl_s),
    COLUMN(reservation_image, "payment_ttl_seconds", U32, payment_ttl_s),
    COLUMN(reservation_image, "payment_required", BOOL, payment_required),
    COLUMN(reservation_image, "currency", CURRENCY, currency),
    COLUMN(reservation_image, "next_item_id", U32, next_item_id),
    COLUMN(reservation_image, "attributes", TEXT, attributes),
    COLUMN(reservation_image, "payment_method", TEXT, payment_method),
    COLUMN(reservation_image, "payment_ref", TEXT, payment_ref),
    COLUMN(reservation_image, "payment_recorded_at", TIME, payment_recorded_at_ms),
    COLUMN(reservation_image, "from_list", BOOL, from_list, FIXED),
    COLUMN(reservation_image, "singles", TEXT, singles),
#define ENDED_COLUMNS 6 /* not read at start, when there may be a million held reservations */
    WORD(reservation_image, "status", reservation_status, status, APART),
    COLUMN(reservation_image, "confirmed_at", TIME, confirmed_at_ms),
    COLUMN(reservation_image, "ended_at", TIME, ended_at_ms),
    COLUMN(reservation_image, "ticket_key", PAIR_OR_NULL, ticket_key),
    COLUMN(reservation_image, "manage_gen", U32, manage_gen),
    COLUMN(reservation_image, "transferred", U64, transferred),
};
#define RESERVATION(name, unread)                                                                            \
    RECORD_OF(name, "reservations", reservation_columns, sizeof(struct reservation_image), unread, 0)
_Static_assert(OWNER_COLUMNS + ENDED_COLUMNS < COUNT(reservation_columns), "one is read first, one last");
RESERVATION(reservation, 0);
RESERVATION(held, ENDED_COLUMNS);
RESERVATION(owner, COUNT(reservation_columns) - OWNER_COLUMNS);

/* Columns for the kinds of item that belong to an event, and for the others. */
#define EVENT_event(kind) | 1 << (kind)
#define EVENT_calendar(kind)
#define EVENT_BIT(kind, word, owner, ...) EVENT_##owner(kind)
#define OF_PLACES .only = 0 ITEMS(EVENT_BIT)
#define OF_SLOTS .only = 0xff & ~(0 ITEMS(EVENT_BIT))
/* clang-format off */
#define ITEM_COLUMNS(row) \
    COLUMN(row, "item_id", U32, image.item_id, KEY), \
    WORD(row, "kind", item_kind, image.kind), /* before the columns that only some kinds have */ \
    COLUMN(row, "event", U64, image.resource, OF_PLACES), \
    COLUMN(row, "calendar", U64, image.resource, OF_SLOTS), \
    COLUMN(row, "position", PART, image.part, OF_PLACES), \
    COLUMN(row, "quantity", U32, image.quantity), \
    COLUMN(row, "price", I64, image.price), \
    COLUMN(row, "fence", U64, image.fence), \
    COLUMN(row, "starts_at", I64, image.start_ms, OF_SLOTS), \
    COLUMN(row, "ends_at", I64, image.end_ms, OF_SLOTS), \
    COLUMN(row, "until", I64, image.until_ms, OF_SLOTS), \
    COLUMN(row, "lead_ms", U32, image.lead_ms, OF_SLOTS), \
    COLUMN(row, "before_minutes", U16, image.before_minutes, OF_SLOTS), \
    COLUMN(row, "after_minutes", U16, image.after_minutes, OF_SLOTS), \
    /* From here on: no claim depends on these. */ \
    COLUMN(row, "attributes", TEXT, image.attributes, APART), \
    COLUMN(row, "flags", U32, image.flags, APART), \
    COLUMN(row, "category", TEXT, image.category, APART), \
    COLUMN(row, "code", TEXT, image.code, APART), \
    COLUMN(row, "allotment", TEXT, image.allotment, APART), \
    COLUMN(row, "group_number", NUMBER, image.group, APART)
/* clang-format on */
static const struct column item_columns[] = {
    ITEM_COLUMNS(book_item),
    COLUMN(book_item, "reservation", U64, reservation, KEY),
};
static const struct column history_item_columns[] = {
    ITEM_COLUMNS(book_history_item),
    COLUMN(book_history_item, "reservation", U64, reservation, KEY),
    COLUMN(book_history_item, "seq", U64, seq, KEY),
};
/* Read into an item_image alone, without the reservation. */
RECORD_OF(item, "items", item_columns, sizeof(struct item_image), 1, offsetof(struct book_item, image.kind));
_Static_assert(offsetof(struct book_item, image) == 0, "the image alone can be read into one");
RECORD_OF(history_item, "history_items", history_item_columns, sizeof(struct item_image), 2,
          offsetof(struct book_history_item, image.kind));
_Static_assert(offsetof(struct book_history_item, image) == 0, "the image alone can be read into one");
_Static_assert(COUNT(history_item_columns) == COUNT(item_columns) + 1, "the same columns, and a seq");

static const struct column history_columns[] = {
    COLUMN(book_history, "seq", U64, view.seq, KEY),
    COLUMN(book_history, "at", I64, view.at_ms),
    WORD(book_history, "actor", role, view.actor.role),
    COLUMN(book_history, "actor_name", LABEL, view.actor.name),
    WORD(book_history, "action", action, view.action),
    WORD(book_history, "status", reservation_status, view.status),
    COLUMN(book_history, "expires_at", I64, view.expires_at_ms),
    COLUMN(book_history, "version", U32, view.version),
    COLUMN(book_history, "user_before", TEXT, view.user_before),
    COLUMN(book_history, "user_after", TEXT, view.user_after),
    COLUMN(book_history, "refund", NUMBER, view.refund.number),
    COLUMN(book_history, "reason", TEXT, reason),
    COLUMN(book_history, "reservation", U64, reservation, KEY),
};
RECORD(history, "history", book_history, 1);

static const struct column ticket_columns[] = {
    COLUMN(book_ticket, "code", TEXT, code, KEY),
    COLUMN(book_ticket, "reservation", U64, reservation),
    COLUMN(book_ticket, "item_id", U32, item_id),
    COLUMN(book_ticket, "unit", U32, unit),
};
RECORD(ticket, "tickets", book_ticket, 0);

/* ---- Money ---- */

/* clang-format off */
#define MONEY(row, name, field) \
    COLUMN(row, name "_given", BOOL, field.given), \
    COLUMN(row, name "_amount", I64, field.amount), \
    COLUMN(row, name "_currency", CURRENCY, field.currency)
/* clang-format on */
static const struct column payment_columns[] = {
    COLUMN(payment_image, "number", U64, number, KEY),
    COLUMN(payment_image, "payment_ref", NAME, ref, FIXED),
    COLUMN(payment_image, "reservation", ID, reservation),
    COLUMN(payment_image, "unknown", BOOL, unknown),
    MONEY(payment_image, "app", app),
    COLUMN(payment_image, "assumed", BOOL, assumed),
    MONEY(payment_image, "paid", paid),
    COLUMN(payment_image, "failed", BOOL, failed),
    COLUMN(payment_image, "returned_currency", CURRENCY, returned_currency),
    COLUMN(payment_image, "refunded", I64, refunded),
    COLUMN(payment_image, "refund_failed", I64, refund_failed),
    COLUMN(payment_image, "disputed_amount", I64, disputed),
    COLUMN(payment_image, "reinstated", I64, reinstated),
    COLUMN(payment_image, "disputes", U32, disputes),
    COLUMN(payment_image, "disputes_over", U32, disputes_over),
    COLUMN(payment_image, "staff_returned", I64, staff_returned),
    COLUMN(payment_image, "outside", I64, outside),
    COLUMN(payment_image, "money_seq", U64, money_seq),
    COLUMN(payment_image, "first_at", I64, first_at_ms, FIXED),
    COLUMN(payment_image, "last_at", I64, last_at_ms),
    COLUMN(payment_image, "currency", CURRENCY, currency),
    COLUMN(payment_image, "received", I64, received),
    COLUMN(payment_image, "kept", I64, kept),
    COLUMN(payment_image, "returned", I64, returned),
    COLUMN(payment_image, "owed", I64, owed),
    WORD(payment_image, "discrepancy", discrepancy, discrepancy),
    COLUMN(payment_image, "discrepancy_seq", U64, discrepancy_seq),
};
RECORD(payment, "payments", payment_image, 0);

static const struct column refund_columns[] = {
    COLUMN(refund_image, "number", U64, number, KEY),
    COLUMN(refund_image, "reservation", ID, reservation, FIXED),
    COLUMN(refund_image, "payment_ref", TEXT, payment_ref, FIXED),
    COLUMN(refund_image, "amount", I64, amount),
    COLUMN(refund_image, "currency", CURRENCY, currency),
    COLUMN(refund_image, "reason", NAME, reason),
    COLUMN(refund_image, "created_at", I64, created_at_ms, FIXED),
    COLUMN(refund_image, "done_at", TIME, done_at_ms),
    WORD(refund_image, "status", refund_status, status),
    COLUMN(refund_image, "told_seq", U64, told_seq),
    COLUMN(refund_image, "returned_before", I64, returned_before),
};
RECORD(refund, "refunds", refund_image, 0);

static const struct column payment_event_columns[] = {
    COLUMN(payment_event_image, "number", U64, number, KEY),
    COLUMN(payment_event_image, "event_id", TEXT, event_id),
    COLUMN(payment_event_image, "type", NAME, type),
    COLUMN(payment_event_image, "once", TEXT, once),
    COLUMN(payment_event_image, "payment_ref", TEXT, payment_ref),
    COLUMN(payment_event_image, "reservation", ID, reservation),
    COLUMN(payment_event_image, "has_amount", BOOL, amount.given),
    COLUMN(payment_event_image, "amount", I64, amount.amount),
    COLUMN(payment_event_image, "currency", CURRENCY, amount.currency),
    WORD(payment_event_image, "result", payment_result, result),
    COLUMN(payment_event_image, "refund", NUMBER, refund),
    COLUMN(payment_event_image, "received_at", I64, received_at_ms),
};
RECORD(payment_event, "payment_events", payment_event_image, 0);

static const struct column provider_columns[] = {
    COLUMN(provider_image, "number", U64, number, KEY),
    WORD(provider_image, "provider", payment_provider, provider),
    COLUMN(provider_image, "secret", NAME, secret),
    WORD(provider_image, "old_provider", payment_provider, old_provider),
    COLUMN(provider_image, "old_secret", TEXT, old_secret),
    COLUMN(provider_image, "old_until", TIME, old_until_ms),
    COLUMN(provider_image, "changed_at", I64, changed_at_ms),
};
RECORD(provider, "payment_provider", provider_image, 0);

static const struct column epoch_columns[] = {
    COLUMN(owner_image, "epoch", U64, epoch, KEY),
    COLUMN(owner_image, "node", NAME, node),
    COLUMN(owner_image, "since", I64, since_ms),
};
RECORD(epoch, "owners", owner_image, 0);

/* ---- People ---- */

static const struct column erasure_columns[] = {
    COLUMN(erasure_image, "number", U64, number, KEY),
    COLUMN(erasure_image, "segments", U32, segments),
};
RECORD(erasure, "erasures", erasure_image, 0);

/* ---- Keys ---- */

static const struct column idempotency_columns[] = {
    COLUMN(idempotency_image, "key", PAIR, key, KEY),
    COLUMN(idempotency_image, "body", PAIR, body),
    COLUMN(idempotency_image, "made", MADE, made, BESIDE(idempotency_image, made_kind)),
    COLUMN(idempotency_image, "http_status", U16, http_status),
    COLUMN(idempotency_image, "at", I64, at_ms),
};
RECORD(idempotency, "idempotency", idempotency_image, 0);

static const struct column key_columns[] = {
    COLUMN(key_image, "name", TEXT, name, KEY),
    WORD(key_image, "role", role, role),
    COLUMN(key_image, "hash", HASH, hash),
    COLUMN(key_image, "created_at", I64, created_at_ms),
    COLUMN(key_image, "old_until", TIME, old_until_ms), /* read before old_hash, which depends on it */
    COLUMN(key_image, "old_hash", HASH, old_hash, BESIDE(key_image, old_until_ms)),
};
RECORD(key, "keys", key_image, 0);

/* ---- Waiting rooms and lists ---- */

static const struct column queues_columns[] = {
    COLUMN(queue_image, "event", U64, event, KEY),
    COLUMN(queue_image, "seed", HASH, seed), /* of the draw; secret until the opening */
    COLUMN(queue_image, "paused", BOOL, paused),
    COLUMN(queue_image, "opened_at", TIME, opened_at_ms),
    COLUMN(queue_image, "drawn", U32, drawn),
};
RECORD(queues, "rooms", queue_image, 0);

static const struct column queue_columns[] = {
    COLUMN(book_queue_entry, "number", U32, image.number, KEY),
    COLUMN(book_queue_entry, "user_id", TEXT, image.user_id, FIXED),
    COLUMN(book_queue_entry, "joined_at", I64, image.joined_at_ms, FIXED),
    COLUMN(book_queue_entry, "tiers", TIERS, image.tiers, BESIDE(book_queue_entry, image.tier_count), FIXED),
    WORD(book_queue_entry, "status", queue_status, image.status),
    COLUMN(book_queue_entry, "until", TIME, image.until_ms),
    COLUMN(book_queue_entry, "event", U64, image.event, KEY),
    COLUMN(book_queue_entry, "live", BOOL, live, FIXED),
    COLUMN(book_queue_entry, "admitted_at", TIME, admitted_at_ms, APART),
};
RECORD(queue, "queue", book_queue_entry, 3); /* not read at start, when there may be two million entries */

static const struct column list_columns[] = {
    COLUMN(book_list_entry, "event", U64, image.event, KEY),
    COLUMN(book_list_entry, "number", U32, image.number, KEY),
    COLUMN(book_list_entry, "user_id", TEXT, image.user_id, KEY), /* an update must be of the same user */
    COLUMN(book_list_entry, "quantity", U32, image.wish.quantity, FIXED),
    COLUMN(book_list_entry, "adjacent", BOOL, image.wish.adjacent, FIXED),
    COLUMN(book_list_entry, "tier", TEXT, image.wish.tier, FIXED),
    COLUMN(book_list_entry, "section", TEXT, image.wish.section, FIXED),
    COLUMN(book_list_entry, "pool", TEXT, image.wish.pool, FIXED),
    COLUMN(book_list_entry, "code", TEXT, image.code, FIXED),
    WORD(book_list_entry, "status", list_status, image.status),
    COLUMN(book_list_entry, "joined_at", I64, image.joined_at_ms, FIXED),
    COLUMN(book_list_entry, "changed_at", I64, image.changed_at_ms),
    COLUMN(book_list_entry, "reservation", ID, image.reservation),
    COLUMN(book_list_entry, "live", BOOL, live, APART),
};
RECORD(list, "waiting_list", book_list_entry, 1);

/* ---- Hooks ---- */

static const struct column hook_columns[] = {
    COLUMN(hook_image, "number", U64, number, KEY),
    COLUMN(hook_image, "name", TEXT, name, FIXED),
    COLUMN(hook_image, "url", TEXT, url),
    COLUMN(hook_image, "events", U32, events),
    COLUMN(hook_image, "secret", TEXT, secret),
    COLUMN(hook_image, "old_secret", TEXT, old_secret),
    COLUMN(hook_image, "old_until", TIME, old_until_ms),
    COLUMN(hook_image, "created_at", I64, created_at_ms, FIXED),
};
RECORD(hook, "hooks", hook_image, 0);

static const struct column message_columns[] = {
    COLUMN(book_message, "hook", U64, hook, KEY),
    COLUMN(book_message, "seq", U64, message.seq, KEY),
    COLUMN(book_message, "ordinal", U32, message.ordinal, KEY),
    WORD(book_message, "event", hook_event, message.event, FIXED),
    COLUMN(book_message, "reservation", MADE, message.reservation, BESIDE(book_message, of), FIXED),
    COLUMN(book_message, "subject", U64, message.subject, FIXED),
    COLUMN(book_message, "at", I64, message.at_ms, FIXED),
    COLUMN(book_message, "since", I64, message.since_ms),
    COLUMN(book_message, "queued", U64, queued),
    COLUMN(book_message, "dead_at", TIME, dead_at_ms),
};
RECORD(message, "outbox", book_message, 0);

static const struct column warning_columns[] = {
    COLUMN(hook_warning_image, "reservation", ID, reservation, KEY),
    COLUMN(hook_warning_image, "expires_at", I64, expires_at_ms),
};
RECORD(warning, "hook_warnings", hook_warning_image, 0);

/* ---- What is done with each kind of change: kept.h ---- */

/* Payments of held reservations. A payment is never older than its hold, so only recent ones are examined: there may be a
 * million holds, and even more old payments. */
#define OF_HOLDS                                                                                             \
    "WHERE last_at >= (SELECT created_at FROM reservations WHERE number = (SELECT min(number) FROM "         \
    "reservations "                                                                                          \
    "WHERE status = 'held')) AND EXISTS (SELECT 1 FROM reservations r WHERE r.id = payments.reservation "    \
    "AND r.status = 'held') "
#define TOUCHES(field) .touches = offsetof(struct change, field)
#define IMAGE(field) .at = offsetof(struct change, field)
#define AUDITED(word, field)                                                                                 \
    .audited = word, .audit_id = offsetof(struct change, field.id),                                          \
    .audit_event = offsetof(struct change, field.event)

const struct book_kept book_kept[] = {
    [CHANGE_EVENT] = {&queue_settings_record, .of_event = true, .apply = book_catalogue_put_event,
                      TOUCHES(event.number)},
    [CHANGE_POOL] = {&pool_record, IMAGE(pool), .of_event = true, AUDITED("pool", pool),
                     .put = "INSERT INTO @ ({every $}, held, sold) VALUES ({every ?#}, 0, 0) "
                            "ON CONFLICT ({key $}) DO UPDATE SET {set $ = excluded.$}",
                     TOUCHES(pool.event)},
    [CHANGE_SEATS_STAGED] = {&staged_record, .of_event = true, .apply = book_catalogue_stage},
    [CHANGE_SEATS_PUBLISHED] = {.apply = book_catalogue_publish, TOUCHES(published.event)},
    [CHANGE_SEATS_COPIED] = {.apply = book_catalogue_copy, TOUCHES(copied.event)},
    [CHANGE_SEATS_REMOVED] = {.apply = book_catalogue_remove_seats, TOUCHES(removed.event)},
    [CHANGE_SEATS_BLOCKED] = {.apply = book_catalogue_block, TOUCHES(blocked.event)},
    [CHANGE_SEATS_ALLOTTED] = {.apply = book_catalogue_allot, TOUCHES(allotted.event)},
    [CHANGE_RESERVATION] = {.apply = book_reservation_write},
    [CHANGE_EXPIRED] = {.apply = book_reservation_expire},
    /* A key that is used again after it has expired replaces the old row. */
    [CHANGE_IDEMPOTENCY] = {&idempotency_record, IMAGE(idempotency),
                            .put = "REPLACE INTO @ (seq, {every $}) VALUES (?64, {every ?#})",
                            .loaded = BOOK_AFTER_HOLDS,
                            .load = "SELECT {read $}, seq FROM @ WHERE at >= ?1 ORDER BY seq"},
    [CHANGE_KEY] = {&key_record, IMAGE(key), .put = BOOK_REPLACE, .loaded = BOOK_BEFORE_HOLDS,
                    .load = BOOK_LOAD_ALL},
    [CHANGE_KEY_REMOVED] = {&key_record, IMAGE(key), .put = BOOK_DELETE},
    [CHANGE_CALENDAR] = {.apply = book_calendar_put,
                         .loaded = BOOK_BEFORE_HOLDS,
                         .each = book_calendar_each,
                         TOUCHES(calendar.number)},
    [CHANGE_CALENDAR_REMOVED] = {.apply = book_calendar_remove},
    [CHANGE_GROUP] = {.apply = book_group_put,
                      .loaded = BOOK_BEFORE_HOLDS,
                      .each = book_group_each,
                      TOUCHES(group.number)},
    [CHANGE_QUEUE] = {&queues_record, IMAGE(queue), .put = BOOK_UPSERT, .of_event = true},
    [CHANGE_QUEUE_JOINED] = {.apply = book_queue_join},
    [CHANGE_QUEUE_MOVED] = {.apply = book_queue_move},
    [CHANGE_CODE] = {&code_record, IMAGE(code), .put = BOOK_UPSERT, .of_event = true,
                     .loaded = BOOK_BEFORE_HOLDS, .load = BOOK_LOAD_OF_EVENTS},
    /* Core has those of holds in memory, ordered by when money first arrived: core/money/payment.h. */
    [CHANGE_PAYMENT] = {&payment_record, IMAGE(payment), .apply = book_ledger_put_payment,
                        .loaded = BOOK_AFTER_HOLDS,
                        .load = BOOK_SELECT OF_HOLDS "ORDER BY money_seq, number"},
    [CHANGE_REFUND] = {&refund_record, IMAGE(refund), .apply = book_ledger_put_refund,
                       .loaded = BOOK_AFTER_HOLDS,
                       .load = BOOK_SELECT "WHERE payment_ref IN (SELECT payment_ref FROM payments " OF_HOLDS
                                           ") ORDER BY number"},
    [CHANGE_PAYMENT_EVENT] = {&payment_event_record, IMAGE(payment_event), .put = BOOK_INSERT},
    [CHANGE_PROVIDER] = {&provider_record, IMAGE(provider), .put = BOOK_UPSERT, .loaded = BOOK_BEFORE_HOLDS,
                         .load = BOOK_LOAD_ALL},
    [CHANGE_OWNER] = {&epoch_record, IMAGE(owner), .put = BOOK_INSERT, .loaded = BOOK_BEFORE_HOLDS,
                      .load = BOOK_SELECT "ORDER BY epoch DESC LIMIT 1"},
    [CHANGE_CANCELLING] = {&cancelling_record, IMAGE(cancelling), .put = BOOK_UPDATE,
                           TOUCHES(cancelling.event)},
    /* Core has those in memory for which the journal must still start a new segment: core/person/erasure.h. */
    [CHANGE_ERASED] = {&erasure_record, .apply = book_erasure_apply, IMAGE(erased),
                       .loaded = BOOK_BEFORE_HOLDS, .load = BOOK_SELECT "WHERE segments < 2 ORDER BY number"},
    [CHANGE_CHECK_IN] = {.apply = book_reservation_check_in,
                         .loaded = BOOK_AFTER_HOLDS,
                         .each = book_door_each},
    [CHANGE_LIST_ENTRY] = {.apply = book_waiting_list_put,
                           .loaded = BOOK_AFTER_HOLDS,
                           .each = book_waiting_list_each},
    [CHANGE_HOOK] = {&hook_record, .apply = book_hook_put, IMAGE(hook), .loaded = BOOK_BEFORE_HOLDS,
                     .load = BOOK_LOAD_ALL},
    [CHANGE_HOOK_MOVED] = {.apply = book_hook_move,
                           .loaded = BOOK_AFTER_HOLDS,
                           .each = book_hook_each_message},
    [CHANGE_HOOK_WARNING] = {&warning_record, IMAGE(hook_warning), .put = BOOK_UPSERT,
                             .loaded = BOOK_AFTER_HOLDS, .load = BOOK_LOAD_ALL},
    [CHANGE_REFUSALS] = {.apply = book_refusal_add},
    /* Rides that have ended, with their offers, are not loaded: core/dispatch/ride.h. */
    [CHANGE_FLEET] = {&fleet_record, .apply = book_dispatch_put_fleet, IMAGE(fleet),
                      .loaded = BOOK_AFTER_HOLDS,
                      .load = BOOK_SELECT "WHERE removed_at IS NULL ORDER BY number"},
    [CHANGE_DRIVER] = {&driver_record, .apply = book_dispatch_put_driver, IMAGE(driver),
                       .loaded = BOOK_AFTER_HOLDS,
                       .load =
                           BOOK_SELECT "WHERE fleet IN (SELECT number FROM fleets WHERE removed_at IS NULL) "
                                       "ORDER BY fleet, id"},
    [CHANGE_RIDE] = {&ride_record, IMAGE(ride), .put = BOOK_UPSERT, .loaded = BOOK_AFTER_HOLDS,
                     .load = BOOK_SELECT "WHERE ended_at IS NULL ORDER BY number"},
    [CHANGE_OFFER] = {&offer_record, IMAGE(offer), .put = BOOK_UPSERT, .loaded = BOOK_AFTER_HOLDS,
                      .load = BOOK_SELECT "WHERE ride IN (SELECT id FROM rides WHERE ended_at IS NULL) "
                                          "ORDER BY number"},
};
const int book_kept_count = sizeof(book_kept) / sizeof(book_kept[0]);
_Static_assert(sizeof(book_kept) / sizeof(book_kept[0]) == CHANGE_LAST + 1, "a row for each kind of change");
