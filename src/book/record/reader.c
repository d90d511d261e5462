/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/reader.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"
#include "book/door/door.h"
#include "book/record/history.h"
#include "book/record/list.h"
#include "book/money/money.h"
#include "book/file/pages.h"
#include "book/person/person.h"
#include "book/report/report.h"
#include "book/dispatch/ride.h"
#include "book/file/schema.h"
#include "book/claim/claim_list.h"
#include "book/claim/single.h"
#include "book/file/sql.h"
#include "core/entry_id.h"

#define ROW_ARENA_SIZE 32768

struct book_reader {
    struct sql *sql;
    struct sql_statement *find, *find_by_id, *items, *item, *bookings, *idempotency, *history, *list_entries,
        *list_entries_of, *dead_messages, *seq;
    struct book_list list;
    struct book_history_reader history_reader;
    struct book_door_reader door;
    struct book_report report;
    struct book_person person;
    struct book_money money;
    struct book_ride_reader rides;
    struct book_audit_log audit;
    struct book_single single;
    struct book_claim_list claims;
    struct arena arena; /* of the row being handed out */
    int64_t hidden_before_ms;
    bool asking; /* between begin and end: one question at a time */
};

/* clang-format off */
/* Entries with the id of the event, and the key that their own ids are derived from. */
#define LIST_ENTRIES "SELECT {read $}, (SELECT id FROM events WHERE number = ?1), " \
    "(SELECT line_key FROM events WHERE number = ?1) FROM @ WHERE event = ?1 AND number > ?2 "
/* clang-format on */

static void reader_prepare(struct book_reader *r, struct sql *s)
{
    r->find = book_record_prepare(s, &reservation_record, BOOK_SELECT "WHERE number = ?");
    r->find_by_id = book_record_prepare(s, &reservation_record, BOOK_SELECT "WHERE id = ?");
    r->items = book_record_prepare(s, &item_record, BOOK_NAMED_ITEMS "ORDER BY item_id");
    r->item = book_record_prepare(s, &item_record, BOOK_NAMED_ITEMS "AND item_id = ?2");
    /* CROSS JOIN fixes the order of the tables: rows come by start, and the query stops at the end of the page. */
    r->bookings = sql_prepare(
        s, "SELECT c.starts_at, c.reservation, c.item_id, "
           "(SELECT at FROM history WHERE reservation = c.reservation ORDER BY seq DESC LIMIT 1) "
           "FROM calendar_claims c "
           "CROSS JOIN reservations r ON r.number = c.reservation "
           "WHERE c.calendar = (SELECT number FROM calendars WHERE id = ?1 AND removed_at IS NULL) "
           "AND (c.starts_at, c.reservation, c.item_id) > (?2, ?3, ?4) AND r.status = 'confirmed' "
           "ORDER BY c.starts_at, c.reservation, c.item_id");
    r->idempotency = book_record_prepare(s, &idempotency_record, BOOK_SELECT "WHERE key = ?");
    r->history = book_record_prepare(
        s, &history_record,
        "SELECT {read $}, reservation, (SELECT gate FROM check_ins c WHERE c.seq = @.seq), "
        "(SELECT item_id FROM check_ins c WHERE c.seq = @.seq), "
        "(SELECT unit FROM check_ins c WHERE c.seq = @.seq), "
        "(SELECT payment_ref FROM refunds d WHERE d.number = @.refund), "
        "(SELECT amount FROM refunds d WHERE d.number = @.refund), "
        "(SELECT currency FROM refunds d WHERE d.number = @.refund) FROM @ WHERE reservation = "
        "(SELECT number FROM reservations WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?");
    r->list_entries = book_record_prepare(s, &list_record, LIST_ENTRIES "ORDER BY number LIMIT ?3");
    r->dead_messages = book_record_prepare(
        s, &message_record,
        BOOK_SELECT "INDEXED BY outbox_dead_of_hook "
                    "WHERE hook = ?1 AND (seq, ordinal) > (?2, ?3) AND dead_at IS NOT NULL AND at >= ?4 "
                    "ORDER BY seq, ordinal LIMIT ?5");
    r->list_entries_of =
        book_record_prepare(s, &list_record, LIST_ENTRIES "AND status = ?4 ORDER BY number LIMIT ?3");
    r->seq = sql_prepare(s, "SELECT last_seq FROM meta");
    book_list_prepare(&r->list, s);
    book_history_prepare(&r->history_reader, s);
    book_door_reader_prepare(&r->door, s);
    book_report_prepare(&r->report, s);
    book_person_prepare(&r->person, s);
    book_money_prepare(&r->money, s);
    book_ride_prepare(&r->rides, s);
    book_audit_log_prepare(&r->audit, s);
    book_single_prepare(&r->single, s);
    book_claim_list_prepare(&r->claims, s);
}

