/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <string.h>

struct model_reservation *model_find(struct model *m, struct id id)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        if (m->reservations[i].used && id_equal(m->reservations[i].id, id))
            return &m->reservations[i];
    return NULL;
}

enum reservation_status model_status(const struct model *m, const struct model_reservation *r)
{
    if (r->status == RESERVATION_HELD && m->now >= r->expires_at)
        return RESERVATION_EXPIRED;
    return (enum reservation_status)r->status;
}

static bool live(const struct model *m, const struct model_reservation *r)
{
    enum reservation_status status = model_status(m, r);
    return r->used && (status == RESERVATION_HELD || status == RESERVATION_CONFIRMED);
}

struct model_reservation *model_holder(struct model *m, int event, int seat)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].unit == seat && r->items[k].kind == ITEM_SEAT && r->items[k].event == event &&
                live(m, r))
                return r;
    }
    return NULL;
}

uint32_t model_claimed(struct model *m, int event, int pool, bool sold_only)
{
    uint32_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].kind == ITEM_POOL && r->items[k].event == event && r->items[k].unit == pool &&
                live(m, r) && (!sold_only || r->status == RESERVATION_CONFIRMED))
                units += r->items[k].quantity;
    }
    return units;
}

uint32_t model_have(struct model *m, int user, int event)
{
    uint32_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; r->user == user && k < r->item_count; k++)
            if (r->items[k].kind != ITEM_SLOT && r->items[k].event == event && live(m, r))
                units += r->items[k].quantity;
    }
    return units;
}

bool model_on_sale(const struct model *m, int event, enum role role)
{
    const struct ask_settings *s = &m->events[event].settings;
    if (s->on_sale_at_ms && m->now < s->on_sale_at_ms && role != ROLE_ADMIN)
        return false;
    return !s->off_sale_at_ms || m->now < s->off_sale_at_ms;
}

/* ---- Reservations that exist ---- */

static void show(struct model *m, const struct model_reservation *r, struct model_answer *out)
{
    out->reservation = (int)(r - m->reservations);
}

struct model_reservation *model_owned(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool user = a->role == ROLE_USER;
    out->code = OUTCOME_NOT_OWNER;
    if (user && a->named >= 0 && a->named != a->actor)
        return NULL;
    struct model_reservation *r = model_find(m, a->id);
    out->code = OUTCOME_NO_SUCH_RESERVATION;
    if (!r || (user && r->user != a->actor))
        return NULL;
    out->code = OUTCOME_NOT_OWNER;
    if (a->named >= 0 && a->named != r->user)
        return NULL;
    out->code = OUTCOME_OK;
    return r;
}

static enum outcome_code ended_code(enum reservation_status status)
{
    switch (status) {
    case RESERVATION_CONFIRMED:
        return OUTCOME_ALREADY_CONFIRMED;
    case RESERVATION_RELEASED:
        return OUTCOME_ALREADY_RELEASED;
    case RESERVATION_EXPIRED:
        return OUTCOME_EXPIRED;
    case RESERVATION_HELD:
    case RESERVATION_CANCELLED:
    case RESERVATION_REFUNDED:
        break;
    }
    return OUTCOME_OK;
}

bool model_changeable(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    out->code = ended_code(model_status(m, r));
    if (out->code == OUTCOME_OK && r->paid_at)
        out->code = OUTCOME_PAYING;
    return out->code == OUTCOME_OK;
}

static void judge_attributes(struct model *m, const struct ask *a, struct model_reservation *r,
                             struct model_answer *out)
{
    if (!live(m, r)) {
        out->code = ended_code(model_status(m, r));
        return;
    }
    r->attributes = (int8_t)a->attributes;
    r->version++;
    show(m, r, out);
}

static void judge_extend(struct model *m, const struct ask *a, struct model_reservation *r,
                         struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int64_t deadline = m->now + (int64_t)(a->ttl_s ? a->ttl_s : r->hold_ttl_s) * 1000;
    if (deadline > r->max_at)
        deadline = r->max_at;
    if (deadline > r->expires_at) {
        r->expires_at = deadline;
        r->version++;
    }
    show(m, r, out);
}

