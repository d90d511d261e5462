/* SPDX-License-Identifier: Apache-2.0 */
#include "book/report/report.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

/* clang-format off */
/* The views of the schema, with the conditions before any grouping, where they save most: ?1 is the event, ?2 and ?3 the
 * times, ?4 the limit. The first columns are the day and what was claimed. */
#define DAY(ms_) "SELECT " DAY_OF(ms_) ", " WHAT ", "
/* In the time zone of the event; without one, in UTC. */
#define DAY_OF(ms_) "local_day(" ms_ ", (SELECT timezone FROM events WHERE number = event_number))"
#define WHAT "event, calendar, tier, pool, service"
#define BETWEEN(ms_) ms_ " >= ?2 AND " ms_ " < ?3 "
#define OF_EVENT "AND event_number IN (SELECT number FROM events WHERE id = ?1) "
/* Like the view. */
#define CHECKOUTS(where_) \
    "FROM (SELECT number, reservation, status, currency, event_number, " WHAT ", sum(units) AS units, sum(amount) AS amount, " \
    "max(refunded) AS refunded, held_ms, expires_ms, paying_ms, sold_ms, ended_ms " \
    "FROM report_items WHERE " where_ "GROUP BY number, " WHAT ") AS checkouts "
#define SALES(where_) \
    DAY("sold_ms") "currency, " \
    "sum(CASE refunded WHEN 0 THEN units ELSE 0 END), sum(CASE refunded WHEN 0 THEN amount ELSE 0 END), " \
    "sum(CASE refunded WHEN 1 THEN units ELSE 0 END), sum(CASE refunded WHEN 1 THEN amount ELSE 0 END) " \
    "FROM report_items WHERE " BETWEEN("sold_ms") where_ \
    "GROUP BY 1, 2, 3, 4, 5, 6, 7 ORDER BY 1, 2, 3, 4, 5, 6, 7 LIMIT ?4"
#define ABANDONED(where_) \
    DAY("ended_ms") "status, CASE WHEN paying_ms IS NULL THEN 'held' ELSE 'paying' END, currency, " \
    "count(*), sum(units), sum(amount), sum(ended_ms - held_ms) / count(*) / 1000, max(ended_ms - held_ms) / 1000 " \
    CHECKOUTS("(status = 'expired' OR status = 'released') AND " BETWEEN("ended_ms") where_) \
    "GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9 ORDER BY 1, 2, 3, 4, 5, 6, 7, 8, 9 LIMIT ?4"
/* The refused, next to those who got a hold. Refusals are counted per day in the event's time zone; a day counts if any part
 * of it is asked for. The first condition is for the index. */
#define REFUSED(where_) \
    "SELECT date(day / 1000, 'unixepoch'), nullif(event, ''), nullif(calendar, ''), nullif(tier, ''), nullif(pool, ''), " \
    "nullif(service, ''), 0, 0, 0, 0, 0, group_concat(reason || ' ' || count, ';') FROM " \
    "(SELECT * FROM refusals WHERE day >= ?2 - 172800000 AND day <= min(?3, 9000000000000000) + 86400000 " \
    "AND date(day / 1000, 'unixepoch') BETWEEN " REFUSED_DAY("?2") " AND " REFUSED_DAY("min(?3 - 1, 253402000000000)") " " where_ "ORDER BY reason) GROUP BY 1, 2, 3, 4, 5, 6"
#define REFUSED_DAY(ms_) \
    "local_day(" ms_ ", (SELECT timezone FROM events e WHERE e.id = refusals.event ORDER BY e.number DESC LIMIT 1))"
#define FUNNEL(where_, refused_) \
    "SELECT day, " WHAT ", sum(held), sum(paying), sum(confirmed), sum(late), sum(refunded), max(refusals) FROM " \
    "(" REACHED(where_) " UNION ALL " REFUSED(refused_) ") GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6 LIMIT ?4"
#define REACHED(where_) \
    "SELECT " DAY_OF("held_ms") " AS day, " WHAT ", count(*) AS held, sum(paying_ms IS NOT NULL OR sold_ms IS NOT NULL) AS paying, sum(sold_ms IS NOT NULL) AS confirmed, " \
    "sum(CASE WHEN sold_ms IS NOT NULL THEN sold_ms >= expires_ms WHEN status <> 'expired' THEN 0 " \
    "ELSE EXISTS (SELECT 1 FROM refunds f WHERE f.reservation = checkouts.reservation " \
    "AND f.reason = 'expired' AND f.status <> 'withdrawn') END) AS late, sum(refunded) AS refunded, NULL AS refusals " \
    CHECKOUTS(BETWEEN("held_ms") where_) "GROUP BY 1, 2, 3, 4, 5, 6"
/* From the hold to the payment: recorded, sold, or owed because it was late. The latest reservations first. */
#define PAID \
    "SELECT paid_ms - held_ms FROM (SELECT r.created_at AS held_ms, " \
    "coalesce(r.payment_recorded_at, r.confirmed_at, (SELECT min(f.created_at) FROM refunds f " \
    "WHERE f.reservation = r.id AND f.reason = 'expired' AND f.status <> 'withdrawn')) AS paid_ms " \
    "FROM (SELECT DISTINCT reservation FROM items INDEXED BY items_by_event WHERE event = ?1 " \
    "ORDER BY reservation DESC) i " \
    "CROSS JOIN reservations r ON r.number = i.reservation WHERE r.created_at >= ?2 AND r.status <> 'held') " \
    "WHERE paid_ms IS NOT NULL LIMIT ?3"
