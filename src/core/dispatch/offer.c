/* SPDX-License-Identifier: Apache-2.0 */
/* offer.c — one offer of a ride to a driver: made, answered, ended. */
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/codec.h"
#include "core/dispatch/eta.h"
#include "core/dispatch/ride.h"
#include "core/entry_id.h"
#include "core/state.h"

/* ---- The record ---- */

static struct text driver_of(const struct offer *o)
{
    return (struct text){o->driver, o->driver_size};
}

static void offer_add(struct fleet *f, const struct offer_image *image, uint32_t ride)
{
    uint32_t handle = slab_take(&f->offers);
    struct offer *o = offer_at(f, handle);
    struct ride *r = ride_at(f, ride);
    ASSERT(image->driver_id.size >= 1 && image->driver_id.size <= DRIVER_ID_SIZE_MAX);
    *o = (struct offer){
        .number = image->number,
        .score_ms = image->score_ms,
        .eta_ms = image->eta_ms,
        .made_at_ms = image->made_at_ms,
        .expires_at_ms = image->expires_at_ms,
        .ended_at_ms = image->ended_at_ms,
        .driver = memory_copy(image->driver_id.at, image->driver_id.size),
        .driver_size = (uint8_t)image->driver_id.size,
        .ride = ride,
        .presence_s = f->image.presence_s,
        .end = (uint8_t)image->end,
    };
    ASSERT(!r->last_offer || offer_at(f, r->last_offer - 1)->number < image->number); /* oldest first */
    *(r->last_offer ? &offer_at(f, r->last_offer - 1)->next : &r->first_offer) = handle + 1;
    r->last_offer = handle + 1;
    r->offer_count++;
    offer_insert(f, handle);
}

static bool offer_image_valid(const struct offer_image *i)
{
    return i->number >= 1 && i->driver_id.size >= 1 && i->driver_id.size <= DRIVER_ID_SIZE_MAX &&
           i->expires_at_ms > i->made_at_ms && !i->end == !i->ended_at_ms;
}

static void offer_notify(struct state *st, const struct fleet *f, const struct offer *o, uint64_t seq)
{
    ride_touched(st, (struct ride_touch){.seq = seq,
                                         .fleet = f->image.number,
                                         .ride = ride_at(f, o->ride)->id,
                                         .offer = o->number,
                                         .driver = driver_hash(driver_of(o)),
                                         .end = o->end});
}

bool offer_restore(struct state *st, const struct offer_image *image, uint64_t seq)
{
    struct fleet *f = fleet_find_number(st, image->fleet);
    uint32_t ride = f && offer_image_valid(image) ? ride_find(f, image->ride) : TABLE_NONE;
    if (ride == TABLE_NONE)
        return false;
    uint32_t handle = offer_find(f, image->number);
    if (handle == TABLE_NONE) {
        const struct ride *r = ride_at(f, ride);
        bool newest = !r->last_offer || offer_at(f, r->last_offer - 1)->number < image->number;
        if (!newest || (seq && (image->number != seq || image->end)))
            return false;
        offer_add(f, image, ride);
        handle = offer_find(f, image->number);
    } else {
        struct offer *o = offer_at(f, handle);
        if (o->end || !image->end || o->ride != ride)
            return false;
        o->end = (uint8_t)image->end;
        o->ended_at_ms = image->ended_at_ms;
    }
    if (seq) /* one from the book is no news */
        offer_notify(st, f, offer_at(f, handle), seq);
    return ride_link(st, f, ride);
}

static void offer_emit(struct state *st, const struct fleet *f, const struct offer *o)
{
    st->change.kind = CHANGE_OFFER;
    offer_view(f, o, &st->change.offer);
    offer_notify(st, f, o, state_emit(st));
}

/* ---- Creating and ending ---- */

struct score_facts offer_facts(const struct state *st, const struct ride *r, const struct driver *d)
{
    return (struct score_facts){.idle_ms = driver_idle_ms(st, d),
                                .rating_milli = d->rating_milli,
                                .surge = d->surge && r->surge_milli > 1000};
}

int64_t offer_score_ms(const struct state *st, const struct fleet *f, const struct ride *r,
                       const struct driver *d, int64_t *eta)
{
    struct score_facts facts = offer_facts(st, r, d);
    facts.eta_ms = *eta = eta_ms(d->point, r->pickup, f->image.speed_kmh);
    return score_ms(&f->image.weights, &facts);
}

