/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/single_seats.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"

uint8_t single_seats_flag(const struct state *st, const struct event *e)
{
    return st->actor.role == ROLE_USER && e->image.refuse_singles ? ITEM_CHOSEN : 0;
}

/* ---- A row ---- */

/* The place of a seat in its row. */
static uint32_t place_in_row(const struct layout_row *row, uint32_t position)
{
    uint32_t low = 0, high = row->count;
    /* Without numbers they are in order of import, and such a row can have millions. */
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

/* The neighbour on this side, or LAYOUT_NONE. */
static uint32_t beside(const struct layout_row *row, uint32_t place, int side)
{
    /* The mark of a seat joins it to the one before; the mark of the next one joins the two. */
    if (side < 0)
        return place > 0 && row->seats[place] & LAYOUT_BESIDE ? place - 1 : LAYOUT_NONE;
    return place + 1 < row->count && row->seats[place + 1] & LAYOUT_BESIDE ? place + 1 : LAYOUT_NONE;
}

static void name_neighbours(const struct layout_row *row, uint32_t place, struct single *out)
{
    for (int i = 0; i < 2; i++) {
        uint32_t next = beside(row, place, i ? 1 : -1);
        out->beside[i] = next == LAYOUT_NONE ? SINGLE_NO_SEAT : row->seats[next] & ~LAYOUT_BESIDE;
    }
}

/* ---- The stored decision ---- */

static struct single_seat seat_now(const struct state *st, const struct event *e, uint32_t position)
{
    const struct seat *seat = seat_at(e, position);
    bool lapsed = seat->claim != CLAIM_NONE && seat->claim != CLAIM_PLANNED && !(seat->claim & CLAIM_STUB) &&
                  reservation_lapsed(reservation_at(st, seat->claim - 1), st->now_ms);
    return (struct single_seat){.version = lapsed ? state_next_seq(st) : seat->version,
                                .claimed = seat->claim != CLAIM_NONE && !lapsed,
                                .off_sale = seat_off_sale(e, position)};
}

/* The event of a seat that is still a single; NULL: it is not. Its neighbours are those of the current layout, which
 * can be a new one. */
static struct event *still_alone(struct state *st, struct single single)
{
    struct event *e = event_find_number(st, single.event);
    struct single_seat next[2] = {0};
    if (!e || e->image.removed || !e->layout || single.seat >= e->layout->count ||
        layout_is_gone(e->layout, single.seat))
        return NULL;
    const struct layout_row *row = &e->layout->rows[layout_row_of(e->layout, single.seat)];
    name_neighbours(row, place_in_row(row, single.seat), &single);
    for (int i = 0; i < 2; i++)
        if (single.beside[i] != SINGLE_NO_SEAT)
            next[i] = seat_now(st, e, single.beside[i]);
    struct single_seat seat = seat_now(st, e, single.seat);
    return single_still_alone(&single, &seat, next) ? e : NULL;
}

static struct text kept(const struct state *st, uint32_t handle)
{
    const struct reservation *r = handle == TABLE_NONE ? NULL : reservation_at(st, handle);
    return r && r->extra && reservation_live(r) ? r->extra->singles : (struct text){0};
}

/* The ids of those that still count, into step->singles. */
static uint32_t name_kept(struct step *step, uint32_t handle, struct outcome *out)
{
    struct text rest = kept(step->state, handle);
    struct single single;
    uint32_t count = 0;
    while (single_read(&rest, &single)) {
        const struct event *of = event_find_number(step->state, single.event), *e;
        state_saw(out, of ? of->seq : 0); /* the answer depends on it, also if it no longer counts */
        if (count < SINGLES_MAX && (e = still_alone(step->state, single)) != NULL)
            step->singles[count++] = layout_id(e->layout, single.seat);
    }
    return count;
}

enum outcome_code single_seats_judge(struct step *step, uint32_t handle, struct outcome *out)
{
    out->singles = step->singles;
    out->single_count = name_kept(step, handle, out);
    return out->single_count ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK;
}

void single_seats_show(struct step *step, uint32_t handle, struct outcome *out)
{
    out->reservation.leaves_single = step->singles;
    out->reservation.leaves_single_count = name_kept(step, handle, out);
}

/* ---- The new decision: step->left, by event and seat; singles added in this step have no `since` yet ---- */

static void single_seats_begin(struct step *step, uint32_t handle)
{
    struct text rest = kept(step->state, handle);
    struct single single;
    ASSERT(!step->left_decided && step->left_count == 0);
    while (step->left_count < SINGLES_MAX && single_read(&rest, &single))
        if (still_alone(step->state, single))
            step->left[step->left_count++] = single;
    step->left_decided = true;
}

/* Its index, or the index to insert it at. True: it is there. */
static bool left_find(const struct step *step, uint64_t event, uint32_t seat, uint32_t *at)
{
    const struct single *s = step->left;
    for (*at = 0; *at < step->left_count; ++*at)
        if (s[*at].event > event || (s[*at].event == event && s[*at].seat >= seat))
            return s[*at].event == event && s[*at].seat == seat;
    return false;
}

static void left_remove(struct step *step, uint64_t event, uint32_t seat)
{
    uint32_t at;
    if (!left_find(step, event, seat, &at))
        return;
    step->left_count--;
    memmove(&step->left[at], &step->left[at + 1], (step->left_count - at) * sizeof(*step->left));
}

static void left_add(struct step *step, const struct single *single)
{
    uint32_t at;
    bool there = left_find(step, single->event, single->seat, &at);
    ASSERT(!there && step->left_count < SINGLES_MAX);
    memmove(&step->left[at + 1], &step->left[at], (step->left_count - at) * sizeof(*step->left));
    step->left[at] = *single;
    step->left_count++;
}

void single_seats_keep(struct step *step, uint32_t handle)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    if (!step->left_decided)
        return;
    buf_clear(&st->scratch);
    for (uint32_t i = 0; i < step->left_count; i++) {
        if (!step->left[i].since)
            step->left[i].since = state_next_seq(st);
        single_write(&st->scratch, &step->left[i]);
    }
    reservation_set_singles(r, (struct text){(const char *)st->scratch.data, st->scratch.size});
}

