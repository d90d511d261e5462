/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_calendar.h"

#include <stdio.h>

#include "base/arena.h"
#include "book/book_row.h"

#define DAYS 7
#define DAY_SIZE 3
static const char day_names[] = "mon tue wed thu fri sat sun";

/* ---- Into the tables ---- */

void book_calendar_prepare(struct book_calendar *b, struct sql *s)
{
    b->sql = s;
    b->put = sql_prepare(
        s, "INSERT INTO calendars (number, id, name, timezone, capacity, price, " BOOK_TERMS
           ", slot_minutes, buffer_minutes, created_at, changed_at) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) "
           "ON CONFLICT (number) DO UPDATE SET "
           "name = excluded.name, timezone = excluded.timezone, capacity = excluded.capacity, "
           "price = excluded.price, " BOOK_TERMS_EXCLUDED ", slot_minutes = excluded.slot_minutes, "
           "buffer_minutes = excluded.buffer_minutes, changed_at = excluded.changed_at");
    b->hours_remove = sql_prepare(s, "DELETE FROM calendar_hours WHERE calendar = ?");
    b->hours_insert = sql_prepare(
        s, "INSERT INTO calendar_hours (calendar, position, days, opens, closes) VALUES (?,?,?,?,?)");
    b->closed_remove = sql_prepare(s, "DELETE FROM calendar_closed WHERE calendar = ?");
    b->closed_insert = sql_prepare(
        s, "INSERT INTO calendar_closed (calendar, position, starts_at, ends_at) VALUES (?,?,?,?)");
    b->service_put =
        sql_prepare(s, "INSERT INTO services (calendar, position, id, duration_minutes, price, removed) "
                       "VALUES (?,?,?,?,?,?) ON CONFLICT (calendar, position) DO UPDATE SET "
                       "duration_minutes = excluded.duration_minutes, price = excluded.price, "
                       "removed = excluded.removed");
}

static void put_settings(struct book_calendar *b, const struct change *c)
{
    const struct calendar_image *i = &c->calendar;
    struct sql_statement *t = b->put;
    sql_bind_int(t, 1, (int64_t)i->number);
    sql_bind_text(t, 2, i->id);
    sql_bind_text(t, 3, i->name.at ? i->name : TEXT(""));
    sql_bind_text(t, 4, i->timezone);
    sql_bind_int(t, 5, i->capacity);
    sql_bind_int(t, 6, i->price);
    book_row_bind_terms(t, 7, &i->terms);
    sql_bind_int(t, 13, i->slot_minutes);
    sql_bind_int(t, 14, i->buffer_minutes);
    sql_bind_int(t, 15, i->created_at_ms);
    sql_bind_int(t, 16, c->at_ms);
    if (!sql_try(t))
        sql_fail(b->sql, STATUS_CORRUPT,
                 "Change %llu gives calendar %llu invalid settings, or a capacity below what is claimed.",
                 (unsigned long long)c->seq, (unsigned long long)i->number);
}

static void write_days(uint8_t days, char out[sizeof(day_names)])
{
    size_t size = 0;
    for (size_t day = 0; day < DAYS; day++) {
        if (!(days & 1u << day))
            continue;
        if (size)
            out[size++] = ' ';
        memcpy(out + size, day_names + day * (DAY_SIZE + 1), DAY_SIZE);
        size += DAY_SIZE;
    }
    out[size] = 0;
}

static void put_hours(struct book_calendar *b, const struct calendar_image *i)
{
    sql_bind_int(b->hours_remove, 1, (int64_t)i->number);
    sql_do(b->hours_remove);
    for (uint32_t k = 0; k < i->hours_count; k++) {
        const struct hours_range *range = &i->hours[k];
        char days[sizeof(day_names)], opens[8], closes[8];
        write_days(range->days, days);
        snprintf(opens, sizeof(opens), "%02u:%02u", range->from_minute / 60u % 100u,
                 range->from_minute % 60u);
        snprintf(closes, sizeof(closes), "%02u:%02u", range->to_minute / 60u % 100u, range->to_minute % 60u);
        sql_bind_int(b->hours_insert, 1, (int64_t)i->number);
        sql_bind_int(b->hours_insert, 2, k);
        sql_bind_word(b->hours_insert, 3, days);
        sql_bind_word(b->hours_insert, 4, opens);
        sql_bind_word(b->hours_insert, 5, closes);
        sql_do(b->hours_insert);
    }
}

