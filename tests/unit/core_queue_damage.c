/* SPDX-License-Identifier: Apache-2.0 */
/* Changes that do not fit a waiting room are damage, and refused by recovery; and state_check notices every derived
 * field of a room that is off by one. */
#include "queue_fixture.h"

#include "core/state_check.h"

static struct change change;
static int sentences;

/* Entries: 1 admitted, 2 left, 3 passed over, 4 back, 5 finished, 6 waiting, 7 waiting. */
static void begin(bool shuffle)
{
    struct queue_settings settings = {.open_at_ms = CORE_EPOCH_MS + 1000,
                                      .rate_per_second = 1000,
                                      .pass_ttl_s = 900,
                                      .shuffle_before_open = shuffle};
    fixture_begin();
    fixture_put(&settings, 4);
    fixture_admit(100);
    for (uint32_t i = 1; i <= 7; i++)
        fixture_join(i);
    fixture_entry(COMMAND_QUEUE_LEAVE, 2);
    core.now_ms = CORE_EPOCH_MS + 1000;
    fixture_admit(1);
    if (shuffle)
        return;
    core.now_ms += 1000 * 1000;
    fixture_put(&(struct queue_settings){.rate_per_second = 1000, .max_active = 2, .pass_ttl_s = 900}, 4);
    fixture_entry(COMMAND_QUEUE_LOOK, 5);
    fixture_entry(COMMAND_QUEUE_LOOK, 6);
    fixture_entry(COMMAND_QUEUE_LOOK, 7);
    for (int i = 0; i < 2; i++, core.now_ms += QUEUE_STEP_MS)
        fixture_admit(100);
    fixture_entry(COMMAND_QUEUE_LOOK, 4);
    struct queue *r = fixture_queue();
    assert_int_equal(queue_entry(r, 1)->status, QUEUE_FINISHED);
    assert_int_equal(queue_entry(r, 3)->status, QUEUE_PASSED_OVER);
    assert_int_equal(queue_entry(r, 4)->status, QUEUE_PASSED_OVER);
    assert_int_equal(queue_entry(r, 4)->until_s, 0);
    assert_int_equal(queue_entry(r, 5)->status, QUEUE_ADMITTED);
    assert_int_equal(queue_entry(r, 6)->status, QUEUE_ADMITTED);
    assert_int_equal(queue_entry(r, 7)->status, QUEUE_WAITING);
    core_check();
}

static enum restore_result restore(void)
{
    change.seq = core.st->seq + 1;
    change.at_ms = core.now_ms;
    return state_restore(core.st, &change);
}

static void move(uint32_t number, enum queue_status status, int64_t until_ms, enum restore_result expected)
{
    struct buf moves;
    buf_init(&moves, 64);
    queue_move_put(&moves, &(struct queue_move){number, status, until_ms});
    change = (struct change){.kind = CHANGE_QUEUE_MOVED};
    change.moved.event = fixture_event()->image.number;
    change.moved.moves = bytes_reader_make(moves.data, moves.size);
    change.moved.count = 1;
    enum restore_result result = restore();
    if (result != expected)
        fail_msg("entry %u to %s: %d", number, queue_status_name(status), result);
    buf_release(&moves);
    if (result == RESTORE_OK)
        core_check();
}

