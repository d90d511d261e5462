/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/admission.h"

#include "base/assertion.h"
#include "http/server.h"
#include "http/wire/large_body.h"
#include "http/wire/reply.h"

/* The roles that may call the route, with the operator's settings applied. */
static unsigned route_may(const struct server_options *options, const struct route *route)
{
    bool closed = (route->closable == ROUTE_CLOSABLE_METRICS && options->metrics_key) ||
                  (route->closable == ROUTE_CLOSABLE_OPENAPI && options->openapi_closed);
    return closed ? MAY_ADMIN : route->may;
}

/* A sentence that says which credentials the call needs. */
static const char *required_role(unsigned may)
{
    if (may == MAY_ADMIN)
        return "This needs the admin key.";
    if (may == (MAY_APP | MAY_ADMIN))
        return "This needs an app key or the admin key.";
    if (may == (MAY_DOOR | MAY_APP | MAY_ADMIN))
        return "This needs a door key, an app key or the admin key.";
    if (may & MAY_ANONYMOUS)
        return "This is for guests, and callers without a token.";
    return "This needs a user token, an app key or the admin key.";
}

static bool judge_caller(struct request *r, struct fault *fault)
{
    const struct server_options *options = r->server->options;
    if (r->route->closable == ROUTE_CLOSABLE_METRICS && options->metrics_key &&
        auth_bears(r->headers.authorization, options->metrics_key))
        return true;
    enum auth_verdict verdict =
        auth_identify(&r->server->auth, r->headers.authorization, r->now_ms, &r->arena, &r->actor, &r->order);
    if (verdict != AUTH_GOOD) {
        fault_set(fault, FAULT_UNAUTHENTICATED, auth_sentence(verdict));
        fault->bad_token = true;
        return false;
    }
    unsigned may = route_may(options, r->route);
    if (may & 1u << r->actor.role)
        return true;
    if (r->actor.role == ROLE_NONE)
        return fault_set(fault, FAULT_UNAUTHENTICATED, NULL);
    if (r->actor.role == ROLE_ORDER)
        return fault_set(fault, FAULT_FORBIDDEN,
                         "A manage token gives access only to its own reservation, its history and tickets, "
                         "and can cancel or "
                         "transfer it.");
    return fault_set(fault, FAULT_FORBIDDEN, required_role(may));
}

bool admission_judge(struct request *r, struct fault *fault)
{
    if (r->admitted)
        return true;
    r->now_ms = store_now(r->store);
    r->admitted = request_find_route(r, fault) && judge_caller(r, fault) && request_check_type(r, fault) &&
                  request_check_size(r, r->content_length, fault);
    return r->admitted;
}

static bool is_limited(const struct request *r)
{
    enum role role = r->actor.role;
    return role != ROLE_APP && role != ROLE_ADMIN && role != ROLE_DOOR;
}

bool admission_take(struct request *r, enum lane lane, struct fault *fault)
{
    struct server *s = r->server;
    if (!is_limited(r))
        return true;
    if (rate_limits_take(&s->rate_limits, r->address, r->actor.name, lane, r->now_ms, &r->limit))
        return true;
    s->metrics.slowed_down++;
    fault_set(fault, FAULT_SLOW_DOWN, NULL);
    fault->retry_after_s = r->limit.retry_after_s;
    return false;
}

static bool judge_rate(struct request *r, struct fault *fault)
{
    struct server *s = r->server;
    if (!is_limited(r))
        return true;
    if (r->headers.forwarded_for.at)
        r->address = address_forwarded(r->address, r->headers.forwarded_for, s->options->proxies,
                                       s->options->proxy_count);
    if (r->route->lane == LANE_UNSIGNED) /* counted by its handler, and only if the signature is bad */
        return true;
    if (!admission_take(r, r->route->lane, fault))
        return false;
    if (r->route->releases)
        rate_limits_note_release(&s->rate_limits, r->actor.name, r->now_ms);
    return true;
}

static bool is_preflight(const struct request *r, const struct fault *fault)
{
    return fault->code == FAULT_METHOD_NOT_ALLOWED && r->method == METHOD_OPTIONS &&
           r->headers.request_method.at && r->headers.origin.at &&
           server_origin_allowed(r->server, r->headers.origin);
}

void admission_dispatch(struct request *r)
{
    struct fault fault;
    ASSERT(r->body.at);
    r->content_length = r->body.size;
    bool good = admission_judge(r, &fault);
    r->now_ms = store_now(r->store);
    good = good && judge_rate(r, &fault) && request_decode_parameters(r, &fault) &&
           request_check_headers(r, &fault) && request_check_body(r, &fault);
    if (good && large_body_is(r))
        large_body_read(r);
    else if (good)
        r->route->handler(r);
    else if (is_preflight(r, &fault))
        reply_preflight(r, fault.allow);
    else
        reply_fault(r, &fault);
}
