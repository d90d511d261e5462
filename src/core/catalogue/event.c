/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "core/catalogue/event_index.h"
#include "core/catalogue/event_price.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/claim/item.h"
#include "core/claim/kind.h"
#include "core/money/event_cancel.h"
#include "core/queue/queue.h"
#include "core/queue/queue_time.h"
#include "core/state.h"

#define DAY_MS 86400000LL

static const struct hash_key id_key = {0x6576656e74206964, 0x686f6c6466617374};

uint64_t event_id_hash(struct text id)
{
    return hash_sip(id_key, id.at, id.size);
}

uint64_t event_number_hash(uint64_t number)
{
    uint64_t v = number * 0x9e3779b97f4a7c15ULL;
    return v ^ v >> 32;
}

static bool event_same_id(void *owner, uint32_t index, const void *key)
{
    return text_equal(((struct state *)owner)->events[index]->image.id, *(const struct text *)key);
}

static bool event_same_number(void *owner, uint32_t index, const void *key)
{
    return ((struct state *)owner)->events[index]->image.number == *(const uint64_t *)key;
}

struct event *event_find(const struct state *st, struct text id)
{
    uint32_t index = table_find(&st->events_by_id, event_id_hash(id), event_same_id, &id);
    return index == TABLE_NONE ? NULL : st->events[index];
}

struct event *event_find_number(const struct state *st, uint64_t number)
{
    uint32_t index = table_find(&st->events_by_number, event_number_hash(number), event_same_number, &number);
    return index == TABLE_NONE ? NULL : st->events[index];
}

int64_t event_sale_end(const struct event *e)
{
    if (e->image.cancelled.at_ms)
        return e->image.cancelled.at_ms;
    int64_t end_ms = e->image.off_sale_at_ms ? e->image.off_sale_at_ms : e->image.starts_at_ms;
    return end_ms ? end_ms : INT64_MAX;
}

bool event_on_sale(const struct event *e, enum role role, int64_t now_ms)
{
    /* Admins test a sale before it opens; after it has closed nobody sells. */
    if (e->image.on_sale_at_ms && now_ms < e->image.on_sale_at_ms && role != ROLE_ADMIN)
        return false;
    return !event_sale_over(e, now_ms);
}

enum outcome_code event_off_sale(const struct event *e, struct outcome *out)
{
    if (e->image.cancelled.at_ms)
        out->detail = "This event was cancelled.";
    return OUTCOME_NOT_ON_SALE;
}

static void image_free(struct event_image *image)
{
    text_free(image->id);
    text_free(image->name);
    text_free(image->description);
    text_free(image->venue);
    text_free(image->image);
    text_free(image->timezone);
    text_free(image->categories);
    text_free(image->prices);
    text_free(image->terms_before);
    text_free(image->cancelled.reason);
    free((void *)(uintptr_t)image->queue.tiers);
}

static void image_own(struct event *e, const struct event_image *image)
{
    /* Copied before anything is freed: the new image may borrow texts from the present one. */
    struct text id = text_own(image->id), name = text_own(image->name);
    struct text description = text_own(image->description), venue = text_own(image->venue),
                picture = text_own(image->image);
    struct text timezone = text_own(image->timezone);
    struct text *tiers = texts_own(image->queue.tiers, image->queue.tier_count);
    struct text categories = text_own(image->categories), prices = text_own(image->prices);
    struct text terms_before = text_own(image->terms_before);
    struct text reason = text_own(image->cancelled.reason);
    image_free(&e->image);
    e->image = *image;
    e->image.id = id;
    e->image.name = name;
    e->image.description = description;
    e->image.venue = venue;
    e->image.image = picture;
    e->image.timezone = timezone;
    e->image.queue.tiers = tiers;
    e->image.categories = categories;
    e->image.prices = prices;
    e->image.terms_before = terms_before;
    e->image.cancelled.reason = reason;
    price_list_free(e->prices);
    struct json_fault fault;
    e->prices = categories.at ? price_list_of_event(categories, prices, &fault) : NULL;
    ASSERT(!categories.at == !e->prices); /* it is sound */
}

