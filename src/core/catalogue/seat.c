/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/seat.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "core/catalogue/event_price.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/reservation.h"
#include "core/claim/single_seats.h"
#include "core/queue/queue.h"
#include "core/state_check_parts.h"
#include "core/waitlist/wish_group.h"

struct seat *seat_at(const struct event *e, uint32_t position)
{
    ASSERT(e->layout && position < e->layout->count);
    return &e->seats[position / SEAT_CHUNK][position % SEAT_CHUNK];
}

void seats_release(struct seat **seats, uint32_t chunks)
{
    for (uint32_t i = 0; i < chunks; i++)
        free(seats[i]);
    free(seats);
}

bool seat_blocked(const struct event *e, uint32_t position)
{
    return bitset_has(&e->blocked, position);
}

bool seat_off_sale(const struct event *e, uint32_t position)
{
    return seat_blocked(e, position) || (e->allotments && bitset_has(&e->allotments->in, position));
}

bool seat_held_off(const struct state *st, const struct event *e, uint32_t position)
{
    return seat_off_sale(e, position) && bitset_has(&e->claimed, position) &&
           seat_status(st, e, position) == UNIT_HELD;
}

enum unit_status seat_status(const struct state *st, const struct event *e, uint32_t position)
{
    const struct seat *seat = seat_at(e, position);
    if (seat->claim == CLAIM_NONE || seat->claim == CLAIM_PLANNED)
        return seat_off_sale(e, position) ? UNIT_BLOCKED : waiting_list_busy(e) ? UNIT_HELD : UNIT_AVAILABLE;
    /* Only sold seats have a stub. */
    if (seat->claim & CLAIM_STUB)
        return UNIT_SOLD;
    return reservation_at(st, seat->claim - 1)->status == RESERVATION_CONFIRMED ? UNIT_SOLD : UNIT_HELD;
}

struct obstacle seat_obstacle(struct state *st, const struct event *e, uint32_t position, uint32_t index)
{
    return (struct obstacle){.item = index, .kind = ITEM_SEAT, .status = seat_status(st, e, position)};
}

void seat_touch(struct state *st, const struct event *e, uint32_t position)
{
    state_touch(st, ITEM_SEAT, e->index, position, &seat_at(e, position)->touched);
}

void seat_plan(struct seat *seat)
{
    ASSERT(seat->claim == CLAIM_NONE);
    seat->claim = CLAIM_PLANNED;
}

void seat_unplan(struct seat *seat)
{
    ASSERT(seat->claim == CLAIM_PLANNED);
    seat->claim = CLAIM_NONE;
}

/* Marks the seat as claimed, or as free again. */
static void set_claimed(struct event *e, uint32_t position, bool claimed)
{
    ASSERT(bitset_has(&e->claimed, position) != claimed);
    event_uncount_seat(e, position);
    bitset_put(&e->claimed, position, claimed);
    event_count_seat(e, position);
}

void seat_claim(struct state *st, struct event *e, uint32_t position, uint32_t claim, uint64_t fence,
                bool sold)
{
    struct seat *seat = seat_at(e, position);
    ASSERT(seat->claim == CLAIM_NONE || seat->claim == CLAIM_PLANNED);
    ASSERT(claim != CLAIM_NONE && claim != CLAIM_PLANNED);
    seat->claim = claim;
    seat->version = fence;
    set_claimed(e, position, true);
    if (sold) {
        e->counts.sold++;
    } else {
        e->counts.held++;
        e->held_off += seat_off_sale(e, position);
    }
    seat_touch(st, e, position);
    ASSERT(event_counts_add_up(e));
}

/* ---- The kind of request ---- */

struct item seat_item(const struct event *e, uint32_t position, struct text category)
{
    int64_t price = 0;
    bool priced = event_seat_price(e, position, category, &price);
    ASSERT(priced);
    return (struct item){
        .resource = e->index, .part = position, .quantity = 1, .price = price, .kind = ITEM_SEAT};
}

static enum outcome_code judge_distinct(struct step *step, struct target *t, struct outcome *out)
{
    for (const struct target *other = step->targets; other < t; other++)
        if (other->kind == t->kind && text_equal(other->request->part, t->request->part) &&
            text_equal(other->request->resource, t->request->resource))
            return state_invalid(out, "Duplicate seat.", "/items/%u/seat", t->index);
    return OUTCOME_OK;
}

