/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/presence.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/bitset.h"
#include "base/memory/bytes.h"
#include "base/memory/memory.h"
#include "http/forward/node_header.h"
#include "http/forward/owner_client.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define VERSION 1
#define PATH ROUTE_INTERNAL "presence"
#define EVERY_MS 1000
#define PATIENCE_MS 4000
#define KEPT_MS 30000      /* older presence says nothing about now */
#define ENTRIES_MAX 16384u /* of one message: about two milliseconds of the other node's loop */
#define SETS_MAX 8192u     /* more waiting rooms than that at once are not followed */
#define MESSAGE_MAX (240u << 10)

/* The entries of one waiting room, seen in one way. */
struct seen {
    uint64_t event;
    bool polled;
    struct bitset numbers;
    uint32_t count;
};

struct presence {
    struct server *server;
    struct seen *sets;
    uint32_t set_count;
    uint32_t last;  /* the set used last: the next one is often the same */
    uint64_t total; /* entries in all sets */
    struct exchange exchange;
    bool sending;
    struct buf message; /* sent, and not answered */
    uint64_t next_ms, delivered_ms;
};

/* ---- Collecting ---- */

/* Forgets the rooms without a person seen since the last message. False: each had one. */
static bool drop_empty(struct presence *p)
{
    uint32_t kept = 0, before = p->set_count;
    for (uint32_t i = 0; i < before; i++)
        if (p->sets[i].count)
            p->sets[kept++] = p->sets[i];
        else
            bitset_release(&p->sets[i].numbers);
    p->set_count = kept;
    p->last = 0;
    return kept < before;
}

static struct seen *set_get(struct presence *p, uint64_t event, bool polled)
{
    for (uint32_t i = 0; i < p->set_count; i++) {
        uint32_t at = (p->last + i) % p->set_count;
        if (p->sets[at].event == event && p->sets[at].polled == polled) {
            p->last = at;
            return &p->sets[at];
        }
    }
    if (p->set_count == SETS_MAX && !drop_empty(p))
        return NULL;
    p->sets = memory_grow(p->sets, p->set_count + 1, sizeof *p->sets);
    p->last = p->set_count++;
    p->sets[p->last] = (struct seen){.event = event, .polled = polled};
    return &p->sets[p->last];
}

static void collect(struct presence *p, uint64_t event, uint32_t number, bool polled)
{
    struct seen *set = number < UINT32_MAX ? set_get(p, event, polled) : NULL;
    if (!set || bitset_has(&set->numbers, number))
        return;
    if (number / 64 >= set->numbers.size)
        bitset_grow(&set->numbers, number < UINT32_MAX / 2 ? number + number / 2 + 64 : UINT32_MAX);
    bitset_put(&set->numbers, number, true);
    set->count++;
    p->total++;
}

static void seen(struct server *s, uint64_t event, uint32_t number, bool polled)
{
    if (!store_decides(s->store))
        collect(s->presence, event, number, polled);
    else if (polled)
        store_queue_polled(s->store, event, number);
    else
        store_queue_present(s->store, event, number);
}

void presence_note(struct server *s, uint64_t event, uint32_t number)
{
    seen(s, event, number, false);
}

void presence_note_poll(struct server *s, uint64_t event, uint32_t number)
{
    if (!store_decides(s->store))
        collect(s->presence, event, number, true);
}

/* Forgets everyone, and the sets: rooms come and go. */
static void forget(struct presence *p)
{
    for (uint32_t i = 0; i < p->set_count; i++)
        bitset_release(&p->sets[i].numbers);
    free(p->sets);
    p->sets = NULL;
    p->set_count = p->last = 0;
    p->total = 0;
}

/* ---- The message ---- */

/* Moves up to `most` entries of the set into the message; returns how many. */
static uint32_t pack_set(struct presence *p, struct seen *set, uint32_t most, struct buf *out)
{
    uint32_t below = set->numbers.size * 64, before = 0, packed = 0, n = 0;
    bytes_put_varint(out, set->event);
    bytes_put_varint(out, set->polled);
    while (packed < most && set->count && (n = bitset_next(&set->numbers, before, below)) != BITSET_NONE) {
        bytes_put_varint(out, n - before);
        bitset_put(&set->numbers, n, false);
        set->count--;
        p->total--;
        packed++;
        before = n;
    }
    bytes_put_varint(out, 0);
    return packed;
}