void event_set_zone(struct event *e, struct zone *zone)
{
    struct zone *before = e->zone; /* released last: it may be the same one */
    e->zone = zone ? zone_retain(zone) : NULL;
    zone_release(before);
}

int64_t event_day_ms(const struct event *e, int64_t now_ms)
{
    int64_t local_ms = now_ms + (e->zone ? zone_offset_s(e->zone, now_ms / 1000) * 1000LL : 0);
    return local_ms - local_ms % DAY_MS;
}

bool event_image_sound(const struct event_image *image)
{
    if (image->cancel_until_s > (image->cancels ? CANCEL_SECONDS_MAX : 0) ||
        !kept_terms_sound(image->terms_before) ||
        (image->timezone.at && !zone_name_valid(image->timezone.at, image->timezone.size)))
        return false;
    if (!image->cancelled.at_ms &&
        (image->cancelled.reason.at || image->cancelled.refunded || image->cancelled.done))
        return false;
    if (!image->categories.at)
        return !image->prices.at;
    struct json_fault fault;
    struct price_list *prices = price_list_of_event(image->categories, image->prices, &fault);
    price_list_free(prices);
    return prices;
}

static void parts_release(struct event *e)
{
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++)
        if (claim_kind(kind)->release)
            claim_kind(kind)->release(e);
}

/* No reservation in memory refers to the removed event any more. Its number stays until the index is taken
 * again, so that this step can still name it. */
static void event_detach(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->seats && !e->queue && !e->list && !e->codes);
    if (e->layout) /* its names were kept for the reservations that speak of them */
        detached_add(st)->layout = e->layout;
    e->layout = NULL;
    parts_release(e);
    table_remove(&st->events_by_number, event_number_hash(e->image.number), e->index);
    image_free(&e->image);
    price_list_free(e->prices);
    e->prices = NULL;
    event_set_zone(e, NULL);
    e->image = (struct event_image){.number = e->image.number, .removed = true};
    event_index_give(st, e);
}

bool event_item_find(struct state *st, uint64_t number, uint32_t *place)
{
    const struct event *e = event_find_number(st, number);
    *place = e ? e->index : 0;
    return e;
}

uint64_t *event_item_seq(struct state *st, const struct item *item)
{
    return &st->events[item->resource]->seq;
}

void event_item_name(const struct event *e, struct item_image *out)
{
    out->resource = e->image.number;
    out->resource_id = e->image.id;
}

void event_item_added(struct state *st, const struct item *item)
{
    struct event *e = item_event(st, item);
    ASSERT(e && !e->gone);
    e->items++;
}

void event_item_gone(struct state *st, const struct item *item)
{
    struct event *e = item_event(st, item);
    ASSERT(e && e->items > 0);
    /* The last record that names it is gone: nothing will ask for its layout or its pools any more. */
    if (--e->items == 0 && e->image.removed)
        event_detach(st, e);
}

static struct event *event_add(struct state *st, const struct event_image *image)
{
    ASSERT(!event_find_number(st, image->number));
    struct event *e = event_index_take(st);
    image_own(e, image);
    table_insert(&st->events_by_number, event_number_hash(image->number), e->index);
    return e;
}

bool event_item_recall(struct state *st, const struct item_image *item, uint32_t *place)
{
    struct event *e = event_find_number(st, item->resource);
    if (!item->resource_id.size || item->resource > st->seq || (e && !e->image.removed))
        return false;
    if (!e) /* not by id: another event may have the name by now */
        e = event_add(
            st, &(struct event_image){.number = item->resource, .id = item->resource_id, .removed = true});
    *place = e->index;
    return true;
}

struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->number);
    if (!e) {
        /* The id is indexed while the event exists; its number as long as anything in memory refers to it. */
        ASSERT(!image->removed);
        e = event_add(st, image);
        table_insert(&st->events_by_id, event_id_hash(image->id), e->index);
        event_list_add(st, e);
    } else {
        ASSERT(!e->image.removed && text_equal(e->image.id, image->id));
        if (image->removed) { /* while the old name is there: the tables look it up */
            table_remove(&st->events_by_id, event_id_hash(e->image.id), e->index);
            event_list_remove(st, e);
        }
        if (!text_equal(e->image.timezone, image->timezone))
            event_set_zone(e, NULL);
        image_own(e, image);
    }
    e->seq = seq;
    event_cancel_follow(st, e);
    if (image->removed) {
        ASSERT(e->live_units == 0);
        event_seats_detach(st, e);
        if (e->queue) /* what became of those in line is no longer shown */
            detached_add(st)->queue = queue_take(st, e);
        if (e->list)
            detached_add(st)->list = waiting_list_take(st, e);
        if (e->codes)
            detached_add(st)->codes = e->codes;
        e->codes = NULL;
        if (!e->items)
            event_detach(st, e);
    } else if (e->queue) {
        queue_refit(st, e);
    }
    return e;
}

void event_release(struct event *e)
{
    image_free(&e->image);
    event_set_zone(e, NULL);
    price_list_free(e->prices);
    event_seats_release(e);
    layout_release(e->layout);
    parts_release(e);
    queue_release(e->queue);
    waiting_list_release(e->list);
    cancelling_release(e->cancelling);
    codes_release(e->codes);
    free(e);
}

/* ---- Commands ---- */

struct event *event_emit(struct state *st, const struct event_image *image)
{
    st->change.kind = CHANGE_EVENT;
    st->change.event = *image;
    uint64_t seq = state_emit(st);
    ASSERT(image->number && image->number <= seq);
    return event_restore(st, image, seq);
}

/* OK when the seats may be copied, or are the same already; *from is NULL when none are named. */
static enum outcome_code copy_judge(struct state *st, const struct command *c, const struct event *e,
                                    struct event **from, struct outcome *out)
{
    *from = NULL;
    if (!c->event_put.copy_seats_from.at)
        return OUTCOME_OK;
    struct event *source = event_find(st, c->event_put.copy_seats_from);
    if (!source)
        return state_invalid(out, "Invalid copy_seats_from: no such event.", "/copy_seats_from");
    /* The same seats are accepted: this may be a retry. */
    if (e && e->layout && (!source->layout || e->layout->digest != source->layout->digest))
        return state_invalid(out, "Invalid copy_seats_from: this event already has seats.",
                             "/copy_seats_from");
    *from = source;
    return OUTCOME_OK;
}

/* What another event has and this one has not. A retry finds nothing left to do. */
static void event_copy(struct state *st, struct event *e, struct event *from)
{
    if (from->layout && !e->layout) {
        st->change.kind = CHANGE_SEATS_COPIED;
        st->change.copied.event = e->image.number;
        st->change.copied.from = from->image.number;
        st->change.copied.blocks = event_marked(from);
        e->seq = state_emit(st);
        event_set_layout(st, e, layout_share(from->layout));
        event_copy_blocks(e, from);
    }
    if (!e->pool_count)
        pools_copy(st, e, from);
    ASSERT(!from->layout || e->layout->digest == from->layout->digest);
}

/* A sale that ends before it begins is a slip of the pen. Events of before this rule keep what they have. */
static enum outcome_code window_judge(const struct event_image *image, struct outcome *out)
{
    if (!image->on_sale_at_ms)
        return OUTCOME_OK;
    if (image->off_sale_at_ms && image->off_sale_at_ms <= image->on_sale_at_ms)
        return state_invalid(out, "Invalid off_sale_at: not after on_sale_at.", "/off_sale_at");
    if (!image->off_sale_at_ms && image->starts_at_ms && image->starts_at_ms <= image->on_sale_at_ms)
        return state_invalid(
            out, "Invalid on_sale_at: not before starts_at, when the sale ends without off_sale_at.",
            "/on_sale_at");
    return OUTCOME_OK;
}

