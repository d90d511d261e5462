/* SPDX-License-Identifier: Apache-2.0 */
/* Random rides, drivers and crashes against a naive model: no double offer, no double assignment, no accepted ride lost.
 *
 *     core_dispatch_random [operations [seed]]
 *
 * The model knows the contract and nothing of core: it reads the changes that core makes and demands of each that it was
 * allowed, and of each answer that it is the one that it would give. A crash keeps what was acknowledged and any part of
 * the steps after it; positions are lost, the rest must be as the journal says.
 *
 * Every other run has fleets with batching. There the offers of one step are judged together: nobody older is left
 * without the driver of a younger one, and no two rides would rather have each other's, nor one a driver who is left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../lib/dispatch_carry.h"
#include "base/memory.h"
#include "core/dispatch/eta.h"
#include "core/dispatch/score.h"
#include "core/entry_id.h"
#include "core/state_check.h"

#define DRIVERS 12
#define RIDES 24
#define OFFERS 400
#define EPOCH_MS 1700000000000
#define SPEED_KMH 36
#define NOBODY (-1)

struct m_driver {
    char id[4];
    bool exists, surge, present, available, placed;
    uint32_t rating_milli;
    int type; /* 0: none; 1, 2 */
    struct geo_point point;
    int64_t heard_ms, free_ms;
    enum driver_status status;
    int ride; /* live offer or assigned; NOBODY */
};

struct m_offer {
    uint64_t number;
    int driver;
    int64_t expires_at_ms;
    enum offer_end end;
    bool given_back; /* accepted, and then the driver drove off */
};

struct m_ride {
    struct id id; /* none: the place is free */
    uint64_t number;
    struct geo_point pickup;
    int type;
    bool surge;
    enum ride_status status;
    int64_t search_until_ms;
    struct m_offer offers[OFFERS];
    int offer_count;
};

/* What is being done, while its changes are read. */
struct doing {
    enum command_kind kind; /* COMMAND_COUNT: time passes */
    int ride, driver, offer;
    bool heard, available; /* the driver says so, from when the first change that needs it is read */
    struct geo_point point;
};

struct run {
    struct state *st;
    struct change *change;
    struct buf journal, batch;
    uint64_t *ends; /* of steps: bytes, and changes */
    uint32_t *counts;
    uint32_t steps, durable, capacity;
    int64_t now_ms, since_ms;
    uint64_t random, seed, operation;
    uint32_t offer_s, presence_s, search_s, batch_ms;
    bool batching;             /* in this run, most of the time */
    int matched[DRIVERS];      /* the ride to which each is offered in this step of batching; NOBODY */
    bool free_before[DRIVERS]; /* who was free before the first of them */
    uint32_t matched_count;
    struct fleet_weights weights;
    uint64_t key[2];
    struct m_driver drivers[DRIVERS];
    struct m_ride rides[RIDES];
    struct doing doing;
    uint64_t offered, accepted, crashes, lapsed, withdrawn, declined, together;
};

static struct run R;

__attribute__((format(printf, 1, 2), noreturn)) static void wrong(const char *format, ...)
{
    char sentence[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    fprintf(stderr, "seed %llu, operation %llu: %s\n", (unsigned long long)R.seed,
            (unsigned long long)R.operation, sentence);
    exit(1);
}
#define DEMAND(holds, ...)                                                                                   \
    do {                                                                                                     \
        if (!(holds))                                                                                        \
            wrong(__VA_ARGS__);                                                                              \
    } while (0)

static uint32_t roll(uint32_t sides)
{
    uint64_t z = R.random += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) % sides);
}

/* ---- The model ---- */

static int driver_named(struct text id)
{
    for (int i = 0; i < DRIVERS; i++)
        if (text_equal(id, (struct text){R.drivers[i].id, strlen(R.drivers[i].id)}))
            return i;
    wrong("There is no driver %.*s.", (int)id.size, id.at);
}

static struct m_ride *ride_of(struct id id)
{
    for (int i = 0; i < RIDES; i++)
        if (id_equal(R.rides[i].id, id))
            return &R.rides[i];
    return NULL;
}

static struct m_offer *live_offer(struct m_ride *r)
{
    struct m_offer *last = r->offer_count ? &r->offers[r->offer_count - 1] : NULL;
    return last && !last->end ? last : NULL;
}

