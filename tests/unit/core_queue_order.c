/* SPDX-License-Identifier: Apache-2.0 */
/* First come, first served: over 100,000 entries, with people joining, leaving, going away and coming back all the
 * time, and restarts in between, nobody is ever admitted before someone who is ahead of them and present. A naive model
 * follows every move in the journal and knows who is in line, when each was last heard from, and who must be next. */
#include "queue_fixture.h"

#define ENTRIES 100000
#define RATE 2000
#define ACTIVE 4000
#define PASS_S 30

struct model_entry {
    uint32_t position;
    enum queue_status status;
    int64_t until_ms;
    int64_t heard_ms; /* rounded down to whole seconds */
    uint32_t told_s;
    bool away; /* no longer polls */
};

static struct {
    struct model_entry *entries; /* by number */
    uint32_t *at;                /* number by position; 0: not known yet */
    uint32_t joined;
    uint32_t first; /* nobody before this position is in line */
    uint32_t active;
    int64_t counted_from_ms;
    uint32_t admitted, passed_over, returned, finished, left;
} m;

static bool model_in_line(uint32_t number)
{
    const struct model_entry *e = &m.entries[number];
    return e->status == QUEUE_WAITING || (e->status == QUEUE_PASSED_OVER && !e->until_ms);
}

static bool model_present(const struct model_entry *e)
{
    int64_t heard_ms = e->told_s ? e->heard_ms + 1000 : 0, told_s = e->told_s ? e->told_s : POLL_AFTER_MAX_S;
    return core.now_ms < (heard_ms > m.counted_from_ms ? heard_ms : m.counted_from_ms) + 2 * told_s * 1000;
}

/* Whose turn it is. */
static uint32_t model_next(void)
{
    while (m.first <= m.joined && !model_in_line(m.at[m.first]))
        m.first++;
    assert_true(m.first <= m.joined);
    return m.at[m.first];
}

static void model_move(const struct queue_move *move)
{
    struct model_entry *e = &m.entries[move->number];
    switch (move->status) {
    case QUEUE_ADMITTED:
        assert_int_equal(move->number, model_next());
        assert_true(model_present(e));
        assert_true(++m.active <= ACTIVE);
        m.admitted++;
        break;
    case QUEUE_PASSED_OVER:
        if (move->until_ms) {
            assert_int_equal(move->number, model_next());
            assert_false(model_present(e));
            m.passed_over++;
        } else {
            assert_int_equal(e->status, QUEUE_PASSED_OVER);
            assert_true(core.now_ms < e->until_ms || core.now_ms < m.counted_from_ms + 120000);
            m.first = e->position < m.first ? e->position : m.first;
            m.returned++;
        }
        break;
    case QUEUE_FINISHED:
        assert_int_equal(e->status, QUEUE_ADMITTED);
        assert_true(core.now_ms >= e->until_ms);
        m.active--;
        m.finished++;
        break;
    case QUEUE_LEFT:
        assert_in_range(e->status, QUEUE_WAITING, QUEUE_PASSED_OVER);
        m.active -= e->status == QUEUE_ADMITTED;
        m.left++;
        break;
    case QUEUE_WAITING:
        fail();
    }
    e->status = move->status;
    e->until_ms = move->until_ms;
}

/* All positions are known from here on. */
static void learn_positions(void)
{
    struct queue *r = fixture_queue();
    for (uint32_t i = 1; i <= m.joined; i++) {
        m.entries[i].position = queue_position(r, i);
        m.at[m.entries[i].position] = i;
    }
}

/* Follows what the last step recorded. */
static void model_follow(void)
{
    static struct change change;
    struct bytes_reader in = bytes_reader_make(core.changes.data, core.changes.size);
    struct queue_move move;
    for (uint32_t i = 0; i < core.st->change_count; i++) {
        assert_true(change_decode(&in, i + 1, &change));
        if (change.kind == CHANGE_QUEUE && change.queue.opened_at_ms) {
            m.counted_from_ms = core.now_ms;
            learn_positions();
        } else if (change.kind == CHANGE_QUEUE_JOINED) {
            assert_int_equal(change.joined.number, m.joined + 1);
            m.entries[++m.joined].status = QUEUE_WAITING;
        } else if (change.kind == CHANGE_QUEUE_MOVED) {
            for (uint32_t k = 0; k < change.moved.count; k++) {
                assert_true(queue_move_get(&change.moved.moves, &move));
                model_move(&move);
            }
        }
    }
}

