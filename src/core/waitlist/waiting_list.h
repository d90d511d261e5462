/* SPDX-License-Identifier: Apache-2.0 */
/* waiting_list.h — the waiting list for what is sold out, and the offers made from it.
 *
 *   join ──► waiting ──► offered ──► finished   (committed)
 *               │           └──────► left       (declined, released, lapsed)
 *               └──────────────────► left
 *
 * Freed stock is offered to the first entry, in order of joining, whose whole wish fits: an ordinary hold for that
 * user, marked `from_list`. An entry that declines it or lets it lapse has left, and the next one is asked.
 *
 * Rule: if an event has waiting entries, freed stock is visible and claimable only after the list was served. Whatever
 * frees stock marks the event as due; the list is served before a claimant is judged and at the end of every step.
 * Lapsed holds are settled before that, in the order of deadlines, until OFFERS_MAX claims have come free in the step:
 * so if more holds lapse at once, the first are offered before the others count as free. An event that goes on sale is
 * served with what is settled by then; what lapses is offered when the timer ends it.
 *
 * One step makes at most OFFERS_MAX offers, and begins no search after LIST_WORK_MAX work: so it does at most that and
 * one more search, of the event's rows and of the seats in rows that could have enough. While an event is due its free
 * stock looks held (seat_status, pool_shown, event_counts_shown), and claimants have to retry (OUTCOME_RETRY, inside
 * the engine). An event that is not on sale yet is served when its sale begins; one that has begun, is off sale or has
 * its list switched off is not served.
 *
 * Wishes and their order are in wish_group.h; how an offer is made and ends, in list_offer.h; what one step does, in
 * list_service.c.
 */
#ifndef CORE_WAITING_LIST_H
#define CORE_WAITING_LIST_H

#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/command.h"
#include "core/outcome.h"

/* The work of one step, in checks of a group, each about a tenth of a microsecond. */
#ifndef LIST_WORK_MAX
#define LIST_WORK_MAX 8192u
#endif
#define LIST_WORK_ROWS 64u  /* rows skipped that cost as much */
#define LIST_WORK_SEATS 16u /* seats checked that cost as much */
#define LIST_WORK_ASIDE 8u  /* the cost of barring an entry, or putting it back */

struct state;
struct event;
struct item;
struct waiting_list; /* owned by its event; the struct is in core/waitlist/wish_group.h */

/* What the lists of all events share. Part of struct state. */
struct waiting_lists {
    struct heap services;      /* events to serve, and when (0: at once); a handle is the event's index */
    struct slab offers;        /* struct list_offer: the live ones */
    struct table offers_by_id; /* by the reservation's id */
    bool served;               /* once since the start, or since the state took over */
    bool followed;             /* it was shown before it took over */

    /* Of this step. */
    struct list_note *notes; /* ends of offers; see list_offer.h */
    uint32_t note_count, note_capacity;
    uint32_t *turned; /* indexes of events that became due */
    uint32_t turned_count, turned_capacity;
    uint32_t freed; /* how often stock came free, or an entry joined for what could be free */
    uint32_t offers_left, work_left;
    bool no_offers; /* there is no room to record any */
};
void waiting_lists_init(struct state *st);
void waiting_lists_release(struct state *st);
/* A step begins. */
void waiting_lists_begin(struct state *st);

/* The entry with this number, as it is now. */
void waiting_list_image(const struct event *e, uint32_t number, struct list_entry_image *out);
/* Its position among the waiting entries, from 1; 0: it is not waiting, or does not exist. */
uint32_t waiting_list_position(const struct event *e, uint32_t number);
/* The last change of an entry: an answer that shows a position waits for it. */
uint64_t waiting_list_seq(const struct event *e);

/* ---- Stock ---- These do nothing if the list is empty, and emit nothing: the service does. */
/* The event's settings, layout or pools have changed: anything could fit. */
void waiting_list_freed(struct state *st, struct event *e);
/* This seat can be claimed again. */
void waiting_list_seat_freed(struct state *st, struct event *e, uint32_t position);
/* The claim of this item has ended, so its user has less. */
void waiting_list_claim_ended(struct state *st, struct event *e, const struct item *item, uint32_t user);
/* The user has given away something that is not free. */
void waiting_list_user_has_less(struct state *st, struct event *e, uint32_t user);
/* A command or the timer has ended or committed the reservation: if it was an offer, the next service moves its entry
 * on. */
void waiting_list_ended(struct state *st, uint32_t handle);

/* ---- Service ---- */
/* Whether entries of this event can be offered something now, and so come before any claimant. */
bool waiting_list_comes_first(const struct state *st, const struct event *e);
/* If that is true of one of these events: settles what has lapsed and serves their lists before any claim on them is
 * judged. OK, or RETRY: there is more to do first than one step does. */
enum outcome_code waiting_list_before_claim(struct state *st, struct event *const *events, uint32_t count);
/* Serves every event that is due. Called at the end of state_apply and state_expire. True: some are still due. */
bool waiting_list_serve(struct state *st);
/* A step of its own, for when the time of state_next_service has come, and once after recovery, before anything is
 * shown. Returns true if there is more to do at this very instant. Changes go to `changes`; see st->change_count and
 * st->touches. */
bool state_serve(struct state *st, int64_t now_ms, struct buf *changes);
/* When to call state_serve next: at once (0), when the next event with a list goes on sale, or never (INT64_MAX). */
int64_t state_next_service(const struct state *st);
/* There are offers still to make: the event's free stock is not shown as free. */
bool waiting_list_busy(const struct event *e);

/* ---- Following ---- */
/* A batch of changes was applied: no event is due. */
void waiting_lists_followed(struct state *st);
/* Every event with waiting entries is due once, as after recovery, but people have seen its stock. */
void waiting_lists_take_over(struct state *st);

/* ---- Recovery ---- False: it does not fit. */
/* After the held reservations; by event and number, without gaps, all that ever existed; none of a removed event. */
bool state_load_list_entry(struct state *st, const struct list_entry_image *image);
/* The event is removed: takes its list, which it must have, out of the service and the counts. The caller releases
 * it. */
struct waiting_list *waiting_list_take(struct state *st, struct event *e);
void waiting_list_release(struct waiting_list *list); /* NULL is fine; from any thread */

#endif
