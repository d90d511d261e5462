/* SPDX-License-Identifier: Apache-2.0 */
#include "http/server.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "http/wire/listen.h"
#include "http/wire/reply.h"

#define CONNECTIONS_MAX 16384u
#define PER_ADDRESS_MAX 1024u
#define FILES_RESERVED                                                                                       \
    64u /* for the journal, the book and everything else that must always be able to open a file */
#define SWEEP_MS 250u
#define TURN_UNDECIDED 1000u /* answers given up in one turn */
#define STOP_MS 3000u
#define EVICT_STEPS 1024u
#define TURN_REQUESTS_NS 2000000u /* the time of a turn of the loop for requests */
#define TURN_ANSWERS_NS 2000000u  /* and for sending answers */
#define TURN_READ_SIZE                                                                                       \
    (128u << 10) /* bytes read in a turn before bodies wait: about half a millisecond of work */
#define READ_SIZE_LEAST 4096u
#define TURN_CLOSES 64u /* sockets closed in a turn; each takes the kernel about 20 us */
#define SINK_LIMIT ((size_t)1 << 32)

static const uint64_t timeout_ms[WATCH_COUNT] = {
    [WATCH_IDLE] = 60000,  [WATCH_REQUEST] = 10000, [WATCH_IMPORT] = 120000,
    [WATCH_WRITE] = 10000, [WATCH_LINGER] = 2000,
};

uint64_t server_now_ms(struct server *s)
{
    int64_t skip = s->options->skip_ms ? s->options->skip_ms() : 0;
    s->now_ms = uv_now(s->loop) + (uint64_t)skip;
    return s->now_ms;
}

/* ---- Lists ---- */

void server_watch(struct connection *c, enum watch watch)
{
    struct server *s = c->server;
    c->watch = watch;
    c->since_ms = c->listed_ms = server_now_ms(s);
    if (watch == WATCH_NONE)
        link_remove(&c->watched);
    else
        link_append(&s->watched[watch], &c->watched);
}

void server_park(struct server *s, struct connection *c)
{
    if (output_parked(&c->output) && link_alone(&c->parked))
        link_append(&s->parked, &c->parked);
}

static void on_idle(uv_idle_t *idle);

/* Sends the answers that waited for the disk, as many as fit into a turn; the idle handle continues with the
 * others. */
static void send_durable(struct server *s)
{
    uint64_t durable_seq = store_durable_seq(s->store);
    uint64_t began_ns = clock_monotonic_ns(), now_ns = began_ns;
    for (unsigned sent = 1; !link_alone(&s->parked); sent++) {
        struct connection *c = LINK_OWNER(s->parked.next, struct connection, parked);
        if (output_first_seq(&c->output) > durable_seq)
            return;
        if (sent % 16 == 0)
            now_ns = clock_monotonic_ns();
        if (now_ns - began_ns > TURN_ANSWERS_NS) {
            uv_idle_start(&s->idle, on_idle);
            return;
        }
        link_remove(&c->parked);
        connection_settle(c, durable_seq, now_ns);
    }
}

static void on_durable(void *ctx, uint64_t durable_seq)
{
    struct server *s = ctx;
    (void)durable_seq;
    send_durable(s);
    if (min_seq_run(s))
        server_wake(s);
    streams_durable(&s->streams);
    hook_sender_wake(s->hooks);
    if (s->gate)
        gate_durable(s->gate);
}

void server_wake(struct server *s)
{
    uv_idle_start(&s->idle, on_idle);
}

void server_abandon(struct server *s, struct connection *c)
{
    if (s->closed_turn != s->turn) {
        s->closed_turn = s->turn;
        s->closed_so_far = 0;
    }
    link_append(&s->closing, &c->all);
    if (s->closed_so_far++ < TURN_CLOSES)
        connection_abandon(c);
    else
        server_wake(s);
}

static void close_sockets(struct server *s)
{
    for (unsigned i = 0; i < TURN_CLOSES && !link_alone(&s->closing); i++)
        connection_abandon(LINK_OWNER(s->closing.next, struct connection, all));
    if (!link_alone(&s->closing))
        server_wake(s);
}

static void on_idle(uv_idle_t *idle)
{
    struct server *s = idle->data;
    struct link turn;
    uv_idle_stop(&s->idle);
    send_durable(s);
    close_sockets(s);
    if (min_seq_run(s) | min_seq_sweep(s) | streams_pump(&s->streams))
        server_wake(s);
    s->turn++; /* a new turn as far as the share of requests is concerned */
    /* Connections that are deferred again meanwhile wait for the next turn. */
    link_init(&turn);
    while (!link_alone(&s->deferred))
        link_append(&turn, s->deferred.next);
    while (!link_alone(&turn)) {
        struct connection *c = LINK_OWNER(turn.next, struct connection, deferred);
        link_remove(&c->deferred);
        connection_advance(c);
    }
}

