/* SPDX-License-Identifier: Apache-2.0 */
/* model_transfer.c — a confirmed reservation goes to another user, and what a manage token opens. */
#include <stdio.h>

#include "model.h"

static bool staff(const struct ask *a)
{
    return a->role == ROLE_APP || a->role == ROLE_ADMIN;
}

bool model_order_opens(const struct ask *a, const struct model_reservation *r)
{
    return a->role != ROLE_ORDER || (r && id_equal(a->order, r->id) && a->gen == r->manage_gen);
}

static enum outcome_code state_code(const struct model *m, const struct model_reservation *r)
{
    enum reservation_status status = model_status(m, r);
    if (status == RESERVATION_CONFIRMED)
        return OUTCOME_OK;
    return status == RESERVATION_HELD ? OUTCOME_NOT_CONFIRMED : model_ended_code(status);
}

static uint32_t units_of(const struct model_reservation *r, int event)
{
    uint32_t units = 0;
    for (int i = 0; i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT && r->items[i].event == event)
            units += r->items[i].quantity;
    return units;
}

/* Its claims on a calendar, or on others of the group, that are not over. */
static uint32_t given_on(const struct model *m, const struct model_reservation *r, int calendar, int group)
{
    uint32_t given = 0;
    for (int i = 0; i < r->item_count; i++)
        given +=
            r->items[i].kind == ITEM_SLOT && r->items[i].end_ms > m->now &&
            (r->items[i].event == calendar || (group >= 0 && model_group_has(m, group, r->items[i].event)));
    return given;
}

static enum outcome_code judge_bookings(struct model *m, const struct ask *a,
                                        const struct model_reservation *r, int calendar,
                                        struct model_answer *out)
{
    uint32_t limit = staff(a) ? 0 : m->calendars[calendar].rules.limit;
    int group = model_group_of(m, calendar, 0);
    bool several = group >= 0 && model_group_of(m, calendar, group + 1) >= 0;
    do {
        uint32_t have = limit ? model_booked_with(m, a->to, calendar, group) : 0;
        uint32_t given = given_on(m, r, calendar, group); /* past claims do not count */
        if (limit && given && have + given > limit) {
            out->limit = limit;
            out->have = have;
            out->have_any = several;
            return OUTCOME_LIMIT_EXCEEDED;
        }
        group = group < 0 ? -1 : model_group_of(m, calendar, group + 1);
    } while (group >= 0);
    return OUTCOME_OK;
}

/* Whether the receiver may have it. */
static enum outcome_code judge_receiver(struct model *m, const struct ask *a,
                                        const struct model_reservation *r, struct model_answer *out)
{
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        if (item->kind == ITEM_SLOT && item->event >= MODEL_GONE)
            continue;
        const struct ask_settings *s =
            item->kind == ITEM_SLOT ? &m->calendars[item->event].settings : &m->events[item->event].settings;
        if (s->no_guests && !staff(a) && ask_guest(a->to))
            return OUTCOME_GUESTS_REFUSED;
    }
    for (int i = 0; i < r->item_count; i++) {
        const struct model_item *item = &r->items[i];
        if (item->kind == ITEM_SLOT) {
            if (item->event < MODEL_GONE && judge_bookings(m, a, r, item->event, out) != OUTCOME_OK)
                return OUTCOME_LIMIT_EXCEEDED;
            continue;
        }
        uint32_t limit = m->events[item->event].settings.limit;
        uint32_t have = limit ? model_have(m, a->to, item->event) : 0;
        if (!limit || have + units_of(r, item->event) <= limit)
            continue;
        out->limit = limit;
        out->have = have;
        return OUTCOME_LIMIT_EXCEEDED;
    }
    return OUTCOME_OK;
}

void model_transfer(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (a->role == ROLE_USER && a->named >= 0 && a->named != a->actor)
        out->code = OUTCOME_NOT_OWNER;
    else if (a->role == ROLE_ORDER && !id_equal(a->order, a->id))
        out->code = OUTCOME_NO_SUCH_RESERVATION;
    else if (a->keep_attributes && !staff(a))
        out->code = OUTCOME_FORBIDDEN;
    if (out->code != OUTCOME_OK || model_replayed(m, a, out))
        return;
    struct model_reservation *r = model_owned(m, a, out);
    if (!r)
        return;
    if (a->to == r->user) {
        out->code = OUTCOME_INVALID;
        snprintf(out->pointer, sizeof(out->pointer), "/to_user_id");
        return;
    }
    out->code = state_code(m, r);
    for (int i = 0; out->code == OUTCOME_OK && i < r->item_count; i++)
        if (model_ticket_used(m, r, &r->items[i]))
            out->code = OUTCOME_CHECKED_IN;
    for (int i = 0; out->code == OUTCOME_OK && i < r->item_count; i++)
        if (r->items[i].kind != ITEM_SLOT && m->events[r->items[i].event].settings.no_transfer)
            out->code = OUTCOME_NOT_TRANSFERABLE;
    if (out->code == OUTCOME_OK)
        out->code = judge_receiver(m, a, r, out);
    if (out->code != OUTCOME_OK)
        return;
    for (int i = 0; i < r->item_count; i++)
        model_tickets_void(m, r, &r->items[i]);
    for (int i = 0; !a->keep_attributes && i < r->item_count; i++)
        r->items[i].attributes = 0;
    r->attributes = a->keep_attributes ? r->attributes : 0;
    r->key[0] = a->ticket;
    r->key[1] = 1;
    r->user = (int8_t)a->to;
    r->transferred = true;
    r->manage_gen++;
    r->version++;
    r->fence = 0; /* a new one: core chooses it */
    out->brief = !staff(a);
    model_remember(m, a, MADE_RESERVATION, 0, 0);
    model_show(m, r, out);
}

void model_revoke(struct model *m, struct model_reservation *r, struct model_answer *out)
{
    out->code = state_code(m, r);
    if (out->code != OUTCOME_OK)
        return;
    r->manage_gen++;
    r->version++;
    model_show(m, r, out);
}
