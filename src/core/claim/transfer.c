/* SPDX-License-Identifier: Apache-2.0 */
/* transfer.c — a confirmed reservation goes to another user.
 *
 * The claims stay. The owner changes, with a new fence, and with it everything that gave the old owner access: the
 * ticket key, from which ticket codes are computed, and the generation of manage tokens. The random key arrives in the
 * command. Attributes are cleared, unless app or admin keep them.
 *
 * Only app and admin see the reservation in the answer: the old owner must not see the new codes, and the manage token
 * is void.
 */
#include "base/assertion.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/allowance.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/reservation_command.h"
#include "core/claim/user.h"
#include "core/step.h"

static bool staff(const struct state *st)
{
    return st->actor.role == ROLE_APP || st->actor.role == ROLE_ADMIN;
}

/* A repeated request gets the first answer again, while the receiver still owns it. OK and !*seen: it is new. */
static enum outcome_code seen_before(struct step *step, struct outcome *out, bool *seen)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct id made;
    enum outcome_code code = idempotency_seen(st, c, out, seen, &made);
    if (code != OUTCOME_OK || !*seen)
        return code;
    ASSERT(id_equal(made, c->reservation)); /* the path is part of the key */
    uint32_t handle = reservation_find(st, made);
    if (handle == TABLE_NONE) {
        out->replayed = false;
        return outcome_lacks(out, &(struct record_key){.kind = FETCH_RESERVATION, .id = made});
    }
    const struct reservation *r = reservation_at(st, handle);
    state_saw(out, r->seq);
    if (!staff(st) && !text_equal(user_id(st, r->user), c->transfer.to)) {
        out->replayed = false;
        return OUTCOME_NO_SUCH_RESERVATION;
    }
    out->brief = true;
    return step_answer(step, handle, out);
}

static enum outcome_code judge_state(const struct reservation *r)
{
    if (r->status == RESERVATION_CONFIRMED)
        return OUTCOME_OK;
    return r->status == RESERVATION_HELD ? OUTCOME_NOT_CONFIRMED : reservation_command_state(r);
}

/* Tickets that were used at the door cannot be transferred. */
static enum outcome_code judge_used(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; code == OUTCOME_OK && i < r->item_count; i++)
        code = tickets_used(step->state, r, &reservation_items(r)[i], step->command, out);
    return code;
}

static uint64_t units_of(struct reservation *r, const struct event *e)
{
    uint64_t units = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        if (claim_kind(item->kind)->in_event && item->resource == e->index)
            units += item->quantity;
    }
    return units;
}

/* The limit of an event applies to every owner, also after a transfer. */
static enum outcome_code judge_limit(struct step *step, uint32_t handle, const struct event *e,
                                     struct outcome *out)
{
    uint64_t more = units_of(reservation_at(step->state, handle), e);
    ASSERT(more > 0);
    return allowance_judge_limit(step->state, &(struct allowance){.event = e}, step->command->transfer.to,
                                 more, out);
}

static const struct calendar *item_calendar(const struct state *st, const struct item *item)
{
    return item_event(st, item) ? NULL : st->calendars[item->resource];
}

/* How many of the items are on the calendar, or on members of the group, and not over yet. */
static uint32_t given_on(const struct state *st, struct reservation *r, const struct calendar *c,
                         const struct group *g)
{
    uint32_t given = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        const struct calendar *on = item_calendar(st, item);
        if (on && item->end_ms > st->now_ms)
            given += on == c || (g && group_has(g, on));
    }
    return given;
}

/* The limit of a calendar applies to user tokens only, as for claims; items that are over do not count. */
static enum outcome_code judge_bookings(struct step *step, uint32_t handle, const struct calendar *c,
                                        struct outcome *out)
{
    struct state *st = step->state;
    enum outcome_code code = OUTCOME_OK;
    uint32_t i = 0;
    if (staff(st))
        return OUTCOME_OK;
    ASSERT(reservation_at(st, handle)->status == RESERVATION_CONFIRMED); /* holds cannot be transferred */
    do {
        const struct group *g = calendar_group(st, c, i);
        uint32_t more = given_on(st, reservation_at(st, handle), c, g);
        if (more) /* otherwise all are over */
            code = allowance_judge_limit(st, &(struct allowance){.calendar = c, .group = g},
                                         step->command->transfer.to, more, out);
    } while (code == OUTCOME_OK && ++i < c->group_count);
    return code;
}

