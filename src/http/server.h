/* SPDX-License-Identifier: Apache-2.0 */
/* server.h — the listening socket, all connections, and the state they share.
 *
 * Owns: listener, connections, spare requests, the read buffer, the lists of waiting connections. Borrows the
 * loop, the store, its view and the options. Loop thread only.
 *
 * Replies that wait for the disk: a connection with parked output is in `parked`, in the order in which it
 * began to wait. seqs grow, so when one becomes durable only the front of the list is checked, never all
 * connections. A reply that waits for an older seq than those before it leaves with them: a little late, never
 * too early.
 */
#ifndef HTTP_SERVER_H
#define HTTP_SERVER_H

#include <uv.h>

#include "http/access/auth.h"
#include "http/access/peers.h"
#include "http/access/rate_limits.h"
#include "http/demo/demo_payments.h"
#include "http/forward/min_seq.h"
#include "http/forward/node_header.h"
#include "http/forward/owner_client.h"
#include "http/forward/presence.h"
#include "http/gate/gate.h"
#include "http/hook/hook_sender.h"
#include "http/live/queue_snapshot.h"
#include "http/live/stream.h"
#include "http/metrics.h"
#include "http/door/ticket_keys.h"
#include "http/web/site.h"
#include "http/wire/connection.h"
#include "http/wire/reply_head.h"
#include "http/wire/spare_requests.h"

#define SERVER_READ_SIZE 65536

struct server_options {
    bool rate_limits;
    const char *const *origins; /* --cors; "*" is any */
    size_t origin_count;
    const struct cidr *proxies; /* --trust-proxy */
    size_t proxy_count;
    const char *checkout;             /* --checkout: target of "Pay", with {reservation}; NULL: none */
    const char *const *image_origins; /* --image-origin: from which pages may load event images */
    size_t image_origin_count;
    const char *metrics_key;  /* --metrics-key: /metrics needs it or the admin key; NULL: public */
    bool openapi_closed;      /* --openapi admin */
    bool hooks_private;       /* --hooks-private: hooks may use private addresses */
    bool guests_refused;      /* --guests off: no guest tokens */
    const char *demo;         /* `holdfast demo`, which has what is below /demo/: where its admin key is */
    const char *node;         /* the id of this node, where several share a log; NULL: this one is alone */
    const struct redis_addresses *redis; /* --redis: the gate's; NULL: none */
    bool gate_asks;           /* --gate redis: holds ask for intents there before they are passed on */
    unsigned connections_max; /* 0: as many as the process may open, at most 16,384 */
    unsigned per_address_max; /* 0: 1,024, or unlimited without rate limits */
    /* Milliseconds added to the time by which connections are timed out; NULL: none. For tests. */
    int64_t (*skip_ms)(void);
};

struct server {
    uv_loop_t *loop;
    struct store *store;
    struct view *view;
    const struct server_options *options;
    unsigned connections_max, per_address_max;
    uv_tcp_t listener;
    uv_timer_t sweep;
    uv_prepare_t prepare;
    uv_idle_t idle;   /* runs while a connection is deferred */
    unsigned handles; /* of the above, still open */

    struct auth auth;
    struct node_keys node_keys;
    struct owner_client *owner_client;
    struct min_seq_waits min_seq_waits;
    struct presence *presence;
    struct gate *gate; /* NULL: without Redis */
    struct ticket_keys ticket_keys;
    struct rate_limits rate_limits;
    struct metrics metrics;
    struct peers peers;
    struct streams streams;
    struct queue_snapshots snapshots;
    struct hook_sender *hooks;
    struct demo_payments *demo_payments; /* NULL: not a demo */
    struct buf openapi;
    struct site site;
    struct reply_stamp stamp;
    uint64_t request_count;
    int64_t failures_second; /* in which `failures` were answered with 5xx */
    unsigned failures;

    struct link connections;
    unsigned connection_count;
    struct link watched[WATCH_COUNT];
    struct link parked;
    struct link deferred;
    struct link closing;    /* connections whose sockets are still open */
    uint64_t closed_turn;   /* the turn in which one was last closed, */
    unsigned closed_so_far; /* and how many in it */
    struct spare_requests spare;
    unsigned requests_out; /* taken and not yet returned */
    uint64_t unsent;       /* bytes in libuv's hands */
    struct buf sink;       /* replies to clients that are gone */

    uint64_t turn; /* counts turns of the loop */
    uint64_t turn_began_ns, turn_idle_ns, turn_worked_ns;
    uint64_t request_ns;        /* when the latest request was begun */
    uint64_t requests_turn;     /* the turn it was begun in */
    uint64_t requests_until_ns; /* when requests have had their share of that turn */
    uint64_t read_turn;         /* the turn in which something was last read, */
    size_t read_so_far;         /* and how many bytes in it */
    uint64_t now_ms;            /* for deadlines of connections */
    uint64_t accept_warned_ms;

    bool stopping;
    bool closed; /* its handles are closing or gone */
    void (*stopped)(void *ctx);
    void *stopped_ctx;
    uint64_t stop_ms;
    char read_buffer[SERVER_READ_SIZE];
};

/* Listens on a bound socket (listen_bind) and takes ownership of it. On a fault nothing stays open. */
struct status server_open(struct server **out, uv_loop_t *loop, int take_socket, struct store *store,
                          struct view *view, const struct credentials *credentials,
                          const struct server_options *options);
/* The address it listens on: "127.0.0.1:8080". */
void server_address(const struct server *s, char *out, size_t size);
/* Stops accepting, lets requests in flight finish, closes the other connections; `stopped` is called when all are
 * closed, after three seconds at the latest. */
void server_stop(struct server *s, void (*stopped)(void *ctx), void *ctx);
/* Frees it; call it after `stopped`, when the loop has closed its handles. */
void server_free(struct server *s);

/* ---- For connections and replies ---- */
struct request *server_take_request(struct server *s);
void server_give_request(struct request *r);
/* Call it after adding to the connection's output: if the output waits for the disk, so does the connection. */
void server_park(struct server *s, struct connection *c);
void server_defer(struct server *s, struct connection *c);
/* Closes its socket now, or in a later turn if many close at the same time. */
void server_abandon(struct server *s, struct connection *c);
/* A request begins at this instant. */
void server_begin_request(struct server *s, uint64_t now_ns);
/* There is work for the next turns of the loop. */
void server_wake(struct server *s);
/* Requests have used their share of this turn of the loop: further ones wait for the next turn. */
bool server_turn_spent(const struct server *s);
/* How many bytes a connection may read at once now: never 0, so that requests get through beside large bodies. */
size_t server_read_room(struct server *s);
/* Counts bytes that were read. False: this turn's share is used up; connections with more data wait for the next. */
bool server_count_read(struct server *s, size_t size);
void server_watch(struct connection *c, enum watch watch);
void server_connection_gone(struct server *s);
bool server_origin_allowed(const struct server *s, struct text origin);
/* Now, for the deadlines of connections. */
uint64_t server_now_ms(struct server *s);

#endif
