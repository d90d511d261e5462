/* SPDX-License-Identifier: Apache-2.0 */
#include "crowd.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "follower.h"
#include "histogram.h"
#include "lane.h"
#include "socket.h"
#include "stop.h"

#define BEGUN_MAX 128 /* followers joining the queue at a time */
#define ADDRESS_EACH 1000
#define FIRST_ADDRESS ((uint32_t)0x7f000002)
#define OPEN_NS UINT64_C(120000000000)
#define QUIET_NS UINT64_C(1000000000)
#define TOLD_NS UINT64_C(60000000000) /* without --time */
#define EVENTS_MAX 256
#define FILES_BESIDE 64

struct crowd {
    const struct options *options;
    struct follower_queue queue;
    struct tokens tokens;
    int epoll;
    int begun;
    int counts[FOLLOWER_LOST + 1]; /* followers in each state */
    struct follower *followers;
    int resume_fd; /* the connection of the PATCH; -1 before it */
    struct answer resume_answer;
    uint64_t resumed_ns; /* 0: not yet */
    int early;           /* admitted before that */
    struct histogram told, behind;
};

static volatile sig_atomic_t interrupted;

void crowd_interrupt(void)
{
    interrupted = 1;
}

static void begin_one(struct crowd *c)
{
    const struct options *o = c->options;
    struct follower *f = &c->followers[c->begun];
    uint32_t from = FIRST_ADDRESS + (uint32_t)(c->begun / ADDRESS_EACH);
    int fd = socket_connect(o->host, o->port, from);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = f};
    if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &event))
        stop("epoll: %s", strerror(errno));
    follower_begin(f, &c->queue, fd, tokens_at(&c->tokens, o->workload.first + (uint64_t)c->begun));
    c->counts[f->state]++;
    c->begun++;
}

static void note_told(struct crowd *c, const struct follower *f, uint64_t now_ns)
{
    if (!c->resumed_ns) {
        c->early++;
        return;
    }
    uint64_t since_ns = now_ns - c->resumed_ns;
    histogram_record(&c->told, since_ns);
    if (c->options->rate > 0 && f->position) {
        uint64_t turn_ns = (uint64_t)((double)(f->position - 1) * 1e9 / c->options->rate);
        histogram_record(&c->behind, since_ns > turn_ns ? since_ns - turn_ns : 0);
    }
}

static void read_resume(struct crowd *c)
{
    char bytes[4096];
    ssize_t size = recv(c->resume_fd, bytes, sizeof(bytes), 0);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (size > 0)
        answer_feed(&c->resume_answer, bytes, (size_t)size);
    const struct answer *a = &c->resume_answer;
    if (size <= 0 || a->state == ANSWER_BAD || (a->state == ANSWER_DONE && a->code != a->expected))
        stop("the room was not resumed: %d %.*s", a->code, (int)a->sample_size, a->sample);
}

static void turn(struct crowd *c, uint64_t until_ns)
{
    struct epoll_event events[EVENTS_MAX];
    uint64_t now_ns = lane_now_ns();
    uint64_t wait_ms = until_ns > now_ns ? (until_ns - now_ns) / 1000000 + 1 : 0;
    int count = epoll_wait(c->epoll, events, EVENTS_MAX, wait_ms < 1000 ? (int)wait_ms : 1000);
    if (count < 0 && errno != EINTR)
        stop("epoll_wait: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        struct follower *f = events[i].data.ptr;
        if (!f) {
            read_resume(c);
            continue;
        }
        enum follower_state before = f->state;
        follower_ready(f, &c->queue);
        c->counts[before]--;
        c->counts[f->state]++;
        if (before != FOLLOWER_TOLD && f->state == FOLLOWER_TOLD)
            note_told(c, f, lane_now_ns());
    }
}

