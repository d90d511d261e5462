/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/serve.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "cli/cli.h"
#include "cli/shared_options.h"
#include "cli/test_clock.h"
#include "http/access/origin.h"
#include "http/gate/redis_address.h"
#include "http/server.h"
#include "http/wire/listen.h"

#define JOURNAL_MAX_DEFAULT (8ull << 30)
#define CLOSE_MS 800 /* for workers, and again for the disk: the server must stop within five seconds */

/* Everything that runs, in the order in which it is opened. */
struct serve {
    const struct serve_options *options;
    struct serve_callbacks callbacks;
    struct clock_source clock;
    struct server_options server_options;
    struct cidr proxies[OPTION_LIST_MAX];
    struct credentials credentials;
    struct store_shared shared;
    char advertise[ADVERTISE_SIZE];
    struct redis_addresses redis;
    uv_loop_t loop;
    uv_signal_t terminate, interrupt;
    bool stopping;
    int socket; /* bound; -1 once the server owns it */
    struct store *store;
    struct view *view; /* closed with the store */
    struct server *server;
};

struct serve_options serve_defaults(void)
{
    return (struct serve_options){
        .data = "./holdfast-data",
        .listen = "127.0.0.1:8080",
        .openapi = "public",
        .site = "main",
        .rate_limits = true,
        .guests = true,
        .history_days = 0,
        .journal_max = JOURNAL_MAX_DEFAULT,
    };
}

/* ---- Closing ---- */

static void on_store_closed(void *ctx)
{
    struct serve *serve = ctx;
    serve->store = NULL;
    uv_close((uv_handle_t *)&serve->terminate, NULL);
    uv_close((uv_handle_t *)&serve->interrupt, NULL);
    log_info("stopped");
}

static void on_server_stopped(void *ctx)
{
    struct serve *serve = ctx;
    store_close(serve->store, on_store_closed, serve);
}

static void on_signal(uv_signal_t *handle, int number)
{
    struct serve *serve = handle->data;
    if (serve->stopping) /* a second signal cannot make it faster */
        return;
    serve->stopping = true;
    log_info("stopping", {"signal", LOG_INT(number)});
    if (serve->callbacks.stopping)
        serve->callbacks.stopping(serve->callbacks.ctx);
    server_stop(serve->server, on_server_stopped, serve);
}

/* ---- Opening ---- */

static struct credentials_given given_credentials(void)
{
    return (struct credentials_given){.admin_key = getenv("HOLDFAST_ADMIN_KEY"),
                                      .secret = getenv("HOLDFAST_SECRET"),
                                      .secret_old = getenv("HOLDFAST_SECRET_OLD"),
                                      .ticket_key = getenv("HOLDFAST_TICKET_KEY")};
}

/* The URL becomes a link in pages, so characters that could end an attribute are refused. */
static struct status check_checkout(const char *url)
{
    static const char place[] = "{reservation}";
    const char *at = strstr(url, place);
    bool whole = strncmp(url, "https://", 8) == 0 || strncmp(url, "http://", 7) == 0 || url[0] == '/';
    size_t plain = 0;
    for (const char *c = url; *c; c++)
        plain += *c > ' ' && *c < 127 && !strchr("\"'<>\\`{}", *c);
    if (whole && at && plain == strlen(url) - 2 && strlen(url) < 2048)
        return status_none();
    return status_make(
        STATUS_INVALID,
        "--checkout: expected a URL such as https://shop.example/pay?order={reservation}, got \"%s\"", url);
}

static struct status check_pages(const struct serve_options *o)
{
    struct status status = o->checkout ? check_checkout(o->checkout) : status_none();
    for (size_t i = 0; i < o->image_origin.count && status_ok(&status); i++)
        status = strcmp(o->image_origin.entries[i], "*") == 0
                     ? status_make(STATUS_INVALID, "--image-origin: name each origin; * is not accepted")
                     : origin_check(o->image_origin.entries[i]);
    return status;
}

