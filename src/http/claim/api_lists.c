/* SPDX-License-Identifier: Apache-2.0 */
/* Two answers from the book: the list of reservations, and the history of one. */
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/claim/reservation_call.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/claim/reservation_csv.h"
#include "http/wire/reply.h"

#define PAGE_SIZE_MAX ((size_t)8 << 20)

/* ---- Reservations ---- */

enum {
    QUERY_USER_ID,
    QUERY_EVENT,
    QUERY_CALENDAR,
    QUERY_STATUS,
    QUERY_PNR,
    QUERY_LIMIT,
    QUERY_CURSOR,
    QUERY_FROM,
    QUERY_TO,
    QUERY_WORDS,
    QUERY_TICKET,
    QUERY_PAYMENT_REF
};

static void reservation_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    const struct reservation_image *reservation = row->reservation;
    struct buf *out = &listing->request->scratch;
    /* Very large orders make short pages; at least one always fits. */
    size_t bound = listing->type ? reservation_csv_bound(reservation) : encode_reservation_bound(reservation);
    if (listing->rows && out->size + bound > PAGE_SIZE_MAX)
        listing->cut = true;
    if (listing->cut)
        return;
    if (listing->type)
        reservation_csv_write(out, reservation);
    else
        encode_reservation(&listing->writer, listing->request->actor.role, reservation,
                           listing->request->now_ms);
    listing->last = reservation->id;
    listing->rows++;
}

static bool read_filters(struct request *r, struct query *query)
{
    uint64_t number;
    query->user_id = r->query[QUERY_USER_ID];
    query->event = r->query[QUERY_EVENT];
    query->calendar = r->query[QUERY_CALENDAR];
    query->pnr = r->query[QUERY_PNR];
    query->has_status = r->query[QUERY_STATUS].at != NULL;
    if (query->user_id.at && !text_check_user_id(query->user_id.at, query->user_id.size))
        return request_refuse_query(r, QUERY_USER_ID, FIELD_USER_ID_FORM);
    if (query->event.at && !text_check_id(query->event.at, query->event.size))
        return request_refuse_query(r, QUERY_EVENT, FIELD_ID_FORM);
    if (query->calendar.at && !text_check_id(query->calendar.at, query->calendar.size))
        return request_refuse_query(r, QUERY_CALENDAR, FIELD_ID_FORM);
    if (query->has_status && !reservation_status_read(r->query[QUERY_STATUS], &query->status))
        return request_refuse_query(r, QUERY_STATUS, NULL);
    if (query->pnr.at && !pnr_read(query->pnr, &number))
        return request_refuse_query(r, QUERY_PNR, "six letters or digits");
    query->words = r->query[QUERY_WORDS];
    if (query->words.at && !text_check_name(query->words.at, query->words.size))
        return request_refuse_query(r, QUERY_WORDS, FIELD_BYTES(1, NAME_SIZE_MAX));
    query->ticket = r->query[QUERY_TICKET];
    if (query->ticket.at && query->ticket.size != TICKET_CODE_SIZE)
        return request_refuse_query(r, QUERY_TICKET, "a ticket code of 20 characters");
    query->payment_ref = r->query[QUERY_PAYMENT_REF];
    if (query->payment_ref.at && !text_check_name(query->payment_ref.at, query->payment_ref.size))
        return request_refuse_query(r, QUERY_PAYMENT_REF, FIELD_BYTES(1, NAME_SIZE_MAX));
    return page_times(r, QUERY_FROM, QUERY_TO, query);
}

HANDLER(api_reservation_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_RESERVATIONS;
    if (request_wants_csv(r) && r->actor.role == ROLE_USER) {
        reply_forbidden(r, "CSV needs an app key or the admin key. Ask for application/json.");
        return;
    }
    if (r->query[QUERY_PAYMENT_REF].at &&
        r->actor.role == ROLE_USER) { /* users never see payment references */
        reply_forbidden(r, "payment_ref needs an app key or the admin key.");
        return;
    }
    if (!reservation_call_may_name(r, r->query[QUERY_USER_ID]) || !read_filters(r, query) ||
        !page_limit(r, QUERY_LIMIT, &query->limit) || !page_cursor(r, QUERY_CURSOR, &query->after))
        return;
    if (r->actor.role == ROLE_USER)
        query->user_id = r->actor.name;
    reply_header(r, "Vary", "Accept");
    if (request_wants_csv(r)) {
        listing->type = "text/csv; charset=utf-8";
        reservation_csv_begin(&r->scratch);
    }
    listing_submit(listing, reservation_row);
}

/* ---- History ---- */

enum { QUERY_HISTORY_LIMIT = 1, QUERY_HISTORY_CURSOR = 2 };

/* Changes after the caller was checked are left out: the reservation may have been transferred since. */
static void history_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    const uint32_t *judged_version = listing->data;
    if (row->history->version > *judged_version)
        return;
    encode_history(&listing->writer, row->history, listing->request->actor.role);
    listing->last = (struct id){0, row->history->seq}; /* a seq, in the form of an id */
}

/* The reservation exists and the caller may see it: now reads its changes from the book. */
static void history_allowed(struct call *call, const struct outcome *outcome)
{
    struct listing *listing = call->data;
    struct query *query = &listing->query;
    query->kind = QUERY_HISTORY;
    query->reservation = call->command.reservation;
    /* The owner does not see changes before the last transfer. */
    bool staff = call->command.actor.role == ROLE_APP || call->command.actor.role == ROLE_ADMIN;
    uint64_t from = outcome->reservation.transferred;
    if (!staff && from && query->after.low < from)
        query->after = (struct id){0, from - 1};
    if (query->min_seq < outcome->seq)
        query->min_seq = outcome->seq;
    uint32_t *judged_version = arena_take(&call->request->arena, sizeof(*judged_version));
    *judged_version = outcome->reservation.version;
    listing->data = judged_version;
    listing_submit(listing, history_row);
}

HANDLER(api_reservation_history)
{
    struct listing *listing = listing_make(r);
    struct call *call = reservation_call_make(r, COMMAND_LOOK, (struct json_text_value){0});
    if (!call || !page_limit(r, QUERY_HISTORY_LIMIT, &listing->query.limit) ||
        !page_cursor(r, QUERY_HISTORY_CURSOR, &listing->query.after))
        return;
    call->data = listing;
    call_submit(call, history_allowed);
}
