/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_command.h — what can be asked of one reservation that exists: look, change, extend, pay,
 * commit, release.
 *
 * Every command checks in the same order: existence, owner, state, deadline.
 */
#ifndef CORE_RESERVATION_COMMAND_H
#define CORE_RESERVATION_COMMAND_H

#include "core/step.h"

/* Finds the command's reservation and checks its owner. It may have lapsed. FETCH: only the book may know
 * it. */
enum outcome_code reservation_command_find(struct step *step, struct outcome *out, uint32_t *handle);

/* Whether it is the caller's, and the named user's, as it is now. */
enum outcome_code reservation_command_owner(struct step *step, uint32_t handle, struct outcome *out);

/* A command on a reservation that exists and is the caller's. */
typedef enum outcome_code (*reservation_command_fn)(struct step *step, uint32_t handle, struct outcome *out);
/* Finds the reservation, settles it if it has lapsed, and runs the command on it. */
enum outcome_code reservation_command_apply(struct step *step, reservation_command_fn command,
                                            struct outcome *out);

/* Why a reservation in this state is not a held one; OK: it is. */
enum outcome_code reservation_command_state(const struct reservation *r);
/* Finishes a command that changed the reservation: the next version, its change, the answer. */
enum outcome_code reservation_command_changed(struct step *step, uint32_t handle, enum action action,
                                              struct outcome *out);
/* Held, in time, and not being paid for. */
enum outcome_code reservation_command_changeable(struct state *st, uint32_t handle, struct outcome *out);

#endif
