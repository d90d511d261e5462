/* SPDX-License-Identifier: Apache-2.0 */
#include "book/money/money.h"

#include <stdlib.h>
#include <time.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "book/record/columns.h"
#include "book/record/row.h"

/* clang-format off */
#define REFUNDS_PAGE "AND number > ?1 ORDER BY number LIMIT ?2"
#define PAYMENTS_PAGE "AND number < ?1 AND (?3 IS NULL OR status = ?3) ORDER BY number DESC LIMIT ?2"
#define WRONG "discrepancy <> 'none' "
/* clang-format on */

void book_money_prepare(struct book_money *b, struct sql *s)
{
    *b = (struct book_money){.sql = s};
    _Static_assert(sizeof(b->refunds) / sizeof(b->refunds[0]) == REFUNDS_ALL + 1, "a statement for each");
    b->event = book_record_prepare(s, &payment_event_record, BOOK_SELECT "WHERE event_id = ?");
    b->once = book_record_prepare(s, &payment_event_record, BOOK_SELECT "WHERE once = ?");
    b->events_of =
        book_record_prepare(s, &payment_event_record, BOOK_SELECT "WHERE payment_ref = ? ORDER BY number");
    b->events[0] = book_record_prepare(s, &payment_event_record,
                                       BOOK_SELECT "WHERE number > ?1 ORDER BY number LIMIT ?2");
    b->events[1] = book_record_prepare(
        s, &payment_event_record, BOOK_SELECT "WHERE result = ?3 AND number > ?1 ORDER BY number LIMIT ?2");
    b->payment = book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE payment_ref = ?");
    b->payment_numbered = book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE number = ?");
    b->payment_of_refund = book_record_prepare(
        s, &payment_record,
        BOOK_SELECT "WHERE payment_ref = (SELECT payment_ref FROM refunds WHERE number = ?)");
    b->payments_of_reservation = book_record_prepare(
        s, &payment_record, BOOK_SELECT "WHERE reservation = ? ORDER BY money_seq, number");
    /* A statement for each filter that has an index; the status is checked for each row. */
    b->payments[0][0] = book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE 1 " PAYMENTS_PAGE);
    b->payments[0][1] = book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE " WRONG PAYMENTS_PAGE);
    b->payments[1][0] =
        book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE reservation = ?4 " PAYMENTS_PAGE);
    b->payments[1][1] = book_record_prepare(s, &payment_record,
                                            BOOK_SELECT "WHERE reservation = ?4 AND " WRONG PAYMENTS_PAGE);
    b->refunds_of =
        book_record_prepare(s, &refund_record, BOOK_SELECT "WHERE payment_ref = ? ORDER BY number");
    b->refund = book_record_prepare(s, &refund_record, BOOK_REFUNDS "WHERE number = ?");
    b->refunds[REFUNDS_OPEN] =
        book_record_prepare(s, &refund_record, BOOK_REFUNDS "WHERE status = 'open' " REFUNDS_PAGE);
    b->refunds[REFUNDS_DONE] =
        book_record_prepare(s, &refund_record, BOOK_REFUNDS "WHERE status = 'done' " REFUNDS_PAGE);
    b->refunds[REFUNDS_WITHDRAWN] =
        book_record_prepare(s, &refund_record, BOOK_REFUNDS "WHERE status = 'withdrawn' " REFUNDS_PAGE);
    b->refunds[REFUNDS_ALL] = book_record_prepare(s, &refund_record, BOOK_REFUNDS "WHERE 1 " REFUNDS_PAGE);
    b->moves = sql_prepare(s, "SELECT at, currency, received, kept, returned, owed FROM payment_moves "
                              "WHERE at >= ?1 AND at < ?2 ORDER BY at, seq");
    b->exists =
        sql_prepare(s, "SELECT 1 FROM reservations WHERE id = ?1 AND (ended_at IS NULL OR ended_at >= ?2)");
}

/* ---- Single records ---- */

/* Reads the first row of a bound statement. */
static bool read_one(struct book_money *b, struct sql_statement *t, const struct book_record *record,
                     void *out, struct arena *arena)
{
    bool found = sql_next(t);
    if (found) {
        book_record_read(b->sql, t, record, out, NULL);
        book_record_keep(record, out, arena);
    }
    sql_reset(t);
    return found && sql_sound(b->sql);
}

bool book_money_find_event(struct book_money *b, struct text event_id, struct text once, struct arena *arena,
                           struct payment_event_image *out)
{
    sql_bind_text(b->event, 1, event_id);
    if (read_one(b, b->event, &payment_event_record, out, arena))
        return true;
    if (!once.at)
        return false;
    sql_bind_text(b->once, 1, once);
    return read_one(b, b->once, &payment_event_record, out, arena);
}

