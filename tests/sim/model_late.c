/* SPDX-License-Identifier: Apache-2.0 */
/* model_late.c — whether a late payment still gets an expired reservation: stock, blocks, allotments, the limit per
 * user and the units of codes are checked again, and nothing else. All or nothing. */
#include "model.h"

static struct model_terms event_terms(const struct model_event *e)
{
    return (struct model_terms){e->settings.late_refund, e->settings.cancels, e->settings.cancel_s * 1000LL};
}

static struct model_terms calendar_terms(const struct model_calendar *c)
{
    return (struct model_terms){c->settings.late_refund, c->rules.cancels, c->rules.cancel_minutes * 60000LL};
}

void model_terms_begin(const struct model *m, struct model_reservation *r)
{
    for (int i = 0; i < ASK_EVENTS; i++)
        r->events[i] = event_terms(&m->events[i]);
    for (int i = 0; i < ASK_CALENDARS; i++)
        r->calendars[i] = calendar_terms(&m->calendars[i]);
}

void model_terms_event_made(struct model *m, int event)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        m->reservations[i].events[event] = event_terms(&m->events[event]);
}

void model_terms_calendar_made(struct model *m, int calendar)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        m->reservations[i].calendars[calendar] = calendar_terms(&m->calendars[calendar]);
}

static bool allowed(const struct model *m, const struct model_reservation *r, const struct model_item *item)
{
    if (item->gone || (item->kind == ITEM_SLOT && item->event >= MODEL_GONE))
        return false;
    return item->kind == ITEM_SLOT ? !r->calendars[item->event].late_refund
                                   : !r->events[item->event].late_refund && !model_called(m, item->event);
}

/* Of an event; code: only what is claimed with it, 0: all. */
static uint32_t units(const struct model_reservation *r, int event, int code)
{
    uint32_t sum = 0;
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT && r->items[i].event == event &&
            (!code || r->items[i].code == code))
            sum += r->items[i].quantity;
    return sum;
}

static bool within_limits(struct model *m, const struct model_reservation *r, const struct model_item *item)
{
    const struct model_event *e = &m->events[item->event];
    uint32_t limit = e->settings.limit;
    if (limit && model_have(m, r->user, item->event) + units(r, item->event, 0) > limit)
        return false;
    return !item->code || model_code_allows(m, item->event, item->code, units(r, item->event, item->code));
}

static bool stock_free(struct model *m, const struct model_reservation *r, const struct model_item *item)
{
    const struct model_event *e = &m->events[item->event];
    uint32_t own = 0;
    /* By the same right as before. */
    if (model_claimed_from(e, item->kind, item->unit) != item->allotment)
        return false;
    if (item->kind == ITEM_SEAT)
        return e->seats[item->unit].exists && !model_holder(m, item->event, item->unit);
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind == ITEM_POOL && r->items[i].event == item->event &&
            r->items[i].unit == item->unit)
            own += r->items[i].quantity;
    return model_claimed(m, item->event, item->unit, false) + own <= e->pools[item->unit].capacity;
}

/* Its times on one calendar, one after the other. */
static bool times_free(struct model *m, const struct model_reservation *r, int calendar)
{
    static struct model_claims claims;
    struct obstacle none;
    model_claims_gather(m, calendar, NULL, NULL, NULL, &claims);
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        if (item->kind != ITEM_SLOT || item->event != calendar)
            continue;
        if (model_claims_judge(m, calendar, &claims, item->from_ms, item->until_ms, &none) != OUTCOME_OK)
            return false;
        model_claims_add(&claims, item->from_ms, item->until_ms);
    }
    return true;
}

bool model_late(struct model *m, const struct model_reservation *r, struct model_answer *out)
{
    for (int i = 0; i < r->item_count; i++)
        if (!allowed(m, r, &r->items[i]))
            return false;
    out->claims = true; /* so the waiting lists were served first */
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        bool fine = item->kind == ITEM_SLOT ? times_free(m, r, item->event)
                                            : within_limits(m, r, item) && stock_free(m, r, item);
        if (!fine)
            return false;
    }
    return true;
}