/* ---- Looking along a row ---- */

/* The effect of a choice on one row of an event. */
struct look {
    struct step *step;
    uint32_t handle;  /* of the reservation; TABLE_NONE: a new one */
    uint32_t leaving; /* position of the seat that it gives up, or LAYOUT_NONE */
    bool sold;        /* that seat is sold: it is not judged as a single */
    struct event *event;
    const struct layout_row *row;
    uint32_t free_count, last_free; /* seats that stay free; position of the last one seen */
};
enum seat_after { AFTER_TAKEN, AFTER_FREE, AFTER_CHOSEN };

static uint32_t position_at(const struct look *l, uint32_t place)
{
    return l->row->seats[place] & ~LAYOUT_BESIDE;
}

static bool is_seat(const struct look *l, const struct item *item, uint32_t position)
{
    return item->part == position && item->resource == l->event->index && claim_kind(item->kind)->in_row;
}

static struct planned *planned_at(const struct look *l, uint32_t position)
{
    for (uint32_t i = 0; i < l->step->plan_count; i++)
        if (is_seat(l, &l->step->plan[i].item, position))
            return &l->step->plan[i];
    return NULL;
}

static bool chosen_in_plan(const struct look *l, uint32_t position)
{
    const struct planned *p = planned_at(l, position);
    return p && p->item.flags & ITEM_CHOSEN;
}

static bool chosen_before(const struct look *l, uint32_t position)
{
    struct reservation *r = reservation_at(l->step->state, l->handle);
    for (uint32_t i = 0; i < r->item_count; i++)
        if (is_seat(l, &reservation_items(r)[i], position))
            return reservation_items(r)[i].flags & ITEM_CHOSEN;
    return false;
}

/* The seat at this place after the step. Settles a lapsed hold on it: its version must not change later because of a
 * hold that is already over. */
static enum seat_after seat_after(struct look *l, uint32_t place)
{
    if (place == LAYOUT_NONE)
        return AFTER_TAKEN;
    uint32_t position = position_at(l, place);
    settle_seat(l->step->state, l->event, position);
    uint32_t claim = seat_at(l->event, position)->claim;
    if (claim == CLAIM_NONE || position == l->leaving)
        return seat_off_sale(l->event, position) ? AFTER_TAKEN : AFTER_FREE;
    if (claim == CLAIM_PLANNED)
        return chosen_in_plan(l, position) ? AFTER_CHOSEN : AFTER_TAKEN;
    return claim == l->handle + 1 && chosen_before(l, position) ? AFTER_CHOSEN : AFTER_TAKEN;
}

static void single_seats_add(struct look *l, uint32_t place)
{
    struct single single = {.event = l->event->image.number, .seat = position_at(l, place)};
    name_neighbours(l->row, place, &single);
    left_add(l->step, &single);
}

