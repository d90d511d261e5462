/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/owner_client.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "http/forward/channel.h"
#include "store/store.h"

#define EXCHANGES_MAX 4096u
#define BUSY_MAX 128u
#define BYTES_MAX ((size_t)256 << 20)
#define IDLE_MAX 32u
#define IDLE_MS                                                                                              \
    15000 /* less than the other node's own limit, so that it rarely closes one that is just being used */
#define AGAIN_MS 500
#define TRIES_MAX 2
#define REQUEST_LIMIT ((size_t)80 << 20)
#define BODY_LIMIT ((size_t)1 << 30)
#define UPLOAD_AHEAD ((size_t)256 << 10)

/* ---- Exchanges ---- */

void exchange_init(struct exchange *x)
{
    *x = (struct exchange){.state = EXCHANGE_OVER};
    link_init(&x->link);
    buf_init(&x->request, REQUEST_LIMIT);
    buf_init(&x->headers, NODE_ANSWER_HEAD_MAX);
    buf_init(&x->body, BODY_LIMIT);
}

void exchange_reset(struct exchange *x)
{
    ASSERT(x->state == EXCHANGE_OVER && !x->uploads);
    buf_clear(&x->request);
    buf_clear(&x->headers);
    buf_clear(&x->body);
    x->answer = (struct node_answer){0};
    x->tries = 0;
    x->sent = false;
}

void exchange_release(struct exchange *x)
{
    ASSERT(x->state == EXCHANGE_OVER);
    buf_release(&x->request);
    buf_release(&x->headers);
    buf_release(&x->body);
}

/* Removes it from all lists and counts. */
static void detach(struct owner_client *c, struct exchange *x)
{
    ASSERT(!x->channel);
    if (x->state != EXCHANGE_STREAMING)
        c->exchanges--;
    if (x->state == EXCHANGE_BUSY)
        c->busy_count--;
    c->bytes -= x->counted;
    x->counted = 0;
    x->state = EXCHANGE_OVER;
    link_remove(&x->link);
}

static void exchange_finish(struct owner_client *c, struct exchange *x, enum exchange_end end)
{
    detach(c, x);
    x->events->ended(x, end);
}

static void set_state(struct owner_client *c, struct exchange *x, int state, struct link *list)
{
    c->busy_count += (state == EXCHANGE_BUSY) - (x->state == EXCHANGE_BUSY);
    x->state = state;
    link_append(list, &x->link);
}

bool owner_client_count(struct owner_client *c, struct exchange *x, uint64_t more)
{
    if (more > BYTES_MAX || c->bytes + more > BYTES_MAX)
        return false;
    c->bytes += more;
    x->counted += more;
    return true;
}

/* It has taken no effect: the node that decides by then is asked once more. */
static bool try_again(struct owner_client *c, struct exchange *x, bool soon)
{
    if (x->tries >= TRIES_MAX || x->uploads || c->closing)
        return false;
    x->sent = false;
    x->again_ms = c->now_ms + (soon ? 0 : AGAIN_MS);
    buf_clear(&x->body);
    set_state(c, x, EXCHANGE_AGAIN, &c->again);
    return true;
}

/* ---- Sending ---- */

static void drop_stream(struct owner_client *c, struct exchange *x)
{
    channel_close(x->channel);
    exchange_finish(c, x, EXCHANGE_NOT_SENT);
}

/* Notices another owner, and closes the connections to the old one. Its streams, too: if its machine was lost, they would
 * never end. */
static const char *owner_url(struct owner_client *c)
{
    const char *url = store_owner_url(c->store);
    if (strcmp(url, c->url) == 0)
        return c->url;
    snprintf(c->url, sizeof c->url, "%s", url);
    c->owner++;
    while (!link_alone(&c->idle))
        channel_close(LINK_OWNER(c->idle.next, struct channel, link));
    while (!link_alone(&c->streaming))
        drop_stream(c, LINK_OWNER(c->streaming.next, struct exchange, link));
    return c->url;
}

static void assign(struct owner_client *c, struct exchange *x, const char *url)
{
    set_state(c, x, EXCHANGE_BUSY, &c->busy);
    x->tries++;
    x->owner = c->owner;
    if (!link_alone(&c->idle))
        channel_take(LINK_OWNER(c->idle.prev, struct channel, link), x);
    else if (!channel_open(c, url, x) && !try_again(c, x, false))
        exchange_finish(c, x, EXCHANGE_NOT_SENT);
}

/* An exchange that is begun while another one ends is sent by the loop that is already running. */
static void pump(struct owner_client *c)
{
    bool nested = c->pumping;
    c->pumping = true;
    while (!nested && !link_alone(&c->waiting) && !c->closing) {
        struct exchange *x = LINK_OWNER(c->waiting.next, struct exchange, link);
        const char *url = owner_url(c);
        if (store_decides(c->store) && !x->uploads)
            exchange_finish(c, x, EXCHANGE_HERE);
        else if (!url[0])
            exchange_finish(c, x, EXCHANGE_NOT_SENT);
        else if (c->busy_count < BUSY_MAX)
            assign(c, x, url);
        else
            break;
    }
    c->pumping = nested;
}