void server_defer(struct server *s, struct connection *c)
{
    link_append(&s->deferred, &c->deferred);
    uv_idle_start(&s->idle, on_idle);
}

/* ---- Turns ---- */

void server_begin_request(struct server *s, uint64_t now_ns)
{
    if (s->requests_turn != s->turn) {
        s->requests_turn = s->turn;
        s->requests_until_ns = now_ns + TURN_REQUESTS_NS;
    }
    s->request_ns = now_ns;
}

bool server_turn_spent(const struct server *s)
{
    return s->requests_turn == s->turn && s->request_ns > s->requests_until_ns;
}

size_t server_read_room(struct server *s)
{
    if (s->read_turn != s->turn) {
        s->read_turn = s->turn;
        s->read_so_far = 0;
    }
    size_t left = s->read_so_far < TURN_READ_SIZE ? TURN_READ_SIZE - s->read_so_far : 0;
    return left < READ_SIZE_LEAST ? READ_SIZE_LEAST : left < SERVER_READ_SIZE ? left : SERVER_READ_SIZE;
}

bool server_count_read(struct server *s, size_t size)
{
    s->read_so_far += size;
    return s->read_so_far < TURN_READ_SIZE;
}

static void on_prepare(uv_prepare_t *prepare)
{
    struct server *s = prepare->data;
    uint64_t now_ns = uv_hrtime(), idle_ns = uv_metrics_idle_time(s->loop), worked_ns = clock_thread_ns();
    if (s->turn_began_ns)
        metrics_turn(&s->metrics, now_ns - s->turn_began_ns - (idle_ns - s->turn_idle_ns),
                     worked_ns - s->turn_worked_ns);
    s->turn_began_ns = now_ns;
    s->turn_idle_ns = idle_ns;
    s->turn_worked_ns = worked_ns;
    s->turn++;
}

static void check_stopped(struct server *s);

/* Gives up answers that have waited too long for a log on another machine. They are in the order in which they began. */
static void end_undecided(struct server *s)
{
    uint64_t patience_ns = store_patience_ns(s->store), now_ns = clock_monotonic_ns();
    struct link *next = s->parked.next;
    for (unsigned i = 0; i < TURN_UNDECIDED && next != &s->parked; i++) {
        struct connection *c = LINK_OWNER(next, struct connection, parked);
        next = next->next;
        if (now_ns - output_first_ns(&c->output) < patience_ns)
            return;
        connection_undecided(c);
    }
}

static void on_sweep(uv_timer_t *timer)
{
    struct server *s = timer->data;
    uint64_t now = server_now_ms(s);
    for (unsigned watch = WATCH_IDLE; watch < WATCH_COUNT; watch++) {
        struct link *list = &s->watched[watch];
        while (!link_alone(list)) {
            struct connection *c = LINK_OWNER(list->next, struct connection, watched);
            if (now < c->listed_ms + timeout_ms[watch])
                break;
            if (now < c->since_ms + timeout_ms[watch])
                server_watch(c, (enum watch)watch);
            else
                connection_expire(c);
        }
    }
    end_undecided(s);
    owner_client_sweep(s->owner_client, now);
    if (min_seq_sweep(s))
        server_wake(s);
    presence_sweep(s->presence);
    if (s->gate)
        gate_sweep(s->gate);
    streams_sweep(&s->streams);
    if (s->stopping)
        check_stopped(s);
}

/* ---- Requests ---- */

struct request *server_take_request(struct server *s)
{
    struct request *r = spare_requests_take(&s->spare, s);
    r->store = s->store;
    r->view = s->view;
    r->number = ++s->request_count;
    s->requests_out++;
    return r;
}

void server_give_request(struct request *r)
{
    struct server *s = r->server;
    ASSERT(s->requests_out > 0);
    s->requests_out--;
    spare_requests_give(&s->spare, r);
    if (s->stopping)
        check_stopped(s);
}

/* ---- Accepting ---- */

/* Closes the connection that has been idle longest among the first few of the list, which is only roughly in that
 * order. */
static bool evict_idle(struct server *s)
{
    struct link *list = &s->watched[WATCH_IDLE];
    for (unsigned i = 0; i < EVICT_STEPS && !link_alone(list); i++) {
        struct connection *c = LINK_OWNER(list->next, struct connection, watched);
        if (c->since_ms == c->listed_ms && connection_idle(c)) {
            connection_close(c);
            s->metrics.connections_evicted++;
            return true;
        }
        c->listed_ms = c->since_ms;
        link_append(list, &c->watched);
    }
    return false;
}

