/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_redis.h"

#include <signal.h>

#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "http/wire/listen.h"
#include "store_loop.h"

#define GOT_MAX ((size_t)64 << 20)

static const struct resp_limits limits = {
    .request = true, .depth = 1, .values = 100000, .bytes = (size_t)16 << 20};

struct fake_peer {
    uv_tcp_t tcp;
    struct fake_redis *server;
    struct fake_peer *next;
    struct resp_reader reader;
    struct buf unread; /* while it is stopped */
    bool knows;        /* authenticated */
};

/* ---- Sending ---- */

static void send_bytes(struct fake_peer *p, const void *bytes, size_t size)
{
    uv_buf_t buf = uv_buf_init((char *)bytes, (unsigned)size);
    int sent = uv_try_write((uv_stream_t *)&p->tcp, &buf, 1);
    assert_true(sent < 0 || sent == (int)size); /* the other side may be gone */
}

static void on_peer_closed(uv_handle_t *handle)
{
    struct fake_peer *p = handle->data;
    resp_reader_release(&p->reader);
    buf_release(&p->unread);
    free(p);
}

static void drop(struct fake_peer *p)
{
    struct fake_peer **at = &p->server->peers;
    while (*at && *at != p)
        at = &(*at)->next;
    if (!*at)
        return;
    *at = p->next;
    uv_close((uv_handle_t *)&p->tcp, on_peer_closed);
}

/* ---- Commands ---- */

static const struct resp_value *argument(const struct resp_value *command, uint32_t index)
{
    return index < command->count ? command + 1 + index : NULL;
}

static bool argument_is(const struct resp_value *command, uint32_t index, const char *text)
{
    const struct resp_value *v = argument(command, index);
    return v && resp_is(v, RESP_BULK, text);
}

static const char *authenticate(struct fake_peer *p, const struct resp_value *command)
{
    const struct fake_redis *f = p->server;
    const char *user = f->user ? f->user : "default";
    bool named = command->count == 3 && argument_is(command, 1, user);
    if (!f->password || !argument_is(command, command->count - 1, f->password) ||
        !(named || (command->count == 2 && !f->user)))
        return "-WRONGPASS invalid username-password pair or user is disabled.\r\n";
    p->knows = true;
    return "+OK\r\n";
}

/* A name for the script, of the right form. */
static const char *load(struct fake_redis *f, const struct resp_value *script)
{
    static char reply[64];
    uint64_t name = hash_sip((struct hash_key){0}, script->text, script->size);
    f->forgetful = false;
    snprintf(reply, sizeof reply, "$40\r\n%040llx\r\n", (unsigned long long)name);
    return reply;
}

static const char *answer_of(struct fake_peer *p, const struct resp_value *command)
{
    struct fake_redis *f = p->server;
    if (argument_is(command, 0, "AUTH"))
        return authenticate(p, command);
    if (f->password && !p->knows)
        return "-NOAUTH Authentication required.\r\n";
    if (argument_is(command, 0, "PING"))
        return f->ping ? f->ping : "+PONG\r\n";
    if (argument_is(command, 0, "SELECT"))
        return "+OK\r\n";
    if (argument_is(command, 0, "SCRIPT") && argument_is(command, 1, "LOAD") && command->count == 3)
        return f->load ? f->load : load(f, argument(command, 2));
    if (argument_is(command, 0, "EVALSHA") && f->forgetful)
        return "-NOSCRIPT No matching script.\r\n";
    const char *judged = f->judge ? f->judge(command) : NULL;
    return judged ? judged : f->answer ? f->answer : "+OK\r\n";
}

static void note(struct fake_redis *f, const struct resp_value *command)
{
    for (uint32_t i = 0; i < command->count; i++) {
        const struct resp_value *v = argument(command, i);
        buf_append_text(&f->got, i ? " " : "");
        buf_append(&f->got, v->text, v->size);
    }
    buf_append_text(&f->got, "\n");
    f->commands++;
}

