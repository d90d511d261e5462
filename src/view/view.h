/* SPDX-License-Identifier: Apache-2.0 */
/* view.h — everything that can be read without a command: the interface between http and the state in memory.
 *
 * Owns the answers that are built once and shared by all requests (availability, layouts), and the listeners
 * for queue entries and rides. It reads the state of any store through store_state, is notified of every
 * change by store_on_touched, and changes nothing.
 *
 * Loop thread only. A callback may run before the call returns. An answer may be ahead of the disk, and says
 * which seq it must wait for. Texts and images are valid until the next turn of the loop.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include "core/calendar/calendar_image.h"
#include "core/calendar/group.h"
#include "core/dispatch/dispatch_image.h"
#include "store/store.h"
#include "view/document.h"

struct view;

/* Closes together with its store. answers_max: bytes of availability answers that slow readers may keep; 0:
 * the default. */
struct view *view_open(struct store *s, uint64_t answers_max);

/* The seq of the last removal of any record: a reply that a record does not exist waits for it. */
uint64_t view_absent_seq(struct view *v);

/* ---- Events and seats ---- */
struct event_view {
    struct event_image image;
    struct event_counts counts;
    uint64_t seq; /* the last change that touched it */
};
bool view_event_find(struct view *v, struct text id, struct event_view *out);
/* The event with the next greater number, for lists: begin with 0. */
bool view_event_after(struct view *v, uint64_t number, struct event_view *out);

struct seat_view {
    struct seat_image image;
    enum unit_status status;
    uint64_t version;
    uint64_t seq; /* wait for this */
};
/* OK, NO_SUCH_EVENT or NO_SUCH_SEAT. */
enum outcome_code view_seat_find(struct view *v, struct text event, struct text seat, struct seat_view *out);

struct pool_view {
    struct pool_image image; /* available: as availability shows it */
    uint64_t seq;            /* wait for this */
};
/* OK, NO_SUCH_EVENT or NO_SUCH_POOL. */
enum outcome_code view_pool_find(struct view *v, struct text event, struct text pool, struct pool_view *out);
/* The same by its position in the event, from 0. */
enum outcome_code view_pool_at(struct view *v, struct text event, uint64_t position, struct pool_view *out);

/* done gets NULL if there is no such event, else a reference that it must release. */
void view_layout(struct view *v, struct text event, void (*done)(void *ctx, struct document *document),
                 void *ctx);

enum availability_format { AVAILABILITY_JSON, AVAILABILITY_MAP };
/* done gets the complete JSON answer, shared by all requests until the next change. since: 0 for everything. OK:
 * the reference belongs to the caller. NO_SUCH_EVENT; or UNAVAILABLE while slow readers hold too many
 * answers. */
typedef void (*view_availability_fn)(void *ctx, enum outcome_code code, struct document *document);
void view_availability(struct view *v, struct text event, enum availability_format format, uint64_t since,
                       view_availability_fn done, void *ctx);

/* A change of a seat or pool of an event, for streams. */
struct touch_view {
    uint64_t seq;
    bool more; /* the next one has the same seq */
    bool is_seat; /* otherwise a pool */
    struct text unit_id;
    enum unit_status status; /* seats */
    uint64_t version;        /* seats: the seat's own */
    uint32_t available;      /* pools */
};
/* Calls fn for each touch with after < seq <= durable_seq, in order. False: `after` is too old (or from before a
 * restart), and fn was not called. event_number is event_image.number. */
bool view_touches(struct view *v, uint64_t event_number, uint64_t after,
                  void (*fn)(void *ctx, const struct touch_view *touch), void *ctx);

/* ---- Claims of seats, for a mirror of them ---- */
struct claim_view {
    uint64_t event_number;
    uint32_t position; /* of the seat, in its event */
    struct text event_id, seat_id;
    bool live;        /* held or sold */
    uint64_t version; /* the seq of the change that granted the claim: its fence; not live: of the one that ended the last */
    struct text user; /* none: not live, or sold, and only the book has its reservation */
};
/* fn is called for each seat that a step touched, at once; `seq` is the last change of that step. One listener. */
typedef void (*view_seat_fn)(void *ctx, uint64_t event_number, uint32_t position, uint64_t seq);
void view_on_seats(struct view *v, view_seat_fn fn, void *ctx);
/* The claim of a seat as it is now. False: the event was removed, or the seat does not exist. */
bool view_claim_find(struct view *v, uint64_t event_number, uint32_t position, struct claim_view *out);

/* A walk over all live claims, in the order of events and positions. Start with zeros. Claims that begin or end meanwhile may
 * be left out. */
