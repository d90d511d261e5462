/* SPDX-License-Identifier: Apache-2.0 */
/* redis_link.h — one connection to one Redis server: commands go out in one stream, replies come back in order.
 *
 *            ┌──────────────── broken, or no reply to five probes ────────────────┐
 *            ▼                                                                    │
 *          AWAY ──back-off over──► CONNECTING ──AUTH, SELECT, scripts──► UP ◄──► RESTING
 *            ▲                         │                                  │
 *            └──── refused, or 1 s ────┴───────────── broken ─────────────┘
 *
 * AWAY       not connected; tried again after 100 ms to 5 s, each time about twice as long, with jitter
 * UP         commands are accepted
 * RESTING    three time-outs or errors in a row: for a second nothing is sent, then a PING until one is answered in time.
 *            Commands that waited at the same time count as one time-out: that is one pause, however many it delayed
 *
 * A time-out ends a command here and not in Redis, where it may still take effect; its reply is dropped when it comes.
 * Bounded: commands in flight, bytes unsent, the size of a reply. Plain TCP: TLS is left to a local proxy. The password
 * is never logged, nor anything a server says beyond the code of an error. Loop thread only.
 */
#ifndef HTTP_REDIS_LINK_H
#define HTTP_REDIS_LINK_H

#include <uv.h>

#include "base/resp/resp_reader.h"
#include "http/gate/redis_address.h"
#include "http/wire/output.h"

#define REDIS_COMMANDS_MAX 1024u
#define REDIS_UNSENT_MAX ((size_t)4 << 20)
#define REDIS_REPLY_MAX ((size_t)64 << 10)
#define REDIS_SCRIPTS_MAX 4
#define REDIS_SHA_SIZE 40

/* `reply` is valid during the call; NULL: none came in time, or the connection broke. Called exactly once for each
 * accepted command, never from redis_link_send, and also at close. It may send more, but not close the link. */
typedef void (*redis_reply_fn)(void *ctx, const struct resp_value *reply);

enum redis_link_state { REDIS_AWAY, REDIS_CONNECTING, REDIS_UP, REDIS_RESTING };

struct redis_link_options {
    const struct redis_address *address; /* borrowed, like the scripts */
    const char *const *scripts;    /* Lua, loaded whenever Redis does not know them; NULL ends the list */
    uint64_t (*now_ms)(void *ctx); /* server_now_ms, or a test's clock */
    void *ctx;
};

struct redis_pending {
    redis_reply_fn reply; /* NULL: it has been called */
    void *ctx;
    uint64_t sent_ms, until_ms;
    bool own; /* of the link itself */
};

#define REDIS_RING (REDIS_COMMANDS_MAX + 16) /* the link's own commands always have room */

struct redis_link {
    uv_loop_t *loop;
    struct redis_link_options options;
    enum redis_link_state state;
    uint64_t connections; /* that came up: behind each is a Redis that may have forgotten everything */
    unsigned failures;    /* UP: time-outs and errors in a row; RESTING: probes without a reply in time */
    uint64_t again_ms;    /* AWAY: when to connect; CONNECTING: when to give up; RESTING: when to probe */
    uint64_t failed_ms;   /* when a time-out was last counted */
    uint64_t up_ms;       /* when it last came up */
    uint64_t backoff_ms;  /* the next one, before jitter */
    uint64_t warned_ms;   /* 0: never */
    bool warned;          /* the log says that it is away */

    /* The connection. */
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_getaddrinfo_t resolve;
    bool has_tcp, resolving; /* in libuv's hands */
    unsigned tries;          /* chooses among the addresses of a host */
    struct output output;
    struct resp_reader reader;

    struct redis_pending pending[REDIS_RING]; /* sent, and not answered */
    unsigned pending_first, pending_count;
    uint64_t earliest_ms; /* none of them is due before */

    unsigned script_count, loading; /* loading: whose SCRIPT LOAD is not answered */
    char sha[REDIS_SCRIPTS_MAX][REDIS_SHA_SIZE + 1];

    uv_timer_t timer;
    uv_prepare_t prepare; /* sends what a turn has collected */
    bool due;             /* something was due a turn ago: what had come by then has been read since */
    bool calling, closing;
    unsigned open; /* what libuv has of it, and its owner */
    char read_buffer[16384];
};

struct redis_link *redis_link_open(uv_loop_t *loop, const struct redis_link_options *options);
/* Ends all commands. Freed when the loop has closed its handles. */
void redis_link_close(struct redis_link *l);
/* It has a timer of its own: call this a few times a second, in case the clock was moved. */
void redis_link_sweep(struct redis_link *l);

bool redis_link_up(const struct redis_link *l);
/* False: away, or the queue is full; nothing was sent. The command is complete RESP bytes, and they are copied. Sent
 * before the loop waits again, together with the others of the turn. */
bool redis_link_send(struct redis_link *l, const struct buf *command, uint64_t timeout_ms,
                     redis_reply_fn reply, void *ctx);
/* Up or resting: a command that is sent now comes after all that were. */
bool redis_link_reachable(const struct redis_link *l);
/* Sends a command that undoes what may come too late, if the link is reachable. Nobody waits for the reply. */
void redis_link_undo(struct redis_link *l, const struct buf *command);
/* The name of a script, for EVALSHA, while the link is up or rests. A reply NOSCRIPT has them loaded again, and is passed on. */
const char *redis_link_script(const struct redis_link *l, unsigned index);
/* Whether it is an error whose first word is this code. */
bool redis_error_is(const struct resp_value *reply, const char *code);

/* ---- For redis_connection.c ---- */
/* The connection is complete. */
void redis_link_ready(struct redis_link *l);
/* It has to be closed: does so, and ends all commands. */
void redis_link_broken(struct redis_link *l, const char *reason);
/* A command of the link itself; its bytes are at the end of the output. */
void redis_link_push(struct redis_link *l, uint64_t until_ms, redis_reply_fn reply);
/* False: the connection is broken. */
bool redis_link_reply(struct redis_link *l, const struct resp_value *reply);
void redis_link_arm(struct redis_link *l);
/* A handle is closed, or a request over. */
void redis_link_gone(struct redis_link *l);

#endif
