/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/single_seats.h"

#include "base/assertion.h"
#include "core/claim/kind.h"

/* Seats that were chosen, taken or planned by now. */
struct chosen {
    struct event *event;
    uint32_t position;
};

/* ---- One seat ---- */

/* The place of a seat in its row. */
static uint32_t place_in_row(const struct layout_row *row, uint32_t position)
{
    uint32_t low = 0, high = row->count;
    /* Without numbers they stand in the order of import, and such a row may have millions. */
    while (!row->numbered && low < high) {
        uint32_t middle = low + (high - low) / 2;
        if ((row->seats[middle] & ~LAYOUT_BESIDE) < position)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < row->count && (row->seats[low] & ~LAYOUT_BESIDE) == position)
        return low;
    for (low = 0; (row->seats[low] & ~LAYOUT_BESIDE) != position; low++)
        ASSERT(low + 1 < row->count);
    return low;
}

static bool seat_open(const struct state *st, const struct event *e, uint32_t position)
{
    uint32_t claim = seat_at(e, position)->claim;
    if (claim == CLAIM_NONE)
        return !seat_off_sale(e, position);
    if (claim == CLAIM_PLANNED || claim & CLAIM_STUB || seat_off_sale(e, position))
        return false;
    return reservation_lapsed(reservation_at(st, claim - 1), st->now_ms);
}

/* The neighbour on this side, or LAYOUT_NONE. */
static uint32_t beside(const struct layout_row *row, uint32_t place, int side)
{
    /* A seat is joined to the one before it by its own mark, to the next by that one's. */
    if (side < 0)
        return place > 0 && row->seats[place] & LAYOUT_BESIDE ? place - 1 : LAYOUT_NONE;
    return place + 1 < row->count && row->seats[place + 1] & LAYOUT_BESIDE ? place + 1 : LAYOUT_NONE;
}

static bool place_open(const struct state *st, const struct event *e, const struct layout_row *row,
                       uint32_t place)
{
    return place != LAYOUT_NONE && seat_open(st, e, row->seats[place] & ~LAYOUT_BESIDE);
}

/* ---- All of them ---- */

static void add_left(struct step *step, struct text id, struct outcome *out)
{
    for (uint32_t i = 0; i < out->single_count; i++)
        if (step->singles[i].at == id.at) /* between two of ours */
            return;
    ASSERT(out->single_count < 2 * ITEMS_MAX);
    step->singles[out->single_count++] = id;
    out->singles = step->singles;
}

/* Whoever is left alone is the neighbour of one of ours, which it had before. */
static void look_beside(struct step *step, const struct chosen *seat, struct outcome *out)
{
    const struct state *st = step->state;
    const struct layout *l = seat->event->layout;
    const struct layout_row *row = &l->rows[layout_row_of(l, seat->position)];
    uint32_t place = place_in_row(row, seat->position);
    ASSERT(!seat_open(st, seat->event, seat->position)); /* ours by now */
    for (int side = -1; side <= 1; side += 2) {
        uint32_t next = beside(row, place, side);
        if (place_open(st, seat->event, row, next) &&
            !place_open(st, seat->event, row, beside(row, next, side)))
            add_left(step, layout_id(l, row->seats[next] & ~LAYOUT_BESIDE), out);
    }
}

static enum outcome_code judge(struct step *step, const struct chosen *chosen, uint32_t count,
                               struct outcome *out)
{
    ASSERT(count <= ITEMS_MAX && out->single_count == 0);
    for (uint32_t i = 0; i < count; i++) {
        look_beside(step, &chosen[i], out);
        if (out->single_count)
            state_saw(out, chosen[i].event->seq);
    }
    return out->single_count ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK;
}

/* Whether the item is a seat that was chosen where this matters. */
static bool choose(const struct step *step, const struct item *item, struct chosen *out)
{
    if (step->state->actor.role != ROLE_USER || !claim_kind(item->kind)->in_row || item->flags & ITEM_PICKED)
        return false;
    *out = (struct chosen){step->state->events[item->resource], item->part};
    return out->event->image.refuse_singles;
}

enum outcome_code single_seats_judge_plan(struct step *step, struct outcome *out)
{
    struct chosen chosen[ITEMS_MAX], together[ITEMS_MAX];
    uint32_t count = 0, several = 0;
    if (step->target_count && step->targets[0].from)
        return OUTCOME_OK; /* a move is judged when it is paid for */
    for (uint32_t i = 0; i < step->plan_count; i++)
        count += choose(step, &step->plan[i].item, &chosen[count]);
    /* One seat after the other may be clicked: only who takes several at once has chosen them all. */
    for (uint32_t i = 0; i < count; i++) {
        bool alone = true;
        for (uint32_t k = 0; k < count && alone; k++)
            alone = k == i || chosen[k].event != chosen[i].event;
        if (!alone)
            together[several++] = chosen[i];
    }
    return judge(step, together, several, out);
}

enum outcome_code single_seats_judge_reservation(struct step *step, uint32_t handle, struct outcome *out)
{
    struct chosen chosen[ITEMS_MAX];
    uint32_t count = 0;
    struct reservation *r = reservation_at(step->state, handle);
    ASSERT(r->status == RESERVATION_HELD);
    for (uint32_t i = 0; i < r->item_count; i++)
        count += choose(step, &reservation_items(r)[i], &chosen[count]);
    return judge(step, chosen, count, out);
}
