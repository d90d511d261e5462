/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_image.c — a reservation to and from its image. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/booked.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/step.h"

/* Fields that a record and its image share, except status and texts; X(field) or X(field[index]). */
/* clang-format off */
#define RESERVATION_ALIKE(X) \
    X(number) X(fence) X(version) X(created_at_ms) X(expires_at_ms) X(max_expires_at_ms) X(hold_ttl_s) \
    X(payment_ttl_s) X(payment_required) X(from_list) X(next_item_id) \
    X(currency[0]) X(currency[1]) X(currency[2])
#define EXTRA_ALIKE(X) \
    X(user_max_at_ms) X(staff_max_at_ms) X(payment_started_at_ms) X(confirmed_at_ms) X(ended_at_ms) \
    X(ticket_key[0]) X(ticket_key[1]) X(manage_gen) X(transferred) X(payment_recorded_at_ms)
#define ITEM_ALIKE(X) \
    X(item_id) X(part) X(quantity) X(price) X(fence) X(start_ms) X(end_ms) X(until_ms) \
    X(lead_ms) X(before_minutes) X(after_minutes)
#define ITEM_EXTRA_ALIKE(X) X(attributes) X(category) X(code) X(allotment) X(group)
/* clang-format on */

/* Sets resource and names. *names, the names stored for a removed event that was freed, advances by one if there are
 * any. */
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
    *out = (struct item_image){0};
#define X(field) out->field = item->field;
    ITEM_ALIKE(X)
#undef X
    out->kind = (enum item_kind)item->kind;
    out->flags = item->flags;
    if (item->extra) {
#define X(field) out->field = item->extra->field;
        ITEM_EXTRA_ALIKE(X)
#undef X
    }
    item_image_names(st, item, names, out);
    if (out->group)
        out->group_id = group_find_number(st, out->group)->image.id;
}

void reservation_note_before(struct state *st, struct reservation *r, uint32_t index)
{
    struct item_image image;
    const char *names = NULL; /* the event of a live item exists */
    ASSERT(!(r->extra && r->extra->names) && index < r->item_count && st->before_count < ITEMS_MAX);
    item_image_make(st, &reservation_items(r)[index], &names, &image);
    item_before_put(&st->before, &image);
    st->before_count++;
}

void reservation_image_make(struct state *st, struct reservation *r, struct reservation_image *out,
                            struct item_image *items)
{
    const struct reservation_extra *x = r->extra;
    *out = (struct reservation_image){.id = r->id,
                                      .status = (enum reservation_status)r->status,
                                      .user_id = user_id(st, r->user),
                                      .items = items,
                                      .item_count = r->item_count};
#define X(field) out->field = r->field;
    RESERVATION_ALIKE(X)
#undef X
    if (x) {
        out->attributes = x->attributes;
        out->payment_method = x->payment_method;
        out->payment_ref = x->payment_ref;
        out->singles = x->singles;
#define X(field) out->field = x->field;
        EXTRA_ALIKE(X)
#undef X
    }
    const char *names = x ? x->names : NULL;
    for (uint32_t i = 0; i < r->item_count; i++)
        item_image_make(st, &reservation_items(r)[i], &names, &items[i]);
}

/* Everything but items, status and deadline. */
static void fields_restore(struct reservation *r, const struct reservation_image *image)
{
#define X(field) r->field = image->field;
    RESERVATION_ALIKE(X)
#undef X
    reservation_set_attributes(r, image->attributes);
    reservation_set_singles(r, image->singles);
    if (r->extra && r->extra->payment_ref.at && !image->payment_ref.at)
        reservation_clear_payment(r);
    reservation_set_payment(r, image->payment_method, image->payment_ref);
    if (image->user_max_at_ms || image->payment_started_at_ms || image->confirmed_at_ms ||
        image->ended_at_ms || r->extra) {
        struct reservation_extra *x = reservation_extra(r);
#define X(field) x->field = image->field;
        EXTRA_ALIKE(X)
#undef X
    }
}

/* Room for ITEMS_MAX items that borrow from an image. It is the step's plan, which is not in use during recovery. */
static struct planned *items_room(const struct state *st)
{
    ASSERT(st->step->plan_count == 0);
    return st->step->plan;
}