struct status book_reader_open(struct book_reader **out, const char *path)
{
    *out = NULL;
    struct book_reader *r = memory_zeroed(1, sizeof(*r));
    arena_init(&r->arena, ROW_ARENA_SIZE);
    struct status status = book_pages_open(&r->sql, path, SQL_READ);
    if (status_ok(&status)) {
        struct sql *s = r->sql;
        book_schema_expect(s);
        reader_prepare(r, s);
        status = sql_status(s);
    }
    if (status_ok(&status))
        *out = r;
    else
        book_reader_close(r);
    return status;
}

void book_reader_close(struct book_reader *r)
{
    if (!r)
        return;
    sql_close(r->sql);
    book_list_release(&r->list);
    arena_release(&r->arena);
    free(r);
}

/* Every query runs between begin and end. Returns the seq of the book that it sees. */
static uint64_t begin_within(struct book_reader *r, uint64_t budget_ms)
{
    ASSERT(!r->asking && sql_sound(r->sql));
    r->asking = true;
    sql_set_budget(r->sql, budget_ms * 1000000);
    sql_run(r->sql, "BEGIN");
    /* The first read opens the snapshot. */
    uint64_t seq = sql_next(r->seq) ? (uint64_t)sql_int(r->seq, 0) : 0;
    sql_reset(r->seq);
    return seq;
}

static uint64_t reader_begin(struct book_reader *r)
{
    return begin_within(r, BOOK_READER_BUDGET_MS);
}

static struct status reader_end(struct book_reader *r)
{
    struct status status = sql_status(r->sql);
    ASSERT(r->asking);
    r->asking = false;
    sql_forgive(r->sql);
    /* The rollback must not run out of time. */
    sql_set_budget(r->sql, 0);
    sql_run(r->sql, "ROLLBACK");
    sql_forgive(r->sql); /* ROLLBACK fails if BEGIN has failed */
    return status;
}

void book_reader_hide_ended(struct book_reader *r, int64_t before_ms)
{
    r->hidden_before_ms = before_ms;
}

void book_reader_interrupt(struct book_reader *r)
{
    sql_interrupt(r->sql);
}

/* ---- Single records ---- */

/* Reads the rows of a bound statement of BOOK_NAMED_ITEMS. */
static void read_items(struct book_reader *r, struct sql_statement *t, struct arena *arena,
                       struct reservation_image *out)
{
    struct item_image *items = arena_take(arena, ITEMS_MAX * sizeof(*items));
    ASSERT(out->item_count == 0);
    out->items = items;
    while (sql_next(t)) {
        if (out->item_count == ITEMS_MAX) {
            sql_fail(r->sql, STATUS_CORRUPT, "Reservation %llu has too many items in the book.",
                     (unsigned long long)out->number);
            break;
        }
        book_history_read_item(r->sql, t, &item_record, arena, &items[out->item_count++]);
    }
    sql_reset(t);
}

/* Steps the statement and reads the reservation, if there is one, without its items. */
static bool read_record(struct book_reader *r, struct sql_statement *t, struct arena *arena,
                        struct reservation_image *out)
{
    bool found = sql_next(t);
    if (found) {
        book_record_read(r->sql, t, &reservation_record, out, NULL);
        book_record_keep(&reservation_record, out, arena);
    }
    sql_reset(t);
    return found && sql_sound(r->sql);
}

/* Whether it counts as pruned. */
static bool hidden(const struct book_reader *r, const struct reservation_image *image)
{
    return image->ended_at_ms && image->ended_at_ms < r->hidden_before_ms;
}

