/* SPDX-License-Identifier: Apache-2.0 */
/* record_report.c — part of report_record.h. The columns of the CSV are the members of the JSON: both come from one
 * list. */
#include <string.h>

#include "base/assertion.h"
#include "http/record/csv_cell.h"
#include "http/record/record.h"
#include "http/report/report_record.h"

/* clang-format off */
#define DAY(F, about_) F(TEXT, day, "2030-06-03", about_, row->day)
#define WHAT(F) \
    F(TEXT_OR_NULL, event, "arena", "The event; null: a calendar.", row->event) \
    F(TEXT_OR_NULL, calendar, null, "The calendar; null: an event.", row->calendar) \
    F(TEXT_OR_NULL, tier, "gold", "The tier of the seats; null: none, or not seats.", row->tier) \
    F(TEXT_OR_NULL, pool, null, "The pool; null: not a pool.", row->pool) \
    F(TEXT_OR_NULL, service, null, "The service of the calendar; null: none.", row->service)
#define CURRENCY(F, of_) F(TEXT, currency, "EUR", "The currency (ISO 4217).", row->of_.currency)

#define SALES(F) \
    WHAT(F) CURRENCY(F, sales) \
    F(INT, units, 12, "Seats, units or slots sold, without refunded and cancelled ones.", row->sales.units) \
    F(INT, amount, 54000, "Their prices, in minor units.", row->sales.amount) \
    F(INT, refunded_units, 1, "Seats, units or slots sold on that day and refunded or cancelled since.", row->sales.refunded_units) \
    F(INT, refunded_amount, 4500, "Their prices.", row->sales.refunded_amount)
#define SALES_ALL(F) DAY(F, "The day of the sale, in UTC.") SALES(F)
RECORD(sales_row, "Sales of one day.", SALES_ALL)

#define ABANDONED(F) \
    WHAT(F) \
    F(TEXT, how, "expired", "How it ended: `expired` or `released`.", row->abandoned.how) \
    F(TEXT, reached, "paying", "How far it got: `held`, or `paying` if a payment was started.", row->abandoned.reached) \
    CURRENCY(F, abandoned) \
    F(INT, checkouts, 3, "How many reservations.", row->abandoned.checkouts) \
    F(INT, units, 5, "Seats, units or slots in them.", row->abandoned.units) \
    F(INT, amount, 22500, "Their prices, in minor units.", row->abandoned.amount) \
    F(INT, seconds_held, 540, "How long they were held on average, in seconds.", row->abandoned.seconds_held) \
    F(INT, seconds_held_max, 600, "The longest time held, in seconds.", row->abandoned.seconds_held_max)
#define ABANDONED_ALL(F) DAY(F, "The day on which they ended, in UTC.") ABANDONED(F)
RECORD(abandoned_row, "Checkouts that ended on one day without a sale.", ABANDONED_ALL)

#define REFUSED(F) \
    F(TEXT, reason, "taken", "The code of the refusal.", reason) \
    F(UINT, count, 40, "How many requests got it.", count)
RECORD(funnel_refusal, "Requests to hold or to add items that were refused for one reason.", REFUSED)

#define FUNNEL(F) \
    WHAT(F) \
    F(INT, held, 20, "Reservations created.", row->funnel.held) \
    F(INT, paying, 15, "Of these, those that reached payment: a payment was started, or they were confirmed.", \
      row->funnel.paying) \
    F(INT, confirmed, 12, "Of these, those that were confirmed.", row->funnel.confirmed) \
    F(INT, late, 1, "Those paid after their deadline: confirmed then, or a refund due.", row->funnel.late) \
    F(INT, refunded, 1, "Those confirmed and then refunded or cancelled, at least in part.", \
      row->funnel.refunded) \
    F(LIST, refusals, [], "Requests that were refused on that day, by reason.", funnel_refusal, \
      write_refusals(w, row->funnel.refusals))
#define FUNNEL_ALL(F) DAY(F, "The day on which they were created, in UTC.") FUNNEL(F)
RECORD(funnel_row, "How far the reservations of one day got.", FUNNEL_ALL)

/* ---- CSV: a cell for each member after the first ---- */

