/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h — verdicts by a copy: a state that follows another process refuses holds that are certainly in vain.
 *
 * The copy may be a little old, so it judges a request as the process that decides would, in the same code and in the
 * same order, and refuses for one reason only: TAKEN, for seats that are sold, or held for a while yet. At the same seq
 * and time the process that decides refuses it, too, with the same items; where people are on the waiting list it may
 * name more.
 *
 * It also says which holds it would grant: the seats they name are free, or held for a moment only. Many of these may
 * be under way at the same time, at several nodes, and only one can win: such a hold may be refused for an intent of
 * another user (http/gate/intent.h). Anything else (another refusal, a blocked seat, a record that only the book has)
 * is no verdict, and the request goes to the process that decides.
 *
 * Not here: how old the copy is, which its host knows (store_gate).
 */
#ifndef CORE_GATE_H
#define CORE_GATE_H

#include "core/command.h"
#include "core/limits.h"
#include "core/outcome.h"

/* A hold with no more time than this left counts as lapsed: the copy's clock, or the copy itself, can be that wrong. */
#define GATE_LEFT_MS 1000

struct event;
struct state;

enum gate_verdict {
    GATE_NO_VERDICT, /* *out means nothing */
    GATE_REFUSES,    /* *out is the answer */
    GATE_GRANTS      /* a HOLD of named seats only; *out means nothing */
};

/* Items of the request that must not be granted, though they may be free: an intent of another user is on them. */
struct gate_intents {
    uint32_t count;
    uint32_t items[ITEMS_MAX]; /* indexes, ascending */
};

/* Judges a HOLD or ITEMS_ADD without changing anything but the counts of refusals (refusal.h). What would be GATE_GRANTS
 * is refused as held if there are `intents`; NULL: none. */
enum gate_verdict state_judge(struct state *st, const struct command *c, int64_t now_ms,
                              const struct gate_intents *intents, struct outcome *out);

/* For the phase of the waiting list. False: what the list may be offered first could change the verdict on a request of
 * this user. */
bool gate_passes_list(const struct state *st, const struct event *e, struct text user);

#endif
