/* SPDX-License-Identifier: Apache-2.0 */
/* entry_fixture.h — a store with a fixed clock and an event, "show", that has a waiting room, a waiting list and a
 * pool, "floor". */
#ifndef TESTS_UNIT_LINE_FIXTURE_H
#define TESTS_UNIT_LINE_FIXTURE_H

#include "../lib/view_loop.h"
#include "core/catalogue/event.h"

#define START_MS 1772438400000LL

static int64_t now_ms = START_MS;
static struct outcome last; /* of the last command; its pointers are invalid */
static bool answered;

static inline void open_store(const char *data)
{
    fine(store_try((struct store_options){.data = data, .clock = fixed_clock(&now_ms)}));
}

static inline int line_set_up(void **state)
{
    (void)state;
    now_ms = START_MS;
    fixture_folders();
    return 0;
}

#define line_test(name) cmocka_unit_test_setup_teardown(name, line_set_up, fixture_clear)

/* Turns of the loop, each with a slice of the pending work. */
static inline void run_slices(int count)
{
    for (int i = 0; i < count; i++) {
        store_more(store);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
}

/* ---- Commands ---- */

static inline void on_outcome(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    last = *outcome;
    answered = true;
}

static inline enum outcome_code submit(const struct command *c)
{
    answered = false;
    store_submit(store, c, on_outcome, NULL);
    run_until(answered);
    return last.code;
}

static inline void must(const struct command *c)
{
    if (submit(c) != OUTCOME_OK)
        fail_msg("refused: %s", outcome_name(last.code));
}

static inline struct text text_of(const char *word)
{
    return (struct text){word, strlen(word)};
}

/* With a queue unless the rate is 0. */
static inline enum outcome_code try_event(const char *id, uint32_t rate_per_second, uint32_t max_active)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image = (struct event_image){
        .id = text_of(id),
        .name = TEXT("A show"),
        .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
        .has_queue = rate_per_second > 0,
        .queue = {.rate_per_second = rate_per_second, .max_active = max_active, .pass_ttl_s = 900},
        .has_list = true,
        .entry_key = {0x1111111111111111, 0x2222222222222222}};
    c.event_put.seed[0] = 7;
    return submit(&c);
}

static inline void put_event(const char *id, uint32_t rate_per_second, uint32_t max_active)
{
    if (try_event(id, rate_per_second, max_active) != OUTCOME_OK)
        fail_msg("refused: %s", outcome_name(last.code));
}

static inline void put_pool(uint32_t capacity)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("show");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = capacity;
    c.pool_put.price = 100;
    must(&c);
}

static inline enum outcome_code join_queue(const char *user)
{
    struct command c = {.kind = COMMAND_QUEUE_JOIN, .actor = {.role = ROLE_USER, .name = text_of(user)}};
    c.queue.event = TEXT("show");
    return submit(&c);
}

static inline enum outcome_code list_join(const char *user, uint32_t quantity)
{
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_USER, .name = text_of(user)}};
    c.list.event = TEXT("show");
    c.list.wish = (struct list_wish){.quantity = quantity, .pool = TEXT("floor")};
    return submit(&c);
}

/* By the admin, who needs no pass. */
static inline enum outcome_code hold_pool(const char *user, uint32_t quantity)
{
    static uint64_t next_id;
    struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("show"), .part = TEXT("floor"), .quantity = quantity};
    struct command c = {.kind = COMMAND_HOLD,
                        .actor = {.role = ROLE_ADMIN},
                        .user_id = text_of(user),
                        .reservation = id_make(now_ms, ++next_id, 7)};
    c.hold.items = &item;
    c.hold.count = 1;
    return submit(&c);
}

static inline enum outcome_code release(struct id reservation)
{
    struct command c = {.kind = COMMAND_RELEASE, .actor = {.role = ROLE_ADMIN}, .reservation = reservation};
    return submit(&c);
}

/* ---- Looking ---- */

static inline uint64_t show_number(void)
{
    struct event_view seen;
    assert_true(view_event_find(view, TEXT("show"), &seen));
    return seen.image.number;
}

static inline struct queue_view queue_now(void)
{
    struct queue_view seen;
    assert_int_equal(view_queue_find(view, TEXT("show"), &seen), OUTCOME_OK);
    return seen;
}

static inline enum queue_status queue_status_of(uint32_t number)
{
    struct queue_entry_image entry;
    uint64_t seq;
    assert_true(view_queue_entry(view, show_number(), number, &entry, &seq));
    return entry.status;
}

struct fixture_answer {
    bool done;
    char text[512];
};

static inline void on_availability(void *ctx, enum outcome_code code, struct document *d)
{
    struct fixture_answer *a = ctx;
    assert_int_equal(code, OUTCOME_OK);
    assert_true(d->plain.size < sizeof(a->text));
    memcpy(a->text, d->plain.data, d->plain.size);
    document_release(d);
    a->done = true;
}

/* A letter for each seat. */
static inline const char *map_seen(void)
{
    static struct fixture_answer a;
    a = (struct fixture_answer){0};
    view_availability(view, TEXT("show"), AVAILABILITY_MAP, 0, on_availability, &a);
    run_until(a.done);
    char *at = strstr(a.text, "\"map\":\"");
    assert_non_null(at);
    return at + strlen("\"map\":\"");
}

/* The units of the pool that are shown as free. */
static inline uint32_t pool_seen(void)
{
    struct fixture_answer a = {0};
    view_availability(view, TEXT("show"), AVAILABILITY_JSON, 0, on_availability, &a);
    run_until(a.done);
    const char *at = strstr(a.text, "\"available\":");
    assert_non_null(at);
    return (uint32_t)strtoul(at + strlen("\"available\":"), NULL, 10);
}

#endif
