/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_image.h — fleets, drivers, rides and offers: their records, free of pointers into core's state.
 *
 * Four records are written down: the fleet and its settings; of a driver what the back end says about it (rating,
 * types, surge); the ride; each offer. Where a driver is, whether it is available and when it was heard of is not:
 * after a restart nobody is a candidate until heard again.
 *
 * Points are 1e-7 degrees in integers. Cells are H3 cells of the fleet's resolution: the edge finds them from the
 * numbers that came, before anything is rounded. Ids of offers follow from their number and the fleet's key
 * (core/entry_id.h). Texts are borrowed, as in all images.
 */
#ifndef CORE_DISPATCH_IMAGE_H
#define CORE_DISPATCH_IMAGE_H

#include "core/dispatch/wait_times.h"
#include "core/types.h"

#define FLEETS_MAX 1000
#define FLEET_RESOLUTION_MAX 15
#define FLEET_RINGS_MAX 30
#define OFFER_SECONDS_MAX 3600
#define PRESENCE_SECONDS_MAX 86400
#define SEARCH_SECONDS_MAX 86400
#define SPEED_KMH_MAX 1000
#define BATCH_MS_MAX 10000
#define WEIGHT_MILLI_MAX 1000000 /* weights are in thousandths: 1,000 at most */
#define RATING_MILLI_MAX 5000
#define SURGE_MILLI_MIN 1000 /* of a ride: a factor */
#define SURGE_MILLI_MAX 1000000
#define DRIVER_ID_SIZE_MAX USER_SIZE_MAX /* a driver is a user */
#define DRIVER_TYPES_MAX TIERS_MAX       /* of one driver */
#define FLEET_TYPES_MAX 64               /* different ones that the drivers of one fleet have at a time */
#define TYPE_SIZE_MAX LABEL_SIZE_MAX
#define POSITIONS_MAX 1000   /* of one command */
#define RIDE_OFFERS_MAX 1000 /* of one ride: then there is no driver for it */
#define DRIVER_OFFERS_MAX 3u /* of one ride, to the same driver */
#define RIDES_PER_RIDER_MAX 1000
#define IDLE_MAX_MS (30LL * 60 * 1000)  /* for which a driver's waiting counts */
#define RIDE_KEPT_MS (15LL * 60 * 1000) /* for which a ride that is over stays in memory */

struct geo_point {
    int32_t lat_e7, lng_e7;
};
static inline bool geo_point_sound(struct geo_point p)
{
    return p.lat_e7 >= -900000000 && p.lat_e7 <= 900000000 && p.lng_e7 >= -1800000000 &&
           p.lng_e7 <= 1800000000;
}

/* In thousandths; see score.h. */
struct fleet_weights {
    uint32_t eta_milli, rating_milli, waiting_milli, surge_milli;
};

struct fleet_image {
    uint64_t number; /* the seq of the change that made it */
    struct text id;
    uint32_t offer_s; /* for which a driver has an offer to itself */
    uint32_t resolution, max_rings;
    uint32_t presence_s; /* so long after the last word a driver counts as gone */
    uint32_t search_s;   /* for which a ride is offered to drivers */
    uint32_t speed_kmh;
    uint32_t batch_ms; /* for which rides wait to be matched together; 0: each by itself, the oldest first */
    bool guests;       /* may ask for rides */
    uint32_t rides_per_rider; /* live ones that a user may ask for; 0: no limit */
    struct fleet_weights weights;
    uint64_t key[2]; /* secret, never shown: the ids of offers are made with it */
    int64_t created_at_ms;
    bool removed;
};

struct driver_image {
    uint64_t fleet; /* number */
    struct text id;
    uint32_t rating_milli;
    bool surge;               /* it prefers rides of which the surge is over 1 */
    const struct text *types; /* decoded: point to `tiers` of the change; each once */
    uint32_t type_count;
    bool removed;

    /* Not encoded. */
    struct text fleet_id;
    enum driver_status status;
    bool has_point; /* heard since the start; what follows is known then */
    struct geo_point point;
    uint64_t cell;
    bool available;
    int64_t heard_at_ms;
};

struct offer_image {
    uint64_t fleet;  /* number */
    uint64_t number; /* the seq of the change that made it */
    struct id ride;
    struct text driver_id;
    int64_t score_ms, eta_ms;
    int64_t made_at_ms, expires_at_ms;
    int64_t ended_at_ms; /* 0: it is live */
    enum offer_end end;  /* the same */

    /* Not encoded. */
    struct id id;
};

struct ride_image {
    uint64_t fleet; /* number */
    struct id id;
    uint64_t number; /* the seq of the change that made it: the lower, the older */
    struct text rider_id;
    struct geo_point pickup, to;
    uint64_t cell; /* of the pickup */
    bool has_to;
    struct text type; /* at == NULL: any driver will do */
    uint32_t surge_milli;
    enum ride_status status;
    int64_t created_at_ms;
    int64_t search_until_ms;             /* no new offer from then on */
    int64_t assigned_at_ms, ended_at_ms; /* 0: none */
    struct text
        driver_id;  /* who has it, or had it at its end; at == NULL: nobody has accepted it, or drove off */
    uint64_t offer; /* number of the live offer, or of the accepted one; 0: none */

    /* Not encoded. */
    struct text fleet_id;
    const struct offer_image *offers; /* all of them, oldest first; valid until the next command */
    uint32_t offer_count;
    bool has_driver; /* assigned, and the driver was heard of; what follows is known then */
    struct geo_point driver;
    int64_t driver_heard_at_ms, driver_eta_ms;
};

/* Whether it is under way: searching, offered or assigned. */
static inline bool ride_status_live(enum ride_status status)
{
    return status >= RIDE_SEARCHING && status <= RIDE_ASSIGNED;
}

/* A driver says where it is. */
struct position {
    struct text driver;
    struct geo_point point;
    uint64_t cell; /* of the fleet's resolution */
    bool has_available, available;
};

/* A ride that has changed, or one of its offers, or a driver who is gone: for those who follow them. */
struct ride_touch {
    uint64_t seq;
    uint64_t fleet;  /* number */
    struct id ride;  /* none: the driver was removed */
    uint64_t offer;  /* number; 0: the ride itself has changed */
    uint64_t driver; /* driver_hash of whom the offer is for, or who was removed; 0: the ride itself */
    uint8_t end;     /* enum offer_end of the offer; 0: it was made */
};

/* What is to be seen of a fleet as a whole; core/dispatch/fleet.h. */
struct fleet_overview {
    uint64_t
        rides[RIDE_STATUS_LAST + 1]; /* by status: those under way, and those that ended in RIDE_KEPT_MS */
    uint64_t drivers[DRIVER_STATUS_LAST + 1];
    struct wait_figures assignment; /* from a ride's creation to its assignment; of this process */
};
/* Since the start; see batch.h. */
struct batch_stats {
    uint64_t groups;           /* of rides that were matched together */
    uint64_t groups_too_large; /* of them, those whose oldest chose first instead */
};
struct fleet_cell {
    uint64_t cell;
    uint32_t free, offered, busy;
};

/* Which ride is wanted. */
struct ride_key {
    struct id id;
    uint64_t offer; /* the one with the offer of this number instead; 0: by id */
};

#endif
