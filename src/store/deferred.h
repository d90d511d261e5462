/* SPDX-License-Identifier: Apache-2.0 */
/* deferred.h — what cannot be answered yet: commands with more to settle than one step does, commands on a
 * record that only the book has, and queries that need a newer book. Loop thread; each kind waits in a list
 * of the store. */
#ifndef STORE_DEFERRED_H
#define STORE_DEFERRED_H

#include "store/local.h"

/* The command answered OUTCOME_RETRY: it is applied again, a step at a time, after those that came before
 * it. */
void deferred_retry(struct store *s, const struct command *c, store_done_fn done, void *ctx);
/* Takes the first one a step further; those after it, too, if that was all it needed. True: there is more to
 * do. */
bool deferred_retry_step(struct store *s);

/* The command answered OUTCOME_FETCH: the record that `out` names is read and put back, then the command is
 * applied. */
void deferred_fetch(struct store *s, const struct command *c, const struct outcome *out, store_done_fn done,
                    void *ctx);

/* Runs the queries that the book is now new enough for, and those that have waited long enough. */
void deferred_queries(struct store *s);

#endif
