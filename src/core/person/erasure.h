/* SPDX-License-Identifier: Apache-2.0 */
/* erasure.h — a person is erased, and what was sold to them stays.
 *
 * One change has the user's name and the random name that replaces it. It is a mass change, as for expiring holds:
 * memory and book each apply it to their own records of the user. So a person with any number of reservations is erased
 * in one step, never partly, and a crash in between repeats the whole.
 *
 *   the user's id, everywhere             becomes the new name, with its counts and limits
 *   reservations                          lose their attributes and those of their items; manage tokens are void
 *   entries of rooms and lists            leave, under the new name
 *   drivers                               leave their fleets; past rides and offers get the new name
 *   tickets, items, amounts, payments     stay
 *
 * This change and those before it have the old name: the journal has to move on to new segments, so that the old ones
 * can be freed. A segment is freed once two others follow it (journal.h), each with a change: so two more changes
 * follow, which only name the erasure they are for.
 *
 *   erased ──► segments 1 ──► segments 2     (state_erasures_step, when book and journal have the one before)
 */
#ifndef CORE_ERASURE_H
#define CORE_ERASURE_H

#include "core/image.h"

#define ERASURE_SEGMENTS 2 /* journal segments that must follow the one with the name */
#define ERASURE_MARK_SIZE 32
#define ERASED_PREFIX "erased_"

struct erasure_image {
    uint64_t number;                 /* the seq of the change that erased */
    uint32_t segments;               /* that follow so far; 0: this is that change */
    struct text from, to;            /* user ids; only in that change */
    uint8_t mark[ERASURE_MARK_SIZE]; /* identifies the erasure without the name; made by the edge */
};

struct state;
struct buf;

struct erasure {
    uint64_t number;
    uint64_t seq; /* of its last change */
    uint32_t segments;
    uint64_t from[2]; /* a hash of the name; 0,0: it was already in the book when this process started */
    struct text to;   /* owned */
};
struct erasures {
    struct erasure *all; /* by number; completed ones are kept for a while: see erasure_translate */
    uint32_t count, capacity;
};

void erasures_release(struct state *st);

/* Updates a record that was read from the book before or while the book applied an erasure. Items go to `items`, which
 * has room for ITEMS_MAX. */
void erasure_translate(const struct state *st, struct reservation_image *image, struct item_image *items);

/* The same for a name in such a record that change `number` wrote there. */
struct text erasure_name(const struct state *st, struct text name, uint64_t number);

/* The last erasure, by number; 0: none known to this process. */
uint64_t state_erased(const struct state *st);
/* Whether state_erasures_step has something to do: the book has an erasure, and its last change is durable. */
bool state_erasures_due(const struct state *st, uint64_t book_seq, uint64_t durable_seq);
/* The journal moves to another segment, which begins with `changes`: emits one change for each such erasure. */
void state_erasures_step(struct state *st, int64_t now_ms, uint64_t book_seq, uint64_t durable_seq,
                         struct buf *changes);

#endif
