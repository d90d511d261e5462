/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/redis_connection.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "base/resp/resp_writer.h"

#define NEVER UINT64_MAX

/* ---- Sending ---- */

static void on_written(uv_write_t *write, int status);

/* A broken connection is noticed by its reads. */
static void flush(struct redis_link *l)
{
    output_flush(&l->output, (uv_stream_t *)&l->tcp, on_written);
}

static void on_written(uv_write_t *write, int status)
{
    struct redis_link *l = write->data;
    output_written(&l->output);
    if (status == 0 && l->state != REDIS_AWAY)
        flush(l);
}

static void on_prepare(uv_prepare_t *prepare)
{
    uv_prepare_stop(prepare);
    flush(prepare->data);
}

void redis_connection_flush_soon(struct redis_link *l)
{
    uv_prepare_start(&l->prepare, on_prepare);
}

/* ---- Own commands ---- */

void redis_connection_ping(struct redis_link *l, uint64_t until_ms, redis_reply_fn reply)
{
    resp_command(&l->output.out, 1);
    resp_text(&l->output.out, "PING");
    redis_link_push(l, until_ms, reply);
}

/* ---- Scripts ---- */

static void load_scripts(struct redis_link *l, uint64_t until_ms, redis_reply_fn reply)
{
    ASSERT(l->loading == 0);
    for (; l->loading < l->script_count; l->loading++) {
        resp_command(&l->output.out, 3);
        resp_text(&l->output.out, "SCRIPT");
        resp_text(&l->output.out, "LOAD");
        resp_text(&l->output.out, l->options.scripts[l->loading]);
        redis_link_push(l, until_ms, reply);
    }
}

/* Keeps the name that Redis gives to the next script. */
static bool keep_sha(struct redis_link *l, const struct resp_value *reply)
{
    if (reply->kind != RESP_BULK || reply->size != REDIS_SHA_SIZE ||
        strspn(reply->text, "0123456789abcdef") != REDIS_SHA_SIZE)
        return false;
    memcpy(l->sha[l->script_count - l->loading--], reply->text, REDIS_SHA_SIZE + 1);
    return true;
}

static void on_loaded_again(void *ctx, const struct resp_value *reply)
{
    struct redis_link *l = ctx;
    (void)reply; /* if it failed, the next NOSCRIPT has them loaded again */
    l->loading--;
}

void redis_connection_load_again(struct redis_link *l, uint64_t until_ms)
{
    load_scripts(l, until_ms, on_loaded_again);
}

/* ---- The first commands of a connection ---- */

/* What a server says may repeat the password: of its answer only a known code is logged. */
static void refused(struct redis_link *l, const char *command, const struct resp_value *reply)
{
    static const char *const codes[] = {"ERR",     "NOAUTH",  "WRONGPASS", "NOPERM", "DENIED",
                                        "LOADING", "MISCONF", "OOM",       "BUSY",   "READONLY"};
    char reason[64];
    const char *code = "unexpected reply";
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (redis_error_is(reply, codes[i]))
            code = codes[i];
    snprintf(reason, sizeof reason, "%s refused: %s", command, code);
    redis_link_broken(l, reason);
}

/* Whether the connection is still being made, and this reply is the one expected. */
static bool accepted(struct redis_link *l, const struct resp_value *reply, const char *command, bool fine)
{
    if (l->state != REDIS_CONNECTING)
        return false;
    if (!fine)
        refused(l, command, reply);
    return fine;
}

static void on_authenticated(void *ctx, const struct resp_value *reply)
{
    accepted(ctx, reply, "AUTH", reply && resp_is(reply, RESP_STATUS, "OK"));
}

static void on_selected(void *ctx, const struct resp_value *reply)
{
    accepted(ctx, reply, "SELECT", reply && resp_is(reply, RESP_STATUS, "OK"));
}

static void on_script(void *ctx, const struct resp_value *reply)
{
    accepted(ctx, reply, "SCRIPT LOAD", reply && keep_sha(ctx, reply));
}

static void on_ready(void *ctx, const struct resp_value *reply)
{
    struct redis_link *l = ctx;
    if (accepted(l, reply, "PING", reply && resp_is(reply, RESP_STATUS, "PONG")))
        redis_link_ready(l);
}

static void say_hello(struct redis_link *l)
{
    const struct redis_address *a = l->options.address;
    struct buf *out = &l->output.out;
    if (a->authenticates) {
        resp_command(out, a->user[0] ? 3 : 2);
        resp_text(out, "AUTH");
        if (a->user[0])
            resp_text(out, a->user);
        resp_text(out, a->password);
        redis_link_push(l, NEVER, on_authenticated);
    }
    if (a->db) {
        resp_command(out, 2);
        resp_text(out, "SELECT");
        resp_number(out, a->db);
        redis_link_push(l, NEVER, on_selected);
    }
    load_scripts(l, NEVER, on_script);
    redis_connection_ping(l, NEVER, on_ready);
}