/* The buyer's own payment_ref never counts; one of app or admin is recorded, once each. */
static void judge_payment(struct model *m, const struct ask *a, struct model_reservation *r,
                          struct model_answer *out)
{
    out->code = ended_code(model_status(m, r));
    if (out->code != OUTCOME_OK)
        return;
    if (!r->paid_at && r->payment_ttl_s == 0) {
        out->code = OUTCOME_PAYMENT_WINDOW_OFF;
        return;
    }
    bool recorded = a->ref && a->role != ROLE_USER && a->ref != r->ref;
    if (recorded)
        r->ref = (int8_t)a->ref;
    if (!r->paid_at || recorded)
        r->version++;
    if (!r->paid_at) {
        int64_t deadline = m->now + (int64_t)r->payment_ttl_s * 1000;
        r->paid_at = m->now;
        if (deadline > r->expires_at)
            r->expires_at = deadline;
        if (r->expires_at > r->max_at)
            r->max_at = r->expires_at;
    }
    show(m, r, out);
}

static void judge_commit(struct model *m, const struct ask *a, struct model_reservation *r,
                         struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    int64_t total = 0;
    if (status == RESERVATION_CONFIRMED) {
        show(m, r, out);
        return;
    }
    out->code = ended_code(status);
    if (out->code != OUTCOME_OK)
        return;
    for (int i = 0; i < r->item_count; i++)
        total += r->items[i].price;
    if (a->role == ROLE_USER && r->payment_required && total > 0 && !r->ref) {
        out->code = OUTCOME_PAYMENT_REQUIRED;
        return;
    }
    r->status = RESERVATION_CONFIRMED;
    r->confirmed_at = m->now;
    r->version++;
    if (a->attributes >= 0)
        r->attributes = (int8_t)a->attributes;
    if (a->ref)
        r->ref = (int8_t)a->ref;
    show(m, r, out);
}

static void judge_release(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    enum reservation_status status = model_status(m, r);
    if (status != RESERVATION_RELEASED) {
        out->code = ended_code(status);
        if (out->code != OUTCOME_OK)
            return;
        r->status = RESERVATION_RELEASED;
        r->ended_at = m->now;
        r->version++;
    }
    show(m, r, out);
}

static int item_index(const struct model_reservation *r, uint32_t item_id)
{
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].id == item_id)
            return i;
    return -1;
}

static void judge_drop(struct model *m, const struct ask *a, struct model_reservation *r,
                       struct model_answer *out)
{
    if (!model_changeable(m, r, out))
        return;
    int index = item_index(r, a->item_id);
    if (index < 0) {
        out->code = OUTCOME_NO_SUCH_ITEM;
    } else if (r->item_count == 1) {
        judge_release(m, r, out);
    } else {
        r->item_count--;
        memmove(&r->items[index], &r->items[index + 1],
                (size_t)(r->item_count - index) * sizeof(r->items[0]));
        r->version++;
        show(m, r, out);
    }
}

static enum outcome_code judge_move_to(struct model *m, const struct ask *a,
                                       const struct model_reservation *r, const struct model_item *item,
                                       struct model_answer *out)
{
    const struct model_event *e = &m->events[item->event];
    bool confirmed = r->status == RESERVATION_CONFIRMED;
    if (a->seat >= ASK_SEATS || !e->seats[a->seat].exists)
        return OUTCOME_NO_SUCH_SEAT;
    if (a->seat == item->unit)
        return OUTCOME_OK;
    if (e->settings.currency != r->currency)
        return OUTCOME_INVALID;
    if (!confirmed && !model_on_sale(m, item->event, a->role))
        return OUTCOME_NOT_ON_SALE;
    if (confirmed && a->role == ROLE_USER && r->payment_required && e->seats[a->seat].price != item->price)
        return OUTCOME_PAYMENT_REQUIRED;
    const struct model_reservation *other = model_holder(m, item->event, a->seat);
    if (!other && !e->seats[a->seat].blocked)
        return OUTCOME_OK;
    out->obstacle_count = 1;
    out->obstacles[0] = (struct obstacle){.kind = ITEM_SEAT,
                                          .status = !other                                   ? SEAT_BLOCKED
                                                    : other->status == RESERVATION_CONFIRMED ? SEAT_SOLD
                                                                                             : SEAT_HELD};
    return OUTCOME_TAKEN;
}

