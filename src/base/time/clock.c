/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/clock.h"

#include <stdlib.h>
#include <time.h>

#include "base/assertion.h"
#include "base/logging.h"

#define CLOCK_SLEW_PER_MS 2000 /* one millisecond in this many: 500 ppm */
#define CLOCK_OFFSET_REPORTED_MS 2000
/* CLOCK_BOOTTIME never goes back. A source that goes back by more than this has restarted (a virtual machine that was
 * restored, a test's clock). */
#define CLOCK_BACKWARDS_MS 1000

static uint64_t read_ns(clockid_t clock)
{
    struct timespec at;
    int failed = clock_gettime(clock, &at);
    ASSERT(!failed);
    return (uint64_t)at.tv_sec * 1000000000 + (uint64_t)at.tv_nsec;
}

static int64_t clock_system_wall_ms(void *owner)
{
    (void)owner;
    return (int64_t)(read_ns(CLOCK_REALTIME) / 1000000);
}

static int64_t clock_system_boot_ms(void *owner)
{
    (void)owner;
    return (int64_t)(read_ns(CLOCK_BOOTTIME) / 1000000);
}

const struct clock_source clock_system = {.wall_ms = clock_system_wall_ms, .boot_ms = clock_system_boot_ms};

static int64_t clock_wall_ms(const struct clock *c)
{
    return c->source.wall_ms(c->source.owner);
}

static int64_t clock_boot_ms(const struct clock *c)
{
    return c->source.boot_ms(c->source.owner);
}

void clock_init(struct clock *c, struct clock_source source, int64_t floor_ms)
{
    ASSERT(source.wall_ms && source.boot_ms);
    *c = (struct clock){.source = source};
    int64_t wall_ms = clock_wall_ms(c);
    c->base_ms = c->now_ms = wall_ms > floor_ms ? wall_ms : floor_ms;
    c->boot_base_ms = clock_boot_ms(c);
}

static void clock_report(struct clock *c, int64_t offset_ms)
{
    bool far = llabs(offset_ms) > CLOCK_OFFSET_REPORTED_MS;
    if (far && !c->warned)
        log_warn("server time differs from the wall clock and is slewed towards it",
                 {"offset_ms", LOG_INT(offset_ms)});
    c->warned = far;
}

/* Advances the base by whole steps of CLOCK_SLEW_PER_MS, each of which may be a millisecond longer or
 * shorter. */
static void clock_slew(struct clock *c, int64_t steps)
{
    c->boot_base_ms += steps * CLOCK_SLEW_PER_MS;
    c->base_ms += steps * CLOCK_SLEW_PER_MS;
    int64_t offset_ms = clock_offset_ms(c);
    clock_report(c, offset_ms);
    c->base_ms -= offset_ms > steps ? steps : offset_ms < -steps ? -steps : offset_ms;
}

int64_t clock_read(struct clock *c)
{
    int64_t boot_ms = clock_boot_ms(c);
    int64_t elapsed_ms = boot_ms - c->boot_base_ms;
    if (elapsed_ms >= CLOCK_SLEW_PER_MS)
        clock_slew(c, elapsed_ms / CLOCK_SLEW_PER_MS);
    int64_t now_ms = c->base_ms + (boot_ms - c->boot_base_ms);
    if (now_ms < c->now_ms - CLOCK_BACKWARDS_MS) {
        c->base_ms = now_ms = c->now_ms;
        c->boot_base_ms = boot_ms;
    }
    if (now_ms > c->now_ms)
        c->now_ms = now_ms;
    return c->now_ms;
}

/* The base stays: time pauses until it has caught up. */
void clock_raise(struct clock *c, int64_t at_ms)
{
    if (at_ms > c->now_ms)
        c->now_ms = at_ms;
}

int64_t clock_offset_ms(struct clock *c)
{
    return c->base_ms + (clock_boot_ms(c) - c->boot_base_ms) - clock_wall_ms(c);
}

uint64_t clock_monotonic_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

struct timespec clock_deadline(uint64_t wait_ms)
{
    uint64_t at_ns = read_ns(CLOCK_MONOTONIC) + wait_ms * 1000000;
    return (struct timespec){.tv_sec = (time_t)(at_ns / 1000000000), .tv_nsec = (long)(at_ns % 1000000000)};
}

uint64_t clock_thread_ns(void)
{
    return read_ns(CLOCK_THREAD_CPUTIME_ID);
}
