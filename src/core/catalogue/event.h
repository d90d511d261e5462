/* SPDX-License-Identifier: Apache-2.0 */
/* event.h — seats and pools sold together, and their sale rules.
 *
 * Owns the settings, the layout and the claims on its seats (event_seats.h, seat.h), its pools (pool.h) and
 * the counts. A removed event cannot be found by id. It keeps its index, its layout and its pools as long as
 * a reservation in memory names it; then another event may have the index (event_index.h).
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

/* What the event keeps of each of its pools. */
struct pool {
    struct pool_image image; /* texts are owned; image.available is not kept */

    /* derived */
    struct price_list *prices; /* NULL: none */
    uint32_t held, sold;
    uint32_t touched;   /* where it is among the touches of the command that touched it last */
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
    uint64_t seq;              /* the last change that touched it or anything in it */
    struct zone *zone;         /* of image.timezone; NULL: UTC, or recovery has not given it yet */
    struct price_list *prices; /* NULL: no categories */
    struct layout *layout;     /* NULL: no seats */
    struct seat **seats;       /* chunks of SEAT_CHUNK, by position */
    uint32_t seat_chunks;
    struct bitset claimed;         /* seats by position; planned ones are not */
    struct bitset blocked;         /* a claimed one comes back as such when it is free again */
    struct allotments *allotments; /* NULL: no seat ever was in one */
    /* Per row of the layout those that are claimed or off sale, among the first rows_counted seats. */
    uint32_t *row_taken;
    uint32_t rows_counted; /* 0 until `best` first asks */
    struct event_counts counts;
    uint64_t held_off; /* held seats that are off sale when they come free */
    struct pool *pools;
    uint32_t pool_count;
    struct codes *codes;           /* NULL: there never was one */
    struct queue *queue;           /* NULL: there never was one (core/queue/queue.h) */
    struct waiting_list *list;     /* NULL: there never was one (core/waitlist/waiting_list.h) */
    struct cancelling *cancelling; /* NULL: nothing is being taken back (core/money/event_cancel.h) */
    uint64_t live_units;           /* claimed seats and units, held or confirmed */
    uint64_t items;                /* of reservations in memory, those of ended ones included */
    bool gone;                     /* removed and let go of: the index is free */
    uint32_t next_free;            /* the next free index + 1 */
};

uint64_t event_id_hash(struct text id);
uint64_t event_number_hash(uint64_t number);
struct event *event_find(const struct state *st, struct text id); /* or NULL; removed ones are not found */
/* or NULL; removed ones too while they are in memory */
struct event *event_find_number(const struct state *st, uint64_t number);
struct event *event_after(const struct state *st,
                          uint64_t number); /* the next by number, or NULL; none removed */

/* What items of seats and pools have in common; see struct claim_kind. */
bool event_item_find(struct state *st, uint64_t number, uint32_t *place);
uint64_t *event_item_seq(struct state *st, const struct item *item);
void event_item_name(const struct event *e, struct item_image *out); /* but for part_id */

/* Takes a reference of its own; NULL: none. */
void event_set_zone(struct event *e, struct zone *zone);
/* Midnight of the day that it is at the event's place, as if that were one of UTC. */
int64_t event_day_ms(const struct event *e, int64_t now_ms);
/* The terms of what was held by the change of this seq. */
struct kept_terms event_terms_of(const struct event *e, uint64_t hold);
/* Whether its categories and prices can be read. */
bool event_image_sound(const struct event_image *image);
/* It is this from now on. Emits. */
struct event *event_emit(struct state *st, const struct event_image *image);
/* Recovery: the effect of a change, without judging. The image is sound. */
struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq);
/* A removed event that memory has let go of, for a record that speaks of it: the id and nothing else. */
bool event_item_recall(struct state *st, const struct item_image *item, uint32_t *place);

/* Reservations in memory have one more item, or one less, on this item's event. */
void event_item_added(struct state *st, const struct item *item);
void event_item_gone(struct state *st, const struct item *item);
/* The sale ends at off_sale_at, without one at the event's start, or when the event is cancelled, and for everyone: nobody
 * buys, is admitted or offered anything, or joins a line. */
int64_t event_sale_end(const struct event *e); /* INT64_MAX: it has none */
static inline bool event_sale_over(const struct event *e, int64_t now_ms)
{
    return now_ms >= event_sale_end(e);
}
/* Admins may sell before on_sale_at. */
bool event_on_sale(const struct event *e, enum role role, int64_t now_ms);
/* NOT_ON_SALE: one that was cancelled says so. */
enum outcome_code event_off_sale(const struct event *e, struct outcome *out);
void event_release(struct event *e); /* frees what it owns, and itself */

#endif
