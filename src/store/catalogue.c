/* SPDX-License-Identifier: Apache-2.0 */
/* catalogue.c — what the door answers from memory: events, seats, layouts, availability, keys. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "base/assertion.h"
#include "base/json_writer.h"
#include "base/memory.h"
#include "store/local.h"

static void event_view_make(const struct event *e, struct event_view *out)
{
    *out = (struct event_view){.image = e->image, .counts = e->counts, .seq = e->seq};
}

bool store_event_find(struct store *s, struct text id, struct event_view *out)
{
    const struct event *e = event_find(s->state, id);
    if (e)
        event_view_make(e, out);
    return e != NULL;
}

/* Slots are given in the order of numbers, so the next one is found by halving. */
bool store_event_after(struct store *s, uint64_t number, struct event_view *out)
{
    uint32_t low = 0, high = s->state->event_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->state->events[middle]->image.number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < s->state->event_count && s->state->events[low]->image.removed)
        low++;
    if (low == s->state->event_count)
        return false;
    event_view_make(s->state->events[low], out);
    return true;
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

bool store_key_find(struct store *s, const uint8_t hash[32], struct key_view *out)
{
    const struct key *key = state_key_find(s->state, hash);
    if (key)
        *out = (struct key_view){.image = key->image, .seq = key->seq};
    return key != NULL;
}

bool store_key_after(struct store *s, struct text name, struct key_view *out)
{
    const struct key *key = state_key_after(s->state, name);
    if (key)
        *out = (struct key_view){.image = key->image, .seq = key->seq};
    return key != NULL;
}

/* ---- Availability ---- */

static struct board *board_of(struct store *s, struct event *e)
{
    if (e->slot >= s->board_count) {
        uint32_t count = s->state->event_count;
        s->boards = memory_grow(s->boards, count, sizeof(*s->boards));
        memset(s->boards + s->board_count, 0, (count - s->board_count) * sizeof(*s->boards));
        s->board_count = count;
    }
    if (!s->boards[e->slot])
        s->boards[e->slot] = board_make(s->state, e);
    return s->boards[e->slot];
}

#define ANSWERS_MAX ((uint64_t)512 << 20)

static bool too_many_answers(const struct store *s)
{
    return s->answer_bytes > (s->options.answers_max ? s->options.answers_max : ANSWERS_MAX);
}

/* Everything: kept by the board until the event changes. */
static struct document *whole_answer(struct store *s, struct board *b, enum availability_format format)
{
    struct document **kept = &b->answers[format];
    if (*kept && (*kept)->seq == b->event->seq)
        return *kept;
    document_release(*kept);
    *kept = board_answer(b, s->state, format, 0, &s->answer_bytes);
    return *kept;
}

enum outcome_code store_availability(struct store *s, struct text event, enum availability_format format, uint64_t since,
                                     struct document **out)
{
    struct event *e = event_find(s->state, event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    struct board *b = board_of(s, e);
    if (format == AVAILABILITY_JSON && board_knows(b, since)) {
        *out = board_answer(b, s->state, format, since, &s->answer_bytes);
        return OUTCOME_OK;
    }
    if (too_many_answers(s))
        return OUTCOME_UNAVAILABLE;
    *out = whole_answer(s, b, format);
    (*out)->references++;
    return OUTCOME_OK;
}

uint64_t store_absent_seq(const struct store *s)
{
    return s->state->removed_seq;
}

void catalogue_forget(struct store *s, uint32_t slot)
{
    board_release(s->boards[slot]);
    s->boards[slot] = NULL;
    if (slot < s->document_count) {
        document_release(s->documents[slot]);
        s->documents[slot] = NULL;
    }
}

bool store_touches(struct store *s, uint64_t event_number, uint64_t after,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx)
{
    struct event *e = event_find_number(s->state, event_number);
    return e && !e->image.removed && board_touches(board_of(s, e), after, s->durable_seq, fn, ctx);
}

/* ---- Layouts: written and packed by a worker, once per layout ---- */

struct layout_job {
    uv_work_t work;
    struct store *store;
    uint32_t slot;
    struct layout *layout; /* shared; NULL: no seats */
    char event_id[ID_SIZE_MAX + 1];
    struct document *document;
    struct layout_job *next; /* of those under way */
    struct layout_waiter {
        struct layout_waiter *next;
        void (*done)(void *ctx, struct document *document);
        void *ctx;
    } *waiters;
};

static void waiter_add(struct layout_job *job, void (*done)(void *ctx, struct document *document), void *ctx)
{
    struct layout_waiter *w = memory_get(sizeof(*w));
    *w = (struct layout_waiter){.next = job->waiters, .done = done, .ctx = ctx};
    job->waiters = w;
}

void document_release(struct document *d)
{
    if (!d || --d->references)
        return;
    if (d->counted)
        *d->counted -= d->plain.size;
    buf_release(&d->plain);
    buf_release(&d->gzip);
    free(d);
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

static void layout_work(uv_work_t *work)
{
    struct layout_job *job = work->data;
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

static void layout_done(uv_work_t *work, int status)
{
    (void)status;
    struct layout_job *job = work->data;
    struct store *s = job->store;
    struct document *d = job->document;
    s->working--;
    for (struct layout_job **at = &s->layout_jobs; *at; at = &(*at)->next)
        if (*at == job) {
            *at = job->next;
            break;
        }
    document_release(s->documents[job->slot]);
    s->documents[job->slot] = d;
    for (struct layout_waiter *w = job->waiters, *next; w; w = next) {
        next = w->next;
        d->references++;
        w->done(w->ctx, d);
        free(w);
    }
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

void store_layout(struct store *s, struct text event, void (*done)(void *ctx, struct document *document), void *ctx)
{
    struct event *e = event_find(s->state, event);
    if (!e) {
        done(ctx, NULL);
        return;
    }
    documents_grow(s);
    char etag[32];
    board_layout_etag(e, etag);
    struct document *ready = s->documents[e->slot];
    if (ready && strcmp(ready->etag, etag) == 0) {
        ready->references++;
        done(ctx, ready);
        return;
    }
    for (struct layout_job *job = s->layout_jobs; job; job = job->next)
        if (job->slot == e->slot && strcmp(job->document->etag, etag) == 0) {
            waiter_add(job, done, ctx);
            return;
        }
    struct layout_job *job = memory_zeroed(1, sizeof(*job));
    job->work.data = job;
    job->next = s->layout_jobs;
    s->layout_jobs = job;
    job->store = s;
    job->slot = e->slot;
    job->layout = e->layout ? layout_share(e->layout) : NULL;
    memcpy(job->event_id, e->image.id.at, e->image.id.size);
    waiter_add(job, done, ctx);
    job->document = memory_zeroed(1, sizeof(*job->document));
    job->document->references = 1;
    job->document->seq = e->seq;
    memcpy(job->document->etag, etag, sizeof(etag));
    s->working++;
    uv_queue_work(s->loop, &job->work, layout_work, layout_done);
}
