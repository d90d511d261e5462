/* SPDX-License-Identifier: Apache-2.0 */
/* gate.h — refusals by a copy: a state that follows another process refuses holds that are certainly in vain.
 *
 * The copy may be a little old, so it judges a request as the process that decides would, in the same code and in the
 * same order, and says one thing only: TAKEN, for seats that are sold, or held for a while yet. Anything else (granted,
 * another refusal, a blocked seat, a record that only the book has) is no verdict, and the request goes to the process
 * that decides. At the same seq and time that one refuses it, too, with the same items; where people are on the waiting
 * list it may name more.
 *
 * Not here: how old the copy is, which its host knows (store_refuses).
 */
#ifndef CORE_GATE_H
#define CORE_GATE_H

#include "core/command.h"
#include "core/outcome.h"

/* A hold with no more time than this left counts as lapsed: the copy's clock, or the copy itself, can be that wrong. */
#define GATE_LEFT_MS 1000

struct event;
struct state;

/* Judges a HOLD or ITEMS_ADD without changing anything but the counts of refusals (refusal.h). True: refused, and *out
 * is the answer. False: no verdict, and *out means nothing. */
bool state_refuses(struct state *st, const struct command *c, int64_t now_ms, struct outcome *out);

/* For the phase of the waiting list. False: what the list may be offered first could change the verdict on a request of
 * this user. */
bool gate_passes_list(const struct state *st, const struct event *e, struct text user);

#endif
