/* SPDX-License-Identifier: Apache-2.0 */
#include "two_nodes.h"

#include <strings.h>

#include "base/memory/memory.h"
#include "http/wire/listen.h"

int64_t nodes_now_ms, nodes_skip_ms;
struct store *owner_store;
struct server *owner, *copy;
struct credentials nodes_credentials = {.admin_key = NODES_ADMIN,
                                        .secret = "a secret of 32 bytes, or of more"};
struct mock mock;

static struct view *owner_view;
static uv_tcp_t mock_listener;
static bool mock_listens;
static struct peer_socket *mock_last;

static int64_t skipped_ms(void)
{
    return nodes_skip_ms;
}

/* ---- Sockets of tests ---- */

struct peer_socket {
    uv_tcp_t tcp;
    uv_connect_t connect;
    bool open, ended, mocked;
    struct buf got;
};
struct client {
    struct peer_socket socket;
};

static void on_alloc(uv_handle_t *handle, size_t suggested, uv_buf_t *out)
{
    (void)handle;
    (void)suggested;
    static char bytes[65536];
    *out = uv_buf_init(bytes, sizeof bytes);
}

struct write {
    uv_write_t write;
    char bytes[];
};

static void on_sent(uv_write_t *write, int status)
{
    (void)status;
    free(write->data);
}

static void send_bytes(struct peer_socket *p, const void *bytes, size_t size)
{
    struct write *w = memory_get(sizeof *w + size);
    memcpy(w->bytes, bytes, size);
    w->write.data = w;
    uv_buf_t buf = uv_buf_init(w->bytes, (unsigned)size);
    assert_int_equal(uv_write(&w->write, (uv_stream_t *)&p->tcp, &buf, 1, on_sent), 0);
}

static void on_mock_closed(uv_handle_t *handle)
{
    free(handle->data);
}

static void mock_close(struct peer_socket *p)
{
    if (mock_last == p)
        mock_last = NULL;
    if (!uv_is_closing((uv_handle_t *)&p->tcp))
        uv_close((uv_handle_t *)&p->tcp, on_mock_closed);
}

static void mock_read(struct peer_socket *p, const char *bytes, size_t size)
{
    size_t room = sizeof mock.got - 1 - mock.size, take = size < room ? size : room;
    memcpy(mock.got + mock.size, bytes, take);
    mock.got[mock.size += take] = '\0';
    if (mock.hangs_up)
        mock_close(p);
    else if (mock.answer && memmem(bytes, size, "\r\n\r\n", 4))
        send_bytes(p, mock.answer, strlen(mock.answer));
}

static void on_read(uv_stream_t *stream, ssize_t size, const uv_buf_t *buf)
{
    struct peer_socket *p = stream->data;
    if (size < 0)
        p->ended = true;
    if (p->mocked && size < 0)
        mock_close(p);
    else if (p->mocked)
        mock_read(p, buf->base, (size_t)size);
    else if (size > 0)
        buf_append(&p->got, buf->base, (size_t)size);
}

/* ---- A client ---- */

static void on_connected(uv_connect_t *connect, int status)
{
    struct peer_socket *p = connect->data;
    assert_int_equal(status, 0);
    p->open = true;
    uv_read_start((uv_stream_t *)&p->tcp, on_alloc, on_read);
}

struct client *client_open(const char *url)
{
    struct client *c = memory_zeroed(1, sizeof *c);
    struct peer_socket *p = &c->socket;
    struct sockaddr_storage address;
    buf_init(&p->got, 64u << 20);
    fine(listen_read(url + strlen("http://"), &address));
    uv_tcp_init(&loop, &p->tcp);
    p->tcp.data = p->connect.data = p;
    assert_int_equal(uv_tcp_connect(&p->connect, &p->tcp, (struct sockaddr *)&address, on_connected), 0);
    run_until(p->open);
    return c;
}

uv_stream_t *client_stream(struct client *c)
{
    return (uv_stream_t *)&c->socket.tcp;
}

void client_send(struct client *c, const void *bytes, size_t size)
{
    send_bytes(&c->socket, bytes, size);
}

static void on_client_closed(uv_handle_t *handle)
{
    struct peer_socket *p = handle->data;
    buf_release(&p->got);
    free(p); /* the client begins with it */
}

void client_close(struct client *c)
{
    uv_close((uv_handle_t *)&c->socket.tcp, on_client_closed);
}

const char *client_got(const struct client *c)
{
    struct buf *got = (struct buf *)&c->socket.got;
    *buf_reserve(got, 1) = '\0';
    return (const char *)got->data;
}

size_t client_got_size(const struct client *c)
{
    return c->socket.got.size;
}

bool client_ended(const struct client *c)
{
    return c->socket.ended;
}

/* ---- One request ---- */

