/* SPDX-License-Identifier: Apache-2.0 */
#include "lane.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "socket.h"
#include "stop.h"

#define READ_SIZE 65536

uint64_t lane_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static void watch(struct lane_connection *c, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};
    if (epoll_ctl(c->lane->epoll, operation, c->fd, &event))
        stop("epoll: %s", strerror(errno));
}

static void push_idle(struct lane *l, struct lane_connection *c)
{
    l->idle[(l->idle_first + l->idle_count++) % l->count] = (int)(c - l->connections);
}

static struct lane_connection *pop_idle(struct lane *l)
{
    struct lane_connection *c = &l->connections[l->idle[l->idle_first]];
    l->idle_first = (l->idle_first + 1) % l->count;
    l->idle_count--;
    return c;
}

void lane_init(struct lane *l, const struct workload *workload, const char *host, int port, int connections,
               int epoll)
{
    *l = (struct lane){.workload = workload, .stride = 1, .limit = workload->limit, .epoll = epoll};
    l->count = l->alive = connections;
    l->connections = stop_or_zeroed((size_t)connections, sizeof(*l->connections));
    l->idle = stop_or_zeroed((size_t)connections, sizeof(*l->idle));
    for (int i = 0; i < connections; i++) {
        struct lane_connection *c = &l->connections[i];
        c->lane = l;
        c->fd = socket_connect(host, port, 0);
        c->request = stop_or_zeroed(1, workload->size);
        memcpy(c->request, workload->bytes, workload->size);
        answer_init(&c->answer, workload->protocol, workload->expected);
        watch(c, EPOLL_CTL_ADD, EPOLLIN);
        push_idle(l, c);
    }
}

void lane_release(struct lane *l)
{
    for (int i = 0; i < l->count; i++) {
        if (l->connections[i].fd >= 0)
            close(l->connections[i].fd);
        free(l->connections[i].request);
    }
    free(l->connections);
    free(l->idle);
}

void lane_start(struct lane *l, uint64_t start_ns, uint64_t end_ns)
{
    l->start_ns = l->results.last_ns = start_ns;
    l->end_ns = end_ns;
}

static void break_connection(struct lane_connection *c, const char *why)
{
    struct lane *l = c->lane;
    if (!l->results.broken)
        fprintf(stderr, "load: a connection broke: %s\n", why);
    close(c->fd); /* which also takes it out of epoll */
    c->fd = -1;
    l->results.broken++;
    l->alive--;
    if (c->sent)
        l->in_flight--;
}

static void send_rest(struct lane_connection *c)
{
    size_t size = c->lane->workload->size;
    bool waited = c->sent > 0;
    ssize_t sent = send(c->fd, c->request + c->sent, size - c->sent, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        c->sent = 1; /* it counts as begun */
        break_connection(c, strerror(errno));
        return;
    }
    c->sent += sent > 0 ? (size_t)sent : 0;
    bool complete = c->sent == size;
    if (!c->sent)
        stop("a connection without a request on its way takes no bytes");
    if (!complete || waited)
        watch(c, EPOLL_CTL_MOD, complete ? EPOLLIN : EPOLLIN | EPOLLOUT);
}

static void begin(struct lane *l, struct lane_connection *c, uint64_t since_ns)
{
    workload_fill(l->workload, l->offset + l->next * l->stride, c->request);
    l->next++;
    l->in_flight++;
    c->since_ns = since_ns;
    c->sent = 0;
    send_rest(c);
}

static uint64_t due_ns(const struct lane *l, uint64_t n)
{
    return l->start_ns + (uint64_t)((double)n * 1e9 / l->rate);
}

bool lane_finished(const struct lane *l, uint64_t now_ns)
{
    if (!l->alive || l->next >= l->limit)
        return true;
    /* Requests due before the end are still sent after it, otherwise the slowest would be missing. */
    return l->rate > 0 ? due_ns(l, l->next) >= l->end_ns : now_ns >= l->end_ns;
}

uint64_t lane_due_ns(const struct lane *l, uint64_t now_ns)
{
    if (!l->idle_count || lane_finished(l, now_ns))
        return UINT64_MAX;
    return l->rate > 0 ? due_ns(l, l->next) : 0;
}

void lane_send_due(struct lane *l, uint64_t now_ns)
{
    while (l->idle_count && !lane_finished(l, now_ns)) {
        uint64_t since_ns = now_ns;
        if (l->rate > 0) {
            since_ns = due_ns(l, l->next);
            if (since_ns > now_ns)
                break;
            if (!l->starved)
                histogram_record(&l->results.late, now_ns - since_ns);
        }
        struct lane_connection *c = pop_idle(l);
        if (c->fd >= 0)
            begin(l, c, since_ns);
    }
    l->starved = l->rate > 0 && !l->idle_count && !lane_finished(l, now_ns) && due_ns(l, l->next) <= now_ns;
}

static void record(struct lane *l, const struct lane_connection *c, uint64_t now_ns)
{
    struct lane_results *r = &l->results;
    const struct answer *a = &c->answer;
    uint64_t second = (now_ns - l->start_ns) / UINT64_C(1000000000);
    r->requests++;
    r->last_ns = now_ns;
    r->codes[a->code]++;
    r->per_second[second < LANE_SECONDS_MAX ? second : LANE_SECONDS_MAX - 1]++;
    histogram_record(&r->latency, now_ns - c->since_ns);
    if (a->code == a->expected || r->unexpected++)
        return;
    char name[16];
    memcpy(r->sample, a->sample, a->sample_size);
    fprintf(stderr, "load: unexpected answer %s: %s\n", answer_name(a->protocol, a->code, name), r->sample);
}

static void answered(struct lane_connection *c)
{
    struct lane *l = c->lane;
    uint64_t now_ns = lane_now_ns();
    record(l, c, now_ns);
    answer_next(&c->answer);
    c->sent = 0;
    l->in_flight--;
    if (l->rate > 0 || lane_finished(l, now_ns))
        push_idle(l, c);
    else
        begin(l, c, now_ns);
}

void lane_ready(struct lane_connection *c, uint32_t events)
{
    static _Thread_local char bytes[READ_SIZE];
    if (c->fd < 0)
        return;
    if (events & EPOLLOUT && c->sent < c->lane->workload->size) {
        send_rest(c);
        return;
    }
    ssize_t size = recv(c->fd, bytes, sizeof(bytes), 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size <= 0) {
        break_connection(c, size ? strerror(errno) : "closed by the server");
        return;
    }
    if (!c->sent) {
        break_connection(c, "an unexpected answer");
        return;
    }
    size_t taken = answer_feed(&c->answer, bytes, (size_t)size);
    if (c->answer.state == ANSWER_BAD || (c->answer.state == ANSWER_DONE && taken != (size_t)size))
        break_connection(c, "not an answer in the expected protocol, or more than one");
    else if (c->answer.state == ANSWER_DONE)
        answered(c);
}
