/* SPDX-License-Identifier: Apache-2.0 */
/* follower.h — a copy of a state that is fed with the encoded changes alone, as a node is that follows another.
 *
 * It has a book of its own, which it records and forgets by. Its streams and boards are as good as those of the original
 * only if it announces every visible difference that the original announced, so that is compared, with the state.
 */
#ifndef TESTS_LIB_FOLLOWER_H
#define TESTS_LIB_FOLLOWER_H

#include "fake_book.h"
#include "state_compare.h"

struct follower {
    struct state *st;
    struct fake_book book; /* never further than st */
    bool forgets;          /* everything it may, after each batch */
    int64_t ahead_ms;      /* how far its clock is ahead of the last change */
    struct buf batch;      /* taken and not applied */
    uint32_t count;        /* of its changes */
    struct follower_rows { /* what was announced since the last check */
        struct follower_row {
            const char *what; /* "queue entry" and so on */
            uint64_t name[4]; /* by numbers that mean the same in both states */
        } * all;
        uint32_t count, capacity;
    } announced, expected;
    struct follower_verdict { /* on the request that the original judges next */
        bool refused;
        bool grants; /* and no seat of it is held at that instant */
        bool exact; /* it was where the original is, at the same time */
        struct outcome out;
        struct obstacle obstacles[ITEMS_MAX];
    } verdict;
    char fault[STATE_COMPARE_SENTENCE]; /* "": none */
};

void follower_init(struct follower *f);
void follower_release(struct follower *f);
/* The original took a step: its changes, and what it announced. */
void follower_take(struct follower *f, const struct buf *changes, uint32_t count);
void follower_expect(struct follower *f, const struct state *original);
/* Applies all that was taken, as one batch. */
void follower_apply(struct follower *f);
/* After that: the rules hold in it, it has announced what was expected, and it equals the original. */
void follower_check(struct follower *f, struct state *original);
/* Before the original judges a hold, or more items: whether the copy refuses it (core/claim/gate.h). */
void follower_judge(struct follower *f, const struct state *original, int64_t now_ms, const struct command *c);
/* What the copy refused, the original has refused, too, with the same answer. */
void follower_judged(struct follower *f, const struct outcome *out);
/* It decides from now on: returns its state, which the caller owns, and is released. NULL: a fault. */
struct state *follower_take_over(struct follower *f);

#endif