static void only_legal_moves_are_restored(void **state)
{
    (void)state;
    int64_t until_ms = (core.now_ms / 1000 + 5) * 1000, then_ms;
    begin(false);
    then_ms = queue_until_ms(queue_entry(fixture_queue(), 5));
    for (uint32_t from = 1; from <= 2; from++) /* finished, left: permanently */
        for (enum queue_status to = QUEUE_ADMITTED; to <= QUEUE_LEFT; to++)
            move(from, to, to == QUEUE_ADMITTED ? until_ms : 0, RESTORE_DAMAGED);
    move(3, QUEUE_FINISHED, 0, RESTORE_DAMAGED);
    move(3, QUEUE_PASSED_OVER, until_ms, RESTORE_DAMAGED); /* it is already away */
    move(4, QUEUE_PASSED_OVER, 0, RESTORE_DAMAGED);        /* and this one back */
    move(4, QUEUE_LEFT, until_ms, RESTORE_DAMAGED);        /* was never admitted */
    move(5, QUEUE_PASSED_OVER, until_ms, RESTORE_DAMAGED);
    move(5, QUEUE_ADMITTED, until_ms, RESTORE_DAMAGED);
    move(5, QUEUE_FINISHED, then_ms + 1000, RESTORE_DAMAGED);
    move(7, QUEUE_FINISHED, 0, RESTORE_DAMAGED);
    move(7, QUEUE_ADMITTED, 0, RESTORE_DAMAGED); /* without an end */
    move(7, QUEUE_PASSED_OVER, 0, RESTORE_DAMAGED);
    move(8, QUEUE_LEFT, 0, RESTORE_DAMAGED);
    move(3, QUEUE_PASSED_OVER, 0, RESTORE_OK);
    move(4, QUEUE_PASSED_OVER, until_ms, RESTORE_OK);
    move(5, QUEUE_LEFT, then_ms, RESTORE_OK);
    move(6, QUEUE_FINISHED, queue_until_ms(queue_entry(fixture_queue(), 6)), RESTORE_OK);
    move(7, QUEUE_ADMITTED, until_ms, RESTORE_OK);
    move(3, QUEUE_ADMITTED, until_ms, RESTORE_OK);
    move(4, QUEUE_LEFT, 0, RESTORE_OK);
    fixture_end();
}

static void join(uint32_t number, const char *user, enum restore_result expected)
{
    change = (struct change){.kind = CHANGE_QUEUE_JOINED};
    change.joined.event = fixture_event()->image.number;
    change.joined.number = number;
    change.joined.user_id = (struct text){user, strlen(user)};
    assert_int_equal(restore(), expected);
}

static void only_the_next_entry_is_restored(void **state)
{
    (void)state;
    begin(false);
    join(7, "anna", RESTORE_DAMAGED);
    join(9, "anna", RESTORE_DAMAGED);
    join(8, "u7", RESTORE_DAMAGED); /* has a live one */
    join(8, "u2", RESTORE_OK);
    join(9, "anna", RESTORE_OK);
    core_check();
    fixture_end();
}

static bool load(enum queue_status status, int64_t joined_at_ms, int64_t until_ms)
{
    struct queue_entry_image image = {.event = fixture_event()->image.number,
                                      .number = queue_joined(fixture_queue()) + 1,
                                      .user_id = TEXT("anna"),
                                      .status = status,
                                      .joined_at_ms = joined_at_ms,
                                      .until_ms = until_ms};
    return state_load_queue_entry(core.st, &image);
}

static void nobody_is_admitted_before_the_opening(void **state)
{
    (void)state;
    for (int loaded = 0; loaded < 2; loaded++) {
        fixture_begin();
        fixture_put(&(struct queue_settings){.open_at_ms = CORE_EPOCH_MS + 1000,
                                             .rate_per_second = 1,
                                             .pass_ttl_s = 9},
                    4);
        fixture_join(1);
        int64_t until_ms = (core.now_ms / 1000 + 5) * 1000;
        if (loaded) {
            assert_false(load(QUEUE_ADMITTED, core.now_ms, until_ms));
        } else {
            move(1, QUEUE_ADMITTED, until_ms, RESTORE_DAMAGED);
            move(1, QUEUE_PASSED_OVER, until_ms, RESTORE_DAMAGED);
            move(1, QUEUE_LEFT, 0, RESTORE_OK);
        }
        fixture_end();
    }
}

static void an_instant_that_no_entry_can_have_is_refused(void **state)
{
    (void)state;
    begin(false);
    assert_false(load(QUEUE_WAITING, -1, 0));
    assert_false(load(QUEUE_WAITING, QUEUE_JOINED_AT_MAX_MS + 1, 0));
    assert_true(load(QUEUE_WAITING, QUEUE_JOINED_AT_MAX_MS, 0));
    core_check();
    fixture_end();
}

static void queue(const struct queue_image *image, enum restore_result expected)
{
    change = (struct change){.kind = CHANGE_QUEUE};
    change.queue = *image;
    assert_int_equal(restore(), expected);
}

