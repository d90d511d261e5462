/* SPDX-License-Identifier: Apache-2.0 */
#include "http/forward/channel.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

#define SCHEME "http://"
#define HOST_SIZE_MAX 255
#define HEAD_END "\r\n\r\n"

/* ---- Closing ---- */

static void channel_free(struct channel *ch)
{
    struct owner_client *client = ch->client;
    ASSERT(ch->state == CHANNEL_CLOSED && !ch->exchange);
    if (ch->opened)
        output_release(&ch->output);
    buf_release(&ch->head);
    free(ch);
    owner_client_gone(client);
}

static void on_closed(uv_handle_t *handle)
{
    channel_free(handle->data);
}

void channel_close(struct channel *ch)
{
    if (ch->state == CHANNEL_CLOSED)
        return;
    if (ch->exchange)
        ch->exchange->channel = NULL;
    ch->exchange = NULL;
    if (ch->state == CHANNEL_IDLE)
        ch->client->idle_count--;
    link_remove(&ch->link);
    ch->state = CHANNEL_CLOSED;
    if (ch->opened)
        uv_close((uv_handle_t *)&ch->tcp, on_closed);
    else
        uv_cancel((uv_req_t *)&ch->resolve); /* on_resolved, which is called in any case, frees the channel */
}

static void broken(struct channel *ch)
{
    struct exchange *x = ch->exchange;
    bool begun = ch->head.size > 0;
    channel_close(ch);
    if (x)
        owner_client_broken(ch->client, x, begun);
}

/* ---- The answer ---- */

/* The answer is complete: the connection is free for the next request, if it can be. */
static void channel_finish_answer(struct channel *ch)
{
    struct owner_client *client = ch->client;
    struct exchange *x = ch->exchange;
    bool whole = (!x->uploads || x->uploaded) && output_empty(&ch->output);
    if (x->answer.close || !whole || client->closing || ch->owner != client->owner) {
        channel_close(ch);
    } else {
        ch->exchange = NULL;
        x->channel = NULL;
        ch->state = CHANNEL_IDLE;
        ch->idle_ms = client->now_ms;
        ch->has_head = false;
        buf_clear(&ch->head);
        link_append(&client->idle, &ch->link);
        client->idle_count++;
    }
    owner_client_answered(client, x);
}

/* What follows the head. False: nothing does, or the channel is gone. */
static bool begin_body(struct channel *ch)
{
    struct exchange *x = ch->exchange;
    const struct node_answer *a = &x->answer;
    if (a->status == 421)
        x->answer.close = true; /* its body is not needed */
    if (a->status == 421 || a->status == 204 || a->status == 304 || x->bodiless ||
        (a->has_length && a->length == 0)) {
        channel_finish_answer(ch);
        return false;
    }
    ch->left = a->length;
    ch->chunks = (struct chunks){0};
    if (a->chunked && x->events->streams) {
        owner_client_streams(ch->client, x);
        return ch->exchange == x;
    }
    if (!a->has_length || !owner_client_count(ch->client, x, a->length)) {
        broken(ch);
        return false;
    }
    return true;
}

/* Returns how many of the bytes belong to the head. */
static size_t read_head(struct channel *ch, const char *bytes, size_t size)
{
    struct exchange *x = ch->exchange;
    size_t before = ch->head.size, room = NODE_ANSWER_HEAD_MAX - before;
    buf_append(&ch->head, bytes, size < room ? size : room);
    const char *head = (const char *)ch->head.data;
    size_t from = before > 3 ? before - 3 : 0;
    const char *end = memmem(head + from, ch->head.size - from, HEAD_END, strlen(HEAD_END));
    if (!end) {
        if (ch->head.size == NODE_ANSWER_HEAD_MAX)
            broken(ch);
        return size;
    }
    size_t head_size = (size_t)(end - head) + strlen(HEAD_END);
    buf_clear(&x->headers);
    if (!node_answer_read(head, head_size, &x->answer, &x->headers)) {
        broken(ch);
        return size;
    }
    ch->has_head = true;
    return begin_body(ch) ? head_size - before : size;
}

static void read_counted(struct channel *ch, const char *bytes, size_t size)
{
    struct exchange *x = ch->exchange;
    size_t take = size < ch->left ? size : (size_t)ch->left;
    buf_append(&x->body, bytes, take);
    ch->left -= take;
    if (take < size) /* what follows is not an answer to anything */
        x->answer.close = true;
    if (ch->left == 0)
        channel_finish_answer(ch);
}

static void read_chunks(struct channel *ch, const char *bytes, size_t size)
{
    struct exchange *x = ch->exchange;
    size_t used;
    enum chunks_verdict verdict = chunks_read(&ch->chunks, bytes, size, &x->body, x->body.limit, &used);
    if (verdict == CHUNKS_READY)
        channel_finish_answer(ch);
    else if (verdict == CHUNKS_MORE)
        x->events->arrived(x);
    else
        broken(ch);
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    (void)suggested;
    struct channel *ch = handle->data;
    *out = uv_buf_init(ch->client->read_buffer, OWNER_CLIENT_READ_SIZE);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct channel *ch = stream->data;
    const char *bytes = buf->base;
    if (count == 0)
        return;
    if (count < 0 || !ch->exchange) {
        broken(ch);
        return;
    }
    size_t size = (size_t)count;
    if (!ch->has_head) {
        size_t used = read_head(ch, bytes, size);
        bytes += used;
        size -= used;
    }
    if (!ch->exchange || size == 0)
        return;
    if (ch->exchange->answer.chunked)
        read_chunks(ch, bytes, size);
    else
        read_counted(ch, bytes, size);
}

