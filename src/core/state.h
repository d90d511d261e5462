/* SPDX-License-Identifier: Apache-2.0 */
/* state.h — everything core knows, and the only ways to change it.
 *
 * Deterministic: no clock, I/O, threads, randomness or globals. Commands change it through state_apply, time through
 * state_expire, recovery through state_restore and state_load_*, the decisions of another process through state_follow.
 * One thread at a time.
 *
 *   apply(state, command, now) -> outcome + changes + touches
 *
 * Encoded changes are appended to the given buffer; touches and spans say which seats, pools and times look different
 * now.
 */
#ifndef CORE_STATE_H
#define CORE_STATE_H

#include "base/memory/buf.h"
#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/change.h"
#include "core/claim/idempotency.h"
#include "core/claim/sale.h"
#include "core/command.h"
#include "core/hook/hook_queue.h"
#include "core/outcome.h"
#include "core/waitlist/waiting_list.h"

/* Only pointers to these are used here: a file that needs their members includes their header. */
struct calendar;
struct detached;
struct dispatch; /* core/dispatch/fleet.h */
struct event;
struct group;
struct key;
struct layout;
struct layout_blocks;
struct nonces;

/* A part whose availability changed, such as a seat or a pool; identified as in an item. */
#define TOUCH_EVENT 0 /* instead of a kind: the whole event changed (its layout was replaced, for example) */
struct touch {
    uint32_t resource, part;
    uint8_t kind; /* enum item_kind, or TOUCH_EVENT */
};

/* A time on a calendar whose availability changed: slots that overlap it can look different. */
struct span_touch {
    uint32_t calendar; /* index */
    int64_t from_ms, to_ms;
};

/* A queue entry that moved. */
struct moved {
    uint32_t event; /* index */
    uint32_t number;
};

/* The part of an import that is in the log and not published yet: in recovery, and on a node that follows. */
struct staged {
    uint64_t event, import;
    struct buf rows;
    uint32_t count;
};

struct state_totals { /* since the process started */
    uint64_t held, confirmed, released, expired;
    uint64_t joined, admitted, passed_over; /* queue entries */
    uint64_t offered;                       /* to waiting lists */
};

struct step; /* core/step.h */

struct state {
    uint64_t seq;         /* of the last change */
    uint64_t removed_seq; /* of the last change that removed an event, a calendar, a group or a key */

    struct slab reservations, stubs, users, user_counts;
    struct table reservations_by_id, users_by_id, user_counts_by_pair;
    struct slab booked; /* see calendar/booked.h */
    struct table booked_by_key;
    uint32_t booked_swept;      /* where the sweep continues */
    struct heap deadlines;      /* of held reservations, by reservation handle */
    struct heap queues_due;     /* waiting rooms that have something to do, by event index */
    int64_t admitting_since_ms; /* the first state_admit of this process; 0: not yet */
    struct event **events;      /* by index */
    uint32_t event_count;
    uint32_t event_free, event_free_last; /* the free index to use next, and the last one freed, + 1 */
    uint32_t *event_list;                 /* indexes of existing events, ordered by number */
    uint32_t event_listed;
    struct table events_by_id, events_by_number;
    struct calendar **calendars; /* by index */
    uint32_t calendar_count;
    uint32_t calendar_free, calendar_free_last; /* as with events */
    uint32_t *calendar_list;                    /* indexes of existing calendars, ordered by number */
    uint32_t calendar_listed;
    struct table calendars_by_id, calendars_by_number;
    struct group **groups; /* by index, which is also the order of numbers; includes removed ones */
    uint32_t group_count;
    struct table groups_by_id, groups_by_number;
    struct key *keys; /* ordered by name */
    uint32_t key_count;
    struct idempotency idempotency;
    struct tickets tickets;
    struct nonces *nonces;
    char ticket_code[TICKET_CODE_SIZE]; /* of the ticket in the outcome */
    struct staged staged; /* of the latest import */
    struct detached *detached; /* see state_take_detached */
    struct waiting_lists lists;
    uint64_t epoch; /* of the last CHANGE_OWNER; 0: none */
    bool follows; /* another process decides: from state_follow_begin to state_take_over */
    struct payment_events *payment_events; /* not in the book yet, or fetched from it */
    struct provider_image provider;        /* texts are owned */
    uint64_t provider_seq;
    /* Indexes of cancelled events with claims left: money/event_cancel.h. */
    uint32_t *cancelling;
    uint32_t cancelling_count, cancelling_capacity;
    struct payments *payments; /* of reservations in memory, and those not in the book yet */
    struct refunds *refunds;   /* refunds due of these payments */
    struct hooks hooks;
    struct refusals *refusals; /* counted, and not written yet */
    struct erasures erasures;
    struct dispatch *dispatch;                       /* fleets */
    uint64_t by_status[RESERVATION_STATUS_LAST + 1]; /* reservations in memory */
    /* Entries of all waiting rooms; each room adds and subtracts its own. */
    uint64_t queue_by_status[QUEUE_STATUS_LAST + 1];
    uint64_t list_by_status[LIST_STATUS_LAST + 1]; /* and of all waiting lists */
    struct state_totals totals;

