/* SPDX-License-Identifier: Apache-2.0 */
/* store_fixture.h — a store by the system's clock with one event, "show". */
#ifndef TESTS_UNIT_STORE_FIXTURE_H
#define TESTS_UNIT_STORE_FIXTURE_H

#include "core/catalogue/layout.h"
#include "../lib/store_loop.h"

static inline void fixture_on_done(void *ctx, const struct outcome *outcome)
{
    if (outcome->code != OUTCOME_OK)
        fail_msg("refused: %s", outcome_name(outcome->code));
    *(uint64_t *)ctx = outcome->seq;
}

/* Submits a command that succeeds at once; returns its seq. */
static inline uint64_t fixture_submit(const struct command *c)
{
    uint64_t seq = 0;
    store_submit(store, c, fixture_on_done, &seq);
    assert_true(seq > 0);
    return seq;
}

static inline void fixture_event(void)
{
    struct command event = {
        .kind = COMMAND_EVENT_PUT,
        .actor = {.role = ROLE_ADMIN},
        .event_put = {.image = {.id = TEXT("show"),
                                .name = TEXT("A show"),
                                .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}}}};
    fixture_submit(&event);
}

static inline int fixture_open(const struct store_options *wanted)
{
    struct store_options options = *wanted;
    fixture_folders();
    options.data = fixture_data;
    options.clock = clock_system;
    fine(store_try(options));
    fixture_event();
    return 0;
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

/* Adds these seats to the event. */
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
        .kind = ITEM_SEAT, .resource = TEXT("show"), .part = {id, (size_t)size}, .quantity = 1};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_USER, .name = TEXT("ann")},
                        .reservation = {.high = 1, .low = ++next_id},
                        .hold = {.items = &item, .count = 1}};
    return fixture_submit(&c);
}

#endif
