/* SPDX-License-Identifier: Apache-2.0 */
/* call.h — a command on its way: from the handler through the store to the reply.
 *
 * Lives in the request's arena, so that the command and all it points to stay until the store has answered.
 */
#ifndef HTTP_CALL_H
#define HTTP_CALL_H

#include "core/command.h"
#include "core/outcome.h"
#include "http/wire/request.h"

struct call {
    struct request *request;
    struct command command;
    void *about; /* the handler's own, for `granted` */
    /* or NULL: called once when the outcome is known, before any reply */
    void (*ended)(struct call *call, const struct outcome *outcome);
    void (*granted)(struct call *call, const struct outcome *outcome);
};

/* A zeroed command of this kind, by the request's caller. */
struct call *call_make(struct request *r, enum command_kind kind);
/* The user that ?user_id names, at == NULL: nobody; the routes of reservations and of entries have it first.
 * False: it cannot be one, and 400 was replied. */
bool call_named(struct request *r, struct text *out);
/* Whether the `id` of a body, if it has one, is that of the path's parameter. False: 400 was replied. */
bool call_same_id(struct request *r, unsigned parameter, struct json_text_value id);
/* granted is called when the outcome is OK, and finishes the reply; the reply waits for outcome->seq already.
 * A refusal is replied here. */
void call_submit(struct call *call, void (*granted)(struct call *call, const struct outcome *outcome));

/* For work in slices: goes on when the loop has turned and others have had theirs. */
void call_after_turn(struct request *r, void (*go_on)(void *ctx), void *ctx);

/* For `granted`, before the body is begun: 201 or 200; what is a replay says so, with the status of
 * before. */
int call_status(struct call *call, const struct outcome *outcome);
/* For `granted`: a reply without a body, 204. */
void call_reply_empty(struct call *call, const struct outcome *outcome);

#endif
