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
#include "core/codec.h"
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
    /* Admins can test a sale before it opens; after it has closed no one can sell. */
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

#define SETTING_FREE(form, member, ...) SETTING_FREE_##form(image->member)
#define SETTING_OWN(form, member, ...) SETTING_OWN_##form(own.member)

static void image_free(struct event_image *image)
{
    text_free(image->id);
    text_free(image->name);
    EVENT_SETTINGS(SETTING_FREE)
    text_free(image->categories);
    text_free(image->prices);
    text_free(image->terms_before);
    text_free(image->cancelled.reason);
    free((void *)(uintptr_t)image->queue.tiers);
}

static void image_own(struct event *e, const struct event_image *image)
{
    struct event_image own = *image;
    struct json_fault fault;
    own.id = text_own(own.id);
    own.name = text_own(own.name);
    EVENT_SETTINGS(SETTING_OWN)
    own.queue.tiers = texts_own(own.queue.tiers, own.queue.tier_count);
    own.categories = text_own(own.categories);
    own.prices = text_own(own.prices);
    own.terms_before = text_own(own.terms_before);
    own.cancelled.reason = text_own(own.cancelled.reason);
    image_free(&e->image); /* after copying: the new image can borrow texts from the old one */
    e->image = own;
    price_list_free(e->prices);
    e->prices = own.categories.at ? price_list_of_event(own.categories, own.prices, &fault) : NULL;
    ASSERT(!own.categories.at == !e->prices); /* the image is valid */
}

void event_set_zone(struct event *e, struct zone *zone)
{
    struct zone *before = e->zone; /* released last: it can be the same one */
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

/* No reservation in memory refers to the removed event any more. Its number stays until the index is reused, so that
 * this step can still refer to it. */
static void event_detach(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->seats && !e->queue && !e->list && !e->codes);
    if (e->layout) /* it was kept for the names in reservations */
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
    /* No record refers to it any more: its layout and pools are not needed. */
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
    if (!e) /* not by id: another event can have it by now */
        e = event_add(
            st, &(struct event_image){.number = item->resource, .id = item->resource_id, .removed = true});
    *place = e->index;
    return true;
}

void event_set_seq(struct event *e, uint64_t seq)
{
    e->seq = seq;
    if (e->queue)
        e->queue->seq = e->queue->moved_seq = seq;
}

struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->number);
    if (!e) {
        /* The id is indexed while the event exists; the number while anything in memory refers to it. */
        ASSERT(!image->removed);
        e = event_add(st, image);
        table_insert(&st->events_by_id, event_id_hash(image->id), e->index);
        event_list_add(st, e);
    } else {
        ASSERT(!e->image.removed && text_equal(e->image.id, image->id));
        if (image->removed) { /* before the old id is freed: the tables need it */
            table_remove(&st->events_by_id, event_id_hash(e->image.id), e->index);
            event_list_remove(st, e);
        }
        if (!text_equal(e->image.timezone, image->timezone))
            event_set_zone(e, NULL);
        image_own(e, image);
    }
    event_set_seq(e, seq);
    event_cancel_follow(st, e);
    if (image->removed) {
        ASSERT(e->live_units == 0);
        event_seats_detach(st, e);
        if (e->queue) /* its entries are no longer shown */
            detached_add(st)->queue = queue_take(st, e);
        if (e->list)
            detached_add(st)->list = waiting_list_take(st, e);
        if (e->codes)
            detached_add(st)->codes = e->codes;
        e->codes = NULL;
        if (!e->items)
            event_detach(st, e);
    } else if (e->queue) {
        queue_apply_settings(st, e);
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

void event_save(struct state *st, const struct event_image *image, struct zone *zone)
{
    st->change.kind = CHANGE_EVENT;
    st->change.event = *image;
    st->change.made.zone = zone;
    state_commit(st);
}

/* OK if the seats can be copied, or are already the same; *from is NULL if no event is named. */
static enum outcome_code copy_judge(struct state *st, const struct command *c, const struct event *e,
                                    struct event **from, struct outcome *out)
{
    *from = NULL;
    if (!c->event_put.copy_seats_from.at)
        return OUTCOME_OK;
    struct event *source = event_find(st, c->event_put.copy_seats_from);
    if (!source)
        return state_invalid(out, "Invalid copy_seats_from: no such event.", "/copy_seats_from");
    /* The same seats are accepted: this can be a retry. */
    if (e && e->layout && (!source->layout || e->layout->digest != source->layout->digest))
        return state_invalid(out, "Invalid copy_seats_from: this event already has seats.",
                             "/copy_seats_from");
    *from = source;
    return OUTCOME_OK;
}

/* Copies seats and pools from another event, unless this one has them: a retry does nothing. */
static void event_copy(struct state *st, struct event *e, struct event *from)
{
    if (from->layout && !e->layout) {
        st->change.kind = CHANGE_SEATS_COPIED;
        st->change.copied.event = e->image.number;
        st->change.copied.from = from->image.number;
        st->change.copied.blocks = event_marked(from);
        state_commit(st);
    }
    if (!e->pool_count)
        pools_copy(st, e, from);
    ASSERT(!from->layout || e->layout->digest == from->layout->digest);
}

/* A sale that ends before it begins is a mistake. */
static enum outcome_code window_judge(const struct event_image *image, struct outcome *out)
{
    if (!image->on_sale_at_ms)
        return OUTCOME_OK;
    if (image->off_sale_at_ms && image->off_sale_at_ms <= image->on_sale_at_ms)
        return state_invalid(out, "Invalid off_sale_at: not after on_sale_at.", "/off_sale_at");
    if (!image->off_sale_at_ms && image->starts_at_ms && image->starts_at_ms <= image->on_sale_at_ms)
        return state_invalid(
            out, "Invalid on_sale_at: not before starts_at, when the sale ends unless off_sale_at is set.",
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
    if (!prices) /* the edge has checked them; only merging can make them too many */
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
    image.cancelled = e ? e->image.cancelled : (struct event_cancelled){0}; /* settings cannot undo it */
    /* The key never changes: ids of entries are made with it. */
    if (e && (e->image.entry_key[0] || e->image.entry_key[1]))
        memcpy(image.entry_key, e->image.entry_key, sizeof(image.entry_key));
    out->created = !e;
    if (e && e->queue) { /* by its old settings */
        queue_open_due(st, e);
        queue_earn(st, e, QUEUE_IDLE_MILLI);
    }
    if (!e)
        image.number = state_next_seq(st);
    /* Existing holds and sales keep their terms. */
    image.terms_before = e ? kept_terms_replace(e->image.terms_before, kept_of(&e->image), kept_of(&image),
                                                state_next_seq(st), &st->scratch)
                           : (struct text){0};
    ASSERT(!image.timezone.at == !c->event_put.zone);
    event_save(st, &image, c->event_put.zone);
    e = event_find(st, image.id);
    ASSERT(out->created == (e->image.number == st->seq));
    /* After the event's change: the queue's record refers to the event, and recovery reads them in order. */
    queue_put(st, e, c->event_put.seed);
    waiting_list_freed(st, e);
    if (from)
        event_copy(st, e, from);
    out->event = e->image;
    out->seq = st->seq;
    return OUTCOME_OK;
}

/* Lapsed holds do not count: settles those of the event, up to the first live claim. */
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
    /* An event with held or sold units cannot be removed. */
    if (e->live_units)
        return OUTCOME_IN_USE;
    struct event_image image = e->image;
    image.removed = true;
    event_save(st, &image, NULL);
    ASSERT(!event_find(st, c->event) && e->image.removed);
    out->seq = st->seq;
    return OUTCOME_OK;
}

/* ---- The changes ---- */

bool event_change_restore(struct state *st, const struct change *c)
{
    const struct event *e = event_find_number(st, c->event.number), *same_id = event_find(st, c->event.id);
    if (e ? same_id != e : (same_id || c->event.number != c->seq || c->event.removed))
        return false;
    if ((e && c->event.removed && e->live_units) || !event_image_sound(&c->event))
        return false;
    struct event *restored = event_restore(st, &c->event, c->seq);
    if (c->made.zone)
        event_set_zone(restored, c->made.zone);
    if (c->event.removed) {
        st->removed_seq = c->seq;
        state_touch(st, TOUCH_EVENT, restored->index, 0, NULL); /* streams of it end */
    }
    return true;
}

bool seats_copied_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->copied.event), *from = event_find_number(st, c->copied.from);
    if (!e || e->image.removed || !from || !from->layout || e->layout)
        return false;
    event_set_layout(st, e, layout_share(from->layout));
    if (c->copied.blocks)
        event_copy_blocks(e, from);
    e->seq = c->seq;
    return true;
}
