/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_image.c — a reservation to and from its image. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/claim/kind.h"

static struct text extra_text(const char *text, uint32_t size)
{
    return (struct text){text, text ? size : 0};
}

/* Whose it is and what it is called. *names goes on by one if there are any: those of a removed event that
 * has let go of its seats and pools. */
static void item_image_names(struct state *st, const struct item *item, const char **names,
                             struct item_image *out)
{
    struct text kept = {0};
    if (*names) {
        kept = (struct text){*names + 1, (uint8_t) * *names};
        *names += 1 + kept.size;
    }
    const struct claim_kind *kind = claim_kind(item->kind);
    kind->name(st, item, out);
    if (kind->in_event && !out->part_id.at)
        out->part_id = kept;
    ASSERT(!kind->in_event || out->part_id.at);
}

static void item_image_make(struct state *st, const struct item *item, const char **names,
                            struct item_image *out)
{
    *out = (struct item_image){
        .item_id = item->item_id,
        .kind = item->kind,
        .part = item->part,
        .quantity = item->quantity,
        .price = item->price,
        .fence = item->fence,
        .start_ms = item->start_ms,
        .end_ms = item->end_ms,
        .until_ms = item->until_ms,
    };
    item_image_names(st, item, names, out);
}

void reservation_image_make(struct state *st, struct reservation *r, struct reservation_image *out,
                            struct item_image *items)
{
    *out = (struct reservation_image){
        .id = r->id,
        .number = r->number,
        .fence = r->fence,
        .version = r->version,
        .status = (enum reservation_status)r->status,
        .user_id = user_id(st, r->user),
        .created_at_ms = r->created_at_ms,
        .expires_at_ms = r->expires_at_ms,
        .max_expires_at_ms = r->max_expires_at_ms,
        .hold_ttl_s = r->hold_ttl_s,
        .payment_ttl_s = r->payment_ttl_s,
        .payment_required = r->payment_required,
        .from_list = r->from_list,
        .next_item_id = r->next_item_id,
        .items = items,
        .item_count = r->item_count,
    };
    memcpy(out->currency, r->currency, sizeof(r->currency));
    const struct reservation_extra *x = r->extra;
    if (x) {
        out->payment_started_at_ms = x->payment_started_at_ms;
        out->confirmed_at_ms = x->confirmed_at_ms;
        out->ended_at_ms = x->ended_at_ms;
        out->ticket_key[0] = x->ticket_key[0];
        out->ticket_key[1] = x->ticket_key[1];
        out->attributes = extra_text(x->attributes, x->attributes_size);
        out->payment_method = extra_text(x->payment_method, x->payment_method_size);
        out->payment_ref = extra_text(x->payment_ref, x->payment_ref_size);
    }
    const char *names = x ? x->names : NULL;
    for (uint32_t i = 0; i < r->item_count; i++)
        item_image_make(st, &reservation_items(r)[i], &names, &items[i]);
}

/* Everything but items, status and deadline. */
static void fields_restore(struct reservation *r, const struct reservation_image *image)
{
    r->number = image->number;
    r->fence = image->fence;
    r->version = image->version;
    r->created_at_ms = image->created_at_ms;
    r->expires_at_ms = image->expires_at_ms;
    r->max_expires_at_ms = image->max_expires_at_ms;
    r->hold_ttl_s = image->hold_ttl_s;
    r->payment_ttl_s = image->payment_ttl_s;
    r->payment_required = image->payment_required;
    r->from_list = image->from_list;
    r->next_item_id = image->next_item_id;
    memcpy(r->currency, image->currency, sizeof(r->currency));
    reservation_set_attributes(r, image->attributes);
    reservation_set_payment(r, image->payment_method, image->payment_ref);
    if (image->payment_started_at_ms || image->confirmed_at_ms || image->ended_at_ms || r->extra) {
        struct reservation_extra *x = reservation_extra(r);
        x->payment_started_at_ms = image->payment_started_at_ms;
        x->confirmed_at_ms = image->confirmed_at_ms;
        x->ended_at_ms = image->ended_at_ms;
        x->ticket_key[0] = image->ticket_key[0];
        x->ticket_key[1] = image->ticket_key[1];
    }
}

static struct item item_of(uint32_t index, const struct item_image *image)
{
    return (struct item){.resource = index,
                         .part = image->part,
                         .quantity = image->quantity,
                         .place = HEAP_NONE,
                         .price = image->price,
                         .fence = image->fence,
                         .start_ms = image->start_ms,
                         .end_ms = image->end_ms,
                         .until_ms = image->until_ms,
                         .item_id = image->item_id,
                         .kind = image->kind};
}

/* True when what it is on exists. */
static bool item_fits(struct state *st, const struct item_image *image, struct item *out)
{
    uint32_t place = 0;
    if (!item_kind_claimed(image->kind))
        return false;
    const struct claim_kind *kind = claim_kind(image->kind);
    bool found = kind->find(st, image->resource, &place);
    *out = item_of(place, image);
    return found && image->quantity >= 1 && (kind->many || image->quantity == 1) && kind->exists(st, out);
}

/* Items without claims: the record of what an ended reservation asked for. */
static void items_keep(struct state *st, struct reservation *r, const struct item *items, uint32_t count)
{
    ASSERT(r->item_count == 0 && count >= 1 && count <= ITEMS_MAX);
    for (uint32_t i = 0; i < count; i++)
        event_item_added(st, &items[i]);
    r->item_count = (uint8_t)count;
    if (count == 1)
        r->one = items[0];
    else if (count > 1)
        r->many = (struct item *)(void *)memory_copy(items, count * sizeof(*items));
}

