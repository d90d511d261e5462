/* SPDX-License-Identifier: Apache-2.0 */
/* world.h — the engine with everything that a host gives it: a clock, a log in memory, a book.
 *
 * After every step the rules are recomputed (state_check), and what no single state can show is watched: a
 * seat's version grows with every claim and every end of one and stays otherwise, each grant's fence is
 * greater than every one before, and no deadline moves earlier.
 */
#ifndef TESTS_LIB_WORLD_H
#define TESTS_LIB_WORLD_H

#include "engine/engine.h"
#include "fake_book.h"

#define WORLD_EPOCH_MS 1700000000000LL /* the instant that scripts call 0 */

struct world {
    struct state *st;
    struct engine engine;
    struct log log; /* only its room is asked */
    int64_t now_ms;
    struct buf batch;   /* changes of the step under way */
    struct buf journal; /* every change so far */
    uint64_t *ends;     /* offset in the journal after the change of seq i + 1 */
    uint64_t *begins;   /* the last seq before the step that has the change of seq i + 1 */
    uint64_t changes;   /* in the journal: the last seq */
    uint64_t ends_capacity;
    struct fake_book book;
    uint64_t fence_most;
    bool behind;         /* the book takes in nothing more before something is fetched from it */
    bool carry;          /* restarts keep who is present and the pace of admission, though no server's does */
    bool adding;         /* the step under way adds items: deadlines may move earlier */
    struct watch *watch; /* what seats and reservations looked like after the last step */
    char fault[512];     /* the first rule that broke; "" while none has */

    /* Of the last call. */
    uint32_t appended;     /* changes of its last step */
    struct touch *touches; /* the same, what looks different */
    uint32_t touch_count;
    uint64_t reads, keys; /* of the book, and records that they named */

    /* Counted since the world was made, from the changes. */
    uint64_t offers;      /* of rides */
    uint64_t warnings;    /* of holds that are about to expire */
    uint64_t refunded;    /* sales, or items of them */
    uint64_t admitted;    /* entries of waiting rooms */
    struct buf *refusals; /* where rows of refusals go; NULL: nowhere */
    uint64_t refusal_count;
};

void world_init(struct world *w);
void world_release(struct world *w);

/* What the log says of its room from now on; LOG_ROOM_OK at first. */
void world_set_room(struct world *w, enum log_room room);

/* Submits a command now, reads what it needs from the book, and takes it further until it is answered. */
enum outcome_code world_apply(struct world *w, const struct command *c, struct outcome *out);
/* Holds lapse, at most so many. Returns how many did. */
uint32_t world_expire(struct world *w, uint32_t most);
/* Waiting rooms take their steps, each of at most `most`, until nothing is due. Returns how many entries were
 * admitted. */
uint32_t world_admit(struct world *w, uint32_t most);
/* Waiting lists are served until nothing is due. */
void world_serve(struct world *w);
void world_record(struct world *w); /* the book catches up */
/* Hooks hear of holds that are about to expire; returns of how many. */
uint32_t world_warn(struct world *w);
/* Sends out the counted refusals; the rows are appended. Returns how many. */
uint32_t world_tell_refusals(struct world *w, struct buf *rows);
/* The journal goes on in another segment, for erasures that the book has. Returns for how many. */
uint32_t world_segment(struct world *w);
/* Rides are offered until nothing is due; returns how many offers that made. */
uint32_t world_dispatch(struct world *w);
/* The book catches up and core forgets all it may. Returns how many reservations. */
uint32_t world_forget(struct world *w);
/* What was claimed of cancelled events is taken back, until nothing is to be done now. Returns of how many sales. */
uint32_t world_cancel(struct world *w);

/* The last seq, of this or one before, with which a step was over: where a journal or a book may end. */
uint64_t world_step_end(const struct world *w, uint64_t seq);
/* A new process: the state is rebuilt from the book as it was at book_seq, or at the end of the step before,
 * and the journal after it, and must equal the old one. 0: from the journal alone. */
void world_restart(struct world *w, uint64_t book_seq);

/* NO_SUCH_SEAT where the store would say so. */
enum outcome_code world_remove_seats(struct world *w, struct text event, const struct text *ids,
                                     uint32_t count, struct outcome *out);
/* Imports seats: makes the layout, stages the rows, publishes. */
enum outcome_code world_import(struct world *w, struct text event, const struct buf *rows, uint32_t count,
                               struct outcome *out);

#endif
