/* SPDX-License-Identifier: Apache-2.0 */
/* generate_access.c — the codes people use: mostly a valid one, often one that is used up, rarely an unknown one. */
#include "generate.h"

void generate_access(struct generator *g, struct ask_settings *s)
{
    s->no_guests = dice_percent(g->dice, 15);
    s->refuse_singles = dice_percent(g->dice, 30);
    s->no_transfer = dice_percent(g->dice, 15);
    s->by_code = dice_percent(g->dice, 25);
    s->cancels = dice_percent(g->dice, 60);
    s->cancel_s = s->cancels ? dice_roll(g->dice, 60) : 0;
}

int generate_allotment(struct generator *g)
{
    return (int)dice_roll(g->dice, ASK_ALLOTMENTS + 1);
}

void generate_item_allotments(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    for (uint32_t i = 0; i < a->count; i++) {
        struct ask_item *item = &a->items[i];
        if (ask_timed(item->kind) || !dice_percent(d, a->role == ROLE_USER ? 1 : 60))
            continue;
        const struct model_event *e = &g->model->events[item->event % ASK_EVENTS];
        bool seat = item->kind == ITEM_SEAT && item->unit < ASK_SEATS;
        bool pool = item->kind == ITEM_POOL && item->unit < ASK_POOLS;
        item->allotment = 1 + (int)dice_roll(d, dice_percent(d, 60) ? ASK_ALLOTMENTS : ASK_HOUSE);
        if (seat && dice_percent(d, 85))
            item->allotment = model_claimed_from(e, ITEM_SEAT, item->unit);
        else if (pool && dice_percent(d, 85))
            item->allotment = e->pools[item->unit].allotment;
        if (item->allotment == ASK_HOUSE && a->role == ROLE_APP && dice_percent(d, 90))
            item->allotment = 1;
    }
}

void generate_codes(struct generator *g, int event, struct ask *a)
{
    struct dice *d = g->dice;
    ask_clear(a, COMMAND_CODES_PUT);
    a->event = event;
    a->loud = dice_percent(d, 50);
    for (int code = 1; code <= ASK_CODES; code++)
        if (dice_percent(d, 50))
            a->codes[a->code_count++] = (struct ask_code){
                .code = code,
                .units = dice_percent(d, 30) ? 0 : 1 + dice_roll(d, 6),
                .tiers = dice_percent(d, 30) ? (uint8_t)(1 + dice_roll(d, (1 << ASK_TIERS) - 1)) : 0,
                .allotment = dice_percent(d, 75) ? generate_allotment(g) : 0};
    if (!a->code_count)
        a->codes[a->code_count++] = (struct ask_code){.code = 1, .units = 3};
}

/* Units of a pool held with a code, or NULL. */
static const struct model_item *claimed_with(struct generator *g)
{
    uint32_t first = dice_roll(g->dice, MODEL_RESERVATIONS);
    for (uint32_t i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &g->model->reservations[(first + i) % MODEL_RESERVATIONS];
        for (int k = 0; k < r->item_count && model_status(g->model, r) == RESERVATION_HELD; k++)
            if (r->items[k].kind == ITEM_POOL && r->items[k].code && r->used)
                return &r->items[k];
    }
    return NULL;
}

void generate_code_remove(struct generator *g, int event, struct ask *a)
{
    ask_clear(a, COMMAND_CODE_REMOVE);
    a->event = event;
    a->code = 1 + (int)dice_roll(g->dice, ASK_CODES + 1);
    const struct model_item *item = dice_percent(g->dice, 50) ? claimed_with(g) : NULL;
    if (item) {
        a->event = item->event;
        a->code = item->code;
    }
    a->loud = dice_percent(g->dice, 50);
}

int generate_code(struct generator *g, int event)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    if (roll < 4)
        return 0;
    if (roll < 10 || event >= ASK_EVENTS)
        return 1 + (int)dice_roll(d, ASK_CODES + 1);
    int code = (int)dice_roll(d, ASK_CODES);
    for (int i = 0; i < ASK_CODES; i++, code = (code + 1) % ASK_CODES) {
        const struct model_code *c = &g->model->events[event].codes[code];
        if (c->made && !c->removed && (!c->units || dice_percent(d, 80)))
            break;
    }
    return code + 1;
}

/* A code can open it. */
static bool set_aside(const struct generator *g, const struct ask_item *item)
{
    const struct model_event *e = &g->model->events[item->event];
    if (item->kind == ITEM_SEAT)
        return item->unit < ASK_SEATS && e->seats[item->unit].allotment;
    return item->kind == ITEM_POOL && item->unit < ASK_POOLS && e->pools[item->unit].allotment;
}

void generate_item_codes(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    a->loud = dice_percent(d, 50);
    for (uint32_t i = 0; i < a->count; i++) {
        struct ask_item *item = &a->items[i];
        if (ask_timed(item->kind) || item->event >= ASK_EVENTS)
            continue;
        if (!g->model->events[item->event].settings.by_code && !dice_percent(d, set_aside(g, item) ? 60 : 3))
            continue;
        if (a->role == ROLE_ADMIN && dice_percent(d, 50))
            continue;
        *(a->code || dice_percent(d, 20) ? &item->code : &a->code) = generate_code(g, item->event);
    }
}