/* ---- Replies ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    (void)suggested;
    struct redis_link *l = handle->data;
    *out = uv_buf_init(l->read_buffer, sizeof l->read_buffer);
}

static void on_read(uv_stream_t *stream, ssize_t count, const uv_buf_t *buf)
{
    struct redis_link *l = stream->data;
    if (count < 0)
        redis_link_broken(l, "the connection was closed");
    if (count <= 0)
        return;
    const char *bytes = buf->base;
    size_t size = (size_t)count;
    while (size) {
        size_t used;
        enum resp_verdict verdict = resp_read(&l->reader, bytes, size, &used);
        bytes += used;
        size -= used;
        if (verdict == RESP_READY && !redis_link_reply(l, resp_value(&l->reader)))
            return;
        if (verdict == RESP_BAD || verdict == RESP_TOO_LARGE) {
            redis_link_broken(l, verdict == RESP_BAD ? "not the protocol of Redis" : "a reply is too large");
            return;
        }
    }
}

/* ---- Connecting ---- */

static void on_connected(uv_connect_t *connect, int status)
{
    struct redis_link *l = connect->data;
    if (l->state != REDIS_CONNECTING)
        return;
    if (status < 0) {
        redis_link_broken(l, uv_strerror(status));
        return;
    }
    uv_tcp_nodelay(&l->tcp, 1);
    uv_read_start((uv_stream_t *)&l->tcp, on_alloc, on_read);
    say_hello(l);
}

static void connect_to(struct redis_link *l, const struct sockaddr *address)
{
    int error = uv_tcp_init(l->loop, &l->tcp);
    if (error == 0) {
        l->has_tcp = true;
        l->open++;
        output_init(&l->output);
        l->tcp.data = l->connect.data = l->output.write.data = l;
        error = uv_tcp_connect(&l->connect, &l->tcp, address, on_connected);
    }
    if (error)
        redis_link_broken(l, uv_strerror(error));
}

/* A host may have several addresses, of which one answers: each attempt takes the next one. */
static const struct sockaddr *choose(const struct redis_link *l, const struct addrinfo *found)
{
    unsigned count = 0;
    for (const struct addrinfo *at = found; at; at = at->ai_next)
        count++;
    const struct addrinfo *chosen = found;
    for (unsigned skip = l->tries % count; skip; skip--)
        chosen = chosen->ai_next;
    return chosen->ai_addr;
}

static void on_resolved(uv_getaddrinfo_t *resolve, int status, struct addrinfo *found)
{
    struct redis_link *l = resolve->data;
    l->resolving = false;
    if (l->state == REDIS_CONNECTING && status < 0)
        redis_link_broken(l, uv_strerror(status));
    else if (l->state == REDIS_CONNECTING)
        connect_to(l, choose(l, found));
    else
        redis_link_arm(l);
    uv_freeaddrinfo(found);
    redis_link_gone(l);
}

void redis_connection_open(struct redis_link *l)
{
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    const struct redis_address *a = l->options.address;
    struct sockaddr_storage numeric;
    char port[6];
    ASSERT(!l->has_tcp && !l->resolving && l->pending_count == 0);
    l->tries++;
    l->loading = 0;
    resp_reader_clear(&l->reader);
    if (uv_ip4_addr(a->host, a->port, (struct sockaddr_in *)(void *)&numeric) == 0 ||
        uv_ip6_addr(a->host, a->port, (struct sockaddr_in6 *)(void *)&numeric) == 0) {
        connect_to(l, (const struct sockaddr *)&numeric);
        return;
    }
    snprintf(port, sizeof port, "%u", a->port);
    l->resolve.data = l;
    int error = uv_getaddrinfo(l->loop, &l->resolve, on_resolved, a->host, port, &hints);
    if (error) {
        redis_link_broken(l, uv_strerror(error));
        return;
    }
    l->resolving = true;
    l->open++;
}

/* ---- Closing ---- */

static void on_tcp_closed(uv_handle_t *handle)
{
    struct redis_link *l = handle->data;
    output_release(&l->output);
    l->has_tcp = false;
    redis_link_arm(l);
    redis_link_gone(l);
}

void redis_connection_close(struct redis_link *l)
{
    uv_prepare_stop(&l->prepare);
    if (l->resolving)
        uv_cancel((uv_req_t *)&l->resolve); /* its callback comes, cancelled or not */
    if (l->has_tcp)
        uv_close((uv_handle_t *)&l->tcp, on_tcp_closed);
}