void offer_make(struct state *st, struct fleet *f, uint32_t ride, uint32_t driver)
{
    struct ride *r = ride_at(f, ride);
    const struct driver *d = driver_at(f, driver);
    ASSERT(r->status == RIDE_SEARCHING && !r->offer && st->now_ms < ride_search_over_ms(r));
    ASSERT(d->status == DRIVER_FREE && !d->ride);
    struct offer_image image = {
        .number = state_next_seq(st),
        .driver_id = driver_id(d),
        .made_at_ms = st->now_ms,
        .expires_at_ms = st->now_ms + (int64_t)f->image.offer_s * 1000,
    };
    image.score_ms = offer_score_ms(st, f, r, d, &image.eta_ms);
    offer_add(f, &image, ride);
    offer_emit(st, f, offer_at(f, r->last_offer - 1));
    r->offer = image.number;
    ride_set_status(st, f, ride, RIDE_OFFERED);
    ASSERT(r->driver == driver + 1 && d->ride == ride + 1);
    ride_emit(st, f, ride);
}

void offer_finish(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end)
{
    struct ride *r = ride_at(f, ride);
    struct offer *o = ride_offer(f, r);
    ASSERT(r->status == RIDE_OFFERED && o && !o->end);
    ASSERT(end >= OFFER_END_FIRST && end <= OFFER_END_LAST);
    o->end = (uint8_t)end;
    /* However late it is noticed, this is when it ended. */
    o->ended_at_ms = end == OFFER_TIMED_OUT ? o->expires_at_ms : st->now_ms;
    st->dispatch->ends[end]++;
    offer_emit(st, f, o);
}

void offer_lost(struct state *st, struct fleet *f, uint32_t ride, enum offer_end end)
{
    struct ride *r = ride_at(f, ride);
    ASSERT(end != OFFER_ACCEPTED);
    offer_finish(st, f, ride, end);
    int64_t ended_ms = ride_offer(f, r)->ended_at_ms;
    bool over = ended_ms >= ride_search_over_ms(r);
    r->offer = 0;
    r->ended_at_ms = over ? ended_ms : 0;
    ride_set_status(st, f, ride, over ? RIDE_NO_DRIVER : RIDE_SEARCHING);
    ASSERT(!r->driver); /* free for other rides at once */
    ride_emit(st, f, ride);
}

int64_t offer_silent_ms(const struct offer *o, const struct driver *d)
{
    ASSERT(o->presence_s >= 1);
    return d->heard_ms ? d->heard_ms + (int64_t)o->presence_s * 1000 : INT64_MAX;
}

bool offer_refused(const struct fleet *f, const struct ride *r, struct text driver, uint64_t *lapsed)
{
    uint32_t count = 0;
    *lapsed = 0;
    for (uint32_t at = r->first_offer; at; at = offer_at(f, at - 1)->next) {
        const struct offer *o = offer_at(f, at - 1);
        if (!text_equal(driver_of(o), driver))
            continue;
        if (o->end == OFFER_DECLINED || o->end == OFFER_ACCEPTED || ++count == DRIVER_OFFERS_MAX)
            return true;
        /* Withdrawn while the ride goes on: the driver went away. Coming back must not put it first again. */
        if (o->end == OFFER_TIMED_OUT || o->end == OFFER_WITHDRAWN)
            *lapsed = o->number;
    }
    return false;
}

/* ---- Commands ---- */

/* The offer in question, if the caller may see it: its driver, or a back end that names no other driver. */
static enum outcome_code offer_lookup(struct state *st, const struct command *c, struct fleet **f,
                                      struct offer **o, struct outcome *out)
{
    *f = fleet_find(st, c->offer.fleet);
    if (!*f)
        return OUTCOME_NO_SUCH_FLEET;
    uint64_t number = entry_id_number((*f)->image.key, ENTRY_RIDE_OFFER, c->offer.id);
    if (!number || number > st->seq)
        return OUTCOME_NO_SUCH_OFFER;
    uint32_t handle = offer_find(*f, number);
    if (handle == TABLE_NONE && c->ride_checked)
        return OUTCOME_NO_SUCH_OFFER;
    if (handle == TABLE_NONE) {
        return outcome_lacks(out, &(struct record_key){.kind = FETCH_RIDE, .ride = {.offer = number}});
    }
    *o = offer_at(*f, handle);
    bool user = st->actor.role == ROLE_USER;
    if ((user && !text_equal(st->actor.name, driver_of(*o))) ||
        (c->user_id.at && !text_equal(c->user_id, driver_of(*o)))) {
        out->detail = "This offer is for another driver.";
        return OUTCOME_NOT_OWNER;
    }
    ride_settle(st, *f, (*o)->ride);
    state_saw(out, ride_at(*f, (*o)->ride)->seq);
    return OUTCOME_OK;
}

