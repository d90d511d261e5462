/* SPDX-License-Identifier: Apache-2.0 */
#include "store/board.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/json_writer.h"
#include "base/memory.h"

#define VALUE_SIZE 11 /* "available" with its quotes; shorter ones are followed by spaces */
#define BOARD_BYTES_MAX ((size_t)4 << 30)

static void value_write(char *at, enum seat_status status)
{
    static const char *const values[] = {NULL, "\"available\"", "\"held\"     ", "\"sold\"     ", "\"blocked\"  "};
    memcpy(at, values[status], VALUE_SIZE);
}

static void seats_make(struct board *b, struct state *st)
{
    const struct layout *l = b->event->layout;
    uint32_t count = l ? l->count : 0;
    buf_clear(&b->seats);
    b->values = memory_grow(b->values, count ? count : 1, sizeof(*b->values));
    b->letters = memory_grow(b->letters, count ? count : 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        /* Ids are plain characters: nothing to escape. */
        struct text id = layout_id(l, i);
        char *at = (char *)buf_reserve(&b->seats, id.size + VALUE_SIZE + 4);
        enum seat_status status = seat_status(st, b->event, i);
        *at++ = '"';
        memcpy(at, id.at, id.size);
        at += id.size;
        *at++ = '"';
        *at++ = ':';
        b->values[i] = (uint32_t)(b->seats.size + id.size + 3);
        value_write(at, status);
        at[VALUE_SIZE] = ',';
        b->seats.size += id.size + VALUE_SIZE + 4;
        b->letters[i] = seat_status_letter(status);
    }
    if (count)
        b->seats.size--; /* no comma after the last */
}

struct board *board_make(struct state *st, struct event *e)
{
    struct board *b = memory_zeroed(1, sizeof(*b));
    b->event = e;
    buf_init(&b->seats, BOARD_BYTES_MAX);
    seats_make(b, st);
    b->floor = e->seq;
    return b;
}

void board_release(struct board *b)
{
    if (!b)
        return;
    buf_release(&b->seats);
    free(b->values);
    free(b->letters);
    free(b->ring);
    document_release(b->answers[AVAILABILITY_JSON]);
    document_release(b->answers[AVAILABILITY_MAP]);
    free(b);
}

static struct board_touch *ring_at(const struct board *b, uint64_t index)
{
    return &b->ring[index & (b->ring_capacity - 1)];
}

static void ring_add(struct board *b, const struct board_touch *touch)
{
    if (b->ring_end - b->ring_first == b->ring_capacity) {
        if (b->ring_capacity < BOARD_RING_MAX) {
            uint32_t capacity = b->ring_capacity ? b->ring_capacity * 2 : 256;
            struct board_touch *ring = memory_get(capacity * sizeof(*ring));
            for (uint64_t i = b->ring_first; i < b->ring_end; i++)
                ring[i & (capacity - 1)] = *ring_at(b, i);
            free(b->ring);
            b->ring = ring;
            b->ring_capacity = capacity;
        } else {
            b->floor = ring_at(b, b->ring_first)->seq;
            b->ring_first++;
        }
    }
    *ring_at(b, b->ring_end++) = *touch;
}

void board_touched(struct board *b, struct state *st, const struct touch *touch)
{
    struct event *e = b->event;
    struct board_touch entry = {.seq = e->seq, .position = touch->position, .kind = touch->kind};
    if (touch->kind == 0) {
        /* Another layout: nobody can follow by single seats, so everyone starts anew. */
        seats_make(b, st);
        b->ring_first = b->ring_end;
        b->floor = e->seq;
        return;
    }
    if (touch->kind == ITEM_SEAT) {
        enum seat_status status = seat_status(st, e, touch->position);
        entry.status = (uint8_t)status;
        entry.version = seat_at(e, touch->position)->version;
        value_write((char *)b->seats.data + b->values[touch->position], status);
        b->letters[touch->position] = seat_status_letter(status);
    } else {
        entry.version = pool_available(&e->pools[touch->position]);
    }
    ring_add(b, &entry);
}

/* ---- Reading ---- */

static void pool_write(struct json_writer *w, const struct pool *p)
{
    json_key_text(w, p->image.id.at, p->image.id.size);
    json_object_begin(w);
    json_key(w, "capacity");
    json_uint(w, p->image.capacity);
    json_key(w, "available");
    json_uint(w, pool_available(p));
    json_object_end(w);
}