/* Its status follows; waiting counts from when it became free, but for offers that came to nothing. */
static void refresh(struct m_driver *d)
{
    enum driver_status before = d->status;
    if (d->ride != NOBODY)
        d->status = R.rides[d->ride].status == RIDE_ASSIGNED ? DRIVER_BUSY : DRIVER_OFFERED;
    else
        d->status = d->exists && d->present && d->available && d->placed ? DRIVER_FREE : DRIVER_AWAY;
    if (d->status == DRIVER_FREE && before != DRIVER_FREE && (before != DRIVER_OFFERED || !d->free_ms))
        d->free_ms = R.now_ms;
    if (d->status == DRIVER_BUSY || d->status == DRIVER_AWAY)
        d->free_ms = 0;
}

/* What the driver of the command has said takes effect. */
static void hear(void)
{
    if (!R.doing.heard)
        return;
    struct m_driver *d = &R.drivers[R.doing.driver];
    R.doing.heard = false;
    d->available = R.doing.available;
    d->present = d->placed = true;
    d->point = R.doing.point;
    d->heard_ms = R.now_ms;
    refresh(d);
}

/* Whether it declined, or drove off; and the last of its offers that lapsed. */
static bool refused(const struct m_ride *r, int driver, uint64_t *lapsed)
{
    *lapsed = 0;
    bool never = false;
    for (int i = 0; i < r->offer_count; i++) {
        if (r->offers[i].driver != driver)
            continue;
        never = never || r->offers[i].end == OFFER_DECLINED || r->offers[i].end == OFFER_ACCEPTED;
        if (r->offers[i].end == OFFER_TIMED_OUT)
            *lapsed = r->offers[i].number;
    }
    return never;
}

static bool eligible(const struct m_ride *r, int driver, uint64_t *lapsed)
{
    const struct m_driver *d = &R.drivers[driver];
    return !refused(r, driver, lapsed) && d->status == DRIVER_FREE && (!r->type || r->type == d->type) &&
           R.now_ms < d->heard_ms + R.presence_s * 1000LL;
}

static int64_t score_of(const struct m_ride *r, const struct m_driver *d, int64_t *idle_ms)
{
    *idle_ms = R.now_ms - d->free_ms;
    *idle_ms = *idle_ms < IDLE_MAX_MS ? *idle_ms : IDLE_MAX_MS;
    struct score_facts facts = {.eta_ms = eta_ms(d->point, r->pickup, SPEED_KMH),
                                .idle_ms = *idle_ms,
                                .rating_milli = d->rating_milli,
                                .surge = d->surge && r->surge};
    return score_ms(&R.weights, &facts);
}

static bool asked_before(const struct m_ride *r, int a, int b)
{
    int64_t idle_a, idle_b, score_a = score_of(r, &R.drivers[a], &idle_a),
                            score_b = score_of(r, &R.drivers[b], &idle_b);
    if (score_a != score_b)
        return score_a < score_b;
    return idle_a != idle_b ? idle_a > idle_b : strcmp(R.drivers[a].id, R.drivers[b].id) < 0;
}

/* Whether this is who is to be asked: nobody older is passed over, nobody better, nobody who was not asked yet. */
static void judge_choice(const struct m_ride *r, int driver)
{
    uint64_t lapsed, other_lapsed;
    DEMAND(eligible(r, driver, &lapsed), "%s cannot be asked.", R.drivers[driver].id);
    DEMAND(R.now_ms < R.drivers[driver].heard_ms + R.presence_s * 1000LL, "%s is silent.",
           R.drivers[driver].id);
    for (int i = 0; i < RIDES; i++)
        DEMAND(id_none(R.rides[i].id) || R.rides[i].status != RIDE_SEARCHING ||
                   R.rides[i].number >= r->number || !eligible(&R.rides[i], driver, &other_lapsed),
               "An older ride waits for %s.", R.drivers[driver].id);
    int others = 0;
    bool first = r->offer_count == 0;
    for (int i = 0; i < DRIVERS; i++)
        others += i != driver && eligible(r, i, &other_lapsed) && !other_lapsed;
    for (int i = 0; i < DRIVERS; i++) {
        if (i == driver || !eligible(r, i, &other_lapsed))
            continue;
        DEMAND(!lapsed || other_lapsed > lapsed, "%s is asked again before %s.", R.drivers[driver].id,
               R.drivers[i].id);
        /* With eight of them the search may end before it has seen all. */
        DEMAND(!first || others >= 7 || !asked_before(r, i, driver), "%s is asked before %s.",
               R.drivers[driver].id, R.drivers[i].id);
    }
}

/* ---- Batching ---- */

/* Whether this ride could have been offered to this driver before the offers of this step. Those who let it lapse do not
 * count: they are asked only when there is no other, and nothing follows for the rest from that. */