static bool owned(struct step *step, const struct target *t)
{
    /* By id: nothing is resolved in this phase, and a seat that does not exist is not owned. */
    struct reservation *r = reservation_at(step->state, step->reservation);
    const struct event *e = event_find(step->state, t->request->resource);
    for (uint32_t i = 0; e && i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (own->kind == ITEM_SEAT && own->resource == e->index &&
            text_equal(layout_id(e->layout, own->part), t->request->part))
            return true;
    }
    return false;
}

static enum outcome_code resolve(struct step *step, struct target *t, struct outcome *out)
{
    enum outcome_code code = plan_find_event(step, t, out);
    if (code != OUTCOME_OK)
        return code;
    if (!t->from)
        t->part = layout_find(t->event->layout, t->request->part);
    return t->part == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
}

/* A moved seat gets the current price, so the currency must be the reservation's. */
static enum outcome_code judge_currency(struct step *step, struct target *t, struct outcome *out)
{
    if (!t->from)
        return OUTCOME_OK;
    struct terms own = reservation_terms(reservation_at(step->state, step->reservation));
    if (!plan_join_terms(&own, t->terms))
        return state_invalid(out, PLAN_ONE_CURRENCY, "/seat");
    return OUTCOME_OK;
}

static enum outcome_code judge_category(struct step *step, struct target *t, struct outcome *out)
{
    int64_t price;
    enum outcome_code code = plan_category(step, t, out);
    if (code == OUTCOME_OK && !event_seat_price(t->event, t->part, t->category, &price))
        code = plan_unpriced(t, out);
    return code;
}

static enum outcome_code judge_price(struct step *step, struct target *t, struct outcome *out)
{
    (void)out;
    int64_t price = 0;
    bool priced = event_seat_price(t->event, t->part, t->category, &price);
    ASSERT(priced); /* PHASE_CATEGORY */
    return plan_moves_sold(step, t) && !plan_moved_price(step, t, &price) ? OUTCOME_PAYMENT_REQUIRED
                                                                          : OUTCOME_OK;
}

/* A pass with tiers is not valid for a seat without one. After the purchase there is no pass any more: a user's seat
 * must stay in its tier. */
static enum outcome_code judge_tier(struct step *step, struct target *t, struct outcome *out)
{
    (void)out;
    const struct layout *l = t->event->layout;
    if (!t->event->image.has_queue)
        return OUTCOME_OK;
    uint32_t tier = layout_seat(l, t->part)->tier;
    bool ok = plan_moves_sold(step, t)
                  ? step->state->actor.role != ROLE_USER || layout_seat(l, t->from->part)->tier == tier
                  : queue_tier_named(t, layout_text(l, tier));
    return ok ? OUTCOME_OK : OUTCOME_PASS_TIER;
}

static enum outcome_code judge_code(struct step *step, struct target *t, struct outcome *out)
{
    enum outcome_code code = code_judge(step, t, allotment_of(t->event, t->part), out);
    if (code != OUTCOME_OK || !t->code)
        return code;
    const struct layout *l = t->event->layout;
    struct text tier = layout_text(l, layout_seat(l, t->part)->tier);
    return code_has_tier(t->code, tier) ? OUTCOME_OK : OUTCOME_CODE_INVALID;
}

/* If-Match has the version of the only seat in the request. */
static enum outcome_code judge_version(struct step *step, struct target *t, struct outcome *out)
{
    const struct command *c = step->command;
    if (c->kind != COMMAND_HOLD || !c->hold.if_match)
        return OUTCOME_OK;
    ASSERT(step->target_count == 1);
    /* Settle first: the end of a lapsed claim is a new version, whether or not the timer has run. */
    settle_seat(step->state, t->event, t->part);
    if (seat_at(t->event, t->part)->version == c->hold.version)
        return OUTCOME_OK;
    state_saw(out, t->event->seq);
    return OUTCOME_VERSION_MISMATCH;
}