static enum outcome_code judge_guest(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    struct reservation *r = reservation_at(st, handle);
    struct actor receiver = {ROLE_USER, step->command->transfer.to};
    enum outcome_code code = OUTCOME_OK;
    for (uint32_t i = 0; !staff(st) && code == OUTCOME_OK && i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        code = allowance_judge_guest(item_event(st, item), item_calendar(st, item), receiver, out);
    }
    if (code == OUTCOME_GUESTS_REFUSED)
        out->detail = "The receiver is a guest, and guests are not allowed here.";
    return code;
}

/* Judges by the events and calendars of its items, in the order of refusals: whether it is transferable, then whether
 * the receiver may have it. */
static enum outcome_code judge_items(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    uint32_t count = reservation_at(st, handle)->item_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct event *e = item_event(st, &reservation_items(reservation_at(st, handle))[i]);
        if (e && e->image.transfer == TRANSFER_OFF) {
            state_saw(out, e->seq);
            return OUTCOME_NOT_TRANSFERABLE;
        }
    }
    enum outcome_code code = judge_guest(step, handle, out);
    for (uint32_t i = 0; code == OUTCOME_OK && i < count; i++) {
        const struct item *item = &reservation_items(reservation_at(st, handle))[i];
        struct event *e = item_event(st, item);
        code = e ? judge_limit(step, handle, e, out)
                 : judge_bookings(step, handle, item_calendar(st, item), out);
    }
    return code;
}

/* Such as the name on a ticket, or an address: they belong to the old owner. */
static void clear_attributes(struct reservation *r)
{
    reservation_set_attributes(r, TEXT("{}"));
    for (uint32_t i = 0; i < r->item_count; i++)
        item_set_attributes(&reservation_items(r)[i], TEXT("{}"));
}

static enum outcome_code transfer(struct step *step, uint32_t handle, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct reservation *r = reservation_at(st, handle);
    struct reservation_extra *x = reservation_extra(r);
    ASSERT(r->status == RESERVATION_CONFIRMED && x->transferred < state_next_seq(st));
    ASSERT(c->transfer.ticket_key[0] != x->ticket_key[0] || c->transfer.ticket_key[1] != x->ticket_key[1]);
    reservation_set_owner(st, handle, c->transfer.to);
    for (uint32_t i = 0; i < r->item_count; i++)
        tickets_end(st, r, &reservation_items(r)[i], state_next_seq(st));
    x->ticket_key[0] = c->transfer.ticket_key[0];
    x->ticket_key[1] = c->transfer.ticket_key[1];
    for (uint32_t i = 0; i < r->item_count; i++)
        tickets_begin(st, r, &reservation_items(r)[i]);
    if (!c->transfer.keep_attributes)
        clear_attributes(r);
    x->manage_gen++;
    x->transferred = r->fence = state_next_seq(st);
    reservation_command_changed(step, handle, ACTION_TRANSFERRED, out);
    ASSERT(r->seq == r->fence && r->seq == x->transferred);
    idempotency_remember(st, c, MADE_RESERVATION, r->id);
    out->brief = !staff(st);
    return OUTCOME_OK;
}

enum outcome_code transfer_reservation(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    uint32_t handle;
    bool seen = false;
    enum outcome_code code = command_judge_caller(c);
    if (code == OUTCOME_OK)
        code = seen_before(step, out, &seen);
    if (code != OUTCOME_OK || seen)
        return code;
    code = reservation_command_find(step, out, &handle);
    if (code != OUTCOME_OK)
        return code;
    if (text_equal(c->transfer.to, user_id(st, reservation_at(st, handle)->user)))
        return state_invalid(out, "Invalid to_user_id: this user is already the owner.", "/to_user_id");
    settle_reservation(st, handle);
    state_saw(out, reservation_at(st, handle)->seq);
    code = judge_state(reservation_at(st, handle));
    if (code == OUTCOME_OK)
        code = judge_used(step, handle, out);
    if (code == OUTCOME_OK)
        code = judge_items(step, handle, out);
    return code == OUTCOME_OK ? transfer(step, handle, out) : code;
}

enum outcome_code transfer_revoke_tokens(struct step *step, uint32_t handle, struct outcome *out)
{
    struct reservation *r = reservation_at(step->state, handle);
    enum outcome_code code = judge_state(r);
    if (code != OUTCOME_OK)
        return code;
    reservation_extra(r)->manage_gen++;
    return reservation_command_changed(step, handle, ACTION_TOKENS_REVOKED, out);
}