static bool evict_idle_of(struct server *s, struct peer *peer)
{
    for (unsigned i = 0; i < EVICT_STEPS && !link_alone(&peer->connections); i++) {
        struct connection *c = LINK_OWNER(peer->connections.next, struct connection, of_peer);
        link_append(&peer->connections, &c->of_peer);
        if (connection_idle(c)) {
            connection_close(c);
            s->metrics.connections_evicted++;
            return true;
        }
    }
    return false;
}

static bool is_proxy(const struct server *s, struct address address)
{
    for (size_t i = 0; i < s->options->proxy_count; i++)
        if (cidr_contains(&s->options->proxies[i], address))
            return true;
    return false;
}

/* Whether there is room for it, after closing an idle one if necessary. */
static bool make_room(struct server *s, struct connection *c)
{
    if (s->connection_count > s->connections_max && !evict_idle(s))
        return false;
    struct peer *peer = peers_get(&s->peers, c->address);
    if (peer->count >= s->per_address_max && !is_proxy(s, c->address) && !evict_idle_of(s, peer))
        return false;
    c->peer = peers_get(&s->peers, c->address); /* again: the eviction may have freed the peer */
    peers_add(c->peer, &c->of_peer);
    return true;
}

/* No request was read, and none will be: a short answer, as far as the socket takes it. */
static void refuse_connection(struct connection *c)
{
    struct server *s = c->server;
    struct request *r = server_take_request(s);
    reply_seq(r, store_durable_seq(s->store)); /* sent at once, so it must not show a later seq */
    /* Written to the sink, not to a connection. */
    reply_unavailable(r, "Too many open connections. Please try again in a moment.");
    uv_buf_t bytes = uv_buf_init((char *)s->sink.data, (unsigned)s->sink.size);
    uv_try_write((uv_stream_t *)&c->tcp, &bytes, 1);
    s->metrics.connections_refused++;
    connection_close(c);
}

static void on_connection(uv_stream_t *listener, int status)
{
    struct server *s = listener->data;
    if (status != 0 && s->now_ms - s->accept_warned_ms > 1000) {
        log_warn("cannot accept a connection", {"error", LOG_STR(uv_strerror(status))});
        s->accept_warned_ms = s->now_ms;
    }
    struct connection *c = status == 0 ? connection_accept(s, listener) : NULL;
    if (!c)
        return; /* the client is already gone */
    s->metrics.connections_accepted++;
    if (make_room(s, c))
        connection_start(c);
    else
        refuse_connection(c);
}

bool server_origin_allowed(const struct server *s, struct text origin)
{
    for (size_t i = 0; i < s->options->origin_count; i++) {
        const char *allowed = s->options->origins[i];
        if (strcmp(allowed, "*") == 0 ||
            (strlen(allowed) == origin.size && memcmp(allowed, origin.at, origin.size) == 0))
            return true;
    }
    return false;
}

/* ---- Life ---- */

/* Raises the limit of open files as far as allowed; returns how many of them connections may use. */
static unsigned raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return CONNECTIONS_MAX;
    rlim_t want = CONNECTIONS_MAX + FILES_RESERVED;
    if (limit.rlim_cur < want) {
        limit.rlim_cur = limit.rlim_max < want ? limit.rlim_max : want;
        setrlimit(RLIMIT_NOFILE, &limit);
        getrlimit(RLIMIT_NOFILE, &limit);
    }
    if (limit.rlim_cur >= want)
        return CONNECTIONS_MAX;
    unsigned room =
        limit.rlim_cur > 2 * FILES_RESERVED ? (unsigned)limit.rlim_cur - FILES_RESERVED : FILES_RESERVED;
    log_warn("the open file limit allows fewer connections than usual", {"connections", LOG_INT(room)});
    return room;
}

static void init_handles(struct server *s)
{
    uv_loop_configure(s->loop, UV_METRICS_IDLE_TIME);
    uv_timer_init(s->loop, &s->sweep);
    uv_prepare_init(s->loop, &s->prepare);
    uv_idle_init(s->loop, &s->idle);
    s->sweep.data = s->prepare.data = s->idle.data = s;
    uv_timer_start(&s->sweep, on_sweep, SWEEP_MS, SWEEP_MS);
    uv_prepare_start(&s->prepare, on_prepare);
}

static bool find_key(void *ctx, const uint8_t hash[32], struct key_view *out)
{
    return view_key_find(ctx, hash, out);
}