static struct status serve_prepare(struct serve *serve)
{
    const struct serve_options *o = serve->options;
    serve->clock = clock_system;
    const char *test_clock = getenv("HOLDFAST_TEST_CLOCK");
    if (test_clock) {
        struct status status = test_clock_open(test_clock);
        if (!status_ok(&status))
            return status;
        serve->clock = test_clock_source;
        log_warn("using a test clock", {"path", LOG_STR(test_clock)});
    }
    const struct credentials_given given = given_credentials();
    struct status credentials = credentials_check(&given);
    if (!status_ok(&credentials))
        return credentials;
    if (strcmp(o->openapi, "public") != 0 && strcmp(o->openapi, "admin") != 0)
        return status_make(STATUS_INVALID, "--openapi: expected public or admin, got \"%s\"", o->openapi);
    if (o->metrics_key && !credentials_plain(o->metrics_key))
        return status_make(STATUS_INVALID, "--metrics-key must be printable ASCII without spaces");
    for (size_t i = 0; i < o->cors.count; i++) {
        struct status status = origin_check(o->cors.entries[i]);
        if (!status_ok(&status))
            return status;
    }
    struct status pages = check_pages(o);
    if (!status_ok(&pages))
        return pages;
    for (size_t i = 0; i < o->trust_proxy.count; i++)
        if (!cidr_read(o->trust_proxy.entries[i], &serve->proxies[i]))
            return status_make(STATUS_INVALID,
                               "--trust-proxy: expected a network such as 10.0.0.0/8, got \"%s\"",
                               o->trust_proxy.entries[i]);
    serve->server_options = (struct server_options){
        .rate_limits = o->rate_limits,
        .origins = o->cors.entries,
        .origin_count = o->cors.count,
        .proxies = serve->proxies,
        .proxy_count = o->trust_proxy.count,
        .checkout = o->checkout,
        .image_origins = o->image_origin.entries,
        .image_origin_count = o->image_origin.count,
        .metrics_key = o->metrics_key,
        .openapi_closed = strcmp(o->openapi, "admin") == 0,
        .guests_refused = !o->guests,
        .hooks_private = o->hooks_private,
        .demo = o->demo,
        .skip_ms = test_clock ? test_clock_skip_ms : NULL,
    };
    /* Recovery may take a while: a bad address or a port in use is reported before it. */
    struct status status = listen_bind(o->listen, &serve->socket);
    if (status_ok(&status))
        status = shared_options_read(o, &given, listen_port(serve->socket), serve->advertise, &serve->redis,
                                     &serve->shared);
    serve->server_options.node = serve->shared.node;
    serve->server_options.redis = serve->redis.count ? &serve->redis : NULL;
    serve->server_options.gate_asks = o->gate && strcmp(o->gate, "redis") == 0;
    return status;
}

static struct status open_store(struct serve *serve)
{
    struct store_options options = {
        .data = serve->options->data,
        .shared = serve->options->store ? &serve->shared : NULL,
        .clock = serve->clock,
        .accept_clock = serve->options->accept_clock,
        .history_days = (uint32_t)serve->options->history_days,
        .journal_max = serve->options->journal_max,
        .segment_size = serve->options->segment_size,
        .close_ms = CLOSE_MS,
    };
    struct status status = store_open(&serve->store, &serve->loop, &options);
    if (status_ok(&status))
        serve->view = view_open(serve->store, 0);
    return status;
}

static struct status open_server(struct serve *serve)
{
    const struct credentials_given given = given_credentials();
    struct status status = credentials_load(&serve->credentials, serve->options->data, &given);
    if (!status_ok(&status))
        return status;
    int socket = serve->socket;
    serve->socket = -1;
    return server_open(&serve->server, &serve->loop, socket, serve->store, serve->view, &serve->credentials,
                       &serve->server_options);
}

static void watch_signals(struct serve *serve)
{
    signal(SIGPIPE, SIG_IGN); /* a client that closes early is an error of that write, not of the process */
    uv_signal_init(&serve->loop, &serve->terminate);
    uv_signal_init(&serve->loop, &serve->interrupt);
    serve->terminate.data = serve->interrupt.data = serve;
    uv_signal_start(&serve->terminate, on_signal, SIGTERM);
    uv_signal_start(&serve->interrupt, on_signal, SIGINT);
}