static void count_assignment(const struct state *st, struct fleet *f, const struct ride *r)
{
    ASSERT(st->now_ms >= r->created_at_ms);
    if (!f->wait_times)
        f->wait_times = memory_zeroed(1, sizeof(*f->wait_times));
    wait_times_add(f->wait_times, st->now_ms, st->now_ms - r->created_at_ms);
}

enum outcome_code offer_accept(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    struct offer *o;
    enum outcome_code code = offer_lookup(st, c, &f, &o, out);
    if (code != OUTCOME_OK)
        return code;
    uint32_t ride = o->ride;
    struct ride *r = ride_at(f, ride);
    if (!o->end) {
        ASSERT(r->offer == o->number && st->now_ms < o->expires_at_ms);
        offer_finish(st, f, ride, OFFER_ACCEPTED);
        r->assigned_at_ms = st->now_ms;
        ASSERT(!r->driver_id.at); /* one driver at a time */
        r->driver_id = text_own(driver_of(o));
        ride_set_status(st, f, ride, RIDE_ASSIGNED);
        ride_emit(st, f, ride);
        ASSERT(driver_at(f, r->driver - 1)->status == DRIVER_BUSY);
        count_assignment(st, f, r);
    } else if (o->end != OFFER_ACCEPTED || r->offer != o->number) {
        return OUTCOME_OFFER_EXPIRED; /* also one that was accepted and then cancelled by the driver */
    }
    return ride_answer(st, f, ride, out);
}

enum outcome_code offer_decline(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f;
    struct offer *o;
    enum outcome_code code = offer_lookup(st, c, &f, &o, out);
    if (code != OUTCOME_OK)
        return code;
    if (!o->end)
        offer_lost(st, f, o->ride, OFFER_DECLINED);
    else if (o->end != OFFER_DECLINED && o->end != OFFER_TIMED_OUT)
        return OUTCOME_OFFER_EXPIRED;
    return ride_answer(st, f, o->ride, out);
}

enum outcome_code offer_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct fleet *f = fleet_find(st, c->driver.fleet);
    if (!f)
        return OUTCOME_NO_SUCH_FLEET;
    bool other = st->actor.role == ROLE_USER && !text_equal(st->actor.name, c->driver.id);
    uint32_t handle = other ? TABLE_NONE : driver_find(f, c->driver.id);
    if (handle == TABLE_NONE)
        return OUTCOME_NO_SUCH_DRIVER;
    uint32_t ride = driver_at(f, handle)->ride;
    if (!ride)
        return OUTCOME_OK;
    if (!c->no_changes)
        ride_settle(st, f, ride - 1);
    const struct ride *r = ride_at(f, ride - 1);
    const struct offer *o = r->status == RIDE_OFFERED ? ride_offer(f, r) : NULL;
    state_saw(out, r->seq);
    if (!o || st->now_ms >= o->expires_at_ms)
        return OUTCOME_OK;
    ASSERT(!o->end && o->number == r->offer);
    out->has_offer = true;
    offer_view(f, o, &out->offer);
    return ride_answer(st, f, ride - 1, out);
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define OFFER_FIELDS(X) \
    X(number, fleet) X(number, number) X(id, ride) X(text, driver_id) X(signed, score_ms) X(signed, eta_ms) \
    X(signed, made_at_ms) X(since, expires_at_ms, made_at_ms) X(signed, ended_at_ms) X(word, end, 0, OFFER_END_LAST)
/* clang-format on */
CHANGE_CODEC(offer, offer, OFFER_FIELDS)
CHANGE_RESTORE(offer, offer_restore(st, &c->offer, c->seq))