static void judge_move(struct model *m, const struct ask *a, struct model_reservation *r,
                       struct model_answer *out)
{
    if (!live(m, r)) {
        out->code = ended_code(model_status(m, r));
        return;
    }
    int index = item_index(r, a->item_id);
    struct model_item moved = index < 0 ? (struct model_item){0} : r->items[index];
    if (r->status == RESERVATION_HELD && r->paid_at)
        out->code = OUTCOME_PAYING;
    else if (index < 0)
        out->code = OUTCOME_NO_SUCH_ITEM;
    else if (moved.kind != (a->in_time ? ITEM_SLOT : ITEM_SEAT))
        out->code = OUTCOME_INVALID;
    else if (a->in_time)
        out->code = model_slot_move(m, a, r, &r->items[index], &moved, out);
    else
        out->code = judge_move_to(m, a, r, &moved, out);
    if (out->code != OUTCOME_OK)
        return;
    struct model_item *item = &r->items[index];
    if (!a->in_time && a->seat != item->unit) {
        moved.unit = (int8_t)a->seat;
        moved.price = m->events[item->event].seats[a->seat].price;
    }
    if (moved.unit != item->unit || moved.start_ms != item->start_ms || moved.end_ms != item->end_ms) {
        *item = moved;
        r->version++;
        r->fence = 0; /* a new one: core tells */
    }
    show(m, r, out);
}

/* ---- The catalogue ---- */

/* The same seats with the same facts; blocks and claims are no facts of a seat. */
static bool same_layout(const struct model_event *a, const struct model_event *b)
{
    for (int i = 0; i < ASK_SEATS; i++) {
        const struct model_seat *x = &a->seats[i], *y = &b->seats[i];
        if (x->exists != y->exists ||
            (x->exists && (x->order != y->order || x->section != y->section || x->row != y->row ||
                           x->number != y->number || x->tier != y->tier || x->price != y->price)))
            return false;
    }
    return true;
}

static void judge_event_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    const struct model_event *from = a->copy >= 0 && a->copy < ASK_EVENTS ? &m->events[a->copy] : NULL;
    if (a->copy >= 0 && (!from || !from->exists || (e->exists && e->seat_count && !same_layout(e, from)))) {
        out->code = OUTCOME_INVALID;
        return;
    }
    out->created = !e->exists;
    if (!e->exists)
        *e = (struct model_event){.exists = true};
    e->settings = a->settings;
    if (from && from != e && e->seat_count == 0) {
        e->seat_count = from->seat_count;
        for (int i = 0; i < ASK_SEATS; i++) {
            e->seats[i] = from->seats[i];
            e->seats[i].blocked = false;
            e->seats[i].fence = e->seats[i].claims = 0;
        }
    }
}

static bool in_use(struct model *m, int event)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        for (int k = 0; k < m->reservations[i].item_count; k++)
            if (m->reservations[i].items[k].kind != ITEM_SLOT && m->reservations[i].items[k].event == event &&
                live(m, &m->reservations[i]))
                return true;
    return false;
}

static void judge_event_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (in_use(m, a->event))
        out->code = OUTCOME_IN_USE;
    else
        m->events[a->event] = (struct model_event){0};
}

static void judge_pool_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    if (a->capacity < model_claimed(m, a->event, a->pool, false)) {
        out->code = OUTCOME_CAPACITY_IN_USE;
        return;
    }
    out->created = !e->pools[a->pool].exists;
    e->pools[a->pool].exists = true;
    e->pools[a->pool].capacity = a->capacity;
    e->pools[a->pool].price = a->price;
}

