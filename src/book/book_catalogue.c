/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_catalogue.h"

#include "base/assertion.h"
#include "book/book_row.h"

#define SEAT_COLUMNS                                                                                         \
    "event, position, id, section, row, number, x, y, tier, price, accessible, blocked, version"

static void prepare_seats(struct book_catalogue *b, struct sql *s)
{
    b->staged_insert =
        sql_prepare(s, "INSERT INTO seats_staged (seq, event, import, at, count, rows) VALUES (?,?,?,?,?,?)");
    b->staged_find =
        sql_prepare(s, "SELECT count, rows, length(rows) FROM seats_staged WHERE event = ? AND import = ? "
                       "ORDER BY seq");
    b->staged_remove = sql_prepare(s, "DELETE FROM seats_staged WHERE event = ? AND import = ?");
    b->seats_count = sql_prepare(s, "SELECT seats FROM events WHERE number = ?");
    b->seats_set_count = sql_prepare(s, "UPDATE events SET seats = ?2 WHERE number = ?1");
    b->seat_find = sql_prepare(s, "SELECT position FROM seats WHERE event = ? AND id = ?");
    b->seat_insert = sql_prepare(s, "INSERT INTO seats (" SEAT_COLUMNS
                                    ") VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,0)");
    /* ?3 is the set of columns given: enum seat_column. */
    b->seat_update = sql_prepare(s, "UPDATE seats SET "
                                    "section = CASE WHEN ?3 & 1 THEN ?4 ELSE section END, "
                                    "row = CASE WHEN ?3 & 2 THEN ?5 ELSE row END, "
                                    "number = CASE WHEN ?3 & 4 THEN ?6 ELSE number END, "
                                    "x = CASE WHEN ?3 & 8 THEN ?7 ELSE x END, "
                                    "y = CASE WHEN ?3 & 16 THEN ?8 ELSE y END, "
                                    "tier = CASE WHEN ?3 & 32 THEN ?9 ELSE tier END, "
                                    "price = CASE WHEN ?3 & 64 THEN ?10 ELSE price END, "
                                    "accessible = CASE WHEN ?3 & 128 THEN ?11 ELSE accessible END, "
                                    "blocked = CASE WHEN ?3 & 256 THEN ?12 ELSE blocked END "
                                    "WHERE event = ?1 AND position = ?2");
    b->seats_copy =
        sql_prepare(s, "INSERT INTO seats (" SEAT_COLUMNS ") SELECT ?1, position, id, section, row, number, "
                       "x, y, tier, price, accessible, 0, 0 FROM seats WHERE event = ?2 ORDER BY position");
    b->seat_block = sql_prepare(s, "UPDATE seats SET blocked = ?3 WHERE event = ?1 AND position = ?2");
}

void book_catalogue_prepare(struct book_catalogue *b, struct sql *s)
{
    b->sql = s;
    b->event_put = sql_prepare(
        s, "INSERT INTO events (number, id, name, starts_at, on_sale_at, off_sale_at, " BOOK_TERMS
           ", per_user_limit, created_at, removed_at, waiting_list, line_key) "
           "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (number) DO UPDATE SET "
           "name = excluded.name, starts_at = excluded.starts_at, on_sale_at = excluded.on_sale_at, "
           "off_sale_at = excluded.off_sale_at, " BOOK_TERMS_EXCLUDED
           ", per_user_limit = excluded.per_user_limit, removed_at = excluded.removed_at, "
           "waiting_list = excluded.waiting_list, line_key = excluded.line_key");
    b->pool_put =
        sql_prepare(s, "INSERT INTO pools (event, position, id, name, capacity, price, held, sold) "
                       "VALUES (?,?,?,?,?,?,0,0) ON CONFLICT (event, position) DO UPDATE SET "
                       "name = excluded.name, capacity = excluded.capacity, price = excluded.price");
    prepare_seats(b, s);
}

