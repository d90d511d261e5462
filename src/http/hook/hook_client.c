/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_client.h"

#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/hook/hook.h"
#include "http/hook/hook_address.h"
#include "http/wire/link.h"
#include "http/wire/version.h"

#define CONNECT_MS 5000L
#define TOTAL_MS 15000L
#define ANSWER_MAX 65536u /* bytes of an answer's body that are read and discarded */
#define IDLE_CONNECTIONS 32L
#define SPARE_MAX 32u /* transfers kept for reuse: creating one costs more than sending a message */

struct hook_client {
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t timer;
    bool private_allowed, closing;
    struct link transfers, spare;
    unsigned spares;
    unsigned handles;             /* still open */
    uint64_t worked_ns, began_ns; /* began_ns 0: not inside curl */
};

struct transfer {
    struct hook_client *client;
    struct link link;
    CURL *easy;
    struct curl_slist *headers;
    hook_client_done_fn done;
    void *ctx;
    size_t answered; /* bytes of the answer's body */
    bool refused;    /* connecting to the address is not allowed */
    char error[CURL_ERROR_SIZE];
};

/* A socket that curl asks us to poll. */
struct watched {
    struct hook_client *client;
    uv_poll_t poll;
    curl_socket_t socket;
};

/* ---- Life of a transfer ---- */

static void transfer_free(struct transfer *t)
{
    curl_easy_cleanup(t->easy);
    link_remove(&t->link);
    free(t);
}

/* Keeps its settings for the next message. */
static void transfer_end(struct transfer *t)
{
    struct hook_client *c = t->client;
    curl_multi_remove_handle(c->multi, t->easy);
    curl_slist_free_all(t->headers);
    t->headers = NULL;
    if (c->closing || c->spares == SPARE_MAX) {
        transfer_free(t);
        return;
    }
    link_remove(&t->link);
    link_append(&c->spare, &t->link);
    c->spares++;
}

static void end(CURLMsg *message)
{
    struct transfer *t;
    long status = 0;
    curl_off_t connected_us = 0; /* stays 0 unless the request begins */
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
    curl_easy_getinfo(message->easy_handle, CURLINFO_PRETRANSFER_TIME_T, &connected_us);
    curl_easy_getinfo(message->easy_handle, CURLINFO_RESPONSE_CODE, &status);
    CURLcode result = message->data.result;
    /* A body that is too long is cut off; the status still counts. */
    bool whole = result == CURLE_OK || (result == CURLE_WRITE_ERROR && t->answered > ANSWER_MAX);
    hook_client_done_fn done = t->done;
    void *ctx = t->ctx;
    char why[CURL_ERROR_SIZE];
    snprintf(why, sizeof why, "%s",
             t->refused    ? "the address is private"
             : t->error[0] ? t->error
                           : curl_easy_strerror(result));
    transfer_end(t);
    done(ctx, whole ? (int)status : 0, connected_us > 0, whole ? "" : why);
}

static void collect(struct hook_client *c)
{
    CURLMsg *message;
    int left;
    while (!c->closing && (message = curl_multi_info_read(c->multi, &left)))
        if (message->msg == CURLMSG_DONE)
            end(message);
}

static size_t on_answer(char *bytes, size_t size, size_t count, void *ctx)
{
    struct transfer *t = ctx;
    (void)bytes;
    t->answered += size * count;
    return t->answered > ANSWER_MAX ? 0 : size * count;
}

static curl_socket_t on_open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *address)
{
    struct transfer *t = ctx;
    (void)purpose;
    enum hook_reach reach = hook_address_reach(&address->addr);
    if (reach == HOOK_REACH_NEVER || (reach == HOOK_REACH_PRIVATE && !t->client->private_allowed)) {
        t->refused = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->protocol);
}

/* The settings that are the same for every message. */
static void set_up(struct transfer *t)
{
    CURL *e = t->easy;
    curl_easy_setopt(e, CURLOPT_PRIVATE, t);
    curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(e, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(e, CURLOPT_PROXY,
                     ""); /* none, even if the environment sets one: it would bypass hook_address */
    curl_easy_setopt(e, CURLOPT_POST, 1L);
    curl_easy_setopt(e, CURLOPT_USERAGENT, "Holdfast/" HOLDFAST_VERSION);
    curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
    curl_easy_setopt(e, CURLOPT_TIMEOUT_MS, TOTAL_MS);
    curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
    /* Otherwise a transfer that ends while its name is being resolved waits for the resolver and blocks the loop. */
    curl_easy_setopt(e, CURLOPT_QUICK_EXIT, 1L);
    curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_answer);
    curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETFUNCTION, on_open_socket);
    curl_easy_setopt(e, CURLOPT_OPENSOCKETDATA, t);
    curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->error);
}

static struct transfer *transfer_make(struct hook_client *c)
{
    if (c->spares) {
        struct transfer *t = LINK_OWNER(c->spare.next, struct transfer, link);
        c->spares--;
        link_remove(&t->link);
        return t;
    }
    struct transfer *t = memory_zeroed(1, sizeof *t);
    *t = (struct transfer){.client = c, .easy = curl_easy_init()};
    ASSERT(t->easy);
    set_up(t);
    return t;
}