static enum outcome_code seat_pick(struct step *step, struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    struct event *e = t->event;
    settle_seat(st, e, t->part);
    struct seat *seat = seat_at(e, t->part);
    bool opened = allotment_allows(t, seat_blocked(e, t->part), allotment_of(e, t->part));
    if (seat->claim == CLAIM_NONE && opened) {
        struct item item = seat_item(e, t->part, t->category);
        item.flags = single_seats_flag(st, e);
        if (plan_moves_sold(step, t))
            plan_moved_price(step, t, &item.price);
        seat_plan(seat);
        plan_add(step, t, &item)->extra.allotment = allotment_of_item(e, t->part);
        return OUTCOME_OK;
    }
    /* The answer waits for the claim that it shows. The sale behind a stub is in the book, so it is durable. */
    if (seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED && !(seat->claim & CLAIM_STUB))
        state_saw(out, reservation_at(st, seat->claim - 1)->seq);
    else
        state_saw(out, seat_off_sale(e, t->part) ? e->seq : 0);
    plan_obstacle(step, t, seat_status(st, e, t->part), 0, out);
    return OUTCOME_TAKEN;
}

static struct text tier_of(const struct target *t)
{
    return layout_text(t->event->layout, layout_seat(t->event->layout, t->part)->tier);
}

/* clang-format off */
const struct request_kind seat_request = {
    .gated = true, .owned = owned, .pick = seat_pick, .tier = tier_of, .blocked = "This seat is not on sale.",
    .judge = {[PHASE_DISTINCT] = judge_distinct, [PHASE_NAMED] = allotment_judge_named,
              [PHASE_RESOLVE] = resolve, [PHASE_TERMS] = judge_currency, [PHASE_CATEGORY] = judge_category,
              [PHASE_ON_SALE] = plan_on_sale, [PHASE_PRICE] = judge_price, [PHASE_PASS] = queue_judge_pass,
              [PHASE_TIER] = judge_tier, [PHASE_VERSION] = judge_version, [PHASE_GUESTS] = plan_guests,
              [PHASE_CODE] = judge_code, [PHASE_CODE_USED] = code_judge_used, [PHASE_LIMIT] = plan_limit},
};
/* clang-format on */

/* ---- The kind of claim ---- */

static enum outcome_code retarget(struct step *step, struct target *t, struct outcome *out)
{
    const struct command *c = step->command;
    if (!c->item.seat.at)
        return plan_unmovable(step, t, out);
    t->event = step->state->events[t->from->resource];
    ASSERT(!t->event->image.removed && t->event->layout); /* there is a claim on it */
    t->part = layout_find(t->event->layout, c->item.seat);
    state_saw(out, t->event->seq);
    return t->part == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
}

static void unplan(struct state *st, const struct planned *p)
{
    seat_unplan(seat_at(st->events[p->item.resource], p->item.part));
}

/* A sale begins; or ends, if it is given back. */
static void note_sale(struct state *st, const struct item *item, bool back)
{
    if (st->sales.wanted)
        sale_note(st, &(struct sale){.event = st->events[item->resource]->image.number,
                                     .seat = item->part,
                                     .fence = back ? 0 : item->fence,
                                     .prev = back ? item->fence : 0});
}

static void claim(struct state *st, uint32_t handle, const struct item *item, bool sold)
{
    seat_claim(st, st->events[item->resource], item->part, handle + 1, item->fence, sold);
    if (sold)
        note_sale(st, item, false);
}

static void sell(struct state *st, const struct item *item)
{
    struct event *e = st->events[item->resource];
    ASSERT(e->counts.held > 0 && bitset_has(&e->claimed, item->part));
    e->counts.held--;
    e->held_off -= seat_off_sale(e, item->part);
    e->counts.sold++;
    ASSERT(e->held_off <= e->counts.held);
    seat_touch(st, e, item->part);
    note_sale(st, item, false);
}

static void free_claim(struct state *st, uint32_t handle, const struct item *item, uint64_t seq, bool sold)
{
    struct event *e = st->events[item->resource];
    struct seat *seat = seat_at(e, item->part);
    uint64_t *from = sold ? &e->counts.sold : &e->counts.held;
    ASSERT(seat->claim == handle + 1 && *from > 0);
    seat->claim = CLAIM_NONE;
    seat->version = seq;
    --*from;
    e->held_off -= !sold && seat_off_sale(e, item->part);
    set_claimed(e, item->part, false);
    ASSERT(event_counts_add_up(e) && e->held_off <= e->counts.held);
    seat_touch(st, e, item->part);
    if (sold)
        note_sale(st, item, true);
}

