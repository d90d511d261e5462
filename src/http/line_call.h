/* SPDX-License-Identifier: Apache-2.0 */
/* line_call.h — what the calls on waiting rooms and waiting lists have in common: whom they are about, and
 * how a creating one is answered.
 */
#ifndef HTTP_LINE_CALL_H
#define HTTP_LINE_CALL_H

#include "http/call.h"

/* Who joins: the caller, or for an app or admin the user named. On a fault the refusal is replied and false
 * returned. */
bool line_call_user(struct request *r, struct json_text_value named, struct text *out);
/* A command on the queue entry that the path names. An id that cannot be one is nobody's: core says so, after
 * it has looked for the event. */
struct call *line_call_queue_entry(struct request *r, enum command_kind kind);
/* The status of the answer to a creating call; says when it is a replay. Before the body is begun. */
int line_call_status(struct request *r, const struct outcome *outcome);

#endif
