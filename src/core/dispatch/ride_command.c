/* SPDX-License-Identifier: Apache-2.0 */
/* ride_command.c — what riders, drivers and back ends do with a ride.
 *
 * Whose it is: a rider asks, looks and cancels; its driver looks, completes and drives off; app and admin do so for
 * them, and where they name somebody it must be the right one. To any other user the ride does not exist.
 */
#include "base/assertion.h"
#include "core/dispatch/ride.h"
#include "core/state.h"

/* ---- A new one ---- */

/* Who is to be picked up. OK, NOT_OWNER, INVALID, GUESTS_REFUSED. */
static enum outcome_code judge_rider(const struct state *st, const struct fleet *f, const struct command *c,
                                     struct text *rider, struct outcome *out)
{
    *rider = st->actor.role == ROLE_USER ? st->actor.name : c->user_id;
    if (!rider->at)
        return state_invalid(out, "Missing rider_id.", "/rider_id");
    if (!actor_may_name(st->actor, c->user_id)) {
        out->detail = "A user asks for itself only.";
        return OUTCOME_NOT_OWNER;
    }
    return actor_is_guest(st->actor) && !f->image.guests ? OUTCOME_GUESTS_REFUSED : OUTCOME_OK;
}

/* OK, or LIMIT_EXCEEDED: a user has as many live rides in the fleet as one may have, whoever asked for them. */
static enum outcome_code judge_limit(struct state *st, struct fleet *f, struct text rider,
                                     struct outcome *out)
{
    uint32_t limit = f->image.rides_per_rider, have = 0;
    if (st->actor.role != ROLE_USER || !limit)
        return OUTCOME_OK;
    for (uint32_t at = name_index_first(&f->live_by_rider, rider), next; at && have < limit; at = next) {
        next = ride_at(f, at - 1)->live.next;
        ride_settle(st, f, at - 1); /* a search that is over counts no more */
        have += ride_live(ride_at(f, at - 1));
        state_saw(out, ride_at(f, at - 1)->seq);
    }
    if (have < limit)
        return OUTCOME_OK;
    out->limit = limit;
    out->have = have;
    out->detail = "You have as many rides under way as this fleet allows.";
    state_saw(out, f->seq);
    return OUTCOME_LIMIT_EXCEEDED;
}

/* The ride with this id: OK, or FETCH; NO_SUCH_RIDE: the book has none either. `f` is NULL: memory has none. */
static enum outcome_code find_id(const struct fleet *f, const struct command *c, struct id id,
                                 uint32_t *handle, struct outcome *out)
{
    *handle = f ? ride_find(f, id) : TABLE_NONE;
    if (*handle != TABLE_NONE)
        return OUTCOME_OK;
    if (c->ride_checked)
        return OUTCOME_NO_SUCH_RIDE;
    return outcome_lacks(out, &(struct record_key){.kind = FETCH_RIDE, .ride = {.id = id}});
}

static enum outcome_code answer_again(struct state *st, struct fleet *f, const struct command *c,
                                      struct id made, struct outcome *out)
{
    uint32_t handle;
    enum outcome_code code = find_id(f, c, made, &handle, out);
    if (code == OUTCOME_OK)
        return ride_answer(st, f, handle, out);
    out->replayed = false; /* it is not answered as it was */
    /* Not judged anew: whoever repeats a request must never get a second ride by it. */
    if (code == OUTCOME_NO_SUCH_RIDE)
        out->detail = "The ride that was made with this Idempotency-Key is gone with its fleet.";
    return code;
}

