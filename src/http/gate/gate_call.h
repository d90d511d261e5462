/* SPDX-License-Identifier: Apache-2.0 */
/* gate_call.h — holds that a node which follows refuses by its copy, instead of passing them on.
 *
 * The answer is the one that the node that decides would give: 409 `taken`, with its items. With --gate redis, what the copy
 * would grant is refused for an intent of another user (intent.h). Everything else is left to the node that decides: a
 * malformed request, a query, a large body, a Holdfast-Min-Seq beyond the copy, and all that store_gate has no verdict on.
 */
#ifndef HTTP_GATE_CALL_H
#define HTTP_GATE_CALL_H

#include "http/wire/request.h"

struct command;
struct gate_intents;

/* For a request that this node would pass on; its caller, size and rate were judged. True: it is answered, or will be; or it
 * is passed on later. False: nothing was done, and it can be passed on. */
bool gate_call(struct request *r);
/* Refuses the hold because its seats have these intents, if the copy would still grant it. True: it is answered. */
bool gate_refuse(struct request *r, const struct command *command, const struct gate_intents *intents);

#endif
