/* SPDX-License-Identifier: Apache-2.0 */
#include "dispatch_model.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/dispatch/eta.h"
#include "core/dispatch/score.h"

struct model_run M;

__attribute__((format(printf, 1, 2), noreturn)) void model_wrong(const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    fprintf(stderr, "seed %llu, operation %llu: %s\n", (unsigned long long)M.seed,
            (unsigned long long)M.operation, sentence);
    exit(1);
}

uint32_t model_roll(uint32_t sides)
{
    uint64_t z = M.random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % sides);
}

/* ---- The model ---- */

static int driver_named(struct text id)
{
    for (int i = 0; i < DRIVERS; i++)
        if (text_equal(id, (struct text){M.drivers[i].id, strlen(M.drivers[i].id)}))
            return i;
    model_wrong("There is no driver %.*s.", (int)id.size, id.at);
}

struct m_ride *model_ride(struct id id)
{
    for (int i = 0; i < RIDES; i++)
        if (id_equal(M.rides[i].id, id))
            return &M.rides[i];
    return NULL;
}

struct m_offer *model_live_offer(struct m_ride *r)
{
    struct m_offer *last = r->offer_count ? &r->offers[r->offer_count - 1] : NULL;
    return last && !last->end ? last : NULL;
}

static int fleet_numbered(uint64_t number)
{
    for (int i = 0; i < FLEETS; i++)
        if (M.fleets[i].number == number)
            return i;
    model_wrong("There is no fleet %llu.", (unsigned long long)number);
}

bool model_registered(const struct m_driver *d)
{
    bool any = false;
    for (int i = 0; i < FLEETS; i++)
        any = any || d->in[i].exists;
    return any;
}

/* Derives the status; idle time counts from when it became free, ignoring offers that came to nothing. */
void model_refresh(struct m_driver *d)
{
    enum driver_status before = d->status;
    if (d->ride != NOBODY)
        d->status = M.rides[d->ride].status == RIDE_ASSIGNED ? DRIVER_BUSY : DRIVER_OFFERED;
    else
        d->status =
            model_registered(d) && d->present && d->available && d->placed ? DRIVER_FREE : DRIVER_AWAY;
    if (d->status == DRIVER_FREE && before != DRIVER_FREE && (before != DRIVER_OFFERED || !d->free_ms))
        d->free_ms = M.now_ms;
    if (d->status == DRIVER_BUSY || d->status == DRIVER_AWAY)
        d->free_ms = 0;
}

/* Applies what the driver of the command has reported. */
void model_apply_report(void)
{
    if (!M.doing.heard)
        return;
    struct m_driver *d = &M.drivers[M.doing.driver];
    M.doing.heard = false;
    d->available = M.doing.available;
    d->present = d->placed = true;
    d->point = M.doing.point;
    d->heard_ms = M.now_ms;
    model_refresh(d);
}

/* Whether it declined, cancelled after accepting, or was asked three times; and its last offer that lapsed or was lost
 * by going away. */
static bool refused(const struct m_ride *r, int driver, uint64_t *lapsed)
{
    *lapsed = 0;
    bool never = false;
    int times = 0;
    for (int i = 0; i < r->offer_count; i++) {
        if (r->offers[i].driver != driver)
            continue;
        never =
            never || ++times == 3 || r->offers[i].end == OFFER_DECLINED || r->offers[i].end == OFFER_ACCEPTED;
        if (r->offers[i].end == OFFER_TIMED_OUT || r->offers[i].end == OFFER_WITHDRAWN)
            *lapsed = r->offers[i].number;
    }
    return never;
}

bool model_eligible(const struct m_ride *r, int driver, uint64_t *lapsed)
{
    const struct m_driver *d = &M.drivers[driver];
    return d->in[r->fleet].exists && !refused(r, driver, lapsed) && d->status == DRIVER_FREE &&
           (!r->type || r->type == d->in[r->fleet].type) && M.now_ms < d->heard_ms + M.presence_s * 1000LL;
}

static int64_t score_of(const struct m_ride *r, const struct m_driver *d, int64_t *idle_ms)
{
    *idle_ms = M.now_ms - d->free_ms;
    *idle_ms = *idle_ms < IDLE_MAX_MS ? *idle_ms : IDLE_MAX_MS;
    struct score_facts facts = {.eta_ms = eta_ms(d->point, r->pickup, SPEED_KMH),
                                .idle_ms = *idle_ms,
                                .rating_milli = d->in[r->fleet].rating_milli,
                                .surge = d->in[r->fleet].surge && r->surge};
    return score_ms(&M.fleets[r->fleet].weights, &facts);
}

