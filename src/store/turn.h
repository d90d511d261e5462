/* SPDX-License-Identifier: Apache-2.0 */
/* turn.h — the store's part in each turn of the loop. For the files of store/ only. */
#ifndef STORE_TURN_H
#define STORE_TURN_H

#include "store/local.h"

/* Opens the six handles of struct store: from now on there are turns. */
void turn_open(struct store *s);
/* Closes the handles; `closed` is called when all are. */
void turn_close(struct store *s, void (*closed)(struct store *s));

#endif