/* Takes over an entry from the answer; a position never changes. */
static void model_heard(void)
{
    const struct queue_entry_image *q = &core.out.entry;
    struct model_entry *e = &m.entries[q->number];
    e->heard_ms = core.now_ms / 1000 * 1000;
    e->told_s = q->poll_after_s;
    assert_int_equal(q->status, e->status);
    assert_true(e->position == 0 || e->position == q->position);
    e->position = q->position;
    if (q->position) {
        assert_true(m.at[q->position] == 0 || m.at[q->position] == q->number);
        m.at[q->position] = q->number;
    }
}

static void count_ahead(uint32_t number)
{
    uint32_t ahead = 0;
    struct queue_entry_image q;
    if (!model_in_line(number))
        return;
    for (uint32_t p = m.first; p < m.entries[number].position; p++)
        ahead += model_in_line(m.at[p]);
    queue_entry_view(core.st, fixture_event(), number, &q);
    assert_int_equal(q.ahead, ahead);
    assert_int_equal(q.position, m.entries[number].position);
}

static uint32_t random_entry(void)
{
    return m.joined ? (uint32_t)(fixture_dice() % m.joined) + 1 : 0;
}

/* A random action of a random person. */
static void something(uint32_t *users)
{
    uint32_t dice = (uint32_t)(fixture_dice() % 100), number = random_entry();
    struct model_entry *e = &m.entries[number];
    if (dice < 40 && m.joined < ENTRIES) {
        uint32_t was = m.joined;
        number = fixture_join(++*users);
        model_follow();
        assert_int_equal(number, was + 1);
        model_heard();
        m.entries[number].away = fixture_dice() % 4 == 0;
    } else if (number && dice < 43) {
        fixture_entry(COMMAND_QUEUE_LEAVE, number);
        model_follow();
    } else if (number && dice < 46) {
        e->away = !e->away;
    } else if (number && queue_status_live(e->status) && (!e->away || e->status == QUEUE_PASSED_OVER)) {
        fixture_entry(COMMAND_QUEUE_LOOK, number);
        model_follow();
        model_heard();
    }
}

static void restart(void)
{
    core_check();
    fixture_restart(f.journalled);
    for (uint32_t i = 1; i <= m.joined; i++)
        m.entries[i].told_s = 0;
    m.counted_from_ms = core.now_ms; /* the first step comes at once */
    core_check();
}

static void run(bool shuffle)
{
    struct queue_settings settings = {.open_at_ms = CORE_EPOCH_MS + 20000,
                                      .rate_per_second = RATE,
                                      .max_active = ACTIVE,
                                      .pass_ttl_s = PASS_S,
                                      .shuffle_before_open = shuffle};
    uint32_t users = 0, turns = 0;
    memset(&m, 0, sizeof(m));
    m.entries = memory_zeroed(ENTRIES + 1u, sizeof(*m.entries));
    m.at = memory_zeroed(ENTRIES + 1u, sizeof(*m.at));
    m.first = 1;
    fixture_begin();
    fixture_put(&settings, 9);
    fixture_admit(1);
    for (; m.joined < ENTRIES || fixture_queue()->in_line; turns++) {
        bool followers = m.joined < ENTRIES;
        for (uint32_t i = followers ? 60 : 400; i > 0; i--)
            something(&users);
        core.now_ms += followers ? 20 + (int64_t)(fixture_dice() % 30) : 50;
        while (fixture_admit(1 + (uint32_t)(fixture_dice() % 200)))
            model_follow();
        model_follow();
        if (turns % 16 == 0 && m.counted_from_ms && m.joined)
            count_ahead(random_entry());
        if (turns % 600 == 599)
            restart();
    }
    core_check();
    struct queue_view v;
    assert_true(queue_view(core.st, fixture_event(), &v));
    assert_int_equal(v.joined, ENTRIES);
    assert_int_equal(v.image.drawn > 0, shuffle);
    assert_int_equal(v.active, m.active);
    assert_int_equal(v.finished, m.finished);
    assert_int_equal(v.left, m.left);
    assert_true(m.admitted > ENTRIES / 3 && m.passed_over > 1000 && m.returned > 500 && m.left > 1000 &&
                turns > 1200);
    fixture_end();
    free(m.entries);
    free(m.at);
}

static void first_come_first_served(void **state)
{
    (void)state;
    run(false);
}

static void first_drawn_first_served(void **state)
{
    (void)state;
    run(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_come_first_served),
        cmocka_unit_test(first_drawn_first_served),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
