/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/seat.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "core/claim/kind.h"
#include "core/claim/plan.h"
#include "core/claim/expiry.h"

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

enum seat_status seat_status(const struct state *st, const struct event *e, uint32_t position)
{
    const struct seat *seat = seat_at(e, position);
    if (seat->claim == CLAIM_NONE || seat->claim == CLAIM_PLANNED)
        return seat_blocked(e, position) ? SEAT_BLOCKED : waiting_list_busy(e) ? SEAT_HELD : SEAT_AVAILABLE;
    if (seat->claim & CLAIM_STUB)
        return SEAT_SOLD;
    return reservation_at(st, seat->claim - 1)->status == RESERVATION_CONFIRMED ? SEAT_SOLD : SEAT_HELD;
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
    ASSERT(!seat_blocked(e, position)); /* a claimed seat cannot be blocked */
    bitset_put(&e->claimed, position, claimed);
    e->counts.available += claimed ? UINT64_MAX : 1;
    event_count_seat(e, position, claimed);
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
    if (sold)
        e->counts.sold++;
    else
        e->counts.held++;
    ASSERT(event_counts_add_up(e));
    state_touch(st, e->index, ITEM_SEAT, position);
}

void seat_sell(struct state *st, struct event *e, uint32_t position)
{
    ASSERT(e->counts.held > 0 && bitset_has(&e->claimed, position));
    e->counts.held--;
    e->counts.sold++;
    state_touch(st, e->index, ITEM_SEAT, position);
}

void seat_free(struct state *st, struct event *e, uint32_t position, uint64_t seq, bool sold)
{
    struct seat *seat = seat_at(e, position);
    ASSERT(seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED);
    seat->claim = CLAIM_NONE;
    seat->version = seq;
    if (sold) {
        ASSERT(e->counts.sold > 0);
        e->counts.sold--;
    } else {
        ASSERT(e->counts.held > 0);
        e->counts.held--;
    }
    set_claimed(e, position, false);
    ASSERT(event_counts_add_up(e));
    state_touch(st, e->index, ITEM_SEAT, position);
}

/* ---- What is asked for ---- */

struct item seat_item(const struct event *e, uint32_t position)
{
    return (struct item){.event = e->index,
                         .position = position,
                         .quantity = 1,
                         .price = layout_seat(e->layout, position)->price,
                         .kind = ITEM_SEAT};
}

static bool asked_before(const struct step *step, const struct target *t)
{
    for (const struct target *other = step->targets; other < t; other++)
        if (other->kind == t->kind && text_equal(other->request->unit, t->request->unit) &&
            text_equal(other->request->event, t->request->event))
            return true;
    return false;
}

static bool owned(struct step *step, const struct target *t)
{
    struct reservation *r = reservation_at(step->state, step->reservation);
    const struct event *e = event_find(step->state, t->request->event);
    for (uint32_t i = 0; e && i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (own->kind == ITEM_SEAT && own->event == e->index &&
            text_equal(layout_id(e->layout, own->position), t->request->unit))
            return true;
    }
    return false;
}

/* A price that differs is a way around paying only for who has bought and pays by itself. */
static enum outcome_code judge_price(const struct step *step, const struct target *t)
{
    const struct reservation *r = reservation_at(step->state, step->reservation);
    bool bound = plan_moves_sold(step, t) && step->state->actor.role == ROLE_USER && r->payment_required;
    return bound && layout_seat(t->event->layout, t->position)->price != t->from->price
               ? OUTCOME_PAYMENT_REQUIRED
               : OUTCOME_OK;
}

/* Who has bought has no pass any more, and stays in the tier that it was for. A seat without a tier is outside any
 * bound. */
static enum outcome_code judge_tier(const struct step *step, const struct target *t)
{
    const struct layout *l = t->event->layout;
    uint32_t tier = layout_seat(l, t->position)->tier;
    bool ok = queue_tier_named(t, layout_text(l, tier));
    if (plan_moves_sold(step, t))
        ok = !t->event->image.has_queue || step->state->actor.role != ROLE_USER ||
             layout_seat(l, t->from->position)->tier == tier;
    return ok ? OUTCOME_OK : OUTCOME_PASS_TIER;
}

/* If-Match names the version of the one seat asked for. */
static enum outcome_code judge_version(struct step *step, const struct target *t, struct outcome *out)
{
    const struct command *c = step->command;
    if (c->kind != COMMAND_HOLD || !c->hold.if_match)
        return OUTCOME_OK;
    ASSERT(step->target_count == 1);
    settle_seat(step->state, t->event, t->position);
    if (seat_at(t->event, t->position)->version == c->hold.version)
        return OUTCOME_OK;
    state_saw(out, t->event->seq);
    return OUTCOME_VERSION_MISMATCH;
}

static enum outcome_code judge(struct step *step, struct target *t, enum phase phase, struct outcome *out)
{
    enum outcome_code code = plan_judge_event(step, t, phase, out);
    if (code != OUTCOME_OK)
        return code;
    switch (phase) {
    case PHASE_DISTINCT:
        return asked_before(step, t) ? state_invalid(out, "Duplicate seat.", "/items/%u/seat", t->index)
                                     : OUTCOME_OK;
    case PHASE_RESOLVE:
        if (!t->from)
            t->position = layout_find(t->event->layout, t->request->unit);
        return t->position == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
    case PHASE_TERMS:
        if (t->from && memcmp(reservation_at(step->state, step->reservation)->currency, t->terms->currency,
                              sizeof(((struct reservation *)0)->currency)) != 0)
            return state_invalid(out, PLAN_ONE_CURRENCY, "/seat");
        return OUTCOME_OK;
    case PHASE_PRICE:
        return t->from ? judge_price(step, t) : OUTCOME_OK;
    case PHASE_TIER:
        return judge_tier(step, t);
    case PHASE_VERSION:
        return judge_version(step, t, out);
    default:
        return OUTCOME_OK;
    }
}

static enum outcome_code pick(struct step *step, const struct target *t, struct outcome *out)
{
    struct state *st = step->state;
    struct event *e = t->event;
    settle_seat(st, e, t->position);
    struct seat *seat = seat_at(e, t->position);
    bool blocked = seat_blocked(e, t->position);
    if (seat->claim == CLAIM_NONE && !blocked) {
        struct item item = seat_item(e, t->position);
        seat_plan(seat);
        plan_add(step, t, &item);
        return OUTCOME_OK;
    }
    if (seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED && !(seat->claim & CLAIM_STUB))
        state_saw(out, reservation_at(st, seat->claim - 1)->seq);
    else
        state_saw(out, blocked ? e->seq : 0);
    plan_obstacle(step, t, seat_status(st, e, t->position), 0, out);
    return OUTCOME_TAKEN;
}

const struct request_kind seat_request = {.owned = owned, .judge = judge, .pick = pick};

/* ---- What is claimed ---- */

static enum outcome_code retarget(struct step *step, struct target *t, struct outcome *out)
{
    const struct command *c = step->command;
    if (!c->item.seat.at)
        return plan_unmovable(step, t, out);
    t->event = step->state->events[t->from->event];
    t->position = layout_find(t->event->layout, c->item.seat);
    state_saw(out, t->event->seq);
    return t->position == LAYOUT_NONE ? OUTCOME_NO_SUCH_SEAT : OUTCOME_OK;
}

static void unplan(struct state *st, const struct planned *p)
{
    seat_unplan(seat_at(st->events[p->item.event], p->item.position));
}

const struct claim_kind seat_claims = {.retarget = retarget, .unplan = unplan};