/* Reads the rows of a bound statement into an empty account. */
static void read_rows(struct book_money *b, struct sql_statement *t, struct arena *arena, struct account *out)
{
    struct payment_image *rows = NULL;
    uint32_t capacity = 0;
    ASSERT(!out->payment_count);
    while (sql_next(t)) {
        if (out->payment_count == capacity) {
            uint32_t more = capacity ? 2 * capacity : 2;
            struct payment_image *larger = arena_take(arena, more * sizeof(*larger));
            if (capacity)
                memcpy(larger, rows, capacity * sizeof(*larger));
            rows = larger;
            capacity = more;
        }
        book_record_read(b->sql, t, &payment_record, &rows[out->payment_count], NULL);
        book_record_keep(&payment_record, &rows[out->payment_count], arena);
        out->payment_count++;
    }
    sql_reset(t);
    out->payments = rows;
}

static void read_refunds(struct book_money *b, struct arena *arena, struct account *out)
{
    struct refund_image *refunds = NULL;
    uint32_t capacity = 0;
    ASSERT(!out->refund_count);
    for (uint32_t i = 0; i < out->payment_count; i++) {
        sql_bind_text(b->refunds_of, 1, out->payments[i].ref);
        while (sql_next(b->refunds_of)) {
            if (out->refund_count == capacity) {
                uint32_t more = capacity ? 2 * capacity : 2;
                struct refund_image *larger = arena_take(arena, more * sizeof(*larger));
                if (capacity)
                    memcpy(larger, refunds, capacity * sizeof(*larger));
                refunds = larger;
                capacity = more;
            }
            book_record_read(b->sql, b->refunds_of, &refund_record, &refunds[out->refund_count], NULL);
            book_record_keep(&refund_record, &refunds[out->refund_count], arena);
            out->refund_count++;
        }
        sql_reset(b->refunds_of);
    }
    out->refunds = refunds;
}

void book_money_rows(struct book_money *b, struct id reservation, struct arena *arena, struct account *out)
{
    *out = (struct account){0};
    book_row_bind_id(b->payments_of_reservation, 1, reservation);
    read_rows(b, b->payments_of_reservation, arena, out);
}

void book_money_account(struct book_money *b, struct id reservation, struct arena *arena, struct account *out)
{
    book_money_rows(b, reservation, arena, out);
    read_refunds(b, arena, out);
}

static bool exists(struct book_money *b, struct id reservation, int64_t ended_since_ms)
{
    book_row_bind_id(b->exists, 1, reservation);
    sql_bind_int(b->exists, 2, ended_since_ms);
    bool found = sql_next(b->exists);
    sql_reset(b->exists);
    return found;
}

bool book_money_find_owner(struct book_money *b, const struct payment_key *key, int64_t ended_since_ms,
                           struct arena *arena, struct book_owner *out)
{
    struct sql_statement *t = key->ref.at   ? b->payment
                              : key->refund ? b->payment_of_refund
                                            : b->payment_numbered;
    *out = (struct book_owner){0};
    if (key->ref.at)
        sql_bind_text(t, 1, key->ref);
    else
        sql_bind_int(t, 1, (int64_t)(key->refund ? key->refund : key->number));
    read_rows(b, t, arena, &out->account);
    if (!out->account.payment_count)
        return false;
    ASSERT(out->account.payment_count == 1); /* each of the keys is unique */
    const struct payment_image *row = &out->account.payments[0];
    if (!row->unknown && !id_none(row->reservation) && exists(b, row->reservation, ended_since_ms)) {
        out->reservation = row->reservation;
        out->account = (struct account){0};
    } else {
        read_refunds(b, arena, &out->account);
    }
    return sql_sound(b->sql);
}

/* ---- Lists ---- */

void book_money_list_payments(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                              struct query_result *result)
{
    ASSERT(q->kind == QUERY_PAYMENTS);
    bool of_one = !id_none(q->reservation);
    struct sql_statement *t = b->payments[of_one][q->discrepancy];
    uint64_t before = q->after.low ? q->after.low : INT64_MAX;
    sql_bind_ints(t, (int64_t)(before & INT64_MAX), (int64_t)q->limit + 1);
    if (q->payment_status)
        sql_bind_word(t, 3, payment_status_name(q->payment_status));
    else
        sql_bind_null(t, 3);
    if (of_one)
        book_row_bind_id(t, 4, q->reservation);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct payment_image payment;
        book_record_read(b->sql, t, &payment_record, &payment, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.payment = &payment});
    }
    sql_reset(t);
}

void book_money_show_payment(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result)
{
    struct payment_image payment;
    struct payment_event_image event;
    (void)result;
    sql_bind_text(b->payment, 1, q->payment_ref);
    bool found = sql_next(b->payment);
    if (found) {
        book_record_read(b->sql, b->payment, &payment_record, &payment, NULL);
        row(ctx, &(struct query_row){.payment = &payment});
    }
    sql_reset(b->payment);
    sql_bind_text(b->events_of, 1, q->payment_ref);
    while (found && sql_next(b->events_of)) {
        book_record_read(b->sql, b->events_of, &payment_event_record, &event, NULL);
        row(ctx, &(struct query_row){.payment_event = &event});
    }
    sql_reset(b->events_of);
}

