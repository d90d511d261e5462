/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch_image.h — fleets, drivers, rides and offers: their records, free of pointers into core's state.
 *
 * Four records are persisted: the fleet and its settings; what the back end says about a driver (rating, types, surge);
 * the ride; each offer. A driver's position, availability and last report are not: after a restart a driver is no
 * candidate until it reports again.
 *
 * Points are 1e-7 degrees in integers. Cells are H3 cells of the fleet's resolution: the edge computes them from the
 * numbers of the request, before anything is rounded. Ids of offers follow from their number and the fleet's key
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
#define WEIGHT_MILLI_MAX 1000000 /* weights are in thousandths: at most 1,000 */
#define RATING_MILLI_MAX 5000
#define SURGE_MILLI_MIN 1000 /* of a ride: a factor */
#define SURGE_MILLI_MAX 1000000
#define DRIVER_ID_SIZE_MAX USER_SIZE_MAX /* a driver is a user */
#define DRIVER_TYPES_MAX TIERS_MAX       /* of one driver */
#define FLEET_TYPES_MAX 64               /* different types among the drivers of one fleet at a time */
#define TYPE_SIZE_MAX LABEL_SIZE_MAX
#define POSITIONS_MAX 1000   /* per command */
#define RIDE_OFFERS_MAX 1000 /* per ride: after that it has no driver */
#define DRIVER_OFFERS_MAX 3u /* of one ride, to the same driver */
#define RIDES_PER_RIDER_MAX 1000
#define IDLE_MAX_MS (30LL * 60 * 1000)  /* a driver's idle time counts up to this */
#define RIDE_KEPT_MS (15LL * 60 * 1000) /* how long a ride that has ended stays in memory */

struct geo_point {
    int32_t lat_e7, lng_e7;
};
static inline bool geo_point_valid(struct geo_point p)
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
    uint32_t offer_s; /* how long a driver has an offer exclusively */
    uint32_t resolution, max_rings;
    uint32_t presence_s; /* without a position before a driver is away */
    uint32_t search_s;   /* how long a ride is offered to drivers */
    uint32_t speed_kmh;
    uint32_t batch_ms; /* how long rides wait to be matched together; 0: one at a time, the oldest first */
    bool guests;       /* may request rides */
    uint32_t rides_per_rider; /* live rides per user; 0: no limit */
    struct fleet_weights weights;
    uint64_t key[2]; /* secret, never shown: ids of offers are made with it */
    int64_t created_at_ms;
    bool removed;
};

struct driver_image {
    uint64_t fleet; /* number */
    struct text id;
    uint32_t rating_milli;
    bool surge;               /* prefers rides with a surge over 1 */
    const struct text *types; /* decoded: point to `tiers` of the change; no duplicates */
    uint32_t type_count;
    bool removed;

    /* Not encoded. */
    struct text fleet_id;
    enum driver_status status;
    bool has_point; /* has reported since the start; the fields below are known then */
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
    int64_t ended_at_ms; /* 0: live */
    enum offer_end end;  /* 0: live */

    /* Not encoded. */
    struct id id;
};

struct ride_image {
    uint64_t fleet; /* number */
    struct id id;
    uint64_t number; /* the seq of the change that made it: lower is older */
    struct text rider_id;
    struct geo_point pickup, to;
    uint64_t cell; /* of the pickup */
    bool has_to;
    struct text type; /* none: any driver will do */
    uint32_t surge_milli;
    enum ride_status status;
    int64_t created_at_ms;
    int64_t search_until_ms;             /* no new offer from then on */
    int64_t assigned_at_ms, ended_at_ms; /* 0: none */
    /* The current driver, or the last one if it has ended; none: not accepted, or the driver cancelled. */
    struct text driver_id;
    uint64_t offer; /* number of the live or accepted offer; 0: none */

    /* Not encoded. */
    struct text fleet_id;
    const struct offer_image *offers; /* all, oldest first; valid until the next command */
    uint32_t offer_count;
    bool has_driver; /* assigned, and the driver has reported; the fields below are known then */
    struct geo_point driver;
    int64_t driver_heard_at_ms, driver_eta_ms;
};

/* Whether it is live: searching, offered or assigned. */
static inline bool ride_status_live(enum ride_status status)
{
    return status >= RIDE_SEARCHING && status <= RIDE_ASSIGNED;
}

/* A driver's report of where it is. */
struct position {
    struct text driver;
    struct geo_point point;
    uint64_t cell; /* of the fleet's resolution */
    bool has_available, available;
};

/* A change of a ride or of one of its offers, or the removal of a driver: for streams that follow them. */
struct ride_touch {
    uint64_t seq;
    uint64_t fleet;  /* number */
    struct id ride;  /* none: the driver was removed */
    uint64_t offer;  /* number; 0: the ride itself changed */
    uint64_t driver; /* driver_hash of the driver of the offer, or of the one removed; 0: the ride itself */
    uint8_t end;     /* enum offer_end of the offer; 0: it was made */
};

/* The figures of a fleet as a whole; core/dispatch/fleet.h. */
struct fleet_overview {
    uint64_t rides[RIDE_STATUS_LAST + 1]; /* by status: live ones, and those that ended within RIDE_KEPT_MS */
    uint64_t drivers[DRIVER_STATUS_LAST + 1];
    struct wait_figures assignment; /* from creation to assignment; since the start of this process */
};
/* Since the start; see batch.h. */
struct batch_stats {
    uint64_t groups;           /* of rides matched together */
    uint64_t groups_too_large; /* of those, the ones in which the oldest chose first instead */
};
struct fleet_cell {
    uint64_t cell;
    uint32_t free, offered, busy;
};

/* Which ride is requested. */
struct ride_key {
    struct id id;
    uint64_t offer; /* number of an offer: the ride it belongs to; 0: by id */
};

#endif
