/* SPDX-License-Identifier: Apache-2.0 */
/* generate_money.c — what providers and staff tell of payments, what goes back, and what is shown at the door. */
#include "generate.h"

int generate_ref(struct generator *g, const struct model_reservation *r, struct id id)
{
    const struct model_money *money = &g->model->money;
    if (r && r->ref && dice_percent(g->dice, 35))
        return r->ref;
    for (uint32_t i = money->count; r && dice_percent(g->dice, 90) && i-- > 0;) /* one that is owed */
        if (id_equal(money->refunds[i].reservation, r->id))
            return money->refunds[i].ref;
    if (dice_percent(g->dice, 2)) /* somebody else's */
        return 1 + (int)dice_roll(g->dice, ASK_REFS);
    return 1 + (int)((id.low * 3 + dice_roll(g->dice, 3)) % ASK_REFS);
}

const struct model_reservation *generate_owed_hold(struct generator *g)
{
    const struct model_money *money = &g->model->money;
    for (uint32_t i = money->count; i-- > 0 && money->count - i < 30;) {
        const struct model_reservation *r = model_find(g->model, money->refunds[i].reservation);
        if (r && model_status(g->model, r) == RESERVATION_HELD)
            return r;
    }
    return NULL;
}

bool generate_may_pay(const struct generator *g)
{
    return g->model->money.count + 2 * MODEL_RESERVATIONS < MODEL_REFUNDS;
}

/* One of this status, mostly; 0: of any. */
static const struct model_reservation *of_status(struct generator *g, enum reservation_status status)
{
    const struct model_reservation *found =
        g->calls_off && dice_percent(g->dice, 20) ? generate_undone(g) : NULL;
    if (found)
        return found;
    for (int tries = 0; tries < 40; tries++) {
        const struct model_reservation *r = &g->model->reservations[dice_roll(g->dice, MODEL_RESERVATIONS)];
        if (r->used)
            found = r;
        if (r->used && (!status || model_status(g->model, r) == status))
            break;
    }
    return found;
}

static const struct model_refund *refund_any(struct generator *g)
{
    const struct model_money *money = &g->model->money;
    uint32_t near = money->count < 24 ? money->count : 24;
    const struct model_reservation *held = dice_percent(g->dice, 30) ? generate_owed_hold(g) : NULL;
    if (!near)
        return NULL;
    for (uint32_t i = money->count; held && i-- > 0;)
        if (id_equal(money->refunds[i].reservation, held->id))
            return &money->refunds[i];
    return &money->refunds[dice_percent(g->dice, 80) ? money->count - 1 - dice_roll(g->dice, near)
                                                     : dice_roll(g->dice, money->count)];
}

/* ---- The provider ---- */

static void generate_refunded(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    const struct model_refund *due = refund_any(g);
    a->told.type = ASK_REFUNDED;
    if (!due)
        return;
    a->ref = due->ref;
    a->told.currency = dice_percent(d, 95) ? due->currency : 'U';
    a->told.amount = due->amount;
    for (uint32_t i = 0; dice_percent(d, 60) && i < g->model->money.count; i++)
        if (g->model->money.refunds[i].ref == due->ref && g->model->money.refunds[i].state == MODEL_DONE)
            a->told.amount += g->model->money.refunds[i].amount;
    if (dice_percent(d, 20))
        a->told.amount = (int64_t)dice_roll(d, 60);
}

static int64_t generate_amount(struct generator *g, const struct model_reservation *r)
{
    int64_t total = model_total(r);
    uint32_t roll = dice_roll(g->dice, 100);
    return roll < 72 ? total : roll < 80 ? total + 5 : roll < 95 ? total - 5 : roll < 97 ? 0 : -total;
}

static void generate_told(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    static const enum reservation_status statuses[] = {RESERVATION_HELD,     RESERVATION_HELD,
                                                       RESERVATION_EXPIRED,  RESERVATION_EXPIRED,
                                                       RESERVATION_EXPIRED,  RESERVATION_CONFIRMED,
                                                       RESERVATION_RELEASED, RESERVATION_CANCELLED,
                                                       RESERVATION_REFUNDED, 0};
    const struct model_reservation *r = of_status(g, statuses[dice_roll(d, 10)]);
    if (g->told_used && dice_percent(d, 8)) { /* the same again */
        struct ask last = g->told[dice_roll(d, g->told_used < GENERATE_TOLD ? g->told_used : GENERATE_TOLD)];
        if (model_find(g->model, last.id) || last.told.type == ASK_REFUNDED)
            *a = last;
        if (a->kind == COMMAND_PAYMENT_EVENT && a->told.number)
            return;
    }
    a->kind = COMMAND_PAYMENT_EVENT;
    a->role = ROLE_PAYMENT;
    a->id = !r || dice_percent(d, 2) ? (struct id){8, dice_word(d) % 1000} : r->id;
    a->told = (struct ask_told){.number = ++g->next_told,
                                .has_amount = dice_percent(d, 97),
                                .amount = r ? generate_amount(g, r) : 10,
                                .currency = r ? r->currency : 'E'};
    a->ref = dice_percent(d, 2) ? 0 : generate_ref(g, r, a->id);
    if (dice_percent(d, 6))
        a->told.currency = a->told.currency == 'E' ? 'U' : 'E';
    uint32_t roll = dice_roll(d, 100);
    a->told.type = roll < 72 ? ASK_SUCCEEDED : roll < 80 ? ASK_FAILED : ASK_OTHER;
    if (roll >= 82)
        generate_refunded(g, a);
    g->told[g->told_used++ % GENERATE_TOLD] = *a;
}

