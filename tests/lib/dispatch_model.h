/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_model.h — a naive model of two fleets that share their drivers: what the contract allows to happen to
 * drivers, rides and offers.
 *
 * It reads the changes that core makes (model_follow) and checks that each was allowed. It does not know how core finds
 * a driver: it goes through all of them. There is one run at a time, M; a check that fails names it and ends the
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

/* One driver, whichever fleets have it. */
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
    int ride; /* with a live offer or assigned; or NOBODY */
};

struct m_offer {
    uint64_t number;
    int driver;
    int64_t expires_at_ms;
    enum offer_end end;
    bool given_back; /* accepted, and then cancelled by the driver */
};

struct m_ride {
    struct id id; /* none: the slot is free */
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

/* The command whose changes are being read. */
struct doing {
    enum command_kind kind; /* COMMAND_COUNT: time passes */
    int ride, driver, offer, fleet;
    bool heard, available; /* as reported by the driver, from the first change that needs it */
    struct geo_point point;
};

struct model_run {
    struct state *st;
    struct change *change;
    struct buf journal, batch;
    uint64_t *ends; /* of steps: in bytes, and in changes */
    uint32_t *counts;
    uint32_t steps, durable, capacity;
    int64_t now_ms, since_ms;
    uint64_t random, seed, operation;
    uint32_t presence_s;
    struct m_fleet fleets[FLEETS];
    bool batching;             /* most of the time in this run */
    int matched[DRIVERS];      /* the ride each is offered in this step of batching; or NOBODY */
    bool free_before[DRIVERS]; /* before the first of these offers */
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

uint32_t model_roll(uint32_t sides); /* below `sides`; from the seed */

struct m_ride *model_ride(struct id id);            /* or NULL */
struct m_offer *model_live_offer(struct m_ride *r); /* or NULL */
bool model_registered(const struct m_driver *d);    /* in at least one of the fleets */
/* Whether this driver can be asked for it now. *lapsed: the number of the last offer of it that the driver let lapse;
 * 0: none. */
bool model_eligible(const struct m_ride *r, int driver, uint64_t *lapsed);
/* Applies what the driver of the command has reported. */
void model_apply_report(void);
/* Derives the status of a driver. */
void model_refresh(struct m_driver *d);
/* A change of the current step, or (replay) from before a crash. */
void model_follow(const struct change *c, bool replay);
/* With batching the offers of one step are judged together, at its end: no older ride is left without the driver of a
 * younger one, and no two rides would both gain by swapping, nor would one by taking an unassigned driver. */
void model_judge_match(void);
/* No offer of this step was seen yet. */
void model_match_begin(void);

#endif
