/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_command.h — commands on an existing reservation: look, change, extend, pay, commit, release.
 *
 * Every command checks in the same order: existence, owner, state, deadline.
 */
#ifndef CORE_RESERVATION_COMMAND_H
#define CORE_RESERVATION_COMMAND_H

#include "core/step.h"

/* Finds the command's reservation and checks its owner. It can have lapsed. FETCH: not in memory; perhaps the book has
 * it. */
enum outcome_code reservation_command_find(struct step *step, struct outcome *out, uint32_t *handle);

/* Whether it belongs to the caller, and to the user named, at this time. */
enum outcome_code reservation_command_owner(struct step *step, uint32_t handle, struct outcome *out);

/* The handler of a command on an existing reservation of the caller. */
typedef enum outcome_code (*reservation_command_fn)(struct step *step, uint32_t handle, struct outcome *out);
/* Finds the reservation, settles it if it has lapsed, and calls the handler. */
enum outcome_code reservation_command_apply(struct step *step, reservation_command_fn command,
                                            struct outcome *out);

/* OK if it is held, otherwise the refusal for its status. */
enum outcome_code reservation_command_state(const struct reservation *r);
/* Finishes a command that changed the reservation: increments its version, emits its change, fills in the answer. */
enum outcome_code reservation_command_changed(struct step *step, uint32_t handle, enum action action,
                                              struct outcome *out);
/* OK if it is held and payment has not started. It must be settled. */
enum outcome_code reservation_command_changeable(struct state *st, uint32_t handle, struct outcome *out);

#endif
