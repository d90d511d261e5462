/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/connection.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "http/forward/forward.h"
#include "http/server.h"
#include "http/wire/fault.h"
#include "http/wire/intake.h"
#include "http/wire/local_call.h"

#define IN_LIMIT (1u << 20)
#define IN_PAUSE 65536u /* bytes read ahead of an answer */
#define UNSENT_TOTAL_MAX (512ull << 20)
#define KEPT_IN_CAPACITY 16384u

static void on_written(uv_write_t *write, int status);

/* ---- Closing ---- */

static void on_closed(uv_handle_t *handle)
{
    struct connection *c = handle->data;
    struct server *s = c->server;
    ASSERT(c->state == CONNECTION_CLOSED && !c->request);
    buf_release(&c->in);
    output_release(&c->output);
    free(c);
    server_connection_gone(s);
}

void connection_abandon(struct connection *c)
{
    ASSERT(c->state == CONNECTION_CLOSED);
    link_remove(&c->all);
    uv_close((uv_handle_t *)&c->tcp, on_closed);
}

/* A request whose body will not be complete. */
static void give_back(struct request *r)
{
    if (r->forward)
        forward_abandon(r);
    server_give_request(r);
}

void connection_of_node(struct connection *c)
{
    if (c->peer)
        peers_remove(&c->server->peers, c->peer, &c->of_peer);
    c->peer = NULL;
}

void connection_close(struct connection *c)
{
    enum connection_state before = c->state;
    if (before == CONNECTION_CLOSED)
        return;
    c->state = CONNECTION_CLOSED;
    if (c->stream)
        stream_leave(c->stream);
    link_remove(&c->watched);
    link_remove(&c->parked);
    link_remove(&c->deferred);
    link_remove(&c->all);
    connection_of_node(c);
    uv_read_stop((uv_stream_t *)&c->tcp);
    server_abandon(c->server, c);
    struct request *r = c->request;
    c->request = NULL;
    if (r)
        r->connection = NULL;
    if (r && before != CONNECTION_ANSWER)
        give_back(r); /* in ANSWER the store still has it; it is returned once it is answered */
}

static void on_shutdown(uv_shutdown_t *shutdown, int status)
{
    (void)shutdown;
    (void)status; /* either way the linger deadline or the client's EOF closes it */
}

/* All replies are sent, and the last one announced the close. */
static void close_after_last(struct connection *c)
{
    if (!c->unread || c->eof) {
        connection_close(c);
        return;
    }
    c->state = CONNECTION_LINGER;
    if (uv_shutdown(&c->shutdown, (uv_stream_t *)&c->tcp, on_shutdown) != 0)
        connection_close(c);
}

/* ---- Reading or not, and for how long ---- */

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    (void)suggested;
    struct connection *c = handle->data;
    *out = uv_buf_init(c->server->read_buffer, (unsigned)server_read_room(c->server));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf);

static enum watch watch_of(const struct connection *c)
{
    if (c->state == CONNECTION_LINGER)
        return WATCH_LINGER;
    if (c->output.writing)
        return WATCH_WRITE;
    if (c->state == CONNECTION_BODY)
        return c->request->route && c->request->route->body == BODY_IMPORT ? WATCH_IMPORT : WATCH_REQUEST;
    if (c->state == CONNECTION_HEAD)
        return c->in.size ? WATCH_REQUEST : WATCH_IDLE;
    return c->state == CONNECTION_LAST ? WATCH_WRITE : WATCH_NONE;
}

/* Call it after every event: decides whether to read, and which deadline applies. */
static void update(struct connection *c)
{
    if (c->state == CONNECTION_CLOSED)
        return;
    bool resting = c->state == CONNECTION_BODY && !link_alone(&c->deferred);
    bool full = c->state == CONNECTION_BODY && c->request->forward && forward_full(c->request);
    bool want = !c->eof && c->in.size < IN_PAUSE && !resting && !full;
    if (want && !c->reading && uv_read_start((uv_stream_t *)&c->tcp, on_alloc, on_read) != 0) {
        connection_close(c);
        return;
    }
    if (!want && c->reading)
        uv_read_stop((uv_stream_t *)&c->tcp);
    c->reading = want;
    enum watch watch = watch_of(c);
    if (watch == c->watch)
        return;
    server_watch(c, watch);
    c->write_left = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
}

