/* SPDX-License-Identifier: Apache-2.0 */
/* world.h — the engine with everything a host provides: a clock, a log in memory, a book.
 *
 * After every step the rules are recomputed (state_check), and rules that no single state can show are watched: a
 * seat's version grows with every claim and every end of one and stays otherwise, each grant's fence is greater than
 * all before, no deadline moves earlier, and the sales that were named add up to the seats that are sold.
 */
#ifndef TESTS_LIB_WORLD_H
#define TESTS_LIB_WORLD_H

#include "engine/engine.h"
#include "fake_book.h"
#include "follower.h"
#include "sold.h"

#define WORLD_EPOCH_MS 1700000000000LL /* the instant 0 of scripts */

struct world {
    struct state *st;
    struct engine engine;
    struct log log; /* only asked for its room */
    int64_t now_ms;
    struct buf batch;   /* changes of the current step */
    struct buf journal; /* every change so far */
    uint64_t *ends;     /* offset in the journal after the change of seq i + 1 */
    uint64_t *begins;   /* the last seq before the step with the change of seq i + 1 */
    uint64_t changes;   /* in the journal: the last seq */
    uint64_t ends_capacity;
    struct fake_book book;
    uint64_t fence_most;
    bool behind;         /* the book takes in nothing more before something is fetched from it */
    bool carry;          /* restarts keep presence and the pace of admission, though no server does */
    bool adding;         /* the current step adds items: deadlines can move earlier */
    struct follower *follower; /* or NULL */
    uint32_t follow_every;     /* its batches have the steps of this many calls; 0: one step each */
    uint32_t calls;            /* since it has applied one */
    struct sold sold;          /* by the sales that the engine has named */
    struct watch *watch; /* seats and reservations after the last step */
    char fault[512];     /* the first broken rule; "": none */

    /* Of the last call. */
    uint32_t appended;     /* changes of its last step */
    struct touch *touches; /* of its last step: visible differences */
    uint32_t touch_count;
    uint64_t reads, keys; /* of the book, and records requested in them */

    /* Counted since the world was made, from the changes. */
    uint64_t offers;      /* of rides */
    uint64_t warnings;    /* of holds that are about to expire */
    uint64_t refunded;    /* sales, or items of them */
    uint64_t admitted;    /* entries of waiting rooms */
    struct buf *refusals; /* where rows of refusals go, or NULL */
    uint64_t refusal_count;
};

void world_init(struct world *w);
void world_release(struct world *w);
/* From now on a copy follows, and is compared: see follow_every. */
void world_follow(struct world *w, uint32_t follow_every);
/* At the end of a call: the copy applies what it has, if it is time. */
void world_let_follow(struct world *w);
/* The copy takes over, and another one follows it. */
void world_take_over(struct world *w);

/* Sets the log's answer about its room; initially LOG_ROOM_OK. */
void world_set_room(struct world *w, enum log_room room);

/* Submits a command now, reads what it needs from the book, and continues until it is answered. */
enum outcome_code world_apply(struct world *w, const struct command *c, struct outcome *out);
/* Lets a copy made for it judge the command (core/claim/gate.h); out: TAKEN, or RETRY if it does not refuse. Its counts are
 * added to those of the state. */
enum gate_verdict world_judge(struct world *w, const struct command *c, const struct gate_intents *intents,
                              struct outcome *out);
/* Lets at most `most` holds lapse. Returns how many did. */
uint32_t world_expire(struct world *w, uint32_t most);
/* Runs the waiting rooms, in steps of at most `most`, until nothing is due. Returns how many entries were admitted. */
uint32_t world_admit(struct world *w, uint32_t most);
/* Serves waiting lists until nothing is due. */
void world_serve(struct world *w);
void world_record(struct world *w); /* the book catches up */
/* Emits warnings for holds that are about to expire; returns how many. */
uint32_t world_warn(struct world *w);
/* Emits the counted refusals and appends the rows. Returns how many. */
uint32_t world_report_refusals(struct world *w, struct buf *rows);
/* Moves the journal to another segment, for erasures that the book has. Returns for how many. */
uint32_t world_segment(struct world *w);
/* Makes offers of rides until nothing is due; returns how many. */
uint32_t world_dispatch(struct world *w);
/* The book catches up and core forgets everything it can. Returns how many reservations. */
uint32_t world_forget(struct world *w);
/* Takes back claims of cancelled events until nothing is left to do now. Returns how many sales. */
uint32_t world_cancel(struct world *w);

/* The last seq, this one or before, at which a step ended: where a journal or a book can end. */
uint64_t world_step_end(const struct world *w, uint64_t seq);
/* A new process: rebuilds the state from the book as it was at book_seq, or at the end of the step before, and the
 * journal after it; it must equal the old one. 0: from the journal alone. */
void world_restart(struct world *w, uint64_t book_seq);

/* NO_SUCH_SEAT where the store would answer that. */
enum outcome_code world_remove_seats(struct world *w, struct text event, const struct text *ids,
                                     uint32_t count, struct outcome *out);
/* Imports seats: makes the layout, stages the rows, publishes. */
enum outcome_code world_import(struct world *w, struct text event, const struct buf *rows, uint32_t count,
                               struct outcome *out);

#endif
