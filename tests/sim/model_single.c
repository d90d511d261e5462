/* SPDX-License-Identifier: Apache-2.0 */
/* model_single.c — seats that a user's choice leaves alone, where that is refused. */
#include "model.h"

enum { TAKEN, FREE, CHOSEN };

/* A row after a choice. */
struct line {
    int seats[ASK_SEATS], now[ASK_SEATS], count;
    bool beside[ASK_SEATS]; /* to the one before it */
};

static int now_of(struct model *m, const struct model_reservation *r, int event, int seat)
{
    const struct model_reservation *holder = model_holder(m, event, seat);
    if (!holder)
        return model_off_sale(&m->events[event].seats[seat]) ? TAKEN : FREE;
    for (int i = 0; holder == r && i < r->item_count; i++)
        if (r->items[i].kind == ITEM_SEAT && r->items[i].event == event && r->items[i].unit == seat)
            return r->items[i].chosen ? CHOSEN : TAKEN;
    return TAKEN;
}

static int line_make(struct model *m, const struct model_reservation *r, int event, int seat,
                     struct line *out)
{
    int at = 0;
    out->count = model_seat_row(&m->events[event], seat, out->seats, out->beside);
    for (int i = 0; i < out->count; i++) {
        out->now[i] = now_of(m, r, event, out->seats[i]);
        at = out->seats[i] == seat ? i : at;
    }
    return at;
}

static bool joined(const struct line *l, int at, int next)
{
    return next >= 0 && next < l->count && l->beside[at > next ? at : next];
}

static bool alone(const struct line *l, int at)
{
    bool left = joined(l, at, at - 1) && l->now[at - 1] == FREE;
    bool right = joined(l, at, at + 1) && l->now[at + 1] == FREE;
    return l->now[at] == FREE && !left && !right;
}

/* How many stay free in its run. */
static int kept_of_run(const struct line *l, int at)
{
    int from = at, to = at, kept = 0;
    while (joined(l, from, from - 1) && l->now[from - 1] != TAKEN)
        from--;
    while (joined(l, to, to + 1) && l->now[to + 1] != TAKEN)
        to++;
    for (int i = from; i <= to; i++)
        kept += l->now[i] == FREE;
    return kept;
}

/* The places that the choice of this one decides about: as far as there are no two free ones side by side. */
static uint32_t decided(const struct line *l, int at)
{
    uint32_t places = l->now[at] == TAKEN ? 0 : 1u << at;
    for (int side = -1; places && side <= 1; side += 2)
        for (int i = at; joined(l, i, i + side) && l->now[i + side] != TAKEN; i += side) {
            places |= 1u << (i + side);
            if (l->now[i] == FREE && l->now[i + side] == FREE)
                break;
        }
    return places;
}

/* The seats that the choice leaves alone, and in *about those that it decides about; a bit each. */
static uint32_t left_by(const struct line *l, int at, uint32_t *about)
{
    uint32_t left = 0, places = decided(l, at);
    *about = 0;
    for (int i = 0; i < l->count; i++)
        if (places >> i & 1) {
            *about |= 1u << l->seats[i];
            left |= alone(l, i) && kept_of_run(l, i) > 1 ? 1u << l->seats[i] : 0;
        }
    return left;
}

void model_singles_decide(struct model *m, struct model_reservation *r, int event, int seat)
{
    struct line line;
    uint32_t about;
    if (!m->events[event].settings.refuse_singles)
        return;
    int at = line_make(m, r, event, seat, &line);
    uint32_t left = left_by(&line, at, &about);
    for (int i = 0; i < ASK_SEATS; i++)
        if (about >> i & 1)
            r->left_since[event][i] = left >> i & 1 ? m->step : 0;
}

void model_singles_note(struct model *m)
{
    bool held[ASK_EVENTS][ASK_SEATS] = {0};
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; model_live(m, r) && k < r->item_count; k++)
            if (r->items[k].kind == ITEM_SEAT)
                held[r->items[k].event][r->items[k].unit] = true;
    }
    for (int event = 0; event < ASK_EVENTS; event++)
        for (int i = 0; i < ASK_SEATS; i++) {
            struct model_seat *s = &m->events[event].seats[i];
            if (s->held_then != held[event][i] || s->claims_then != s->claims)
                s->touched = m->step;
            s->held_then = held[event][i];
            s->claims_then = s->claims;
        }
}

/* Whether it was free and alone throughout. */
static bool alone_throughout(struct model *m, int event, int seat, uint32_t since)
{
    struct line line;
    const struct model_event *e = &m->events[event];
    if (!since || !e->exists || !e->seats[seat].exists || e->seats[seat].touched > since)
        return false;
    int at = line_make(m, NULL, event, seat, &line);
    for (int side = -1; side <= 1; side += 2) {
        const struct model_seat *next =
            joined(&line, at, at + side) ? &e->seats[line.seats[at + side]] : NULL;
        bool house = next && next->held_then && model_off_sale(next);
        if (next && (line.now[at + side] == FREE || (next->touched > since && !house)))
            return false;
    }
    return line.now[at] == FREE;
}

static enum outcome_code verdict(const struct model_answer *out)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        if (out->singles[i])
            return OUTCOME_LEAVES_SINGLE;
    return OUTCOME_OK;
}

enum outcome_code model_singles(struct model *m, const struct model_reservation *r, struct model_answer *out)
{
    for (int event = 0; event < ASK_EVENTS; event++)
        for (int i = 0; i < ASK_SEATS; i++) {
            bool left = model_live(m, r) && alone_throughout(m, event, i, r->left_since[event][i]);
            out->singles[event] = (out->singles[event] & ~(1u << i)) | (uint32_t)left << i;
        }
    return verdict(out);
}

static void look(struct model *m, const struct model_reservation *r, int event, const bool chosen[ASK_SEATS],
                 int leaving, struct model_answer *out)
{
    for (int seat = 0; seat < ASK_SEATS; seat++) {
        struct line line;
        uint32_t about;
        if (!chosen[seat])
            continue;
        int at = line_make(m, r, event, seat, &line);
        for (int i = 0; i < line.count; i++) {
            if (chosen[line.seats[i]])
                line.now[i] = CHOSEN;
            else if (line.seats[i] == leaving)
                line.now[i] = model_off_sale(&m->events[event].seats[leaving]) ? TAKEN : FREE;
        }
        out->singles[event] |= left_by(&line, at, &about);
    }
    if (leaving >= 0)
        out->singles[event] &= ~(1u << leaving);
}

enum outcome_code model_wanted_singles(struct model *m, const struct ask *a, const struct model_wanted *w,
                                       const struct model_reservation *r, struct model_answer *out)
{
    for (int event = 0; event < ASK_EVENTS; event++) {
        bool chosen[ASK_SEATS] = {0};
        int count = 0;
        for (uint32_t i = 0; i < w->count; i++)
            if (w->items[i].kind == ITEM_SEAT && w->items[i].event == event) {
                chosen[w->items[i].unit] = true;
                count++;
            }
        /* Seats can be clicked one after the other. */
        if (a->role == ROLE_USER && count > 1 && m->events[event].settings.refuse_singles)
            look(m, r, event, chosen, -1, out);
    }
    return verdict(out);
}

enum outcome_code model_move_singles(struct model *m, const struct model_reservation *r,
                                     const struct model_item *from, int to, struct model_answer *out)
{
    bool chosen[ASK_SEATS] = {0};
    chosen[to] = true;
    if (m->events[from->event].settings.refuse_singles)
        look(m, r, from->event, chosen, from->unit, out);
    return verdict(out);
}
