/* SPDX-License-Identifier: Apache-2.0 */
/* generate_claims.c — requests for reservations: new ones, and everything that can be done with one. */
#include "generate.h"

static void generate_item(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    struct ask_item *item = &a->items[a->count++];
    uint32_t roll = dice_roll(d, 100);
    *item = (struct ask_item){.kind = ITEM_SEAT, .quantity = 1, .section = -1, .tier = -1};
    if (dice_percent(d, g->slot_percent)) {
        generate_slot(g, a->role, item);
        if (a->count > 1 && a->items[a->count - 2].kind == ITEM_SLOT && dice_percent(d, 40))
            generate_slot_beside(g, &a->items[a->count - 2], item);
        item->attributes = dice_percent(d, 5) ? (int)dice_roll(d, 4) : 0;
        return;
    }
    item->attributes = dice_percent(d, 5) ? (int)dice_roll(d, 4) : 0;
    bool beside = a->count > 1 && !ask_timed(a->items[0].kind) && dice_percent(d, 80);
    item->event = beside ? a->items[0].event : generate_event_any(g);
    item->unit = generate_seat_any(g, item->event);
    bool priced = item->event < ASK_EVENTS && g->model->events[item->event].settings.category_count;
    item->category = dice_percent(d, priced ? 50 : 1) ? generate_category(g, item->event) : 0;
    if (roll < 25) {
        item->kind = ITEM_POOL;
        item->unit = dice_percent(d, 3) ? ASK_POOLS : (int)dice_roll(d, ASK_POOLS);
        item->quantity = 1 + dice_roll(d, 4);
    } else if (roll < 42) {
        for (uint32_t i = 0; i + 1 < a->count; i++)
            if (a->items[i].kind == ITEM_BEST)
                return; /* a second best depends on what the first took */
        item->kind = ITEM_BEST;
        item->quantity = 1 + dice_roll(d, 5);
        item->adjacent = dice_percent(d, 40);
        item->accessible = dice_percent(d, 20) ? dice_roll(d, item->quantity + 1) : 0;
        item->section = dice_percent(d, 20) ? (int)dice_roll(d, 2) : -1;
        item->tier = dice_percent(d, 15) ? (int)dice_roll(d, 2) : -1;
    }
}

/* Only core knows which seats a best takes, and whether several others of a user leave single ones. */
static void spare_best(struct ask *a)
{
    for (uint32_t i = 0; a->role == ROLE_USER && i < a->count; i++) {
        uint32_t seats = 0;
        for (uint32_t k = 0; a->items[i].kind == ITEM_BEST && k < a->count; k++)
            seats += a->items[k].kind == ITEM_SEAT && a->items[k].event == a->items[i].event;
        if (seats > 1) {
            a->items[i] = a->items[--a->count];
            return;
        }
    }
}

static uint32_t items_most(const struct ask *a)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++)
        count += a->items[i].kind == ITEM_BEST ? a->items[i].quantity : 1;
    return count;
}

/* Whether a request can be repeated: the model must have room for what it could be granted. */
static bool may_repeat(struct generator *g, const struct ask *last)
{
    if (last->kind != COMMAND_ITEMS_ADD)
        return true;
    const struct model_reservation *r = model_find(g->model, last->id);
    return r && r->item_count + items_most(last) <= MODEL_ITEMS;
}

void generate_key(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    int key = (int)dice_roll(d, MODEL_KEYS);
    const struct ask *last = &g->keyed[key];
    if (g->keyed_used[key] && last->kind == a->kind && dice_percent(d, 60) && may_repeat(g, last)) {
        struct id fresh = a->id;
        *a = *last;
        if (a->kind == COMMAND_HOLD)
            a->id = fresh;
        if (dice_percent(d, 25))
            a->body++;
        return;
    }
    a->key = key;
    a->key_text = ++g->next_key;
    a->body = dice_word(d);
    g->keyed[key] = *a;
    g->keyed_used[key] = true;
}