struct claim_walk {
    uint64_t event_number;
    uint32_t position; /* continue here; 0: with the next event */
    bool done;
};
/* Takes one small step. True: it found a claim. */
bool view_claim_next(struct view *v, struct claim_walk *walk, struct claim_view *out);
/* fn gets the number of live claims of each of up to `most` events after this one, which becomes the last of them; 0 at the
 * end. */
void view_claims_count(struct view *v, uint64_t *event_number, uint32_t most,
                       void (*fn)(void *ctx, struct text event, uint64_t claims), void *ctx);

/* ---- Codes ---- */
struct code_view {
    struct code_image image;
    uint64_t seq; /* the last change of a code, or of a claim */
};
/* The next code after this one, in import order; start with "". Skips removed codes. */
bool view_code_after(struct view *v, struct text event, struct text code, struct code_view *out);

/* ---- Keys ---- */
struct key_view {
    struct key_image image;
    uint64_t seq;
};
/* By the hash of a key that is valid now: for authentication. */
bool view_key_find(struct view *v, const uint8_t hash[32], struct key_view *out);
bool view_key_named(struct view *v, struct text name, struct key_view *out);
/* In order of names; start with "". */
bool view_key_after(struct view *v, struct text name, struct key_view *out);

/* ---- Hooks ---- */
struct hook_view {
    const struct hook_image *image;
    uint32_t waiting;  /* messages to be sent */
    int64_t due_ms;    /* when the next message that is not being sent is due; INT64_MAX: none */
    int64_t oldest_ms; /* since when its oldest message has been waiting; INT64_MAX: none */
};
bool view_hook_find(struct view *v, struct text name, struct hook_view *out);
/* By hook_image.number. */
bool view_hook_numbered(struct view *v, uint64_t number, struct hook_view *out);
/* In order of names; start with "". */
bool view_hook_after(struct view *v, struct text name, struct hook_view *out);
/* The same by index. */
uint32_t view_hook_count(struct view *v);
bool view_hook_at(struct view *v, uint32_t index, struct hook_view *out);
/* The last change of any hook: an answer that shows hooks waits for it. */
uint64_t view_hooks_seq(struct view *v);
struct hook_stats view_hook_stats(struct view *v);

/* ---- The payment provider ---- */
/* number 0: none is set. */
const struct provider_image *view_provider(struct view *v);

/* ---- Erasures ---- */
/* The seq of the last one; 0: none since the start. An answer about erasures from the book must include this seq. */
uint64_t view_erased_seq(struct view *v);

/* ---- Calendars ---- */
struct calendar_view {
    struct calendar_image image; /* services no longer offered are `removed` */
    uint64_t seq;                /* the last change that touched it or a claim on it */
};
bool view_calendar_find(struct view *v, struct text id, struct calendar_view *out);
/* The calendar with the next greater number, for lists: begin with 0. */
bool view_calendar_after(struct view *v, uint64_t number, struct calendar_view *out);
/* One page of the slots that could be claimed now: see core/calendar/calendar_image.h.
 * query->now_ms is filled in here, and with a service query->length_ms too; `out` has room for query->limit.
 * OK, NO_SUCH_CALENDAR, or INVALID: the calendar offers no such service. */
enum outcome_code view_slots(struct view *v, struct text calendar, struct text service,
                             struct slots_query *query, struct slot *out, struct slots_page *page);
/* ---- Groups ---- */
struct group_view {
    struct group_image image; /* with the ids of its calendars */
    uint64_t seq;             /* the last change that touched it */
};
bool view_group_find(struct view *v, struct text id, struct group_view *out);
/* The group with the next greater number, for lists: begin with 0. */
bool view_group_after(struct view *v, uint64_t number, struct group_view *out);
/* A page of a group's slots in progress: each slice goes through a few of the members. `slots` is filled in as
 * core/calendar/group.h says; query.now_ms is filled in here. */
struct group_slots_view {
    struct group_slots slots;
    struct text service; /* optional */
    uint32_t party;
    uint64_t seq; /* the answer waits for it */

    /* between slices */
    bool begun;
    bool offered;                            /* a member that is large enough offers the service */
    uint64_t calendars[GROUP_CALENDARS_MAX]; /* numbers, of those that are large enough */
    uint32_t count, done;
};
/* OK: a slice is done, and *more says whether another one must follow. NO_SUCH_GROUP; INVALID: none of its calendars
 * that are large enough offers the service. */
enum outcome_code view_group_slots(struct view *v, struct text group, struct group_slots_view *s, bool *more);

/* A time span whose availability changed: slots that overlap [from, to) may be different. */
struct span_view {
    uint64_t seq;
    bool more; /* the next one has the same seq */
    int64_t from_ms, to_ms;
};
/* As view_touches, for a calendar. */
bool view_spans(struct view *v, uint64_t calendar_number, uint64_t after,
                void (*fn)(void *ctx, const struct span_view *span), void *ctx);