static bool could_have(const struct m_ride *r, int driver)
{
    uint64_t lapsed;
    const struct m_driver *d = &R.drivers[driver];
    return R.free_before[driver] && !refused(r, driver, &lapsed) && !lapsed &&
           (!r->type || r->type == d->type) && R.now_ms < d->heard_ms + R.presence_s * 1000LL;
}

static void match_begin(void)
{
    for (int i = 0; i < DRIVERS; i++) {
        R.matched[i] = NOBODY;
        R.free_before[i] = R.drivers[i].status == DRIVER_FREE;
    }
    R.matched_count = 0;
}

static int64_t score_between(int ride, int driver)
{
    int64_t idle_ms;
    return score_of(&R.rides[ride], &R.drivers[driver], &idle_ms);
}

/* One that got an offer, against another that did, and against a driver who is left. */
static void judge_pair(int driver, int other)
{
    const struct m_ride *r = &R.rides[R.matched[driver]];
    int64_t is = score_between(R.matched[driver], driver);
    if (!could_have(r, driver) || !could_have(r, other))
        return;
    if (R.matched[other] == NOBODY) {
        DEMAND(is <= score_between(R.matched[driver], other), "%s is left, and better than %s.",
               R.drivers[other].id, R.drivers[driver].id);
    } else if (could_have(&R.rides[R.matched[other]], driver) &&
               could_have(&R.rides[R.matched[other]], other)) {
        R.together++;
        DEMAND(is + score_between(R.matched[other], other) <=
                   score_between(R.matched[driver], other) + score_between(R.matched[other], driver),
               "%s and %s should change rides.", R.drivers[driver].id, R.drivers[other].id);
    }
}

/* The offers of a step, together. */
static void judge_match(void)
{
    for (int i = 0; R.matched_count && i < DRIVERS; i++) {
        if (R.matched[i] == NOBODY)
            continue;
        for (int k = 0; k < RIDES; k++)
            DEMAND(id_none(R.rides[k].id) || R.rides[k].status != RIDE_SEARCHING ||
                       R.rides[k].number > R.rides[R.matched[i]].number || !could_have(&R.rides[k], i),
                   "An older ride waits, and %s goes to a younger one.", R.drivers[i].id);
        for (int k = 0; k < DRIVERS; k++)
            if (k != i)
                judge_pair(i, k);
    }
    match_begin();
}

/* Whether it may be asked, as far as this offer alone shows. */
static void judge_matched(const struct m_ride *r, int driver)
{
    uint64_t lapsed, other_lapsed;
    DEMAND(eligible(r, driver, &lapsed), "%s cannot be asked.", R.drivers[driver].id);
    if (!R.matched_count)
        match_begin();
    R.matched_count++;
    R.matched[driver] = (int)(r - R.rides);
    for (int i = 0; lapsed && i < DRIVERS; i++)
        DEMAND(i == driver || !R.free_before[i] || !eligible(r, i, &other_lapsed) || other_lapsed > lapsed,
               "%s is asked again before %s.", R.drivers[driver].id, R.drivers[i].id);
}

/* ---- Changes ---- */

static void follow_offer_end(struct m_ride *r, struct m_offer *o, const struct offer_image *image)
{
    struct m_driver *d = &R.drivers[o->driver];
    const struct doing *now = &R.doing;
    bool mine = now->ride != NOBODY && &R.rides[now->ride] == r;
    switch (image->end) {
    case OFFER_ACCEPTED:
        DEMAND(now->kind == COMMAND_OFFER_ACCEPT && mine && now->driver == o->driver &&
                   R.now_ms < o->expires_at_ms,
               "An offer is accepted by nobody.");
        R.accepted++;
        break;
    case OFFER_DECLINED:
        DEMAND(now->kind == COMMAND_OFFER_DECLINE && mine && now->driver == o->driver &&
                   R.now_ms < o->expires_at_ms,
               "An offer is declined by nobody.");
        R.declined++;
        break;
    case OFFER_TIMED_OUT:
        DEMAND(R.now_ms >= o->expires_at_ms && image->ended_at_ms == o->expires_at_ms,
               "An offer lapses early.");
        R.lapsed++;
        break;
    case OFFER_WITHDRAWN:
        if (now->kind == COMMAND_COUNT) {
            int64_t since_ms = d->present && d->heard_ms ? d->heard_ms : R.since_ms;
            DEMAND(R.now_ms >= since_ms + R.presence_s * 1000LL, "%s is not silent.", d->id);
            d->present = false;
        } else if (now->kind == COMMAND_RIDE_CANCEL) {
            DEMAND(mine, "An offer of another ride is withdrawn.");
        } else {
            bool removed = now->kind == COMMAND_DRIVER_REMOVE && now->driver == o->driver;
            DEMAND(removed || (now->driver == o->driver && !now->available),
                   "An offer is withdrawn for no reason.");
            hear();
        }
        R.withdrawn++;
        break;
    }
    o->end = image->end;
}

