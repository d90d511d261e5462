/* SPDX-License-Identifier: Apache-2.0 */
/* deferred.h — queries that need a newer book than there is. Loop thread; they wait in a list of the store. */
#ifndef STORE_DEFERRED_H
#define STORE_DEFERRED_H

#include "store/local.h"

/* Runs the queries that the book is now new enough for, and those that have waited long enough. */
void deferred_queries(struct store *s);

#endif
