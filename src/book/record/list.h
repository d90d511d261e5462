/* SPDX-License-Identifier: Apache-2.0 */
/* list.h — the numbers of the reservations that a query asks for, newest first.
 *
 * Each filter is a source: it finds its greatest number at or below a given one. The sources are asked in turn until all of
 * them agree on a number, so the most selective filter determines the cost.
 */
#ifndef BOOK_LIST_H
#define BOOK_LIST_H

#include "base/memory/buf.h"
#include "book/record/query.h"
#include "book/file/sql.h"

#define BOOK_LIST_EVENTS_MAX 64 /* events, or calendars, that have had the same id, one after the other */

struct book_list {
    struct sql *sql;
    struct sql_statement *any, *by_user, *by_status, *by_event, *by_calendar, *events, *calendars, *find,
        *find_before, *least, *created, *by_words, *by_payment, *by_ticket;

    const struct query *query;
    uint64_t least_number; /* the smallest number in the book, or that the query allows */
    uint64_t pnr_modulo;
    struct buf phrase; /* the words of the query, for FTS5 */
    bool empty;        /* no reservation can match */
    struct book_list_numbers {
        uint64_t at[BOOK_LIST_EVENTS_MAX];
        uint32_t count;
    } event_numbers, calendar_numbers;
};

void book_list_prepare(struct book_list *l, struct sql *s);
void book_list_release(struct book_list *l);
/* Returns the number to start from; 0: nothing matches. The query must not change while the list is used. */
uint64_t book_list_begin(struct book_list *l, const struct query *query);
/* The greatest number at or below `most` that matches all filters; 0: none. */
uint64_t book_list_next(struct book_list *l, uint64_t most);

#endif