static void open_all(struct crowd *c)
{
    uint64_t end_ns = lane_now_ns() + OPEN_NS;
    int most = c->options->connections;
    while (!interrupted && lane_now_ns() < end_ns && !c->counts[FOLLOWER_LOST] &&
           c->counts[FOLLOWER_FOLLOWING] + c->counts[FOLLOWER_TOLD] < most) {
        while (c->begun < most && c->counts[FOLLOWER_JOINING] + c->counts[FOLLOWER_OPENING] < BEGUN_MAX)
            begin_one(c);
        turn(c, end_ns);
    }
    /* What the opening has left to do, here or there, must not count. */
    for (uint64_t quiet_ns = lane_now_ns() + QUIET_NS; !interrupted && lane_now_ns() < quiet_ns;)
        turn(c, quiet_ns);
    if (c->counts[FOLLOWER_FOLLOWING] != most)
        stop("of %d followers %d follow, %d were let in before they could be, %d were lost", most,
             c->counts[FOLLOWER_FOLLOWING], c->early, c->counts[FOLLOWER_LOST]);
}

static void resume(struct crowd *c)
{
    const struct options *o = c->options;
    char request[1024];
    static const char body[] = "{\"paused\":false}";
    int size = snprintf(request, sizeof(request),
                        "PATCH /v1/events/%s/queue HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
                        "Content-Length: %zu\r\nAuthorization: Bearer %s\r\n\r\n%s",
                        o->workload.event, o->host, sizeof(body) - 1, o->admin_key, body);
    c->resume_fd = socket_connect(o->host, o->port, 0);
    answer_init(&c->resume_answer, ANSWER_HTTP, 200);
    struct epoll_event event = {.events = EPOLLIN};
    if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, c->resume_fd, &event))
        stop("epoll: %s", strerror(errno));
    c->resumed_ns = lane_now_ns();
    if (size >= (int)sizeof(request) || send(c->resume_fd, request, (size_t)size, MSG_NOSIGNAL) != size)
        stop("the room cannot be resumed: %s", strerror(errno));
}

static double cpu_s(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1e6;
}

static bool report(const struct crowd *c, double opened_s, double cpu)
{
    int most = c->options->connections, told = c->counts[FOLLOWER_TOLD];
    printf("{\"streams\":%d,\"told\":%d,\"lost\":%d,\"untold\":%d,\"opened_s\":%.3f", most, told,
           c->counts[FOLLOWER_LOST], c->counts[FOLLOWER_FOLLOWING], opened_s);
    histogram_print(&c->told, "told_us");
    if (c->options->rate > 0)
        histogram_print(&c->behind, "behind_us");
    printf(",\"cpu\":%.3f}\n", cpu);
    return told == most;
}

bool crowd_run(const struct options *o)
{
    struct crowd *c = stop_or_zeroed(1, sizeof(*c));
    c->options = o;
    c->resume_fd = -1;
    socket_allow((uint64_t)o->connections + FILES_BESIDE);
    tokens_sign(&c->tokens, o->workload.first, (uint64_t)o->connections, o->workload.secret,
                o->workload.tokens_end);
    c->queue =
        (struct follower_queue){.host = o->host, .event = o->workload.event, .token_size = c->tokens.size};
    c->followers = stop_or_zeroed((size_t)o->connections, sizeof(*c->followers));
    c->epoll = epoll_create1(EPOLL_CLOEXEC);
    uint64_t began_ns = lane_now_ns();
    open_all(c);
    double opened_s = (double)(lane_now_ns() - began_ns - QUIET_NS) / 1e9, before_s = cpu_s();
    resume(c);
    uint64_t end_ns = c->resumed_ns + (o->time_s > 0 ? (uint64_t)(o->time_s * 1e9) : TOLD_NS);
    while (!interrupted && c->counts[FOLLOWER_FOLLOWING] && lane_now_ns() < end_ns)
        turn(c, end_ns);
    double cpu = (cpu_s() - before_s) * 1e9 / (double)(lane_now_ns() - c->resumed_ns);
    bool good = report(c, opened_s, cpu);
    for (int i = 0; i < c->begun; i++)
        follower_release(&c->followers[i]);
    close(c->resume_fd);
    close(c->epoll);
    free(c->followers);
    tokens_release(&c->tokens);
    free(c);
    return good;
}
