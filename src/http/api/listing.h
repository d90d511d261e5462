/* SPDX-License-Identifier: Apache-2.0 */
/* listing.h — a page of a list that comes from the book.
 *
 * Rows arrive on the reader thread and are written to the request's scratch buffer and arena; nothing else touches
 * the request until the query is done. Lives in the request's arena.
 */
#ifndef HTTP_LISTING_H
#define HTTP_LISTING_H

#include "book/record/query.h"
#include "http/wire/request.h"

struct listing {
    struct request *request;
    struct query query;
    struct json_writer writer;
    void *data; /* the handler's own data, for its rows */
    /* Writes rows that were only collected so far, back on the loop thread; or NULL. */
    void (*write)(struct listing *listing);
    void (*refuse_more)(
        struct request *r); /* if there are more rows, replies an error instead of a cursor; or NULL */
    const char *type;       /* for rows that write text to the request's scratch; NULL: JSON, by `writer` */
    uint32_t rows;
    /* The id of the last row, or a number in the form of an id: the next page starts after it. */
    struct id last;
    bool cut; /* the page ended before the query did */
};

/* The handler fills in the query. */
struct listing *listing_make(struct request *r);
/* `row` gets the listing as its context. The reply is sent automatically. */
void listing_submit(struct listing *listing, store_row_fn row);

#endif