static void follow_offer(const struct offer_image *image, bool replay)
{
    struct m_ride *r = ride_of(image->ride);
    DEMAND(r || replay, "An offer of no ride.");
    if (!r)
        return; /* long over */
    int driver = driver_named(image->driver_id);
    struct m_offer *live = live_offer(r);
    if (image->end) {
        DEMAND(live && live->number == image->number, "An offer ends that is not live.");
        if (replay)
            live->end = image->end;
        else
            follow_offer_end(r, live, image);
        return;
    }
    DEMAND(!live && r->status == RIDE_SEARCHING, "A second offer of one ride.");
    DEMAND(R.drivers[driver].ride == NOBODY, "A second offer to %s.", R.drivers[driver].id);
    if (!replay) {
        DEMAND(R.doing.kind == COMMAND_COUNT && R.now_ms < r->search_until_ms, "An offer is made too late.");
        DEMAND(image->expires_at_ms == R.now_ms + R.offer_s * 1000LL, "An offer has another deadline.");
        if (R.batch_ms)
            judge_matched(r, driver);
        else
            judge_choice(r, driver);
        R.offered++;
    }
    DEMAND(r->offer_count < OFFERS, "Too many offers.");
    r->offers[r->offer_count++] =
        (struct m_offer){image->number, driver, image->expires_at_ms, (enum offer_end)0, false};
}

static void follow_ride(const struct ride_image *image)
{
    struct m_ride *r = ride_of(image->id);
    if (!r) {
        r = ride_of((struct id){0});
        if (!r)
            return;
        bool typed = image->type.at;
        *r = (struct m_ride){.id = image->id,
                             .number = image->number,
                             .pickup = image->pickup,
                             .type = typed ? image->type.at[0] - '0' : 0,
                             .surge = image->surge_milli > 1000};
    }
    int before = NOBODY;
    for (int i = 0; i < DRIVERS; i++)
        if (R.drivers[i].ride != NOBODY && &R.rides[R.drivers[i].ride] == r)
            before = i;
    struct m_offer *live = live_offer(r), *last = r->offer_count ? &r->offers[r->offer_count - 1] : NULL;
    DEMAND((image->status == RIDE_OFFERED) == (live != NULL),
           "A ride is offered without an offer, or the reverse.");
    DEMAND(image->status != RIDE_ASSIGNED ||
               (last && last->end == OFFER_ACCEPTED && last->driver == driver_named(image->driver_id)),
           "A ride is assigned to who did not accept it.");
    DEMAND(image->status != RIDE_NO_DRIVER || image->ended_at_ms >= r->search_until_ms,
           "A search ends early.");
    if (image->status == RIDE_SEARCHING && last && last->end == OFFER_ACCEPTED)
        last->given_back = true;
    r->status = image->status;
    r->search_until_ms = image->search_until_ms;
    int has = live ? live->driver : image->status == RIDE_ASSIGNED ? last->driver : NOBODY;
    DEMAND(has == NOBODY || R.drivers[has].ride == NOBODY || &R.rides[R.drivers[has].ride] == r,
           "%s has two rides.", R.drivers[has < 0 ? 0 : has].id);
    if (before != NOBODY && before != has) {
        R.drivers[before].ride = NOBODY;
        refresh(&R.drivers[before]);
    }
    if (has != NOBODY) {
        R.drivers[has].ride = (int)(r - R.rides);
        refresh(&R.drivers[has]);
    }
}

static void follow_driver(const struct driver_image *image)
{
    struct m_driver *d = &R.drivers[driver_named(image->id)];
    d->exists = !image->removed;
    d->rating_milli = image->rating_milli;
    d->surge = image->surge;
    d->type = image->type_count ? image->types[0].at[0] - '0' : 0;
    if (image->removed)
        d->present = d->placed = false;
    refresh(d);
}

static void follow(const struct change *c, bool replay)
{
    if (c->kind == CHANGE_OFFER)
        follow_offer(&c->offer, replay);
    else if (c->kind == CHANGE_RIDE)
        follow_ride(&c->ride);
    else if (c->kind == CHANGE_DRIVER)
        follow_driver(&c->driver);
}

/* ---- Steps ---- */