/* ---- Writing ---- */

static bool count_unsent(struct connection *c)
{
    struct server *s = c->server;
    s->unsent += c->output.flight_size - c->flight_counted;
    c->flight_counted = c->output.flight_size;
    return s->unsent <= UNSENT_TOTAL_MAX;
}

static void flush(struct connection *c)
{
    enum output_state state = output_flush(&c->output, (uv_stream_t *)&c->tcp, on_written);
    if (state == OUTPUT_BROKEN || !count_unsent(c)) {
        connection_close(c);
        return;
    }
    if (c->paused && !output_full(&c->output)) {
        /* Also when the socket took everything at once, so that on_written is not called. Deferred, because a client
         * that pipelines has had its share of this turn. */
        c->paused = false;
        if (c->state == CONNECTION_HEAD && link_alone(&c->deferred))
            server_defer(c->server, c);
    }
    if (!output_empty(&c->output))
        return;
    bool finished = c->state == CONNECTION_HEAD && c->eof && link_alone(&c->deferred);
    if (c->state == CONNECTION_LAST)
        close_after_last(c);
    else if (finished)
        connection_close(c); /* `in` can only hold an incomplete request of a client that sends no more */
}

void connection_flush(struct connection *c)
{
    if (c->state == CONNECTION_CLOSED)
        return;
    flush(c);
    update(c);
}

void connection_end_stream(struct connection *c)
{
    struct server *s = c->server;
    ASSERT(c->state == CONNECTION_STREAM);
    if (c->stream)
        stream_leave(c->stream);
    if (c->chunked) {
        buf_append_text(&c->output.out, CHUNKS_LAST);
        output_add(&c->output, 0, store_durable_seq(s->store), s->request_ns, LANE_NONE, &s->metrics);
    }
    c->state = CONNECTION_LAST;
}

/* The socket has taken everything: the stream may write more. */
static void notify_stream(struct connection *c)
{
    if (c->state == CONNECTION_STREAM && c->stream)
        stream_written(c->stream);
}

static void on_written(uv_write_t *write, int status)
{
    struct connection *c = write->data;
    output_written(&c->output);
    count_unsent(c);
    c->since_ms = c->server->now_ms;
    c->write_left = SIZE_MAX;
    if (c->state == CONNECTION_CLOSED)
        return;
    if (status < 0) {
        connection_close(c);
        return;
    }
    connection_advance(c);
    notify_stream(c);
}

void connection_settle(struct connection *c, uint64_t durable_seq, uint64_t now_ns)
{
    ASSERT(c->state != CONNECTION_CLOSED);
    output_settle(&c->output, durable_seq, now_ns, &c->server->metrics);
    server_park(c->server, c);
    if (c->in.size && link_alone(&c->deferred))
        connection_advance(c);
    else
        connection_flush(c);
    notify_stream(c); /* it may have waited behind earlier replies */
}

