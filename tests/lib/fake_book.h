/* SPDX-License-Identifier: Apache-2.0 */
/* fake_book.h — a book for tests: another state, built from the journal's changes, that never forgets.
 *
 * So every test that uses it also proves that changes alone rebuild the effect of commands.
 */
#ifndef TESTS_LIB_FAKE_BOOK_H
#define TESTS_LIB_FAKE_BOOK_H

#include "core/state.h"
#include "engine/fetch.h"

#define FAKE_BOOK_ROWS 64u /* per reservation */

struct fake_book {
    struct state *st; /* its seq says how far the book is */
    struct change change;

    /* For fake_book_read. */
    int64_t now_ms;
    struct fake_book_scratch {
        struct item_image items[ITEMS_MAX];
        struct payment_image payments[FAKE_BOOK_ROWS];
        struct refund_image refunds[FAKE_BOOK_ROWS];
    } scratch[OUTCOME_LACKS_MAX];
};

void fake_book_init(struct fake_book *b);
void fake_book_release(struct fake_book *b);

/* Takes the next `count` encoded changes. False: one of them does not fit. */
bool fake_book_take(struct fake_book *b, const uint8_t *changes, size_t size, uint32_t count);

/* Loads an empty state as a start of the server does, then applies the journal's `count` changes beyond the
 * book. False: one of them does not fit. */
bool fake_book_recover(struct fake_book *b, struct state *to, const uint8_t *changes, size_t size,
                       uint32_t count);

/* Restores the record that b->change changes, as RESTORE_FETCH asks. False: the book does not have it. */
bool fake_book_recall(struct fake_book *b, struct state *to);

/* Reads what an engine fetches, as a librarian does. The records are valid until the next call. */
void fake_book_read(struct fake_book *b, int64_t now_ms, const struct fetch *fetch,
                    struct fetched records[OUTCOME_LACKS_MAX]);

/* The last image of a reservation; false when the book has none. The items go to `items`. */
bool fake_book_find(struct fake_book *b, struct id id, struct reservation_image *out,
                    struct item_image *items);

#endif
