/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_columns.h"

/* The columns may stand in any order; it is the order of parameters and results. Those that are not read stand
 * last.
 *
 * COLUMN checks that the field of struct ROW is of the type that its kind wants. */
#define TYPE_U16 uint16_t
#define TYPE_U32 uint32_t
#define TYPE_U64 uint64_t
#define TYPE_I64 int64_t
#define TYPE_BOOL bool
#define TYPE_TIME int64_t
#define TYPE_TEXT struct text
#define TYPE_LABEL struct text
#define TYPE_NAME struct text
#define TYPE_CURRENCY __typeof__(char[4])
#define TYPE_ID struct id
#define TYPE_MADE struct id
#define TYPE_HASH __typeof__(uint8_t[BOOK_HASH_SIZE])
#define TYPE_PAIR __typeof__(uint64_t[2])
#define TYPE_PAIR_OR_NULL __typeof__(uint64_t[2])
#define TYPE_MILLI int32_t
#define TYPE_PART uint32_t
#define TYPE_TIERS __typeof__(const struct text *)
#define TYPE_ROWS struct bytes_reader
#define TYPE_DAYS uint8_t
#define TYPE_MINUTE uint16_t

#define AT(field, type)                                                                                      \
    (offsetof(struct ROW, field) + 0 * sizeof(char[_Generic(&((struct ROW *)0)->field, type * : 1, default   \
                                                            : -1)]))
#define COLUMN(name_, kind_, field, ...)                                                                     \
    {                                                                                                        \
        .name = name_, .kind = COLUMN_##kind_, .offset = AT(field, TYPE_##kind_), __VA_ARGS__                \
    }
/* An enum by its names; they are in type_words. */
#define WORD(name_, type, field, ...)                                                                        \
    {                                                                                                        \
        .name = name_, .kind = COLUMN_WORD, .offset = AT(field, enum type), .words = &type##_words,          \
        __VA_ARGS__                                                                                          \
    }
#define BESIDE(field) .beside = offsetof(struct ROW, field)
#define KEY .flags = COLUMN_KEY
#define FIXED .flags = COLUMN_FIXED

#define COUNT(columns_) (sizeof(columns_) / sizeof((columns_)[0]))
#define RECORD(table_, columns_, row) PART(table_, columns_, row, 0)
/* Without the last columns when it is read: the reader knows them, or does not want them. */
#define PART(table_, columns_, row, left_out)                                                                \
    {                                                                                                        \
        .table = table_, .columns = columns_, .count = COUNT(columns_),                                      \
        .read = COUNT(columns_) - (left_out), .size = sizeof(struct row)                                     \
    }

/* ---- Words ---- */

#define WORDS(type, what_, first_, last_, scope)                                                             \
    static const char *type##_word(int value)                                                                \
    {                                                                                                        \
        return type##_name((enum type)value);                                                                \
    }                                                                                                        \
    scope const struct book_words type##_words = {what_, first_, last_, type##_word};

WORDS(reservation_status, "status", RESERVATION_HELD, RESERVATION_REFUNDED, )
WORDS(role, "role", ROLE_USER, ROLE_SERVER, static)
WORDS(action, "action", ACTION_HELD, ACTION_EXPIRED, static)
WORDS(queue_status, "status of a queue entry", QUEUE_WAITING, QUEUE_LEFT, static)
WORDS(list_status, "status of an entry of a waiting list", LIST_WAITING, LIST_LEFT, static)
WORDS(payment_rule, "rule of payment", PAYMENT_REQUIRED, PAYMENT_NONE, static)
WORDS(late_payment_rule, "rule of late payment", LATE_PAYMENT_ACCEPT_IF_FREE, LATE_PAYMENT_REFUND, static)

static const char *item_kind_word(int kind)
{
    static const char *const names[] = {[ITEM_SEAT] = "seat", [ITEM_POOL] = "pool", [ITEM_SLOT] = "slot"};
    return names[kind]; /* `best` has none: it becomes seats before it is kept */
}
static const struct book_words item_kind_words = {"kind of item", ITEM_SEAT, ITEM_SLOT, item_kind_word};

/* One column a line. clang-format would put short ones side by side. */
/* clang-format off */

/* ---- Events ---- */

#define TERMS                                                                                                \
    COLUMN("currency", CURRENCY, image.terms.currency),                                                      \
        COLUMN("hold_ttl_seconds", U32, image.terms.hold_ttl_s),                                             \
        COLUMN("max_hold_seconds", U32, image.terms.max_hold_s),                                             \
        COLUMN("payment_ttl_seconds", U32, image.terms.payment_ttl_s),                                       \
        WORD("payment", payment_rule, image.terms.payment),                                                  \
        WORD("late_payment", late_payment_rule, image.terms.late_payment)

