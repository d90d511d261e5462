/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/hold.h"

#include "base/assertion.h"
#include "core/claim/reservation_command.h"
#include "core/claim/plan.h"
#include "core/claim/replay.h"
#include "core/claim/expiry.h"

/* A creating request seen before is answered with its reservation as it is now. OK and !*seen: it is new. */
static enum outcome_code seen_before(struct step *step, const struct command *c, struct outcome *out,
                                     bool *seen)
{
    struct state *st = step->state;
    struct id made;
    enum outcome_code code = replay_find(st, c, out, seen, &made);
    if (code != OUTCOME_OK || !*seen)
        return code;
    uint32_t handle = reservation_find(st, made);
    if (handle == TABLE_NONE) {
        out->replayed = false;
        out->fetch = FETCH_RESERVATION;
        out->fetch_id = made;
        return OUTCOME_FETCH;
    }
    settle_reservation(st, handle);
    step_answer(step, handle, out);
    return OUTCOME_OK;
}

/* If-Match names the version of the one seat asked for. */
static enum outcome_code version_match(struct step *step, const struct command *c, struct outcome *out)
{
    struct state *st = step->state;
    if (!c->hold.if_match)
        return OUTCOME_OK;
    const struct target *t = &step->targets[0];
    ASSERT(step->target_count == 1 && t->request->kind == ITEM_SEAT);
    settle_seat(st, t->event, t->position);
    if (seat_at(t->event, t->position)->version == c->hold.version)
        return OUTCOME_OK;
    state_saw(out, t->event->seq);
    return OUTCOME_VERSION_MISMATCH;
}

static enum outcome_code ttl_of(struct state *st, const struct command *c, const struct terms *terms,
                                struct outcome *out, uint32_t *ttl_s)
{
    uint32_t most = st->actor.role == ROLE_USER ? terms->hold_ttl_s : terms->max_hold_s;
    *ttl_s = c->hold.ttl_s ? c->hold.ttl_s : terms->hold_ttl_s;
    if (*ttl_s > most)
        return state_invalid(out, "Invalid ttl_seconds: longer than a hold may last here.", "/ttl_seconds");
    return OUTCOME_OK;
}

static void grant(struct step *step, const struct command *c, struct text owner, const struct terms *terms,
                  uint32_t ttl_s, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t handle = reservation_begin(st, c->reservation, owner, terms, ttl_s);
    struct reservation *r = reservation_at(st, handle);
    reservation_set_attributes(r, c->hold.attributes);
    plan_grant(step, handle, r->fence);
    if (c->hold.commit) {
        reservation_set_payment(r, c->hold.payment_method, c->hold.payment_ref);
        reservation_command_confirm(st, handle, c->hold.ticket_key);
    }
    state_emit_reservation(st, handle, c->hold.commit ? ACTION_CONFIRMED : ACTION_HELD);
    replay_remember(st, c, MADE_RESERVATION, r->id, 201);
    out->created = true;
    step_answer(step, handle, out);
    if (c->hold.commit)
        reservation_command_bought(st, handle);
}

enum outcome_code hold_new(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct text owner = c->user_id.at ? c->user_id : st->actor.name;
    if (st->actor.role == ROLE_USER && !text_equal(owner, st->actor.name))
        return OUTCOME_NOT_OWNER;
    if (c->hold.commit && st->actor.role == ROLE_USER)
        return OUTCOME_FORBIDDEN;
    bool seen;
    enum outcome_code code = seen_before(step, c, out, &seen);
    if (code != OUTCOME_OK || seen)
        return code;
    struct terms terms = {0};
    uint32_t ttl_s = 0;
    code = plan_distinct(c->hold.items, c->hold.count, out);
    if (code != OUTCOME_OK)
        return code;
    plan_begin(step);
    for (uint32_t i = 0; i < c->hold.count; i++)
        plan_want(step, &c->hold.items[i], i);
    code = plan_size(step, 0, 0, out);
    if (code == OUTCOME_OK)
        code = plan_resolve(step, &terms, out);
    if (code == OUTCOME_OK)
        code = ttl_of(st, c, &terms, out, &ttl_s);
    if (code == OUTCOME_OK)
        code = plan_on_sale(step);
    if (code == OUTCOME_OK)
        code = queue_judge_pass(step, owner);
    if (code == OUTCOME_OK)
        code = plan_list(step);
    if (code == OUTCOME_OK)
        code = version_match(step, c, out);
    if (code == OUTCOME_OK)
        code = plan_limits(step, owner, out);
    if (code == OUTCOME_OK)
        code = plan_hours(step, out);
    if (code == OUTCOME_OK)
        code = plan_claim(step, out);
    if (code == OUTCOME_OK)
        grant(step, c, owner, &terms, ttl_s, out);
    return code;
}

