/* SPDX-License-Identifier: Apache-2.0 */
/* erasure.h — a person goes, and what was sold to them stays.
 *
 * One change names the user and the random name that takes its place. It is a mass change, as that of holds that
 * expire: whoever has records of the user, memory or book, does to them what it says (erasure_clear). So a person with
 * any number of reservations is one step, nothing is ever half done, and a crash in between repeats the whole.
 *
 *   the user's id, everywhere             becomes the new name: counts and limits go with it
 *   reservations                          lose their attributes and those of their items; manage tokens are void
 *   entries of rooms and lists            have left, under the new name
 *   drivers                               have left their fleets; past rides and offers have the new name
 *   tickets, items, amounts, payments     stay
 *
 * The change itself holds the old name, and so do those before it: the journal has to go on in another segment, so that
 * these can be freed. A segment is freed once two others follow it (journal.h), each with a change: so twice a change
 * follows that says no more than which erasure it is for.
 *
 *   erased ──► segments 1 ──► segments 2     (state_erasures_step, when book and journal have the one before)
 */
#ifndef CORE_ERASURE_H
#define CORE_ERASURE_H

#include "core/image.h"

#define ERASURE_SEGMENTS 2 /* of the journal, that follow on the one that has the name */
#define ERASURE_MARK_SIZE 32
#define ERASED_PREFIX "erased_"

struct erasure_image {
    uint64_t number;      /* the seq of the change that erased */
    uint32_t segments;    /* that follow since; 0: this is that change */
    struct text from, to; /* user ids; at == NULL: unless it is that change */
    uint8_t
        mark[ERASURE_MARK_SIZE]; /* by which the erasure is found again without the name; the edge makes it */
};

struct state;
struct buf;

struct erasure {
    uint64_t number;
    uint64_t seq; /* of its last change */
    uint32_t segments;
    uint64_t from[2]; /* a hash of the name; 0,0: the book had it when this process began */
    struct text to;   /* owned */
};
struct erasures {
    struct erasure *all; /* by number; those that are done for a while, too: see erasure_translate */
    uint32_t count, capacity;
};

void erasures_release(struct state *st);

/* A record that the book gave away before it knew of an erasure, or while it took it in: made what it is by now. Items go
 * to `items`, which has room for ITEMS_MAX. */
void erasure_translate(const struct state *st, struct reservation_image *image, struct item_image *items);

/* The same for a name in such a record, which change `number` wrote there. */
struct text erasure_name(const struct state *st, struct text name, uint64_t number);

/* The last one, by number; 0: this process knows of none. */
uint64_t state_erased(const struct state *st);
/* Whether state_erasures_step has something to do: the book has an erasure, and its last change is durable. */
bool state_erasures_due(const struct state *st, uint64_t book_seq, uint64_t durable_seq);
/* The journal goes on in another segment, which begins with what is in `changes`: emits that for each such erasure. */
void state_erasures_step(struct state *st, int64_t now_ms, uint64_t book_seq, uint64_t durable_seq,
                         struct buf *changes);

#endif
