/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h — the waiting room of one event: who is in line, who is admitted, and when. In C it is the
 * `queue`, as in the API.
 *
 *   join ──► waiting ──► admitted ──► finished   (committed, or the pass has lapsed)
 *               │            └──────► left
 *               ├──► passed_over ──► admitted    (absent at its turn; came back in time)
 *               │         └────────► left        (did not)
 *               └──► left
 *
 * Entries are numbered by arrival and never move: 32 bytes each in chunks, the users' ids in a store of their
 * own, both only growing at the end. They stay until the event is removed, so that everybody can see what
 * became of them. The position is the number, or drawn by lot (draw.h) for those who came before a shuffled
 * opening. How many are ahead is exact: a fenwick tree counts, by position, who is no longer in line. Who was
 * passed over and came back is in line again, at its old position, and stays `passed_over` until it is
 * admitted; that it came back is remembered (its until_ms is 0 then).
 *
 * What is remembered across a restart: the queue_image, and each entry's user, status, tiers and until. Not:
 * presence (all count as present for a while), credit and the measured rate (they begin again).
 *
 * A queue that its event no longer has (PUT without one) is closed: nobody joins or is admitted, nobody needs
 * a pass, passes lapse as before, and entries can be looked at and left. When the event has one again it is
 * the same queue.
 *
 *   queue.c          the commands                    queue_line.c    entries, positions, counts
 *   queue_time.c     opening, ends, pace             queue_admit.c   who is admitted, step by step
 *   queue_pass.c     the hold step                   queue_view.c    what is shown
 *   queue_restore.c  from changes and the book       draw.c          the shuffled opening
 */
#ifndef CORE_QUEUE_H
#define CORE_QUEUE_H

#include "core/command.h"
#include "core/outcome.h"

struct state;
struct step;
struct target;
struct event;
struct queue; /* made by queue_put, owned by its event; the struct is in core/queue/queue_line.h */

/* After EVENT_PUT: the event has a queue from now on if its settings say so; emits its record when it is
 * new. */
void queue_put(struct state *st, struct event *e, const uint8_t seed[32]);
void queue_release(struct queue *queue); /* NULL is fine; from any thread, once no event has it */

/* ---- The hold step ---- */
/* Whether the step's owner may claim in the target's event: one with a queue wants a pass (not of admins, nor
 * of who has bought and moves). OK, with the tiers that it is for, which are good for the rest of the
 * command; or PASS_REQUIRED, PASS_INVALID, PASS_EXPIRED. */
enum outcome_code queue_judge_pass(struct step *step, struct target *t, struct outcome *out);
/* Whether this tier (at == NULL: none) is one that the target's pass is for. */
bool queue_tier_named(const struct target *t, struct text tier);
/* The user has bought something of the event: whoever was admitted has finished. Emits. */
void queue_bought(struct state *st, struct event *e, struct text user);

/* ---- Time ---- */
/* Opens queues, ends passes, admits: up to `most` entries in all, of all queues. Returns true when there is
 * more to do at this very instant. Changes go to `changes`; st->change_count and st->moved tell of them. The
 * first call after the start is when everybody counts as present. */
bool state_admit(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes);
/* When state_admit should be called next: INT64_MAX when no queue has anything to do. Any command may make it
 * earlier. */
int64_t state_next_admission(const struct state *st);

/* ---- Looking, without a command ---- */
/* Of an event that has, or had, a queue; false otherwise. */
bool queue_view(const struct state *st, const struct event *e, struct queue_view *out);
/* The entry with this number, 1..joined, as its owner may see it; its tiers are good until the next view.
 * Neither settles nor counts as asking. While a large queue is being counted, for less than a second,
 * `position` is 0. */
void queue_entry_view(const struct state *st, const struct event *e, uint32_t number,
                      struct queue_entry_image *out);
/* What an answer that shows an entry must wait for. */
uint64_t queue_entry_seq(const struct event *e);
/* The entry's owner is streaming: present for half a minute at least. One that was passed over is back with
 * the next state_admit. False: no such entry, or not live. */
bool queue_present(struct state *st, struct event *e, uint32_t number);

/* Recovery from the book; false: it does not fit. Entries come by event and number, without gaps, at least as
 * many as were drawn; none of a removed event. */
bool state_load_queue(struct state *st, const struct queue_image *image);
/* How many entries of this event's queue will be loaded: only to make space for them at once. */
void state_load_queue_begin(struct state *st, uint64_t event, uint32_t entries);
bool state_load_queue_entry(struct state *st, const struct queue_entry_image *image);

#endif
