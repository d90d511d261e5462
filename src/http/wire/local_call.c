/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/local_call.h"

#include <stdio.h>

#include "base/assertion.h"
#include "base/time/clock.h"
#include "http/access/admission.h"
#include "http/server.h"

#define BEARER "Bearer "
#define HEAD_END "\r\n\r\n"

static struct text text_of(const char *text)
{
    return text ? (struct text){text, strlen(text)} : (struct text){0};
}

static struct text bearer(struct request *r)
{
    const char *key = r->server->auth.credentials->admin_key;
    size_t size = sizeof BEARER + strlen(key);
    char *text = arena_take(&r->arena, size);
    snprintf(text, size, BEARER "%s", key);
    return text_of(text);
}

static void take_body(struct request *r, struct text body)
{
    buf_append(&r->body_bytes, body.at, body.size);
    *buf_reserve(&r->body_bytes, 1) = '\0';
    r->body = (struct text){(const char *)r->body_bytes.data, r->body_bytes.size};
}

void local_call_make(struct server *server, struct local_call *call)
{
    ASSERT(!server->stopping);
    struct request *r = server_take_request(server);
    r->local = call;
    r->started_ns = clock_monotonic_ns();
    r->method = call->method;
    r->target = text_of(call->target);
    r->headers.authorization = bearer(r);
    r->headers.content_type = text_of(call->body_type);
    take_body(r, call->body);
    r->dispatching = true;
    admission_dispatch(r);
    r->dispatching = false;
    if (r->reply.finished)
        local_call_end(r);
}

void local_call_end(struct request *r)
{
    struct local_call *call = r->local;
    int status = r->reply.status;
    const char *reply = (const char *)call->reply.data, *end = reply + call->reply.size;
    const char *body = memmem(reply, call->reply.size, HEAD_END, strlen(HEAD_END));
    ASSERT(body);
    body += strlen(HEAD_END);
    server_give_request(r);
    call->answered(call->ctx, status, (struct text){body, (size_t)(end - body)});
}