/* False: there is nothing to report. */
static bool pack(struct presence *p)
{
    struct buf rows, *out = &p->message;
    uint32_t left = ENTRIES_MAX;
    buf_clear(out);
    buf_init(&rows, MESSAGE_MAX);
    uint32_t refusals = store_take_refusals(p->server->store, &rows);
    bool any = refusals || p->total;
    bytes_put_varint(out, VERSION);
    bytes_put_text(out, (const char *)rows.data, rows.size);
    buf_release(&rows);
    for (uint32_t i = 0; i < p->set_count && left; i++)
        if (p->sets[i].count)
            left -= pack_set(p, &p->sets[i], left, out);
    return any;
}

static bool unpack_set(struct server *s, struct bytes_reader *in)
{
    uint64_t event = bytes_get_varint(in), polled = bytes_get_varint(in), number = 0, more;
    while ((more = bytes_get_varint(in)) != 0) {
        number += more;
        if (number > UINT32_MAX)
            return false;
        seen(s, event, (uint32_t)number, polled);
    }
    return !in->bad && polled <= 1;
}

/* Applies a message at the deciding node. At a node that could not send it: collects its entries again. */
static bool unpack(struct server *s, struct text message, bool refusals)
{
    struct bytes_reader in = bytes_reader_make(message.at, message.size);
    size_t size;
    uint64_t version = bytes_get_varint(&in);
    const char *rows = bytes_get_text(&in, &size);
    if (in.bad || version != VERSION || (refusals && !store_add_refusals(s->store, (struct text){rows, size})))
        return false;
    while (bytes_left(&in))
        if (!unpack_set(s, &in))
            return false;
    return true;
}

/* ---- Sending ---- */

static void send_message(struct presence *p)
{
    struct server *s = p->server;
    struct exchange *x = &p->exchange;
    char digest[NODE_DIGEST_SIZE + 1], header[NODE_HEADER_SIZE_MAX];
    if (!pack(p))
        return;
    struct text body = {(const char *)p->message.data, p->message.size};
    const struct text node = {s->options->node, strlen(s->options->node)};
    node_digest(body, digest);
    const struct node_claim claim = {
        .node = node, .at_ms = store_wall(s->store), .digest = {digest, NODE_DIGEST_SIZE}};
    node_header_write(&s->node_keys, &claim, "POST", TEXT(PATH), header);
    exchange_reset(x);
    x->until_ms = s->now_ms + PATIENCE_MS;
    buf_printf(&x->request, "POST " PATH " HTTP/1.1\r\nHoldfast-Node: %s\r\nContent-Length: %zu\r\n\r\n",
               header, body.size);
    buf_append(&x->request, body.at, body.size);
    p->sending = true;
    if (exchange_begin(s->owner_client, x))
        return;
    p->sending = false;
    unpack(s, body, true);
}

static void on_ended(struct exchange *x, enum exchange_end end)
{
    struct presence *p = x->receiver;
    struct server *s = p->server;
    const struct text sent = {(const char *)p->message.data, p->message.size};
    p->sending = false;
    if (end == EXCHANGE_ANSWERED && x->answer.status == 204) {
        p->delivered_ms = s->now_ms;
        if (p->total && !store_decides(s->store))
            send_message(p);
        return;
    }
    unpack(s, sent, end != EXCHANGE_UNDECIDED); /* counts must not be added twice */
    if (s->now_ms - p->delivered_ms > KEPT_MS)
        forget(p);
}

static const struct exchange_events events = {.ended = on_ended};

void presence_sweep(struct presence *p)
{
    struct server *s = p->server;
    if (p->sending || !s->options->node || s->stopping)
        return;
    if (store_decides(s->store)) {
        forget(p);
        return;
    }
    if (s->now_ms < p->next_ms)
        return;
    p->next_ms = s->now_ms + EVERY_MS;
    send_message(p);
}

HANDLER(api_presence_post)
{
    ASSERT(r->from_node);
    if (unpack(r->server, r->body, true))
        reply_empty(r, 204);
    else
        reply_invalid(r, "", "Invalid message.");
}

/* ---- Life ---- */

struct presence *presence_open(struct server *server)
{
    struct presence *p = memory_zeroed(1, sizeof *p);
    p->server = server;
    p->delivered_ms = server_now_ms(server);
    buf_init(&p->message, MESSAGE_MAX);
    exchange_init(&p->exchange);
    p->exchange.events = &events;
    p->exchange.receiver = p;
    return p;
}

void presence_close(struct presence *p)
{
    exchange_cancel(p->server->owner_client, &p->exchange);
    exchange_release(&p->exchange);
    forget(p);
    buf_release(&p->message);
    free(p);
}
