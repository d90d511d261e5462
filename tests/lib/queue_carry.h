/* SPDX-License-Identifier: Apache-2.0 */
/* queue_carry.h — what no restart keeps of waiting rooms, kept for tests: who is present, and the pace of
 * admission. So that a run that restarts all the time can be compared with one that does not. */
#ifndef TESTS_LIB_QUEUE_CARRY_H
#define TESTS_LIB_QUEUE_CARRY_H

#include "core/state.h"

void queue_carry(struct state *from, struct state *to);

#endif
