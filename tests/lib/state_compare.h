/* SPDX-License-Identifier: Apache-2.0 */
/* state_compare.h — whether two states of core give the same answers.
 *
 * Records that only one of them has in memory (a reservation or key that the other has forgotten) are skipped; held
 * reservations must be in both. Derived fields are not compared: state_check covers them.
 */
#ifndef TESTS_LIB_STATE_COMPARE_H
#define TESTS_LIB_STATE_COMPARE_H

#include "core/state.h"

#define STATE_COMPARE_SENTENCE 256

/* False: `sentence` has the first difference. */
bool state_compare(struct state *a, struct state *b, char sentence[STATE_COMPARE_SENTENCE]);

/* The reservation that has the seat, or none. */
struct id state_compare_holder(struct state *st, const struct event *e, uint32_t position);
bool state_compare_reservations(const struct reservation_image *a, const struct reservation_image *b);

#endif
