/* SPDX-License-Identifier: Apache-2.0 */
#include "drive.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>

#include "stop.h"

#define EVENTS_MAX 256
#define GRACE_NS UINT64_C(10000000000)

static volatile sig_atomic_t interrupted;

void drive_interrupt(void)
{
    interrupted = 1;
}

static void sleep_until(uint64_t at_ns)
{
    struct timespec at = {.tv_sec = (time_t)(at_ns / UINT64_C(1000000000)),
                          .tv_nsec = (long)(at_ns % UINT64_C(1000000000))};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR && !interrupted)
        ;
}

static void wait_and_receive(int epoll, uint64_t now_ns, uint64_t until_ns)
{
    struct epoll_event events[EVENTS_MAX];
    uint64_t wait_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    struct timespec timeout = {.tv_sec = (time_t)(wait_ns / UINT64_C(1000000000)),
                               .tv_nsec = (long)(wait_ns % UINT64_C(1000000000))};
    int count = epoll_pwait2(epoll, events, EVENTS_MAX, &timeout, NULL);
    if (count < 0 && errno != EINTR)
        stop("epoll_pwait2: %s", strerror(errno));
    for (int i = 0; i < count; i++)
        lane_ready(events[i].data.ptr, events[i].events);
}

static void end_now(struct lane *lanes, int count, uint64_t now_ns)
{
    for (int i = 0; i < count; i++)
        if (lanes[i].end_ns > now_ns)
            lanes[i].end_ns = now_ns;
}

/* Counts what the end left undone. */
static void count_rest(struct lane *lanes, int count, uint64_t now_ns)
{
    for (int i = 0; i < count; i++) {
        struct lane *l = &lanes[i];
        l->results.unanswered = (uint64_t)l->in_flight;
        if (l->rate > 0 && !lane_finished(l, now_ns)) {
            uint64_t due = (uint64_t)((double)(l->end_ns - l->start_ns) * l->rate / 1e9);
            l->results.unsent = due > l->next ? due - l->next : 0;
        }
    }
}

void drive(struct lane *lanes, int count, int epoll, uint64_t start_ns, uint64_t end_ns)
{
    prctl(PR_SET_TIMERSLACK, 1);
    sleep_until(start_ns);
    for (int i = 0; i < count; i++)
        lane_start(&lanes[i], start_ns, end_ns);
    uint64_t ended_ns = 0;
    for (;;) {
        uint64_t now_ns = lane_now_ns(), until_ns = UINT64_MAX;
        int in_flight = 0;
        bool finished = true;
        for (int i = 0; i < count; i++) {
            lane_send_due(&lanes[i], now_ns);
            uint64_t due_ns = lane_due_ns(&lanes[i], now_ns);
            until_ns = due_ns < until_ns ? due_ns : until_ns;
            in_flight += lanes[i].in_flight;
            finished = finished && lane_finished(&lanes[i], now_ns);
        }
        if (!ended_ns && (interrupted || now_ns >= end_ns || lane_finished(&lanes[0], now_ns))) {
            ended_ns = now_ns;
            end_now(lanes, count, now_ns);
            continue;
        }
        if (ended_ns && ((finished && !in_flight) || now_ns > ended_ns + GRACE_NS)) {
            count_rest(lanes, count, now_ns);
            return;
        }
        uint64_t limit_ns = ended_ns ? ended_ns + GRACE_NS + 1 : end_ns;
        wait_and_receive(epoll, now_ns, until_ns < limit_ns ? until_ns : limit_ns);
    }
}
