/* SPDX-License-Identifier: Apache-2.0 */
/* layouts.c — the document of an event's seats: written and compressed by a worker, once per layout. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/text/gzip.h"
#include "base/json/json_writer.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "view/answers.h"

struct layout_job {
    struct view *view;
    uint64_t event;        /* its number: the index may belong to another event when the job is done */
    struct layout *layout; /* shared; NULL: no seats */
    char event_id[ID_SIZE_MAX + 1];
    struct document *document;
    struct layout_job *next; /* in view.layout_jobs */
    struct layout_waiter {
        struct layout_waiter *next;
        void (*done)(void *ctx, struct document *document);
        void *ctx;
    } * waiters;
};

static void waiter_add(struct layout_job *job, void (*done)(void *ctx, struct document *document), void *ctx)
{
    struct layout_waiter *w = memory_get(sizeof(*w));
    *w = (struct layout_waiter){.next = job->waiters, .done = done, .ctx = ctx};
    job->waiters = w;
}

static void optional_text(struct json_writer *w, const char *key, struct text t)
{
    json_key(w, key);
    if (t.at)
        json_text(w, t.at, t.size);
    else
        json_null(w);
}

static void coordinate(struct json_writer *w, const char *key, bool has, int32_t milli)
{
    json_key(w, key);
    if (has)
        json_milli(w, milli);
    else
        json_null(w);
}

static void seat_write(struct json_writer *w, const struct seat_image *seat)
{
    json_object_begin(w);
    json_key(w, "id");
    json_text(w, seat->id.at, seat->id.size);
    optional_text(w, "section", seat->section);
    optional_text(w, "row", seat->row);
    optional_text(w, "number", seat->number);
    coordinate(w, "x", seat->has_x, seat->x_milli);
    coordinate(w, "y", seat->has_y, seat->y_milli);
    optional_text(w, "tier", seat->tier);
    json_key(w, "price");
    json_int(w, seat->price);
    json_key(w, "accessible");
    json_bool(w, seat->accessible);
    json_object_end(w);
}

static void layout_work(void *ctx)
{
    struct layout_job *job = ctx;
    struct document *d = job->document;
    struct json_writer w = json_writer_make(&d->plain);
    json_object_begin(&w);
    json_key(&w, "event");
    json_string(&w, job->event_id);
    json_key(&w, "seats");
    json_array_begin(&w);
    for (uint32_t i = 0; job->layout && i < job->layout->count; i++) {
        struct seat_image seat;
        layout_seat_image(job->layout, i, &seat);
        if (!seat.removed)
            seat_write(&w, &seat);
    }
    json_array_end(&w);
    json_object_end(&w);
    buf_append(&d->plain, "\n", 1);
    gzip_pack(&d->plain, &d->gzip);
    layout_release(job->layout);
}

static void layout_done(void *ctx)
{
    struct layout_job *job = ctx;
    struct view *v = job->view;
    struct document *d = job->document;
    for (struct layout_job **at = &v->layout_jobs; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    const struct event *e = event_find_number(v->state, job->event);
    /* The event may be gone by now; the callers still get the layout they asked for. */
    if (e && !e->image.removed) {
        struct event_answers *a = view_answers(v, e);
        document_release(a->layout);
        a->layout = d;
        d->references++;
    }
    for (struct layout_waiter *w = job->waiters, *next; w; w = next) {
        next = w->next;
        d->references++;
        w->done(w->ctx, d);
        free(w);
    }
    document_release(d);
    free(job);
}

void view_layout(struct view *v, struct text event, void (*done)(void *ctx, struct document *document),
                 void *ctx)
{
    const struct event *e = event_find(v->state, event);
    if (!e) {
        done(ctx, NULL);
        return;
    }
    char etag[32];
    board_layout_etag(e, etag);
    struct document *ready = view_answers(v, e)->layout;
    if (ready && strcmp(ready->etag, etag) == 0) {
        ready->references++;
        done(ctx, ready);
        return;
    }
    /* Another request already started this job: share its document. */
    for (struct layout_job *job = v->layout_jobs; job; job = job->next)
        if (job->event == e->image.number && strcmp(job->document->etag, etag) == 0) {
            waiter_add(job, done, ctx);
            return;
        }
    struct layout_job *job = memory_zeroed(1, sizeof(*job));
    job->next = v->layout_jobs;
    v->layout_jobs = job;
    job->view = v;
    job->event = e->image.number;
    job->layout = e->layout ? layout_share(e->layout) : NULL;
    memcpy(job->event_id, e->image.id.at, e->image.id.size);
    waiter_add(job, done, ctx);
    job->document = document_make(v, e->seq);
    memcpy(job->document->etag, etag, sizeof(etag));
    store_work(v->store, layout_work, layout_done, job);
}
