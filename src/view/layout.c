/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c — what the door answers from memory: events, seats, layouts, keys. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/assertion.h"
#include "base/json_writer.h"
#include "base/memory.h"
#include "store/local.h"
#include "store/reclaim.h"

static void event_view_make(const struct event *e, struct event_view *out)
{
    *out = (struct event_view){.image = e->image, .counts = event_counts_shown(e), .seq = e->seq};
}

bool store_event_find(struct store *s, struct text id, struct event_view *out)
{
    const struct event *e = event_find(s->state, id);
    if (e)
        event_view_make(e, out);
    return e != NULL;
}

bool store_event_after(struct store *s, uint64_t number, struct event_view *out)
{
    const struct event *e = event_after(s->state, number);
    if (e)
        event_view_make(e, out);
    return e != NULL;
}

enum outcome_code store_seat_find(struct store *s, struct text event, struct text seat, struct seat_view *out)
{
    const struct event *e = event_find(s->state, event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    uint32_t position = layout_find(e->layout, seat);
    if (position == LAYOUT_NONE)
        return OUTCOME_NO_SUCH_SEAT;
    layout_seat_image(e->layout, position, &out->image);
    out->status = seat_status(s->state, e, position);
    out->version = seat_at(e, position)->version;
    out->seq = e->seq;
    return OUTCOME_OK;
}

static bool key_view_make(const struct key *key, struct key_view *out)
{
    if (key)
        *out = (struct key_view){.image = key->image, .seq = key->seq};
    return key != NULL;
}

bool store_key_find(struct store *s, const uint8_t hash[32], struct key_view *out)
{
    return key_view_make(state_key_find(s->state, hash, store_now(s)), out);
}

bool store_key_named(struct store *s, struct text name, struct key_view *out)
{
    return key_view_make(state_key_named(s->state, name), out);
}

bool store_key_after(struct store *s, struct text name, struct key_view *out)
{
    return key_view_make(state_key_after(s->state, name), out);
}

/* What is left of it in memory when the event is gone. */
void catalogue_forget(struct store *s, uint32_t index)
{
    availability_forget(s, index);
    if (index < s->document_count) {
        document_release(s->documents[index]);
        s->documents[index] = NULL;
    }
}

static void detached_free(void *first)
{
    detached_release(first);
}

void catalogue_clear(struct store *s)
{
    struct detached *first = state_take_detached(s->state);
    size_t size = 0;
    for (const struct detached *r = first; r; r = r->next)
        size += (size_t)r->seat_chunks * SEAT_CHUNK * sizeof(struct seat) +
                (r->layout ? (size_t)r->layout->count * sizeof(struct layout_seat) : 0) +
                (r->queue || r->list ? RECLAIM_SIZE_MIN : 0);
    if (first)
        reclaim_memory(s, size, detached_free, first);
}

/* ---- Layouts: written and packed by a worker, once per layout ---- */

struct layout_job {
    struct store *store;
    uint64_t event;        /* its number: the index may be another's when the job is done */
    struct layout *layout; /* shared; NULL: no seats */
    char event_id[ID_SIZE_MAX + 1];
    struct document *document;
    struct layout_job *next; /* of those under way */
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

static void document_free(void *document)
{
    struct document *d = document;
    buf_release(&d->plain);
    buf_release(&d->gzip);
    free(d);
}

void document_release(struct document *d)
{
    if (!d || --d->references)
        return;
    if (d->counted)
        d->store->answer_bytes -= d->plain.size;
    if (d->store)
        reclaim_memory(d->store, d->plain.capacity + d->gzip.capacity, document_free, d);
    else
        document_free(d);
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

static void pack(const struct buf *plain, struct buf *gzip)
{
    z_stream z = {0};
    int code = deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    ASSERT(code == Z_OK);
    size_t most = deflateBound(&z, plain->size);
    buf_init(gzip, most + 64);
    z.next_in = plain->data;
    z.avail_in = (uInt)plain->size;
    z.next_out = buf_reserve(gzip, most);
    z.avail_out = (uInt)most;
    code = deflate(&z, Z_FINISH);
    ASSERT(code == Z_STREAM_END);
    gzip->size = z.total_out;
    deflateEnd(&z);
}

static void layout_work(void *ctx)
{
    struct layout_job *job = ctx;
    struct document *d = job->document;
    buf_init(&d->plain, (size_t)4 << 30);
    struct json_writer w = json_writer_make(&d->plain);
    json_object_begin(&w);
    json_key(&w, "event");
    json_string(&w, job->event_id);
    json_key(&w, "seats");
    json_array_begin(&w);
    for (uint32_t i = 0; job->layout && i < job->layout->count; i++) {
        struct seat_image seat;
        layout_seat_image(job->layout, i, &seat);
        seat_write(&w, &seat);
    }
    json_array_end(&w);
    json_object_end(&w);
    pack(&d->plain, &d->gzip);
    layout_release(job->layout);
}

static void layout_done(void *ctx)
{
    struct layout_job *job = ctx;
    struct store *s = job->store;
    struct document *d = job->document;
    for (struct layout_job **at = &s->layout_jobs; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    const struct event *e = event_find_number(s->state, job->event);
    if (e && !e->image.removed) {
        document_release(s->documents[e->index]);
        s->documents[e->index] = d;
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

static void documents_grow(struct store *s)
{
    uint32_t count = s->state->event_count;
    if (count <= s->document_count)
        return;
    s->documents = memory_grow(s->documents, count, sizeof(*s->documents));
    memset(s->documents + s->document_count, 0, (count - s->document_count) * sizeof(*s->documents));
    s->document_count = count;
}

void store_layout(struct store *s, struct text event, void (*done)(void *ctx, struct document *document),
                  void *ctx)
{
    struct event *e = event_find(s->state, event);
    if (!e) {
        done(ctx, NULL);
        return;
    }
    documents_grow(s);
    char etag[32];
    board_layout_etag(e, etag);
    struct document *ready = s->documents[e->index];
    if (ready && strcmp(ready->etag, etag) == 0) {
        ready->references++;
        done(ctx, ready);
        return;
    }
    for (struct layout_job *job = s->layout_jobs; job; job = job->next)
        if (job->event == e->image.number && strcmp(job->document->etag, etag) == 0) {
            waiter_add(job, done, ctx);
            return;
        }
    struct layout_job *job = memory_zeroed(1, sizeof(*job));
    job->next = s->layout_jobs;
    s->layout_jobs = job;
    job->store = s;
    job->event = e->image.number;
    job->layout = e->layout ? layout_share(e->layout) : NULL;
    memcpy(job->event_id, e->image.id.at, e->image.id.size);
    waiter_add(job, done, ctx);
    job->document = memory_zeroed(1, sizeof(*job->document));
    job->document->references = 1;
    job->document->store = s;
    job->document->seq = e->seq;
    memcpy(job->document->etag, etag, sizeof(etag));
    store_work(s, layout_work, layout_done, job);
}
