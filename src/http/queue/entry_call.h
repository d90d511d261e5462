/* SPDX-License-Identifier: Apache-2.0 */
/* entry_call.h — what the calls on waiting rooms and waiting lists share: the event and the entry in the
 * path, the user named, and the entry as the answer.
 *
 * The kind of the command says which of the two it is. Who may join, and who may look, core judges.
 */
#ifndef HTTP_ENTRY_CALL_H
#define HTTP_ENTRY_CALL_H

#include "http/api/call.h"

/* A joining command: for the user named (text NULL: nobody is), under the Idempotency-Key that came with
 * it. */
struct call *entry_call_join(struct request *r, enum command_kind kind, struct json_text_value named);
/* Submits a command on the entry that the path names, for the owner that ?user_id names, if it does. An id
 * that cannot be one is nobody's: core says so, after it has looked for the event. */
void entry_call_entry(struct request *r, enum command_kind kind,
                      void (*granted)(struct call *call, const struct outcome *outcome));

/* For call_submit: replies the entry, 201 or 200. */
void entry_call_shown(struct call *call, const struct outcome *outcome);
/* The same; with the place of the entry. */
void entry_call_joined(struct call *call, const struct outcome *outcome);

#endif
