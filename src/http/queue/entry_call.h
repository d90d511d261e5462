/* SPDX-License-Identifier: Apache-2.0 */
/* entry_call.h — shared by the calls on waiting rooms and waiting lists: the event and the entry in the path, the
 * user, and the entry as the answer.
 *
 * The kind of the command says which of the two it is. Core decides who may join and who may see an entry.
 */
#ifndef HTTP_ENTRY_CALL_H
#define HTTP_ENTRY_CALL_H

#include "http/api/call.h"

/* A command to join: for the named user (text NULL: none), with the request's Idempotency-Key. */
struct call *entry_call_join(struct request *r, enum command_kind kind, struct json_text_value named);
/* Submits a command on the entry in the path, for the owner in ?user_id, if given. An invalid id becomes one that no
 * entry has: core refuses it after it has looked for the event. */
void entry_call_entry(struct request *r, enum command_kind kind,
                      void (*granted)(struct call *call, const struct outcome *outcome));

/* For call_submit: replies the entry, 201 or 200. */
void entry_call_shown(struct call *call, const struct outcome *outcome);
/* The same, with the Location of the entry. */
void entry_call_joined(struct call *call, const struct outcome *outcome);

#endif
