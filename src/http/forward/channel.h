/* SPDX-License-Identifier: Apache-2.0 */
/* channel.h — one connection to another node: sends a request, reads its answer, then the next one.
 *
 *   RESOLVING ──► CONNECTING ──► BUSY ◄──► IDLE
 *       └─────────────┴───────────┴─────────┴──► CLOSED, freed once libuv has closed it
 *
 * Plain HTTP: nodes share a private network.
 */
#ifndef HTTP_CHANNEL_H
#define HTTP_CHANNEL_H

#include "http/forward/owner_client.h"
#include "http/wire/chunks.h"
#include "http/wire/output.h"

enum channel_state { CHANNEL_RESOLVING, CHANNEL_CONNECTING, CHANNEL_IDLE, CHANNEL_BUSY, CHANNEL_CLOSED };

struct channel {
    struct owner_client *client;
    struct link link; /* owner_client.idle */
    enum channel_state state;
    unsigned owner; /* which one it leads to, counted */
    uint64_t idle_ms;
    uv_tcp_t tcp;
    uv_connect_t connect;
    uv_getaddrinfo_t resolve;
    char authority[OWNER_URL_SIZE_MAX]; /* for Host */
    struct output output;
    struct exchange *exchange; /* NULL: IDLE, CLOSED */
    bool opened;               /* `tcp` was initialised */

    /* The answer: its head, then its body. */
    struct buf head;
    bool has_head;
    uint64_t left; /* of a counted body */
    struct chunks chunks;
};

/* Opens a connection to this URL and sends the exchange over it. NULL: it cannot be opened. */
struct channel *channel_open(struct owner_client *client, const char *url, struct exchange *x);
/* Sends it over an idle connection. */
void channel_take(struct channel *ch, struct exchange *x);
void channel_close(struct channel *ch);
void channel_send(struct channel *ch, const void *bytes, size_t size);
bool channel_full(const struct channel *ch);
void channel_read(struct channel *ch, bool reads);

#endif
