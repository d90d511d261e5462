/* SPDX-License-Identifier: Apache-2.0 */
/* listing.h — a page of a list that comes from the book.
 *
 * Rows arrive on the reader thread and are written to the request's scratch and arena; nothing else touches
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
    void *about; /* the handler's own, for its rows */
    /* Or NULL: writes rows that were only gathered before, back on the loop thread. */
    void (*write)(struct listing *listing);
    void (*refuse_more)(struct request *r); /* or NULL: replies if there are more rows, instead of a cursor */
    const char *type; /* of rows that write text to the request's scratch; NULL: JSON, by `writer` */
    uint32_t rows;
    /* The last one written, or a number in the form of an id: what the next page begins after. */
    struct id last;
    bool cut; /* the page ended before the query did */
};

/* The handler fills in the query. */
struct listing *listing_make(struct request *r);
/* `row` gets the listing as its context. The reply follows by itself. */
void listing_submit(struct listing *listing, store_row_fn row);

#endif