enum outcome_code ride_new(struct state *st, const struct command *c, struct outcome *out)
{
    const __typeof__(c->ride) *asked = &c->ride;
    struct fleet *f = fleet_find(st, asked->fleet);
    struct text rider;
    struct id made;
    bool seen;
    if (!f)
        return OUTCOME_NO_SUCH_FLEET;
    enum outcome_code code = judge_rider(st, f, c, &rider, out);
    if (code == OUTCOME_OK)
        code = idempotency_seen(st, c, out, &seen, &made);
    if (code != OUTCOME_OK)
        return code;
    if (seen)
        return answer_again(st, f, c, made, out);
    ASSERT(geo_point_sound(asked->pickup) && geo_point_sound(asked->to) && !id_none(asked->id));
    ASSERT(asked->surge_milli >= SURGE_MILLI_MIN && asked->surge_milli <= SURGE_MILLI_MAX);
    if (!h3_is_valid(asked->cell) || h3_resolution(asked->cell) != (int)f->image.resolution)
        return OUTCOME_NO_SUCH_FLEET; /* the one for which it was found is gone */
    if (asked->type.at && !fleet_has_type(f, asked->type))
        return state_invalid(out, "Unknown type: no driver of this fleet has it.", "/type");
    code = judge_limit(st, f, rider, out);
    if (code != OUTCOME_OK)
        return code;
    struct ride_image image = {
        .id = asked->id,
        .number = state_next_seq(st),
        .rider_id = rider,
        .pickup = asked->pickup,
        .to = asked->to,
        .cell = asked->cell,
        .has_to = asked->has_to,
        .type = asked->type,
        .surge_milli = asked->surge_milli,
        .created_at_ms = st->now_ms,
        .search_until_ms = st->now_ms + (int64_t)f->image.search_s * 1000,
    };
    uint32_t handle = ride_make(f, &image);
    ride_set_status(st, f, handle, RIDE_SEARCHING);
    ride_emit(st, f, handle);
    ASSERT(ride_at(f, handle)->seq == image.number);
    idempotency_remember(st, c, MADE_RIDE, asked->id);
    out->created = true;
    return ride_answer(st, f, handle, out);
}

/* ---- One that exists ---- */

/* Bits: one may be several of them. */
enum side { RIDER = 1, DRIVER = 2, DROVE_OFF = 4 };

/* Whether this driver had it, and drove off. */
static bool drove_off(const struct fleet *f, const struct ride *r, struct text driver)
{
    for (uint32_t at = r->first_offer; at; at = offer_at(f, at - 1)->next) {
        const struct offer *o = offer_at(f, at - 1);
        if (o->end == OFFER_ACCEPTED && o->number != r->offer &&
            (!driver.at || text_equal((struct text){o->driver, o->driver_size}, driver)))
            return true;
    }
    return false;
}

/* What this user has to do with it: bits of enum side. A driver has it, or is offered it. */
static unsigned sides_of(const struct fleet *f, const struct ride *r, struct text user)
{
    const struct offer *o = r->status == RIDE_OFFERED ? ride_offer(f, r) : NULL;
    bool offered = o && text_equal(user, (struct text){o->driver, o->driver_size});
    bool has_it = r->driver_id.at && text_equal(user, r->driver_id);
    return (text_equal(user, r->rider) ? RIDER : 0u) | (offered || has_it ? DRIVER : 0u) |
           (drove_off(f, r, user) ? DROVE_OFF : 0u);
}

bool ride_concerns(const struct fleet *f, uint32_t handle, struct text user, bool *as_rider)
{
    unsigned sides = sides_of(f, ride_at(f, handle), user);
    *as_rider = sides & RIDER;
    return sides & (RIDER | DRIVER);
}

/* Of the command, or, if that names none, which has the ride; NULL: none of those in memory. */
static struct fleet *fleet_of(struct state *st, const struct command *c)
{
    if (c->ride.fleet.at)
        return fleet_find(st, c->ride.fleet);
    ASSERT(st->actor.role == ROLE_APP); /* whoever has no fleet must not learn whether the ride exists */
    for (uint32_t i = 0; i < st->dispatch->count; i++)
        if (ride_find(st->dispatch->by_name[i], c->ride.id) != TABLE_NONE)
            return st->dispatch->by_name[i];
    return NULL;
}

