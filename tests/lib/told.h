/* SPDX-License-Identifier: Apache-2.0 */
/* told.h — whether restoring a step's changes announces every visible difference that the step itself announced.
 *
 * A copy of the state is fed with the changes of each step, as in recovery. Streams and boards of such a copy are as
 * good as those of the original only if it announces at least as much.
 */
#ifndef TESTS_LIB_TOLD_H
#define TESTS_LIB_TOLD_H

#include "core/state.h"

#define TOLD_SENTENCE 160

struct told {
    struct state *copy;
    struct change change;
    struct told_row {
        const char *what; /* "seat", "queue entry" and so on */
        uint64_t name[4]; /* by numbers that mean the same in both states */
    } * rows;             /* of the last step */
    uint32_t count, capacity;
};

void told_init(struct told *t);
void told_release(struct told *t);
/* Applies the changes of a step, before told_check. False: they do not fit. */
bool told_restore(struct told *t, const struct buf *changes, uint32_t count);
/* Whether the copy has announced everything that st has. False: `sentence` says what is missing. */
bool told_check(const struct told *t, const struct state *st, char sentence[TOLD_SENTENCE]);

#endif
