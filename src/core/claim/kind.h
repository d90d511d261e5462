/* SPDX-License-Identifier: Apache-2.0 */
/* kind.h — what can be asked for, and what can be claimed. A kind of thing is one module and its row.
 *
 * The two are not the same: `best` exists in requests only, and becomes seats when it is picked. Nobody else asks an
 * item what kind it is.
 */
#ifndef CORE_KIND_H
#define CORE_KIND_H

#include "core/step.h"

/* What can be asked for: seat, pool, best, slot. */
struct request_kind {
    /* Which one is left to us: picked after whatever is named, so that it takes nothing of that, and each unit
     * becomes an item of its own. */
    bool choice;
    const char *taken; /* the sentence when it is TAKEN; NULL: that of the code */
    /* Whether the step's reservation has just this already, so that asking again changes nothing. Nothing is resolved
     * yet. NULL: asking again is a wish of its own. */
    bool (*owned)(struct step *step, const struct target *t);
    /* What the phase has to say of this target; PHASE_RESOLVE finds what it names. */
    enum outcome_code (*judge)(struct step *step, struct target *t, enum phase phase, struct outcome *out);
    /* Settles what has lapsed in its way, and plans the items it gets; or adds an obstacle, and says why. */
    enum outcome_code (*pick)(struct step *step, const struct target *t, struct outcome *out);
};
const struct request_kind *request_kind(enum item_kind kind);

/* What can be claimed: seat, pool, slot. */
struct claim_kind {
    /* Where the command wants to move the item: found, or 400, 404. */
    enum outcome_code (*retarget)(struct step *step, struct target *t, struct outcome *out);
    /* Takes back what picking marked. */
    void (*unplan)(struct state *st, const struct planned *p);
};
const struct claim_kind *claim_kind(enum item_kind kind);

/* The rows, each in the module of its name; seats, pools and slots are claimed as well. */
extern const struct request_kind seat_request, pool_request, best_request, slot_request;
extern const struct claim_kind seat_claims, pool_claims, slot_claims;

#endif
