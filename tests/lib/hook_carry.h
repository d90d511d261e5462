/* SPDX-License-Identifier: Apache-2.0 */
/* hook_carry.h — carries over a restart what hooks lose in one: attempts and due time of each message, and which are
 * being sent. So a run with many restarts can be compared with one without. */
#ifndef TESTS_LIB_HOOK_CARRY_H
#define TESTS_LIB_HOOK_CARRY_H

#include "core/state.h"

void hook_carry(struct state *from, struct state *to);

#endif