void book_catalogue_put_event(struct book_catalogue *b, const struct change *c)
{
    const struct event_image *e = &c->event;
    struct sql_statement *t = b->event_put;
    sql_bind_int(t, 1, (int64_t)e->number);
    sql_bind_text(t, 2, e->id);
    sql_bind_text(t, 3, e->name.at ? e->name : TEXT(""));
    book_row_bind_time(t, 4, e->starts_at_ms);
    book_row_bind_time(t, 5, e->on_sale_at_ms);
    book_row_bind_time(t, 6, e->off_sale_at_ms);
    book_row_bind_terms(t, 7, &e->terms);
    sql_bind_int(t, 13, e->per_user_limit);
    sql_bind_int(t, 14, e->created_at_ms);
    if (e->removed)
        sql_bind_int(t, 15, c->at_ms);
    else
        sql_bind_null(t, 15);
    sql_bind_int(t, 16, e->has_list);
    book_row_bind_pair(t, 17, e->entry_key, true);
    sql_do(t);
}

void book_catalogue_put_pool(struct book_catalogue *b, const struct change *c)
{
    const struct pool_image *p = &c->pool;
    sql_bind_int(b->pool_put, 1, (int64_t)p->event);
    sql_bind_int(b->pool_put, 2, p->position);
    sql_bind_text(b->pool_put, 3, p->id);
    sql_bind_text(b->pool_put, 4, p->name);
    sql_bind_int(b->pool_put, 5, p->capacity);
    sql_bind_int(b->pool_put, 6, p->price);
    sql_do(b->pool_put);
}

/* ---- Imports ---- */

void book_catalogue_stage(struct book_catalogue *b, const struct change *c)
{
    sql_bind_int(b->staged_insert, 1, (int64_t)c->seq);
    sql_bind_int(b->staged_insert, 2, (int64_t)c->staged.event);
    sql_bind_int(b->staged_insert, 3, (int64_t)c->staged.import);
    sql_bind_int(b->staged_insert, 4, c->at_ms);
    sql_bind_int(b->staged_insert, 5, c->staged.count);
    sql_bind_blob(b->staged_insert, 6, c->staged.rows.at, bytes_left(&c->staged.rows));
    sql_do(b->staged_insert);
}

static void bind_label(struct sql_statement *t, int parameter, struct text label)
{
    sql_bind_text(t, parameter, label.size ? label : (struct text){0});
}

static void bind_seat(struct sql_statement *t, const struct seat_image *seat)
{
    bind_label(t, 4, seat->section);
    bind_label(t, 5, seat->row);
    bind_label(t, 6, seat->number);
    if (seat->has_x)
        sql_bind_int(t, 7, seat->x_milli);
    else
        sql_bind_null(t, 7);
    if (seat->has_y)
        sql_bind_int(t, 8, seat->y_milli);
    else
        sql_bind_null(t, 8);
    bind_label(t, 9, seat->tier);
    sql_bind_int(t, 10, seat->price);
    sql_bind_int(t, 11, seat->accessible);
    sql_bind_int(t, 12, seat->blocked);
}

/* The place of a seat that the event has; *next when it is new. */
static int64_t seat_position(struct book_catalogue *b, uint64_t event, const struct seat_image *seat,
                             int64_t next)
{
    sql_bind_int(b->seat_find, 1, (int64_t)event);
    sql_bind_text(b->seat_find, 2, seat->id);
    int64_t position = sql_next(b->seat_find) ? sql_int(b->seat_find, 0) : next;
    sql_reset(b->seat_find);
    return position;
}

/* One part of an import. `had`: how many seats there were before the import, *next: how many there are
 * now. */