static void write_full(struct board *b, struct json_writer *w)
{
    json_key(w, "seats");
    json_object_begin(w);
    buf_append(w->out, b->seats.data, b->seats.size);
    json_object_end(w);
    json_key(w, "pools");
    json_object_begin(w);
    for (uint32_t i = 0; i < b->event->pool_count; i++)
        pool_write(w, &b->event->pools[i]);
    json_object_end(w);
}

static int compare_places(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* The first ring entry later than `since`. */
static uint64_t ring_after(const struct board *b, uint64_t since)
{
    uint64_t low = b->ring_first, high = b->ring_end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (ring_at(b, middle)->seq <= since)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Each seat and pool touched after `since`, once, as it is now. */
static void write_since(struct board *b, struct state *st, uint64_t since, struct json_writer *w)
{
    uint64_t first = ring_after(b, since), count = b->ring_end - first;
    uint64_t *places = memory_get((count + 1) * sizeof(*places)); /* kind and position */
    for (uint64_t i = 0; i < count; i++)
        places[i] = (uint64_t)ring_at(b, first + i)->kind << 32 | ring_at(b, first + i)->position;
    qsort(places, count, sizeof(*places), compare_places);
    uint64_t i = 0;
    json_key(w, "seats");
    json_object_begin(w);
    for (; i < count && places[i] >> 32 == ITEM_SEAT; i++) {
        if (i && places[i] == places[i - 1])
            continue;
        struct text id = layout_id(b->event->layout, (uint32_t)places[i]);
        json_key_text(w, id.at, id.size);
        json_string(w, seat_status_name(seat_status(st, b->event, (uint32_t)places[i])));
    }
    json_object_end(w);
    json_key(w, "pools");
    json_object_begin(w);
    for (; i < count; i++)
        if (!i || places[i] != places[i - 1])
            pool_write(w, &b->event->pools[(uint32_t)places[i]]);
    json_object_end(w);
    free(places);
}

void board_layout_etag(const struct event *e, char out[32])
{
    snprintf(out, 32, "\"%016llx\"", (unsigned long long)(e->layout ? e->layout->digest : 0));
}

bool board_knows(const struct board *b, uint64_t since)
{
    return since > 0 && since >= b->floor && since <= b->event->seq &&
           b->ring_end - ring_after(b, since) <= BOARD_SINCE_MAX;
}

static void answer_write(struct board *b, struct state *st, enum availability_format format, uint64_t since,
                         struct buf *out)
{
    struct json_writer w = json_writer_make(out);
    json_object_begin(&w);
    json_key(&w, "version");
    json_uint(&w, b->event->seq);
    if (format == AVAILABILITY_MAP) {
        char etag[32];
        board_layout_etag(b->event, etag);
        json_key(&w, "layout");
        json_string(&w, etag);
        json_key(&w, "map");
        json_text(&w, b->letters, b->event->layout ? b->event->layout->count : 0);
    } else {
        json_key(&w, "full");
        json_bool(&w, !since);
        if (since)
            write_since(b, st, since, &w);
        else
            write_full(b, &w);
    }
    json_object_end(&w);
}

struct document *board_answer(struct board *b, struct state *st, enum availability_format format, uint64_t since,
                              uint64_t *counted)
{
    struct document *d = memory_zeroed(1, sizeof(*d));
    d->references = 1;
    d->seq = b->event->seq;
    d->counted = counted;
    buf_init(&d->plain, BOARD_BYTES_MAX);
    answer_write(b, st, format, since, &d->plain);
    *counted += d->plain.size;
    return d;
}

bool board_touches(struct board *b, uint64_t after, uint64_t upto,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx)
{
    if (after < b->floor)
        return false;
    for (uint64_t i = ring_after(b, after); i < b->ring_end && ring_at(b, i)->seq <= upto; i++) {
        const struct board_touch *t = ring_at(b, i);
        struct touch_view view = {.seq = t->seq, .kind = (enum item_kind)t->kind};
        if (t->kind == ITEM_SEAT) {
            view.unit_id = layout_id(b->event->layout, t->position);
            view.status = (enum seat_status)t->status;
            view.version = t->version;
        } else {
            view.unit_id = b->event->pools[t->position].image.id;
            view.available = (uint32_t)t->version;
        }
        fn(ctx, &view);
    }
    return true;
}