const char *said_header(const struct said *said, const char *name)
{
    static char value[1024];
    const char *found = NULL;
    for (const char *line = strstr(said->head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        if (strncasecmp(line + 2, name, strlen(name)) != 0 || line[2 + strlen(name)] != ':')
            continue;
        if (found)
            return "";
        found = line + 2 + strlen(name) + 2;
        snprintf(value, sizeof value, "%.*s", (int)strcspn(found, "\r"), found);
    }
    return found ? value : NULL;
}

/* Whether a whole answer was received, which it fills in. */
static bool complete(const struct client *c, bool bodiless, struct said *said)
{
    const char *got = client_got(c), *end = strstr(got, "\r\n\r\n");
    if (!end)
        return false;
    snprintf(said->head, sizeof said->head, "%.*s", (int)(end + 4 - got), got);
    said->status = atoi(got + strlen("HTTP/1.1 "));
    const char *length = said_header(said, "Content-Length");
    size_t size = length && !bodiless ? (size_t)atoi(length) : 0;
    if (client_got_size(c) < (size_t)(end + 4 - got) + size)
        return false;
    snprintf(said->body, sizeof said->body, "%.*s", (int)size, end + 4);
    return true;
}

const struct said *say(const struct server *server, const char *method, const char *target,
                       const char *headers, const char *body)
{
    static struct said said;
    struct buf request;
    struct client *c = client_open(nodes_url(server));
    buf_init(&request, 64u << 20);
    buf_printf(&request, "%s %s HTTP/1.1\r\nHost: x\r\n%s", method, target, headers);
    if (body)
        buf_printf(&request, "Content-Length: %zu\r\n", strlen(body));
    buf_append_text(&request, "\r\n");
    buf_append_text(&request, body ? body : "");
    client_send(c, request.data, request.size);
    buf_release(&request);
    run_until(complete(c, strcmp(method, "HEAD") == 0, &said));
    client_close(c);
    return &said;
}

/* ---- An owner made up by the test ---- */

static void on_mock_connection(uv_stream_t *listener, int status)
{
    assert_int_equal(status, 0);
    struct peer_socket *p = memory_zeroed(1, sizeof *p);
    p->mocked = true;
    uv_tcp_init(&loop, &p->tcp);
    p->tcp.data = p;
    assert_int_equal(uv_accept(listener, (uv_stream_t *)&p->tcp), 0);
    uv_read_start((uv_stream_t *)&p->tcp, on_alloc, on_read);
    mock.connections++;
    mock_last = p;
}

void mock_open(void)
{
    int socket;
    char url[96] = "http://";
    memset(&mock, 0, sizeof mock);
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(listen_open(&mock_listener, &loop, socket, on_mock_connection));
    mock_listens = true;
    listen_address(&mock_listener, url + strlen(url), sizeof url - strlen(url));
    nodes_set_owner(url);
}

void mock_send(const char *bytes)
{
    assert_non_null(mock_last);
    if (bytes)
        send_bytes(mock_last, bytes, strlen(bytes));
    else
        mock_close(mock_last);
}

/* ---- The nodes ---- */

void nodes_pass(int64_t ms)
{
    nodes_skip_ms += ms;
    uint64_t now_ms = uv_now(&loop) + (uint64_t)nodes_skip_ms;
    run_until(owner->owner_client->now_ms >= now_ms && copy->owner_client->now_ms >= now_ms);
}

void nodes_set_owner(const char *url)
{
    snprintf(store->following.owner_url, sizeof store->following.owner_url, "%s", url);
}

const char *nodes_url(const struct server *server)
{
    static char urls[2][96];
    char *url = urls[server == owner];
    snprintf(url, sizeof urls[0], "http://");
    server_address(server, url + strlen(url), sizeof urls[0] - strlen(url));
    return url;
}

static struct server *serve(struct store *of, struct view *shown, const struct server_options *options)
{
    struct server *server;
    int socket;
    fine(listen_bind("127.0.0.1:0", &socket));
    fine(server_open(&server, &loop, socket, of, shown, &nodes_credentials, options));
    return server;
}

int nodes_open(void **state)
{
    static const struct server_options of_owner = {
        .node = "owner:1", .skip_ms = skipped_ms, .rate_limits = true};
    static const struct server_options of_copy = {
        .node = "copy:2", .skip_ms = skipped_ms, .rate_limits = true};
    (void)state;
    fixture_folders();
    nodes_now_ms = NODES_START_MS;
    nodes_skip_ms = 0;
    fine(store_try((struct store_options){.data = fixture_data, .clock = fixed_clock(&nodes_now_ms)}));
    const struct store_options second = {.data = fixture_other,
                                         .clock = fixed_clock(&nodes_now_ms),
                                         .journal_max = 1u << 30,
                                         .segment_size = 1u << 20};
    fine(store_open(&owner_store, &loop, &second));
    owner_view = view_open(owner_store, 0);
    owner = serve(owner_store, owner_view, &of_owner);
    copy = serve(store, view, &of_copy);
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    nodes_set_owner(nodes_url(owner));
    return 0;
}

int nodes_close(void **state)
{
    bool stopped[2] = {false, false}, closed = false;
    if (mock_last)
        mock_close(mock_last);
    if (mock_listens)
        uv_close((uv_handle_t *)&mock_listener, NULL);
    mock_listens = false;
    server_stop(copy, on_store_closed, &stopped[0]);
    server_stop(owner, on_store_closed, &stopped[1]);
    run_until(stopped[0] && stopped[1]);
    store_close(owner_store, on_store_closed, &closed);
    run_until(closed);
    int code = fixture_clear(state);
    server_free(owner);
    server_free(copy);
    return code;
}
