/* SPDX-License-Identifier: Apache-2.0 */
/* model_hold.c — the expected answers to a hold or an added item, in the order of the contract's refusals. */
#include <string.h>

#include "base/assertion.h"
#include "model.h"

/* ---- What is asked for ---- */

static bool twice(const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (a->items[i].kind == ITEM_SEAT && a->items[k].kind == ITEM_SEAT &&
                a->items[i].event == a->items[k].event && a->items[i].unit == a->items[k].unit)
                return true;
    return false;
}

/* A duplicate slot on a calendar with capacity 1; with more, the same slot again is one more claim. */
static bool has_slot(const struct model *m, const struct model_reservation *r, const struct ask_item *item)
{
    if (item->event >= ASK_CALENDARS || m->calendars[item->event].rules.capacity != 1 ||
        (item->unit >= 0 && !model_service(m, item->event, item->unit)))
        return false;
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_SLOT && r->items[i].event == item->event &&
            r->items[i].unit == item->unit && r->items[i].start_ms == item->start_ms &&
            r->items[i].end_ms == model_slot_end(m, item))
            return true;
    return false;
}

static bool has_already(const struct model *m, const struct model_reservation *r, const struct ask_item *item)
{
    if (r && item->kind == ITEM_SLOT)
        return has_slot(m, r, item);
    for (int i = 0; r && item->kind == ITEM_SEAT && i < r->item_count; i++)
        if (r->items[i].kind == ITEM_SEAT && r->items[i].event == item->event &&
            r->items[i].unit == item->unit)
            return true;
    return false;
}

static enum outcome_code exists(const struct model *m, struct model_wanted *w, uint32_t index,
                                struct model_answer *out)
{
    const struct ask_item *item = &w->items[index];
    if (item->kind == ITEM_GROUP)
        return model_group_exists(m, w, index, out);
    if (item->kind == ITEM_SLOT)
        return model_slot_exists(m, item, w->index[index], out);
    if (item->event >= ASK_EVENTS || !m->events[item->event].exists)
        return OUTCOME_NO_SUCH_EVENT;
    const struct model_event *e = &m->events[item->event];
    if (item->kind == ITEM_SEAT && (item->unit >= ASK_SEATS || !e->seats[item->unit].exists))
        return OUTCOME_NO_SUCH_SEAT;
    if (item->kind == ITEM_POOL && (item->unit >= ASK_POOLS || !e->pools[item->unit].exists))
        return OUTCOME_NO_SUCH_POOL;
    return OUTCOME_OK;
}

struct model_wanted model_wanted_make(const struct model *m, const struct ask *a,
                                      const struct model_reservation *r)
{
    struct model_wanted w = {0};
    for (uint32_t i = 0; i < a->count; i++)
        if (!has_already(m, r, &a->items[i])) {
            w.groups[w.count] = a->items[i].kind == ITEM_GROUP ? (int8_t)(a->items[i].event + 1) : 0;
            w.index[w.count] = i;
            w.items[w.count++] = a->items[i];
        }
    return w;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static enum outcome_code wanted_exists(const struct model *m, struct model_wanted *w,
                                       struct model_answer *out)
{
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++)
        if (ask_timed(w->items[i].kind))
            code = model_slot_instants(m, &w->items[i], w->index[i], out);
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++)
        code = exists(m, w, i, out);
    return code;
}

enum outcome_code model_wanted_terms(const struct model *m, struct model_wanted *w, struct model_answer *out)
{
    w->currency = 0;
    w->payment_required = false;
    w->hold_ttl_s = w->max_hold_s = w->staff_hold_s = w->payment_ttl_s = UINT32_MAX;
    enum outcome_code code = wanted_exists(m, w, out);
    if (code != OUTCOME_OK)
        return code;
    for (uint32_t i = 0; i < w->count; i++) {
        bool group = w->items[i].kind == ITEM_GROUP;
        struct ask_settings widest = group ? model_group_terms(m, w, i) : (struct ask_settings){0};
        const struct ask_settings *s = group ? &widest
                                       : w->items[i].kind == ITEM_SLOT
                                           ? &m->calendars[w->items[i].event].settings
                                           : &m->events[w->items[i].event].settings;
        if (w->currency && w->currency != s->currency)
            return OUTCOME_INVALID;
        w->currency = s->currency;
        w->hold_ttl_s = least(w->hold_ttl_s, s->hold_ttl_s);
        w->max_hold_s = least(w->max_hold_s, s->max_hold_s);
        w->staff_hold_s = least(w->staff_hold_s, s->staff_hold_s ? s->staff_hold_s : s->max_hold_s);
        w->payment_ttl_s = least(w->payment_ttl_s, s->payment_ttl_s);
        w->payment_required = w->payment_required || s->payment_required;
    }
    return OUTCOME_OK;
}

