/* SPDX-License-Identifier: Apache-2.0 */
/* Refunds due: listing them, and marking them as paid back. */
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/money/money_body.h"
#include "http/api/page.h"
#include "http/record/encode.h"
#include "http/money/refund_csv.h"
#include "http/wire/reply.h"

enum { QUERY_STATUS, QUERY_LIMIT, QUERY_CURSOR };

static const char *const statuses[] = {[REFUNDS_OPEN] = "open",
                                       [REFUNDS_DONE] = "done",
                                       [REFUNDS_WITHDRAWN] = "withdrawn",
                                       [REFUNDS_ALL] = "all"};

static void refund_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    if (listing->type)
        refund_csv_write(&listing->request->scratch, row->refund);
    else
        encode_refund(&listing->writer, row->refund);
    listing->last = (struct id){0, row->refund->number}; /* in the form of an id */
}

static bool read_status(struct request *r, struct query *query)
{
    struct text status = r->query[QUERY_STATUS];
    if (!status.at)
        return true; /* the default: open ones */
    for (unsigned i = 0; i <= REFUNDS_ALL; i++)
        if (text_equal(status, (struct text){statuses[i], strlen(statuses[i])})) {
            query->refunds = i;
            return true;
        }
    return request_refuse_query(r, QUERY_STATUS, NULL);
}

HANDLER(api_refund_list)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_REFUNDS;
    if (!read_status(r, query) || !page_limit(r, QUERY_LIMIT, &query->limit) ||
        !page_cursor(r, QUERY_CURSOR, &query->after))
        return;
    reply_header(r, "Vary", "Accept");
    if (request_wants_csv(r)) {
        listing->type = "text/csv; charset=utf-8";
        refund_csv_begin(&r->scratch);
    }
    listing_submit(listing, refund_row);
}

static void done(struct call *call, const struct outcome *outcome)
{
    encode_refund(reply_json(call->request, 200), &outcome->refund);
    reply_finish(call->request);
}

struct done_body {
    struct money_body amount;
    struct json_bool_value outside;
};

const struct json_field api_refund_done_fields[] = {
    FIELD_MONEY(struct done_body, amount,
                "The amount paid back. Defaults to the full amount, if it has never changed."),
    JSON_BOOL_OR(struct done_body, outside, false,
                 .about = "It was paid back outside the payment provider, which will not report it."),
    JSON_END,
};

HANDLER(api_refund_done)
{
    struct done_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_REFUND_DONE);
    call->command.refund_done.amount = money_body_read(&body.amount);
    call->command.refund_done.outside = body.outside.value;
    if (!encode_refund_read(r->parameters[0], &call->command.refund_done.number))
        reply_outcome(r, OUTCOME_NO_SUCH_REFUND);
    else if (call->command.refund_done.amount.given && !call->command.refund_done.amount.amount)
        reply_invalid(r, "/amount/amount", "Invalid amount: expected at least 1.");
    else
        call_submit(call, done);
}