static void generate_caller(struct generator *g, struct ask *a, int owner)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    a->actor = owner;
    a->role = roll < 80 ? ROLE_USER : roll < 93 ? ROLE_APP : ROLE_ADMIN;
    if (a->role == ROLE_USER && dice_percent(d, 4))
        a->actor = (int)dice_roll(d, ASK_REGULARS);
    if (dice_percent(d, 15))
        a->named = dice_percent(d, 75) ? owner : (int)dice_roll(d, ASK_REGULARS);
}

/* Where a pass is needed the caller is mostly an admitted one. */
static void generate_bearer(struct generator *g, struct ask *a)
{
    int admitted = dice_percent(g->dice, 80) ? generate_admitted(g, a) : -1;
    if (admitted >= 0) {
        a->actor = admitted;
        a->named = a->role == ROLE_USER ? -1 : admitted;
    }
    generate_pass(g, a, -1, a->named >= 0 ? a->named : a->actor);
}

bool generate_hold(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    ask_clear(a, COMMAND_HOLD);
    generate_caller(g, a, (int)dice_roll(d, ASK_REGULARS));
    if (a->role != ROLE_USER && a->named < 0)
        a->named = a->actor;
    a->id = (struct id){1, ++g->next_id};
    for (uint32_t n = dice_percent(d, 60) ? 1 : 2 + dice_roll(d, 3); n > 0; n--)
        generate_item(g, a);
    generate_bearer(g, a);
    generate_item_allotments(g, a);
    generate_item_codes(g, a);
    spare_best(a);
    a->ttl_s = dice_percent(d, 70) ? 0 : 1 + dice_roll(d, dice_percent(d, 85) ? 3 : 40);
    a->commit = dice_percent(d, a->role == ROLE_USER ? 1 : 15);
    a->attributes = dice_percent(d, 10) ? (int)dice_roll(d, 3) : -1;
    a->ref = a->commit && generate_may_pay(g) && dice_percent(d, 60) ? generate_ref(g, NULL, a->id) : 0;
    a->amount = generate_said(g, NULL);
    if (g->seen.known && dice_percent(d, 6)) {
        a->count = 1;
        a->items[0] =
            (struct ask_item){.kind = ITEM_SEAT, .quantity = 1, .event = g->seen.event, .unit = g->seen.seat};
        a->if_match = true;
        a->version = g->seen.version;
        a->seen_claims = g->seen.claims;
    } else if (dice_percent(d, 12)) {
        generate_key(g, a);
    }
    generate_payable(g, a);
    return true;
}

/* Any known one, mostly a held one. */
static struct model_reservation *reservation_any(struct generator *g)
{
    struct model_reservation *found = g->calls_off && dice_percent(g->dice, 40) ? generate_undone(g) : NULL;
    if (found)
        return found;
    for (int tries = 0; tries < 12; tries++) {
        struct model_reservation *r = &g->model->reservations[dice_roll(g->dice, MODEL_RESERVATIONS)];
        if (r->used)
            found = r;
        if (r->used && model_status(g->model, r) == RESERVATION_HELD && dice_percent(g->dice, 90))
            break;
    }
    return found;
}

/* Units of a pool; with: claimed with a code. */
static bool has_pool(const struct model_reservation *r, bool with)
{
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_POOL && (r->items[i].code || !with))
            return true;
    return false;
}

static bool has_categories(const struct generator *g, const struct model_reservation *r)
{
    return r->items[0].kind != ITEM_SLOT && g->model->events[r->items[0].event].settings.category_count;
}

/* One that is sold on a calendar removed since, or NULL. */
static struct model_reservation *sold_on_gone(struct generator *g)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &g->model->reservations[i];
        if (r->used && r->status == RESERVATION_CONFIRMED && r->items[0].kind == ITEM_SLOT &&
            r->items[0].event >= MODEL_GONE)
            return r;
    }
    return NULL;
}

