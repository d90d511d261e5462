/* SPDX-License-Identifier: Apache-2.0 */
/* api_payments.c — the ledger as lists: payments, and the provider's events about them. */
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/record/encode.h"
#include "http/wire/reply.h"

enum { QUERY_RESERVATION, QUERY_STATUS, QUERY_DISCREPANCY, QUERY_LIMIT, QUERY_CURSOR };

static void payment_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    encode_payment(&listing->writer, row->payment);
    listing->last = (struct id){0, row->payment->number}; /* in the form of an id */
}

static bool read_filters(struct request *r, struct query *query)
{
    struct text of = r->query[QUERY_RESERVATION], status = r->query[QUERY_STATUS],
                wrong = r->query[QUERY_DISCREPANCY];
    if (of.at && !encode_id_read(ENCODE_RESERVATION, of, &query->reservation))
        return request_refuse_query(r, QUERY_RESERVATION, "the id of a reservation");
    if (status.at && !payment_status_read(status, &query->payment_status))
        return request_refuse_query(r, QUERY_STATUS, NULL);
    query->discrepancy = text_equal(wrong, TEXT("true"));
    if (wrong.at && !query->discrepancy)
        return request_refuse_query(r, QUERY_DISCREPANCY, NULL);
    return true;
}

HANDLER(api_payment_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_PAYMENTS;
    if (read_filters(r, query) && page_limit(r, QUERY_LIMIT, &query->limit) &&
        page_cursor(r, QUERY_CURSOR, &query->after))
        listing_submit(listing, payment_row);
}

/* ---- One of them ---- */

/* On the reader thread: the payment, then its events. */
static void shown_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    if (row->payment)
        encode_payment_begin(&listing->writer, row->payment);
    else
        encode_payment_add_event(&listing->writer, row->payment_event);
    listing->rows++;
}

static void shown(void *ctx, const struct query_result *result)
{
    struct listing *listing = ctx;
    struct request *r = listing->request;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    reply_seq(r, result->seq);
    if (!listing->rows) {
        reply_outcome(r, OUTCOME_NO_SUCH_PAYMENT);
        return;
    }
    encode_payment_end(&listing->writer);
    reply_copy(r, 200, r->scratch.data, r->scratch.size);
}

HANDLER(api_payment_get)
{
    struct listing *listing = listing_make(r);
    listing->query.kind = QUERY_PAYMENT;
    listing->query.payment_ref = r->parameters[0];
    listing->query.limit = 1;
    listing->writer = json_writer_make(&r->scratch);
    store_query(r->store, &listing->query, shown_row, shown, listing);
}

/* ---- Events ---- */

enum { EVENTS_RESULT, EVENTS_LIMIT, EVENTS_CURSOR };

static void event_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    encode_payment_event(&listing->writer, row->payment_event);
    listing->last = (struct id){0, row->payment_event->number};
}

HANDLER(api_payment_event_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    struct text result = r->query[EVENTS_RESULT];
    query->kind = QUERY_PAYMENT_EVENTS;
    if (result.at && !payment_result_read(result, &query->payment_result)) {
        request_refuse_query(r, EVENTS_RESULT, NULL);
        return;
    }
    if (page_limit(r, EVENTS_LIMIT, &query->limit) && page_cursor(r, EVENTS_CURSOR, &query->after))
        listing_submit(listing, event_row);
}
