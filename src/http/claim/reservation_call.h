/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_call.h — shared by all calls on one reservation: the id in the path, the user it names, and the
 * reservation as the answer.
 */
#ifndef HTTP_RESERVATION_CALL_H
#define HTTP_RESERVATION_CALL_H

#include "http/api/call.h"

/* A command on the reservation named by the path. `named` is the user_id of the body (text NULL: none);
 * ?user_id counts as well. A user token that names another user is refused here, before anything is looked
 * up. In that case, or if the id is not valid, the refusal is replied and NULL returned. */
struct call *reservation_call_make(struct request *r, enum command_kind kind, struct json_text_value named);
/* The same for a call with a body, which is read into `body` first (request_decode); `named` is in it. */
struct call *reservation_call_read(struct request *r, enum command_kind kind, void *body, size_t size,
                                   struct json_text_value *named);
/* The same for a body that only names the owner (api_owner_fields). */
struct call *reservation_call_owned(struct request *r, enum command_kind kind);
/* The user named by the body or the query, if any. False: refused as above. */
bool reservation_call_named(struct request *r, struct json_text_value named, struct text *out);
/* Whether the caller may name this user, which may be absent. If not, 403 `not_owner` is replied. */
bool reservation_call_may_name(struct request *r, struct text user_id);

/* For call_submit: replies the reservation, 201 or 200. */
void reservation_call_granted(struct call *call, const struct outcome *outcome);
/* The same with its manage token, if it is confirmed. Not for callers with only a manage token. */
void reservation_call_managed(struct call *call, const struct outcome *outcome);
/* For COMMAND_HOLD: also sends the Location of the reservation. */
void reservation_call_created(struct call *call, const struct outcome *outcome);

#endif
