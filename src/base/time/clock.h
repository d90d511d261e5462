/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h — the server's time: milliseconds since the epoch, never backwards, never stepped.
 *
 * Wall time is read once at start, then advanced by CLOCK_BOOTTIME, which neither steps nor stops in suspend.
 * The difference to the wall clock is slewed at no more than 500 ppm; a difference over two seconds is
 * reported and still only slewed. `floor_ms` is the last instant in the journal: time never restarts
 * before it.
 *
 * Tests inject a clock by passing their own source.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct clock_source {
    int64_t (*wall_ms)(void *owner); /* CLOCK_REALTIME */
    int64_t (*boot_ms)(void *owner); /* CLOCK_BOOTTIME */
    void *owner;
};

struct clock {
    struct clock_source source;
    int64_t now_ms;  /* the last instant given out */
    int64_t base_ms; /* our time at boot_base_ms */
    int64_t boot_base_ms;
    bool warned;
};

extern const struct clock_source clock_system;

void clock_init(struct clock *c, struct clock_source source, int64_t floor_ms);
/* One read per turn of the loop; everything decided in that turn uses the same instant. */
int64_t clock_read(struct clock *c);
/* Another process that shares our data has used this instant: later ones are not earlier. */
void clock_raise(struct clock *c, int64_t at_ms);
/* Our time minus the wall clock, for /metrics. */
int64_t clock_offset_ms(struct clock *c);
/* A stopwatch for metrics and time budgets, unrelated to the server's time. */
uint64_t clock_monotonic_ns(void);
/* The instant wait_ms from now, for pthread_cond_timedwait by CLOCK_MONOTONIC. */
struct timespec clock_deadline(uint64_t wait_ms);
/* Processor time of the calling thread. */
uint64_t clock_thread_ns(void);

#endif