static void item_of(uint32_t index, const struct item_image *image, struct planned *out)
{
    out->item = (struct item){.resource = index, .place = HEAP_NONE, .extra = &out->extra};
#define X(field) out->item.field = image->field;
    ITEM_ALIKE(X)
#undef X
    out->item.kind = (uint8_t)image->kind;
    out->item.flags = (uint8_t)image->flags;
#define X(field) out->extra.field = image->field;
    ITEM_EXTRA_ALIKE(X)
#undef X
}

/* A live event has every code that was ever used for a claim; a removed one has none. */
static bool code_fits(struct state *st, const struct item_image *image, const struct item *item)
{
    const struct event *e = item_event(st, item);
    return !image->code.at || (e && (e->image.removed || code_find(e, image->code)));
}

/* Groups are never forgotten, and only timed items come from one. */
static bool group_fits(const struct state *st, const struct item_image *image)
{
    return !image->group || (item_kind_timed(image->kind) && group_find_number(st, image->group));
}

/* Whether its seat, pool, calendar, code and group exist. */
static bool item_fits(struct state *st, const struct item_image *image, struct planned *out)
{
    uint32_t place = 0;
    if (!item_kind_claimed(image->kind))
        return false;
    const struct claim_kind *kind = claim_kind(image->kind);
    bool found = kind->find(st, image->resource, &place);
    item_of(place, image, out);
    return found && image->quantity >= 1 && (kind->many || image->quantity == 1) &&
           kind->exists(st, &out->item) && code_fits(st, image, &out->item) && group_fits(st, image);
}

/* Adds items without claims, with copies of their extras: the record of what an ended reservation had. */
static void items_keep(struct state *st, struct reservation *r, const struct planned *read, uint32_t count)
{
    ASSERT(r->item_count == 0 && count >= 1 && count <= ITEMS_MAX);
    r->item_count = (uint8_t)count;
    if (count > 1)
        r->many = memory_get(count * sizeof(*r->many));
    for (uint32_t i = 0; i < count; i++) {
        struct item *item = &reservation_items(r)[i];
        item_added(st, &read[i].item);
        *item = read[i].item;
        item->extra = item_extra_own(&read[i].extra);
    }
}

/* Whether the image is a valid next state of the reservation. */
static bool image_follows(struct state *st, uint32_t handle, const struct reservation_image *image)
{
    if (image->item_count == 0 || image->item_count > ITEMS_MAX || image->status < RESERVATION_HELD ||
        image->status > RESERVATION_STATUS_LAST)
        return false;
    bool back = image->status == RESERVATION_REFUNDED || image->status == RESERVATION_CANCELLED;
    if (back && (!image->confirmed_at_ms || !image->ended_at_ms)) /* it must have been sold */
        return false;
    if (handle == TABLE_NONE)
        return true;
    const struct reservation *r = reservation_at(st, handle);
    bool sold = r->status == RESERVATION_CONFIRMED && (image->status == RESERVATION_CONFIRMED || back);
    /* Only a sold one can be transferred, with a new fence. */
    bool given = sold && image->transferred && image->transferred == image->fence;
    bool late = r->status == RESERVATION_EXPIRED && image->status == RESERVATION_CONFIRMED;
    return ((r->status == RESERVATION_HELD && !back) || sold || late) &&
           (given || text_equal(user_id(st, r->user), image->user_id));
}

static bool status_live(enum reservation_status status)
{
    return status == RESERVATION_HELD || status == RESERVATION_CONFIRMED;
}

/* Whether two items claim the same by the same grant. */
static bool claims_same(const struct item *a, const struct item *b)
{
    struct text none = {0};
    return a->item_id == b->item_id && a->kind == b->kind && a->resource == b->resource &&
           a->part == b->part && a->quantity == b->quantity && a->fence == b->fence &&
           a->start_ms == b->start_ms && a->end_ms == b->end_ms && a->until_ms == b->until_ms &&
           a->lead_ms == b->lead_ms && a->before_minutes == b->before_minutes &&
           a->after_minutes == b->after_minutes &&
           text_equal(a->extra ? a->extra->code : none, b->extra ? b->extra->code : none);
}