    /* Ended and confirmed reservations in the order of their changes, to be forgotten once the book has them. */
    struct forgettable {
        uint64_t seq;    /* of its last change at that time: the book must have it */
        int64_t from_ms; /* not before this time */
        uint32_t reservation;
    } * forgettable;
    uint64_t forgettable_first, forgettable_end;
    uint32_t forgettable_capacity;

    /* Of the command being applied. */
    int64_t now_ms;
    struct actor actor;
    struct buf *changes;
    uint32_t change_count;
    uint64_t step_number;   /* since the process started */
    uint32_t settle_left;   /* how many more lapsed reservations it may settle */
    bool settle_short;      /* there were more */
    bool judges_only;       /* nothing may change: see claim/gate.h */
    bool count_short;       /* it needs more seats counted than fits in one step */
    uint64_t touched_after; /* the seq before the first change that the following rows are about */
    struct touch *touches;
    uint32_t touch_count, touch_capacity;
    struct span_touch *spans;
    uint32_t span_count, span_capacity;
    struct moved *moved; /* queue entries, in this command or step */
    uint32_t moved_count, moved_capacity;
    struct ride_touch *rides; /* the same for dispatch */
    uint32_t ride_count, ride_capacity;
    struct sales sales; /* seats that this step sold and gave back */
    struct change change; /* scratch */
    struct buf scratch;
    struct buf before; /* items that the next reservation change changes or ends, as they were */
    uint32_t before_count;
    struct text reason; /* of the next reservation change, in the caller's words; borrowed */
    /* Rows of the ledger: while it is computed; of the reservation in the outcome. */
    struct payment_image *rows, *rows_shown;
    uint32_t row_count, row_capacity, rows_shown_capacity;
    struct step *step; /* the step that state_apply passes to the handler */
};

struct state *state_make(void);
void state_release(struct state *st);

/* Commands and steps set the time; call this before reading the state without one. It never goes back. */
void state_set_now(struct state *st, int64_t now_ms);
/* Judges and applies one command at the time now_ms, which never decreases. Changes are appended to `changes`; their
 * number is in st->change_count, and st->touches says what looks different. */
enum outcome_code state_apply(struct state *st, const struct command *c, int64_t now_ms, struct buf *changes,
                              struct outcome *out);

/* Expires up to `most` reservations whose deadline has passed, and offers the freed stock to waiting lists. Returns how
 * many; fewer than `most`: none is left, or there is already as much to offer as fits in one step;
 * state_next_deadline says which. */
uint32_t state_expire(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes);
/* The next deadline, or INT64_MAX. */
int64_t state_next_deadline(const struct state *st);
/* The book has everything up to book_seq: forgets up to `most` reservations, idempotency keys and other records that
 * are no longer needed in memory. Returns `most` when there is more to do. */
uint32_t state_forget(struct state *st, uint64_t book_seq, uint32_t most);

/* Memory of removed events, for the caller to release; NULL: none. */
struct detached *state_take_detached(struct state *st);

/* Recovery: applies one change. DAMAGED: it does not fit the state, so the journal or the book is damaged. FETCH: it
 * changes a confirmed reservation that only the book has; call state_remember, then try again. */
enum restore_result { RESTORE_OK, RESTORE_DAMAGED, RESTORE_FETCH };
enum restore_result state_restore(struct state *st, const struct change *c);
/* Prefetches the records of changes that will be restored soon, at most RESTORE_AHEAD, so that their cache misses
 * overlap. */
#define RESTORE_AHEAD 16
void state_restore_prefetch(const struct state *st, const struct change *changes, uint32_t count);
/* End of the log. False: it ends in the middle of a step. Parts of an import stay: where another process decides, it may still
 * publish them. */
bool state_restore_end(struct state *st);
/* This process decides and has no import in progress: drops the parts of those that were never published. */
void state_imports_over(struct state *st);

/* Following: another process decides, and its changes are applied batch by batch, each of whole steps. Between begin and
 * end nothing may read the state: a step is whole or not there. After the end, st->touches and its siblings say what looks
 * different.
 *
 *   lacks, for each change → read from the book → begin → follow, for each change → end
 */
void state_follow_begin(struct state *st);
enum restore_result state_follow(struct state *st, const struct change *c);
/* Nothing is due afterwards: whatever the batch freed, the process that decides has dealt with it, or will. */
void state_follow_end(struct state *st);
/* Whether memory lacks the record that this change of the next batch changes. It is read from the book and restored, if
 * the book has it; if not, an earlier change of the batch creates it. */
