/* SPDX-License-Identifier: Apache-2.0 */
/* code_call.h — codes in requests: limits wrong ones, so that codes cannot be guessed. */
#ifndef HTTP_CODE_CALL_H
#define HTTP_CODE_CALL_H

#include "core/command.h"
#include "core/outcome.h"
#include "http/wire/request.h"

/* Whether the codes of this command may be tried. False: the caller sent too many wrong ones, and 429 was replied. */
bool code_call_may_try(struct request *r, const struct command *command);
/* Counts the code if it was wrong. */
void code_call_judged(struct request *r, const struct command *command, const struct outcome *outcome);

#endif
