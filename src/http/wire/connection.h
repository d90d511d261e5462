/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/* connection.h — one client's TCP connection: reads requests, has them answered in order, sends replies.
 *
 *   HEAD ──head complete──► BODY ──body complete──► ANSWER ──reply finished──► HEAD
 *     │                      │                        │ └──it was a stream──► STREAM
 *     └──cannot be framed────┴──refused early─────────┴──must close──► LAST ──sent──► LINGER ──► CLOSED
 *
 * HEAD     waiting for a head, or between two requests
 * BODY     the head is known, the body is not complete
 * ANSWER   a handler has the request; nothing more is read from `in` until it has replied, so replies keep
 *          their order
 * STREAM   stream.c and its sources write; the client's bytes are ignored
 * LAST     nothing more is read; closes when the output is sent
 * LINGER   the output is sent and our side is shut down; the client's bytes are discarded for a moment, because
 *          closing with unread bytes makes the kernel reset the connection, and the reply could be lost
 * CLOSED   its socket is closed in this turn of the loop or one of the next; freed in libuv's callback
 *
 * Bytes are read into one buffer shared by all connections. `in` keeps only bytes that could not be used at once:
 * a part of a head, or pipelined requests. A request outlives its connection while the store still has it.
 *
 * Deadlines are kept in one list per kind of waiting, in order of time, swept a few times a second.
 */
/* clang-format on */
#ifndef HTTP_CONNECTION_H
#define HTTP_CONNECTION_H

#include <uv.h>

#include "http/access/address.h"
#include "http/access/peers.h"
#include "http/wire/chunks.h"
#include "http/wire/link.h"
#include "http/wire/output.h"
#include "http/wire/request.h"

struct stream;

enum connection_state {
    CONNECTION_HEAD,
    CONNECTION_BODY,
    CONNECTION_ANSWER,
    CONNECTION_STREAM,
    CONNECTION_LAST,
    CONNECTION_LINGER,
    CONNECTION_CLOSED,
};

/* What a connection waits for, each with its own time limit. */
enum watch {
    WATCH_NONE,    /* the store, or a stream */
    WATCH_IDLE,    /* the next request */
    WATCH_REQUEST, /* the rest of a request, counted from its first byte */
    WATCH_IMPORT,  /* the rest of an import's body */
    WATCH_WRITE,   /* the client to read */
    WATCH_LINGER,
    WATCH_COUNT,
};

struct connection {
    uv_tcp_t tcp;
    struct server *server;
    enum connection_state state;
    struct request *request; /* BODY, ANSWER */
    struct chunks chunks;
    struct buf in;
    size_t checked; /* of the head in `in` */
    struct output output;
    size_t flight_counted; /* its part of the server's unsent bytes */
    size_t write_left;     /* bytes unsent when WATCH_WRITE was last checked */
    uv_shutdown_t shutdown;
    bool eof;
    bool reading;
    bool paused;           /* HEAD: the next request waits until there is room in the output */
    bool unread;           /* LAST: the client may still be sending */
    struct stream *stream; /* STREAM */
    bool chunked;          /* STREAM: sent in chunks; otherwise the close ends it */
    struct address address;
    struct peer *peer;
    uint64_t turn;          /* the turn of the loop in which requests were last counted */
    unsigned turn_requests; /* answered in that turn */

    enum watch watch;
    uint64_t since_ms;    /* when the waiting began; restarted by every answer */
    uint64_t listed_ms;   /* when it was appended to its list; the lists are in this order */
    struct link all;      /* server.connections; CLOSED: server.closing */
    struct link of_peer;  /* peer.connections */
    struct link watched;  /* server.watched[watch] */
    struct link parked;   /* server.parked: waits for a seq to be durable */
    struct link deferred; /* server.deferred: has used its share of this turn */
};

/* Accepts a connection from the listener; NULL on failure. */
struct connection *connection_accept(struct server *s, uv_stream_t *listener);
/* Ends it; the socket closes when the server calls connection_abandon. */
void connection_close(struct connection *c);
/* Called by the server: closes the socket of a connection in state CLOSED. */
void connection_abandon(struct connection *c);
/* Begins reading. */
void connection_start(struct connection *c);
/* No request, no output: nothing is lost if it is closed. */
bool connection_idle(const struct connection *c);
/* Everything up to durable_seq may be sent. The caller has taken it out of server.parked. */
void connection_settle(struct connection *c, uint64_t durable_seq, uint64_t now_ns);
/* What was applied for it may or may not become durable: answers 503 in place of the first parked reply, drops the others
 * and closes. False: it is in the middle of a request; try again later. */
bool connection_undecided(struct connection *c);
/* Continues with the bytes in `in`, in a turn after the one in which it was deferred. */
void connection_advance(struct connection *c);
/* The server stops: finish the request in progress, then close. */
void connection_stop(struct connection *c);
/* Another node uses it, for many clients: it no longer counts towards the connections of its address. */
void connection_of_node(struct connection *c);
/* Its time limit has passed; closes it unless it has made progress. */
void connection_expire(struct connection *c);
/* Sends the output that is ready (for streams). */
void connection_flush(struct connection *c);
/* Ends its stream after the output added so far. Flush it afterwards. */
void connection_end_stream(struct connection *c);

/* The reply to c->request is written; the connection continues without the request. */
void connection_answered(struct connection *c);

/* ---- For replies ---- */
/* Where a reply is written: the connection's output, the buffer of a local call, or the sink if the client is
 * gone. */
struct buf *connection_output(struct request *r);
bool connection_keeps_alive(const struct request *r);
/* The reply is finished. If the handler has already returned, the request is freed by this. */
void connection_replied(struct request *r);
/* The handler of a request with a finished reply has returned. Frees the request. */
void connection_handled(struct request *r);

#endif
