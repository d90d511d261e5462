/* SPDX-License-Identifier: Apache-2.0 */
/* desk.h — what can be asked about one reservation that exists: look, change, extend, pay, commit, release.
 *
 * Every command checks in the same order: it exists, it is theirs, its state, its deadline.
 */
#ifndef CORE_DESK_H
#define CORE_DESK_H

#include "core/state.h"

/* The reservation of the command: it exists and is theirs. It may have lapsed. FETCH when only the book may
 * know it. */
enum outcome_code desk_find(struct state *st, const struct command *c, struct outcome *out, uint32_t *handle);

/* A command on a reservation that exists and is theirs. */
typedef enum outcome_code (*desk_fn)(struct state *st, uint32_t handle, const struct command *c,
                                     struct outcome *out);
/* Finds the reservation, settles it if its time has run out, and lets the command have it. */
enum outcome_code desk_apply(struct state *st, const struct command *c, desk_fn command, struct outcome *out);

enum outcome_code desk_look(struct state *st, uint32_t handle, const struct command *c, struct outcome *out);
enum outcome_code desk_attributes(struct state *st, uint32_t handle, const struct command *c,
                                  struct outcome *out);
enum outcome_code desk_extend(struct state *st, uint32_t handle, const struct command *c,
                              struct outcome *out);
enum outcome_code desk_payment(struct state *st, uint32_t handle, const struct command *c,
                               struct outcome *out);
enum outcome_code desk_commit(struct state *st, uint32_t handle, const struct command *c,
                              struct outcome *out);
enum outcome_code desk_release(struct state *st, uint32_t handle, const struct command *c,
                               struct outcome *out);
enum outcome_code desk_item_drop(struct state *st, uint32_t handle, const struct command *c,
                                 struct outcome *out);
enum outcome_code desk_item_move(struct state *st, uint32_t handle, const struct command *c,
                                 struct outcome *out);

/* Held, in time, and not being paid for. */
enum outcome_code desk_changeable(struct state *st, uint32_t handle, struct outcome *out);
/* Held to confirmed; the caller emits. */
void desk_confirm(struct state *st, uint32_t handle, const uint64_t ticket_key[2]);
/* Held to released. Emits. */
void desk_let_go(struct state *st, uint32_t handle);
/* A reservation was confirmed, and that is emitted: whoever stood in a waiting room for it has finished.
 * Emits. */
void desk_bought(struct state *st, uint32_t handle);

#endif
