/* SPDX-License-Identifier: Apache-2.0 */
#include "book/record/list.h"

#include "base/assertion.h"
#include "book/record/row.h"
#include "book/record/search.h"

#define PHRASE_SIZE_MAX 4096
#define CHAPTER_BITS 18 /* of the index reservations_by_user */
_Static_assert(CHAPTER_BITS == 18, "the statement by_user has the same number");

void book_list_prepare(struct book_list *l, struct sql *s)
{
    *l = (struct book_list){.sql = s};
    l->any = sql_prepare(s, "SELECT number FROM reservations WHERE number <= ? ORDER BY number DESC LIMIT 1");
    l->created =
        sql_prepare(s, "SELECT created_at FROM reservations WHERE number <= ? ORDER BY number DESC LIMIT 1");
    l->least = sql_prepare(s, "SELECT min(number) FROM reservations");
    /* INDEXED BY: with another plan the query would walk the whole table and run out of time. */
    l->by_user = sql_prepare(
        s, "SELECT number FROM reservations INDEXED BY reservations_by_user WHERE number >> 18 = ?1 "
           "AND user_id = ?2 AND number <= ?3 ORDER BY number DESC LIMIT 1");
    l->by_status = sql_prepare(s, "SELECT number FROM reservations INDEXED BY reservations_by_status "
                                  "WHERE status = ?1 AND number <= ?2 ORDER BY number DESC LIMIT 1");
    l->by_event = sql_prepare(s, "SELECT reservation FROM items INDEXED BY items_by_event "
                                 "WHERE event = ?1 AND reservation <= ?2 ORDER BY reservation DESC LIMIT 1");
    l->by_calendar =
        sql_prepare(s, "SELECT reservation FROM items INDEXED BY items_by_calendar "
                       "WHERE calendar = ?1 AND reservation <= ?2 ORDER BY reservation DESC LIMIT 1");
    l->by_words = sql_prepare(
        s, "SELECT rowid FROM search WHERE search MATCH ?1 AND rowid <= ?2 ORDER BY rowid DESC LIMIT 1");
    l->by_payment = sql_prepare(
        s, "SELECT max(r.number) FROM payments p CROSS JOIN reservations r ON r.id = p.reservation "
           "WHERE p.payment_ref = ?1 AND r.number <= ?2");
    /* A transfer issues new codes: the old ones are void, and marked. */
    l->by_ticket =
        sql_prepare(s, "SELECT max(reservation) FROM (SELECT reservation FROM tickets WHERE code = ?1 "
                       "UNION ALL SELECT reservation FROM ticket_marks WHERE code = ?1)");
    buf_init(&l->phrase, PHRASE_SIZE_MAX);
    l->calendars = sql_prepare(s, "SELECT number FROM calendars WHERE id = ? ORDER BY number DESC");
    l->events = sql_prepare(s, "SELECT number FROM events WHERE id = ? ORDER BY number DESC");
    l->find = sql_prepare(s, "SELECT number FROM reservations WHERE id = ?");
    l->find_before = sql_prepare(s, "SELECT number FROM reservations WHERE id < ? ORDER BY id DESC LIMIT 1");
}

void book_list_release(struct book_list *l)
{
    buf_release(&l->phrase);
}

static uint64_t first_number(struct sql_statement *t)
{
    uint64_t number = sql_next(t) ? (uint64_t)sql_int(t, 0) : 0;
    sql_reset(t);
    return number;
}

static uint64_t number_of(struct sql_statement *t, uint64_t key, uint64_t most)
{
    sql_bind_ints(t, key, most);
    return first_number(t);
}

/* ---- Sources ---- */

/* For an index that is divided into chapters, which makes writing faster (see the schema): newest chapter first. */
static uint64_t chapters_at_most(struct book_list *l, struct sql_statement *by, struct text key,
                                 uint64_t most)
{
    for (uint64_t chapter = most >> CHAPTER_BITS; sql_in_time(l->sql); chapter--) {
        sql_bind_int(by, 1, (int64_t)chapter);
        sql_bind_text(by, 2, key);
        sql_bind_int(by, 3, (int64_t)most);
        uint64_t number = first_number(by);
        if (number || chapter <= l->least_number >> CHAPTER_BITS)
            return number;
    }
    return 0;
}

static uint64_t payment_at_most(struct book_list *l, uint64_t most)
{
    sql_bind_text(l->by_payment, 1, l->query->payment_ref);
    sql_bind_int(l->by_payment, 2, (int64_t)most);
    return first_number(l->by_payment);
}

static uint64_t ticket_at_most(struct book_list *l, uint64_t most)
{
    sql_bind_text(l->by_ticket, 1, l->query->ticket);
    uint64_t number = first_number(l->by_ticket);
    return number <= most ? number : 0;
}

static uint64_t named_at_most(const struct book_list_numbers *named, struct sql_statement *by, uint64_t most)
{
    /* Events or calendars that were removed and created again share an id: the newest reservation of any of them. */
    uint64_t greatest = 0;
    for (uint32_t i = 0; i < named->count; i++) {
        uint64_t number = number_of(by, named->at[i], most);
        greatest = number > greatest ? number : greatest;
    }
    return greatest;
}