static bool read_reservation(struct book_reader *r, struct sql_statement *t, struct arena *arena,
                             struct reservation_image *out)
{
    if (!read_record(r, t, arena, out))
        return false;
    struct account account;
    sql_bind_int(r->items, 1, (int64_t)out->number);
    read_items(r, r->items, arena, out);
    book_single_show(&r->single, arena, out);
    book_money_rows(&r->money, out->id, arena, &account);
    out->payments = account.payments;
    out->payment_count = account.payment_count;
    return sql_sound(r->sql);
}

struct status book_reader_reservation(struct book_reader *r, struct id id, struct arena *arena,
                                      struct reservation_image *out, struct account *account, bool *found)
{
    reader_begin(r);
    book_row_bind_id(r->find_by_id, 1, id);
    *found = read_reservation(r, r->find_by_id, arena, out) && !hidden(r, out);
    if (*found && account)
        book_money_account(&r->money, id, arena, account);
    return reader_end(r);
}

struct status book_reader_idempotency(struct book_reader *r, const uint64_t key[2],
                                      struct idempotency_image *out, bool *found)
{
    struct sql_statement *t = r->idempotency;
    reader_begin(r);
    book_row_bind_pair(t, 1, key, false);
    *found = sql_next(t);
    if (*found)
        book_record_read(r->sql, t, &idempotency_record, out, NULL);
    sql_reset(t);
    return reader_end(r);
}

struct status book_reader_payment_event(struct book_reader *r, struct text event_id, struct text once,
                                        struct arena *arena, struct payment_event_image *out, bool *found)
{
    reader_begin(r);
    *found = book_money_find_event(&r->money, event_id, once, arena, out);
    return reader_end(r);
}

struct status book_reader_payment(struct book_reader *r, const struct payment_key *key, struct arena *arena,
                                  struct book_owner *out, bool *found)
{
    reader_begin(r);
    *found = book_money_find_owner(&r->money, key, r->hidden_before_ms, arena, out);
    return reader_end(r);
}

struct status book_reader_ticket(struct book_reader *r, struct text code, struct arena *arena,
                                 struct check_in_image *out, bool *found)
{
    ASSERT(code.size == TICKET_CODE_SIZE);
    reader_begin(r);
    *found = book_door_find(&r->door, code, arena, out);
    return reader_end(r);
}

struct status book_reader_ride(struct book_reader *r, const struct ride_key *key, struct arena *arena,
                               struct ride_image *out, bool *found)
{
    reader_begin(r);
    *found = book_ride_find(&r->rides, key, arena, out);
    return reader_end(r);
}

/* ---- Lists ---- */

static void list_reservations(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                              struct query_result *result)
{
    uint64_t number = book_list_next(&r->list, book_list_begin(&r->list, q));
    for (uint32_t rows = 0; number && query_has_place(q, rows, result);) {
        struct reservation_image image;
        arena_reset(&r->arena);
        sql_bind_int(r->find, 1, (int64_t)number);
        if (!read_reservation(r, r->find, &r->arena, &image))
            return;
        if (!hidden(r, &image)) {
            row(ctx, &(struct query_row){.reservation = &image});
            result->last = image.id;
            rows++;
        }
        number = book_list_next(&r->list, number - 1);
    }
}

static void list_bookings(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                          struct query_result *result)
{
    struct sql_statement *t = r->bookings;
    sql_bind_text(t, 1, q->calendar);
    sql_bind_int(t, 2, q->after_booking.start_ms);
    sql_bind_int(t, 3, (int64_t)q->after_booking.reservation);
    sql_bind_int(t, 4, q->after_booking.item_id);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct booking_place place = {sql_int(t, 0), (uint64_t)sql_int(t, 1), (uint32_t)sql_int(t, 2)};
        int64_t changed_at_ms = sql_int(t, 3);
        struct reservation_image image;
        arena_reset(&r->arena);
        sql_bind_int(r->find, 1, (int64_t)place.reservation);
        sql_bind_ints(r->item, place.reservation, place.item_id);
        if (!read_record(r, r->find, &r->arena, &image))
            break;
        read_items(r, r->item, &r->arena, &image);
        if (image.item_count != 1)
            sql_fail(r->sql, STATUS_CORRUPT, "Reservation %llu claims a slot without an item.",
                     (unsigned long long)image.number);
        if (!sql_in_time(r->sql))
            break;
        if (changed_at_ms < image.confirmed_at_ms)
            changed_at_ms = image.confirmed_at_ms;
        row(ctx, &(struct query_row){.reservation = &image, .changed_at_ms = changed_at_ms});
        result->last_booking = place;
    }
    sql_reset(t);
}

