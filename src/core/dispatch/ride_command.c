/* SPDX-License-Identifier: Apache-2.0 */
/* ride_command.c — what riders, drivers and back ends do with a ride.
 *
 * A rider requests, reads and cancels; its driver reads, completes and cancels; app and admin do so for them, and where
 * they name a user it must be the right one. For any other user the ride does not exist.
 */
#include "base/assertion.h"
#include "core/dispatch/ride.h"
#include "core/state.h"

/* ---- A new ride ---- */

/* Judges the rider. OK, NOT_OWNER, INVALID, GUESTS_REFUSED. */
static enum outcome_code judge_rider(const struct state *st, const struct fleet *f, const struct command *c,
                                     struct text *rider, struct outcome *out)
{
    *rider = st->actor.role == ROLE_USER ? st->actor.name : c->user_id;
    if (!rider->at)
        return state_invalid(out, "Missing rider_id.", "/rider_id");
    if (!actor_may_name(st->actor, c->user_id)) {
        out->detail = "Users can request rides only for themselves.";
        return OUTCOME_NOT_OWNER;
    }
    return actor_is_guest(st->actor) && !f->image.guests ? OUTCOME_GUESTS_REFUSED : OUTCOME_OK;
}

/* OK, or LIMIT_EXCEEDED: the user has the maximum of live rides in the fleet, regardless of who requested them. */
static enum outcome_code judge_limit(struct state *st, struct fleet *f, struct text rider,
                                     struct outcome *out)
{
    uint32_t limit = f->image.rides_per_rider, have = 0;
    if (st->actor.role != ROLE_USER || !limit)
        return OUTCOME_OK;
    for (uint32_t at = name_index_first(&f->live_by_rider, rider), next; at && have < limit; at = next) {
        next = ride_at(f, at - 1)->live.next;
        ride_settle(st, f, at - 1); /* a search that is over no longer counts */
        have += ride_live(ride_at(f, at - 1));
        state_saw(out, ride_at(f, at - 1)->seq);
    }
    if (have < limit)
        return OUTCOME_OK;
    out->limit = limit;
    out->have = have;
    out->detail = "You have as many live rides as this fleet allows.";
    state_saw(out, f->seq);
    return OUTCOME_LIMIT_EXCEEDED;
}

/* The ride with this id: OK, or FETCH; NO_SUCH_RIDE: it is not in the book either. `f` is NULL: it is not in memory. */
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
    out->replayed = false; /* not the same answer as before */
    /* Not judged again: repeating a request must never create a second ride. */
    if (code == OUTCOME_NO_SUCH_RIDE)
        out->detail = "The ride created with this Idempotency-Key was removed with its fleet.";
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
    ASSERT(geo_point_valid(asked->pickup) && geo_point_valid(asked->to) && !id_none(asked->id));
    ASSERT(asked->surge_milli >= SURGE_MILLI_MIN && asked->surge_milli <= SURGE_MILLI_MAX);
    if (!h3_is_valid(asked->cell) || h3_resolution(asked->cell) != (int)f->image.resolution)
        return OUTCOME_NO_SUCH_FLEET; /* the one the request was resolved with is gone */
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

/* ---- An existing ride ---- */

/* Bits: a user can be several of them. */
enum side { RIDER = 1, DRIVER = 2, FORMER_DRIVER = 4 };

/* Whether this driver had it and cancelled. */
static bool had_and_cancelled(const struct fleet *f, const struct ride *r, struct text driver)
{
    for (uint32_t at = r->first_offer; at; at = offer_at(f, at - 1)->next) {
        const struct offer *o = offer_at(f, at - 1);
        if (o->end == OFFER_ACCEPTED && o->number != r->offer &&
            (!driver.at || text_equal((struct text){o->driver, o->driver_size}, driver)))
            return true;
    }
    return false;
}

/* What this user is to the ride: bits of enum side. A driver has it, or is offered it. */
static unsigned sides_of(const struct fleet *f, const struct ride *r, struct text user)
{
    const struct offer *o = r->status == RIDE_OFFERED ? ride_offer(f, r) : NULL;
    bool offered = o && text_equal(user, (struct text){o->driver, o->driver_size});
    bool has_it = r->driver_id.at && text_equal(user, r->driver_id);
    return (text_equal(user, r->rider) ? RIDER : 0u) | (offered || has_it ? DRIVER : 0u) |
           (had_and_cancelled(f, r, user) ? FORMER_DRIVER : 0u);
}

bool ride_concerns(const struct fleet *f, uint32_t handle, struct text user, bool *as_rider)
{
    unsigned sides = sides_of(f, ride_at(f, handle), user);
    *as_rider = sides & RIDER;
    return sides & (RIDER | DRIVER);
}

/* The fleet of the command or, if it names none, the one that has the ride; NULL: none in memory. */
static struct fleet *fleet_of(struct state *st, const struct command *c)
{
    if (c->ride.fleet.at)
        return fleet_find(st, c->ride.fleet);
    ASSERT(st->actor.role == ROLE_APP); /* a caller without a fleet must not learn whether the ride exists */
    for (uint32_t i = 0; i < st->dispatch->count; i++)
        if (ride_find(st->dispatch->by_name[i], c->ride.id) != TABLE_NONE)
            return st->dispatch->by_name[i];
    return NULL;
}

/* Finds it and settles what has lapsed. `allowed`: which sides may do this; a user named by app or admin must be one of
 * them. */
static enum outcome_code ride_command_find(struct state *st, const struct command *c, unsigned allowed,
                                           struct fleet **f, uint32_t *handle, struct outcome *out)
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

/* Why a ride that has ended refuses the command. */
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

static enum outcome_code ride_end(struct state *st, struct fleet *f, uint32_t handle, enum ride_status status,
                                  struct outcome *out)
{
    ASSERT(ride_live(ride_at(f, handle)) && !ride_status_live(status));
    ride_at(f, handle)->ended_at_ms = st->now_ms;
    ride_set_status(st, f, handle, status);
    ASSERT(!ride_at(f, handle)->driver); /* its driver is free */
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
    return ride_end(st, f, handle, RIDE_CANCELLED, out);
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
    return ride_end(st, f, handle, RIDE_COMPLETED, out);
}

enum outcome_code ride_driver_cancel(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    uint32_t handle;
    enum outcome_code code = ride_command_find(st, c, DRIVER | FORMER_DRIVER, &f, &handle, out);
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
        r->list_count = r->list_next = 0; /* outdated */
        r->search_until_ms = st->now_ms + (int64_t)f->image.search_s * 1000;
        ride_set_status(st, f, handle, RIDE_SEARCHING);
        ASSERT(!r->driver && r->searching);
        ride_emit(st, f, handle);
        ride_settle(st, f, handle); /* it could have had the maximum of offers */
        return ride_answer(st, f, handle, out);
    }
    /* A repeat: a driver that is named cancelled before; without a name it is the last one who had it. */
    if (had_and_cancelled(f, r, driver) && (driver.at || ride_live(r)))
        return ride_answer(st, f, handle, out);
    return ride_live(r) ? OUTCOME_NOT_ASSIGNED : refuse_ended(r, out);
}