/* Whether the image leaves every claim as it is, or sells them all. */
static bool claims_stay(struct state *st, struct reservation *r, const struct reservation_image *image,
                        const struct planned *read)
{
    bool same = reservation_live(r) && status_live(image->status) && r->item_count == image->item_count &&
                text_equal(user_id(st, r->user), image->user_id);
    for (uint32_t i = 0; same && i < image->item_count; i++)
        same = claims_same(&reservation_items(r)[i], &read[i].item);
    return same;
}

/* The record changes, its claims stay. */
static void restore_in_place(struct state *st, uint32_t handle, const struct reservation_image *image,
                             const struct planned *read, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    bool sold = r->status != image->status;
    fields_restore(r, image);
    r->seq = seq;
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct item *item = &reservation_items(r)[i];
        item_extra_free(item->extra);
        item->extra = item_extra_own(&read[i].extra);
        item->price = read[i].item.price;
        item->flags = read[i].item.flags;
    }
    if (image->status == RESERVATION_HELD)
        reservation_set_deadline(st, handle, image->expires_at_ms);
    if (sold) {
        reservation_set_status(st, handle, image->status);
        for (uint32_t i = 0; i < r->item_count; i++)
            tickets_begin(st, r, &reservation_items(r)[i]);
        reservation_mark(st, handle, seq);
    }
    if (image->status != RESERVATION_HELD)
        state_forgettable(st, handle, 0);
}

/* Ends all claims. Those that the image has too are made again: readers do not see that, so their event or calendar keeps
 * its seq. */
static void claims_end(struct state *st, uint32_t handle, const struct reservation_image *image,
                       const struct planned *read, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct item *item = &reservation_items(r)[i];
        uint64_t *last = claim_kind(item->kind)->seq(st, item), before = *last;
        bool kept = false;
        for (uint32_t k = 0; r->status == image->status && k < image->item_count; k++)
            kept = kept || claims_same(item, &read[k].item);
        reservation_end_claim(st, handle, i, seq);
        if (kept)
            *last = before;
    }
}

uint32_t reservation_restore(struct state *st, const struct reservation_image *image, uint64_t seq)
{
    struct planned *read = items_room(st);
    uint32_t handle = reservation_find(st, image->id);
    if (image->fence > seq || !image_follows(st, handle, image)) /* a fence is the seq of a change */
        return TABLE_NONE;
    for (uint32_t i = 0; i < image->item_count; i++)
        if (image->items[i].fence > image->fence || !item_fits(st, &image->items[i], &read[i]))
            return TABLE_NONE;
    /* Nothing was changed so far: an image that does not fit leaves the state as it was. */
    if (handle == TABLE_NONE)
        handle = reservation_add(st, image->id, image->user_id);
    struct reservation *r = reservation_at(st, handle);
    if (r->item_count && claims_stay(st, r, image, read)) {
        restore_in_place(st, handle, image, read, seq);
        return handle;
    }
    /* Other claims are made again from the image, so that recovery does not depend on what the command did. */
    if (reservation_live(r))
        claims_end(st, handle, image, read, seq);
    /* Events and calendars of the new items must not be freed with the old items. */
    for (uint32_t i = 0; i < image->item_count; i++)
        item_added(st, &read[i].item);
    reservation_items_drop(st, r);
    if (!text_equal(user_id(st, r->user), image->user_id))
        reservation_set_owner(st, handle, image->user_id);
    fields_restore(r, image);
    r->seq = seq;
    /* Set the status before adding items: it decides whether a claim is held or sold. */
    bool live = status_live(image->status);
    if (r->status != image->status)
        reservation_set_status(st, handle, image->status);
    if (image->status == RESERVATION_HELD)
        reservation_set_deadline(st, handle, image->expires_at_ms);
    else
        state_forgettable(st, handle, 0);
    if (!live)
        items_keep(st, r, read, image->item_count);
    for (uint32_t i = 0; live && i < image->item_count; i++) {
        /* Two claims of the same thing mean damage: the journal has only granted claims. */
        if (!claim_kind(read[i].item.kind)->is_free(st, &read[i].item))
            return TABLE_NONE;
        reservation_item_add(st, handle, &read[i].item);
    }
    for (uint32_t i = 0; i < image->item_count; i++)
        item_gone(st, &read[i].item);
    ASSERT(r->item_count == image->item_count && r->status == image->status);
    ASSERT((r->status == RESERVATION_HELD) == (r->place != HEAP_NONE)); /* it will lapse */
    return handle;
}