static void step_end(void)
{
    struct bytes_reader in = bytes_reader_make(R.batch.data, R.batch.size);
    uint32_t count = R.st->change_count;
    for (uint32_t i = 0; i < count; i++) {
        DEMAND(change_decode(&in, R.st->seq - count + i + 1, R.change), "A change cannot be read.");
        follow(R.change, false);
    }
    judge_match();
    hear();
    if (count) {
        if (R.steps == R.capacity) {
            R.capacity = R.capacity ? R.capacity * 2 : 1024;
            R.ends = memory_grow(R.ends, R.capacity, sizeof(*R.ends));
            R.counts = memory_grow(R.counts, R.capacity, sizeof(*R.counts));
        }
        buf_append(&R.journal, R.batch.data, R.batch.size);
        R.ends[R.steps] = R.journal.size;
        R.counts[R.steps++] = count;
    }
    buf_clear(&R.batch);
}

static enum outcome_code apply(struct command *c, struct outcome *out)
{
    R.doing.kind = c->kind;
    enum outcome_code code = state_apply(R.st, c, R.now_ms, &R.batch, out);
    if (code == OUTCOME_FETCH) { /* there is no book: what is not in memory is long over */
        c->ride_checked = true;
        code = state_apply(R.st, c, R.now_ms, &R.batch, out);
    }
    step_end();
    if (roll(4) == 0)
        R.durable = R.steps; /* the answer is out */
    return code;
}

static void dispatch(void)
{
    bool more = true;
    for (int i = 0; more; i++) {
        R.doing = (struct doing){.kind = COMMAND_COUNT, .ride = NOBODY, .driver = NOBODY};
        more = state_dispatch(R.st, R.now_ms, &R.batch);
        step_end();
        DEMAND(i < 1000, "The search never comes to rest.");
    }
    int64_t pause_ms = R.batch_ms > ROUND_PAUSE_MAX_MS ? R.batch_ms : ROUND_PAUSE_MAX_MS;
    bool pending = state_next_dispatch(R.st) <= R.now_ms + pause_ms;
    for (int i = 0; i < DRIVERS; i++) {
        struct m_driver *d = &R.drivers[i];
        int64_t since_ms = d->placed ? d->heard_ms : R.since_ms;
        if (d->present && R.now_ms >= d->heard_ms + R.presence_s * 1000LL) {
            d->present = false;
            refresh(d);
        }
        DEMAND(d->status != DRIVER_OFFERED || d->present || R.now_ms < since_ms + R.presence_s * 1000LL,
               "%s is silent, and has an offer.", d->id);
    }
    for (int i = 0; i < RIDES; i++) {
        struct m_ride *r = &R.rides[i];
        struct m_offer *live = id_none(r->id) ? NULL : live_offer(r);
        uint64_t lapsed;
        DEMAND(!live || R.now_ms < live->expires_at_ms, "An offer did not lapse.");
        if (id_none(r->id) || r->status != RIDE_SEARCHING)
            continue;
        DEMAND(R.now_ms < r->search_until_ms, "A search did not end.");
        for (int k = 0; k < DRIVERS; k++)
            DEMAND(pending || !eligible(r, k, &lapsed), "A ride waits, and %s is free.", R.drivers[k].id);
    }
}

/* ---- Commands ---- */

static struct text driver_text(int i)
{
    return (struct text){R.drivers[i].id, strlen(R.drivers[i].id)};
}

static struct geo_point somewhere(uint64_t *cell)
{
    struct geo_point p = {525000000 + (int32_t)roll(100000), 134000000 + (int32_t)roll(100000)};
    *cell = h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, 9);
    return p;
}

static void put_fleet(void)
{
    struct command c = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    R.doing = (struct doing){.ride = NOBODY, .driver = NOBODY};
    R.offer_s = 5 + roll(11);
    R.search_s = 20 + roll(40);
    R.batch_ms = R.batching && roll(8) ? 1 + roll(700) : 0;
    R.weights = (struct fleet_weights){1000, roll(2) * 500, roll(2) * 300, roll(2) * 700};
    c.fleet_put = (struct fleet_image){.id = TEXT("F"),
                                       .offer_s = R.offer_s,
                                       .resolution = 9,
                                       .max_rings = 9,
                                       .presence_s = R.presence_s,
                                       .search_s = R.search_s,
                                       .speed_kmh = SPEED_KMH,
                                       .batch_ms = R.batch_ms,
                                       .weights = R.weights,
                                       .key = {R.key[0], R.key[1]}};
    DEMAND(apply(&c, &out) == OUTCOME_OK, "The fleet is refused.");
}