/* clang-format on */

enum { COLUMN_DAY, COLUMN_EVENT, COLUMN_CALENDAR, COLUMN_TIER, COLUMN_POOL, COLUMN_SERVICE, COLUMN_OWN };

void book_report_prepare(struct book_report *b, struct sql *s)
{
    b->sql = s;
    b->all[REPORT_SALES] = sql_prepare(s, SALES(""));
    b->of_event[REPORT_SALES] = sql_prepare(s, SALES(OF_EVENT));
    b->all[REPORT_ABANDONED] = sql_prepare(s, ABANDONED(""));
    b->of_event[REPORT_ABANDONED] = sql_prepare(s, ABANDONED(OF_EVENT));
    b->all[REPORT_FUNNEL] = sql_prepare(s, FUNNEL("", ""));
    b->of_event[REPORT_FUNNEL] = sql_prepare(s, FUNNEL(OF_EVENT, "AND event = ?1 "));
    b->paid = sql_prepare(s, PAID);
}

/* Reads `count` numbers, starting at this column. */
static void read_sums(struct sql_statement *t, int column, int64_t *const *out, int count)
{
    for (int i = 0; i < count; i++)
        *out[i] = sql_int(t, column + i);
}
#define READ_SUMS(t, column, ...)                                                                            \
    read_sums(t, column, (int64_t *const[]){__VA_ARGS__},                                                    \
              sizeof((int64_t *const[]){__VA_ARGS__}) / sizeof(int64_t *))

static void read_row(struct sql_statement *t, enum report report, struct report_row *out)
{
    static const int own[] = {[REPORT_SALES] = 5, [REPORT_ABANDONED] = 8, [REPORT_FUNNEL] = 6};
    _Static_assert(sizeof(own) / sizeof(own[0]) == REPORTS_COUNT, "the columns of each report");
    ASSERT(sql_columns(t) == COLUMN_OWN + own[report]);
    *out = (struct report_row){.day = sql_text(t, COLUMN_DAY),
                               .event = sql_text(t, COLUMN_EVENT),
                               .calendar = sql_text(t, COLUMN_CALENDAR),
                               .tier = sql_text(t, COLUMN_TIER),
                               .pool = sql_text(t, COLUMN_POOL),
                               .service = sql_text(t, COLUMN_SERVICE)};
    if (report == REPORT_SALES) {
        out->sales.currency = sql_text(t, COLUMN_OWN);
        READ_SUMS(t, COLUMN_OWN + 1, &out->sales.units, &out->sales.amount, &out->sales.refunded_units,
                  &out->sales.refunded_amount);
    } else if (report == REPORT_ABANDONED) {
        out->abandoned.how = sql_text(t, COLUMN_OWN);
        out->abandoned.reached = sql_text(t, COLUMN_OWN + 1);
        out->abandoned.currency = sql_text(t, COLUMN_OWN + 2);
        READ_SUMS(t, COLUMN_OWN + 3, &out->abandoned.checkouts, &out->abandoned.units, &out->abandoned.amount,
                  &out->abandoned.seconds_held, &out->abandoned.seconds_held_max);
    } else {
        READ_SUMS(t, COLUMN_OWN, &out->funnel.held, &out->funnel.paying, &out->funnel.confirmed,
                  &out->funnel.late, &out->funnel.refunded);
        out->funnel.refusals = sql_text(t, COLUMN_OWN + 5);
    }
}

void book_report_list(struct book_report *b, const struct query *q, query_row_fn row, void *ctx,
                      struct query_result *result)
{
    ASSERT(q->report < REPORTS_COUNT && q->limit <= REPORT_ROWS_MAX);
    struct sql_statement *t = q->event.at ? b->of_event[q->report] : b->all[q->report];
    if (q->event.at)
        sql_bind_text(t, 1, q->event);
    sql_bind_int(t, 2, q->from_ms);
    sql_bind_int(t, 3, q->to_ms ? q->to_ms : INT64_MAX);
    sql_bind_int(t, 4, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(t) && query_has_place(q, rows, result); rows++) {
        struct report_row sums;
        read_row(t, q->report, &sums);
        if (!sql_sound(b->sql))
            break;
        row(ctx, &(struct query_row){.report = &sums});
    }
    sql_reset(t);
}

/* ---- How long buyers take ---- */

static int by_size(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The nearest-rank percentile of `sorted`. */
static int64_t percentile(const int64_t *sorted, uint32_t count, uint32_t percent)
{
    ASSERT(count > 0 && percent > 0 && percent <= 100);
    return sorted[((uint64_t)count * percent + 99) / 100 - 1];
}

void book_report_ttl(struct book_report *b, const struct query *q, query_row_fn row, void *ctx)
{
    struct sql_statement *t = b->paid;
    int64_t *took_ms = memory_zeroed(q->limit, sizeof(*took_ms));
    struct ttl_figures figures = {0};
    ASSERT(q->kind == QUERY_TTL && q->event_number);
    sql_bind_ints(t, q->event_number, q->from_ms, q->limit);
    while (sql_next(t)) {
        ASSERT(figures.samples < q->limit);
        took_ms[figures.samples++] = sql_int(t, 0);
    }
    if (figures.samples) {
        qsort(took_ms, figures.samples, sizeof(*took_ms), by_size);
        figures.p50_ms = percentile(took_ms, figures.samples, 50);
        figures.p95_ms = percentile(took_ms, figures.samples, 95);
    }
    free(took_ms);
    if (sql_sound(b->sql))
        row(ctx, &(struct query_row){.ttl = &figures});
}
