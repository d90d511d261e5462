/* SPDX-License-Identifier: Apache-2.0 */
/* mirror_users.h — users of sales that memory has forgotten, for keys that Redis lacks: they are looked up in the book, a
 * page of an event's claims at a time. Loop thread only; a thread of the store fills in the page. */
#ifndef HTTP_MIRROR_USERS_H
#define HTTP_MIRROR_USERS_H

#include "base/resp/resp_reader.h"
#include "book/record/query.h"
#include "http/gate/mirror_batch.h"

#define MIRROR_MISSING_MAX (2 * MIRROR_BATCH_MAX)

struct mirror_users {
    struct mirror_seat {
        uint64_t event;
        uint32_t position;
    } missing[MIRROR_MISSING_MAX];
    uint32_t missing_count;

    bool asking; /* the book was asked for a page */
    struct query query;
    struct mirror_user_row {
        uint64_t fence;
        uint32_t position, user_at, user_size;
    } rows[MIRROR_BATCH_MAX];
    uint32_t row_count, row_next; /* next: the first that was not used */
    struct buf names;
    void (*ready)(void *ctx); /* called when a page has come */
    void *ctx;
};

void mirror_users_init(struct mirror_users *u, void (*ready)(void *ctx), void *ctx);
void mirror_users_release(struct mirror_users *u);
/* Forgets what is missing, and what the page has. */
void mirror_users_forget(struct mirror_users *u);

/* The reply to the batch: the indexes of seats whose user is needed. */
void mirror_users_miss(struct mirror_users *u, const struct mirror_batch *b, const struct resp_value *reply);
/* Something is missing, or was looked up and not used yet. */
bool mirror_users_busy(const struct mirror_users *u);
/* Asks the book, if something is missing and the last page was used. */
void mirror_users_look_up(struct mirror_users *u, struct store *s);
/* Adds the claims of the page that are still as the book has them. */
void mirror_users_fill(struct mirror_users *u, struct view *v, struct mirror_batch *b);

#endif