void channel_read(struct channel *ch, bool reads)
{
    if (reads)
        uv_read_start((uv_stream_t *)&ch->tcp, on_alloc, on_read);
    else
        uv_read_stop((uv_stream_t *)&ch->tcp);
}

/* ---- The request ---- */

static void on_written(uv_write_t *write, int status);

/* A broken connection is noticed by its reads. */
static void flush(struct channel *ch)
{
    output_flush(&ch->output, (uv_stream_t *)&ch->tcp, on_written);
}

static void on_written(uv_write_t *write, int status)
{
    struct channel *ch = write->data;
    output_written(&ch->output);
    if (ch->state == CHANNEL_CLOSED || status < 0)
        return;
    flush(ch);
    struct exchange *x = ch->exchange;
    if (x && x->uploads && !x->uploaded && !channel_full(ch))
        x->events->room(x);
}

bool channel_full(const struct channel *ch)
{
    return output_full(&ch->output);
}

void channel_send(struct channel *ch, const void *bytes, size_t size)
{
    buf_append(&ch->output.out, bytes, size);
    output_add_ready(&ch->output);
    flush(ch);
}

static void send_request(struct channel *ch)
{
    struct exchange *x = ch->exchange;
    struct buf *out = &ch->output.out;
    const char *request = (const char *)x->request.data;
    const char *line_end = memmem(request, x->request.size, "\r\n", 2);
    ASSERT(line_end);
    size_t line = (size_t)(line_end - request) + 2;
    ch->state = CHANNEL_BUSY;
    x->sent = true;
    buf_append(out, request, line);
    buf_append_text(out, "Host: ");
    buf_append_text(out, ch->authority);
    buf_append_text(out, "\r\n");
    channel_send(ch, request + line, x->request.size - line);
}

void channel_take(struct channel *ch, struct exchange *x)
{
    ASSERT(ch->state == CHANNEL_IDLE && !ch->exchange);
    link_remove(&ch->link);
    ch->client->idle_count--;
    ch->exchange = x;
    x->channel = ch;
    send_request(ch);
}

/* ---- Connecting ---- */

static void on_connected(uv_connect_t *connect, int status)
{
    struct channel *ch = connect->data;
    if (ch->state == CHANNEL_CLOSED)
        return;
    if (status < 0) {
        broken(ch);
        return;
    }
    uv_tcp_nodelay(&ch->tcp, 1);
    channel_read(ch, true);
    send_request(ch);
}

static bool connect_to(struct channel *ch, const struct sockaddr *address)
{
    ch->state = CHANNEL_CONNECTING;
    if (uv_tcp_init(ch->client->loop, &ch->tcp) != 0)
        return false;
    ch->opened = true;
    ch->tcp.data = ch->connect.data = ch->output.write.data = ch;
    return uv_tcp_connect(&ch->connect, &ch->tcp, address, on_connected) == 0;
}

static void on_resolved(uv_getaddrinfo_t *resolve, int status, struct addrinfo *found)
{
    struct channel *ch = resolve->data;
    if (ch->state != CHANNEL_CLOSED && (status < 0 || !connect_to(ch, found->ai_addr)))
        broken(ch);
    uv_freeaddrinfo(found);
    if (ch->state == CHANNEL_CLOSED && !ch->opened) /* by now, or before; there is no handle whose close frees it */
        channel_free(ch);
}

/* The host and the port of "http://host:port", the host without its brackets. */
static bool read_url(const char *url, char host[HOST_SIZE_MAX + 1], char port[6])
{
    if (strncmp(url, SCHEME, strlen(SCHEME)) != 0)
        return false;
    const char *at = url + strlen(SCHEME);
    size_t bracket = *at == '[';
    size_t size = strcspn(at + bracket, bracket ? "]" : ":/");
    if (size == 0 || size > HOST_SIZE_MAX || (bracket && at[1 + size] != ']'))
        return false;
    snprintf(host, HOST_SIZE_MAX + 1, "%.*s", (int)size, at + bracket);
    at += size + 2 * bracket;
    size = *at == ':' ? strcspn(at + 1, "/") : 0;
    if (size > 5)
        return false;
    snprintf(port, 6, "%.*s", size ? (int)size : 2, size ? at + 1 : "80");
    return true;
}

static bool connect_url(struct channel *ch, const char *url)
{
    char host[HOST_SIZE_MAX + 1], port[6];
    struct sockaddr_storage address;
    if (!read_url(url, host, port))
        return false;
    snprintf(ch->authority, sizeof ch->authority, "%.*s", (int)strcspn(url + strlen(SCHEME), "/"),
             url + strlen(SCHEME));
    if (uv_ip4_addr(host, atoi(port), (struct sockaddr_in *)&address) == 0 ||
        uv_ip6_addr(host, atoi(port), (struct sockaddr_in6 *)&address) == 0)
        return connect_to(ch, (const struct sockaddr *)&address);
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    ch->resolve.data = ch;
    return uv_getaddrinfo(ch->client->loop, &ch->resolve, on_resolved, host, port, &hints) == 0;
}

struct channel *channel_open(struct owner_client *client, const char *url, struct exchange *x)
{
    struct channel *ch = memory_zeroed(1, sizeof *ch);
    ch->client = client;
    link_init(&ch->link);
    output_init(&ch->output);
    buf_init(&ch->head, NODE_ANSWER_HEAD_MAX);
    ch->owner = client->owner;
    client->open++;
    if (!connect_url(ch, url)) {
        bool opened = ch->opened;
        ch->state = CHANNEL_CLOSED;
        if (opened)
            uv_close((uv_handle_t *)&ch->tcp, on_closed);
        else
            channel_free(ch);
        return NULL;
    }
    ch->exchange = x;
    x->channel = ch;
    return ch;
}
