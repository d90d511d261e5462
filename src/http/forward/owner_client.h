/* SPDX-License-Identifier: Apache-2.0 */
/* owner_client.h — requests to the node that decides, over connections that are kept.
 *
 *   exchange_begin ──► WAITING ──► BUSY on a channel ──answer complete──► ANSWERED
 *                        ▲            │      │  └──head of a stream──► STREAMING ──► ends with either side, or the owner
 *                        └──AGAIN◄────┘      └──broken, or too late──► NOT_SENT or UNDECIDED
 *
 * WAITING    all channels are busy
 * AGAIN      nothing was sent, or the other node answered that it does not decide: tried once more, at the node that
 *            decides by then, or at the same one after a moment
 *
 * What was sent and not answered may have taken effect, so it is repeated only if repeating does no harm (`safe`).
 * Bounded: exchanges, the bytes they hold, and connections. Loop thread only.
 */
#ifndef HTTP_OWNER_CLIENT_H
#define HTTP_OWNER_CLIENT_H

#include <uv.h>

#include "http/forward/node_answer.h"
#include "http/wire/link.h"

struct channel;
struct exchange;
struct store;

#define OWNER_URL_SIZE_MAX 512

enum exchange_end {
    EXCHANGE_ANSWERED,  /* `answer`, `headers` and `body` are complete */
    EXCHANGE_NOT_SENT,  /* no effect: no node decides, or it could not be reached */
    EXCHANGE_UNDECIDED, /* may have taken effect */
    EXCHANGE_HERE,      /* no effect, and this process decides by now */
};

struct exchange_events {
    /* The exchange is over and may be reused or freed. */
    void (*ended)(struct exchange *x, enum exchange_end end);
    /* The answer is a stream: its head is complete. NULL: it is not expected, and ends the exchange. */
    void (*streams)(struct exchange *x);
    /* More of the stream is in `body`. The receiver takes it out. */
    void (*arrived)(struct exchange *x);
    /* More of an upload may be sent. */
    void (*room)(struct exchange *x);
};

struct exchange {
    /* Set by the caller. */
    const struct exchange_events *events;
    void *receiver; /* of the events */
    struct buf
        request; /* the request line, the headers without Host, the empty line, the body as far as it is known */
    bool safe;         /* a GET */
    bool bodiless;     /* a HEAD */
    bool uploads;      /* more of the body follows, by exchange_send; never sent twice */
    bool uploaded;     /* uploads: and that was all */
    uint64_t until_ms; /* when to give up, in server_now_ms */

    /* The answer. */
    struct node_answer answer;
    struct buf headers, body;

    /* For owner_client.c and channel.c. */
    enum { EXCHANGE_OVER, EXCHANGE_WAITING, EXCHANGE_AGAIN, EXCHANGE_BUSY, EXCHANGE_STREAMING } state;
    struct link link;
    struct channel *channel;
    unsigned tries;
    unsigned owner; /* which owner it was last sent to, counted */
    uint64_t again_ms;
    size_t counted; /* its part of the client's bytes */
    bool sent;      /* some of it may have arrived */
};

#define OWNER_CLIENT_READ_SIZE 65536

struct owner_client {
    uv_loop_t *loop;
    struct store *store;
    struct link waiting, again, busy, streaming; /* exchanges */
    struct link idle;                            /* channels, the one used last at the end */
    unsigned exchanges;                          /* in the first three lists, */
    unsigned busy_count;                         /* and in the third */
    unsigned idle_count;
    size_t bytes;
    char url[OWNER_URL_SIZE_MAX]; /* of the owner as last seen */
    unsigned owner;               /* counts its changes */
    uint64_t now_ms;
    bool pumping, closing;
    unsigned open; /* channels whose memory is in use */
    char read_buffer[OWNER_CLIENT_READ_SIZE];
};

struct owner_client *owner_client_open(uv_loop_t *loop, struct store *store);
/* Drops all exchanges, without their events. Freed when the loop has closed its connections. */
void owner_client_close(struct owner_client *c);
/* Call it a few times a second: what is late, what is tried again, idle connections. */
void owner_client_sweep(struct owner_client *c, uint64_t now_ms);

void exchange_init(struct exchange *x);
/* One that is over is used again: keeps the events and the memory. */
void exchange_reset(struct exchange *x);
void exchange_release(struct exchange *x);
/* False: too many are in progress. `ended` may be called before this returns. */
bool exchange_begin(struct owner_client *c, struct exchange *x);
/* Ends it without its event. Does nothing if it is over. */
void exchange_cancel(struct owner_client *c, struct exchange *x);
/* The next bytes of an upload, as they travel; `last`: there are no more. Events come later. */
void exchange_send(struct owner_client *c, struct exchange *x, const void *bytes, size_t size, bool last);
/* Whether the other side must take some of the upload first. */
bool exchange_full(const struct exchange *x);
/* A stream: stop and go on reading. */
void exchange_pause(struct exchange *x, bool paused);

/* ---- For channel.c ---- */
/* The answer is complete. */
void owner_client_answered(struct owner_client *c, struct exchange *x);
/* The answer is a stream, and goes on. */
void owner_client_streams(struct owner_client *c, struct exchange *x);
/* The connection is gone. `begun`: some of the answer came. */
void owner_client_broken(struct owner_client *c, struct exchange *x, bool begun);
/* Counts bytes that it holds. False: too many. */
bool owner_client_count(struct owner_client *c, struct exchange *x, uint64_t more);
/* The channel's memory is freed. */
void owner_client_gone(struct owner_client *c);

#endif