bool exchange_begin(struct owner_client *c, struct exchange *x)
{
    ASSERT(x->state == EXCHANGE_OVER && x->tries == 0 && x->request.size);
    if (c->closing || c->exchanges >= EXCHANGES_MAX || !owner_client_count(c, x, x->request.size))
        return false;
    c->exchanges++;
    set_state(c, x, EXCHANGE_WAITING, &c->waiting);
    pump(c);
    return true;
}

void exchange_cancel(struct owner_client *c, struct exchange *x)
{
    if (x->state == EXCHANGE_OVER)
        return;
    if (x->channel)
        channel_close(x->channel);
    detach(c, x);
}

void exchange_send(struct owner_client *c, struct exchange *x, const void *bytes, size_t size, bool last)
{
    ASSERT(x->uploads && !x->uploaded);
    (void)c;
    x->uploaded = last;
    if (x->state == EXCHANGE_OVER)
        return;
    if (x->sent)
        channel_send(x->channel, bytes, size);
    else
        buf_append(&x->request, bytes, size);
}

bool exchange_full(const struct exchange *x)
{
    if (x->state == EXCHANGE_OVER)
        return false;
    return x->sent ? channel_full(x->channel) : x->request.size > UPLOAD_AHEAD;
}

void exchange_pause(struct exchange *x, bool paused)
{
    if (x->channel)
        channel_read(x->channel, !paused);
}

/* ---- Answers ---- */

static enum exchange_end lost(const struct exchange *x)
{
    bool harmless = !x->sent || x->safe || (x->uploads && !x->uploaded);
    return harmless ? EXCHANGE_NOT_SENT : EXCHANGE_UNDECIDED;
}

void owner_client_answered(struct owner_client *c, struct exchange *x)
{
    bool misdirected = x->answer.status == 421;
    if (!misdirected)
        exchange_finish(c, x, EXCHANGE_ANSWERED);
    else if (!try_again(c, x, false))
        exchange_finish(c, x, EXCHANGE_NOT_SENT);
    pump(c);
}

void owner_client_streams(struct owner_client *c, struct exchange *x)
{
    set_state(c, x, EXCHANGE_STREAMING, &c->streaming);
    c->exchanges--;
    c->bytes -= x->counted;
    x->counted = 0;
    if (x->owner == c->owner)
        x->events->streams(x);
    else
        drop_stream(c, x);
    pump(c);
}

void owner_client_broken(struct owner_client *c, struct exchange *x, bool begun)
{
    bool repeats = !begun && (!x->sent || x->safe) && x->state == EXCHANGE_BUSY;
    if (!repeats || !try_again(c, x, x->sent))
        exchange_finish(c, x, lost(x));
    pump(c);
}

/* ---- Time ---- */

static void end_late(struct owner_client *c, struct link *list)
{
    struct link all;
    link_init(&all);
    link_splice(&all, list);
    while (!link_alone(&all)) {
        struct exchange *x = LINK_OWNER(all.next, struct exchange, link);
        link_append(list, &x->link);
        if (c->now_ms < x->until_ms)
            continue;
        if (x->channel)
            channel_close(x->channel);
        exchange_finish(c, x, lost(x));
    }
}

static void wait_again(struct owner_client *c)
{
    struct link all;
    owner_url(c);
    link_init(&all);
    link_splice(&all, &c->again);
    while (!link_alone(&all)) {
        struct exchange *x = LINK_OWNER(all.next, struct exchange, link);
        if (c->now_ms >= x->again_ms || c->owner != x->owner || store_decides(c->store))
            set_state(c, x, EXCHANGE_WAITING, &c->waiting);
        else
            link_append(&c->again, &x->link);
    }
}

static void close_idle(struct owner_client *c)
{
    while (!link_alone(&c->idle)) {
        struct channel *ch = LINK_OWNER(c->idle.next, struct channel, link);
        if (c->idle_count <= IDLE_MAX && c->now_ms - ch->idle_ms < IDLE_MS)
            return;
        channel_close(ch);
    }
}

void owner_client_sweep(struct owner_client *c, uint64_t now_ms)
{
    c->now_ms = now_ms;
    end_late(c, &c->busy);
    end_late(c, &c->waiting);
    end_late(c, &c->again);
    wait_again(c);
    close_idle(c);
    pump(c);
}

/* ---- Life ---- */

struct owner_client *owner_client_open(uv_loop_t *loop, struct store *store)
{
    struct owner_client *c = memory_zeroed(1, sizeof *c);
    c->loop = loop;
    c->store = store;
    c->open = 1; /* the client itself */
    link_init(&c->waiting);
    link_init(&c->again);
    link_init(&c->busy);
    link_init(&c->streaming);
    link_init(&c->idle);
    return c;
}

void owner_client_gone(struct owner_client *c)
{
    ASSERT(c->open > 0);
    if (--c->open == 0)
        free(c);
}

static void drop_all(struct owner_client *c, struct link *list)
{
    while (!link_alone(list))
        exchange_cancel(c, LINK_OWNER(list->next, struct exchange, link));
}

void owner_client_close(struct owner_client *c)
{
    c->closing = true;
    drop_all(c, &c->waiting);
    drop_all(c, &c->again);
    drop_all(c, &c->busy);
    drop_all(c, &c->streaming);
    while (!link_alone(&c->idle))
        channel_close(LINK_OWNER(c->idle.next, struct channel, link));
    owner_client_gone(c);
}