static void driver_command(void)
{
    static const struct text types[] = {TEXT("1"), TEXT("2")};
    int i = (int)roll(DRIVERS);
    struct m_driver *d = &R.drivers[i];
    struct command c = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    uint64_t cell;
    R.doing = (struct doing){.ride = NOBODY, .driver = i, .heard = true, .available = roll(8) != 0};
    R.doing.point = somewhere(&cell);
    if (roll(25) == 0) {
        c.kind = COMMAND_DRIVER_REMOVE;
        c.driver.fleet = TEXT("F");
        c.driver.id = driver_text(i);
        R.doing.heard = false;
        DEMAND(apply(&c, &out) == (d->exists || out.code == OUTCOME_OK ? OUTCOME_OK : OUTCOME_NO_SUCH_DRIVER),
               "A removal is answered %s.", outcome_name(out.code));
    } else if (d->exists && roll(3)) {
        struct position p = {driver_text(i), R.doing.point, cell, roll(2) != 0, R.doing.available};
        if (!p.has_available)
            R.doing.available = d->placed ? d->available : true;
        c.kind = COMMAND_POSITIONS;
        c.positions.fleet = TEXT("F");
        c.positions.all = &p;
        c.positions.count = 1;
        DEMAND(apply(&c, &out) == OUTCOME_OK && out.updated == 1, "A position is lost.");
    } else {
        c.driver_put.fleet = TEXT("F");
        c.driver_put.id = driver_text(i);
        c.driver_put.point = R.doing.point;
        c.driver_put.cell = cell;
        c.driver_put.available = R.doing.available;
        c.driver_put.has_rating = c.driver_put.has_types = c.driver_put.has_surge = roll(2);
        c.driver_put.rating_milli = roll(5) * 1000;
        c.driver_put.types = &types[roll(2)];
        c.driver_put.type_count = roll(2);
        c.driver_put.surge = roll(2);
        DEMAND(apply(&c, &out) == OUTCOME_OK, "A driver is refused.");
        DEMAND(out.driver.status == d->status, "%s is %s, not %s.", d->id,
               driver_status_name(out.driver.status), driver_status_name(d->status));
    }
}

static void new_ride(void)
{
    struct m_ride *r = ride_of((struct id){0});
    struct command c = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_USER, .name = TEXT("ann")}};
    struct outcome out;
    for (int i = 0; !r && i < RIDES; i++)
        if (!ride_status_live(R.rides[i].status)) {
            R.rides[i] = (struct m_ride){0}; /* over: its place is free */
            r = &R.rides[i];
        }
    if (!r)
        return;
    R.doing = (struct doing){.ride = NOBODY, .driver = NOBODY};
    static const struct text types[] = {TEXT("1"), TEXT("2")};
    c.ride.fleet = TEXT("F");
    c.ride.id = (struct id){R.operation + 1, ((uint64_t)roll(UINT32_MAX) << 32) | roll(UINT32_MAX)};
    c.ride.pickup = somewhere(&c.ride.cell);
    c.ride.type = roll(3) ? (struct text){0} : types[roll(2)];
    c.ride.surge_milli = roll(2) ? 1000 : 1500;
    enum outcome_code code = apply(&c, &out);
    DEMAND(code == OUTCOME_OK || (code == OUTCOME_INVALID && c.ride.type.at), "A ride is refused.");
}

/* How it stands at this instant, whether or not the timer has run. */
static enum ride_status status_now(struct m_ride *r)
{
    struct m_offer *live = live_offer(r);
    enum ride_status status = r->status;
    if (live && R.now_ms >= live->expires_at_ms)
        status = live->expires_at_ms >= r->search_until_ms ? RIDE_NO_DRIVER : RIDE_SEARCHING;
    return status == RIDE_SEARCHING && R.now_ms >= r->search_until_ms ? RIDE_NO_DRIVER : status;
}

static enum outcome_code expect_ended(enum ride_status status)
{
    return status == RIDE_COMPLETED   ? OUTCOME_ALREADY_COMPLETED
           : status == RIDE_CANCELLED ? OUTCOME_ALREADY_CANCELLED
                                      : OUTCOME_NO_DRIVER;
}

