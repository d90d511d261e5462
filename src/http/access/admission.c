/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/admission.h"

#include <string.h>

#include "base/assertion.h"
#include "http/gate/gate_call.h"
#include "http/forward/forward.h"
#include "http/forward/min_seq.h"
#include "http/forward/node_header.h"
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

/* A key, but not one that this node knows: it may have been made a moment ago. Tokens are judged by the secret, which all
 * nodes have. */
static bool may_be_new_key(const struct request *r, enum auth_verdict verdict)
{
    struct text sent = r->headers.authorization;
    return verdict == AUTH_UNKNOWN && !store_decides(r->store) && route_shows_state(r->route) &&
           !memchr(sent.at, '.', sent.size);
}

static bool judge_caller(struct request *r, struct fault *fault)
{
    const struct server_options *options = r->server->options;
    if (r->route->closable == ROUTE_CLOSABLE_METRICS && options->metrics_key &&
        auth_bears(r->headers.authorization, options->metrics_key))
        return true;
    enum auth_verdict verdict =
        auth_identify(&r->server->auth, r->headers.authorization, r->now_ms, &r->arena, &r->actor, &r->order);
    r->unknown_key = may_be_new_key(r, verdict);
    if (r->unknown_key)
        return true;
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

/* Whether another node sent it. A client that claims to be one is refused, so that no rule below is left out for it. */
static bool judge_sender(struct request *r, struct fault *fault)
{
    struct server *s = r->server;
    struct node_claim claim;
    if (!s->options->node || !r->headers.node.at)
        return true;
    const char *method = r->head ? "HEAD" : method_name(r->method);
    if (!node_header_read(&s->node_keys, r->headers.node, method, r->target, store_wall(r->store), &claim))
        return fault_set(fault, FAULT_FORBIDDEN, "Invalid Holdfast-Node: only nodes of this site may send it.");
    r->from_node = true;
    r->node_digest = claim.digest;
    r->address = claim.address;
    if (r->connection)
        connection_of_node(r->connection);
    return true;
}

/* Whether the body is the one that the other node signed. */
static bool judge_digest(const struct request *r, struct fault *fault)
{
    char digest[NODE_DIGEST_SIZE + 1];
    if (!r->from_node || (r->route->body == BODY_IMPORT && text_equal(r->node_digest, TEXT(NODE_DIGEST_STREAMED))))
        return true;
    node_digest(r->body, digest);
    return text_equal(r->node_digest, (struct text){digest, NODE_DIGEST_SIZE}) ||
           fault_set(fault, FAULT_FORBIDDEN, "Invalid Holdfast-Node: it is for another body.");
}

bool admission_judge(struct request *r, struct fault *fault)
{
    /* A key that the owner was to judge is judged here if this node has taken over since. */
    if (r->admitted && !(r->unknown_key && store_decides(r->store)))
        return true;
    r->now_ms = store_now(r->store);
    r->admitted = judge_sender(r, fault) && request_find_route(r, fault) && judge_caller(r, fault) && request_check_type(r, fault) &&
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
    if (!is_limited(r) || r->from_node) /* the other node has charged it */
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

/* The one place that sends a request elsewhere because this server does not decide: nothing was applied. */
static bool judge_node(struct request *r, struct fault *fault)
{
    bool decides = store_decides(r->store);
    if (r->from_node && !decides) /* a request is passed on once */
        return fault_set(fault, FAULT_MISDIRECTED, NULL);
    r->to_owner = !decides && (r->route->node == NODE_FORWARD || r->unknown_key);
    if (r->to_owner || store_may_answer(r->store) || !route_shows_state(r->route))
        return true;
    fault_set(fault, FAULT_UNAVAILABLE, NULL);
    fault->retry_after_s = 1;
    return false;
}

static bool is_preflight(const struct request *r, const struct fault *fault)
{
    return fault->code == FAULT_METHOD_NOT_ALLOWED && r->method == METHOD_OPTIONS &&
           r->headers.request_method.at && r->headers.origin.at &&
           server_origin_allowed(r->server, r->headers.origin);
}

/* `good`: so far; else the fault is set. */
static void answer(struct request *r, bool good, struct fault *fault)
{
    if (good && r->to_owner) {
        if (!gate_call(r)) /* else the copy has refused it */
            forward_request(r);
        return;
    }
    good = good && request_decode_parameters(r, fault) && request_check_headers(r, fault) &&
           request_check_body(r, fault);
    if (good && min_seq_wait(r))
        return;
    if (good && large_body_is(r))
        large_body_read(r);
    else if (good)
        r->route->handler(r);
    else if (is_preflight(r, fault))
        reply_preflight(r, fault->allow);
    else
        reply_fault(r, fault);
}

void admission_dispatch(struct request *r)
{
    struct fault fault;
    ASSERT(r->body.at);
    r->content_length = r->body.size;
    bool good = admission_judge(r, &fault);
    r->now_ms = store_now(r->store);
    good = good && judge_rate(r, &fault) && judge_digest(r, &fault) && judge_node(r, &fault);
    answer(r, good, &fault);
}

bool admission_upload(struct request *r, struct fault *fault)
{
    if (store_decides(r->store) || r->route->body != BODY_IMPORT)
        return true;
    if (!judge_rate(r, fault) || !judge_node(r, fault))
        return false;
    if (r->to_owner)
        forward_begin_upload(r);
    return true;
}

void admission_resume(struct request *r)
{
    struct fault fault;
    r->admitted = false;
    memset(r->query, 0, sizeof r->query); /* read again */
    bool good = admission_judge(r, &fault) && judge_node(r, &fault);
    ASSERT(!r->dispatching);
    r->dispatching = true; /* a handler may use the request after its reply */
    answer(r, good, &fault);
    r->dispatching = false;
    if (r->reply.finished)
        connection_handled(r);
}
