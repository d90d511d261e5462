/* SPDX-License-Identifier: Apache-2.0 */
#include "view/board.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/json/json_writer.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "view/answers.h"

#define VALUE_SIZE 11 /* "available" with its quotes; shorter ones are followed by spaces */
#define BOARD_BYTES_MAX ((size_t)4 << 30)

/* The work of one step, in bytes copied. Looking up a seat costs as much as copying about a hundred bytes. */
#define STEP_WORK ((size_t)1 << 20)
#define SEAT_WORK 128u

#define VERSION_KEY "{\"version\":"
#define VERSION_DIGITS 20 /* filled in last; shorter numbers are padded with spaces */

static void value_write(uint8_t *at, enum unit_status status)
{
    static const char *const values[] = {NULL, "\"available\"", "\"held\"     ", "\"sold\"     ",
                                         "\"blocked\"  "};
    memcpy(at, values[status], VALUE_SIZE);
}

static uint32_t seat_count(const struct board *b) /* removed ones too */
{
    return b->event->layout ? b->event->layout->count : 0;
}

/* The place of a seat's letter: the map has none for removed ones. */
static uint32_t letter_of(const struct board *b, uint32_t position)
{
    const struct layout *l = b->event->layout;
    return position - (l->gone_count ? layout_gone_before(l, position) : 0);
}

struct board *board_make(struct view *v, const struct event *e)
{
    struct board *b = memory_zeroed(1, sizeof(*b));
    b->view = v;
    b->event = e;
    buf_init(&b->seats, BOARD_BYTES_MAX);
    b->floor = e->seq;
    return b;
}

static void answer_drop(struct board_answer *a)
{
    document_release(a->document);
    *a = (struct board_answer){0};
}

static void board_free(void *board)
{
    struct board *b = board;
    buf_release(&b->seats);
    free(b->values);
    free(b->letters);
    free(b->ring);
    free(b);
}

void board_release(struct board *b)
{
    if (!b)
        return;
    ASSERT(!b->waiters[AVAILABILITY_JSON] && !b->waiters[AVAILABILITY_MAP]);
    answer_drop(&b->answers[AVAILABILITY_JSON]);
    answer_drop(&b->answers[AVAILABILITY_MAP]);
    store_reclaim(b->view->store, b->seats.capacity, board_free, b);
}

/* ---- The seats ---- */

static void seat_add(struct board *b, uint32_t position)
{
    if (layout_is_gone(b->event->layout, position))
        return;
    /* Ids are plain characters: nothing to escape. */
    struct text id = layout_id(b->event->layout, position);
    enum unit_status status = seat_status(b->view->state, b->event, position);
    uint8_t *at = buf_reserve(&b->seats, id.size + VALUE_SIZE + 4);
    *at++ = '"';
    memcpy(at, id.at, id.size);
    at += id.size;
    *at++ = '"';
    *at++ = ':';
    b->values[position] = (uint32_t)(b->seats.size + id.size + 3);
    value_write(at, status);
    at[VALUE_SIZE] = ',';
    b->seats.size += id.size + VALUE_SIZE + 4;
    b->letters[letter_of(b, position)] = unit_status_letter(status);
}

/* True: all seats are done. */
static bool seats_step(struct board *b, size_t *work)
{
    uint32_t count = seat_count(b);
    if (b->made == count)
        return true;
    if (b->made == 0) {
        b->values = memory_grow(b->values, count, sizeof(*b->values));
        b->letters = memory_grow(b->letters, count, 1);
    }
    for (; b->made < count && *work >= SEAT_WORK; *work -= SEAT_WORK)
        seat_add(b, b->made++);
    if (b->made < count)
        return false;
    if (b->seats.size)
        b->seats.size--; /* no comma after the last */
    return true;
}

/* ---- Touches ---- */

static struct board_touch *ring_at(const struct board *b, uint64_t index)
{
    return &b->ring[index & (b->ring_capacity - 1)];
}

