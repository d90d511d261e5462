/* SPDX-License-Identifier: Apache-2.0 */
/* core_fixture.h — a state with a fixed clock, and commands that core's tests repeat, for tests that call core step by
 * step. tests/lib/world.h adds a book, a journal and restarts.
 *
 * Links core and the layers below it. */
#ifndef TESTS_LIB_CORE_FIXTURE_H
#define TESTS_LIB_CORE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/state.h"

#define CORE_EPOCH_MS 1700000000000LL

struct core_fixture {
    struct state *st;
    int64_t now_ms;     /* CORE_EPOCH_MS until a test moves it */
    struct buf changes; /* of the last step */
    struct outcome out; /* of the last command */
    void (*after_step)(void);
};
extern struct core_fixture core;

int core_set_up(void **state);
int core_tear_down(void **state);
#define core_test(name) cmocka_unit_test_setup_teardown(name, core_set_up, core_tear_down)

/* One step at core.now_ms. By the admin, unless the command has an actor. */
enum outcome_code core_apply(struct command c);
/* The same; fails unless it succeeds. */
void core_must(struct command c);
/* One step of serving waiting lists. True: there is more to do. */
bool core_serve(void);
/* Fails if state_check finds anything. */
void core_check(void);

/* ---- Commands, for any fixture; TEXT and arrays must live as long as they do ---- */

/* An event or a calendar with holds of ten minutes and without payment. */
struct command event_put_command(struct text id);
struct command calendar_put_command(struct text id, uint32_t capacity, struct zone *zone);
/* The event's pool "floor". */
struct command pool_put_command(struct text event, uint32_t capacity);
struct command event_remove_command(struct text id);
struct command hold_command(struct id id, struct text user, const struct item_request *items, uint32_t count);
struct command reservation_command(enum command_kind kind, struct id id);

struct item_request item_seat(struct text event, struct text id);
struct item_request item_floor(struct text event, uint32_t quantity);
struct item_request item_best(struct text event, uint32_t quantity, bool adjacent);

/* ---- Seats ---- */

/* The name of the nth of something: "S7". */
struct text numbered(char to[16], const char *prefix, uint32_t n);
/* Seats of one letter each. */
void seat_rows_put_letters(struct buf *rows, const char *letters);
/* Adds these seats to the event; `import` is the seq with which the import began. */
enum outcome_code core_publish(struct text event, uint64_t import, const struct buf *rows, uint32_t count);
/* The same in one step. */
enum outcome_code core_import(struct text event, const struct buf *rows, uint32_t count);
/* A seat with a value in every column. */
struct seat_image seat_of_every_column(void);

#endif
