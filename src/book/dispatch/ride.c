/* SPDX-License-Identifier: Apache-2.0 */
#include "book/dispatch/ride.h"

#include "base/assertion.h"
#include "book/record/columns.h"
#include "core/entry_id.h"

/* With the id of the fleet, and the key that the ids of offers are derived from. */
#define RIDES                                                                                                \
    "SELECT {read $}, (SELECT id FROM fleets f WHERE f.number = @.fleet), "                                  \
    "(SELECT offer_key FROM fleets f WHERE f.number = @.fleet) FROM @ "
#define OF_FLEETS "AND fleet IN (SELECT number FROM fleets WHERE removed_at IS NULL)"
#define NEWEST "AND number <= ?2 ORDER BY number DESC LIMIT 1"

void book_ride_prepare(struct book_ride_reader *r, struct sql *s)
{
    *r = (struct book_ride_reader){.sql = s};
    r->by_number = book_record_prepare(s, &ride_record, RIDES "WHERE number = ?1");
    r->by_id = book_record_prepare(s, &ride_record, RIDES "WHERE id = ?1 " OF_FLEETS);
    r->by_offer = book_record_prepare(
        s, &ride_record, RIDES "WHERE id = (SELECT ride FROM offers WHERE number = ?1) " OF_FLEETS);
    r->offers = book_record_prepare(s, &offer_record, BOOK_SELECT "WHERE ride = ?1 ORDER BY number");
    r->offer_count = sql_prepare(s, "SELECT count(*) FROM offers WHERE ride = ?1");
    /* INDEXED BY: with another plan the query would walk the whole table and run out of time. */
    r->any = sql_prepare(s, "SELECT number FROM rides INDEXED BY rides_by_fleet WHERE fleet = ?1 " NEWEST);
    r->of_rider = sql_prepare(
        s, "SELECT number FROM rides INDEXED BY rides_by_rider WHERE fleet = ?1 AND rider_id = ?3 " NEWEST);
    r->of_driver = sql_prepare(
        s, "SELECT number FROM rides INDEXED BY rides_by_driver WHERE fleet = ?1 AND driver_id = ?3 " NEWEST);
    r->of_status = sql_prepare(
        s, "SELECT number FROM rides INDEXED BY rides_by_status WHERE fleet = ?1 AND status = ?3 " NEWEST);
    r->number = sql_prepare(s, "SELECT number FROM rides WHERE id = ?1");
    r->asked = sql_prepare(s, "SELECT number FROM rides WHERE fleet IN (SELECT number FROM fleets) "
                              "AND rider_id = ?1 AND number < ?2 ORDER BY number DESC LIMIT ?3");
    r->number_before = sql_prepare(s, "SELECT number FROM rides WHERE id < ?1 ORDER BY id DESC LIMIT 1");
}

/* ---- One ride ---- */

static void read_offers(struct book_ride_reader *r, const uint64_t key[2], struct arena *arena,
                        struct ride_image *out)
{
    book_row_bind_made(r->offer_count, 1, MADE_RIDE, out->id);
    uint32_t count = sql_next(r->offer_count) ? (uint32_t)sql_int(r->offer_count, 0) : 0;
    sql_reset(r->offer_count);
    struct offer_image *offers = arena_take(arena, (count + 1) * sizeof(*offers));
    out->offers = offers;
    book_row_bind_made(r->offers, 1, MADE_RIDE, out->id);
    while (out->offer_count < count && sql_next(r->offers)) {
        struct offer_image *o = &offers[out->offer_count++];
        book_record_read(r->sql, r->offers, &offer_record, o, NULL);
        book_record_keep(&offer_record, o, arena);
        o->id = entry_id(key, ENTRY_RIDE_OFFER, o->number);
    }
    sql_reset(r->offers);
    ASSERT(out->offer_count == count || !sql_sound(r->sql)); /* one snapshot */
}

/* Steps the statement and reads the ride, if there is one, with its offers. */
static bool read_ride(struct book_ride_reader *r, struct sql_statement *t, struct arena *arena,
                      struct ride_image *out)
{
    uint64_t key[2] = {0};
    bool found = sql_next(t);
    if (found) {
        ASSERT(sql_columns(t) == ride_record.read + 2); /* a statement of RIDES */
        book_record_read(r->sql, t, &ride_record, out, NULL);
        book_record_keep(&ride_record, out, arena);
        struct text fleet = sql_text(t, ride_record.read);
        out->fleet_id = (struct text){arena_copy(arena, fleet.at, fleet.size), fleet.size};
        book_row_pair(r->sql, t, ride_record.read + 1, key);
    }
    sql_reset(t);
    if (found)
        read_offers(r, key, arena, out);
    return found && sql_sound(r->sql);
}

