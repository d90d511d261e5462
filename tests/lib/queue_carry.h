/* SPDX-License-Identifier: Apache-2.0 */
/* queue_carry.h — carries over a restart what waiting rooms lose in one: who is present, and the pace of
 * admission. So a run with many restarts can be compared with one without. */
#ifndef TESTS_LIB_QUEUE_CARRY_H
#define TESTS_LIB_QUEUE_CARRY_H

#include "core/state.h"

void queue_carry(struct state *from, struct state *to);

#endif