void hook_client_post(struct hook_client *c, const char *url, const char *const *headers, size_t header_count,
                      const struct buf *body, hook_client_done_fn done, void *ctx)
{
    ASSERT(!c->closing && done);
    struct transfer *t = transfer_make(c);
    ASSERT(!t->headers);
    t->done = done;
    t->ctx = ctx;
    t->answered = 0;
    t->refused = false;
    t->error[0] = '\0';
    for (size_t i = 0; i < header_count; i++)
        t->headers = curl_slist_append(t->headers, headers[i]);
    link_init(&t->link);
    link_append(&c->transfers, &t->link);
    curl_easy_setopt(t->easy, CURLOPT_URL, url);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS, body->data);
    curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)body->size);
    curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->headers);
    /* It begins in the timer, so that `done` is never called before this returns. */
    CURLMcode added = curl_multi_add_handle(c->multi, t->easy);
    ASSERT(added == CURLM_OK);
}

/* ---- curl on the loop ---- */

static void act(struct hook_client *c, curl_socket_t socket, int flags)
{
    int running;
    c->began_ns = uv_hrtime();
    curl_multi_socket_action(c->multi, socket, flags, &running);
    collect(c);
    c->worked_ns += uv_hrtime() - c->began_ns;
    c->began_ns = 0;
}

uint64_t hook_client_worked_ns(const struct hook_client *c)
{
    return c->worked_ns + (c->began_ns ? uv_hrtime() - c->began_ns : 0);
}

static void on_timer(uv_timer_t *timer)
{
    act(timer->data, CURL_SOCKET_TIMEOUT, 0);
}

static int on_timeout(CURLM *multi, long timeout_ms, void *ctx)
{
    struct hook_client *c = ctx;
    (void)multi;
    if (timeout_ms < 0 || c->closing)
        uv_timer_stop(&c->timer);
    else
        uv_timer_start(&c->timer, on_timer, (uint64_t)timeout_ms,
                       0); /* even for 0: curl must not be re-entered from its own callback */
    return 0;
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    struct watched *w = poll->data;
    int flags = (events & UV_READABLE ? CURL_CSELECT_IN : 0) | (events & UV_WRITABLE ? CURL_CSELECT_OUT : 0);
    act(w->client, w->socket, status < 0 ? CURL_CSELECT_ERR : flags);
}

static void client_free(struct hook_client *c)
{
    ASSERT(c->handles > 0);
    if (--c->handles || !c->closing)
        return;
    free(c);
}

static void on_poll_closed(uv_handle_t *handle)
{
    struct watched *w = handle->data;
    struct hook_client *c = w->client;
    free(w);
    client_free(c);
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *ctx, void *of_socket)
{
    struct hook_client *c = ctx;
    struct watched *w = of_socket;
    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (!w)
            return 0;
        uv_poll_stop(&w->poll);
        uv_close((uv_handle_t *)&w->poll, on_poll_closed);
        curl_multi_assign(c->multi, socket, NULL);
        return 0;
    }
    if (!w) {
        w = memory_zeroed(1, sizeof *w);
        w->client = c;
        w->socket = socket;
        w->poll.data = w;
        if (uv_poll_init_socket(c->loop, &w->poll, socket) != 0) {
            free(w);
            return -1;
        }
        c->handles++;
        curl_multi_assign(c->multi, socket, w);
    }
    int events = (what & CURL_POLL_IN ? UV_READABLE : 0) | (what & CURL_POLL_OUT ? UV_WRITABLE : 0);
    uv_poll_start(&w->poll, events, on_ready);
    return 0;
}

struct hook_client *hook_client_open(uv_loop_t *loop, bool private_allowed)
{
    if (curl_global_init(CURL_GLOBAL_ALL) != CURLE_OK)
        return NULL;
    struct hook_client *c = memory_zeroed(1, sizeof *c);
    *c = (struct hook_client){
        .loop = loop, .multi = curl_multi_init(), .private_allowed = private_allowed, .handles = 1};
    ASSERT(c->multi);
    link_init(&c->transfers);
    link_init(&c->spare);
    uv_timer_init(loop, &c->timer);
    c->timer.data = c;
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(c->multi, CURLMOPT_SOCKETDATA, c);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERFUNCTION, on_timeout);
    curl_multi_setopt(c->multi, CURLMOPT_TIMERDATA, c);
    curl_multi_setopt(c->multi, CURLMOPT_MAXCONNECTS, IDLE_CONNECTIONS);
    return c;
}

static void on_timer_closed(uv_handle_t *handle)
{
    client_free(handle->data);
}

void hook_client_close(struct hook_client *c)
{
    c->closing = true;
    while (!link_alone(&c->transfers))
        transfer_end(LINK_OWNER(c->transfers.next, struct transfer, link));
    while (!link_alone(&c->spare))
        transfer_free(LINK_OWNER(c->spare.next, struct transfer, link));
    curl_multi_cleanup(c->multi);
    uv_close((uv_handle_t *)&c->timer, on_timer_closed);
}