static enum outcome_code wanted_on_sale(const struct model *m, const struct model_wanted *w, enum role role)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (!ask_timed(w->items[i].kind) && !model_on_sale(m, w->items[i].event, role))
            return OUTCOME_NOT_ON_SALE;
    return OUTCOME_OK;
}

/* ---- What is in the way ---- */

static enum outcome_code claim_seat(struct model *m, const struct ask_item *item, uint8_t opened,
                                    struct obstacle *o)
{
    const struct model_seat *seat = &m->events[item->event].seats[item->unit];
    const struct model_reservation *other = model_holder(m, item->event, item->unit);
    if (!other && model_opens(opened, seat->blocked, seat->allotment))
        return OUTCOME_OK;
    o->status = !other ? UNIT_BLOCKED : other->status == RESERVATION_CONFIRMED ? UNIT_SOLD : UNIT_HELD;
    return OUTCOME_TAKEN;
}

static enum outcome_code claim_best(struct model *m, const struct model_wanted *w, uint32_t index,
                                    struct obstacle *o)
{
    bool taken[ASK_EVENTS][ASK_SEATS] = {0};
    struct model_best best;
    const struct ask_item *item = &w->items[index];
    struct obstacle none;
    for (uint32_t i = 0; i < w->count; i++) /* those that are granted */
        if (w->items[i].kind == ITEM_SEAT && claim_seat(m, &w->items[i], w->opened[i], &none) == OUTCOME_OK)
            taken[w->items[i].event][w->items[i].unit] = true;
    struct model_bound bound = {w->tiers[index], w->opened[index], w->categories[index]};
    model_best_look(m, item, &bound, (const bool(*)[ASK_SEATS])taken, &best);
    uint32_t plain = item->quantity - item->accessible, places = item->accessible;
    o->available =
        !places ? best.plain
                : (best.plain < plain ? best.plain : plain) + (best.places < places ? best.places : places);
    if (best.plain < plain || best.places < places)
        return OUTCOME_SOLD_OUT;
    if (item->adjacent && model_best_longest(m, item->event, &best) < item->quantity)
        return OUTCOME_NO_ADJACENT_SEATS;
    return OUTCOME_OK;
}

/* granted: the other slots granted so far. */
static enum outcome_code claim_slot(struct model *m, const struct model_wanted *w,
                                    const struct model_reservation *r, uint32_t index, const bool *granted,
                                    struct obstacle *o)
{
    static struct model_claims claims;
    int calendar = w->items[index].event;
    struct model_item item = model_slot_among(m, w, r, index);
    model_claims_gather(m, calendar, NULL, r, &item, &claims);
    for (uint32_t i = 0; i < w->count; i++)
        if (granted[i] && w->items[i].event == calendar) {
            struct model_item other = model_slot_among(m, w, r, i);
            model_claims_add(&claims, other.from_ms, other.until_ms);
        }
    return model_claims_judge(m, calendar, &claims, item.from_ms, item.until_ms, o);
}

/* mine: what other items of the request get of it. */
static enum outcome_code claim_pool(struct model *m, const struct ask_item *item, uint8_t opened,
                                    uint32_t *mine, struct obstacle *o)
{
    const struct model_event *e = &m->events[item->event];
    bool open = model_opens(opened, false, e->pools[item->unit].allotment);
    o->available =
        open ? e->pools[item->unit].capacity - model_claimed(m, item->event, item->unit, false) - *mine : 0;
    if (o->available < item->quantity)
        return OUTCOME_SOLD_OUT;
    *mine += item->quantity;
    return OUTCOME_OK;
}

/* The first member with room, in the order of the group; it is placed there from then on. */
static enum outcome_code claim_group(struct model *m, const struct ask *a, struct model_wanted *w,
                                     const struct model_reservation *r, uint32_t index, int owner,
                                     bool *granted, struct obstacle *o, struct model_answer *out)
{
    struct ask_item asked = w->items[index];
    int order[ASK_CALENDARS];
    uint32_t count = model_group_order(m, w, index, order);
    enum outcome_code failed = OUTCOME_LIMIT_EXCEEDED;
    enum unit_status status = UNIT_SOLD;
    for (uint32_t i = 0; i < count; i++) {
        model_stand_on(m, w, index, order[i]);
        o->status = UNIT_SOLD;
        enum outcome_code code = model_judge_limit(m, a, w, index, owner, out);
        if (code == OUTCOME_OK)
            code = claim_slot(m, w, r, index, granted, o);
        granted[index] = code == OUTCOME_OK;
        if (code == OUTCOME_OK) {
            out->calendars[index] = (int8_t)w->items[index].event;
            return OUTCOME_OK;
        }
        w->items[index] = asked;
        if (code == OUTCOME_TAKEN)
            failed = code;
        if (o->status == UNIT_HELD)
            status = UNIT_HELD;
    }
    o->kind = ITEM_GROUP;
    o->status = status;
    out->have_any = true;
    return failed;
}