#define ROW book_event
static const struct column event_columns[] = {
    COLUMN("number", U64, image.number, KEY),
    COLUMN("id", TEXT, image.id, FIXED),
    COLUMN("name", NAME, image.name),
    COLUMN("starts_at", TIME, image.starts_at_ms),
    COLUMN("on_sale_at", TIME, image.on_sale_at_ms),
    COLUMN("off_sale_at", TIME, image.off_sale_at_ms),
    TERMS,
    COLUMN("per_user_limit", U32, image.per_user_limit),
    COLUMN("created_at", I64, image.created_at_ms, FIXED),
    COLUMN("removed_at", TIME, removed_at_ms),
    COLUMN("waiting_list", BOOL, image.has_list),
    COLUMN("line_key", PAIR_OR_NULL, image.entry_key),
    COLUMN("seats", U32, seats, FIXED), /* counted where an import is published */
};
const struct book_record event_record = RECORD("events", event_columns, ROW);
#undef ROW

#define ROW event_image
static const struct column queue_settings_columns[] = {
    COLUMN("event", U64, number, KEY),
    COLUMN("open_at", TIME, queue.open_at_ms),
    COLUMN("rate_per_second", U32, queue.rate_per_second),
    COLUMN("max_active", U32, queue.max_active),
    COLUMN("pass_ttl_seconds", U32, queue.pass_ttl_s),
    COLUMN("shuffle_before_open", BOOL, queue.shuffle_before_open),
    COLUMN("by_inventory", BOOL, queue.by_inventory),
    COLUMN("tiers", TIERS, queue.tiers, BESIDE(queue.tier_count)),
};
const struct book_record queue_settings_record = {
    .table = "room_settings",
    .columns = queue_settings_columns,
    .count = COUNT(queue_settings_columns),
    .read = COUNT(queue_settings_columns),
};
#undef ROW

#define ROW book_seat
#define GIVEN(what) .given = SEAT_COLUMN_##what
static const struct column seat_columns[] = {
    COLUMN("position", U32, position, KEY),
    COLUMN("id", TEXT, image.id),
    COLUMN("section", LABEL, image.section, GIVEN(SECTION)),
    COLUMN("row", LABEL, image.row, GIVEN(ROW)),
    COLUMN("number", LABEL, image.number, GIVEN(NUMBER)),
    COLUMN("x", MILLI, image.x_milli, BESIDE(image.has_x), GIVEN(X)),
    COLUMN("y", MILLI, image.y_milli, BESIDE(image.has_y), GIVEN(Y)),
    COLUMN("tier", LABEL, image.tier, GIVEN(TIER)),
    COLUMN("price", I64, image.price, GIVEN(PRICE)),
    COLUMN("accessible", BOOL, image.accessible, GIVEN(ACCESSIBLE)),
    COLUMN("blocked", BOOL, image.blocked, GIVEN(BLOCKED), .flags = COLUMN_FRESH),
    COLUMN("version", U64, version, .flags = COLUMN_FRESH),
    COLUMN("event", U64, event, KEY),
};
const struct book_record seat_record = PART("seats", seat_columns, ROW, 1);
#undef ROW

#define ROW book_staged
static const struct column staged_columns[] = {
    COLUMN("seq", U64, seq, KEY),
    COLUMN("event", U64, event),
    COLUMN("import", U64, import),
    COLUMN("at", I64, at_ms),
    COLUMN("count", U32, count),
    COLUMN("rows", ROWS, rows), /* seat_row_put of core/change.h */
};
const struct book_record staged_record = RECORD("seats_staged", staged_columns, ROW);
#undef ROW

#define ROW book_pool
static const struct column pool_columns[] = {
    COLUMN("event", U64, image.event, KEY),
    COLUMN("position", U32, image.position, KEY),
    COLUMN("id", TEXT, image.id, FIXED),
    COLUMN("name", TEXT, image.name),
    COLUMN("capacity", U32, image.capacity),
    COLUMN("price", I64, image.price),
    COLUMN("held", U32, held, FIXED), /* counted by claims */
    COLUMN("sold", U32, sold, FIXED),
};
const struct book_record pool_record = RECORD("pools", pool_columns, ROW);
#undef ROW

/* ---- Calendars ---- */

#define ROW book_calendar_row
static const struct column calendar_columns[] = {
    COLUMN("number", U64, image.number, KEY),
    COLUMN("id", TEXT, image.id, FIXED),
    COLUMN("name", NAME, image.name),
    COLUMN("timezone", TEXT, image.timezone),
    COLUMN("capacity", U32, image.capacity),
    COLUMN("price", I64, image.price),
    TERMS,
    COLUMN("slot_minutes", U32, image.slot_minutes),
    COLUMN("buffer_minutes", U32, image.buffer_minutes),
    COLUMN("created_at", I64, image.created_at_ms, FIXED),
    COLUMN("changed_at", I64, changed_at_ms),
};
const struct book_record calendar_record = PART("calendars", calendar_columns, ROW, 1);
#undef ROW