static void take(struct fake_peer *p, const char *bytes, size_t size)
{
    struct fake_redis *f = p->server;
    while (size) {
        size_t used;
        enum resp_verdict verdict = resp_read(&p->reader, bytes, size, &used);
        assert_true(verdict == RESP_MORE || verdict == RESP_READY);
        bytes += used;
        size -= used;
        if (verdict == RESP_MORE)
            return;
        const struct resp_value *command = resp_value(&p->reader);
        note(f, command);
        const char *answer = answer_of(p, command);
        send_bytes(p, answer, strlen(answer));
        f->answers++;
        if (f->hangs_up) {
            drop(p);
            return;
        }
    }
}

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    static char bytes[65536];
    (void)handle;
    (void)suggested;
    *out = uv_buf_init(bytes, sizeof bytes);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    struct fake_peer *p = stream->data;
    p->server->pieces += size > 0;
    if (size < 0)
        drop(p);
    else if (p->server->stopped)
        buf_append(&p->unread, buf->base, (size_t)size);
    else
        take(p, buf->base, (size_t)size);
}

/* ---- The server ---- */

static void on_connection(uv_stream_t *listener, int status)
{
    struct fake_redis *f = listener->data;
    struct fake_peer *p = memory_zeroed(1, sizeof *p);
    assert_int_equal(status, 0);
    p->server = f;
    p->next = f->peers;
    f->peers = p;
    resp_reader_init(&p->reader, &limits);
    buf_init(&p->unread, GOT_MAX);
    uv_tcp_init(&loop, &p->tcp);
    p->tcp.data = p;
    assert_int_equal(uv_accept(listener, (uv_stream_t *)&p->tcp), 0);
    uv_read_start((uv_stream_t *)&p->tcp, on_alloc, on_read);
    f->connections++;
    if (f->greeting)
        send_bytes(p, f->greeting, strlen(f->greeting));
}

void fake_redis_start(struct fake_redis *f)
{
    int socket;
    assert_false(f->listens);
    fine(listen_bind(f->address, &socket));
    fine(listen_open(&f->listener, &loop, socket, on_connection));
    f->listener.data = f;
    f->listens = true;
    listen_address(&f->listener, f->address, sizeof f->address);
    snprintf(f->url, sizeof f->url, "redis://%s", f->address);
}

void fake_redis_open(struct fake_redis *f)
{
    memset(f, 0, sizeof *f);
    signal(SIGPIPE, SIG_IGN); /* as the server does */
    buf_init(&f->got, GOT_MAX);
    strcpy(f->address, "127.0.0.1:0");
    fake_redis_start(f);
}

static void on_listener_closed(uv_handle_t *handle)
{
    struct fake_redis *f = handle->data;
    f->listens = false;
}

void fake_redis_kill(struct fake_redis *f)
{
    while (f->peers)
        drop(f->peers);
    if (f->listens)
        uv_close((uv_handle_t *)&f->listener, on_listener_closed);
    run_until(!f->listens);
}

void fake_redis_continue(struct fake_redis *f)
{
    f->stopped = false;
    for (struct fake_peer *p = f->peers, *next; p; p = next) {
        struct buf unread = p->unread;
        next = p->next;
        buf_init(&p->unread, GOT_MAX);
        take(p, (const char *)unread.data, unread.size);
        buf_release(&unread);
    }
}

void fake_redis_say(struct fake_redis *f, const void *bytes, size_t size)
{
    for (struct fake_peer *p = f->peers; p; p = p->next)
        send_bytes(p, bytes, size);
}

const char *fake_redis_got(struct fake_redis *f)
{
    buf_append(&f->got, "", 1);
    buf_clear(&f->got);
    return (const char *)f->got.data;
}

void fake_redis_close(struct fake_redis *f)
{
    fake_redis_kill(f);
    uv_run(&loop, UV_RUN_DEFAULT);
    buf_release(&f->got);
}