static enum outcome_code expected(enum command_kind kind, struct m_ride *r)
{
    enum ride_status status = status_now(r);
    const struct m_offer *o = R.doing.offer < r->offer_count ? &r->offers[R.doing.offer] : NULL;
    bool drove_off = false;
    for (int i = 0; i < r->offer_count; i++)
        drove_off = drove_off || r->offers[i].given_back;
    if (kind == COMMAND_OFFER_ACCEPT || kind == COMMAND_OFFER_DECLINE) {
        enum offer_end end = o->end                         ? o->end
                             : R.now_ms >= o->expires_at_ms ? OFFER_TIMED_OUT
                                                            : (enum offer_end)0;
        if (o->driver != R.doing.driver)
            return OUTCOME_NOT_OWNER;
        bool again = kind == COMMAND_OFFER_ACCEPT ? end == OFFER_ACCEPTED && !o->given_back
                                                  : end == OFFER_DECLINED || end == OFFER_TIMED_OUT;
        return !end || again ? OUTCOME_OK : OUTCOME_OFFER_EXPIRED;
    }
    if (kind == COMMAND_RIDE_CANCEL)
        return ride_status_live(status) || status == RIDE_CANCELLED ? OUTCOME_OK : expect_ended(status);
    if (kind == COMMAND_RIDE_COMPLETE && (status == RIDE_ASSIGNED || status == RIDE_COMPLETED))
        return OUTCOME_OK;
    if (kind == COMMAND_RIDE_DRIVER_CANCEL &&
        (status == RIDE_ASSIGNED || (drove_off && ride_status_live(status))))
        return OUTCOME_OK;
    return ride_status_live(status) ? OUTCOME_NOT_ASSIGNED : expect_ended(status);
}