/* ---- What goes back ---- */

static bool generate_back(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    const struct model_reservation *r = of_status(g, dice_percent(d, 85) ? RESERVATION_CONFIRMED : 0);
    if (!r)
        return false;
    a->kind = dice_percent(d, 60) ? COMMAND_REFUND : COMMAND_CANCEL;
    bool cancel = a->kind == COMMAND_CANCEL;
    a->id = dice_percent(d, 1) ? (struct id){9, dice_word(d)} : r->id;
    a->role = cancel != dice_percent(d, 2) ? ROLE_USER : dice_percent(d, 50) ? ROLE_APP : ROLE_ADMIN;
    if (!cancel && a->role == ROLE_USER)
        a->role = ROLE_ADMIN; /* the edge lets no others through */
    a->actor = a->role == ROLE_USER && dice_percent(d, 3) ? (int)dice_roll(d, ASK_REGULARS) : r->user;
    if (dice_percent(d, 10))
        a->named = dice_percent(d, 70) ? r->user : (int)dice_roll(d, ASK_REGULARS);
    a->paid_back = dice_percent(d, 20);
    a->attributes = (int)dice_roll(d, 2);
    a->back_count = 0;
    for (int i = 0; i < r->item_count && a->back_count < ASK_BACK; i++)
        if (dice_percent(d, 30))
            a->back[a->back_count++] = r->items[i].id;
    if (dice_percent(d, 2) && a->back_count < ASK_BACK)
        a->back[a->back_count++] = 99;
    if (r->status == RESERVATION_CONFIRMED && dice_percent(d, cancel ? 15 : 2)) {
        a->role = ROLE_ORDER;
        a->named = -1;
        a->order = dice_percent(d, 4) ? (struct id){9, 9} : r->id;
        a->gen = r->manage_gen - (r->manage_gen && dice_percent(d, 30));
    }
    return true;
}

bool generate_money(struct generator *g, struct ask *a)
{
    uint32_t roll = dice_roll(g->dice, 100);
    const struct model_refund *due = refund_any(g);
    ask_clear(a, COMMAND_REFUND_LOOK);
    if (!generate_may_pay(g))
        roll = 90;
    if (roll < 60) {
        generate_told(g, a);
        return true;
    }
    if (roll < 88)
        return generate_back(g, a);
    a->kind = roll < 95 ? COMMAND_REFUND_DONE : COMMAND_REFUND_LOOK;
    a->refund = due && !dice_percent(g->dice, 3) ? due->number : dice_roll(g->dice, 1000000);
    return true;
}

/* ---- The door ---- */

/* One that is good, or one that somebody has shown or that is void. */
static bool generate_code_of(struct generator *g, struct ask_scan *s)
{
    struct dice *d = g->dice;
    const struct model_reservation *r = of_status(g, RESERVATION_CONFIRMED);
    const struct model_ticket *t = &g->model->door.tickets[dice_roll(d, MODEL_TICKETS)];
    if (dice_percent(d, 3)) {
        s->code = (struct ask_code_of){{dice_word(d), 7}, 1, 0};
    } else if (t->known && dice_percent(d, 60)) {
        s->code = t->code;
        s->event = t->is_void ? t->event : -1;
        s->reissue = t->reissue;
        s->nonce = dice_percent(d, 30) ? t->nonce : 0;
    } else if (r && r->status == RESERVATION_CONFIRMED && r->item_count) {
        const struct model_item *item = &r->items[dice_roll(d, r->item_count)];
        s->code = (struct ask_code_of){{r->key[0], r->key[1]}, item->id, dice_roll(d, item->quantity)};
        s->event = item->kind == ITEM_SLOT ? -1 : item->event;
        s->reissue = item->fence - (dice_percent(d, 30) && item->fence);
    } else {
        return false;
    }
    return true;
}

bool generate_scan(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    struct ask_scan *s = &a->scan;
    ask_clear(a, dice_percent(d, 92) ? COMMAND_CHECK_IN : COMMAND_TICKET_LOOK);
    *s = (struct ask_scan){.event = -1};
    a->role = dice_percent(d, 80) ? ROLE_DOOR : ROLE_APP;
    if (model_tickets_free(g->model) < 8 || !generate_code_of(g, s))
        return false;
    if (!dice_percent(d, 30))
        s->event = -1;
    else if (dice_percent(d, 20))
        s->event = (int)dice_roll(d, ASK_EVENTS + 1);
    s->gate = (int)dice_roll(d, 3);
    if (!s->nonce && dice_percent(d, 40))
        s->nonce = dice_percent(d, 90) ? ++g->next_nonce : 1 + dice_roll(d, g->next_nonce + 1);
    s->undo = dice_percent(d, 25);
    s->printed = !s->undo && dice_percent(d, 40);
    if (!s->undo && dice_percent(d, 20)) {
        s->at = g->model->now - (int64_t)dice_roll(d, 90000);
        if (dice_percent(d, 5))
            s->at = g->model->now - SCAN_AGE_MAX_MS - 1 + dice_roll(d, 3);
        else if (dice_percent(d, 5))
            s->at = g->model->now + SCAN_AHEAD_MAX_MS - 1 + dice_roll(d, 3);
    }
    return true;
}
