/* SPDX-License-Identifier: Apache-2.0 */
/* A removed event leaves nothing large behind: neither its layout nor its document, whatever was being requested. */
#include "../lib/view_loop.h"

#include "store_fixture.h"

#include "core/catalogue/event.h"
#include "core/claim/reservation.h"

#define SEATS 20000u

static bool answered;
static struct outcome last;

static int set_up(void **state)
{
    (void)state;
    answered = false;
    if (fixture_open(&(struct store_options){0}) != 0)
        return -1;
    fixture_seats(0, SEATS);
    return 0;
}

static const struct event *the_event(void)
{
    return store->state->events[0];
}

static void remove_event(void)
{
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}, .event = TEXT("show")};
    fixture_submit(&c);
}

static void on_layout(void *ctx, struct document *document)
{
    (void)ctx;
    assert_non_null(document);
    document_release(document);
    answered = true;
}

static void on_look(void *ctx, const struct outcome *outcome)
{
    (void)ctx;
    last = *outcome;
    assert_int_equal(outcome->reservation.item_count, 1);
    assert_memory_equal(outcome->reservation.items[0].part_id.at, "S19999", 6);
    answered = true;
}

static void the_document_of_its_layout_is_released_with_it(void **state)
{
    (void)state;
    view_layout(view, TEXT("show"), on_layout, NULL);
    run_until(answered);
    assert_non_null(view->events[0].layout);
    remove_event();
    assert_null(view->events[0].layout);
}

static void a_late_document_is_not_kept(void **state)
{
    (void)state;
    view_layout(view, TEXT("show"), on_layout, NULL);
    remove_event();
    run_until(answered); /* a caller who asked before the removal is answered */
    assert_null(view->events[0].layout);
}

static struct document *kept;

static void on_kept(void *ctx, struct document *document)
{
    (void)ctx;
    kept = document;
}

static uint32_t copy_of(const char *id, const char *from)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = {id, strlen(id)},
                             .name = TEXT("A show"),
                             .terms = {"EUR", 600, 900, 300, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0}};
    c.event_put.copy_seats_from = (struct text){from, strlen(from)};
    fixture_submit(&c);
    return event_find(store->state, c.event_put.image.id)->index;
}

static void a_document_under_way_is_not_that_of_the_next_in_its_slot(void **state)
{
    (void)state;
    copy_of("twin", "show");
    view_layout(view, TEXT("show"), on_layout, NULL);
    remove_event();
    assert_int_equal(copy_of("next", "twin"), 0); /* the same seats in the same slot */
    view_layout(view, TEXT("next"), on_kept, NULL);
    run_until(answered && kept);
    static const char begin[] = "{\"event\":\"next\",";
    assert_memory_equal(kept->plain.data, begin, sizeof(begin) - 1);
    assert_ptr_equal(view->events[0].layout, kept);
    document_release(kept);
}

static void its_layout_is_released_when_the_book_has_the_last_reservation(void **state)
{
    (void)state;
    fixture_hold(SEATS - 1);
    struct id id = reservation_at(store->state, 0)->id;
    struct command c = {.kind = COMMAND_RELEASE, .actor = {.role = ROLE_ADMIN}, .reservation = id};
    fixture_submit(&c);
    remove_event();
    assert_non_null(the_event()->layout);
    run_until(!the_event()->layout && !store->state->detached);
    /* It is read from the book, with the name that memory no longer has. */
    c = (struct command){.kind = COMMAND_LOOK, .actor = {.role = ROLE_ADMIN}, .reservation = id};
    store_submit(store, &c, on_look, NULL);
    assert_false(answered);
    run_until(answered);
    assert_int_equal(last.reservation.status, RESERVATION_RELEASED);
    assert_null(the_event()->layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_document_of_its_layout_is_released_with_it, set_up,
                                        fixture_clear),
        cmocka_unit_test_setup_teardown(a_late_document_is_not_kept, set_up, fixture_clear),
        cmocka_unit_test_setup_teardown(a_document_under_way_is_not_that_of_the_next_in_its_slot, set_up,
                                        fixture_clear),
        cmocka_unit_test_setup_teardown(its_layout_is_released_when_the_book_has_the_last_reservation, set_up,
                                        fixture_clear),
    };
    return cmocka_run_group_tests_name("view_removed_event", tests, NULL, NULL);
}
