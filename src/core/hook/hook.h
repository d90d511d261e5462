/* SPDX-License-Identifier: Apache-2.0 */
/* hook.h — outgoing webhooks: who is told of what, and what is still to be told.
 *
 *   a change ──► waiting ──► delivered           (a 2xx; the message is gone)
 *                 │  ▲ └───► dead                (24 h of attempts, or of waiting for a receiver that fails; too many wait)
 *                 │  └─ resend ── dead
 *                 └─ failed: waiting, next attempt later
 *
 * A message follows from a change and is not written down itself: hook_messages_of says which change makes which, for
 * core and book alike, so a crash loses none. What ended is written down in batches (CHANGE_HOOK_MOVED); if a crash
 * loses that, the message is sent again. How often it was tried is not kept: after a restart it begins anew.
 *
 * Of the messages of one reservation, or ride, to one hook only the first is ever due: the order is kept. Who sends, and how, is
 * not core's: it takes what is due (HOOK_TAKE) and reports what became of it (HOOK_REPORT). Image and bounds are
 * everybody's: changes and outcomes include this. A waiting message takes 88 bytes and two places in tables, about 110.
 */
#ifndef CORE_HOOK_H
#define CORE_HOOK_H

#include "base/memory/bytes.h"
#include "core/types.h"

#define HOOKS_MAX 64
#define HOOK_URL_SIZE_MAX 2048
#define HOOK_SECRET_SIZE_MIN 16
#define HOOK_SECRET_SIZE_MAX 128
#define HOOK_OLD_SECRET_MS (24LL * 3600 * 1000) /* for which a replaced secret signs too */
#define HOOK_TRY_MS (24LL * 3600 * 1000)        /* for which a message is tried */
#define HOOK_RETRY_FIRST_MS 1000LL
#define HOOK_RETRY_MOST_MS 3600000LL
#define HOOK_WARN_MS 60000LL      /* so long before its deadline a hold is about to expire */
#define HOOK_WARN_TTL_MS 120000LL /* shorter holds are not warned of */
#define HOOK_TAKE_MAX 64          /* messages of one HOOK_TAKE */
#define HOOK_MOVES_MAX 1024       /* of one change, one report, one resend */
#ifndef HOOK_WAITING_MAX
#define HOOK_WAITING_MAX 1000000 /* of one hook; beyond it the oldest are dead */
#endif

#define HOOK_BIT(event) (1u << (event))
#define HOOK_EVENTS_ALL (HOOK_BIT(HOOK_EVENT_LAST + 1) - HOOK_BIT(HOOK_EVENT_FIRST))

struct hook_image {
    uint64_t number; /* the seq of the change that made it */
    struct text name, url;
    uint32_t events;                /* HOOK_BIT of each that it wants */
    struct text secret, old_secret; /* old: at == NULL: none */
    int64_t old_until_ms;           /* until then both sign */
    int64_t created_at_ms;
    bool removed;
};

/* What an event happens to: messages of it are told in order, and name it. */
static inline enum made_kind hook_event_of(enum hook_event event)
{
    return event == HOOK_RIDE_ASSIGNED ? MADE_RIDE : MADE_RESERVATION;
}

/* One message to one hook. (hook, seq, ordinal) is its name. */
struct hook_message {
    uint64_t seq;     /* of the change that made it */
    uint32_t ordinal; /* among the messages of that change */
    enum hook_event event;
    struct id reservation; /* or the ride: see hook_event_of */
    uint64_t subject;      /* the number of the refund due or payment that it is about; 0: of neither */
    int64_t at_ms;         /* when that happened */
    int64_t since_ms;      /* tried since then: the same, unless it was sent again */
};

/* A message that has come to an end, or back from it. Only WAITING says more than its name. */
enum hook_fate { HOOK_DELIVERED = 1, HOOK_DEAD = 2, HOOK_WAITING = 3 };
struct hook_move {
    enum hook_fate to;
    struct hook_message message;
};
void hook_move_put(struct buf *out, const struct hook_move *move);
bool hook_move_get(struct bytes_reader *in, struct hook_move *move);

/* A deadline of which hooks were told before it came. */
struct hook_warning_image {
    struct id reservation;
    int64_t expires_at_ms;
};

/* How long after the n-th failure it is tried again: a second, then twice as long each time. */
int64_t hook_pause_ms(uint32_t failures, uint64_t random, int64_t most_ms);

/* What became of an attempt. GONE: there is nothing to tell of any more. */
enum hook_result { HOOK_RESULT_DELIVERED, HOOK_RESULT_FAILED, HOOK_RESULT_GONE };
struct hook_report {
    uint64_t seq;
    uint32_t ordinal;
    enum hook_result result;
    uint64_t random; /* FAILED: for the jitter */
};

struct change;
struct state;

/* Calls `each` for every message that this change makes: hooks that want the event get it. */
typedef void (*hook_message_fn)(void *ctx, enum hook_event event, uint32_t ordinal, struct id reservation,
                                uint64_t subject);
void hook_messages_of(const struct change *c, hook_message_fn each, void *ctx);

/* ---- Looking ---- */
uint32_t state_hook_count(const struct state *st);
const struct hook_image *state_hook_at(const struct state *st, uint32_t index); /* in the order of names */
uint32_t state_hook_after(const struct state *st, struct text name); /* the first that is behind this name */
const struct hook_image *state_hook_named(const struct state *st, struct text name); /* or NULL */
/* When the next message of this hook that nobody has taken is due; INT64_MAX: none is. */
int64_t state_hook_due(const struct state *st, uint32_t index);
uint32_t state_hook_waiting(const struct state *st, uint32_t index);
/* Since when the oldest of its messages is tried or waits to be; INT64_MAX: there is none. */
int64_t state_hook_oldest(const struct state *st, uint32_t index);
struct hook_stats {
    uint64_t waiting, delivered, dead; /* messages: now; since start */
};
struct hook_stats state_hook_stats(const struct state *st);
uint64_t state_hooks_seq(const struct state *st); /* of the last change of one */

/* ---- Time ---- */
/* Up to `most` holds that are about to expire are told of, if any hook wants it. */
uint32_t state_warn(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes);
int64_t state_next_warning(const struct state *st); /* or INT64_MAX */

/* ---- For the modules of core ---- */
void hooks_init(struct state *st);
void hooks_release(struct state *st);
/* Lets go of up to `most` messages of hooks that were removed. */
uint32_t hooks_forget(struct state *st, uint32_t most);
void hooks_note(struct state *st, const struct change *c); /* a change was made or restored */
/* A held reservation has this deadline now, or (of one that has ended) none. */
void hook_deadline_set(struct state *st, uint32_t handle);
void hook_deadline_end(struct state *st, uint32_t handle);

#endif