static bool asked_before(const struct m_ride *r, int a, int b)
{
    int64_t idle_a, idle_b, score_a = score_of(r, &M.drivers[a], &idle_a),
                            score_b = score_of(r, &M.drivers[b], &idle_b);
    if (score_a != score_b)
        return score_a < score_b;
    return idle_a != idle_b ? idle_a > idle_b : strcmp(M.drivers[a].id, M.drivers[b].id) < 0;
}

/* Whether this is the right driver to ask: no older ride, no better driver and no driver not asked yet is passed
 * over. */
static void judge_choice(const struct m_ride *r, int driver)
{
    uint64_t lapsed, other_lapsed;
    DEMAND(model_eligible(r, driver, &lapsed), "%s cannot be asked.", M.drivers[driver].id);
    DEMAND(M.now_ms < M.drivers[driver].heard_ms + M.presence_s * 1000LL, "%s is silent.",
           M.drivers[driver].id);
    for (int i = 0; i < RIDES; i++)
        DEMAND(id_none(M.rides[i].id) || M.rides[i].status != RIDE_SEARCHING ||
                   M.rides[i].fleet != r->fleet || M.rides[i].number >= r->number ||
                   !model_eligible(&M.rides[i], driver, &other_lapsed),
               "An older ride waits for %s.", M.drivers[driver].id);
    int others = 0;
    bool first = r->offer_count == 0;
    for (int i = 0; i < DRIVERS; i++)
        others += i != driver && model_eligible(r, i, &other_lapsed) && !other_lapsed;
    for (int i = 0; i < DRIVERS; i++) {
        if (i == driver || !model_eligible(r, i, &other_lapsed))
            continue;
        DEMAND(!lapsed || other_lapsed > lapsed, "%s is asked again before %s.", M.drivers[driver].id,
               M.drivers[i].id);
        /* With eight of them the search can end before it has seen all. */
        DEMAND(!first || others >= 7 || !asked_before(r, i, driver), "%s is asked before %s.",
               M.drivers[driver].id, M.drivers[i].id);
    }
}

/* ---- Batching ---- */

/* Whether this ride could have been offered to this driver before the offers of this step. Drivers who let it lapse do
 * not count: they are asked only when there is no other, which implies nothing for the rest. */
static bool could_have(const struct m_ride *r, int driver)
{
    uint64_t lapsed;
    const struct m_driver *d = &M.drivers[driver];
    return M.free_before[driver] && d->in[r->fleet].exists && !refused(r, driver, &lapsed) && !lapsed &&
           (!r->type || r->type == d->in[r->fleet].type) && M.now_ms < d->heard_ms + M.presence_s * 1000LL;
}

void model_match_begin(void)
{
    for (int i = 0; i < DRIVERS; i++) {
        M.matched[i] = NOBODY;
        M.free_before[i] = M.drivers[i].status == DRIVER_FREE;
    }
    M.matched_count = 0;
}

static int64_t score_between(int ride, int driver)
{
    int64_t idle_ms;
    return score_of(&M.rides[ride], &M.drivers[driver], &idle_ms);
}

/* Compares a ride that got an offer with another that did, and with an unassigned driver. */
static void judge_pair(int driver, int other)
{
    const struct m_ride *r = &M.rides[M.matched[driver]];
    int64_t is = score_between(M.matched[driver], driver);
    if (!could_have(r, driver) || !could_have(r, other))
        return;
    if (M.matched[other] != NOBODY && M.rides[M.matched[other]].fleet != r->fleet)
        return; /* the other fleet was first */
    if (M.matched[other] == NOBODY) {
        DEMAND(is <= score_between(M.matched[driver], other), "%s is left, and better than %s.",
               M.drivers[other].id, M.drivers[driver].id);
    } else if (could_have(&M.rides[M.matched[other]], driver) &&
               could_have(&M.rides[M.matched[other]], other)) {
        M.together++;
        DEMAND(is + score_between(M.matched[other], other) <=
                   score_between(M.matched[driver], other) + score_between(M.matched[other], driver),
               "%s and %s should change rides.", M.drivers[driver].id, M.drivers[other].id);
    }
}