static void freed(struct event *e, const struct item *item)
{
    list_freed_seat(e->list, e, item->part);
}

/* The seats of one reservation share a stub with its id. */
static void forget(struct state *st, uint32_t handle, const struct item *item, uint32_t *stub)
{
    struct seat *seat = seat_at(st->events[item->resource], item->part);
    ASSERT(seat->claim == handle + 1);
    if (*stub == TABLE_NONE) {
        *stub = slab_take(&st->stubs);
        *(struct stub *)slab_at(&st->stubs, *stub) =
            (struct stub){.reservation = reservation_at(st, handle)->id};
    }
    seat->claim = CLAIM_STUB | *stub;
    ((struct stub *)slab_at(&st->stubs, *stub))->seats++;
}

/* Replaces the stub by the reservation. */
static bool rejoin(struct state *st, uint32_t handle, const struct item *item)
{
    const struct event *e = st->events[item->resource];
    struct seat *seat = e->image.removed ? NULL : seat_at(e, item->part);
    if (!seat || !(seat->claim & CLAIM_STUB))
        return false;
    uint32_t stub = seat->claim & ~CLAIM_STUB;
    struct stub *s = slab_at(&st->stubs, stub);
    if (!id_equal(s->reservation, reservation_at(st, handle)->id))
        return false;
    ASSERT(s->seats > 0);
    if (--s->seats == 0)
        slab_give(&st->stubs, stub);
    seat->claim = handle + 1;
    return true;
}

static bool load(struct state *st, const struct item_image *item, struct id reservation)
{
    ASSERT(st->seq == 0);
    struct event *e = event_find_number(st, item->resource);
    if (!e || e->image.removed || !e->layout || item->part >= e->layout->count ||
        layout_is_gone(e->layout, item->part) || seat_at(e, item->part)->claim != CLAIM_NONE)
        return false;
    /* One stub for each seat, although the seats of a sale could share it: the book returns them in no order. */
    uint32_t stub = slab_take(&st->stubs);
    *(struct stub *)slab_at(&st->stubs, stub) = (struct stub){.reservation = reservation, .seats = 1};
    seat_claim(st, e, item->part, CLAIM_STUB | stub, item->fence, true);
    e->live_units++;
    st->touch_count = 0; /* not used while loading */
    return true;
}

static bool exists(const struct state *st, const struct item *item)
{
    const struct event *e = item->resource < st->event_count ? st->events[item->resource] : NULL;
    return e && e->layout && item->part < e->layout->count;
}

static bool is_free(struct state *st, const struct item *item)
{
    const struct event *e = st->events[item->resource];
    return !e->image.removed && !layout_is_gone(e->layout, item->part) &&
           seat_at(e, item->part)->claim == CLAIM_NONE; /* granted claims ignore blocks and allotments */
}

static void name(struct state *st, const struct item *item, struct item_image *out)
{
    const struct event *e = st->events[item->resource];
    event_item_name(e, out);
    if (e->layout)
        out->part_id = layout_id(e->layout, item->part);
}

static bool settle_event(struct state *st, struct event *e)
{
    uint32_t at = 0;
    while ((at = bitset_next(&e->claimed, at, UINT32_MAX)) != BITSET_NONE) {
        settle_seat(st, e, at);
        if (bitset_has(&e->claimed, at)) /* one live claim is enough to refuse */
            return false;
    }
    return true;
}

static uint64_t stock(const struct event *e)
{
    ASSERT(e->held_off <= e->counts.held);
    return e->counts.available + e->counts.held - e->held_off; /* not what is off sale */
}

/* clang-format off */
const struct claim_kind seat_claims = {
    .in_event = true, .in_row = true,
    .retarget = retarget, .unplan = unplan,
    .claim = claim, .sell = sell, .free = free_claim, .freed = freed,
    .forget = forget, .rejoin = rejoin, .load = load,
    .added = event_item_added, .gone = event_item_gone, .recall = event_item_recall,
    .find = event_item_find, .exists = exists, .is_free = is_free, .name = name,
    .price = event_seat_price, .set_aside = allotment_of_item, .seq = event_item_seq, .check = check_seat,
    .settle_event = settle_event, .stock = stock, .check_event = check_seats,
};
/* clang-format on */
