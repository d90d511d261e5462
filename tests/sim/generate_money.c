/* SPDX-License-Identifier: Apache-2.0 */
/* generate_money.c — reports of providers and staff about payments and returns, and tickets at the door. */
#include "generate.h"

int generate_ref(struct generator *g, const struct model_reservation *r, struct id id)
{
    const struct model_money *money = &g->model->money;
    if (r && r->ref && dice_percent(g->dice, 35))
        return r->ref;
    for (uint32_t i = money->row_count; r && dice_percent(g->dice, 92) && i-- > 0;) /* one that it has */
        if (id_equal(money->rows[i].is.reservation, r->id))
            return money->rows[i].ref;
    if (money->row_count && dice_percent(g->dice, 3)) /* another's */
        return money
            ->rows[money->row_count - 1 - dice_roll(g->dice, money->row_count < 20 ? money->row_count : 20)]
            .ref;
    return 1 + (int)((id.low * 3 + dice_roll(g->dice, 3)) % ASK_REFS);
}

struct ask_amount generate_said(struct generator *g, const struct model_reservation *r)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    int64_t total = r ? model_total(r) : (int64_t)dice_roll(d, 60),
            balance = r ? model_balance(g->model, r) : 0;
    if (balance && dice_percent(d, 60))
        total = balance;
    if (roll < 45)
        return (struct ask_amount){0};
    char currency = r ? r->currency : 'E';
    if (dice_percent(d, 5))
        currency = currency == 'E' ? 'U' : 'E';
    int64_t amount = roll < 80 ? total : roll < 88 ? total + 5 : roll < 97 ? total - 5 : 1;
    return (struct ask_amount){true, amount > 0 ? amount : 0, currency};
}

void generate_payable(struct generator *g, struct ask *a)
{
    const struct model_row *row = a->commit && a->ref ? model_row_of(g->model, a->ref) : NULL;
    bool picked = false;
    for (uint32_t i = 0; i < a->count; i++)
        picked = picked || a->items[i].kind == ITEM_BEST || a->items[i].kind == ITEM_GROUP;
    if (!a->commit || !a->ref || picked)
        a->amount = (struct ask_amount){0};
    if (picked && row && row->is.failed)
        a->ref = 0; /* whether nothing is enough only core knows */
}

const struct model_reservation *generate_owed_hold(struct generator *g)
{
    const struct model_money *money = &g->model->money;
    for (uint32_t i = money->row_count; i-- > 0 && money->row_count - i < 30;) {
        const struct model_row *row = &money->rows[i];
        const struct model_reservation *r = row->slot < 0 ? NULL : &g->model->reservations[row->slot];
        if (r && (row->is.rank || dice_percent(g->dice, 20)) && model_status(g->model, r) == RESERVATION_HELD)
            return r;
    }
    return NULL;
}

struct model_reservation *generate_paid_sale(struct generator *g)
{
    struct model *m = g->model;
    uint32_t from = dice_roll(g->dice, MODEL_RESERVATIONS);
    for (uint32_t i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &m->reservations[(from + i) % MODEL_RESERVATIONS];
        if (r->used && r->status == RESERVATION_CONFIRMED && model_received_any(m, r))
            return r;
    }
    return NULL;
}

bool generate_may_pay(const struct generator *g)
{
    return g->model->money.row_count + 2 < MODEL_ROWS && g->model->money.count + 100 < MODEL_REFUNDS;
}

/* One with this status, mostly; 0: any. */
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

/* Mostly one of the last. */
static const struct model_row *row_any(struct generator *g)
{
    const struct model_money *money = &g->model->money;
    uint32_t near = money->row_count < 24 ? money->row_count : 24;
    if (!near)
        return NULL;
    return &money->rows[dice_percent(g->dice, 80) ? money->row_count - 1 - dice_roll(g->dice, near)
                                                  : dice_roll(g->dice, money->row_count)];
}

static const struct model_refund *refund_any(struct generator *g)
{
    const struct model_money *money = &g->model->money;
    uint32_t near = money->count < 24 ? money->count : 24;
    if (!near)
        return NULL;
    return &money->refunds[dice_percent(g->dice, 80) ? money->count - 1 - dice_roll(g->dice, near)
                                                     : dice_roll(g->dice, money->count)];
}

/* ---- The provider ---- */

static int64_t generate_amount(struct generator *g, const struct model_reservation *r,
                               const struct model_row *row)
{
    int64_t total = model_total(r), balance = model_balance(g->model, r);
    uint32_t roll = dice_roll(g->dice, 100);
    if (row && row->is.said && dice_percent(g->dice, 40))
        total = row->is.app;
    else if (balance && dice_percent(g->dice, 60))
        total = balance;
    return roll < 72 ? total : roll < 80 ? total + 5 : roll < 95 ? total - 5 : roll < 97 ? 0 : -total;
}