bool connection_undecided(struct connection *c)
{
    static const char head[] = "HTTP/1.1 503 Service Unavailable\r\n"
                               "Content-Type: application/problem+json\r\n"
                               "Cache-Control: no-store\r\n"
                               "Retry-After: 1\r\n"
                               "X-Content-Type-Options: nosniff\r\n"
                               "Connection: close\r\n"
                               "Content-Length: %zu\r\n\r\n%s";
    static const char body[] = "{\"type\":\"urn:holdfast:problem:%s\",\"title\":\"Undecided\",\"status\":503,"
                               "\"detail\":\"%s\",\"code\":\"%s\"}\n";
    const struct fault_facts *facts = &fault_facts[FAULT_UNDECIDED];
    char problem[512], reply[1024];
    /* Those in the middle of a request are answered first. */
    if (c->state != CONNECTION_HEAD && c->state != CONNECTION_LAST)
        return false;
    int size = snprintf(problem, sizeof(problem), body, facts->name, facts->sentence, facts->name);
    ASSERT(size > 0 && (size_t)size < sizeof(problem));
    int whole = snprintf(reply, sizeof(reply), head, (size_t)size, problem);
    ASSERT(whole > 0 && (size_t)whole < sizeof(reply));
    output_replace_parked(&c->output, reply, (size_t)whole);
    c->state = CONNECTION_LAST;
    c->unread = c->unread || c->in.size;
    link_remove(&c->deferred);
    link_remove(&c->parked);
    connection_flush(c);
    return true;
}

/* ---- Answering ---- */

struct buf *connection_output(struct request *r)
{
    if (r->connection)
        return &r->connection->output.out;
    struct buf *aside = r->local ? &r->local->reply : &r->server->sink;
    buf_clear(aside);
    return aside;
}

bool connection_keeps_alive(const struct request *r)
{
    const struct connection *c = r->connection;
    return r->keep_alive && c && !r->server->stopping && !(c->eof && c->in.size == 0);
}

void connection_answered(struct connection *c)
{
    struct request *r = c->request;
    bool keep = connection_keeps_alive(r);
    ASSERT(r->reply.finished && c->state != CONNECTION_CLOSED);
    c->state = r->reply.stream ? CONNECTION_STREAM : keep ? CONNECTION_HEAD : CONNECTION_LAST;
    c->since_ms = c->server->now_ms;
    if (c->watch != WATCH_IDLE)
        server_watch(c, WATCH_NONE); /* the next request has its own deadline */
    c->request = NULL;
    server_give_request(r);
}

void connection_replied(struct request *r)
{
    struct connection *c = r->connection;
    struct server *s = r->server;
    metrics_request(&s->metrics, r->route, r->reply.status);
    if (c) {
        output_add(&c->output, r->reply.wait_seq, store_durable_seq(s->store), r->started_ns,
                   r->route ? r->route->lane : LANE_NONE, &s->metrics);
        server_park(s, c);
    }
    if (!r->dispatching)
        connection_handled(r);
}

void connection_handled(struct request *r)
{
    struct connection *c = r->connection;
    ASSERT(r->reply.finished && !r->dispatching);
    if (r->local) {
        local_call_end(r);
        return;
    }
    if (!c) {
        server_give_request(r);
        return;
    }
    connection_answered(c);
    connection_advance(c);
}

/* ---- Reading ---- */

/* `used` bytes of `in` were consumed. */
static void connection_keep(struct connection *c, size_t used)
{
    c->unread |= used < c->in.size && c->state == CONNECTION_LAST;
    buf_consume(&c->in, c->state < CONNECTION_STREAM ? used : c->in.size);
}

void connection_advance(struct connection *c)
{
    if (c->state == CONNECTION_CLOSED)
        return;
    if (c->in.size) {
        connection_keep(c, intake_consume(c, (const char *)c->in.data, c->in.size));
        if (c->in.size == 0 && c->in.capacity > KEPT_IN_CAPACITY)
            buf_release(&c->in);
    }
    connection_flush(c);
}

static void feed(struct connection *c, const char *bytes, size_t size)
{
    if (c->state >= CONNECTION_STREAM)
        return; /* the client's bytes no longer matter */
    if (c->in.size == 0) {
        size_t used = intake_consume(c, bytes, size);
        if (c->state < CONNECTION_STREAM)
            buf_append(&c->in, bytes + used, size - used);
        else
            c->unread |= used < size;
        connection_flush(c);
        return;
    }
    buf_append(&c->in, bytes, size);
    connection_advance(c);
}