/* ---- More items ---- */

static bool has_seat(struct state *st, struct reservation *r, const struct item_request *item)
{
    const struct event *e = event_find(st, item->event);
    for (uint32_t i = 0; e && i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (own->kind == ITEM_SEAT && own->event == e->index &&
            text_equal(layout_id(e->layout, own->position), item->unit))
            return true;
    }
    return false;
}

/* Where several may have the same time, asking for it again is a wish of its own. */
static bool has_slot(struct state *st, struct reservation *r, const struct item_request *item)
{
    const struct calendar *c = calendar_find(st, item->event);
    if (!c || c->image.capacity > 1)
        return false;
    uint32_t service = item->unit.at ? calendar_service_find(c, item->unit) : SERVICE_NONE;
    if (item->unit.at && service == SERVICE_NONE)
        return false;
    int64_t end_ms = item->unit.at ? item->start_ms + calendar_service_ms(c, service) : item->end_ms;
    uint32_t position = item->unit.at ? service + 1 : 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *own = &reservation_items(r)[i];
        if (own->kind == ITEM_SLOT && own->event == c->index && own->position == position &&
            own->start_ms == item->start_ms && own->end_ms == end_ms)
            return true;
    }
    return false;
}

static bool has_already(struct state *st, struct reservation *r, const struct item_request *item)
{
    return item->kind == ITEM_SEAT ? has_seat(st, r, item) : item->kind == ITEM_SLOT && has_slot(st, r, item);
}

static enum outcome_code more_terms(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    struct terms terms = {0};
    uint64_t units = 0;
    for (uint32_t i = 0; i < r->item_count; i++)
        units += reservation_items(r)[i].quantity;
    enum outcome_code code = plan_size(step, r->item_count, units, out);
    if (code == OUTCOME_OK)
        code = plan_resolve(step, &terms, out);
    if (code != OUTCOME_OK)
        return code;
    if (memcmp(terms.currency, r->currency, sizeof(r->currency)) != 0)
        return state_invalid(out, PLAN_ONE_CURRENCY, "/items/%u", step->targets[0].index);
    code = plan_on_sale(step);
    if (code == OUTCOME_OK)
        code = queue_judge_pass(step, user_id(st, r->user));
    if (code == OUTCOME_OK)
        code = plan_list(step);
    if (code == OUTCOME_OK)
        code = plan_limits(step, user_id(st, r->user), out);
    if (code == OUTCOME_OK)
        code = plan_hours(step, out);
    if (code == OUTCOME_OK)
        code = plan_claim(step, out);
    if (code != OUTCOME_OK)
        return code;
    r->payment_required = r->payment_required || terms.payment == PAYMENT_REQUIRED;
    if (terms.hold_ttl_s < r->hold_ttl_s)
        r->hold_ttl_s = terms.hold_ttl_s;
    if (terms.payment_ttl_s < r->payment_ttl_s)
        r->payment_ttl_s = terms.payment_ttl_s;
    return OUTCOME_OK;
}

enum outcome_code hold_more(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    uint32_t handle;
    bool seen;
    enum outcome_code code = reservation_command_find(step, out, &handle);
    if (code == OUTCOME_OK)
        code = seen_before(step, c, out,
                           &seen); /* before anything is settled: what is seen may have to be fetched */
    if (code != OUTCOME_OK || seen)
        return code;
    settle_reservation(st, handle);
    code = reservation_command_changeable(st, handle, out);
    if (code == OUTCOME_OK)
        code = plan_distinct(c->hold.items, c->hold.count, out);
    if (code != OUTCOME_OK)
        return code;
    struct reservation *r = reservation_at(st, handle);
    plan_begin(step);
    for (uint32_t i = 0; i < c->hold.count; i++)
        if (!has_already(st, r, &c->hold.items[i]))
            plan_want(step, &c->hold.items[i], i);
    if (step->target_count == 0) {
        step_answer(step, handle, out);
        return OUTCOME_OK;
    }
    code = more_terms(step, handle, out);
    if (code != OUTCOME_OK)
        return code;
    uint64_t fence = state_next_seq(st);
    plan_grant(step, handle, fence);
    r->fence = fence;
    r->version++;
    state_emit_reservation(st, handle, ACTION_ITEM_ADDED);
    replay_remember(st, c, MADE_RESERVATION, r->id, 201);
    out->created = true;
    step_answer(step, handle, out);
    return OUTCOME_OK;
}
