/* SPDX-License-Identifier: Apache-2.0 */
/* hook.h — outgoing webhooks: the hooks, and the messages that are not delivered yet.
 *
 *   a change ──► waiting ──► delivered           (a 2xx; the message is dropped)
 *                 │  ▲ └───► dead                (24 h of trying or of waiting for a failing receiver; too many waiting)
 *                 │  └─ resend ── dead
 *                 └─ failed: waiting, next attempt later
 *
 * A message follows from a change and is not recorded separately: hook_messages_of defines which change makes which
 * message, for core and book alike, so a crash loses none. Ends are recorded in batches (CHANGE_HOOK_MOVED); if a crash
 * loses one, the message is sent again. The number of attempts is not recorded: after a restart it starts at 0.
 *
 * Of the messages of one reservation, or ride, to one hook only the first is ever due, which keeps their order. Core
 * does not send: the sender takes due messages (HOOK_TAKE) and reports the result (HOOK_REPORT). Image and bounds are
 * public: changes and outcomes include this header. A waiting message takes 88 bytes and two places in tables, about
 * 110.
 */
#ifndef CORE_HOOK_H
#define CORE_HOOK_H

#include "base/memory/bytes.h"
#include "core/types.h"

#define HOOKS_MAX 64
#define HOOK_URL_SIZE_MAX 2048
#define HOOK_SECRET_SIZE_MIN 16
#define HOOK_SECRET_SIZE_MAX 128
#define HOOK_OLD_SECRET_MS (24LL * 3600 * 1000) /* how long a replaced secret still signs too */
#define HOOK_TRY_MS (24LL * 3600 * 1000)        /* how long a message is tried */
#define HOOK_RETRY_FIRST_MS 1000LL
#define HOOK_RETRY_MOST_MS 3600000LL
#define HOOK_WARN_MS 60000LL      /* a hold is about to expire this long before its deadline */
#define HOOK_WARN_TTL_MS 120000LL /* shorter holds get no warning */
#define HOOK_TAKE_MAX 64          /* messages per HOOK_TAKE */
#define HOOK_MOVES_MAX 1024       /* per change, report or resend */
#ifndef HOOK_WAITING_MAX
#define HOOK_WAITING_MAX 1000000 /* per hook; beyond it the oldest are dead */
#endif

#define HOOK_BIT(event) (1u << (event))
#define HOOK_EVENTS_ALL (HOOK_BIT(HOOK_EVENT_LAST + 1) - HOOK_BIT(HOOK_EVENT_FIRST))

struct hook_image {
    uint64_t number; /* the seq of the change that made it */
    struct text name, url;
    uint32_t events;                /* HOOK_BIT of each event it wants */
    struct text secret, old_secret; /* old: optional */
    int64_t old_until_ms;           /* until then both sign */
    int64_t created_at_ms;
    bool removed;
};

/* The kind of thing an event is about: its messages are sent in order, and name it. */
static inline enum made_kind hook_event_of(enum hook_event event)
{
    return event == HOOK_RIDE_ASSIGNED ? MADE_RIDE : MADE_RESERVATION;
}

/* One message to one hook. Its key is (hook, seq, ordinal). */
struct hook_message {
    uint64_t seq;     /* of the change that made it */
    uint32_t ordinal; /* among the messages of that change */
    enum hook_event event;
    struct id reservation; /* or the ride: see hook_event_of */
    uint64_t subject;      /* the number of the refund due or payment it is about; 0: neither */
    int64_t at_ms;         /* when that happened */
    int64_t since_ms;      /* when the first attempt was due: the same, unless it was resent */
};

/* A message that has ended, or waits again. Only WAITING uses more than the key. */
enum hook_fate { HOOK_DELIVERED = 1, HOOK_DEAD = 2, HOOK_WAITING = 3 };
struct hook_move {
    enum hook_fate to;
    struct hook_message message;
};
void hook_move_put(struct buf *out, const struct hook_move *move);
bool hook_move_get(struct bytes_reader *in, struct hook_move *move);

/* A deadline that hooks were warned of. */
struct hook_warning_image {
    struct id reservation;
    int64_t expires_at_ms;
};

/* The pause after the n-th failure: a second, then twice as long each time. */
int64_t hook_pause_ms(uint32_t failures, uint64_t random, int64_t most_ms);

/* The result of an attempt. GONE: its subject no longer exists. */
enum hook_result { HOOK_RESULT_DELIVERED, HOOK_RESULT_FAILED, HOOK_RESULT_GONE };
struct hook_report {
    uint64_t seq;
    uint32_t ordinal;
    enum hook_result result;
    uint64_t random; /* FAILED: for the jitter */
};

struct change;
struct state;

/* Calls `each` for every message that this change makes; it goes to the hooks that want the event. */
typedef void (*hook_message_fn)(void *ctx, enum hook_event event, uint32_t ordinal, struct id reservation,
                                uint64_t subject);
void hook_messages_of(const struct change *c, hook_message_fn each, void *ctx);

/* ---- Reading ---- */
uint32_t state_hook_count(const struct state *st);
const struct hook_image *state_hook_at(const struct state *st, uint32_t index); /* sorted by name */
uint32_t state_hook_after(const struct state *st, struct text name); /* the first after this name */
const struct hook_image *state_hook_named(const struct state *st, struct text name); /* or NULL */
/* When the next message of this hook is due that is not taken; INT64_MAX: none. */
int64_t state_hook_due(const struct state *st, uint32_t index);
uint32_t state_hook_waiting(const struct state *st, uint32_t index);
/* Since when the oldest of its messages is tried or waits; INT64_MAX: there is none. */
int64_t state_hook_oldest(const struct state *st, uint32_t index);
struct hook_stats {
    uint64_t waiting, delivered, dead; /* messages: now; since the start */
    uint64_t failed;                   /* attempts, since the start */
};
struct hook_stats state_hook_stats(const struct state *st);
uint64_t state_hooks_seq(const struct state *st); /* of the last change of any of them */

/* ---- Time ---- */
/* Emits warnings for up to `most` holds that are about to expire, if any hook wants them. */
uint32_t state_warn(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes);
int64_t state_next_warning(const struct state *st); /* or INT64_MAX */

/* ---- For the modules of core ---- */
void hooks_init(struct state *st);
void hooks_release(struct state *st);
/* Drops up to `most` messages of removed hooks. */
uint32_t hooks_forget(struct state *st, uint32_t most);
void hooks_note(struct state *st, const struct change *c); /* a change was made or restored */
/* A held reservation has a new deadline, or (if it has ended) none. */
void hook_deadline_set(struct state *st, uint32_t handle);
void hook_deadline_end(struct state *st, uint32_t handle);

#endif
