/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_carry.h — takes over a restart what is not written down: where drivers are and when they were heard of, and
 * who is asked next. */
#ifndef TESTS_LIB_DISPATCH_CARRY_H
#define TESTS_LIB_DISPATCH_CARRY_H

#include "core/state.h"

void dispatch_carry(struct state *from, struct state *to);
/* Whether the records of all fleets are the same; of rides that are over one may have forgotten some. False: sentence
 * says what differs. */
bool dispatch_compare(struct state *a, struct state *b, char *sentence, size_t size);
/* As the book does: what it has of fleets, and a ride that is over. */
bool dispatch_load(struct state *from, struct state *to);
bool dispatch_fetch(struct state *book, const struct ride_key *key, struct ride_image *image);

#endif