/* The ticket or the refund due that the entry is about. */
static void read_about(struct book_reader *r, struct sql_statement *t, struct history_view *view)
{
    int after = history_record.read;
    ASSERT(sql_columns(t) == after + 7);
    view->gate = sql_text(t, after + 1);
    view->ticket_item = (uint32_t)sql_int(t, after + 2);
    view->ticket_unit = (uint32_t)sql_int(t, after + 3);
    if (!view->refund.number)
        return;
    view->refund.payment_ref = sql_text(t, after + 4);
    view->refund.amount = sql_int(t, after + 5);
    book_row_currency(r->sql, t, after + 6, view->refund.currency);
}

static void list_history(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result)
{
    struct sql_statement *t = r->history;
    book_row_bind_id(t, 1, q->reservation);
    sql_bind_int(t, 2, (int64_t)(q->after.low & INT64_MAX));
    /* One row more than the page, to know whether there are more. */
    sql_bind_int(t, 3, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct book_history entry;
        book_record_read(r->sql, t, &history_record, &entry, NULL);
        read_about(r, t, &entry.view);
        uint64_t number = (uint64_t)sql_int(t, history_record.read);
        arena_reset(&r->arena);
        entry.view.reason = entry.reason;
        book_history_read(&r->history_reader, number, &r->arena, &entry.view);
        if (!sql_in_time(r->sql) || !sql_sound(r->sql))
            break;
        row(ctx, &(struct query_row){.history = &entry.view});
    }
    sql_reset(t);
}

static void list_waiting(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result)
{
    struct sql_statement *t = q->has_list_status ? r->list_entries_of : r->list_entries;
    ASSERT(q->event_number);
    sql_bind_ints(t, q->event_number, q->after_number, (int64_t)q->limit + 1);
    if (q->has_list_status)
        sql_bind_word(t, 4, list_status_name(q->list_status));
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct book_list_entry entry;
        uint64_t key[2];
        book_record_read(r->sql, t, &list_record, &entry, NULL);
        entry.image.event_id = sql_text(t, list_record.read);
        book_row_pair(r->sql, t, list_record.read + 1, key);
        entry.image.id = entry_id(key, ENTRY_LIST, entry.image.number);
        if (!sql_sound(r->sql))
            break;
        row(ctx, &(struct query_row){.list_entry = &entry.image});
        result->last_number = entry.image.number;
    }
    sql_reset(t);
}

/* The queries of book/money/money.h. */
#define OF_MONEY(name, function)                                                                             \
    static void name(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,              \
                     struct query_result *result)                                                            \
    {                                                                                                        \
        function(&r->money, q, row, ctx, result);                                                            \
    }
OF_MONEY(list_payments, book_money_list_payments)
OF_MONEY(show_payment, book_money_show_payment)
OF_MONEY(list_payment_events, book_money_list_events)
OF_MONEY(list_refunds, book_money_list_refunds)
OF_MONEY(report_money, book_money_report)

