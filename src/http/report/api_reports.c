/* SPDX-License-Identifier: Apache-2.0 */
/* Reports: totals from the book. */
#include "base/time/zone.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/report/report_record.h"
#include "http/wire/reply.h"

enum { QUERY_EVENT, QUERY_FROM, QUERY_TO };

/* On the reader thread. */
static void report_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    if (listing->type)
        report_csv_row(&listing->request->scratch, listing->query.report, row->report);
    else
        report_row_json(&listing->writer, listing->query.report, row->report);
}

/* There are no pages: part of a report could be mistaken for all of it. */
static void refuse_large(struct request *r)
{
    reply_invalid(r, "?from", "Report too large: more than 50000 rows. Narrow it by event, from and to.");
}
_Static_assert(REPORT_ROWS_MAX == 50000, "the text above says so");

static void report(struct request *r, enum report report)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_REPORT;
    query->report = report;
    query->limit = REPORT_ROWS_MAX;
    query->event = r->query[QUERY_EVENT];
    if (query->event.at && !text_check_id(query->event.at, query->event.size)) {
        request_refuse_query(r, QUERY_EVENT, FIELD_ID_FORM);
        return;
    }
    if (!page_times(r, QUERY_FROM, QUERY_TO, query))
        return;
    reply_header(r, "Vary", "Accept");
    if (request_wants_csv(r)) {
        listing->type = "text/csv; charset=utf-8";
        report_csv_begin(&r->scratch, report);
    }
    listing->refuse_more = refuse_large;
    listing_submit(listing, report_row);
}

/* ---- Money ---- */

enum { MONEY_FROM, MONEY_TO, MONEY_TIMEZONE };

/* On the reader thread. */
static void money_row(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    if (listing->type)
        money_csv_row(&listing->request->scratch, row->money);
    else
        money_row_json(&listing->writer, row->money);
}

/* The name of an existing zone; *out NULL: none was given. False: no such zone, and 400 was replied. */
static bool read_timezone(struct request *r, const char **out)
{
    struct text given = r->query[MONEY_TIMEZONE];
    *out = NULL;
    if (!given.at)
        return true;
    char *name = arena_take(&r->arena, given.size + 1);
    memcpy(name, given.at, given.size);
    name[given.size] = '\0';
    struct zone *zone = strlen(name) == given.size ? zone_load(name) : NULL;
    zone_release(zone);
    *out = name;
    return zone || request_refuse_query(r, MONEY_TIMEZONE, "an IANA time zone such as Europe/Berlin");
}

HANDLER(api_report_money)
{
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    query->kind = QUERY_MONEY;
    query->limit = REPORT_ROWS_MAX;
    if (!page_times(r, MONEY_FROM, MONEY_TO, query) || !read_timezone(r, &query->timezone))
        return;
    reply_header(r, "Vary", "Accept");
    if (request_wants_csv(r)) {
        listing->type = "text/csv; charset=utf-8";
        money_csv_begin(&r->scratch);
    }
    listing->refuse_more = refuse_large;
    listing_submit(listing, money_row);
}

/* ---- The others ---- */

HANDLER(api_report_sales)
{
    report(r, REPORT_SALES);
}

HANDLER(api_report_abandoned)
{
    report(r, REPORT_ABANDONED);
}

HANDLER(api_report_funnel)
{
    report(r, REPORT_FUNNEL);
}