#define ROW book_hours
static const struct column hours_columns[] = {
    COLUMN("calendar", U64, calendar, KEY),
    COLUMN("position", U32, position, KEY),
    COLUMN("days", DAYS, range.days), /* bit 0 is Monday */
    COLUMN("opens", MINUTE, range.from_minute),
    COLUMN("closes", MINUTE, range.to_minute),
};
const struct book_record hours_record = RECORD("calendar_hours", hours_columns, ROW);
#undef ROW

#define ROW book_closed
static const struct column closed_columns[] = {
    COLUMN("calendar", U64, calendar, KEY),
    COLUMN("position", U32, position, KEY),
    COLUMN("starts_at", I64, interval.start_ms),
    COLUMN("ends_at", I64, interval.end_ms),
};
const struct book_record closed_record = RECORD("calendar_closed", closed_columns, ROW);
#undef ROW

#define ROW book_service
static const struct column service_columns[] = {
    COLUMN("calendar", U64, calendar, KEY),
    COLUMN("position", U32, position, KEY),
    COLUMN("id", TEXT, image.id, FIXED),
    COLUMN("duration_minutes", U32, image.duration_minutes),
    COLUMN("price", I64, image.price),
    COLUMN("removed", BOOL, image.removed),
};
const struct book_record service_record = RECORD("services", service_columns, ROW);
#undef ROW

/* ---- Reservations ---- */

#define ROW reservation_image
static const struct column reservation_columns[] = {
    COLUMN("number", U64, number, KEY),
    COLUMN("id", ID, id, FIXED),
    COLUMN("user_id", TEXT, user_id, FIXED),
#define OWNER_COLUMNS 3
    COLUMN("fence", U64, fence),
    COLUMN("version", U32, version),
    COLUMN("created_at", I64, created_at_ms, FIXED),
    COLUMN("expires_at", I64, expires_at_ms),
    COLUMN("max_expires_at", I64, max_expires_at_ms),
    COLUMN("payment_started_at", TIME, payment_started_at_ms),
    COLUMN("hold_ttl_seconds", U32, hold_ttl_s),
    COLUMN("payment_ttl_seconds", U32, payment_ttl_s),
    COLUMN("payment_required", BOOL, payment_required),
    COLUMN("currency", CURRENCY, currency),
    COLUMN("next_item_id", U32, next_item_id),
    COLUMN("attributes", TEXT, attributes),
    COLUMN("payment_method", TEXT, payment_method),
    COLUMN("payment_ref", TEXT, payment_ref),
    COLUMN("from_list", BOOL, from_list, FIXED),
#define ENDED_COLUMNS 4 /* a million held ones are read at start, without these */
    WORD("status", reservation_status, status, .flags = COLUMN_INDEXED),
    COLUMN("confirmed_at", TIME, confirmed_at_ms),
    COLUMN("ended_at", TIME, ended_at_ms),
    COLUMN("ticket_key", PAIR_OR_NULL, ticket_key),
};
const struct book_record reservation_record = RECORD("reservations", reservation_columns, ROW);
const struct book_record held_record = PART("reservations", reservation_columns, ROW, ENDED_COLUMNS);
const struct book_record owner_record =
    PART("reservations", reservation_columns, ROW, COUNT(reservation_columns) - OWNER_COLUMNS);
#undef ROW

#define ROW book_item
#define OF_SLOTS .only = 1 << ITEM_SLOT
#define OF_PLACES .only = 1 << ITEM_SEAT | 1 << ITEM_POOL
static const struct column item_columns[] = {
    COLUMN("item_id", U32, image.item_id, KEY),
    WORD("kind", item_kind, image.kind), /* before the columns that only some kinds have */
    COLUMN("event", U64, image.event, OF_PLACES),
    COLUMN("calendar", U64, image.event, OF_SLOTS),
    COLUMN("position", PART, image.position, OF_PLACES),
    COLUMN("quantity", U32, image.quantity),
    COLUMN("price", I64, image.price),
    COLUMN("fence", U64, image.fence),
    COLUMN("starts_at", I64, image.start_ms, OF_SLOTS),
    COLUMN("ends_at", I64, image.end_ms, OF_SLOTS),
    COLUMN("until", I64, image.until_ms, OF_SLOTS),
    COLUMN("reservation", U64, reservation, KEY),
};
const struct book_record item_record = {
    .table = "items",
    .columns = item_columns,
    .count = COUNT(item_columns),
    .read = COUNT(item_columns) - 1,
    .size = sizeof(struct item_image), /* read as such, without the reservation */
    .kind_at = offsetof(struct ROW, image.kind),
};
_Static_assert(offsetof(struct ROW, image) == 0, "the image alone can be read into one");
#undef ROW