void book_money_list_events(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                            struct query_result *result)
{
    struct sql_statement *t = b->events[q->payment_result != 0];
    sql_bind_ints(t, q->after.low & INT64_MAX, (int64_t)q->limit + 1);
    if (q->payment_result)
        sql_bind_word(t, 3, payment_result_name(q->payment_result));
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct payment_event_image event;
        book_record_read(b->sql, t, &payment_event_record, &event, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.payment_event = &event});
    }
    sql_reset(t);
}

void book_money_read_refund(struct sql *s, struct sql_statement *t, struct refund_image *out)
{
    ASSERT(sql_columns(t) == refund_record.read + 2); /* a statement of BOOK_REFUNDS */
    book_record_read(s, t, &refund_record, out, NULL);
    if (!payment_source_read(sql_text(t, refund_record.read), &out->received_by))
        sql_fail(s, STATUS_CORRUPT, "Refund due %llu has no payment in the book.",
                 (unsigned long long)out->number);
    out->disputed = sql_int(t, refund_record.read + 1) != 0;
}

void book_money_list_refunds(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                             struct query_result *result)
{
    ASSERT(q->kind == QUERY_REFUNDS && q->refunds <= REFUNDS_ALL);
    struct sql_statement *t = b->refunds[q->refunds];
    sql_bind_ints(t, q->after.low & INT64_MAX, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct refund_image refund;
        book_money_read_refund(b->sql, t, &refund);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.refund = &refund});
    }
    sql_reset(t);
}

/* ---- The report ---- */

#define CURRENCIES_MAX 512 /* per day */

/* The sums of a day, a row for each currency. */
struct day {
    char text[11];
    struct money_row rows[CURRENCIES_MAX];
    uint32_t count;
};

/* The local day of an instant: 2030-06-03. */
static void day_write(const struct zone *zone, int64_t at_ms, char out[11])
{
    time_t local = (time_t)(at_ms / 1000);
    struct tm parts;
    local += zone ? zone_offset_s(zone, local) : 0;
    gmtime_r(&local, &parts);
    strftime(out, 11, "%Y-%m-%d", &parts);
}

static void day_out(struct day *day, query_row_fn row, void *ctx)
{
    for (uint32_t i = 0; i < day->count; i++) {
        const struct money_row *sums = &day->rows[i];
        if (sums->received || sums->kept || sums->returned || sums->owed)
            row(ctx, &(struct query_row){.money = sums});
    }
    day->count = 0;
}

static struct money_row *sums_of(struct day *day, const char currency[3])
{
    uint32_t i = 0;
    ASSERT(day->count <= CURRENCIES_MAX && day->text[0]);
    while (i < day->count && memcmp(day->rows[i].currency, currency, 3) != 0)
        i++;
    if (i == CURRENCIES_MAX)
        return NULL;
    if (i == day->count) {
        day->rows[day->count++] = (struct money_row){.day = {day->text, sizeof(day->text) - 1}};
        memcpy(day->rows[i].currency, currency, 3);
    }
    return &day->rows[i];
}

void book_money_report(struct book_money *b, const struct query *q, query_row_fn row, void *ctx,
                       struct query_result *result)
{
    struct sql_statement *t = b->moves;
    struct day *day = memory_zeroed(1, sizeof(*day));
    struct zone *zone = q->timezone ? zone_load(q->timezone) : NULL;
    char text[11], currency[4];
    uint32_t rows = 0;
    if (q->timezone && !zone)
        sql_fail(b->sql, STATUS_IO, "The time zone %s cannot be read.", q->timezone);
    sql_bind_ints(t, q->from_ms, q->to_ms ? q->to_ms : INT64_MAX);
    while (sql_next(t)) {
        day_write(zone, sql_int(t, 0), text);
        book_row_currency(b->sql, t, 1, currency);
        if (!sql_sound(b->sql))
            break;
        if (memcmp(text, day->text, sizeof(text)) != 0) {
            rows += day->count;
            day_out(day, row, ctx);
            memcpy(day->text, text, sizeof(text));
            result->more = rows >= q->limit;
            if (result->more)
                break;
        }
        struct money_row *sums = sums_of(day, currency);
        if (!sums) {
            sql_fail(b->sql, STATUS_CORRUPT, "A day of the ledger has more than %d currencies.",
                     CURRENCIES_MAX);
            break;
        }
        sums->received += sql_int(t, 2);
        sums->kept += sql_int(t, 3);
        sums->returned += sql_int(t, 4);
        sums->owed += sql_int(t, 5);
    }
    sql_reset(t);
    day_out(day, row, ctx);
    zone_release(zone);
    free(day);
}