/* Decides about this seat again. */
static void visit(struct look *l, uint32_t place, enum seat_after here)
{
    uint32_t position = position_at(l, place);
    left_remove(l->step, l->event->image.number, position);
    struct planned *planned = here == AFTER_CHOSEN ? planned_at(l, position) : NULL;
    if (planned)
        planned->sides_checked = true; /* the walk checks both of its sides */
    if (here != AFTER_FREE)
        return;
    l->free_count++;
    l->last_free = position;
    bool alone = seat_after(l, beside(l->row, place, -1)) != AFTER_FREE &&
                 seat_after(l, beside(l->row, place, 1)) != AFTER_FREE;
    if (alone && !(l->sold && position == l->leaving))
        single_seats_add(l, place);
}

/* Stops after two free seats side by side: the choice has no effect beyond them. */
static void walk(struct look *l, uint32_t place, enum seat_after here, int side)
{
    for (;;) {
        uint32_t next = beside(l->row, place, side);
        enum seat_after there = seat_after(l, next);
        if (there == AFTER_TAKEN)
            return;
        visit(l, next, there);
        if (there == AFTER_FREE && here == AFTER_FREE)
            return;
        place = next;
        here = there;
    }
}

static void look_around(struct look *l, struct event *e, uint32_t position)
{
    l->event = e;
    l->row = &e->layout->rows[layout_row_of(e->layout, position)];
    l->free_count = 0;
    uint32_t place = place_in_row(l->row, position);
    enum seat_after here = seat_after(l, place);
    if (here == AFTER_TAKEN) /* given up, but off sale by now */
        return;
    visit(l, place, here);
    walk(l, place, here, -1);
    walk(l, place, here, 1);
    if (l->free_count == 1) /* the last seat of a run may be left */
        left_remove(l->step, e->image.number, l->last_free);
}

/* ---- A choice ---- */

/* How many of the planned seats were chosen in this event. */
static uint32_t chosen_of(const struct step *step, uint64_t event)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->plan_count; i++)
        count += step->plan[i].item.flags & ITEM_CHOSEN &&
                 item_event(step->state, &step->plan[i].item)->image.number == event;
    return count;
}

/* People can click one seat after the other: so only a request for several seats is refused, and a move of a sold
 * one. */
static enum outcome_code refuse(struct step *step, bool sold, struct outcome *out)
{
    ASSERT(out->single_count == 0);
    for (uint32_t i = 0; i < step->left_count; i++) {
        const struct single *s = &step->left[i];
        if (s->since || (!sold && chosen_of(step, s->event) < 2))
            continue;
        struct event *e = event_find_number(step->state, s->event);
        state_saw(out, e->seq);
        step->singles[out->single_count++] = layout_id(e->layout, s->seat);
    }
    out->singles = step->singles;
    return out->single_count ? OUTCOME_LEAVES_SINGLE : OUTCOME_OK;
}

static bool gives_up(const struct step *step, const struct item *item)
{
    return item && claim_kind(item->kind)->in_row &&
           single_seats_flag(step->state, item_event(step->state, item));
}

enum outcome_code single_seats_choose(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct item *from = step->target_count ? step->targets[0].from : NULL;
    bool moves = gives_up(step, from), chooses = moves;
    for (uint32_t i = 0; i < step->plan_count && !chooses; i++)
        chooses = step->plan[i].item.flags & ITEM_CHOSEN;
    if (!chooses)
        return OUTCOME_OK;
    single_seats_begin(step, step->reservation);
    struct look look = {.step = step, .handle = step->reservation, .leaving = LAYOUT_NONE};
    if (moves) {
        look.leaving = from->part;
        look.sold = reservation_at(st, step->reservation)->status == RESERVATION_CONFIRMED;
    }
    for (uint32_t i = 0; i < step->plan_count; i++) {
        const struct planned *p = &step->plan[i];
        if (p->item.flags & ITEM_CHOSEN && !p->sides_checked)
            look_around(&look, item_event(st, &p->item), p->item.part);
    }
    if (moves && !look.sold)
        look_around(&look, item_event(st, from), from->part);
    return st->settle_short ? OUTCOME_RETRY : refuse(step, look.sold, out);
}

enum outcome_code single_seats_drop(struct step *step, uint32_t handle, const struct item *item)
{
    if (!gives_up(step, item))
        return OUTCOME_OK;
    struct look look = {.step = step, .handle = handle, .leaving = item->part};
    single_seats_begin(step, handle);
    look_around(&look, item_event(step->state, item), item->part);
    return step->state->settle_short ? OUTCOME_RETRY : OUTCOME_OK;
}
