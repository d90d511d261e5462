/* SPDX-License-Identifier: Apache-2.0 */
/* event.h — an event: its seats and pools, and its rules of sale.
 *
 * Owns the settings, the layout and the claims on its seats (event_seats.h, seat.h), its pools (pool.h) and
 * the counts. A removed event cannot be found by id. It keeps its index, its layout and its pools while a
 * reservation in memory refers to it; then the index can be reused (event_index.h).
 */
#ifndef CORE_EVENT_H
#define CORE_EVENT_H

#include "base/memory/heap.h"
#include "core/catalogue/allotment.h"
#include "core/catalogue/code.h"
#include "core/catalogue/detached.h"
#include "core/catalogue/layout.h"
#include "core/catalogue/pool.h"
#include "core/catalogue/price_list.h"
#include "core/catalogue/seat.h"
#include "core/kept_terms.h"
#include "core/outcome.h"

struct state;
struct item;
struct zone; /* base/time/zone.h */

/* One of its pools. */
struct pool {
    struct pool_image image; /* texts are owned; image.available is not set */

    /* derived */
    struct price_list *prices; /* or NULL */
    uint32_t held, sold;
    uint32_t touched;   /* index of its last touch (state_touch) */
    struct heap lapses; /* held items by deadline; a handle is (reservation << 8 | index of the item) */
};

static inline uint32_t pool_available(const struct pool *p)
{
    return p->image.capacity - p->held - p->sold;
}

struct event {
    struct event_image image; /* texts are owned */

    /* derived */
    uint32_t index;
    uint64_t seq;              /* of the last change of it or of anything in it */
    struct zone *zone;         /* of image.timezone; NULL: UTC, or not set yet in recovery */
    struct price_list *prices; /* NULL: no categories */
    struct layout *layout;     /* NULL: no seats */
    struct seat **seats;       /* chunks of SEAT_CHUNK, by position */
    uint32_t seat_chunks;
    struct bitset claimed;         /* seats by position; without planned ones */
    struct bitset blocked;         /* for a claimed seat it takes effect when it is free again */
    struct allotments *allotments; /* NULL: no seat was ever in one */
    /* By row of the layout: seats claimed or off sale, among the first rows_counted seats. */
    uint32_t *row_taken;
    uint32_t rows_counted; /* 0 until `best` first needs it */
    struct event_counts counts;
    uint64_t held_off; /* held seats that will be off sale when they come free */
    struct pool *pools;
    uint32_t pool_count;
    struct codes *codes;           /* NULL: it never had one */
    struct queue *queue;           /* NULL: it never had one (core/queue/queue.h) */
    struct waiting_list *list;     /* NULL: it never had one (core/waitlist/waiting_list.h) */
    struct cancelling *cancelling; /* NULL: no cancellation in progress (core/money/event_cancel.h) */
    uint64_t live_units;           /* claimed seats and units, held or confirmed */
    uint64_t items;                /* of reservations in memory, including ended ones */
    bool gone;                     /* removed and freed: the index is free */
    uint64_t gone_seq;             /* when it was freed */
    uint32_t next_free;            /* the next free index + 1 */
};

uint64_t event_id_hash(struct text id);
uint64_t event_number_hash(uint64_t number);
struct event *event_find(const struct state *st, struct text id); /* or NULL; not for removed ones */
/* Or NULL; finds removed ones, too, while they are in memory. */
struct event *event_find_number(const struct state *st, uint64_t number);
/* The next by number, or NULL; skips removed ones. */
struct event *event_after(const struct state *st, uint64_t number);

/* Shared by seats and pools; see struct claim_kind. */
bool event_item_find(struct state *st, uint64_t number, uint32_t *place);
uint64_t *event_item_seq(struct state *st, const struct item *item);
void event_item_name(const struct event *e, struct item_image *out); /* except part_id */

/* Takes its own reference; NULL: none. */
void event_set_zone(struct event *e, struct zone *zone);
/* The start of the current local day of the event, as if that date were in UTC. */
int64_t event_day_ms(const struct event *e, int64_t now_ms);
/* The terms of a hold made by the change with this seq. */
struct kept_terms event_terms_of(const struct event *e, uint64_t hold);
/* Whether the image is valid: categories, prices, time zone, and former terms can be read. */
bool event_image_sound(const struct event_image *image);
/* Commits the new image. `zone` is that of the image; NULL if it has none or the same as before. */
void event_save(struct state *st, const struct event_image *image, struct zone *zone);
/* A change wrote its record: its settings are also in what readers see of its waiting room. */
void event_set_seq(struct event *e, uint64_t seq);
/* Recovery: applies a change, without judging. The image must be valid. */
struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq);
/* Recreates a removed event that was freed, for a record that refers to it: only its id. */
bool event_item_recall(struct state *st, const struct item_image *item, uint32_t *place);

/* Reservations in memory have one more item, or one fewer, in this item's event. */
void event_item_added(struct state *st, const struct item *item);
void event_item_gone(struct state *st, const struct item *item);
/* The sale ends at off_sale_at, or else at the event's start, or when the event is cancelled. Then no one can buy, be
 * admitted, get an offer, or join a line, whatever their role. */
int64_t event_sale_end(const struct event *e); /* INT64_MAX: never */
static inline bool event_sale_over(const struct event *e, int64_t now_ms)
{
    return now_ms >= event_sale_end(e);
}
/* Admins can sell before on_sale_at. */
bool event_on_sale(const struct event *e, enum role role, int64_t now_ms);
/* NOT_ON_SALE, with a detail if the event was cancelled. */
enum outcome_code event_off_sale(const struct event *e, struct outcome *out);
void event_release(struct event *e); /* frees it and all that it owns */

#endif