/* The confirmed bookings come from the book: store_query of QUERY_BOOKINGS, page by page. */

/* ---- Waiting rooms and waiting lists ---- */
/* OK, NO_SUCH_EVENT or NO_WAITING_ROOM. One entry is looked at by COMMAND_QUEUE_LOOK; the waiting list's
 * admin view comes from the book: store_query of QUERY_WAITING_LIST. */
enum outcome_code view_queue_find(struct view *v, struct text event, struct queue_view *out);
/* One entry as it is now, for streams: reading it neither settles anything nor counts as presence. False: no such
 * entry. *seq: wait for this. */
bool view_queue_entry(struct view *v, uint64_t event_number, uint32_t number, struct queue_entry_image *out,
                      uint64_t *seq);
/* fn is called for each queue entry that has moved (admitted, passed over, finished, left), once the move is
 * durable. One listener. */
void view_on_moved(struct view *v, void (*fn)(void *ctx, uint64_t event_number, uint32_t number), void *ctx);
/* The rank of a waiting list's entry among the waiting ones, 1 being the first; 0: it is no longer waiting.
 * *seq: wait for this. */
uint32_t view_list_position(struct view *v, uint64_t event_number, uint32_t number, uint64_t *seq);

/* ---- Dispatch ---- */
struct fleet_view {
    const struct fleet_image *image;
    uint64_t seq; /* wait for this */
};
bool view_fleet_find(struct view *v, struct text id, struct fleet_view *out);
/* In order of names; start with "". */
bool view_fleet_after(struct view *v, struct text id, struct fleet_view *out);
/* The drivers of a fleet, in no particular order; *place starts at 0. *budget is how many places may be visited;
 * 0 afterwards: there may be more. False: none was found. The answer waits for view_seq. */
bool view_driver_next(struct view *v, struct text fleet, uint32_t *place, uint32_t *budget,
                      struct driver_image *out);
/* Whether a fleet, given by its number, has this driver. */
bool view_has_driver(struct view *v, uint64_t fleet, struct text driver);
/* The driver as it is now. *ride: the one in this fleet that is offered to it or that it has; none: there is none. */
bool view_driver(struct view *v, uint64_t fleet, struct text driver, struct driver_image *out, struct id *ride);
bool view_fleet_overview(struct view *v, uint64_t fleet, struct fleet_overview *out);
/* As state_fleet_cell; false also if the fleet is gone. */
bool view_fleet_cell(struct view *v, uint64_t fleet, uint32_t *from, uint32_t *budget,
                     struct fleet_cell *out);
/* Totals over all fleets. */
struct dispatch_stats {
    uint64_t drivers[DRIVER_STATUS_LAST + 1];
    uint64_t
        rides[RIDE_STATUS_LAST + 1];   /* exact for rides in progress; ended ones are dropped from memory */
    uint64_t ends[OFFER_END_LAST + 1]; /* of offers, since the start */
    struct batch_stats batches;
};
void view_dispatch_stats(struct view *v, struct dispatch_stats *out);
/* The last seq: an answer that may show anything in memory waits for it. */
uint64_t view_seq(struct view *v);

struct ride_seen {
    struct ride_image image;
    bool as_rider;
    uint64_t seq; /* of its last change: wait for this */
};
/* A ride in memory as this user may see it; no user: an app or admin key. False: not in memory any more. */
bool view_ride(struct view *v, uint64_t fleet, struct id ride, struct text user, struct ride_seen *out);
/* An offer in memory, and the ride it is for. */
bool view_offer(struct view *v, uint64_t fleet, uint64_t number, struct offer_image *offer,
                struct ride_image *ride);

/* fn is called for each change of a ride, offer or driver, once it is durable. One listener. */
void view_on_ride(struct view *v, void (*fn)(void *ctx, const struct ride_touch *touch), void *ctx);
/* The hash by which a touch names a driver. */
uint64_t view_driver_hash(struct text driver);
/* Calls fn for each reported touch of this driver with seq > after, in order. False: `after` is too old (or from
 * before a restart), and fn was not called. */
bool view_driver_touches(struct view *v, uint64_t fleet, uint64_t driver_hash, uint64_t after,
                         void (*fn)(void *ctx, const struct ride_touch *touch), void *ctx);
/* The seq up to which touches were reported; the durable seq if none is pending. */
uint64_t view_rides_notified_seq(struct view *v);

/* Totals over all waiting rooms and waiting lists. */
struct entry_stats {
    uint64_t waiting, active; /* in queues: entries that are waiting, that are admitted */
    uint64_t listed;          /* waiting on lists */
    uint64_t joined_total, admitted_total, passed_over_total; /* queues, since start */
    uint64_t offered_total;                                   /* to lists, since start */
};
void view_entry_stats(struct view *v, struct entry_stats *out);

#endif
