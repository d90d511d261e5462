/* SPDX-License-Identifier: Apache-2.0 */
/* calendar.c — writes and loads calendars: settings, opening hours, closed intervals, services.
 *
 * A change carries the whole record. Hours and closed intervals are replaced; a service keeps its row forever, because
 * items refer to it. book/claim/claim.c writes the claims on calendars. Faults stick to the connection (see sql.h).
 */
#include "book/record/kept.h"

#include "base/memory/arena.h"
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"

struct book_calendar {
    struct sql *sql;
    struct sql_statement *put, *remove, *hours_remove, *hours_insert, *closed_remove, *closed_insert,
        *service_put;
};

/* ---- Into the tables ---- */

struct book_calendar *book_calendar_make(struct sql *s)
{
    struct book_calendar *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->put = book_record_prepare(s, &calendar_record, BOOK_UPSERT);
    b->remove =
        sql_prepare(s, "UPDATE calendars SET removed_at = ?2 WHERE number = ?1 AND removed_at IS NULL");
    b->hours_remove = sql_prepare(s, "DELETE FROM calendar_hours WHERE calendar = ?");
    b->hours_insert = book_record_prepare(s, &hours_record, BOOK_INSERT);
    b->closed_remove = sql_prepare(s, "DELETE FROM calendar_closed WHERE calendar = ?");
    b->closed_insert = book_record_prepare(s, &closed_record, BOOK_INSERT);
    b->service_put = book_record_prepare(s, &service_record, BOOK_UPSERT);
    return b;
}

static void put_settings(struct book_calendar *b, const struct change *c)
{
    const struct calendar_image *i = &c->calendar;
    if (!book_record_try(b->put, &calendar_record,
                         &(struct book_calendar_row){.image = *i, .changed_at_ms = c->at_ms}))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu gives calendar %llu invalid settings, or a capacity below what is claimed.",
                 (unsigned long long)c->seq, (unsigned long long)i->number);
}

void book_calendar_put(struct book_parts *parts, const struct change *c)
{
    struct book_calendar *b = parts->calendar;
    const struct calendar_image *i = &c->calendar;
    ASSERT(c->kind == CHANGE_CALENDAR && i->number && i->number <= c->seq);
    ASSERT(i->hours_count <= HOURS_MAX && i->closed_count <= CLOSED_MAX);
    ASSERT(i->service_count <= SERVICES_EVER_MAX); /* more could not be read again */
    put_settings(b, c);
    /* Replaced: nothing refers to a single range of hours. */
    sql_do_ints(b->hours_remove, i->number);
    for (uint32_t k = 0; k < i->hours_count; k++)
        book_record_put(b->hours_insert, &hours_record, &(struct book_hours){i->number, k, i->hours[k]});
    sql_do_ints(b->closed_remove, i->number);
    for (uint32_t k = 0; k < i->closed_count; k++)
        book_record_put(b->closed_insert, &closed_record, &(struct book_closed){i->number, k, i->closed[k]});
    /* Never deleted: items of old reservations refer to services by position. */
    for (uint32_t k = 0; k < i->service_count; k++)
        book_record_put(b->service_put, &service_record,
                        &(struct book_service){i->number, k, i->services[k]});
}

/* Its rows stay until it is pruned, because items refer to it and to its services. */
void book_calendar_remove(struct book_parts *parts, const struct change *c)
{
    struct book_calendar *b = parts->calendar;
    ASSERT(c->kind == CHANGE_CALENDAR_REMOVED);
    if (sql_do_ints(b->remove, c->calendar_removed.number, c->at_ms) != 1)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu removes calendar %llu, which does not exist.",
                 (unsigned long long)c->seq, (unsigned long long)c->calendar_removed.number);
}

/* ---- Out of them ---- */

struct reading {
    struct sql *sql;
    struct sql_statement *hours, *closed, *services;
    struct arena arena; /* the texts of one calendar's services */
};

/* Whether the list has room for this row. Too many rows, or a gap, are damage. */
static bool row_fits(struct reading *r, uint64_t calendar, uint32_t position, uint32_t count, uint32_t most)
{
    if (position != count || count >= most)
        sql_fail(r->sql, STATUS_CORRUPT, "A list of calendar %llu has too many or too few rows.",
                 (unsigned long long)calendar);
    return sql_sound(r->sql);
}

static void read_hours(struct reading *r, struct change *c)
{
    struct calendar_image *i = &c->calendar;
    struct book_hours row;
    i->hours = c->hours;
    sql_bind_ints(r->hours, i->number);
    while (sql_next(r->hours)) {
        book_record_read(r->sql, r->hours, &hours_record, &row, NULL);
        if (row_fits(r, i->number, row.position, i->hours_count, HOURS_MAX))
            c->hours[i->hours_count++] = row.range;
    }
}

static void read_closed(struct reading *r, struct change *c)
{
    struct calendar_image *i = &c->calendar;
    struct book_closed row;
    i->closed = c->closed;
    sql_bind_ints(r->closed, i->number);
    while (sql_next(r->closed)) {
        book_record_read(r->sql, r->closed, &closed_record, &row, NULL);
        if (row_fits(r, i->number, row.position, i->closed_count, CLOSED_MAX))
            c->closed[i->closed_count++] = row.interval;
    }
}

static void read_services(struct reading *r, struct change *c)
{
    struct calendar_image *i = &c->calendar;
    struct book_service row;
    i->services = c->services;
    sql_bind_ints(r->services, i->number);
    while (sql_next(r->services)) {
        book_record_read(r->sql, r->services, &service_record, &row, NULL);
        /* SQLite's texts are invalid after the next row, and the sink gets all services at once. */
        book_record_keep(&service_record, &row, &r->arena);
        if (row_fits(r, i->number, row.position, i->service_count, SERVICES_EVER_MAX))
            c->services[i->service_count++] = row.image;
    }
}

#define OF_ONE BOOK_SELECT "WHERE calendar = ? ORDER BY position"

void book_calendar_each(struct sql *s, const struct book_load_sink *sink, struct change *c)
{
    struct reading r = {.sql = s};
    struct sql_statement *calendars = book_record_prepare(s, &calendar_record, BOOK_SELECT "ORDER BY number");
    r.hours = book_record_prepare(s, &hours_record, OF_ONE);
    r.closed = book_record_prepare(s, &closed_record, OF_ONE);
    r.services = book_record_prepare(s, &service_record, OF_ONE);
    arena_init(&r.arena, 65536);
    while (sql_next(calendars)) {
        struct book_calendar_row row;
        book_record_read(s, calendars, &calendar_record, &row, NULL);
        c->calendar = row.image;
        c->calendar.removed = row.removed_at_ms != 0;
        read_hours(&r, c);
        read_closed(&r, c);
        read_services(&r, c);
        if (sql_sound(s))
            book_row_accept(s, sink->record(sink->owner, c), "calendar", c->calendar.number);
        arena_reset(&r.arena);
    }
    arena_release(&r.arena);
}
