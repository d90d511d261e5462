/* SPDX-License-Identifier: Apache-2.0 */
/* call.h — a command in progress: from the handler through the store to the reply.
 *
 * Lives in the request's arena, so that the command and all it points to stay valid until the store has answered.
 */
#ifndef HTTP_CALL_H
#define HTTP_CALL_H

#include "core/command.h"
#include "core/outcome.h"
#include "http/wire/request.h"

struct call {
    struct request *request;
    struct command command;
    void *data; /* the handler's own data, for `granted` */
    /* Called once when the outcome is known, before any reply; or NULL. */
    void (*ended)(struct call *call, const struct outcome *outcome);
    void (*granted)(struct call *call, const struct outcome *outcome);
};

/* A zeroed command of this kind, by the request's caller. */
struct call *call_make(struct request *r, enum command_kind kind);
/* The user named by ?user_id, if any; it is the first query parameter of the routes of reservations and entries.
 * False: not a valid user id, and 400 was replied. */
bool call_read_user(struct request *r, struct text *out);
/* Whether the `id` of a body, if given, equals the path's parameter. False: 400 was replied. */
bool call_check_id(struct request *r, unsigned parameter, struct json_text_value id);
/* granted is called if the outcome is OK, and finishes the reply, which already waits for outcome->seq.
 * A refusal is replied here. */
void call_submit(struct call *call, void (*granted)(struct call *call, const struct outcome *outcome));

/* For work in slices: continues after a turn of the loop, so that other requests get theirs. */
void call_after_turn(struct request *r, void (*next)(void *ctx), void *ctx);

/* For `granted`, before the body is begun: 201 or 200; a replay has the original status, and a header that says so. */
int call_status(struct call *call, const struct outcome *outcome);
/* For `granted`: a reply without a body, 204. */
void call_reply_empty(struct call *call, const struct outcome *outcome);

#endif