static void publish_part(struct book_catalogue *b, uint64_t event, struct bytes_reader rows, int64_t count,
                         int64_t had, int64_t *next)
{
    for (int64_t i = 0; i < count && sql_sound(b->sql); i++) {
        uint32_t columns;
        struct seat_image seat;
        if (!seat_row_get(&rows, &columns, &seat)) {
            sql_fail(b->sql, STATUS_CORRUPT, "Cannot read a staged seat of event %llu.",
                     (unsigned long long)event);
            return;
        }
        /* A new event has nothing to be found, which halves the work of the largest imports. */
        int64_t position = had ? seat_position(b, event, &seat, *next) : *next;
        bool is_new = position == *next;
        struct sql_statement *t = is_new ? b->seat_insert : b->seat_update;
        sql_bind_int(t, 1, (int64_t)event);
        sql_bind_int(t, 2, position);
        if (is_new)
            sql_bind_text(t, 3, seat.id);
        else
            sql_bind_int(t, 3, columns);
        bind_seat(t, &seat);
        sql_do(t);
        *next += is_new;
    }
}

static int64_t count_seats(struct book_catalogue *b, uint64_t event)
{
    sql_bind_int(b->seats_count, 1, (int64_t)event);
    bool known = sql_next(b->seats_count);
    int64_t count = known ? sql_int(b->seats_count, 0) : 0;
    sql_reset(b->seats_count);
    if (!known)
        sql_fail(b->sql, STATUS_CORRUPT, "The book has no event %llu.", (unsigned long long)event);
    return count;
}

static void set_count(struct book_catalogue *b, uint64_t event, int64_t count)
{
    sql_bind_int(b->seats_set_count, 1, (int64_t)event);
    sql_bind_int(b->seats_set_count, 2, count);
    sql_do(b->seats_set_count);
}

void book_catalogue_publish(struct book_catalogue *b, const struct change *c)
{
    uint64_t event = c->published.event;
    int64_t had = count_seats(b, event), next = had;
    sql_bind_int(b->staged_find, 1, (int64_t)event);
    sql_bind_int(b->staged_find, 2, (int64_t)c->published.import);
    while (sql_next(b->staged_find)) { /* an import of no seats has no parts */
        size_t size = (size_t)sql_int(b->staged_find, 2);
        const void *rows = sql_blob(b->staged_find, 1, size);
        publish_part(b, event, bytes_reader_make(rows, size), sql_int(b->staged_find, 0), had, &next);
    }
    set_count(b, event, next);
    sql_bind_int(b->staged_remove, 1, (int64_t)event);
    sql_bind_int(b->staged_remove, 2, (int64_t)c->published.import);
    sql_do(b->staged_remove);
}

/* The copies are all free: no claims, nothing blocked, never claimed. */
void book_catalogue_copy(struct book_catalogue *b, const struct change *c)
{
    if (count_seats(b, c->copied.event) != 0)
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu copies seats into event %llu, which already has seats.",
                 (unsigned long long)c->seq, (unsigned long long)c->copied.event);
    sql_bind_int(b->seats_copy, 1, (int64_t)c->copied.event);
    sql_bind_int(b->seats_copy, 2, (int64_t)c->copied.from);
    sql_do(b->seats_copy);
    set_count(b, c->copied.event, count_seats(b, c->copied.from));
}

void book_catalogue_block(struct book_catalogue *b, const struct change *c)
{
    struct bytes_reader positions = c->blocked.positions;
    for (uint32_t i = 0; i < c->blocked.count && sql_sound(b->sql); i++) {
        sql_bind_int(b->seat_block, 1, (int64_t)c->blocked.event);
        sql_bind_int(b->seat_block, 2, (int64_t)bytes_get_varint(&positions));
        sql_bind_int(b->seat_block, 3, c->blocked.blocked);
        if (sql_do(b->seat_block) != 1 || positions.bad)
            sql_fail(b->sql, STATUS_CORRUPT, "Change %llu blocks a seat that event %llu does not have.",
                     (unsigned long long)c->seq, (unsigned long long)c->blocked.event);
    }
}