static void put_closed(struct book_calendar *b, const struct calendar_image *i)
{
    sql_bind_int(b->closed_remove, 1, (int64_t)i->number);
    sql_do(b->closed_remove);
    for (uint32_t k = 0; k < i->closed_count; k++) {
        sql_bind_int(b->closed_insert, 1, (int64_t)i->number);
        sql_bind_int(b->closed_insert, 2, k);
        sql_bind_int(b->closed_insert, 3, i->closed[k].start_ms);
        sql_bind_int(b->closed_insert, 4, i->closed[k].end_ms);
        sql_do(b->closed_insert);
    }
}

static void put_services(struct book_calendar *b, const struct calendar_image *i)
{
    for (uint32_t k = 0; k < i->service_count; k++) {
        const struct service_image *service = &i->services[k];
        sql_bind_int(b->service_put, 1, (int64_t)i->number);
        sql_bind_int(b->service_put, 2, k);
        sql_bind_text(b->service_put, 3, service->id);
        sql_bind_int(b->service_put, 4, service->duration_minutes);
        sql_bind_int(b->service_put, 5, service->price);
        sql_bind_int(b->service_put, 6, service->removed);
        sql_do(b->service_put);
    }
}

void book_calendar_put(struct book_calendar *b, const struct change *c)
{
    put_settings(b, c);
    put_hours(b, &c->calendar);
    put_closed(b, &c->calendar);
    put_services(b, &c->calendar);
}

/* ---- Out of them ---- */

struct reading {
    struct sql *sql;
    struct sql_statement *hours, *closed, *services;
    struct arena arena; /* the lists of one calendar */
};

/* Whether the list has room for the row that the statement stands on; too many rows, or a gap, are damage. */
static bool row_fits(struct reading *r, struct sql_statement *t, uint64_t calendar, uint32_t count,
                     uint32_t most)
{
    if (sql_int(t, 0) == count && count < most)
        return true;
    sql_fail(r->sql, STATUS_CORRUPT, "A list of calendar %llu has too many or too few rows.",
             (unsigned long long)calendar);
    sql_reset(t);
    return false;
}

static uint8_t read_days(struct text text)
{
    uint8_t days = 0;
    for (size_t day = 0; day < DAYS; day++)
        if (text.size >= DAY_SIZE && memcmp(text.at, day_names + day * (DAY_SIZE + 1), DAY_SIZE) == 0) {
            days = (uint8_t)(days | 1u << day);
            size_t step = text.size > DAY_SIZE && text.at[DAY_SIZE] == ' ' ? DAY_SIZE + 1 : DAY_SIZE;
            text = (struct text){text.at + step, text.size - step};
        }
    return text.size ? 0 : days;
}

/* "HH:MM"; 1440 when it is no time of day. */
static uint16_t read_minute(struct text text)
{
    if (text.size != 5 || text.at[2] != ':')
        return HOURS_DAY_MINUTES;
    unsigned value = 0;
    for (size_t i = 0; i < 5; i++) {
        if (i == 2)
            continue;
        if (text.at[i] < '0' || text.at[i] > '9')
            return HOURS_DAY_MINUTES;
        value = value * (i == 3 ? 6 : 10) + (unsigned)(text.at[i] - '0');
    }
    return text.at[3] < '6' && value < HOURS_DAY_MINUTES ? (uint16_t)value : HOURS_DAY_MINUTES;
}