struct status server_open(struct server **out, uv_loop_t *loop, int take_socket, struct store *store,
                          struct view *view, const struct credentials *credentials,
                          const struct server_options *options)
{
    struct server *s = memory_zeroed(1, sizeof *s);
    s->loop = loop;
    s->store = store;
    s->view = view;
    s->options = options;
    s->listener.data = s;
    struct status status = listen_open(&s->listener, loop, take_socket, on_connection);
    if (!status_ok(&status)) {
        uv_run(loop, UV_RUN_NOWAIT); /* lets the half-open listener close */
        free(s);
        return status;
    }
    s->connections_max = options->connections_max ? options->connections_max : raise_file_limit();
    s->per_address_max = options->per_address_max ? options->per_address_max
                         : options->rate_limits   ? PER_ADDRESS_MAX
                                                  : UINT32_MAX;
    routes_init(options->demo != NULL);
    link_init(&s->connections);
    link_init(&s->parked);
    link_init(&s->deferred);
    link_init(&s->closing);
    for (unsigned i = 0; i < WATCH_COUNT; i++)
        link_init(&s->watched[i]);
    buf_init(&s->sink, SINK_LIMIT);
    auth_init(&s->auth, credentials, find_key, view);
    node_keys_init(&s->node_keys, credentials);
    s->ticket_keys = credentials->ticket_keys;
    rate_limits_init(&s->rate_limits, options->rate_limits);
    peers_init(&s->peers);
    reply_stamp_init(&s->stamp);
    streams_init(&s->streams, s, s->connections_max - s->connections_max / 5);
    queue_snapshots_init(&s->snapshots);
    site_open(&s->site, options);
    init_handles(s);
    s->owner_client = owner_client_open(loop, store);
    min_seq_init(&s->min_seq_waits);
    s->presence = presence_open(s);
    s->gate = options->redis ? gate_open(s) : NULL;
    s->hooks = hook_sender_open(loop, store, view, credentials, options->hooks_private);
    s->demo_payments = options->demo ? demo_payments_open(s) : NULL;
    store_on_durable(store, on_durable, s);
    *out = s;
    return status_none();
}

void server_address(const struct server *s, char *out, size_t size)
{
    listen_address(&s->listener, out, size);
}

static void on_handle_closed(uv_handle_t *handle)
{
    struct server *s = handle->data;
    if (--s->handles == 0)
        s->stopped(s->stopped_ctx);
}

/* Closes the server once nothing is in flight, or the time is up. */
static void check_stopped(struct server *s)
{
    if (!s->stopping || s->closed)
        return;
    bool late = uv_now(s->loop) - s->stop_ms >= STOP_MS;
    /* Always the first one: closing a connection returns its request, which calls this again and closes others. */
    while (late && !link_alone(&s->connections))
        connection_close(LINK_OWNER(s->connections.next, struct connection, all));
    if (s->closed || s->connection_count || (s->requests_out && !late))
        return;
    s->closed = true;
    s->handles = s->gate ? 5 : 4;
    if (s->gate)
        gate_close(s->gate, on_handle_closed);
    presence_close(s->presence);
    owner_client_close(s->owner_client);
    uv_close((uv_handle_t *)&s->sweep, on_handle_closed);
    uv_close((uv_handle_t *)&s->prepare, on_handle_closed);
    uv_close((uv_handle_t *)&s->idle, on_handle_closed);
    streams_close(&s->streams, on_handle_closed);
}

void server_connection_gone(struct server *s)
{
    s->connection_count--;
    check_stopped(s);
}

void server_stop(struct server *s, void (*stopped)(void *ctx), void *ctx)
{
    if (s->stopping)
        return;
    s->stopping = true;
    s->stopped = stopped;
    s->stopped_ctx = ctx;
    s->stop_ms = uv_now(s->loop);
    uv_close((uv_handle_t *)&s->listener, NULL);
    hook_sender_stop(s->hooks);
    if (s->demo_payments)
        demo_payments_stop(s->demo_payments);
    for (struct link *l = s->connections.next, *next; l != &s->connections; l = next) {
        next = l->next;
        connection_stop(LINK_OWNER(l, struct connection, all));
    }
    check_stopped(s);
}

void server_free(struct server *s)
{
    ASSERT(s->connection_count == 0);
    ticket_keys_wipe(&s->ticket_keys);
    spare_requests_release(&s->spare);
    streams_release(&s->streams);
    queue_snapshots_release(&s->snapshots);
    hook_sender_free(s->hooks);
    if (s->demo_payments)
        demo_payments_free(s->demo_payments);
    if (s->gate)
        gate_free(s->gate);
    peers_release(&s->peers);
    rate_limits_release(&s->rate_limits);
    auth_release(&s->auth);
    buf_release(&s->openapi);
    site_release(&s->site);
    buf_release(&s->sink);
    free(s);
}