#define NAME(kind_, name_, ...) "," #name_
#define CELL(kind_, name_, example_, about_, ...) CELL_##kind_(__VA_ARGS__);
#define CELL_TEXT(text_) csv_cell_text(out, text_)
#define CELL_TEXT_OR_NULL CELL_TEXT
#define CELL_INT(number_) csv_cell_number(out, number_)
#define CELL_LIST(...) csv_cell_text(out, row->funnel.refusals) /* in the book's own form */
#define CSV_NAMES(LIST) "day" LIST(NAME) "\r\n"
/* clang-format on */

static const char *const names[] = {[REPORT_SALES] = CSV_NAMES(SALES),
                                    [REPORT_ABANDONED] = CSV_NAMES(ABANDONED),
                                    [REPORT_FUNNEL] = CSV_NAMES(FUNNEL)};
const char report_sales_csv_example[] = CSV_NAMES(SALES) "2030-06-03,arena,,gold,,,EUR,12,54000,1,4500\r\n";
const char report_abandoned_csv_example[] =
    CSV_NAMES(ABANDONED) "2030-06-03,arena,,gold,,,expired,paying,EUR,3,5,22500,540,600\r\n";
const char report_funnel_csv_example[] =
    CSV_NAMES(FUNNEL) "2030-06-03,arena,,gold,,,20,15,12,1,1,sold_out 3;taken 40\r\n";

/* "sold_out 3;taken 40". */
static void write_refusals(struct json_writer *w, struct text all)
{
    const char *at = all.at, *end = all.at + all.size;
    json_array_begin(w);
    while (at < end) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        ASSERT(space);
        struct text reason = {at, (size_t)(space - at)};
        uint64_t count = 0;
        for (at = space + 1; at < end && *at != ';'; at++)
            count = count * 10 + (uint64_t)(*at - '0');
        WRITE_RECORD(REFUSED);
        at += at < end;
    }
    json_array_end(w);
}

void report_row_json(struct json_writer *w, enum report report, const struct report_row *row)
{
    if (report == REPORT_SALES)
        WRITE_RECORD(SALES_ALL);
    else if (report == REPORT_ABANDONED)
        WRITE_RECORD(ABANDONED_ALL);
    else
        WRITE_RECORD(FUNNEL_ALL);
}

void report_csv_begin(struct buf *out, enum report report)
{
    ASSERT(report < REPORTS_COUNT);
    buf_append_text(out, names[report]);
}

void report_csv_row(struct buf *out, enum report report, const struct report_row *row)
{
    buf_append(out, row->day.at, row->day.size);
    if (report == REPORT_SALES) {
        SALES(CELL)
    } else if (report == REPORT_ABANDONED) {
        ABANDONED(CELL)
    } else {
        FUNNEL(CELL)
    }
    buf_append(out, "\r\n", 2);
}

/* ---- Money ---- */

/* clang-format off */
#define LEDGER(F) \
    F(TEXT, currency, "EUR", "The currency (ISO 4217).", ((struct text){row->currency, 3})) \
    F(INT, received, 54000, "The change of the amount received, in minor units.", row->received) \
    F(INT, kept, 49500, "The change of the amount kept for sales.", row->kept) \
    F(INT, returned, 0, "The change of the amount paid back.", row->returned) \
    F(INT, owed, 4500, "The change of the amount owed.", row->owed)
#define LEDGER_ALL(F) DAY(F, "The day, in the requested time zone.") LEDGER(F)
RECORD(money_row, "The changes in the ledger on one day, in one currency.", LEDGER_ALL)
/* clang-format on */

const char report_money_csv_example[] = CSV_NAMES(LEDGER) "2030-06-03,EUR,54000,49500,0,4500\r\n";

void money_row_json(struct json_writer *w, const struct money_row *row)
{
    WRITE_RECORD(LEDGER_ALL);
}

void money_csv_begin(struct buf *out)
{
    buf_append_text(out, CSV_NAMES(LEDGER));
}

void money_csv_row(struct buf *out, const struct money_row *row)
{
    buf_append(out, row->day.at, row->day.size);
    LEDGER(CELL)
    buf_append(out, "\r\n", 2);
}