static void read_hours(struct reading *r, struct calendar_image *i)
{
    struct hours_range *hours = arena_take(&r->arena, HOURS_MAX * sizeof(*hours));
    i->hours = hours;
    sql_bind_int(r->hours, 1, (int64_t)i->number);
    while (sql_next(r->hours) && row_fits(r, r->hours, i->number, i->hours_count, HOURS_MAX)) {
        struct hours_range *range = &hours[i->hours_count++];
        *range = (struct hours_range){.days = read_days(sql_text(r->hours, 1)),
                                      .from_minute = read_minute(sql_text(r->hours, 2)),
                                      .to_minute = read_minute(sql_text(r->hours, 3))};
        if (!range->days || range->from_minute == HOURS_DAY_MINUTES || range->to_minute == HOURS_DAY_MINUTES)
            sql_fail(r->sql, STATUS_CORRUPT, "Calendar %llu has invalid hours.",
                     (unsigned long long)i->number);
    }
}

static void read_closed(struct reading *r, struct calendar_image *i)
{
    struct closed_interval *closed = arena_take(&r->arena, CLOSED_MAX * sizeof(*closed));
    i->closed = closed;
    sql_bind_int(r->closed, 1, (int64_t)i->number);
    while (sql_next(r->closed) && row_fits(r, r->closed, i->number, i->closed_count, CLOSED_MAX))
        closed[i->closed_count++] = (struct closed_interval){sql_int(r->closed, 1), sql_int(r->closed, 2)};
}

static void read_services(struct reading *r, struct calendar_image *i)
{
    struct service_image *services = arena_take(&r->arena, SERVICES_EVER_MAX * sizeof(*services));
    i->services = services;
    sql_bind_int(r->services, 1, (int64_t)i->number);
    while (sql_next(r->services) &&
           row_fits(r, r->services, i->number, i->service_count, SERVICES_EVER_MAX)) {
        struct text id = sql_text(r->services, 1);
        services[i->service_count++] =
            (struct service_image){.id = {arena_copy(&r->arena, id.at, id.size), id.size},
                                   .duration_minutes = (uint32_t)sql_int(r->services, 2),
                                   .price = sql_int(r->services, 3),
                                   .removed = sql_int(r->services, 4) != 0};
    }
}

static void read_settings(struct sql *s, struct sql_statement *t, struct calendar_image *i)
{
    *i = (struct calendar_image){
        .number = (uint64_t)sql_int(t, 0),
        .id = sql_text(t, 1),
        .name = sql_text(t, 2),
        .timezone = sql_text(t, 3),
        .capacity = (uint32_t)sql_int(t, 4),
        .price = sql_int(t, 5),
        .terms = book_row_terms(s, t, 6),
        .slot_minutes = (uint32_t)sql_int(t, 12),
        .buffer_minutes = (uint32_t)sql_int(t, 13),
        .created_at_ms = sql_int(t, 14),
    };
}

void book_calendar_each(struct sql *s, void (*take)(void *owner, const struct calendar_image *calendar),
                        void *owner)
{
    struct reading r = {.sql = s};
    struct sql_statement *calendars =
        sql_prepare(s, "SELECT number, id, name, timezone, capacity, price, " BOOK_TERMS
                       ", slot_minutes, buffer_minutes, created_at FROM calendars ORDER BY number");
    r.hours = sql_prepare(
        s, "SELECT position, days, opens, closes FROM calendar_hours WHERE calendar = ? ORDER BY position");
    r.closed = sql_prepare(
        s, "SELECT position, starts_at, ends_at FROM calendar_closed WHERE calendar = ? ORDER BY position");
    r.services = sql_prepare(s, "SELECT position, id, duration_minutes, price, removed FROM services "
                                "WHERE calendar = ? ORDER BY position");
    arena_init(&r.arena, 65536);
    while (sql_next(calendars)) {
        struct calendar_image image;
        read_settings(s, calendars, &image);
        read_hours(&r, &image);
        read_closed(&r, &image);
        read_services(&r, &image);
        if (sql_sound(s))
            take(owner, &image);
        arena_reset(&r.arena);
    }
    arena_release(&r.arena);
}
