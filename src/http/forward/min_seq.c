/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/min_seq.h"

#include <string.h>

#include "base/text/digits.h"
#include "base/time/clock.h"
#include "http/access/admission.h"
#include "http/forward/forward.h"
#include "http/server.h"

#define TURN_NS 2000000u /* the time of a turn of the loop for those whose change has come */

struct min_seq_wait {
    struct link link;
    struct request *request;
    uint64_t until_ms;
};

void min_seq_init(struct min_seq_waits *waits)
{
    link_init(&waits->all);
    waits->least = UINT64_MAX;
}

static void raise_min_seq(struct request *r, struct text number)
{
    uint64_t seq;
    if (number.at && digits_read(number.at, number.size, &seq) && seq > r->min_seq)
        r->min_seq = seq;
}

/* A stream that resumes and a read with `since` also show how far the client has seen: a node that is behind that would
 * start again with older data. */
static void note_seen(struct request *r)
{
    if (r->route->resumes)
        raise_min_seq(r, r->headers.last_event_id);
    for (unsigned i = 0; i < ROUTE_QUERY_MAX && r->route->query[i].name; i++)
        if (strcmp(r->route->query[i].name, "since") == 0)
            raise_min_seq(r, r->query[i]);
}

bool min_seq_wait(struct request *r)
{
    struct server *s = r->server;
    if (!store_decides(r->store))
        note_seen(r);
    bool book_waits = r->route->min_seq && store_decides(r->store);
    if (r->method != METHOD_GET || r->min_seq <= store_durable_seq(r->store) || r->waited_seq || book_waits ||
        s->stopping)
        return false;
    struct min_seq_wait *w = arena_zeroed(&r->arena, sizeof *w);
    *w = (struct min_seq_wait){.request = r, .until_ms = server_now_ms(s) + MIN_SEQ_WAIT_MS};
    link_init(&w->link);
    link_append(&s->min_seq_waits.all, &w->link);
    if (r->min_seq < s->min_seq_waits.least)
        s->min_seq_waits.least = r->min_seq;
    return true;
}

static struct request *end_wait(struct min_seq_wait *w)
{
    link_remove(&w->link);
    w->request->waited_seq = true;
    w->request->now_ms = store_now(w->request->store);
    return w->request;
}

bool min_seq_run(struct server *s)
{
    struct min_seq_waits *waits = &s->min_seq_waits;
    uint64_t durable = store_durable_seq(s->store), until_ns = clock_monotonic_ns() + TURN_NS;
    if (durable < waits->least)
        return false;
    struct link left;
    link_init(&left);
    link_splice(&left, &waits->all);
    waits->least = UINT64_MAX;
    while (!link_alone(&left)) {
        struct min_seq_wait *w = LINK_OWNER(left.next, struct min_seq_wait, link);
        uint64_t seq = w->request->min_seq;
        if (seq <= durable && clock_monotonic_ns() < until_ns) {
            admission_resume(end_wait(w));
            continue;
        }
        link_append(&waits->all, &w->link);
        waits->least = seq < waits->least ? seq : waits->least;
    }
    return waits->least <= durable;
}

bool min_seq_sweep(struct server *s)
{
    struct link *all = &s->min_seq_waits.all;
    uint64_t until_ns = clock_monotonic_ns() + TURN_NS;
    while (!link_alone(all)) {
        struct min_seq_wait *w = LINK_OWNER(all->next, struct min_seq_wait, link);
        if (s->now_ms < w->until_ms && !s->stopping)
            return false;
        struct request *r = end_wait(w);
        if (store_decides(r->store))
            admission_resume(r);
        else
            forward_request(r);
        if (clock_monotonic_ns() >= until_ns)
            return !link_alone(all);
    }
    return false;
}