static void judge_import(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (uint32_t i = 0; i < a->seat_count; i++)
        if ((a->seats[i].columns & SEAT_COLUMN_BLOCKED) && a->seats[i].blocked &&
            model_holder(m, a->event, a->seats[i].seat))
            out->code = OUTCOME_TAKEN;
    if (out->code != OUTCOME_OK)
        return;
    for (uint32_t i = 0; i < a->seat_count; i++) {
        const struct ask_seat *s = &a->seats[i];
        struct model_seat *seat = &e->seats[s->seat];
        if (!seat->exists)
            *seat = (struct model_seat){
                .exists = true, .section = -1, .row = -1, .tier = -1, .number = -1, .order = e->seat_count++};
        if (s->columns & SEAT_COLUMN_SECTION)
            seat->section = (int8_t)s->section;
        if (s->columns & SEAT_COLUMN_ROW)
            seat->row = (int8_t)s->row;
        if (s->columns & SEAT_COLUMN_NUMBER)
            seat->number = (int16_t)s->number;
        if (s->columns & SEAT_COLUMN_TIER)
            seat->tier = (int8_t)s->tier;
        if (s->columns & SEAT_COLUMN_PRICE)
            seat->price = s->price;
        if (s->columns & SEAT_COLUMN_BLOCKED)
            seat->blocked = s->blocked;
    }
}

static void judge_block(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (uint32_t i = 0; i < a->seat_count; i++) {
        int seat = a->seats[i].seat;
        if (seat >= ASK_SEATS || !e->seats[seat].exists) {
            out->code = OUTCOME_NO_SUCH_SEAT;
            return;
        }
        if (a->blocked && model_holder(m, a->event, seat))
            out->code = OUTCOME_TAKEN;
    }
    for (uint32_t i = 0; out->code == OUTCOME_OK && i < a->seat_count; i++)
        if (a->blocked || !model_holder(m, a->event, a->seats[i].seat))
            e->seats[a->seats[i].seat].blocked = a->blocked;
}

static void judge_key(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool create = a->kind == COMMAND_KEY_CREATE;
    if (m->api_keys[a->pool] == create)
        out->code = create ? OUTCOME_EXISTS : OUTCOME_NO_SUCH_KEY;
    else
        m->api_keys[a->pool] = create;
    out->created = out->code == OUTCOME_OK && create;
}

/* True: it was a command of the catalogue. */
static bool judge_catalogue(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool known = a->event < ASK_EVENTS && m->events[a->event].exists;
    switch (a->kind) {
    case COMMAND_EVENT_PUT:
        judge_event_put(m, a, out);
        return true;
    case COMMAND_CALENDAR_PUT:
        model_calendar_put(m, a, out);
        return true;
    case COMMAND_KEY_CREATE:
    case COMMAND_KEY_REMOVE:
        judge_key(m, a, out);
        return true;
    case COMMAND_EVENT_REMOVE:
    case COMMAND_POOL_PUT:
    case COMMAND_SEATS_PUBLISH:
    case COMMAND_SEATS_BLOCK:
        if (!known)
            out->code = OUTCOME_NO_SUCH_EVENT;
        else if (a->kind == COMMAND_EVENT_REMOVE)
            judge_event_remove(m, a, out);
        else if (a->kind == COMMAND_POOL_PUT)
            judge_pool_put(m, a, out);
        else if (a->kind == COMMAND_SEATS_PUBLISH)
            judge_import(m, a, out);
        else
            judge_block(m, a, out);
        return true;
    default:
        return false;
    }
}

void model_judge(struct model *m, const struct ask *a, struct model_answer *out)
{
    *out = (struct model_answer){.code = OUTCOME_OK, .reservation = -1};
    if (judge_catalogue(m, a, out))
        return;
    if (a->kind == COMMAND_HOLD) {
        model_hold(m, a, out);
        return;
    }
    struct model_reservation *r = model_owned(m, a, out);
    if (!r)
        return;
    if (a->kind == COMMAND_LOOK)
        show(m, r, out);
    else if (a->kind == COMMAND_ITEMS_ADD)
        model_add(m, a, out);
    else if (a->kind == COMMAND_ITEM_DROP)
        judge_drop(m, a, r, out);
    else if (a->kind == COMMAND_ITEM_MOVE)
        judge_move(m, a, r, out);
    else if (a->kind == COMMAND_ATTRIBUTES)
        judge_attributes(m, a, r, out);
    else if (a->kind == COMMAND_EXTEND)
        judge_extend(m, a, r, out);
    else if (a->kind == COMMAND_PAYMENT)
        judge_payment(m, a, r, out);
    else if (a->kind == COMMAND_COMMIT)
        judge_commit(m, a, r, out);
    else
        judge_release(m, r, out);
}
