/* SPDX-License-Identifier: Apache-2.0 */
/* page.h — one page of a list: `?limit` and `?cursor` in, `{data:[…], next_cursor}` out.
 *
 * A cursor is opaque to clients. It contains the sort key of the list: an id, a number in the form of an id, or a
 * name.
 */
#ifndef HTTP_PAGE_H
#define HTTP_PAGE_H

#include "book/record/query.h"
#include "http/wire/request.h"

/* Each reads the query parameter of that index; on a fault 400 is replied and false returned. */
bool page_limit(struct request *r, unsigned index, uint32_t *limit);
bool page_cursor(struct request *r, unsigned index, struct id *after);        /* none when not given */
bool page_cursor_name(struct request *r, unsigned index, struct text *after); /* empty when not given */
/* In the query 0 means no bound; no record is older than that. */
bool page_times(struct request *r, unsigned from, unsigned to, struct query *query);

void page_begin(struct json_writer *w); /* the entries follow, as values */
/* `more`: there is another page, after `last`. */
void page_end(struct json_writer *w, bool more, struct id last);
void page_end_name(struct json_writer *w, bool more, struct text last);

#endif