/* A return of a payment, or a dispute. */
static void generate_returned(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    const struct model_row *row = row_any(g);
    static const enum payment_news kinds[] = {
        NEWS_REFUNDED, NEWS_REFUNDED,     NEWS_REFUNDED,        NEWS_REFUNDED,         NEWS_REFUND_FAILED,
        NEWS_DISPUTED, NEWS_DISPUTE_OVER, NEWS_FUNDS_WITHDRAWN, NEWS_FUNDS_REINSTATED, NEWS_REFUND_FAILED};
    a->told.news = kinds[dice_roll(d, 10)];
    a->told.named = dice_percent(d, 30);
    if (!row || dice_percent(d, 5))
        return;
    a->ref = row->ref;
    a->id = row->is.reservation;
    a->told.named = a->told.named && row->slot >= 0;
    if (row->now.currency && dice_percent(d, 97))
        a->told.currency = row->now.currency;
    int64_t owed = row->now.owed ? row->now.owed : row->now.kept;
    bool sums = a->told.news == NEWS_REFUNDED;
    a->told.amount = (sums ? row->is.refunded : 0) + (a->told.news == NEWS_REFUND_FAILED ? row->is.refunded
                                                      : dice_percent(d, 60)              ? owed
                                                                            : (int64_t)dice_roll(d, 60));
    if (sums && dice_percent(d, 50) && row->now.returned > row->is.refunded)
        a->told.amount = row->now.returned; /* already reported by staff */
    if (a->told.news == NEWS_REFUND_FAILED)
        a->told.once = dice_percent(d, 70)
                           ? ++g->next_once
                           : 1 + g->next_once - dice_roll(d, g->next_once < 8 ? g->next_once + 1 : 8);
    if (a->told.once > g->next_once)
        a->told.once = g->next_once;
}

static void generate_told(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    static const enum reservation_status statuses[] = {RESERVATION_HELD,
                                                       RESERVATION_HELD,
                                                       RESERVATION_EXPIRED,
                                                       RESERVATION_EXPIRED,
                                                       RESERVATION_EXPIRED,
                                                       RESERVATION_CONFIRMED,
                                                       RESERVATION_CONFIRMED,
                                                       RESERVATION_RELEASED,
                                                       RESERVATION_CANCELLED,
                                                       RESERVATION_REFUNDED,
                                                       0};
    const struct model_reservation *sale = dice_percent(d, 15) ? generate_paid_sale(g) : NULL,
                                   *r = sale ? sale : of_status(g, statuses[dice_roll(d, 11)]);
    if (g->told_used && dice_percent(d, 8)) { /* the same again */
        struct ask last = g->told[dice_roll(d, g->told_used < GENERATE_TOLD ? g->told_used : GENERATE_TOLD)];
        if (model_find(g->model, last.id) || !last.told.named)
            *a = last;
        if (a->kind == COMMAND_PAYMENT_EVENT && a->told.number)
            return;
    }
    a->kind = COMMAND_PAYMENT_EVENT;
    a->role = ROLE_PAYMENT;
    bool unknown = !r || dice_percent(d, 3);
    a->id = unknown ? (struct id){8, dice_roll(d, 40)} : r->id;
    a->ref = dice_percent(d, 2) ? 0 : generate_ref(g, unknown ? NULL : r, a->id);
    a->told = (struct ask_told){
        .number = ++g->next_told,
        .named = dice_percent(d, 97),
        .has_amount = dice_percent(d, 97),
        .amount = r ? generate_amount(g, r, a->ref ? model_row_of(g->model, a->ref) : NULL) : 10,
        .currency = r ? r->currency : 'E'};
    if (dice_percent(d, 6))
        a->told.currency = a->told.currency == 'E' ? 'U' : 'E';
    uint32_t roll = dice_roll(d, 100);
    if (r && r->ref && model_balance(g->model, r) < model_total(r) && dice_percent(d, 15)) {
        a->ref = r->ref; /* the full price was received after all, whatever others have paid since */
        a->told.amount = model_total(r);
    }
    a->told.news = roll < 60 ? NEWS_SUCCEEDED : roll < 68 ? NEWS_FAILED : NEWS_NONE;
    if (roll >= 70)
        generate_returned(g, a);
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
        a->role = ROLE_ADMIN; /* the edge refuses others */
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
    const struct model_row *row = row_any(g);
    a->kind = roll < 95 ? COMMAND_REFUND_DONE : roll < 98 ? COMMAND_REFUND_LOOK : COMMAND_PAYMENT_LOOK;
    a->refund = dice_roll(g->dice, 1000000);
    if (a->kind == COMMAND_PAYMENT_LOOK ? row && !dice_percent(g->dice, 5) : due && !dice_percent(g->dice, 3))
        a->refund = a->kind == COMMAND_PAYMENT_LOOK ? row->number : due->number;
    if (a->kind == COMMAND_REFUND_DONE && due && dice_percent(g->dice, 60)) {
        char currency = g->model->money.rows[due->row].now.currency;
        int64_t part = 1 + (int64_t)dice_roll(g->dice, (uint32_t)due->amount + 3);
        a->amount = (struct ask_amount){true, dice_percent(g->dice, 60) ? due->amount : part,
                                        dice_percent(g->dice, 95) ? currency
                                        : currency == 'E'         ? 'U'
                                                                  : 'E'};
        a->outside = dice_percent(g->dice, 20);
    }
    return true;
}

/* ---- The door ---- */

/* The nonce of a recorded scan of this ticket; 0: none lately. */
static uint32_t recorded_nonce(struct generator *g, const struct ask_code_of *code)
{
    uint32_t from = dice_roll(g->dice, MODEL_SCANS);
    for (uint32_t i = 0; i < MODEL_SCANS; i++) {
        const struct model_recorded *r = &g->model->door.scans[(from + i) % MODEL_SCANS];
        if (r->nonce && r->code.key[0] == code->key[0] && r->code.key[1] == code->key[1] &&
            r->code.item_id == code->item_id && r->code.unit == code->unit)
            return r->nonce;
    }
    return 0;
}

/* A good one, or one that was shown or is void. */
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
        s->nonce = dice_percent(d, 30) ? t->nonce : dice_percent(d, 40) ? recorded_nonce(g, &t->code) : 0;
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
        s->nonce = ++g->next_nonce;
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