/* Judges the offers of a step together. */
void model_judge_match(void)
{
    for (int i = 0; M.matched_count && i < DRIVERS; i++) {
        if (M.matched[i] == NOBODY)
            continue;
        for (int k = 0; k < RIDES; k++)
            DEMAND(id_none(M.rides[k].id) || M.rides[k].status != RIDE_SEARCHING ||
                       M.rides[k].fleet != M.rides[M.matched[i]].fleet ||
                       M.rides[k].number > M.rides[M.matched[i]].number || !could_have(&M.rides[k], i),
                   "An older ride waits, and %s goes to a younger one.", M.drivers[i].id);
        for (int k = 0; k < DRIVERS; k++)
            if (k != i)
                judge_pair(i, k);
    }
    model_match_begin();
}

/* Whether it can be asked, as far as this offer alone shows. */
static void judge_matched(const struct m_ride *r, int driver)
{
    uint64_t lapsed, other_lapsed;
    DEMAND(model_eligible(r, driver, &lapsed), "%s cannot be asked.", M.drivers[driver].id);
    if (!M.matched_count)
        model_match_begin();
    M.matched_count++;
    M.matched[driver] = (int)(r - M.rides);
    for (int i = 0; lapsed && i < DRIVERS; i++)
        DEMAND(i == driver || !M.free_before[i] || !model_eligible(r, i, &other_lapsed) ||
                   other_lapsed > lapsed,
               "%s is asked again before %s.", M.drivers[driver].id, M.drivers[i].id);
}

/* ---- Changes ---- */

static void follow_offer_end(struct m_ride *r, struct m_offer *o, const struct offer_image *image)
{
    struct m_driver *d = &M.drivers[o->driver];
    const struct doing *now = &M.doing;
    bool mine = now->ride != NOBODY && &M.rides[now->ride] == r;
    switch (image->end) {
    case OFFER_ACCEPTED:
        DEMAND(now->kind == COMMAND_OFFER_ACCEPT && mine && now->driver == o->driver &&
                   M.now_ms < o->expires_at_ms,
               "An offer is accepted without a request.");
        M.accepted++;
        break;
    case OFFER_DECLINED:
        DEMAND(now->kind == COMMAND_OFFER_DECLINE && mine && now->driver == o->driver &&
                   M.now_ms < o->expires_at_ms,
               "An offer is declined without a request.");
        M.declined++;
        break;
    case OFFER_TIMED_OUT:
        DEMAND(M.now_ms >= o->expires_at_ms && image->ended_at_ms == o->expires_at_ms,
               "An offer lapses early.");
        M.lapsed++;
        break;
    case OFFER_WITHDRAWN:
        if (now->kind == COMMAND_COUNT) {
            int64_t since_ms = d->present && d->heard_ms ? d->heard_ms : M.since_ms;
            DEMAND(M.now_ms >= since_ms + M.presence_s * 1000LL, "%s is not silent.", d->id);
            d->present = false;
        } else if (now->kind == COMMAND_RIDE_CANCEL) {
            DEMAND(mine, "An offer of another ride is withdrawn.");
        } else {
            bool removed =
                now->kind == COMMAND_DRIVER_REMOVE && now->driver == o->driver && now->fleet == r->fleet;
            DEMAND(removed || (now->driver == o->driver && !now->available),
                   "An offer is withdrawn for no reason.");
            model_apply_report();
        }
        M.withdrawn++;
        break;
    }
    o->end = image->end;
}

static void follow_offer(const struct offer_image *image, bool replay)
{
    struct m_ride *r = model_ride(image->ride);
    DEMAND(r || replay, "An offer of no ride.");
    if (!r)
        return; /* long over */
    int driver = driver_named(image->driver_id);
    struct m_offer *live = model_live_offer(r);
    if (image->end) {
        DEMAND(live && live->number == image->number, "An offer ends that is not live.");
        if (replay)
            live->end = image->end;
        else
            follow_offer_end(r, live, image);
        return;
    }
    DEMAND(!live && r->status == RIDE_SEARCHING, "A second offer of one ride.");
    DEMAND(M.drivers[driver].ride == NOBODY, "A second offer to %s.", M.drivers[driver].id);
    if (!replay) {
        DEMAND(M.doing.kind == COMMAND_COUNT && M.now_ms < r->search_until_ms, "An offer is made too late.");
        DEMAND(image->expires_at_ms == M.now_ms + M.fleets[r->fleet].offer_s * 1000LL,
               "An offer has another deadline.");
        if (M.fleets[r->fleet].batch_ms)
            judge_matched(r, driver);
        else
            judge_choice(r, driver);
        M.offered++;
    }
    DEMAND(r->offer_count < OFFERS, "Too many offers.");
    r->offers[r->offer_count++] =
        (struct m_offer){image->number, driver, image->expires_at_ms, (enum offer_end)0, false};
}

