/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_carry.h — carries over a restart what is not persisted: positions and last reports of drivers, and who is
 * asked next. */
#ifndef TESTS_LIB_DISPATCH_CARRY_H
#define TESTS_LIB_DISPATCH_CARRY_H

#include "core/state.h"

void dispatch_carry(struct state *from, struct state *to);
/* Whether the records of all fleets are the same; either can have forgotten rides that have ended. False: sentence says
 * what differs. */
bool dispatch_compare(struct state *a, struct state *b, char *sentence, size_t size);
/* As the book does: loads the fleets, or an ended ride. */
bool dispatch_load(struct state *from, struct state *to);
bool dispatch_fetch(struct state *book, const struct ride_key *key, struct ride_image *image);

#endif