/* Mostly one that the command can succeed with. */
static struct model_reservation *reservation_for(struct generator *g, enum command_kind kind)
{
    bool pays = kind == COMMAND_PAYMENT || kind == COMMAND_COMMIT;
    const struct model_reservation *owed = pays && dice_percent(g->dice, 20) ? generate_owed_hold(g) : NULL;
    struct model_reservation *gone = kind == COMMAND_ITEM_MOVE ? sold_on_gone(g) : NULL;
    if (owed)
        return &g->model->reservations[owed - g->model->reservations];
    if (gone && dice_percent(g->dice, 95))
        return gone;
    struct model_reservation *sale =
        (kind == COMMAND_ITEM_MOVE || kind == COMMAND_COMMIT) && dice_percent(g->dice, 25)
            ? generate_paid_sale(g)
            : NULL;
    if (sale)
        return sale;
    struct model_reservation *r = reservation_any(g);
    bool coded = dice_percent(g->dice, 30);
    for (int tries = 0; tries < 12 && r; tries++) {
        bool held = !r->paid_at && model_status(g->model, r) == RESERVATION_HELD;
        bool fit = kind == COMMAND_ITEM_QUANTITY   ? held && has_pool(r, coded)
                   : kind == COMMAND_ITEM_CATEGORY ? held && has_categories(g, r)
                   : kind == COMMAND_TRANSFER      ? r->status == RESERVATION_CONFIRMED
                                                   : true;
        if (fit || dice_percent(g->dice, 8))
            break;
        r = reservation_any(g);
    }
    return r;
}

static enum command_kind reservation_command_kind(struct dice *d)
{
    static const struct {
        enum command_kind kind;
        uint32_t weight;
    } kinds[] = {{COMMAND_LOOK, 12},          {COMMAND_ITEMS_ADD, 22},    {COMMAND_ITEM_DROP, 10},
                 {COMMAND_ITEM_MOVE, 12},     {COMMAND_ATTRIBUTES, 5},    {COMMAND_EXTEND, 13},
                 {COMMAND_PAYMENT, 8},        {COMMAND_COMMIT, 10},       {COMMAND_ITEM_ATTRIBUTES, 3},
                 {COMMAND_ITEM_QUANTITY, 13}, {COMMAND_ITEM_CATEGORY, 9}, {COMMAND_TRANSFER, 6},
                 {COMMAND_TOKENS_REVOKE, 2}};
    uint32_t roll = dice_roll(d, 140);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        if (roll < kinds[i].weight)
            return kinds[i].kind;
        roll -= kinds[i].weight;
    }
    return COMMAND_RELEASE;
}

/* The receiver; and the manage token of a confirmed reservation, which is good for few commands. */
static void generate_order(struct generator *g, struct ask *a, const struct model_reservation *r)
{
    struct dice *d = g->dice;
    bool enough = a->kind == COMMAND_LOOK || a->kind == COMMAND_TRANSFER;
    a->to = dice_percent(d, 5) ? r->user : (int)dice_roll(d, ASK_REGULARS);
    a->ticket = ++g->next_ticket;
    if (r->status != RESERVATION_CONFIRMED || !dice_percent(d, enough ? 15 : 1))
        return;
    a->role = ROLE_ORDER;
    a->named = -1;
    a->order = dice_percent(d, 4) ? (struct id){9, 9} : r->id;
    a->gen = r->manage_gen - (r->manage_gen && dice_percent(d, 30));
}

/* The new seat: mostly any, and for an allotted one often within the allotment. */
static int generate_seat_move(struct generator *g, const struct model_item *item)
{
    if (dice_percent(g->dice, 8))
        return item->unit;
    int seat = generate_seat_any(g, item->event);
    const struct model_event *e = &g->model->events[item->event];
    bool within = item->allotment && dice_percent(g->dice, 40);
    for (int i = 0; within && seat < ASK_SEATS && i < ASK_SEATS; i++, seat = (seat + 1) % ASK_SEATS)
        if (e->seats[seat].exists && e->seats[seat].allotment == item->allotment && seat != item->unit)
            break;
    return seat;
}