/* Finds it and settles what has lapsed. `allowed`: which sides may do this; whom app and admin name must be one. */
static enum outcome_code ride_command_find(struct state *st, const struct command *c, unsigned allowed, struct fleet **f,
                              uint32_t *handle, struct outcome *out)
{
    *f = fleet_of(st, c);
    if (!*f && c->ride.fleet.at)
        return OUTCOME_NO_SUCH_FLEET;
    enum outcome_code code = find_id(*f, c, c->ride.id, handle, out);
    if (code != OUTCOME_OK)
        return code;
    const struct ride *r = ride_at(*f, *handle);
    bool user = st->actor.role == ROLE_USER;
    struct text who = user ? st->actor.name : c->user_id;
    unsigned sides = who.at ? sides_of(*f, r, who) : allowed;
    if (user && !(sides & (RIDER | DRIVER | allowed)))
        return OUTCOME_NO_SUCH_RIDE;
    if (!(sides & allowed) || !actor_may_name(st->actor, c->user_id)) {
        out->detail = "This ride belongs to another user.";
        return OUTCOME_NOT_OWNER;
    }
    if (!c->no_changes)
        ride_settle(st, *f, *handle);
    state_saw(out, r->seq);
    return OUTCOME_OK;
}

/* Why nothing can be done with a ride that is over. */
static enum outcome_code refuse_ended(const struct ride *r, struct outcome *out)
{
    ASSERT(!ride_live(r));
    if (r->status == RIDE_COMPLETED)
        return OUTCOME_ALREADY_COMPLETED;
    if (r->status == RIDE_NO_DRIVER)
        return OUTCOME_NO_DRIVER;
    out->detail = "This ride was cancelled.";
    return OUTCOME_ALREADY_CANCELLED;
}

enum outcome_code ride_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = ride_command_find(st, c, RIDER | DRIVER, &f, &handle, out);
    return code == OUTCOME_OK ? ride_answer(st, f, handle, out) : code;
}

static enum outcome_code end(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status,
                             struct outcome *out)
{
    ASSERT(ride_live(ride_at(f, handle)) && !ride_status_live(status));
    ride_at(f, handle)->ended_at_ms = st->now_ms;
    ride_set_status(st, f, handle, status);
    ASSERT(!ride_at(f, handle)->driver); /* who had it is free */
    ride_emit(st, f, handle);
    return ride_answer(st, f, handle, out);
}

enum outcome_code ride_cancel(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = ride_command_find(st, c, RIDER, &f, &handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct ride *r = ride_at(f, handle);
    if (r->status == RIDE_CANCELLED)
        return ride_answer(st, f, handle, out);
    if (!ride_live(r))
        return refuse_ended(r, out);
    if (r->status == RIDE_OFFERED) {
        offer_finish(st, f, handle, OFFER_WITHDRAWN);
        r->offer = 0;
    }
    return end(st, f, handle, RIDE_CANCELLED, out);
}

enum outcome_code ride_complete(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = ride_command_find(st, c, DRIVER, &f, &handle, out);
    if (code != OUTCOME_OK)
        return code;
    const struct ride *r = ride_at(f, handle);
    if (r->status == RIDE_COMPLETED)
        return ride_answer(st, f, handle, out);
    if (!ride_live(r))
        return refuse_ended(r, out);
    if (r->status != RIDE_ASSIGNED)
        return OUTCOME_NOT_ASSIGNED;
    return end(st, f, handle, RIDE_COMPLETED, out);
}

enum outcome_code ride_driver_cancel(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = ride_command_find(st, c, DRIVER | DROVE_OFF, &f, &handle, out);
    if (code != OUTCOME_OK)
        return code;
    struct ride *r = ride_at(f, handle);
    struct text driver = st->actor.role == ROLE_USER ? st->actor.name : c->user_id;
    bool has_it = r->status == RIDE_ASSIGNED && (!driver.at || text_equal(driver, r->driver_id));
    if (has_it) {
        text_free(r->driver_id);
        r->driver_id = (struct text){0};
        r->offer = 0;
        r->assigned_at_ms = 0;
        r->list_count = r->list_next = 0; /* of long ago */
        r->search_until_ms = st->now_ms + (int64_t)f->image.search_s * 1000;
        ride_set_status(st, f, handle, RIDE_SEARCHING);
        ASSERT(!r->driver && r->searching);
        ride_emit(st, f, handle);
        ride_settle(st, f, handle); /* it may have had all the offers that a ride has */
        return ride_answer(st, f, handle, out);
    }
    /* Once more: whoever named itself did so before; without a name it is the last who had it. */
    if (drove_off(f, r, driver) && (driver.at || ride_live(r)))
        return ride_answer(st, f, handle, out);
    return ride_live(r) ? OUTCOME_NOT_ASSIGNED : refuse_ended(r, out);
}