static uint64_t pnr_at_most(const struct book_list *l, uint64_t most)
{
    ASSERT(l->pnr_modulo < PNR_MODULUS);
    if (most < l->pnr_modulo)
        return 0;
    /* A PNR encodes the number modulo PNR_MODULUS: its numbers are a fixed step apart. */
    return most - (most - l->pnr_modulo) % PNR_MODULUS;
}

static uint64_t any_at_most(struct book_list *l, uint64_t most)
{
    sql_bind_int(l->any, 1, (int64_t)most);
    return first_number(l->any);
}

static uint64_t status_at_most(struct book_list *l, uint64_t most)
{
    sql_bind_word(l->by_status, 1, reservation_status_name(l->query->status));
    sql_bind_int(l->by_status, 2, (int64_t)most);
    return first_number(l->by_status);
}

static uint64_t words_at_most(struct book_list *l, uint64_t most)
{
    sql_bind_text(l->by_words, 1, (struct text){(const char *)l->phrase.data, l->phrase.size});
    sql_bind_int(l->by_words, 2, (int64_t)most);
    return first_number(l->by_words);
}

/* One round through the sources. */
static uint64_t round_at_most(struct book_list *l, uint64_t most)
{
    const struct query *q = l->query;
    /* First, so that the others start from a reservation that exists. */
    most = any_at_most(l, most);
    if (most && q->pnr.at)
        most = pnr_at_most(l, most);
    if (most && q->event.at)
        most = named_at_most(&l->event_numbers, l->by_event, most);
    if (most && q->calendar.at)
        most = named_at_most(&l->calendar_numbers, l->by_calendar, most);
    if (most && q->user_id.at)
        most = chapters_at_most(l, l->by_user, q->user_id, most);
    if (most && q->ticket.at)
        most = ticket_at_most(l, most);
    if (most && q->payment_ref.at)
        most = payment_at_most(l, most);
    if (most && q->has_status)
        most = status_at_most(l, most);
    if (most && q->words.at)
        most = words_at_most(l, most);
    return most;
}

uint64_t book_list_next(struct book_list *l, uint64_t most)
{
    if (l->empty)
        return 0;
    while (most && most >= l->least_number && sql_in_time(l->sql)) {
        uint64_t agreed = round_at_most(l, most);
        ASSERT(agreed <= most); /* each source only goes back, so this ends */
        if (agreed == most)
            return most;
        /* A source has skipped numbers: ask all again from there. */
        most = agreed;
    }
    return 0;
}

/* ---- Beginning ---- */

/* The number to continue from after the last reservation of a page; if that was pruned, by its place in time. */
static uint64_t place_after(struct book_list *l, struct id after)
{
    book_row_bind_id(l->find, 1, after);
    uint64_t number = first_number(l->find);
    if (number)
        return number - 1;
    book_row_bind_id(l->find_before, 1, after);
    return first_number(l->find_before);
}

/* Whether the newest reservation at or below this number was created before at_ms, or there is none. */
static bool made_before(struct book_list *l, uint64_t number, int64_t at_ms)
{
    sql_bind_int(l->created, 1, (int64_t)number);
    bool before = !sql_next(l->created) || sql_int(l->created, 0) < at_ms;
    sql_reset(l->created);
    return before;
}

/* The greatest number up to which all were created before at_ms. Numbers are in the order of time, so a binary search finds
 * it without an index. */
static uint64_t last_before(struct book_list *l, int64_t at_ms)
{
    uint64_t low = 0, high = any_at_most(l, INT64_MAX);
    if (made_before(l, high, at_ms))
        return high;
    while (high - low > 1 && sql_in_time(l->sql)) {
        uint64_t middle = low + (high - low) / 2;
        if (made_before(l, middle, at_ms))
            low = middle;
        else
            high = middle;
    }
    ASSERT(low < high);
    return low;
}

/* Narrows the numbers to those that were made when the query says. Returns where to begin. */
static uint64_t within_times(struct book_list *l, uint64_t most)
{
    if (l->query->from_ms) {
        uint64_t first = last_before(l, l->query->from_ms) + 1;
        l->least_number = first > l->least_number ? first : l->least_number;
    }
    uint64_t last = l->query->to_ms ? last_before(l, l->query->to_ms) : most;
    return last < most ? last : most;
}

static void read_named(struct sql_statement *t, struct text id, struct book_list_numbers *out)
{
    sql_bind_text(t, 1, id);
    while (out->count < BOOK_LIST_EVENTS_MAX && sql_next(t))
        out->at[out->count++] = (uint64_t)sql_int(t, 0);
    sql_reset(t);
}

uint64_t book_list_begin(struct book_list *l, const struct query *query)
{
    ASSERT(query->kind == QUERY_RESERVATIONS || query->kind == QUERY_PERSON);
    l->query = query;
    l->empty = query->pnr.at && !pnr_read(query->pnr, &l->pnr_modulo);
    l->least_number = first_number(l->least);
    l->event_numbers.count = l->calendar_numbers.count = 0;
    l->phrase.size = 0;
    if (query->words.at) {
        book_search_phrase(query->words, &l->phrase);
        l->empty = l->empty || l->phrase.size == 0;
    }
    if (query->event.at)
        read_named(l->events, query->event, &l->event_numbers);
    if (query->calendar.at)
        read_named(l->calendars, query->calendar, &l->calendar_numbers);
    l->empty = l->empty || (query->calendar.at && !l->calendar_numbers.count);
    return within_times(l, id_none(query->after) ? INT64_MAX : place_after(l, query->after));
}