bool generate_desk(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    /* Few are ever sold where nothing can be booked any more, and not for long. */
    ask_clear(a, sold_on_gone(g) && dice_percent(d, 20) ? COMMAND_ITEM_MOVE : reservation_command_kind(d));
    const struct model_reservation *r = reservation_for(g, a->kind);
    if (!r)
        return false;
    generate_caller(g, a, r->user);
    a->id = dice_percent(d, 1) ? (struct id){9, dice_word(d)} : r->id;
    generate_order(g, a, r);
    a->ttl_s = dice_percent(d, 40) ? 0 : 1 + dice_roll(d, 60);
    a->ref = generate_may_pay(g) && dice_percent(d, 40) ? generate_ref(g, r, r->id) : 0;
    if (a->kind == COMMAND_COMMIT && a->ref)
        a->amount = generate_said(g, r);
    bool described = a->kind == COMMAND_ATTRIBUTES || a->kind == COMMAND_ITEM_ATTRIBUTES;
    a->attributes = described || dice_percent(d, 10) ? (int)dice_roll(d, 4) : -1;
    int index = r->item_count ? (int)dice_roll(d, r->item_count) : 0;
    a->item_id = dice_percent(d, 4) ? 99 : r->items[index].id;
    for (int i = 0; a->kind == COMMAND_ITEM_QUANTITY && i < r->item_count && dice_percent(d, 90); i++)
        if (r->items[i].kind == ITEM_POOL)
            a->item_id = r->items[index = i].id;
    a->quantity = 1 + dice_roll(d, 4);
    a->category = generate_item_category(g, &r->items[index]);
    bool slot = r->items[index].kind == ITEM_SLOT;
    a->seat = slot ? generate_seat_any(g, r->items[index].event) : generate_seat_move(g, &r->items[index]);
    a->in_time = slot != dice_percent(d, 4);
    if (a->kind == COMMAND_ITEM_MOVE && a->in_time)
        generate_slot_move(g, &r->items[index], a);
    else if ((a->kind == COMMAND_ITEM_MOVE || a->kind == COMMAND_ITEM_QUANTITY) && !slot)
        generate_pass(g, a, r->items[index].event, r->user);
    if (a->kind == COMMAND_COMMIT && a->role == ROLE_USER)
        a->ref = 0;
    a->keep_attributes = a->kind == COMMAND_TRANSFER && dice_percent(d, a->role == ROLE_APP ? 50 : 5);
    if (a->kind == COMMAND_TRANSFER && dice_percent(d, 20))
        generate_key(g, a);
    if (a->kind != COMMAND_ITEMS_ADD)
        return true;
    for (uint32_t n = 1 + dice_roll(d, 2); n > 0; n--)
        generate_item(g, a);
    if (dice_percent(d, 10) && r->items[index].kind != ITEM_POOL) { /* the same again */
        a->items[0] = (struct ask_item){.kind = (enum item_kind)r->items[index].kind,
                                        .quantity = 1,
                                        .event = r->items[index].event,
                                        .unit = r->items[index].unit,
                                        .start_ms = r->items[index].start_ms,
                                        .end_ms = r->items[index].end_ms};
    } else if (dice_percent(d, 30) && r->items[index].kind == ITEM_SLOT) {
        struct ask_item has = {.kind = ITEM_SLOT,
                               .event = r->items[index].event,
                               .unit = r->items[index].unit,
                               .start_ms = r->items[index].start_ms,
                               .end_ms = r->items[index].end_ms};
        generate_slot_beside(g, &has, &a->items[0]);
    }
    if (a->count == 2 && a->items[0].kind == ITEM_SEAT && dice_percent(d, 30)) { /* and another one there */
        a->items[1] = a->items[0];
        a->items[1].unit = generate_seat_any(g, a->items[0].event);
    }
    generate_pass(g, a, -1, r->user);
    generate_item_allotments(g, a);
    generate_item_codes(g, a);
    spare_best(a);
    if (r->item_count + items_most(a) > MODEL_ITEMS)
        return false;
    if (dice_percent(d, 25))
        generate_key(g, a);
    return true;
}
