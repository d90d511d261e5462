/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/spare_requests.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "http/wire/request.h"

#define SPARE_MAX 256u

static struct request *take_first(struct spare_requests *s)
{
    struct request *r = s->first;
    ASSERT(r && s->count);
    s->first = r->next;
    s->count--;
    r->next = NULL;
    return r;
}

struct request *spare_requests_take(struct spare_requests *s, struct server *server)
{
    if (s->first)
        return take_first(s);
    struct request *r = memory_get(sizeof *r);
    request_init(r, server);
    return r;
}

void spare_requests_give(struct spare_requests *s, struct request *r)
{
    if (s->count == SPARE_MAX) {
        request_release(r);
        free(r);
        return;
    }
    request_clear(r);
    r->next = s->first;
    s->first = r;
    s->count++;
}

void spare_requests_release(struct spare_requests *s)
{
    while (s->first) {
        struct request *r = take_first(s);
        request_release(r);
        free(r);
    }
    ASSERT(!s->count);
}