static enum outcome_code prices_judge(const struct event_image *image, struct outcome *out)
{
    if (!image->categories.at && image->prices.at)
        return state_invalid(out, "Invalid prices: the event has no categories.", "/prices");
    if (!image->categories.at)
        return OUTCOME_OK;
    struct json_fault fault;
    struct price_list *prices = price_list_of_event(image->categories, image->prices, &fault);
    if (!prices) /* the edge has written them; merged they can only have become too many */
        return state_invalid(out, "Too many prices: at most 64 tiers, and 32 categories in each.", "%s",
                             fault.pointer);
    enum outcome_code code = event_prices_judge(prices, prices, "/prices", out);
    price_list_free(prices);
    return code;
}

static struct kept_terms kept_of(const struct event_image *image)
{
    return (struct kept_terms){kept_late(&image->terms), image->cancels, image->cancel_until_s};
}

struct kept_terms event_terms_of(const struct event *e, uint64_t hold)
{
    return kept_terms_of(e->image.terms_before, kept_of(&e->image), hold);
}

enum outcome_code event_put(struct state *st, const struct command *c, struct outcome *out)
{
    static const struct terms_defaults usual = {EVENT_HOLD_TTL_S, EVENT_MAX_HOLD_S, 0};
    struct event *e = event_find(st, c->event_put.image.id), *from;
    struct event_image image = c->event_put.image;
    enum outcome_code code =
        terms_complete(&image.terms, c->event_put.preset.hold_ttl_s ? &c->event_put.preset : &usual, out);
    if (code == OUTCOME_OK)
        code = window_judge(&image, out);
    if (code == OUTCOME_OK)
        code = copy_judge(st, c, e, &from, out);
    if (code == OUTCOME_OK)
        code = prices_judge(&image, out);
    if (code != OUTCOME_OK)
        return code;
    image.number = e ? e->image.number : 0;
    image.created_at_ms = e ? e->image.created_at_ms : st->now_ms;
    image.removed = false;
    image.cancelled = e ? e->image.cancelled : (struct event_cancelled){0}; /* no setting takes it back */
    /* A key stays for ever: the ids of those in line are made with it. */
    if (e && (e->image.entry_key[0] || e->image.entry_key[1]))
        memcpy(image.entry_key, e->image.entry_key, sizeof(image.entry_key));
    out->created = !e;
    if (e && e->queue) { /* by the settings it had */
        queue_open_due(st, e);
        queue_earn(st, e, QUEUE_IDLE_MILLI);
    }
    if (!e)
        image.number = state_next_seq(st);
    /* What is held and sold keeps what it was promised. */
    image.terms_before = e ? kept_terms_replace(e->image.terms_before, kept_of(&e->image), kept_of(&image),
                                                state_next_seq(st), &st->scratch)
                           : (struct text){0};
    e = event_emit(st, &image);
    ASSERT(out->created == (e->image.number == st->seq) && e == event_find(st, image.id));
    ASSERT(!image.timezone.at == !c->event_put.zone);
    event_set_zone(e, c->event_put.zone);
    /* After the event's own change: the queue's record names the event, and recovery reads them in order. */
    queue_put(st, e, c->event_put.seed);
    waiting_list_freed(st, e);
    if (from)
        event_copy(st, e, from);
    out->event = e->image;
    out->seq = st->seq;
    return OUTCOME_OK;
}

/* Lapsed holds do not count: settles those of the event, up to the first claim that stands. */
static void settle_event(struct state *st, struct event *e)
{
    for (enum item_kind kind = ITEM_KIND_FIRST; kind <= ITEM_KIND_LAST; kind++)
        if (claim_kind(kind)->settle_event && !claim_kind(kind)->settle_event(st, e))
            return;
}

enum outcome_code event_remove(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    settle_event(st, e);
    out->seq = e->seq;
    /* Sold or held: what somebody has a claim on is not taken away. */
    if (e->live_units)
        return OUTCOME_IN_USE;
    struct event_image image = e->image;
    image.removed = true;
    event_emit(st, &image);
    ASSERT(!event_find(st, c->event) && e->image.removed);
    /* Whoever follows the event learns that it is gone. */
    state_touch(st, TOUCH_EVENT, e->index, 0, NULL);
    out->seq = st->removed_seq = st->seq;
    return OUTCOME_OK;
}
