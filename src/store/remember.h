/* SPDX-License-Identifier: Apache-2.0 */
/* remember.h — puts records back into memory that only the book has, because a change from the log builds on them. */
#ifndef STORE_REMEMBER_H
#define STORE_REMEMBER_H

#include "core/state.h"

struct book_reader;

struct remembering {
    struct state *state;
    const char *book;
    struct book_reader *reader; /* opened on demand */
};

/* Loads what the change builds on. CORRUPT: the book does not have it, or contradicts memory. */
struct status remember(struct remembering *r, struct change *c);
void remembering_close(struct remembering *r);

#endif