static void announce(struct serve *serve)
{
    char address[96], url[128];
    server_address(serve->server, address, sizeof address);
    snprintf(url, sizeof url, "http://%s", address);
    printf("listening on %s\n", url);
    fflush(stdout);
    log_info("listening", {"url", LOG_STR(url)}, {"data", LOG_STR(serve->options->data)});
    if (serve->callbacks.listening)
        serve->callbacks.listening(serve->callbacks.ctx, serve->server, url);
}

static struct status serve_until_stopped(struct serve *serve)
{
    struct status status = open_store(serve);
    if (!status_ok(&status))
        return status;
    watch_signals(serve);
    status = open_server(serve);
    if (!status_ok(&status)) {
        serve->stopping = true;
        store_close(serve->store, on_store_closed, serve);
        uv_run(&serve->loop, UV_RUN_DEFAULT);
        return status;
    }
    announce(serve);
    uv_run(&serve->loop, UV_RUN_DEFAULT);
    ASSERT(!serve->store);
    server_free(serve->server);
    return status_none();
}

int serve_run(const struct serve_options *options, const struct serve_callbacks *callbacks)
{
    struct serve *serve = memory_zeroed(1, sizeof *serve);
    serve->options = options;
    serve->callbacks = callbacks ? *callbacks : (struct serve_callbacks){0};
    serve->socket = -1;
    uv_loop_init(&serve->loop);
    signal(SIGHUP, SIG_IGN); /* sent by a terminal that closes, or by a manager to mean "reload" */
    struct status status = serve_prepare(serve);
    if (status_ok(&status))
        status = serve_until_stopped(serve);
    if (!status_ok(&status))
        log_error("cannot serve", {"error", LOG_STR(status.text)});
    if (serve->socket >= 0)
        close(serve->socket);
    uv_loop_close(&serve->loop);
    credentials_wipe(&serve->credentials);
    free(serve);
    return status_exit_code(status.kind);
}

int cli_serve(int argc, char **argv)
{
    struct serve_options o = serve_defaults();
    const struct option table[] = {
        {OPTION_TEXT, "data", &o.data, "DIR", "data folder (./holdfast-data); created if missing", 0, 0},
        {OPTION_TEXT, "listen", &o.listen, "ADDRESS:PORT",
         "address to listen on (127.0.0.1:8080); port 0 picks a free one", 0, 0},
        SHARED_OPTIONS(o),
        {OPTION_SWITCH, "limits", &o.rate_limits, "on|off", "rate limits and cool-downs (on)", 0, 0},
        {OPTION_SWITCH, "guests", &o.guests, "on|off", "issue and renew guest tokens at /v1/sessions (on)", 0,
         0},
        {OPTION_SWITCH, "hooks-private", &o.hooks_private, "on|off",
         "allow hooks to private addresses and this machine (off)", 0, 0},
        {OPTION_NUMBER, "history-days", &o.history_days, "N",
         "delete ended reservations after N days (0: never)", 0, 36500},
        {OPTION_SIZE, "journal-max", &o.journal_max, "BYTES",
         "refuse new holds when the journal is this far ahead of the book (8G)", 16u << 20, 1ull << 50},
        {OPTION_SIZE, "segment-size", &o.segment_size, "BYTES", "size of a journal file (64M)", 1u << 20,
         1u << 30},
        {OPTION_LIST, "cors", &o.cors, "ORIGIN...", "origins whose pages may call this server (none)", 0, 0},
        {OPTION_TEXT, "checkout", &o.checkout, "URL",
         "target of \"Pay\" on the pages; {reservation} is replaced by the id (none)", 0, 0},
        {OPTION_LIST, "image-origin", &o.image_origin, "ORIGIN...",
         "origins from which pages may load event images (none)", 0, 0},
        {OPTION_LIST, "trust-proxy", &o.trust_proxy, "CIDR...",
         "proxies whose X-Forwarded-For is trusted (none)", 0, 0},
        {OPTION_SWITCH, "accept-clock", &o.accept_clock, "",
         "start even if the clock is over a year ahead of the folder (off)", 0, 0},
        {OPTION_TEXT, "metrics-key", &o.metrics_key, "KEY",
         "/metrics requires this key or the admin key (public)", 0, 0},
        {OPTION_TEXT, "openapi", &o.openapi, "public|admin", "who may read /openapi.json (public)", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    int code;
    return options_ready("serve [options]", table, argc, argv, &code) ? serve_run(&o, NULL) : code;
}
