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
 * ANSWER   a handler has the request; nothing more is read out of `in` until it has replied, so replies keep
 *          their order
 * STREAM   stream.c and its sources write; what the client sends is ignored
 * LAST     nothing more is read; closes when the output is sent
 * LINGER   the output is sent and our side is shut; what the client still sends is thrown away for a moment,
 *          because closing with unread bytes would make the kernel take the reply back
 * CLOSED   its socket is closed in this turn of the loop or one of the next; freed in libuv's callback
 *
 * Bytes are read into one buffer shared by all connections. `in` keeps only what could not be used at once: a
 * part of a head, or requests sent ahead. A request outlives its connection when the store still has it.
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

/* What a connection waits for, each with a limit of its own. */
enum watch {
    WATCH_NONE,    /* the store, or a stream */
    WATCH_IDLE,    /* the next request */
    WATCH_REQUEST, /* the rest of a request, from its first byte on */
    WATCH_IMPORT,  /* the rest of a body of seats */
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
    size_t flight_counted; /* of the server's unsent bytes */
    size_t write_left;     /* when WATCH_WRITE last looked */
    uv_shutdown_t shutdown;
    bool eof;
    bool reading;
    bool paused;           /* HEAD: the next request waits until there is room in the output */
    bool unread;           /* LAST: the client may still be sending */
    struct stream *stream; /* STREAM */
    bool chunked;          /* STREAM: what is sent is chunks; without them the close is the end */
    struct address address;
    struct peer *peer;
    uint64_t turn;          /* the turn of the loop in which requests were last counted */
    unsigned turn_requests; /* answered in that turn */

    enum watch watch;
    uint64_t since_ms;    /* when the waiting began; moved on by every answer */
    uint64_t listed_ms;   /* when it was put at the end of its list; the lists are in this order */
    struct link all;      /* server.connections; CLOSED: server.closing */
    struct link of_peer;  /* peer.connections */
    struct link watched;  /* server.watched[watch] */
    struct link parked;   /* server.parked: waits for a seq to be durable */
    struct link deferred; /* server.deferred: had its share of this turn */
};

/* Accepts a connection from the listener; NULL on failure. */
struct connection *connection_accept(struct server *s, uv_stream_t *listener);
/* Ends it; the socket closes when the server calls connection_abandon. */
void connection_close(struct connection *c);
/* The server: closes the socket of one that is closed. */
void connection_abandon(struct connection *c);
/* Begins reading. */
void connection_start(struct connection *c);
/* No request, no output: nothing is lost when it is closed. */
bool connection_idle(const struct connection *c);
/* Everything up to durable_seq may be sent. The caller has taken it out of server.parked. */
void connection_settle(struct connection *c, uint64_t durable_seq, uint64_t now_ns);
/* Its turn has come again. */
void connection_advance(struct connection *c);
/* The server stops: finish what is begun, then close. */
void connection_stop(struct connection *c);
/* Its time is up, by the list it is in; closes it, or finds that it has made progress. */
void connection_expire(struct connection *c);
/* Sends what may go (for streams). */
void connection_flush(struct connection *c);
/* Its stream is complete with what has been added to the output. To be flushed. */
void connection_end_stream(struct connection *c);

/* The reply to c->request is written; the connection goes on without it. */
void connection_answered(struct connection *c);

/* ---- For replies ---- */
/* Where a reply is written: the connection's output, what a local call has for it, or the sink when the client is
 * gone. */
struct buf *connection_output(struct request *r);
bool connection_keeps_alive(const struct request *r);
/* The reply is finished. If the handler has returned already, the request is gone after this. */
void connection_replied(struct request *r);

#endif
