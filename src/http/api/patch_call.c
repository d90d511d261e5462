/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/patch_call.h"

#include <stdio.h>

#include "base/assertion.h"
#include "base/json_merge.h"
#include "http/wire/reply.h"

#define RECORD_SIZE_MAX (2u << 20) /* the largest record with the largest body merged into it */

bool patch_call_check(struct request *r)
{
    struct json_fault fault;
    ASSERT(r->route->body == BODY_PATCH);
    if (json_merge_check(r->body.at, r->body.size, r->route->fields, &r->arena, &fault))
        return true;
    return reply_invalid(r, fault.pointer, fault.detail);
}

void patch_reading_begin(struct patch_reading *p, struct request *r)
{
    ASSERT(!r->kept);
    *p = (struct patch_reading){.request = r};
    buf_init(&p->shown, RECORD_SIZE_MAX);
    p->writer = json_writer_make(&p->shown);
    r->kept = &p->fault;
}

bool patch_reading_merge(struct patch_reading *p, void *body, size_t size)
{
    struct request *r = p->request;
    struct buf merged;
    buf_init(&merged, RECORD_SIZE_MAX);
    json_merge((const char *)p->shown.data, p->shown.size, r->body.at, r->body.size, &r->arena, &merged);
    memset(body, 0, size);
    bool good =
        json_read((const char *)merged.data, merged.size, r->route->fields, body, &r->arena, &p->fault);
    buf_release(&merged);
    return good;
}

bool patch_reading_end(struct patch_reading *p, bool good, struct outcome *out)
{
    struct request *r = p->request;
    ASSERT(r->kept == &p->fault);
    r->kept = NULL;
    buf_release(&p->shown);
    if (good)
        return true;
    ASSERT(p->fault.detail[0]);
    snprintf(out->pointer, sizeof(out->pointer), "%s", p->fault.pointer);
    out->detail = arena_copy(&r->arena, p->fault.detail, strlen(p->fault.detail));
    return false;
}
