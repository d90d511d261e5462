/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_command.h — what can be asked of one reservation that exists: look, change, extend, pay, commit,
 * release.
 *
 * Every command checks in the same order: it exists, it is theirs, its state, its deadline.
 */
#ifndef CORE_RESERVATION_COMMAND_H
#define CORE_RESERVATION_COMMAND_H

#include "core/step.h"

/* The reservation of the command: it exists and is theirs. It may have lapsed. FETCH when only the book may
 * know it. */
enum outcome_code reservation_command_find(struct step *step, struct outcome *out, uint32_t *handle);

/* A command on a reservation that exists and is theirs. */
typedef enum outcome_code (*reservation_command_fn)(struct step *step, uint32_t handle, struct outcome *out);
/* Finds the reservation, settles it if its time has run out, and lets the command have it. */
enum outcome_code reservation_command_apply(struct step *step, reservation_command_fn command,
                                            struct outcome *out);


/* Held, in time, and not being paid for. */
enum outcome_code reservation_command_changeable(struct state *st, uint32_t handle, struct outcome *out);

#endif
