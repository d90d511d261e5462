/* SPDX-License-Identifier: Apache-2.0 */
/* model_access.c — who can buy: guests, and callers with a code. Units of a code are counted over all reservations each
 * time. */
#include "model.h"

/* ---- Codes ---- */

static bool good(const struct model_event *e, int code)
{
    return code >= 1 && code <= ASK_CODES && e->codes[code - 1].made && !e->codes[code - 1].removed;
}

uint32_t model_code_used(struct model *m, int event, int code)
{
    uint32_t units = 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        for (int k = 0; k < r->item_count; k++)
            if (r->items[k].kind != ITEM_SLOT && r->items[k].event == event && r->items[k].code == code &&
                model_live(m, r))
                units += r->items[k].quantity;
    }
    return units;
}

bool model_code_allows(struct model *m, int event, int code, uint32_t units)
{
    const struct model_event *e = &m->events[event];
    uint32_t most = good(e, code) ? e->codes[code - 1].units : 0;
    return good(e, code) && (!most || model_code_used(m, event, code) + units <= most);
}

/* A pool, and a seat without a tier, are outside of any. */
bool model_within(uint8_t tiers, int tier)
{
    return !tiers || (tier >= 0 && tiers >> tier & 1);
}

bool model_carries(const struct model_event *e, int code)
{
    return good(e, code) && e->codes[code - 1].allotment;
}

static bool any_carries(const struct model_event *e)
{
    for (int i = 1; i <= ASK_CODES; i++)
        if (model_carries(e, i))
            return true;
    return false;
}

/* Whether the code given with this item is checked. */
static bool looked_at(const struct model_event *e, const struct ask_item *item)
{
    return e->settings.by_code || model_allotment_of(e, item) || (item->kind == ITEM_BEST && any_carries(e));
}

/* Whether staff name its allotment, and so need no code. */
static bool named_well(const struct model_event *e, const struct ask_item *item)
{
    return item->allotment && (item->kind == ITEM_BEST || item->allotment == model_allotment_of(e, item));
}

/* Without access by code it is claimed with the code only if that opens an allotment. */
static bool claimed_with(const struct model_event *e, const struct ask_item *item, int code)
{
    int carried = e->codes[code - 1].allotment;
    return e->settings.by_code ||
           (carried && (item->kind == ITEM_BEST || carried == model_allotment_of(e, item)));
}

static bool code_is_for(const struct model_event *e, const struct ask_item *item, uint8_t tiers)
{
    if (item->kind == ITEM_BEST)
        return item->tier < 0 || model_within(tiers, item->tier);
    return model_within(tiers, item->kind == ITEM_SEAT ? e->seats[item->unit].tier : -1);
}

/* The code of one item, into w. */
static enum outcome_code judge_code(const struct model *m, const struct ask *a, struct model_wanted *w,
                                    uint32_t index)
{
    const struct ask_item *item = &w->items[index];
    const struct model_event *e = &m->events[item->event];
    int code = item->code ? item->code : a->code;
    if (ask_timed(item->kind))
        return OUTCOME_OK;
    w->opened[index] = model_opened_by(item->allotment, 0);
    if (!code)
        return !e->settings.by_code || a->role == ROLE_ADMIN || named_well(e, item) ? OUTCOME_OK
                                                                                    : OUTCOME_CODE_REQUIRED;
    if (!looked_at(e, item))
        return OUTCOME_OK;
    if (!good(e, code))
        return OUTCOME_CODE_INVALID;
    if (!claimed_with(e, item, code))
        return OUTCOME_OK;
    if (!code_is_for(e, item, e->codes[code - 1].tiers))
        return OUTCOME_CODE_INVALID;
    w->codes[index] = (uint8_t)code;
    w->opened[index] = model_opened_by(item->allotment, e->codes[code - 1].allotment);
    uint8_t of_pass = w->tiers[index], of_code = e->codes[code - 1].tiers;
    if (item->kind != ITEM_BEST)
        return OUTCOME_OK;
    w->tiers[index] = of_pass && of_code ? of_pass & of_code : of_pass | of_code;
    /* Nothing is covered by both. */
    return of_pass && of_code && !w->tiers[index] ? OUTCOME_CODE_INVALID : OUTCOME_OK;
}

static enum outcome_code judge_used(struct model *m, const struct model_wanted *w, uint32_t index)
{
    uint32_t wanted = 0;
    if (!w->codes[index])
        return OUTCOME_OK;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->codes[i] == w->codes[index] && w->items[i].event == w->items[index].event)
            wanted += w->items[i].quantity;
    return model_code_allows(m, w->items[index].event, w->codes[index], wanted) ? OUTCOME_OK
                                                                                : OUTCOME_CODE_USED;
}

/* ---- Who asks ---- */

static bool is_guest(const struct ask *a)
{
    return a->role == ROLE_USER && ask_guest(a->actor);
}

enum outcome_code model_wanted_access(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                                      struct model_answer *out)
{
    enum outcome_code code = model_wanted_each(m, a, w, owner, out, model_judge_guest);
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++)
        code = judge_code(m, a, w, i);
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++)
        code = judge_used(m, w, i);
    memcpy(out->tiers, w->tiers, sizeof(w->tiers));
    memcpy(out->codes, w->codes, sizeof(w->codes));
    memcpy(out->opened, w->opened, sizeof(w->opened));
    return code;
}

enum outcome_code model_joiner(const struct model *m, const struct ask *a, int *code)
{
    const struct model_event *e = &m->events[a->event];
    *code = 0;
    if (e->settings.no_guests && is_guest(a))
        return OUTCOME_GUESTS_REFUSED;
    if (!e->settings.by_code && !(a->code && any_carries(e)))
        return OUTCOME_OK;
    if (!a->code)
        return a->role == ROLE_ADMIN ? OUTCOME_OK : OUTCOME_CODE_REQUIRED;
    if (!good(e, a->code))
        return OUTCOME_CODE_INVALID;
    if (e->settings.by_code || model_carries(e, a->code))
        *code = a->code;
    return OUTCOME_OK;
}

/* ---- Commands ---- */

void model_codes_put(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    for (uint32_t i = 0; i < a->code_count; i++) {
        const struct ask_code *c = &a->codes[i];
        ++*(good(e, c->code) ? &out->codes_updated : &out->codes_created);
        e->codes[c->code - 1] = (struct model_code){
            .made = true, .units = c->units, .tiers = c->tiers, .allotment = (uint8_t)c->allotment};
    }
}

void model_code_remove(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    if (good(e, a->code))
        e->codes[a->code - 1].removed = true;
    else
        out->code = OUTCOME_NO_SUCH_CODE;
}
