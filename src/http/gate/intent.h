/* SPDX-License-Identifier: Apache-2.0 */
/* intent.h — the intents of a hold, set in Redis before it is passed on: of all that want the same seats at the same
 * moment, at any node, one goes on to the process that decides.
 *
 *   the copy would grant it ──► take, event by event ──► all taken ──► passed on ──► refused there: given back at once
 *                                  │           │                              └────► anything else: they lapse
 *                                  │           └── refused: 409 taken, held; events taken before are given back
 *                                  └── no reply in 20 ms, or Redis is away: passed on
 *
 * Advisory: whatever Redis answers, only the process that decides grants anything, and a refusal says what is true a
 * moment later or was a moment ago. What is in a key, and when it refuses, is in gate_scripts.h.
 */
#ifndef HTTP_INTENT_H
#define HTTP_INTENT_H

#include "http/wire/request.h"

struct command;
struct intent;

#define INTENT_PATIENCE_MS 20

/* For a hold that the copy would grant; the command is in the request's arena. True: it is answered or passed on later.
 * False: no Redis can be asked, and nothing was done. */
bool intent_ask(struct request *r, const struct command *command);
/* The request was answered by the process that decides, or will be by this one: ends its intents, if it has any, and gives
 * them back if it was refused. */
void intent_settle(struct request *r, bool refused);

#endif
