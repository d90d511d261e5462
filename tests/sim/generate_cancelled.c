/* SPDX-License-Identifier: Apache-2.0 */
/* generate_cancelled.c — a crowd comes for one event, which is then cancelled: so there is something to take back. */
#include "generate.h"

struct model_reservation *generate_undone(struct generator *g)
{
    uint32_t from = dice_roll(g->dice, MODEL_RESERVATIONS);
    for (uint32_t i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &g->model->reservations[(from + i) % MODEL_RESERVATIONS];
        for (int k = 0; model_live(g->model, r) && k < r->item_count; k++)
            if (r->items[k].kind != ITEM_SLOT && model_called(g->model, r->items[k].event))
                return r;
    }
    return NULL;
}

/* ---- The crowd ---- */

/* The event with the most available, and none if there is little of anything; -1: none. */
static int popular(struct generator *g)
{
    uint32_t most = 4;
    int found = -1;
    for (int i = 0; i < ASK_EVENTS; i++) {
        const struct model_event *e = &g->model->events[i];
        uint32_t stock = e->seat_count;
        for (int k = 0; k < ASK_POOLS; k++)
            stock += e->pools[k].exists ? e->pools[k].capacity : 0;
        if (e->exists && stock > most && model_on_sale(g->model, i, ROLE_ADMIN)) {
            most = stock;
            found = i;
        }
    }
    return found;
}

/* A free seat, or units of a pool. */
static void want(struct generator *g, struct ask *a, int event)
{
    struct dice *d = g->dice;
    const struct model_event *e = &g->model->events[event];
    struct ask_item *item = &a->items[a->count++];
    *item = (struct ask_item){.kind = ITEM_POOL, .event = event, .quantity = 1, .section = -1, .tier = -1};
    item->unit = (int)dice_roll(d, ASK_POOLS);
    if (!e->pools[item->unit].exists)
        item->unit = ASK_POOLS - 1 - item->unit;
    int seat = (int)dice_roll(d, ASK_SEATS);
    for (int i = 0; dice_percent(d, 95) && i < ASK_SEATS; i++, seat = (seat + 1) % ASK_SEATS)
        if (e->seats[seat].exists && !model_off_sale(&e->seats[seat]) &&
            !model_holder(g->model, event, seat)) {
            item->kind = ITEM_SEAT;
            item->unit = seat;
            return;
        }
}

static bool come(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    if (generate_free(g) < MODEL_RESERVATIONS / 4)
        return false;
    ask_clear(a, COMMAND_HOLD);
    a->named = (int)dice_roll(d, ASK_USERS);
    a->id = (struct id){1, ++g->next_id};
    want(g, a, g->doomed);
    if (dice_percent(d, 40))
        want(g, a, g->doomed);
    if (a->items[0].kind == ITEM_SEAT && a->count > 1 && a->items[1].unit == a->items[0].unit)
        a->count--;
    if (dice_percent(d, 30))
        generate_slot(g, a->role, &a->items[a->count++]);
    else if (dice_percent(d, 40))
        want(g, a, (g->doomed + 1 + (int)dice_roll(d, ASK_EVENTS - 1)) % ASK_EVENTS);
    generate_item_codes(g, a);
    a->commit = dice_percent(d, 40);
    a->ref = a->commit && generate_may_pay(g) && dice_percent(d, 70) ? generate_ref(g, NULL, a->id) : 0;
    generate_payable(g, a);
    return true;
}

/* One of those who have come begins to pay, or buys. */
static bool pay(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    uint32_t from = dice_roll(d, MODEL_RESERVATIONS);
    for (uint32_t i = 0; generate_may_pay(g) && i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &g->model->reservations[(from + i) % MODEL_RESERVATIONS];
        if (!r->used || model_status(g->model, r) != RESERVATION_HELD || r->paid_at ||
            !model_items_of(r, g->doomed))
            continue;
        ask_clear(a, dice_percent(d, 80) ? COMMAND_PAYMENT : COMMAND_COMMIT);
        a->role = ROLE_APP;
        a->id = r->id;
        a->ref = dice_percent(d, 70) ? generate_ref(g, r, r->id) : 0;
        return true;
    }
    return false;
}

static bool crowd(struct generator *g, struct ask *a)
{
    if (--g->crowd > 0)
        return dice_percent(g->dice, 35) ? pay(g, a) : come(g, a);
    ask_clear(a, COMMAND_EVENT_CANCEL);
    a->event = g->doomed;
    a->reason = (int)dice_roll(g->dice, 3);
    return true;
}

bool generate_cancelled(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 1000);
    if (g->crowd && roll < 700)
        return crowd(g, a);
    if (roll < 3 && !g->crowd) {
        g->doomed = popular(g);
        g->crowd = g->doomed < 0 ? 0 : 10 + dice_roll(d, 20);
    }
    if (roll < 995)
        return false;
    ask_clear(a, dice_percent(d, 95) ? COMMAND_EVENT_CANCEL_LOOK : COMMAND_EVENT_CANCEL);
    a->event = generate_event_any(g);
    bool called = dice_percent(d, 80);
    for (int i = 0; called && i < ASK_EVENTS; i++)
        if (model_called(g->model, i))
            a->event = i;
    a->reason = (int)dice_roll(d, 3);
    return true;
}
