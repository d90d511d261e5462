/* SPDX-License-Identifier: Apache-2.0 */
/* turn.h — the store's part in each turn of the loop. For the files of store/ only. */
#ifndef STORE_TURN_H
#define STORE_TURN_H

#include "store/local.h"

/* Opens the six handles of struct store: from now on there are turns. */
void turn_open(struct store *s);
/* Catches up with the time since the last run. Before anything is shown: what is free may be for a waiting
 * list. From here on absence from a queue counts. */
void turn_first(struct store *s);
/* Writes down how many holds were refused since the last time, if there is room. */
void turn_tell_refusals(struct store *s);
/* store/cancelling.c: a slice of what is taken back of cancelled events. True: there is more. */
bool cancelling_step(struct store *s);
/* Closes the handles; `closed` is called when all are. */
void turn_close(struct store *s, void (*closed)(struct store *s));

#endif