bool state_follow_lacks(struct state *st, const struct change *c);
/* The state decides from now on, as after recovery: lists are served once, and so on. False: the log ends in the middle of
 * a step. */
bool state_take_over(struct state *st);

/* Recovery from the book, before any state_restore: events and calendars first, then pools and seats, then
 * the rest. False: it does not fit. When all is restored the store sets the zone of each of st->calendars
 * (calendar_set_zone); nothing can be judged before. */
/* `held` is about how many reservations are held: only to allocate for them once. */
void state_load_begin(struct state *st, uint64_t held);
bool state_load_event(struct state *st, const struct event_image *image); /* false: it is damaged */
bool state_load_pool(struct state *st, const struct pool_image *image, uint32_t sold);
/* Takes ownership of the layout, not of its blocks; versions are by position. False for a removed event, too. */
bool state_load_seats(struct state *st, uint64_t event, struct layout *layout, const uint64_t *versions,
                      const struct layout_blocks *blocks);
bool state_load_staged(struct state *st, uint64_t event, uint64_t import, uint32_t columns,
                       const struct seat_image *seat);
/* Of an event, a calendar or a group; others are ignored: it was removed. */
void state_load_touched(struct state *st, uint64_t number, uint64_t seq);
bool state_load_reservation(struct state *st, const struct reservation_image *image);
/* Claims that ended STARTS_KEPT_MS before past_ms are not needed, and no command will have an earlier time. */
bool state_load_calendar(struct state *st, const struct calendar_image *image, int64_t past_ms);
/* For seats and pools; calendars have no counts per user. */
bool state_load_count(struct state *st, uint64_t event, struct text user, uint32_t confirmed_units);
/* An item of a confirmed reservation that stays in the book: `load` of its kind, and the user's count. */
bool state_load_bought(struct state *st, const struct item_image *item, struct id reservation,
                       struct text user);
/* Its tickets, if they are kept in memory. */
bool state_load_tickets(struct state *st, const struct item_image *item, struct id reservation,
                        const uint64_t ticket_key[2]);
/* A record whose image is all that the book has: as its change, with seq 0. */
bool state_load_record(struct state *st, const struct change *c);
/* Everything is loaded; seq is the book's. */
void state_load_end(struct state *st, uint64_t seq);

/* After a FETCH outcome: puts a record from the book back into memory. False: it does not fit the state, so the
 * journal or the book is damaged. */
bool state_remember(struct state *st, const struct reservation_image *image);
void state_remember_idempotency(struct state *st, const struct idempotency_image *image);
bool state_remember_ticket(struct state *st, const struct check_in_image *image);

/* ---- For the modules of core ---- */
/* The handlers of commands, each in its module. */
#define GETS_STATE struct state *st, const struct command *c, struct outcome *out
#define GETS_STEP struct step *step, struct outcome *out
#define GETS_RESERVATION struct step *step, uint32_t handle, struct outcome *out
#define HANDLER(name, gets, handler, traits) enum outcome_code handler(GETS_##gets);
COMMANDS(HANDLER)
#undef HANDLER

/* Begins a step: its time, its actor, the buffer for its changes. It may settle nothing until settle_left is set. */
void state_begin(struct state *st, int64_t now_ms, struct actor actor, struct buf *changes);
/* The seq that the next change will have. */
static inline uint64_t state_next_seq(const struct state *st)
{
    return st->seq + 1;
}
/* Gives the change in st->change the next seq and appends it. Only for the changes that README.md lists below "To add a
 * record": their records were changed in memory by the step itself. */
uint64_t state_emit(struct state *st);
/* The same, and applies it with the function that recovery uses, so that a command and a recovery cannot differ. For
 * all other records. The change was judged before: it must fit. */
uint64_t state_commit(struct state *st);
uint64_t state_emit_reservation(struct state *st, uint32_t handle, enum action action);
/* Records that a part looks different, once per command: only its final look is shown. `place` is where the seat or
 * pool keeps the index of its last touch, which can be out of date; NULL for TOUCH_EVENT. */
void state_touch(struct state *st, enum item_kind kind, uint32_t resource, uint32_t part, uint32_t *place);
/* The same for a time on a calendar, once for each change. */
void state_touch_span(struct state *st, uint32_t calendar, int64_t from_ms, int64_t to_ms);
/* The views have read what was touched. */
void state_forget_touches(struct state *st);
/* An ended or confirmed reservation can be forgotten once the book has its last change, and not before from_ms. */
void state_forgettable(struct state *st, uint32_t handle, int64_t from_ms);
/* The answer shows the effect of this change, so it must wait for it. */
static inline void state_saw(struct outcome *out, uint64_t seq)
{
    if (seq > out->seq)
        out->seq = seq;
}
enum outcome_code state_invalid(struct outcome *out, const char *detail, const char *pointer, ...)
    __attribute__((format(printf, 3, 4)));

#endif