/* Seats and pools of a removed event can be freed: keeps their names, from the record. */
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
    ASSERT(!r->extra || !r->extra->names); /* once for all items */
    reservation_extra(r)->names = (char *)names.data;
}

/* For an event or calendar that was removed and perhaps freed. The event of a sold item cannot be removed; a calendar
 * can, once the claim is over. */
static bool item_recall(struct state *st, enum reservation_status status, const struct item_image *image,
                        struct item *out)
{
    bool sold = status == RESERVATION_CONFIRMED;
    return item_kind_claimed(image->kind) &&
           !(sold && (claim_kind(image->kind)->in_event || image->until_ms > st->now_ms)) &&
           claim_kind(image->kind)->recall(st, image, &out->resource);
}

bool reservation_put_back(struct state *st, const struct reservation_image *image)
{
    struct planned *read = items_room(st);
    if (image->status == RESERVATION_HELD || !image_follows(st, TABLE_NONE, image))
        return false;
    uint32_t handle = reservation_add(st, image->id, image->user_id);
    struct reservation *r = reservation_at(st, handle);
    fields_restore(r, image);
    /* Its last change is not known here; this one is durable, so no answer waits for it. */
    r->seq = image->fence;
    if (image->status == RESERVATION_REFUNDED || image->status == RESERVATION_CANCELLED)
        reservation_set_status(st, handle, RESERVATION_CONFIRMED); /* legal pairs only */
    reservation_set_status(st, handle, image->status);
    for (uint32_t i = 0; i < image->item_count; i++) {
        struct item *item = &read[i].item;
        bool gone = !item_fits(st, &image->items[i], &read[i]);
        if (gone && !item_recall(st, image->status, &image->items[i], item))
            return false;
        if (gone && claim_kind(item->kind)->in_event && !(r->extra && r->extra->names))
            names_keep(r, image);
        if (image->status == RESERVATION_CONFIRMED && !claim_kind(item->kind)->rejoin(st, handle, item))
            return false;
    }
    items_keep(st, r, read, image->item_count);
    ASSERT(r->place == HEAP_NONE && r->item_count == image->item_count);
    /* The command that needs it might have to fetch more from the book before it can continue. */
    state_forgettable(st, handle, st->now_ms + PUT_BACK_MS);
    return true;
}

bool state_load_bought(struct state *st, const struct item_image *item, struct id reservation,
                       struct text user)
{
    ASSERT(item_kind_claimed(item->kind) && item->quantity >= 1);
    const struct claim_kind *kind = claim_kind(item->kind);
    if (kind->load && !kind->load(st, item, reservation))
        return false;
    if (kind->in_event) {
        struct event *e = event_find_number(st, item->resource);
        if (item->code.at && !(e && code_find(e, item->code)))
            return false;
        if (item->code.at)
            code_count(e, item->code, item->quantity);
        return state_load_count(st, item->resource, user, item->quantity);
    }
    if (item->code.at)
        return false;
    uint32_t handle = user_take(st, user), place = 0; /* a short reference: the booking then keeps the user */
    bool found = kind->find(st, item->resource, &place);
    ASSERT(found && kind->timed);
    booked_add(st, handle, place, item->end_ms);
    user_give(st, handle);
    return true;
}

bool state_load_tickets(struct state *st, const struct item_image *item, struct id reservation,
                        const uint64_t ticket_key[2])
{
    char code[TICKET_CODE_SIZE];
    struct check_in_image ticket = {.code = {code, sizeof(code)},
                                    .reservation = reservation,
                                    .kind = item->kind,
                                    .resource = item->resource,
                                    .part = item->part,
                                    .item_id = item->item_id,
                                    .reissue = item->fence};
    if (!claim_kind(item->kind)->in_event || !(ticket_key[0] || ticket_key[1]))
        return true; /* those of calendars are fetched from the book */
    for (; ticket.unit < item->quantity; ticket.unit++) {
        ticket_code_write(ticket_key, item->item_id, ticket.unit, code);
        if (!ticket_take(st, &ticket))
            return false;
    }
    return true;
}

CHANGE_RESTORE(reservation, reservation_restore(st, &c->reservation.image, c->seq) != TABLE_NONE)
