/* SPDX-License-Identifier: Apache-2.0 */
/* request_body.c — part of request.h: reads bodies into structs, by the table of their route. */
#include <stdio.h>

#include "base/assertion.h"
#include "http/wire/large_body.h"
#include "http/wire/reply.h"

const struct json_field *request_fields(const struct route *route)
{
    static const struct json_field nothing[] = {JSON_END};
    return route->fields ? route->fields : nothing;
}

static bool read_large(const struct large_body *l, void *out, size_t out_size, uint64_t *named,
                       struct json_fault *fault)
{
    if (!l->good) {
        *fault = l->fault;
        return false;
    }
    ASSERT(l->size <= out_size);
    memcpy(out, l->out, l->size);
    *named = l->named;
    return true;
}

bool request_read(struct request *r, void *out, size_t out_size, struct json_fault *fault)
{
    ASSERT(r->route->body == BODY_JSON);
    memset(out, 0, out_size);
    if (r->large)
        return read_large(r->large, out, out_size, &(uint64_t){0}, fault);
    return json_read(r->body.at, r->body.size, request_fields(r->route), out, &r->arena, fault);
}

bool request_decode(struct request *r, void *out, size_t out_size)
{
    struct json_fault fault;
    return request_read(r, out, out_size, &fault) || reply_invalid(r, fault.pointer, fault.detail);
}

bool request_decode_patch(struct request *r, void *out, size_t out_size, uint64_t *named)
{
    struct json_fault fault;
    ASSERT(r->route->body == BODY_PATCH);
    memset(out, 0, out_size);
    bool good =
        r->large ? read_large(r->large, out, out_size, named, &fault)
                 : json_read_patch(r->body.at, r->body.size, r->route->fields, out, named, &r->arena, &fault);
    return good || reply_invalid(r, fault.pointer, fault.detail);
}

bool request_decode_list(struct request *r, size_t entry_size, void **entries, size_t *count)
{
    char detail[96];
    struct json_fault fault;
    const struct large_body *l = r->large;
    ASSERT(r->route->body == BODY_LIST && (!l || l->size == entry_size));
    bool good = l ? l->good
                  : json_read_list(r->body.at, r->body.size, r->route->fields, entry_size,
                                   r->route->entries_max, entries, count, &r->arena, &fault);
    if (!good)
        return reply_invalid(r, l ? l->fault.pointer : fault.pointer, l ? l->fault.detail : fault.detail);
    if (l) {
        *entries = l->out;
        *count = l->count;
    }
    if (*count)
        return true;
    snprintf(detail, sizeof detail, "Invalid body: expected 1 to %u entries, got 0.", r->route->entries_max);
    return reply_invalid(r, "", detail);
}