static void ride_command(void)
{
    static const enum command_kind kinds[] = {
        COMMAND_OFFER_ACCEPT,  COMMAND_OFFER_ACCEPT,  COMMAND_OFFER_ACCEPT, COMMAND_OFFER_DECLINE,
        COMMAND_OFFER_DECLINE, COMMAND_RIDE_COMPLETE, COMMAND_RIDE_CANCEL,  COMMAND_RIDE_DRIVER_CANCEL};
    int i = (int)roll(RIDES);
    for (int k = 0; k < 6 && !ride_status_live(R.rides[i].status); k++) /* mostly those under way */
        i = (int)roll(RIDES);
    struct m_ride *r = &R.rides[i];
    struct command c = {.kind = kinds[roll(8)], .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    bool offer = c.kind == COMMAND_OFFER_ACCEPT || c.kind == COMMAND_OFFER_DECLINE;
    if (id_none(r->id) || (offer && !r->offer_count))
        return;
    R.doing = (struct doing){.ride = i, .driver = NOBODY, .kind = c.kind};
    if (offer) {
        R.doing.offer = roll(3) ? r->offer_count - 1 : (int)roll((uint32_t)r->offer_count);
        R.doing.driver = roll(8) ? r->offers[R.doing.offer].driver : (int)roll(DRIVERS);
        c.actor = (struct actor){.role = ROLE_USER, .name = driver_text(R.doing.driver)};
        c.offer.fleet = TEXT("F");
        c.offer.id = entry_id(R.key, ENTRY_RIDE_OFFER, r->offers[R.doing.offer].number);
    } else {
        c.ride.fleet = TEXT("F");
        c.ride.id = r->id;
    }
    bool over = !ride_status_live(r->status);
    enum outcome_code should = expected(c.kind, r), is = apply(&c, &out);
    if (over && (is == OUTCOME_NO_SUCH_RIDE || is == OUTCOME_NO_SUCH_OFFER))
        return; /* forgotten by a crash or by time: only the book has it */
    DEMAND(is == should, "Command %d is answered %s, not %s.", c.kind, outcome_name(is),
           outcome_name(should));
    DEMAND(is != OUTCOME_OK || out.ride.status == r->status, "A ride is shown as it is not.");
}

/* ---- Crashes ---- */

static void crash(void)
{
    uint32_t keep = R.durable + (R.steps > R.durable ? roll(R.steps - R.durable + 1) : 0);
    struct state *st = state_make();
    struct bytes_reader in = bytes_reader_make(R.journal.data, keep ? R.ends[keep - 1] : 0);
    int64_t now_ms = R.now_ms;
    memset(R.rides, 0, sizeof(R.rides));
    for (int i = 0; i < DRIVERS; i++) {
        memset(&R.drivers[i].exists, 0, sizeof(R.drivers[i]) - offsetof(struct m_driver, exists));
        R.drivers[i].ride = NOBODY;
        R.drivers[i].status = DRIVER_AWAY;
    }
    while (bytes_left(&in)) {
        DEMAND(change_decode(&in, st->seq + 1, R.change), "The journal cannot be read.");
        R.now_ms = R.change->at_ms;
        follow(R.change, true);
        DEMAND(state_restore(st, R.change) == RESTORE_OK, "Change %llu does not fit.",
               (unsigned long long)R.change->seq);
        if (R.change->kind == CHANGE_FLEET) {
            R.offer_s = R.change->fleet.offer_s;
            R.search_s = R.change->fleet.search_s;
            R.batch_ms = R.change->fleet.batch_ms;
            R.weights = R.change->fleet.weights;
        }
        for (int i = 0; i < RIDES; i++) /* what is over makes room, as it does while it runs */
            if (!id_none(R.rides[i].id) && !ride_status_live(R.rides[i].status) && !ride_of((struct id){0}))
                memset(&R.rides[i], 0, sizeof(R.rides[i]));
    }
    DEMAND(state_restore_end(st), "The journal ends in the middle of a step.");
    R.now_ms = now_ms;
    R.journal.size = keep ? R.ends[keep - 1] : 0;
    R.steps = R.durable = keep;
    state_release(R.st);
    R.st = st;
    const struct fleet *f = state_fleet_named(st, TEXT("F"));
    for (int i = 0; i < RIDES; i++) {
        const struct m_ride *r = &R.rides[i];
        uint32_t handle = id_none(r->id) ? TABLE_NONE : ride_find(f, r->id);
        DEMAND(id_none(r->id) || handle != TABLE_NONE, "A ride is lost.");
        DEMAND(id_none(r->id) || ride_at(f, handle)->status == r->status, "A ride has become another.");
    }
    R.since_ms = R.now_ms;
    R.crashes++;
    dispatch(); /* the first step of a new process */
}

/* ---- The run ---- */

static void pass(void)
{
    int64_t due_ms = state_next_dispatch(R.st);
    uint32_t how = roll(10);
    if (how < 6)
        return;
    if (how < 8)
        R.now_ms += roll(1500);
    else if (due_ms != INT64_MAX && due_ms > R.now_ms)
        R.now_ms = due_ms - (how == 8); /* the millisecond of a deadline, and the one before */
}

static void report(void *ctx, const char *sentence)
{
    (void)ctx;
    wrong("%s", sentence);
}

static void run(uint64_t count, uint64_t seed)
{
    R = (struct run){.seed = seed, .random = seed, .now_ms = EPOCH_MS, .presence_s = 12, .key = {seed, 77}};
    R.batching = seed % 2 == 0;
    match_begin();
    R.st = state_make();
    R.change = memory_zeroed(1, sizeof(*R.change));
    buf_init(&R.journal, (size_t)1 << 34);
    buf_init(&R.batch, 1 << 24);
    for (int i = 0; i < DRIVERS; i++) {
        snprintf(R.drivers[i].id, sizeof(R.drivers[i].id), "d%02d", i);
        R.drivers[i].ride = NOBODY;
        R.drivers[i].status = DRIVER_AWAY;
    }
    R.since_ms = R.now_ms;
    put_fleet();
    R.durable = R.steps;
    for (R.operation = 0; R.operation < count; R.operation++) {
        uint32_t what = roll(100);
        pass();
        if (what < 35)
            driver_command();
        else if (what < 45)
            new_ride();
        else if (what < 75)
            ride_command();
        else if (what < 98)
            dispatch();
        else if (what < 99 || R.operation % 7)
            put_fleet();
        else
            crash();
        if (R.operation % 64 == 0) {
            state_check(R.st, report, NULL);
            state_forget(R.st, R.st->seq, 100);
        }
    }
    print_message("# %llu offers (%llu together): %llu accepted, %llu declined, %llu lapsed, %llu withdrawn; "
                  "%llu crashes\n",
                  (unsigned long long)R.offered, (unsigned long long)R.together,
                  (unsigned long long)R.accepted, (unsigned long long)R.declined,
                  (unsigned long long)R.lapsed, (unsigned long long)R.withdrawn,
                  (unsigned long long)R.crashes);
    /* A run in which nothing happens proves nothing. */
    assert_true(R.accepted * 50 > count && R.declined * 100 > count && R.lapsed * 100 > count &&
                R.withdrawn * 100 > count && (R.crashes > 0 || count < 10000));
    assert_true(!R.batching || R.together * 100 > count);
    state_release(R.st);
    buf_release(&R.journal);
    buf_release(&R.batch);
    free(R.change);
    free(R.ends);
    free(R.counts);
}

static uint64_t operations = 40000, first_seed = 1;

static void random_rides(void **state)
{
    (void)state;
    for (uint64_t left = operations, seed = first_seed; left; seed++) {
        uint64_t some = left < 20000 ? left : 20000; /* a crash reads the whole journal */
        run(some, seed);
        left -= some;
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_rides)};
    operations = argc > 1 ? strtoull(argv[1], NULL, 10) : operations;
    first_seed = argc > 2 ? strtoull(argv[2], NULL, 10) : first_seed;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