static void list_dead(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                      struct query_result *result)
{
    struct sql_statement *t = r->dead_messages;
    ASSERT(q->hook);
    sql_bind_ints(t, (int64_t)q->hook, (int64_t)q->after.high, (int64_t)q->after.low, q->from_ms,
                  (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct book_message entry;
        book_record_read(r->sql, t, &message_record, &entry, NULL);
        if (!sql_sound(r->sql))
            break;
        struct dead_message dead = {entry.message, entry.dead_at_ms};
        row(ctx, &(struct query_row){.dead = &dead});
    }
    sql_reset(t);
}

static void list_tickets(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result)
{
    book_door_list(&r->door, q, row, ctx, result);
}

static void list_claims(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                        struct query_result *result)
{
    book_claim_list_rows(&r->claims, q, row, ctx, result);
}

static void list_report(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                        struct query_result *result)
{
    book_report_list(&r->report, q, row, ctx, result);
}

static void list_rides(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                       struct query_result *result)
{
    book_ride_list(&r->rides, q, &r->arena, row, ctx, result);
}

static void list_audit(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                       struct query_result *result)
{
    book_audit_log_list(&r->audit, q, row, ctx, result);
}

static void list_ttl(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                     struct query_result *result)
{
    (void)result;
    book_report_ttl(&r->report, q, row, ctx);
}

/* A list of reservations, each followed by its history and its money. */
struct detailed {
    struct book_reader *reader;
    query_row_fn row;
    void *ctx;
};

static void write_details(void *ctx, const struct query_row *row)
{
    struct detailed *t = ctx;
    struct id id = row->reservation->id;
    struct query_result unused = {0};
    t->row(t->ctx, row);
    /* This resets the arena: the texts of the row are no longer needed. */
    list_history(t->reader, &(struct query){.reservation = id, .limit = UINT32_MAX}, t->row, t->ctx, &unused);
    book_person_money(&t->reader->person, id, t->row, t->ctx);
}

static void list_person(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                        struct query_result *result)
{
    struct detailed t = {r, row, ctx};
    ASSERT(q->user_id.size); /* without it the list would have the reservations of all users */
    bool in_rides = q->after.high == query_person_ride(0).high,
         in_offers = q->after.high == query_person_offer(0).high;
    if (id_none(q->after)) {
        book_person_entries(&r->person, q->user_id, row, ctx);
        book_person_drivers(&r->person, q->user_id, &r->arena, row, ctx);
    }
    if (!in_rides && !in_offers)
        list_reservations(r, q, write_details, &t, result);
    if (!result->more && !in_offers)
        book_ride_list_asked(&r->rides, q, in_rides ? q->after.low : INT64_MAX, &r->arena, row, ctx, result);
    if (!result->more)
        book_person_offers(&r->person, q, in_offers ? q->after.low : INT64_MAX, row, ctx, result);
}

static void list_erasure(struct book_reader *r, const struct query *q, query_row_fn row, void *ctx,
                         struct query_result *result)
{
    (void)result;
    book_person_erasure(&r->person, q, row, ctx);
}

struct status book_reader_query(struct book_reader *r, const struct query *query, query_row_fn row, void *ctx,
                                struct query_result *result)
{
    static void (*const lists[])(struct book_reader *, const struct query *, query_row_fn, void *,
                                 struct query_result *) = {[QUERY_RESERVATIONS] = list_reservations,
                                                           [QUERY_HISTORY] = list_history,
                                                           [QUERY_BOOKINGS] = list_bookings,
                                                           [QUERY_WAITING_LIST] = list_waiting,
                                                           [QUERY_REFUNDS] = list_refunds,
                                                           [QUERY_PAYMENTS] = list_payments,
                                                           [QUERY_PAYMENT] = show_payment,
                                                           [QUERY_PAYMENT_EVENTS] = list_payment_events,
                                                           [QUERY_MONEY] = report_money,
                                                           [QUERY_DEAD_MESSAGES] = list_dead,
                                                           [QUERY_TICKETS] = list_tickets,
                                                           [QUERY_REPORT] = list_report,
                                                           [QUERY_RIDES] = list_rides,
                                                           [QUERY_AUDIT] = list_audit,
                                                           [QUERY_PERSON] = list_person,
                                                           [QUERY_CLAIMS] = list_claims,
                                                           [QUERY_ERASURE] = list_erasure,
                                                           [QUERY_TTL] = list_ttl};
    _Static_assert(sizeof(lists) / sizeof(lists[0]) == QUERY_REPORT + 1, "the last kind has a function");
    ASSERT(query->kind <= QUERY_REPORT && lists[query->kind]);
    ASSERT(query->limit > 0);
    uint64_t budget_ms = query_long(query) ? BOOK_READER_REPORT_BUDGET_MS : BOOK_READER_BUDGET_MS;
    *result = (struct query_result){.seq = begin_within(r, budget_ms)};
    lists[query->kind](r, query, row, ctx, result);
    struct status status = reader_end(r);
    result->ok = status_ok(&status);
    return status;
}
