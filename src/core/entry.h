/* SPDX-License-Identifier: Apache-2.0 */
/* entry.h — whose entry a command is about: the same in a waiting room and on a waiting list.
 *
 * A user joins, looks and leaves for themselves. App and admin act for others and name the user when they join;
 * if they name a user later, it must be the entry's owner. For a user, another user's entry does not exist, so
 * that an id reveals nothing.
 *
 * Finds and refuses, but settles nothing: the status of an entry is up to the queue or the list.
 */
#ifndef CORE_ENTRY_ENTRY_H
#define CORE_ENTRY_ENTRY_H

#include "core/entry_id.h"
#include "core/state.h"

/* JOIN: the user who joins. OK, NOT_OWNER, or INVALID: no user is named. */
enum outcome_code entry_joiner(const struct state *st, const struct command *c, struct text *user,
                               struct outcome *out);
/* JOIN: whether the caller may have a new entry with this code, by the same rules as for buying. *code: the event's,
 * or NULL. */
enum outcome_code entry_judge_joiner(const struct state *st, const struct event *e, struct text given,
                                     struct code **code, struct outcome *out);
/* LOOK, LEAVE: the event of the command, and the number of the entry in its queue or on its list. OK, NO_SUCH_EVENT,
 * NO_SUCH_ENTRY, NOT_OWNER. */
enum outcome_code entry_find(struct state *st, const struct command *c, enum entry_kind kind,
                             struct event **e, uint32_t *number, struct outcome *out);
/* JOIN, repeated: the number of the entry that the first request made. OK, or NO_SUCH_ENTRY: it was in an earlier
 * event of the same name. */
enum outcome_code entry_made(const struct event *e, enum entry_kind kind, struct id made, uint32_t *number,
                             struct outcome *out);
/* The number of the event's entry with this id; 0: none. */
uint32_t entry_number(const struct event *e, enum entry_kind kind, struct id id);

#endif