bool book_ride_find(struct book_ride_reader *r, const struct ride_key *key, struct arena *arena,
                    struct ride_image *out)
{
    if (key->offer) {
        sql_bind_int(r->by_offer, 1, (int64_t)key->offer);
        return read_ride(r, r->by_offer, arena, out);
    }
    book_row_bind_made(r->by_id, 1, MADE_RIDE, key->id);
    return read_ride(r, r->by_id, arena, out);
}

/* ---- Lists ---- */

static uint64_t first_number(struct sql_statement *t)
{
    uint64_t number = sql_next(t) ? (uint64_t)sql_int(t, 0) : 0;
    sql_reset(t);
    return number;
}

static uint64_t at_most(struct sql_statement *t, const struct query *q, struct text value, uint64_t most)
{
    sql_bind_ints(t, q->fleet, most);
    if (value.at)
        sql_bind_text(t, 3, value);
    return first_number(t);
}

/* The greatest number at or below `most` that matches all filters; 0: none. */
static uint64_t next_number(struct book_ride_reader *r, const struct query *q, uint64_t most)
{
    const char *word = q->has_ride_status ? ride_status_name(q->ride_status) : NULL;
    struct text status = {word, word ? strlen(word) : 0};
    while (most && sql_in_time(r->sql)) {
        uint64_t agreed = at_most(r->any, q, (struct text){0}, most);
        if (agreed && q->rider_id.at)
            agreed = at_most(r->of_rider, q, q->rider_id, agreed);
        if (agreed && q->driver_id.at)
            agreed = at_most(r->of_driver, q, q->driver_id, agreed);
        if (agreed && status.at)
            agreed = at_most(r->of_status, q, status, agreed);
        ASSERT(agreed <= most); /* each source only goes back, so this ends */
        if (agreed == most)
            return most;
        most = agreed;
    }
    return 0;
}

/* The number to continue from after the last ride of a page; if that was pruned, by its place in time. */
static uint64_t place_after(struct book_ride_reader *r, struct id after)
{
    if (id_none(after))
        return INT64_MAX;
    book_row_bind_made(r->number, 1, MADE_RIDE, after);
    uint64_t number = first_number(r->number);
    if (number)
        return number - 1;
    book_row_bind_made(r->number_before, 1, MADE_RIDE, after);
    return first_number(r->number_before);
}

void book_ride_list(struct book_ride_reader *r, const struct query *q, struct arena *arena, query_row_fn row,
                    void *ctx, struct query_result *result)
{
    ASSERT(q->kind == QUERY_RIDES && q->fleet);
    uint64_t number = next_number(r, q, place_after(r, q->after));
    for (uint32_t rows = 0; number; rows++) {
        struct ride_image image;
        result->more = rows == q->limit;
        if (result->more)
            return;
        arena_reset(arena);
        sql_bind_int(r->by_number, 1, (int64_t)number);
        if (!read_ride(r, r->by_number, arena, &image) || !sql_in_time(r->sql))
            return;
        row(ctx, &(struct query_row){.ride = &image});
        result->last = image.id;
        number = next_number(r, q, number - 1);
    }
}

void book_ride_list_asked(struct book_ride_reader *r, const struct query *q, uint64_t below,
                          struct arena *arena, query_row_fn row, void *ctx, struct query_result *result)
{
    ASSERT(q->kind == QUERY_PERSON && q->user_id.size);
    sql_bind_text(r->asked, 1, q->user_id);
    sql_bind_int(r->asked, 2, (int64_t)below);
    sql_bind_int(r->asked, 3, (int64_t)q->limit + 1);
    for (uint32_t rows = 0; sql_next(r->asked) && query_has_place(q, rows, result); rows++) {
        struct ride_image image;
        arena_reset(arena);
        sql_bind_int(r->by_number, 1, sql_int(r->asked, 0));
        if (!read_ride(r, r->by_number, arena, &image))
            break;
        row(ctx, &(struct query_row){.ride = &image});
    }
    sql_reset(r->asked);
}
