/* SPDX-License-Identifier: Apache-2.0 */
/* store_fixture.h — a store in a folder of its own with one event, "show", and a loop that runs until
 * something is so. */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/clock.h"
#include "core/layout.h"
#include "store/local.h"

#define PATIENCE_NS 20000000000ull

static char fixture_folder[64];
static uv_loop_t loop;
static struct store *store;

/* Runs the loop until the condition is true, or fails. */
#define run_until(condition)                                                                                 \
    do {                                                                                                     \
        uint64_t until_ = clock_monotonic_ns() + PATIENCE_NS;                                                \
        while (!(condition)) {                                                                               \
            uv_run(&loop, UV_RUN_ONCE);                                                                      \
            assert_true(clock_monotonic_ns() < until_);                                                      \
        }                                                                                                    \
    } while (0)

static inline void fixture_on_done(void *ctx, const struct outcome *outcome)
{
    if (outcome->code != OUTCOME_OK)
        fail_msg("refused: %s", outcome_name(outcome->code));
    *(uint64_t *)ctx = outcome->seq;
}

/* A command that is carried out at once; its seq. */
static inline uint64_t fixture_submit(const struct command *c)
{
    uint64_t seq = 0;
    store_submit(store, c, fixture_on_done, &seq);
    assert_true(seq > 0);
    return seq;
}

static inline int fixture_open(const struct store_options *wanted)
{
    struct store_options options = *wanted;
    snprintf(fixture_folder, sizeof fixture_folder, "/tmp/holdfast-store-XXXXXX");
    if (!mkdtemp(fixture_folder))
        return -1;
    options.data = fixture_folder;
    options.clock = clock_system;
    options.journal_max = 1ull << 30;
    options.segment_size = 1u << 20;
    uv_loop_init(&loop);
    struct status fault = store_open(&store, &loop, &options);
    if (!status_ok(&fault))
        fail_msg("%s", fault.text);
    struct command event = {
        .kind = COMMAND_EVENT_PUT,
        .actor = {.role = ROLE_ADMIN},
        .event_put = {.image = {.id = TEXT("show"),
                                .name = TEXT("A show"),
                                .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND}}}};
    fixture_submit(&event);
    return 0;
}

static inline void fixture_on_closed(void *ctx)
{
    *(bool *)ctx = true;
}

static inline int fixture_close(void **state)
{
    (void)state;
    bool closed = false;
    store_close(store, fixture_on_closed, &closed);
    uv_run(&loop, UV_RUN_DEFAULT);
    assert_true(closed);
    uv_loop_close(&loop);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", fixture_folder);
    return system(command);
}

/* ---- Seats ---- */

struct fixture_seats {
    uint32_t first, count; /* S<first> ... */
    bool done;
};

static inline bool fixture_read_seats(void *ctx, struct buf *rows, uint32_t *count,
                                      struct import_fault *fault)
{
    const struct fixture_seats *s = ctx;
    (void)fault;
    for (uint32_t i = 0; i < s->count; i++) {
        char id[16];
        int size = snprintf(id, sizeof id, "S%u", s->first + i);
        struct seat_image seat = {.id = {id, (size_t)size}};
        seat_row_put(rows, 0, &seat);
    }
    *count = s->count;
    return true;
}

static inline void fixture_on_imported(void *ctx, const struct import_result *result)
{
    assert_int_equal(result->code, OUTCOME_OK);
    ((struct fixture_seats *)ctx)->done = true;
}

/* The event has these seats too. */
static inline void fixture_seats(uint32_t first, uint32_t count)
{
    struct fixture_seats seats = {.first = first, .count = count};
    struct actor admin = {.role = ROLE_ADMIN};
    store_import(store, &admin, TEXT("show"), fixture_read_seats, fixture_on_imported, &seats);
    run_until(seats.done);
}

static inline uint64_t fixture_hold(uint32_t seat)
{
    static uint64_t next_id;
    char id[16];
    int size = snprintf(id, sizeof id, "S%u", seat);
    struct item_request item = {
        .kind = ITEM_SEAT, .event = TEXT("show"), .unit = {id, (size_t)size}, .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                        .reservation = {.high = 1, .low = ++next_id},
                        .hold = {.items = &item, .count = 1}};
    return fixture_submit(&c);
}

#endif
