/* SPDX-License-Identifier: Apache-2.0 */
/* model_catalogue.c — the expected answers to changes of the catalogue. */
#include "model.h"

/* How many existing ones were imported before it. */
static int rank(const struct model_event *e, int seat)
{
    int before = 0;
    for (int i = 0; i < ASK_SEATS; i++)
        before += e->seats[i].exists && e->seats[i].order < e->seats[seat].order;
    return before;
}

/* The same seats with the same facts; blocks and claims are not facts of a seat. */
static bool same_layout(const struct model_event *a, const struct model_event *b)
{
    for (int i = 0; i < ASK_SEATS; i++) {
        const struct model_seat *x = &a->seats[i], *y = &b->seats[i];
        if (x->exists != y->exists ||
            (x->exists && (rank(a, i) != rank(b, i) || x->section != y->section || x->row != y->row ||
                           x->number != y->number || x->tier != y->tier || x->price != y->price ||
                           x->accessible != y->accessible)))
            return false;
    }
    return true;
}

static void judge_event_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    const struct model_event *from = a->copy >= 0 && a->copy < ASK_EVENTS ? &m->events[a->copy] : NULL;
    const struct ask_settings *s = &a->settings;
    int64_t end = s->off_sale_at_ms ? s->off_sale_at_ms : s->starts_at_ms;
    if (s->hold_ttl_s > s->max_hold_s || (s->staff_hold_s && s->staff_hold_s < s->max_hold_s)) {
        out->code = OUTCOME_INVALID;
        return;
    }
    if (s->on_sale_at_ms && end && end <= s->on_sale_at_ms) {
        out->code = OUTCOME_INVALID;
        return;
    }
    for (int i = 0; i < ASK_TIERS; i++)
        if (!model_prices_named(s, s->prices[i])) {
            out->code = OUTCOME_INVALID;
            return;
        }
    if (a->copy >= 0 && (!from || !from->exists || (e->exists && e->seat_count && !same_layout(e, from)))) {
        out->code = OUTCOME_INVALID;
        return;
    }
    out->created = !e->exists;
    if (!e->exists)
        *e = (struct model_event){.exists = true};
    model_queue_put(m, a);
    if (out->created)
        model_terms_event_made(m, a->event);
    if (from && from != e && !e->pools[0].exists && !e->pools[1].exists)
        memcpy(e->pools, from->pools, sizeof(e->pools));
    if (from && from != e && e->seat_count == 0) {
        e->seat_count = from->seat_count;
        e->next_order = from->next_order;
        for (int i = 0; i < ASK_SEATS; i++) {
            e->seats[i] = from->seats[i];
            e->seats[i].fence = e->seats[i].claims = 0;
        }
    }
}

static bool in_use(struct model *m, int event)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        for (int k = 0; k < m->reservations[i].item_count; k++)
            if (m->reservations[i].items[k].kind != ITEM_SLOT && m->reservations[i].items[k].event == event &&
                model_live(m, &m->reservations[i]))
                return true;
    return false;
}

/* Ended reservations can still name it, but that gives it back to nobody. seat: -1: all of the event. */
static void items_gone(struct model *m, int event, int seat)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        for (int k = 0; k < m->reservations[i].item_count; k++) {
            struct model_item *item = &m->reservations[i].items[k];
            if (item->kind != ITEM_SLOT && item->event == event &&
                (seat < 0 || (item->kind == ITEM_SEAT && item->unit == seat)))
                item->gone = true;
        }
        for (int k = 0; k < ASK_SEATS; k++)
            if (seat < 0 || k == seat)
                m->reservations[i].left_since[event][k] = 0;
    }
}

static void judge_event_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (in_use(m, a->event))
        out->code = OUTCOME_IN_USE;
    else
        m->events[a->event] = (struct model_event){0};
    if (out->code != OUTCOME_OK)
        return;
    items_gone(m, a->event, -1);
    model_tickets_event_gone(m, a->event);
}

static void judge_pool_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    if (!model_prices_named(&e->settings, a->prices)) {
        out->code = OUTCOME_INVALID;
        return;
    }
    if (a->capacity < model_claimed(m, a->event, a->pool, false)) {
        out->code = OUTCOME_CAPACITY_IN_USE;
        return;
    }
    out->created = !e->pools[a->pool].exists;
    e->pools[a->pool].exists = true;
    e->pools[a->pool].capacity = a->capacity;
    e->pools[a->pool].price = a->price;
    e->pools[a->pool].allotment = (uint8_t)a->allotment;
    memcpy(e->pools[a->pool].prices, a->prices, sizeof(a->prices));
}

