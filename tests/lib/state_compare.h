/* SPDX-License-Identifier: Apache-2.0 */
/* state_compare.h — whether two states of core say the same to everybody who can ask.
 *
 * What only one of them remembers (a reservation or key that the other has forgotten) is passed over; held
 * reservations must be in both. Derived fields are not compared: state_check is for them.
 */
#ifndef TESTS_LIB_STATE_COMPARE_H
#define TESTS_LIB_STATE_COMPARE_H

#include "core/state.h"

#define STATE_COMPARE_SENTENCE 256

/* False: `sentence` tells the first difference. */
bool state_compare(struct state *a, struct state *b, char sentence[STATE_COMPARE_SENTENCE]);

/* The reservation that has the seat, or none. */
struct id state_compare_holder(struct state *st, const struct event *e, uint32_t position);
bool state_compare_reservations(const struct reservation_image *a, const struct reservation_image *b);

#endif