static void a_draw_happens_once(void **state)
{
    (void)state;
    begin(true);
    struct queue_image image = fixture_queue()->image, wrong;
    assert_int_equal(image.drawn, 7);
    wrong = image, wrong.seed[31] ^= 1;
    queue(&wrong, RESTORE_DAMAGED);
    wrong = image, wrong.drawn = 6;
    queue(&wrong, RESTORE_DAMAGED);
    wrong = image, wrong.opened_at_ms = 0, wrong.drawn = 0;
    queue(&wrong, RESTORE_DAMAGED);
    wrong = image, wrong.opened_at_ms++;
    queue(&wrong, RESTORE_DAMAGED);
    wrong = image, wrong.event++;
    queue(&wrong, RESTORE_DAMAGED);
    wrong = image, wrong.paused = true;
    queue(&wrong, RESTORE_OK);
    core_check();
    fixture_end();
}

/* ---- state_check ---- */

static void count_sentence(void *ctx, const char *sentence)
{
    (void)ctx;
    assert_true(sentence[0] && sentence[strlen(sentence) - 1] == '.');
    sentences++;
}

static void is_noticed(const char *what)
{
    sentences = 0;
    if (state_check(core.st, count_sentence, NULL) || !sentences)
        fail_msg("%s went unnoticed", what);
}

#define WRONG(field, by)                                                                                     \
    do {                                                                                                     \
        (field) += (by);                                                                                     \
        is_noticed(#field);                                                                                  \
        (field) -= (by);                                                                                     \
        core_check();                                                                                        \
    } while (0)

static void what_is_derived_is_checked(void **state)
{
    (void)state;
    begin(false);
    struct queue *r = fixture_queue();
    for (enum queue_status s = QUEUE_WAITING; s <= QUEUE_LEFT; s++)
        WRONG(r->by_status[s], 1u);
    WRONG(r->in_line, 1u);
    WRONG(r->serving, 1u);
    WRONG(r->serving, UINT32_MAX);
    WRONG(r->cursor, 1u);
    WRONG(r->cursor, UINT32_MAX);
    WRONG(r->gone.chunks[0][2], 1u);
    WRONG(r->gone.chunks[0][4], 1u);
    WRONG(r->gone_done, 0u - 6);
    WRONG(r->image.drawn, 1u);
    WRONG(r->image.event, 1u);
    WRONG(r->seq, 1000u);
    WRONG(r->by_user.count, 1u);
    WRONG(r->place, 1u);
    WRONG(queue_entry(r, 3)->until_s, 100000u); /* later than its place in the heap */
    fixture_end();
}

#define WRONG_STATUS(number, is)                                                                             \
    do {                                                                                                     \
        uint8_t was = (uint8_t)queue_entry(r, number)->status;                                               \
        queue_entry(r, number)->status = (is);                                                               \
        is_noticed("the status of " #number);                                                                \
        queue_entry(r, number)->status = was;                                                                \
    } while (0)

static void entries_are_checked(void **state)
{
    (void)state;
    begin(false);
    struct queue *r = fixture_queue();
    WRONG_STATUS(1, QUEUE_ADMITTED);
    WRONG_STATUS(2, QUEUE_WAITING);
    WRONG_STATUS(3, QUEUE_LEFT);
    WRONG_STATUS(4, QUEUE_WAITING);
    WRONG_STATUS(7, QUEUE_LEFT);
    WRONG_STATUS(7, QUEUE_ADMITTED);
    r->returned.entries[0].handle = 7;
    is_noticed("returned entries");
    r->returned.entries[0].handle = 4;
    r->returned.entries[0].at_ms++;
    is_noticed("the places of returned entries");
    r->returned.entries[0].at_ms--;
    core_check();
    fixture_end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_legal_moves_are_restored),
        cmocka_unit_test(only_the_next_entry_is_restored),
        cmocka_unit_test(a_draw_happens_once),
        cmocka_unit_test(what_is_derived_is_checked),
        cmocka_unit_test(entries_are_checked),
        cmocka_unit_test(nobody_is_admitted_before_the_opening),
        cmocka_unit_test(an_instant_that_no_entry_can_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