static void judge_import(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (uint32_t i = 0; i < a->seat_count; i++) {
        const struct ask_seat *s = &a->seats[i];
        const struct model_seat *seat = &e->seats[s->seat];
        bool blocks = s->columns & SEAT_COLUMN_BLOCKED && s->blocked && !seat->blocked;
        bool moves = s->columns & SEAT_COLUMN_ALLOTMENT && s->allotment != seat->allotment;
        if ((blocks || moves) && model_holder(m, a->event, s->seat))
            out->code = OUTCOME_TAKEN;
    }
    if (out->code != OUTCOME_OK)
        return;
    for (uint32_t i = 0; i < a->seat_count; i++) {
        const struct ask_seat *s = &a->seats[i];
        struct model_seat *seat = &e->seats[s->seat];
        e->seat_count += !seat->exists;
        if (!seat->exists)
            *seat = (struct model_seat){
                .exists = true, .section = -1, .row = -1, .tier = -1, .number = -1, .order = e->next_order++};
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
        if (s->columns & SEAT_COLUMN_ACCESSIBLE)
            seat->accessible = s->accessible;
        if (s->columns & SEAT_COLUMN_BLOCKED)
            seat->blocked = s->blocked;
        if (s->columns & SEAT_COLUMN_ALLOTMENT)
            seat->allotment = (uint8_t)s->allotment;
    }
}

static void judge_seats_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (uint32_t i = 0; i < a->seat_count; i++)
        if (model_holder(m, a->event, a->seats[i].seat))
            out->code = OUTCOME_TAKEN;
    for (uint32_t i = 0; out->code == OUTCOME_OK && i < a->seat_count; i++) {
        e->seats[a->seats[i].seat].exists = false;
        e->seat_count--;
        items_gone(m, a->event, a->seats[i].seat);
    }
}

static void judge_key(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool create = a->kind == COMMAND_KEY_CREATE, rotate = a->kind == COMMAND_KEY_ROTATE;
    if (m->api_keys[a->pool].exists == create) {
        out->code = create ? OUTCOME_EXISTS : OUTCOME_NO_SUCH_KEY;
    } else if (rotate) {
        m->api_keys[a->pool].old = a->ttl_s ? m->api_keys[a->pool].value : 0;
        m->api_keys[a->pool].old_until = m->now + a->ttl_s * 1000LL;
        m->api_keys[a->pool].value = a->capacity;
    } else {
        memset(&m->api_keys[a->pool], 0, sizeof(m->api_keys[a->pool]));
        m->api_keys[a->pool].exists = create;
        m->api_keys[a->pool].value = a->capacity;
    }
    out->created = out->code == OUTCOME_OK && (create || rotate);
}

static void judge_patch(struct model *m, const struct ask *a, struct model_answer *out)
{
    static struct ask put;
    bool event = a->kind == COMMAND_EVENT_PATCH;
    if (event && (a->event >= ASK_EVENTS || !m->events[a->event].exists)) {
        out->code = OUTCOME_NO_SUCH_EVENT;
    } else if (event) {
        model_event_merge(m, a, &put);
        judge_event_put(m, &put, out);
    } else if (a->event >= ASK_CALENDARS || !m->calendars[a->event].exists) {
        out->code = OUTCOME_NO_SUCH_CALENDAR;
    } else {
        model_calendar_merge(m, a, &put);
        model_calendar_put(m, &put, out);
    }
}

bool model_catalogue(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool known = a->event < ASK_EVENTS && m->events[a->event].exists;
    switch (a->kind) {
    case COMMAND_EVENT_PUT:
        judge_event_put(m, a, out);
        return true;
    case COMMAND_EVENT_PATCH:
    case COMMAND_CALENDAR_PATCH:
        judge_patch(m, a, out);
        return true;
    case COMMAND_CALENDAR_PUT:
        model_calendar_put(m, a, out);
        return true;
    case COMMAND_CALENDAR_REMOVE:
        model_calendar_remove(m, a, out);
        return true;
    case COMMAND_GROUP_PUT:
        model_group_put(m, a, out);
        return true;
    case COMMAND_GROUP_REMOVE:
        model_group_remove(m, a, out);
        return true;
    case COMMAND_KEY_CREATE:
    case COMMAND_KEY_REMOVE:
    case COMMAND_KEY_ROTATE:
        judge_key(m, a, out);
        return true;
    case COMMAND_EVENT_REMOVE:
    case COMMAND_POOL_PUT:
    case COMMAND_SEATS_PUBLISH:
    case COMMAND_SEATS_BLOCK:
    case COMMAND_SEATS_REMOVE:
    case COMMAND_CODES_PUT:
    case COMMAND_CODE_REMOVE:
        if (!known)
            out->code = OUTCOME_NO_SUCH_EVENT;
        else if (a->kind == COMMAND_EVENT_REMOVE)
            judge_event_remove(m, a, out);
        else if (a->kind == COMMAND_POOL_PUT)
            judge_pool_put(m, a, out);
        else if (a->kind == COMMAND_SEATS_REMOVE)
            judge_seats_remove(m, a, out);
        else if (a->kind == COMMAND_CODES_PUT)
            model_codes_put(m, a, out);
        else if (a->kind == COMMAND_CODE_REMOVE)
            model_code_remove(m, a, out);
        else if (a->kind == COMMAND_SEATS_PUBLISH)
            judge_import(m, a, out);
        else
            model_seats_mark(m, a, out);
        return true;
    default:
        return false;
    }
}