static void items_clear(struct state *st, uint32_t handle, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    if (reservation_live(r))
        reservation_end_claims(st, handle, seq);
    for (uint32_t i = 0; i < r->item_count; i++)
        event_item_gone(st, &reservation_items(r)[i]);
    if (r->item_count > 1)
        free(r->many);
    r->item_count = 0;
    /* Its claims are made anew from the image, so that recovery needs to know nothing of what the command
     * did. */
}

/* Whether the life of a reservation can go on with this image. */
static bool image_follows(struct state *st, uint32_t handle, const struct reservation_image *image)
{
    if (image->item_count == 0 || image->item_count > ITEMS_MAX || image->status < RESERVATION_HELD ||
        image->status > RESERVATION_EXPIRED)
        return false;
    if (handle == TABLE_NONE)
        return true;
    const struct reservation *r = reservation_at(st, handle);
    return (r->status == RESERVATION_HELD ||
            (r->status == RESERVATION_CONFIRMED && image->status == RESERVATION_CONFIRMED)) &&
           text_equal(user_id(st, r->user), image->user_id);
}

uint32_t reservation_restore(struct state *st, const struct reservation_image *image, uint64_t seq)
{
    struct item items[ITEMS_MAX];
    uint32_t handle = reservation_find(st, image->id);
    if (!image_follows(st, handle, image))
        return TABLE_NONE;
    for (uint32_t i = 0; i < image->item_count; i++)
        if (!item_fits(st, &image->items[i], &items[i]))
            return TABLE_NONE;
    if (handle == TABLE_NONE)
        handle = reservation_add(st, image->id, image->user_id);
    struct reservation *r = reservation_at(st, handle);
    items_clear(st, handle, seq);
    fields_restore(r, image);
    r->seq = seq;
    bool live = image->status == RESERVATION_HELD || image->status == RESERVATION_CONFIRMED;
    if (r->status != image->status)
        reservation_set_status(st, handle, image->status);
    if (image->status == RESERVATION_HELD)
        reservation_set_deadline(st, handle, image->expires_at_ms);
    else
        state_forgettable(st, handle);
    if (!live)
        items_keep(st, r, items, image->item_count);
    for (uint32_t i = 0; live && i < image->item_count; i++) {
        if (!claim_kind(items[i].kind)->is_free(st, &items[i]))
            return TABLE_NONE;
        reservation_item_add(st, handle, &items[i]);
    }
    reservation_mark(st, handle, seq);
    ASSERT(r->item_count == image->item_count && r->status == image->status);
    return handle;
}

/* An event that was removed may have let go of its seats and pools: the record brings their names. */
static void names_keep(struct reservation *r, const struct reservation_image *image)
{
    struct buf names;
    buf_init(&names, ITEMS_MAX * (1 + ID_SIZE_MAX));
    for (uint32_t i = 0; i < image->item_count; i++) {
        struct text name = image->items[i].part_id;
        ASSERT(name.size <= ID_SIZE_MAX);
        bytes_put_u8(&names, (uint8_t)name.size);
        if (name.size)
            buf_append(&names, name.at, name.size);
    }
    reservation_extra(r)->names = (char *)names.data;
}

/* On an event that was removed, of which no claim is left, and which memory may have let go of. */
static bool item_gone(struct state *st, const struct item_image *image, struct item *out)
{
    struct event *e = event_find_number(st, image->resource);
    if (!item_kind_claimed(image->kind) || !claim_kind(image->kind)->in_event || !image->resource_id.size ||
        image->resource > st->seq || (e && !e->image.removed))
        return false;
    out->resource = (e ? e : event_recall(st, image->resource, image->resource_id))->index;
    return true;
}

bool reservation_put_back(struct state *st, const struct reservation_image *image)
{
    struct item items[ITEMS_MAX];
    if (image->status == RESERVATION_HELD || !image_follows(st, TABLE_NONE, image))
        return false;
    uint32_t handle = reservation_add(st, image->id, image->user_id);
    struct reservation *r = reservation_at(st, handle);
    fields_restore(r, image);
    r->seq = image->fence;
    reservation_set_status(st, handle, image->status);
    for (uint32_t i = 0; i < image->item_count; i++) {
        bool gone = !item_fits(st, &image->items[i], &items[i]);
        if (gone && (image->status == RESERVATION_CONFIRMED || !item_gone(st, &image->items[i], &items[i])))
            return false;
        if (gone && !(r->extra && r->extra->names))
            names_keep(r, image);
        if (image->status == RESERVATION_CONFIRMED &&
            !claim_kind(items[i].kind)->rejoin(st, handle, &items[i]))
            return false;
    }
    items_keep(st, r, items, image->item_count);
    ASSERT(r->place == HEAP_NONE && r->item_count == image->item_count);
    state_forgettable(st, handle);
    return true;
}

bool state_load_bought(struct state *st, const struct item_image *item, struct id reservation,
                       struct text user)
{
    const struct claim_kind *kind = claim_kind(item->kind);
    if (kind->load && !kind->load(st, item, reservation))
        return false;
    return !kind->in_event || state_load_count(st, item->resource, user, item->quantity);
}
