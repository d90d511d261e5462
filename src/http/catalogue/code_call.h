/* SPDX-License-Identifier: Apache-2.0 */
/* code_call.h — codes that come with a request, so that nobody can try them out. */
#ifndef HTTP_CODE_CALL_H
#define HTTP_CODE_CALL_H

#include "core/command.h"
#include "core/outcome.h"
#include "http/wire/request.h"

/* Whether the codes of this command may be looked at; false: its caller has sent too many wrong ones, and 429 was replied. */
bool code_call_may_try(struct request *r, const struct command *command);
/* Counts a wrong one. */
void code_call_judged(struct request *r, const struct command *command, const struct outcome *outcome);

#endif