static enum outcome_code wanted_claim(struct model *m, const struct ask *a, struct model_wanted *w,
                                      const struct model_reservation *r, int owner, struct model_answer *out)
{
    bool granted[ASK_ITEMS] = {0};
    struct obstacle obstacles[ASK_ITEMS];
    enum outcome_code codes[ASK_ITEMS];
    uint32_t planned[ASK_EVENTS][ASK_POOLS] = {0};
    enum outcome_code first = OUTCOME_OK;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        struct obstacle *o = &obstacles[i];
        *o = (struct obstacle){.item = w->index[i], .kind = item->kind};
        if (item->kind == ITEM_SEAT) {
            codes[i] = claim_seat(m, item, w->opened[i], o);
        } else if (item->kind == ITEM_BEST) {
            codes[i] = claim_best(m, w, i, o);
        } else if (item->kind == ITEM_SLOT) {
            codes[i] = claim_slot(m, w, r, i, granted, o);
            granted[i] = codes[i] == OUTCOME_OK;
        } else if (item->kind == ITEM_POOL) {
            codes[i] = claim_pool(m, item, w->opened[i], &planned[item->event][item->unit], o);
        }
    }
    /* Named ones come first. */
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].kind == ITEM_GROUP)
            codes[i] = claim_group(m, a, w, r, i, owner, granted, &obstacles[i], out);
    for (uint32_t i = 0; i < w->count; i++) {
        if (codes[i] != OUTCOME_OK)
            out->obstacles[out->obstacle_count++] = obstacles[i];
        first = first == OUTCOME_OK ? codes[i] : first;
    }
    return first;
}

/* ---- The two commands ---- */

/* Free: never claimed since the version was read, or the same claim is still live. */
static bool version_matches(struct model *m, const struct ask *a)
{
    const struct ask_item *item = &a->items[0];
    const struct model_seat *seat = &m->events[item->event].seats[item->unit];
    if (a->seen_claims != seat->claims)
        return false;
    if (model_holder(m, item->event, item->unit))
        return a->version == seat->fence;
    return seat->claims == 0 ? a->version == 0 : a->version > seat->fence;
}

enum outcome_code model_wanted_judge(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                     const struct model_reservation *r, struct model_answer *out)
{
    enum outcome_code code = wanted_on_sale(m, w, a->role);
    if (code == OUTCOME_OK)
        code = model_pass(m, a, w, owner, out);
    out->claims = code == OUTCOME_OK;
    if (code == OUTCOME_OK && a->if_match && !version_matches(m, a))
        code = OUTCOME_VERSION_MISMATCH;
    if (code == OUTCOME_OK)
        code = model_wanted_access(m, a, w, owner, out);
    if (code == OUTCOME_OK)
        code = model_wanted_each(m, a, w, owner, out, model_judge_limit);
    if (code == OUTCOME_OK)
        code = model_wanted_each(m, a, w, owner, out, model_judge_open);
    if (code == OUTCOME_OK)
        code = model_wanted_each(m, a, w, owner, out, model_judge_rules);
    if (code == OUTCOME_OK)
        code = wanted_claim(m, a, w, r, owner, out);
    if (code == OUTCOME_OK)
        code = model_wanted_singles(m, a, w, r, out);
    /* An item given by a group has terms of its own. */
    return code == OUTCOME_OK ? model_wanted_terms(m, w, out) : code;
}

static enum outcome_code hold_code(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                   struct model_answer *out)
{
    enum outcome_code code = model_allotments_named(a);
    if (code != OUTCOME_OK || twice(a))
        return code == OUTCOME_OK ? OUTCOME_INVALID : code;
    code = model_wanted_terms(m, w, out);
    if (code != OUTCOME_OK)
        return code;
    if (a->ttl_s > (a->role == ROLE_USER ? w->hold_ttl_s : w->staff_hold_s))
        return OUTCOME_INVALID;
    code = model_wanted_each(m, a, w, owner, out, model_judge_ttl);
    if (code == OUTCOME_OK)
        code = model_wanted_prices(m, w, out);
    return code == OUTCOME_OK ? model_wanted_judge(m, a, w, owner, NULL, out) : code;
}