static void follow_ride(const struct ride_image *image)
{
    struct m_ride *r = model_ride(image->id);
    if (!r) {
        r = model_ride((struct id){0});
        if (!r)
            return;
        bool typed = image->type.at;
        *r = (struct m_ride){.id = image->id,
                             .number = image->number,
                             .fleet = fleet_numbered(image->fleet),
                             .pickup = image->pickup,
                             .type = typed ? image->type.at[0] - '0' : 0,
                             .surge = image->surge_milli > 1000,
                             .rider = image->rider_id.at[0]};
    }
    int before = NOBODY;
    for (int i = 0; i < DRIVERS; i++)
        if (M.drivers[i].ride != NOBODY && &M.rides[M.drivers[i].ride] == r)
            before = i;
    struct m_offer *live = model_live_offer(r),
                   *last = r->offer_count ? &r->offers[r->offer_count - 1] : NULL;
    DEMAND((image->status == RIDE_OFFERED) == (live != NULL),
           "A ride is offered without an offer, or the reverse.");
    DEMAND(image->status != RIDE_ASSIGNED ||
               (last && last->end == OFFER_ACCEPTED && last->driver == driver_named(image->driver_id)),
           "A ride is assigned to a driver who did not accept it.");
    DEMAND(image->status != RIDE_NO_DRIVER || image->ended_at_ms >= r->search_until_ms,
           "A search ends early.");
    if (image->status == RIDE_SEARCHING && last && last->end == OFFER_ACCEPTED)
        last->given_back = true;
    r->status = image->status;
    r->search_until_ms = image->search_until_ms;
    int has = live ? live->driver : image->status == RIDE_ASSIGNED ? last->driver : NOBODY;
    DEMAND(has == NOBODY || M.drivers[has].ride == NOBODY || &M.rides[M.drivers[has].ride] == r,
           "%s has two rides.", M.drivers[has < 0 ? 0 : has].id);
    if (before != NOBODY && before != has) {
        M.drivers[before].ride = NOBODY;
        model_refresh(&M.drivers[before]);
    }
    if (has != NOBODY) {
        M.drivers[has].ride = (int)(r - M.rides);
        model_refresh(&M.drivers[has]);
    }
}

static void follow_driver(const struct driver_image *image)
{
    struct m_driver *d = &M.drivers[driver_named(image->id)];
    d->in[fleet_numbered(image->fleet)] =
        (struct m_record){.exists = !image->removed,
                          .surge = image->surge,
                          .rating_milli = image->rating_milli,
                          .type = image->type_count ? image->types[0].at[0] - '0' : 0};
    if (!model_registered(d))
        d->present = d->placed = false;
    model_refresh(d);
}

static void follow_fleet(const struct fleet_image *image)
{
    int i = 0;
    while (!text_equal(M.fleets[i].id, image->id))
        DEMAND(++i < FLEETS, "A fleet of another name.");
    M.fleets[i] = (struct m_fleet){.id = M.fleets[i].id,
                                   .number = image->number,
                                   .offer_s = image->offer_s,
                                   .search_s = image->search_s,
                                   .batch_ms = image->batch_ms,
                                   .rides_per_rider = image->rides_per_rider,
                                   .weights = image->weights};
}

void model_follow(const struct change *c, bool replay)
{
    if (c->kind == CHANGE_FLEET)
        follow_fleet(&c->fleet);
    else if (c->kind == CHANGE_OFFER)
        follow_offer(&c->offer, replay);
    else if (c->kind == CHANGE_RIDE)
        follow_ride(&c->ride);
    else if (c->kind == CHANGE_DRIVER)
        follow_driver(&c->driver);
}