static void ring_add(struct board *b, const struct board_touch *touch)
{
    uint64_t count = b->ring_end - b->ring_first;
    if (count == BOARD_RING_MAX) {
        b->floor = ring_at(b, b->ring_first)->seq;
        b->ring_first++;
    } else {
        b->ring = memory_room_ring(b->ring, count, &b->ring_capacity, 256, sizeof(*b->ring));
    }
    ASSERT(b->ring_end == b->ring_first ||
           ring_at(b, b->ring_end - 1)->seq <= touch->seq); /* searched by seq */
    *ring_at(b, b->ring_end++) = *touch;
}

/* The layout changed: clients cannot follow it seat by seat, so all of them start over. */
static void start_over(struct board *b)
{
    buf_clear(&b->seats);
    b->made = 0;
    answer_drop(&b->answers[AVAILABILITY_JSON]);
    answer_drop(&b->answers[AVAILABILITY_MAP]);
    b->ring_first = b->ring_end;
    b->floor = b->event->seq;
}

/* Whether the answer may be patched. One that is being read must not change, so the board gives it up. */
static bool answer_own(struct board_answer *a)
{
    if (a->document && a->document->references > 1)
        answer_drop(a);
    return a->document != NULL;
}

static void seat_patch(struct board *b, uint32_t position, enum unit_status status)
{
    struct board_answer *json = &b->answers[AVAILABILITY_JSON], *map = &b->answers[AVAILABILITY_MAP];
    if (position >= b->made)
        return;
    uint32_t value = b->values[position], letter = letter_of(b, position);
    value_write(b->seats.data + value, status);
    b->letters[letter] = unit_status_letter(status);
    /* A value of which only a part was copied is written in full: the next copy overwrites the rest. */
    if (answer_own(json) && value < json->copied)
        value_write(json->document->plain.data + json->head + value, status);
    if (answer_own(map) && letter < map->copied)
        map->document->plain.data[map->head + letter] = (uint8_t)b->letters[letter];
}

void board_touched(struct board *b, const struct touch *touch)
{
    const struct event *e = b->event;
    struct board_touch entry = {.seq = e->seq, .position = touch->part, .kind = touch->kind};
    if (touch->kind == TOUCH_EVENT) {
        start_over(b);
    } else if (touch->kind == ITEM_SEAT) {
        ASSERT(touch->part < seat_count(b));
        enum unit_status status = seat_status(b->view->state, e, touch->part);
        entry.status = (uint8_t)status;
        entry.version = seat_at(e, touch->part)->version;
        seat_patch(b, touch->part, status);
        ring_add(b, &entry);
    } else if (touch->kind == ITEM_POOL) {
        entry.version = pool_shown(e, &e->pools[touch->part]);
        ring_add(b, &entry);
    } /* availability shows only seats and pools */
}

/* ---- The whole answer ---- */

static void pool_write(struct json_writer *w, const struct event *e, const struct pool *p)
{
    json_key_text(w, p->image.id.at, p->image.id.size);
    json_object_begin(w);
    json_key(w, "capacity");
    json_uint(w, p->image.capacity);
    json_key(w, "available");
    json_uint(w, pool_shown(e, p));
    json_object_end(w);
}

/* The board's bytes that the answer's seats are copied from. */
static const uint8_t *source(const struct board *b, enum availability_format format, size_t *size)
{
    *size = format == AVAILABILITY_JSON ? b->seats.size
            : b->event->layout          ? layout_seats(b->event->layout)
                                        : 0;
    return format == AVAILABILITY_JSON ? b->seats.data : (const uint8_t *)b->letters;
}

static void head_write(struct board *b, enum availability_format format, struct buf *out)
{
    buf_printf(out, VERSION_KEY "%*s,", VERSION_DIGITS, "");
    if (format == AVAILABILITY_JSON) {
        buf_append_text(out, "\"full\":true,\"seats\":{");
        return;
    }
    char etag[32];
    board_layout_etag(b->event, etag);
    buf_append_text(out, "\"layout\":");
    struct json_writer w = json_writer_make(out);
    json_string(&w, etag);
    buf_append_text(out, ",\"map\":\"");
}

static void tail_write(struct board *b, enum availability_format format, struct buf *out)
{
    if (format == AVAILABILITY_MAP) {
        buf_append_text(out, "\"}");
        return;
    }
    buf_append_text(out, "},\"pools\":");
    struct json_writer w = json_writer_make(out);
    json_object_begin(&w);
    for (uint32_t i = 0; i < b->event->pool_count; i++)
        pool_write(&w, b->event, &b->event->pools[i]);
    json_object_end(&w);
    buf_append_text(out, "}");
}

