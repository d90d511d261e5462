/* SPDX-License-Identifier: Apache-2.0 */
#include "book/person/person.h"

#include "base/assertion.h"
#include "book/record/columns.h"
#include "book/money/money.h"
#include "book/record/row.h"
#include "core/entry_id.h"

void book_person_prepare(struct book_person *b, struct sql *s)
{
    *b = (struct book_person){.sql = s};
    b->queue =
        sql_prepare(s, "SELECT e.id, e.line_key, q.number, q.status, q.joined_at, 1 FROM queue q "
                       "JOIN events e ON e.number = q.event WHERE q.user_id = ?1 ORDER BY q.event, q.number");
    b->list = sql_prepare(
        s, "SELECT e.id, e.line_key, w.number, w.status, w.joined_at, w.quantity FROM waiting_list w "
           "JOIN events e ON e.number = w.event WHERE w.user_id = ?1 ORDER BY w.event, w.number");
    b->given = sql_prepare(
        s, "SELECT r.id, h.at FROM history h INDEXED BY history_by_giver "
           "JOIN reservations r ON r.number = h.reservation WHERE h.user_before = ?1 ORDER BY h.seq");
    b->refunds = book_record_prepare(
        s, &refund_record, BOOK_REFUNDS "WHERE reservation = ?1 AND status <> 'withdrawn' ORDER BY number");
    b->payments =
        book_record_prepare(s, &payment_record, BOOK_SELECT "WHERE reservation = ?1 ORDER BY number");
    /* By their references, which have an index. */
    b->events = book_record_prepare(
        s, &payment_event_record,
        BOOK_SELECT "WHERE payment_ref IN (SELECT payment_ref FROM payments WHERE reservation = ?1) "
                    "AND (reservation IS NULL OR reservation = ?1) ORDER BY number");
    b->drivers =
        book_record_prepare(s, &driver_record,
                            "SELECT {read $}, (SELECT id FROM fleets f WHERE f.number = @.fleet) FROM @ "
                            "WHERE fleet IN (SELECT number FROM fleets) AND id = ?1 ORDER BY fleet");
    b->offers = book_record_prepare(
        s, &offer_record,
        "SELECT {read $}, (SELECT id FROM fleets f WHERE f.number = @.fleet), "
        "(SELECT offer_key FROM fleets f WHERE f.number = @.fleet) FROM @ "
        "INDEXED BY offers_by_driver WHERE driver_id = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3");
    b->erasure =
        sql_prepare(s, "SELECT number, at, clean FROM erasures WHERE mark = ?1 ORDER BY number DESC LIMIT 1");
}

static void entries(struct book_person *b, struct sql_statement *t, bool list, struct text user_id,
                    query_row_fn row, void *ctx)
{
    sql_bind_text(t, 1, user_id);
    while (sql_next(t)) {
        uint64_t key[2];
        book_row_pair(b->sql, t, 1, key);
        struct person_entry entry = {
            .event = sql_text(t, 0),
            .id = entry_id(key, list ? ENTRY_LIST : ENTRY_QUEUE, (uint64_t)sql_int(t, 2)),
            .list = list,
            .status = sql_text(t, 3),
            .joined_at_ms = sql_int(t, 4),
            .quantity = (uint32_t)sql_int(t, 5)};
        row(ctx, &(struct query_row){.person_entry = &entry});
    }
    sql_reset(t);
}

void book_person_entries(struct book_person *b, struct text user_id, query_row_fn row, void *ctx)
{
    ASSERT(user_id.size);
    entries(b, b->queue, false, user_id, row, ctx);
    entries(b, b->list, true, user_id, row, ctx);
    sql_bind_text(b->given, 1, user_id);
    while (sql_next(b->given)) {
        struct person_gift gift = {.at_ms = sql_int(b->given, 1)};
        gift.reservation = book_row_id(b->sql, b->given, 0);
        row(ctx, &(struct query_row){.person_gift = &gift});
    }
    sql_reset(b->given);
}

void book_person_drivers(struct book_person *b, struct text user_id, struct arena *arena, query_row_fn row,
                         void *ctx)
{
    struct sql_statement *t = b->drivers;
    ASSERT(user_id.size);
    sql_bind_text(t, 1, user_id);
    while (sql_next(t)) {
        struct driver_image driver;
        arena_reset(arena);
        book_record_read(b->sql, t, &driver_record, &driver, arena);
        if (!sql_sound(b->sql))
            break;
        driver.fleet_id = sql_text(t, driver_record.read);
        row(ctx, &(struct query_row){.driver = &driver});
    }
    sql_reset(t);
}

void book_person_offers(struct book_person *b, const struct query *q, uint64_t below, query_row_fn row,
                        void *ctx, struct query_result *result)
{
    struct sql_statement *t = b->offers;
    ASSERT(q->kind == QUERY_PERSON && q->user_id.size);
    sql_bind_text(t, 1, q->user_id);
    sql_bind_int(t, 2, (int64_t)below);
    sql_bind_int(t, 3, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct person_offer offer;
        uint64_t key[2];
        book_record_read(b->sql, t, &offer_record, &offer.offer, NULL);
        offer.fleet = sql_text(t, offer_record.read);
        book_row_pair(b->sql, t, offer_record.read + 1, key);
        if (!sql_sound(b->sql))
            break;
        offer.offer.id = entry_id(key, ENTRY_RIDE_OFFER, offer.offer.number);
        row(ctx, &(struct query_row){.person_offer = &offer});
    }
    sql_reset(t);
}

void book_person_money(struct book_person *b, struct id reservation, query_row_fn row, void *ctx)
{
    struct refund_image refund;
    struct payment_image payment;
    struct payment_event_image event;
    ASSERT(!id_none(reservation));
    book_row_bind_id(b->refunds, 1, reservation);
    while (sql_next(b->refunds)) {
        book_money_read_refund(b->sql, b->refunds, &refund);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.refund = &refund});
    }
    sql_reset(b->refunds);
    book_row_bind_id(b->payments, 1, reservation);
    while (sql_next(b->payments)) {
        book_record_read(b->sql, b->payments, &payment_record, &payment, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.payment = &payment});
    }
    sql_reset(b->payments);
    book_row_bind_id(b->events, 1, reservation);
    while (sql_next(b->events)) {
        book_record_read(b->sql, b->events, &payment_event_record, &event, NULL);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.payment_event = &event});
    }
    sql_reset(b->events);
}

void book_person_erasure(struct book_person *b, const struct query *q, query_row_fn row, void *ctx)
{
    ASSERT(q->kind == QUERY_ERASURE && q->mark);
    sql_bind_blob(b->erasure, 1, q->mark, ERASURE_MARK_SIZE);
    if (sql_next(b->erasure)) {
        struct erasure_row found = {(uint64_t)sql_int(b->erasure, 0), sql_int(b->erasure, 1),
                                    sql_int(b->erasure, 2) != 0};
        row(ctx, &(struct query_row){.erasure = &found});
    }
    sql_reset(b->erasure);
}