static int64_t earlier(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

int model_grant(struct model *m, const struct ask *a, const struct model_wanted *w, int owner)
{
    int place = 0;
    while (place < MODEL_RESERVATIONS && m->reservations[place].used)
        place++;
    ASSERT(place < MODEL_RESERVATIONS);
    m->reservations[place] = (struct model_reservation){
        .used = true,
        .status = a->commit ? RESERVATION_CONFIRMED : RESERVATION_HELD,
        .payment_required = w->payment_required,
        .currency = w->currency,
        .user = (int8_t)owner,
        .attributes = (int8_t)(a->attributes < 0 ? 0 : a->attributes),
        .id = a->id,
        .key = {a->id.low},
        .created_at = m->now,
        .version = 1,
        .next_item = 1,
        .hold_ttl_s = w->hold_ttl_s,
        .payment_ttl_s = w->payment_ttl_s,
        .expires_at = m->now + (int64_t)(a->ttl_s ? a->ttl_s : w->hold_ttl_s) * 1000,
        .max_at = m->now + (int64_t)(a->ttl_s > w->max_hold_s ? a->ttl_s : w->max_hold_s) * 1000,
        .user_max_at = m->now + (int64_t)w->max_hold_s * 1000,
        .staff_max_at = m->now + (int64_t)w->staff_hold_s * 1000,
        .confirmed_at = a->commit ? m->now : 0,
    };
    model_terms_begin(m, &m->reservations[place]);
    return place;
}

/* -1: it depends on what core picks. */
static int64_t total_wanted(const struct model *m, const struct model_wanted *w)
{
    int64_t total = 0;
    for (uint32_t i = 0; i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        int64_t price = 0;
        if (item->kind == ITEM_BEST || item->kind == ITEM_GROUP || w->groups[i])
            return -1;
        if (item->kind == ITEM_SLOT)
            price = model_slot_item(m, item, 1).price;
        else
            model_price(&m->events[item->event], item->kind, item->unit, w->categories[i], &price);
        total += price * (item->kind == ITEM_POOL ? item->quantity : 1);
    }
    return total;
}

void model_hold(struct model *m, const struct ask *a, struct model_answer *out)
{
    int owner = a->named >= 0 ? a->named : a->actor;
    if (a->role == ROLE_USER && owner != a->actor)
        out->code = OUTCOME_NOT_OWNER;
    else if (a->role == ROLE_USER && a->commit)
        out->code = OUTCOME_FORBIDDEN;
    if (out->code != OUTCOME_OK || model_replayed(m, a, out)) {
        if (out->code == OUTCOME_IDEMPOTENCY_KEY_REUSED) /* otherwise it is the earlier payment */
            model_rejected(a, out);
        return;
    }
    struct model_wanted w = model_wanted_make(m, a, NULL);
    out->code = hold_code(m, a, &w, owner, out);
    if (out->code == OUTCOME_OK && a->commit && a->ref)
        out->code = model_pay_hold(m, a, w.currency, total_wanted(m, &w), out);
    model_rejected(a, out);
    if (out->code != OUTCOME_OK)
        return;
    out->reservation = model_grant(m, a, &w, owner);
    for (uint32_t i = 0; a->commit && i < w.count; i++)
        if (!ask_timed(w.items[i].kind))
            model_bought(m, w.items[i].event, owner);
    model_remember(m, a, MADE_RESERVATION, 0, 0);
    out->created = true;
}

void model_add(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_reservation *r = model_find(m, a->id);
    if (model_replayed(m, a, out) || !model_changeable(m, r, out))
        return;
    out->code = model_allotments_named(a);
    if (out->code == OUTCOME_OK && twice(a))
        out->code = OUTCOME_INVALID;
    if (out->code != OUTCOME_OK)
        return;
    struct model_wanted w = model_wanted_make(m, a, r);
    out->reservation = (int)(r - m->reservations);
    if (w.count == 0)
        return;
    out->code = model_wanted_terms(m, &w, out);
    if (out->code == OUTCOME_OK && w.currency != r->currency)
        out->code = OUTCOME_INVALID;
    if (out->code == OUTCOME_OK)
        out->code = model_wanted_prices(m, &w, out);
    if (out->code == OUTCOME_OK)
        out->code = model_wanted_judge(m, a, &w, r->user, r, out);
    if (out->code != OUTCOME_OK) {
        out->reservation = -1;
        return;
    }
    r->payment_required = r->payment_required || w.payment_required;
    r->hold_ttl_s = least(r->hold_ttl_s, w.hold_ttl_s);
    r->payment_ttl_s = least(r->payment_ttl_s, w.payment_ttl_s);
    r->expires_at = earlier(r->expires_at, m->now + w.hold_ttl_s * 1000LL);
    r->max_at = earlier(r->max_at, m->now + w.max_hold_s * 1000LL);
    r->user_max_at = earlier(r->user_max_at, m->now + w.max_hold_s * 1000LL);
    r->staff_max_at = earlier(r->staff_max_at, m->now + w.staff_hold_s * 1000LL);
    r->version++;
    r->fence = 0; /* a new one: core chooses it */
    model_remember(m, a, MADE_RESERVATION, 0, 0);
    out->created = true;
}