static void answer_begin(struct board *b, enum availability_format format)
{
    struct board_answer *a = &b->answers[format];
    size_t size;
    source(b, format, &size);
    a->document = document_make(b->view, b->event->seq);
    head_write(b, format, &a->document->plain);
    a->head = a->document->plain.size;
    a->copied = 0;
    buf_reserve(&a->document->plain, size + 64);
}

/* True: all of the seats is copied. */
static bool answer_copy(struct board *b, enum availability_format format, size_t *work)
{
    struct board_answer *a = &b->answers[format];
    size_t size;
    const uint8_t *from = source(b, format, &size);
    ASSERT(a->copied <= size);
    size_t piece = size - a->copied < *work ? size - a->copied : *work;
    a->document->plain.size = a->head + a->copied;
    buf_append(&a->document->plain, from + a->copied, piece);
    a->copied += piece;
    *work -= piece;
    return a->copied == size;
}

/* Fills in the version and the pools as of this instant, the same as the seats. */
static void answer_finish(struct board *b, enum availability_format format)
{
    struct board_answer *a = &b->answers[format];
    struct document *d = a->document;
    char digits[VERSION_DIGITS + 1];
    d->seq = b->event->seq;
    snprintf(digits, sizeof(digits), "%-*llu", VERSION_DIGITS, (unsigned long long)d->seq);
    memcpy(d->plain.data + sizeof(VERSION_KEY) - 1, digits, VERSION_DIGITS);
    d->plain.size = a->head + a->copied;
    tail_write(b, format, &d->plain);
    buf_append(&d->plain, "\n", 1);
    document_count(d);
}

struct document *board_step(struct board *b, enum availability_format format)
{
    struct board_answer *a = &b->answers[format];
    size_t work = STEP_WORK;
    if (!seats_step(b, &work))
        return NULL;
    if (a->document && a->document->counted && a->document->seq == b->event->seq)
        return a->document;
    if (answer_own(a))
        document_uncount(a->document);
    else
        answer_begin(b, format);
    if (!answer_copy(b, format, &work))
        return NULL;
    answer_finish(b, format);
    return a->document;
}

/* ---- What changed since ---- */

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
static void write_since(struct board *b, uint64_t since, struct json_writer *w)
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
        json_string(w, unit_status_name(seat_status(b->view->state, b->event, (uint32_t)places[i])));
    }
    json_object_end(w);
    json_key(w, "pools");
    json_object_begin(w);
    for (; i < count; i++)
        if (!i || places[i] != places[i - 1])
            pool_write(w, b->event, &b->event->pools[(uint32_t)places[i]]);
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

struct document *board_since(struct board *b, uint64_t since)
{
    struct document *d = document_make(b->view, b->event->seq);
    struct json_writer w = json_writer_make(&d->plain);
    json_object_begin(&w);
    json_key(&w, "version");
    json_uint(&w, d->seq);
    json_key(&w, "full");
    json_bool(&w, false);
    write_since(b, since, &w);
    json_object_end(&w);
    buf_append(&d->plain, "\n", 1);
    document_count(d);
    return d;
}

bool board_touches(struct board *b, uint64_t after, uint64_t upto,
                   void (*fn)(void *ctx, const struct touch_view *touch), void *ctx)
{
    if (after < b->floor)
        return false;
    for (uint64_t i = ring_after(b, after); i < b->ring_end && ring_at(b, i)->seq <= upto; i++) {
        const struct board_touch *t = ring_at(b, i);
        struct touch_view view = {.seq = t->seq,
                                  .more = i + 1 < b->ring_end && ring_at(b, i + 1)->seq == t->seq,
                                  .is_seat = t->kind == ITEM_SEAT};
        if (view.is_seat) {
            view.unit_id = layout_id(b->event->layout, t->position);
            view.status = (enum unit_status)t->status;
            view.version = t->version;
        } else {
            view.unit_id = b->event->pools[t->position].image.id;
            view.available = (uint32_t)t->version;
        }
        fn(ctx, &view);
    }
    return true;
}
