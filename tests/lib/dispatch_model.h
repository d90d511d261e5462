/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_model.h — a naive model of two fleets that share their drivers: what the contract allows to happen to
 * drivers, rides and offers.
 *
 * It reads the changes that core makes (model_follow) and demands of each that it was allowed. It knows nothing of how core
 * finds a driver: it looks at all of them. There is one run at a time, M; a demand that is not met names it and ends the
 * program.
 */
#ifndef TESTS_DISPATCH_MODEL_H
#define TESTS_DISPATCH_MODEL_H

#include "core/state.h"

#define FLEETS 2
#define DRIVERS 12
#define RIDES 24
#define OFFERS 400
#define EPOCH_MS 1700000000000
#define SPEED_KMH 36
#define NOBODY (-1)

struct m_fleet {
    struct text id;
    uint64_t number;
    uint32_t offer_s, search_s, batch_ms, rides_per_rider;
    struct fleet_weights weights;
};

/* One driver, whichever of the fleets have it. */
struct m_driver {
    char id[4];
    struct m_record {
        bool exists, surge;
        uint32_t rating_milli;
        int type; /* 0: none; 1, 2 */
    } in[FLEETS];
    bool present, available, placed;
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
    int fleet;
    struct geo_point pickup;
    int type;
    bool surge;
    char rider; /* the first letter */
    enum ride_status status;
    int64_t search_until_ms;
    struct m_offer offers[OFFERS];
    int offer_count;
};

/* What is being done, while its changes are read. */
struct doing {
    enum command_kind kind; /* COMMAND_COUNT: time passes */
    int ride, driver, offer, fleet;
    bool heard, available; /* the driver says so, from when the first change that needs it is read */
    struct geo_point point;
};

struct model_run {
    struct state *st;
    struct change *change;
    struct buf journal, batch;
    uint64_t *ends; /* of steps: bytes, and changes */
    uint32_t *counts;
    uint32_t steps, durable, capacity;
    int64_t now_ms, since_ms;
    uint64_t random, seed, operation;
    uint32_t presence_s;
    struct m_fleet fleets[FLEETS];
    bool batching;             /* in this run, most of the time */
    int matched[DRIVERS];      /* the ride to which each is offered in this step of batching; NOBODY */
    bool free_before[DRIVERS]; /* who was free before the first of them */
    uint32_t matched_count;
    uint64_t key[2];
    struct m_driver drivers[DRIVERS];
    struct m_ride rides[RIDES];
    struct doing doing;
    uint64_t offered, accepted, crashes, lapsed, withdrawn, declined, together, limited;
};

extern struct model_run M;

__attribute__((format(printf, 1, 2), noreturn)) void model_wrong(const char *format, ...);
#define DEMAND(holds, ...)                                                                                   \
    do {                                                                                                     \
        if (!(holds))                                                                                        \
            model_wrong(__VA_ARGS__);                                                                        \
    } while (0)

uint32_t model_roll(uint32_t sides); /* below it; from the seed */

struct m_ride *model_ride(struct id id);            /* or NULL */
struct m_offer *model_live_offer(struct m_ride *r); /* or NULL */
bool model_registered(const struct m_driver *d);    /* in one of the fleets at least */
/* Whether this driver can be asked for it now. *lapsed: the number of the last offer of it that it let lapse; 0: none. */
bool model_eligible(const struct m_ride *r, int driver, uint64_t *lapsed);
/* What the driver of the command has said takes effect. */
void model_hear(void);
/* The status of a driver follows from the rest. */
void model_refresh(struct m_driver *d);
/* A change of the step being done, or (replay) of before a crash. */
void model_follow(const struct change *c, bool replay);
/* With batching the offers of one step are judged together, at its end: nobody older is left without the driver of a younger
 * one, and no two rides would rather have each other's, nor one a driver who is left. */
void model_judge_match(void);
/* No offer of a step was seen yet. */
void model_match_begin(void);

#endif
