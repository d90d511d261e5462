/* SPDX-License-Identifier: Apache-2.0 */
/* world.h — core with everything a command needs around it: a clock, a journal in memory, a book.
 *
 * After every step the rules are recomputed (state_check), and what no single state can show is watched: a
 * seat's version grows with every claim and every end of one and stays otherwise, each grant's fence is
 * greater than every one before, and no deadline moves earlier.
 */
#ifndef TESTS_LIB_WORLD_H
#define TESTS_LIB_WORLD_H

#include "core/state.h"
#include "fake_book.h"

#define WORLD_EPOCH_MS 1700000000000LL /* the instant that scripts call 0 */

struct world {
    struct state *st;
    int64_t now_ms;
    struct buf journal; /* every change so far */
    uint64_t *ends;     /* offset in the journal after the change of seq i + 1 */
    uint64_t *begins;   /* the last seq before the step that has the change of seq i + 1 */
    uint64_t changes;   /* in the journal: the last seq */
    uint64_t ends_capacity;
    struct fake_book book;
    uint64_t fetches; /* FETCH outcomes that the book answered */
    uint64_t fence_most;
    bool behind;         /* the book takes in nothing more before something is fetched from it */
    bool carry;          /* restarts keep who is present and the pace of admission, though no server's does */
    bool adding;         /* the last step added items: deadlines may move earlier */
    struct watch *watch; /* what seats and reservations looked like after the last step */
    char fault[512];     /* the first rule that broke; "" while none has */
};

void world_init(struct world *w);
void world_release(struct world *w);

/* Applies a command now; FETCH is answered by the book. NO_SUCH_RESERVATION when the book has none. */
enum outcome_code world_apply(struct world *w, struct command *c, struct outcome *out);
uint32_t world_expire(struct world *w, uint32_t most);
/* Waiting rooms take their steps, each of at most `most`, until nothing is due. Returns how many entries were
 * admitted. */
uint32_t world_admit(struct world *w, uint32_t most);
/* Waiting lists are served until nothing is due. */
void world_serve(struct world *w);
void world_record(struct world *w); /* the book catches up */
/* The book catches up and core forgets all it may. Returns how many. */
/* Whoever wants it is told of holds that are about to expire; returns of how many. */
uint32_t world_warn(struct world *w);
/* Sends out the counted refusals; the rows are appended. Returns how many. */
uint32_t world_tell_refusals(struct world *w, struct buf *rows);
/* The journal goes on in another segment, for erasures that the book has. Returns for how many. */
uint32_t world_segment(struct world *w);
/* Rides are offered until nothing is due; returns how many offers that made. */
uint32_t world_dispatch(struct world *w);
uint32_t world_forget(struct world *w);
/* What was claimed of cancelled events is taken back, until nothing is to be done now. Returns of how many sales. */
uint32_t world_cancel(struct world *w);

/* The last seq, of this or one before, with which a step was over: where a journal or a book may end. */
uint64_t world_step_end(const struct world *w, uint64_t seq);
/* A new process: the state is rebuilt from the book as it was at book_seq, or at the end of the step before,
 * and the journal after it, and must equal the old one. 0: from the journal alone. */
void world_restart(struct world *w, uint64_t book_seq);

/* Imports seats: stages the rows, makes the layout, publishes. */
/* NO_SUCH_SEAT where the store would say so. */
enum outcome_code world_remove_seats(struct world *w, struct text event, const struct text *ids,
                                     uint32_t count, struct outcome *out);
enum outcome_code world_import(struct world *w, struct text event, const struct buf *rows, uint32_t count,
                               struct outcome *out);

#endif
