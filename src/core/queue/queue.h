/* SPDX-License-Identifier: Apache-2.0 */
/* queue.h — the waiting room of one event: who is in line, who is admitted, and when. In C it is called
 * `queue`, as in the API.
 *
 *   join ──► waiting ──► admitted ──► finished   (committed, or the pass has lapsed)
 *               │            └──────► left
 *               ├──► passed_over ──► admitted    (absent at their turn; came back in time)
 *               │         └────────► left        (did not)
 *               └──► left
 *
 * Entries are numbered by arrival and never move: 32 bytes each in chunks, with the users' ids in separate chunks;
 * both only grow. They stay until the event is removed, so that people can still see their entry. The position is the
 * number, or random (draw.h) for those who joined before a shuffled opening. The number of people ahead is exact: a
 * Fenwick tree counts, by position, entries that are no longer in line. A person who was passed over and came back is
 * in line again, at the old position; the entry stays `passed_over`, with until_ms 0, until it is admitted.
 *
 * What survives a restart: the queue_image, and each entry's user, status, tiers and until. Not: presence (everyone
 * counts as present for a while), credit and the measured rate (they start over).
 *
 * A queue that its event no longer has (PUT without one) is closed: no one can join or is admitted, holds need no
 * pass, passes lapse as before, and people can look at their entries and leave. If the event gets a waiting room again,
 * it is the same queue.
 *
 *   queue.c          the commands                    queue_line.c    entries, positions, counts
 *   queue_time.c     opening, ends, credit           queue_admit.c   who is admitted, step by step
 *   queue_pass.c     the hold step                   queue_view.c    what is shown
 *   queue_pace.c     pace and estimated wait         queue_restore.c from changes and the book
 *   draw.c           the shuffled opening
 */
#ifndef CORE_QUEUE_H
#define CORE_QUEUE_H

#include "core/command.h"
#include "core/outcome.h"

struct state;
struct step;
struct target;
struct event;
struct queue; /* created by queue_put, owned by its event; see core/queue/queue_line.h */

/* After EVENT_PUT: creates the event's queue if its settings have one, and emits its record if it is new. */
void queue_put(struct state *st, struct event *e, const uint8_t seed[32]);
void queue_release(
    struct queue *queue); /* NULL is fine; from any thread, once it is detached from its event */

/* ---- The hold step ---- */
/* Whether the step's owner may claim in the target's event: if it has a queue, a pass is required (not for admins, nor
 * to move a sold item). OK, with the tiers of the pass, which are valid for the rest of the command; or PASS_REQUIRED,
 * PASS_INVALID, PASS_EXPIRED. */
enum outcome_code queue_judge_pass(struct step *step, struct target *t, struct outcome *out);
/* Whether the target's pass is valid for this tier. */
bool queue_tier_named(const struct target *t, struct text tier);
/* The user has bought something of the event: finishes their entry if it is admitted. Emits. */
void queue_bought(struct state *st, struct event *e, struct text user);

/* ---- Time ---- */
/* Opens queues, ends passes, admits: up to `most` entries in total, of all queues. True: there is more to do right now.
 * Changes are appended to `changes`; see st->change_count and st->moved. At the first call of a process everyone counts
 * as present. */
bool state_admit(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes);
/* When to call state_admit next; INT64_MAX: no queue has anything to do. Any command can make it earlier. */
int64_t state_next_admission(const struct state *st);

/* ---- Reading, without a command ---- */
/* False: the event never had a queue. */
bool queue_view(const struct state *st, const struct event *e, struct queue_view *out);
/* The entry with this number, 1..joined, as shown to its owner; its tiers are valid until the next view. Settles
 * nothing, and does not count as presence. While a large queue is being counted, for less than a second, `position`
 * is 0. */
void queue_entry_view(const struct state *st, const struct event *e, uint32_t number,
                      struct queue_entry_image *out);
/* The seq that an answer with an entry must wait for. */
uint64_t queue_entry_seq(const struct event *e);
/* The entry's owner has an open stream: present for at least half a minute. If passed over, the person is back with the
 * next state_admit. False: no such entry, or not live. */
bool queue_present(struct state *st, struct event *e, uint32_t number);
/* The same for a person who polled another process and was given the next poll time there. */
bool queue_polled(struct state *st, struct event *e, uint32_t number);

/* Recovery from the book; false: it does not fit. Entries are ordered by event and number, without gaps, and there are
 * at least as many as were drawn; none of a removed event. */
bool state_load_queue(struct state *st, const struct queue_image *image);
/* How many entries of this event's queue will be loaded: only to allocate for them once. */
void state_load_queue_begin(struct state *st, uint64_t event, uint32_t entries);
bool state_load_queue_entry(struct state *st, const struct queue_entry_image *image);

#endif
