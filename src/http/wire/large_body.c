/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/large_body.h"

#include "base/assertion.h"

#define ALIGNMENT _Alignof(struct json_text_value) /* of every struct that a table describes */

bool large_body_is(const struct request *r)
{
    enum body_kind kind = r->route->body;
    return r->body.size > LARGE_BODY_FROM && (kind == BODY_JSON || kind == BODY_PATCH || kind == BODY_LIST);
}

static void read_object(struct request *r, struct large_body *l, const struct json_field *fields)
{
    l->size = json_struct_size(fields);
    l->out = arena_zeroed(&r->arena, l->size);
    l->good = r->route->body == BODY_PATCH
                  ? json_read_patch(r->body.at, r->body.size, fields, l->out, &l->named, &r->arena, &l->fault)
                  : json_read(r->body.at, r->body.size, fields, l->out, &r->arena, &l->fault);
}

static void read_list(struct request *r, struct large_body *l, const struct json_field *fields)
{
    l->size = (json_struct_size(fields) + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    l->good = json_read_list(r->body.at, r->body.size, fields, l->size, r->route->entries_max, &l->out,
                             &l->count, &r->arena, &l->fault);
}

void large_body_work(void *request)
{
    struct request *r = request;
    struct large_body *l = r->large;
    const struct json_field *fields = request_fields(r->route);
    if (r->route->body == BODY_LIST)
        read_list(r, l, fields);
    else
        read_object(r, l, fields);
    if (r->route->idempotent && r->headers.idempotency_key.at)
        request_hash(r->body, l->hash);
    /* Freed here and not on the loop, because freeing a large block takes time too. */
    r->body = TEXT("");
    buf_release(&r->body_bytes);
}

static void on_body_read(void *request)
{
    struct request *r = request;
    r->now_ms = store_now(r->store);
    r->route->handler(r);
}

void large_body_read(struct request *r)
{
    ASSERT(large_body_is(r) && !r->large);
    r->large = arena_zeroed(&r->arena, sizeof(*r->large));
    store_work(r->store, large_body_work, on_body_read, r);
}
