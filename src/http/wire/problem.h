/* SPDX-License-Identifier: Apache-2.0 */
/* problem.h — refusals of the store as replies, with the extra members of each code.
 *
 * `taken`, `sold_out` and `no_adjacent_seats` name the unavailable items, `limit_exceeded` the limit, `closed`
 * the hours, `invalid` the field, a refused import the line. The general form of a problem is in reply.h.
 */
#ifndef HTTP_PROBLEM_H
#define HTTP_PROBLEM_H

#include "core/command.h"
#include "core/outcome.h"
#include "http/wire/request.h"

/* Both finish the reply, which waits for the seq that the refusal depends on. */

/* `command` is the refused command: items are named as they were requested. */
void problem_reply_outcome(struct request *r, const struct outcome *outcome, const struct command *command);
void problem_reply_import(struct request *r, const struct import_result *result);

#endif