/* The client has finished sending. Complete requests are still answered. */
static void end_of_input(struct connection *c)
{
    c->eof = true;
    if (c->state == CONNECTION_STREAM || c->state == CONNECTION_LINGER) {
        connection_close(c);
        return;
    }
    if (c->state == CONNECTION_BODY) {
        give_back(c->request);
        c->request = NULL;
        c->state = CONNECTION_LAST;
    }
    connection_flush(c);
}

/* The rest of a large body is read in the following turns. */
static void pause_reading(struct connection *c)
{
    if (c->state != CONNECTION_BODY || !link_alone(&c->deferred))
        return;
    server_defer(c->server, c);
    update(c);
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    struct connection *c = stream->data;
    if (size > 0) {
        feed(c, buf->base, (size_t)size);
        if (!server_count_read(c->server, (size_t)size))
            pause_reading(c);
    } else if (size == UV_EOF)
        end_of_input(c);
    else if (size < 0)
        connection_close(c);
}

/* ---- Life ---- */

struct connection *connection_accept(struct server *s, uv_stream_t *listener)
{
    struct connection *c = memory_zeroed(1, sizeof *c);
    c->server = s;
    c->tcp.data = c;
    link_init(&c->all);
    link_init(&c->of_peer);
    link_init(&c->watched);
    link_init(&c->parked);
    link_init(&c->deferred);
    buf_init(&c->in, IN_LIMIT);
    output_init(&c->output);
    c->output.write.data = c;
    if (uv_tcp_init(s->loop, &c->tcp) != 0) {
        free(c);
        return NULL;
    }
    s->connection_count++;
    link_append(&s->connections, &c->all);
    struct sockaddr_storage peer;
    int size = sizeof peer;
    if (uv_accept(listener, (uv_stream_t *)&c->tcp) != 0 ||
        uv_tcp_getpeername(&c->tcp, (struct sockaddr *)&peer, &size) != 0) {
        connection_close(c);
        return NULL;
    }
    c->address = address_of((const struct sockaddr *)&peer);
    uv_tcp_nodelay(&c->tcp, 1);
    return c;
}

void connection_start(struct connection *c)
{
    server_watch(c, WATCH_IDLE);
    update(c);
}

bool connection_idle(const struct connection *c)
{
    return c->state == CONNECTION_HEAD && c->in.size == 0 && output_empty(&c->output);
}

void connection_stop(struct connection *c)
{
    switch (c->state) {
    case CONNECTION_HEAD:
        if (output_empty(&c->output))
            connection_close(c);
        else
            c->state = CONNECTION_LAST;
        output_announce_close(&c->output);
        break;
    case CONNECTION_STREAM:
        if (c->output.writing) {
            connection_close(c); /* a client that does not read would hold up the shutdown */
            break;
        }
        connection_end_stream(c);
        connection_flush(c);
        break;
    case CONNECTION_BODY:
    case CONNECTION_ANSWER: /* the reply will say that it is the last */
    case CONNECTION_LAST:
    case CONNECTION_LINGER:
    case CONNECTION_CLOSED:
        break;
    }
    update(c);
}

void connection_expire(struct connection *c)
{
    struct metrics *m = &c->server->metrics;
    if (c->watch == WATCH_IDLE && !connection_idle(c)) {
        server_watch(c, WATCH_IDLE);
        return;
    }
    if (c->watch == WATCH_WRITE) {
        size_t left = uv_stream_get_write_queue_size((uv_stream_t *)&c->tcp);
        bool parked_only = !c->output.writing; /* the disk is slow, not the client */
        if (parked_only || left < c->write_left) {
            c->write_left = left;
            server_watch(c, WATCH_WRITE);
            return;
        }
    }
    if (c->watch == WATCH_REQUEST || c->watch == WATCH_IMPORT || c->watch == WATCH_WRITE)
        m->connections_timed_out++;
    connection_close(c);
}