#define ROW book_history
static const struct column history_columns[] = {
    COLUMN("seq", U64, view.seq, KEY),
    COLUMN("at", I64, view.at_ms),
    WORD("actor", role, view.actor.role),
    COLUMN("actor_name", LABEL, view.actor.name),
    WORD("action", action, view.action),
    WORD("status", reservation_status, view.status),
    COLUMN("expires_at", I64, view.expires_at_ms),
    COLUMN("version", U32, view.version),
    COLUMN("reason", TEXT, view.reason),
    COLUMN("reservation", U64, reservation, KEY),
};
const struct book_record history_record = PART("history", history_columns, ROW, 1);
#undef ROW

#define ROW book_ticket
static const struct column ticket_columns[] = {
    COLUMN("code", TEXT, code, KEY),
    COLUMN("reservation", U64, reservation),
    COLUMN("item_id", U32, item_id),
    COLUMN("unit", U32, unit),
};
const struct book_record ticket_record = RECORD("tickets", ticket_columns, ROW);
#undef ROW

/* ---- Keys ---- */

#define ROW book_idempotency
static const struct column idempotency_columns[] = {
    COLUMN("seq", U64, seq, KEY),
    COLUMN("key", PAIR, image.key),
    COLUMN("body", PAIR, image.body),
    COLUMN("made", MADE, image.made, BESIDE(image.made_kind)),
    COLUMN("http_status", U16, image.http_status),
    COLUMN("at", I64, image.at_ms),
};
const struct book_record idempotency_record = RECORD("idempotency", idempotency_columns, ROW);
#undef ROW

#define ROW key_image
static const struct column key_columns[] = {
    COLUMN("name", TEXT, name, KEY),
    WORD("role", role, role),
    COLUMN("hash", HASH, hash),
    COLUMN("created_at", I64, created_at_ms),
    COLUMN("old_until", TIME, old_until_ms), /* before old_hash, which goes by it */
    COLUMN("old_hash", HASH, old_hash, BESIDE(old_until_ms)),
};
const struct book_record key_record = RECORD("keys", key_columns, ROW);
#undef ROW

/* ---- Those who wait ---- */

#define ROW queue_image
static const struct column queue_columns[] = {
    COLUMN("event", U64, event, KEY),
    COLUMN("seed", HASH, seed), /* of the draw; secret until the opening */
    COLUMN("paused", BOOL, paused),
    COLUMN("opened_at", TIME, opened_at_ms),
    COLUMN("drawn", U32, drawn),
};
const struct book_record queue_record = RECORD("rooms", queue_columns, ROW);
#undef ROW

#define ROW book_queue_entry
static const struct column queue_columns[] = {
    COLUMN("number", U32, image.number, KEY),
    COLUMN("user_id", TEXT, image.user_id, FIXED),
    COLUMN("joined_at", I64, image.joined_at_ms, FIXED),
    COLUMN("tiers", TIERS, image.tiers, BESIDE(image.tier_count), FIXED),
    WORD("status", queue_status, image.status),
    COLUMN("until", TIME, image.until_ms, .flags = COLUMN_LATER),
    COLUMN("event", U64, image.event, KEY),
    COLUMN("live", BOOL, live, .flags = COLUMN_INDEXED),
    COLUMN("admitted_at", TIME, admitted_at_ms, .flags = COLUMN_ONCE | COLUMN_LATER),
};
const struct book_record queue_record = PART("queue", queue_columns, ROW, 3); /* two million may be read */
#undef ROW

#define ROW book_list_entry
static const struct column list_columns[] = {
    COLUMN("event", U64, image.event, KEY),
    COLUMN("number", U32, image.number, KEY),
    COLUMN("user_id", TEXT, image.user_id, KEY), /* of a number, and of nobody else */
    COLUMN("quantity", U32, image.wish.quantity, FIXED),
    COLUMN("adjacent", BOOL, image.wish.adjacent, FIXED),
    COLUMN("tier", TEXT, image.wish.tier, FIXED),
    COLUMN("section", TEXT, image.wish.section, FIXED),
    COLUMN("pool", TEXT, image.wish.pool, FIXED),
    WORD("status", list_status, image.status),
    COLUMN("joined_at", I64, image.joined_at_ms, FIXED),
    COLUMN("changed_at", I64, image.changed_at_ms),
    COLUMN("reservation", ID, image.reservation),
    COLUMN("live", BOOL, live, .flags = COLUMN_INDEXED),
};
const struct book_record list_record = PART("waiting_list", list_columns, ROW, 1);
#undef ROW
