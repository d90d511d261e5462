/* SPDX-License-Identifier: Apache-2.0 */
/* Seats are imported while others of the same event are found, held and shown: a worker adds to what the loop reads. */
#include "../lib/view_loop.h"

#include "store_fixture.h"

#define SEATS 3000u /* at first */
#define MORE 9000u  /* with each import, so that the indexes grow in the meantime */
#define IMPORTS 8u

static void seat_is(uint32_t seat, bool there)
{
    char id[16];
    struct seat_view seen;
    struct text name = {id, (size_t)snprintf(id, sizeof id, "S%u", seat)};
    enum outcome_code code = view_seat_find(view, TEXT("show"), name, &seen);
    assert_int_equal(code, there ? OUTCOME_OK : OUTCOME_NO_SUCH_SEAT);
    if (there)
        assert_true(text_equal(seen.image.id, name));
}

static void on_layout(void *ctx, struct document *document)
{
    assert_non_null(document);
    document_release(document);
    ++*(uint32_t *)ctx;
}

static int set_up(void **state)
{
    (void)state;
    if (fixture_open(&(struct store_options){0}) != 0)
        return -1;
    fixture_seats(0, SEATS);
    return 0;
}

static void existing_seats_stay_while_more_are_added(void **state)
{
    (void)state;
    struct actor admin = {.role = ROLE_ADMIN};
    uint32_t held = 0, layouts = 0;
    for (uint32_t i = 0; i < IMPORTS; i++) {
        struct fixture_seats more = {.first = SEATS + i * MORE, .count = MORE};
        store_import(store, &admin, TEXT("show"), fixture_read_seats, fixture_on_imported, &more);
        view_layout(view, TEXT("show"), on_layout, &layouts);
        while (!more.done) {
            seat_is(more.first - 1 - held % SEATS, true);
            seat_is(more.first + MORE, false);
            if (held < SEATS)
                fixture_hold(held++);
            uv_run(&loop, UV_RUN_NOWAIT);
        }
        seat_is(more.first, true);
        seat_is(more.first + MORE - 1, true);
    }
    run_until(layouts == IMPORTS);
    assert_true(held > 0);
    struct event_view seen;
    assert_true(view_event_find(view, TEXT("show"), &seen));
    assert_int_equal(seen.counts.seats, SEATS + IMPORTS * MORE);
    assert_int_equal(seen.counts.held, held);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(existing_seats_stay_while_more_are_added, set_up, fixture_clear),
    };
    return cmocka_run_group_tests_name("view_import_beside_holds", tests, NULL, NULL);
}
