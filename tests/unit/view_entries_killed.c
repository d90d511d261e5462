/* SPDX-License-Identifier: Apache-2.0 */
/* A server that is killed in the middle of admission and of offers, again and again: every acknowledged place in line
 * is still there, nobody is admitted twice, nobody is skipped, and every offer is a hold of its user. */
#include "entry_fixture.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "book/file/sql.h"
#include "core/entry_id.h"
#include "store/check.h"

#define ROUNDS 6
#define JOINS_A_TURN 20
#define TRADES_A_ROUND 20
#define ENTRIES_MAX 200000u

/* What the server has announced, recorded at that moment. */
struct fact {
    enum { FACT_JOINED, FACT_ADMITTED, FACT_TRADED } kind;
    uint32_t number; /* of the entry */
    char user[16];
};

/* ---- The server that is killed ---- */

static int facts_out;
static uint32_t round_now, users;
static struct {
    uint64_t seq;
    struct fact fact;
} pending[65536];
static uint64_t pending_first, pending_end;

static void tell(const struct fact *fact)
{
    if (write(facts_out, fact, sizeof(*fact)) != sizeof(*fact))
        _exit(3);
}

static void on_durable(void *ctx, uint64_t durable_seq)
{
    (void)ctx;
    for (; pending_first < pending_end && pending[pending_first % 65536].seq <= durable_seq; pending_first++)
        tell(&pending[pending_first % 65536].fact);
}

/* Most of those admitted leave at once; the passes of the others lapse. */
static void on_moved(void *ctx, uint64_t event_number, uint32_t number)
{
    struct queue_entry_image entry;
    uint64_t seq;
    (void)ctx;
    if (!view_queue_entry(view, event_number, number, &entry, &seq))
        _exit(4);
    if (entry.status != QUEUE_ADMITTED)
        return;
    tell(&(struct fact){.kind = FACT_ADMITTED, .number = number});
    if (number % 8 == 0)
        return;
    struct command c = {.kind = COMMAND_QUEUE_LEAVE, .actor = {.role = ROLE_ADMIN}};
    c.queue.event = TEXT("show");
    c.queue.entry = entry.id;
    store_submit(store, &c, on_outcome, NULL);
}

static void on_joined(void *ctx, const struct outcome *outcome)
{
    struct fact fact = {.kind = FACT_JOINED, .number = outcome->entry.number};
    if (outcome->code != OUTCOME_OK)
        _exit(5);
    snprintf(fact.user, sizeof(fact.user), "%s", (const char *)ctx);
    pending[pending_end % 65536].seq = outcome->seq;
    pending[pending_end++ % 65536].fact = fact;
}

static void open_with_system_clock(void)
{
    struct status fault = store_try((struct store_options){.data = fixture_data, .clock = clock_system});
    if (!status_ok(&fault)) {
        fprintf(stderr, "%s\n", fault.text);
        _exit(6);
    }
}

static void put_show(void)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image =
        (struct event_image){.id = TEXT("show"),
                             .name = TEXT("A show"),
                             .terms = {"EUR", 1, 2, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
                             .has_list = true,
                             .has_queue = true,
                             .queue = {.rate_per_second = 4000, .max_active = 300, .pass_ttl_s = 1},
                             .entry_key = {7, 8}};
    store_submit(store, &c, on_outcome, NULL);
    c = (struct command){.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = TEXT("show");
    c.pool_put.id = TEXT("floor");
    c.pool_put.capacity = 40;
    store_submit(store, &c, on_outcome, NULL);
}

/* The admin takes a unit if there is one, and gives another back; one more person waits for freed stock, and one who
 * came some time ago leaves, whatever was offered. */
static void trade(void)
{
    static struct id held[16];
    static uint64_t turns;
    struct id *oldest = &held[turns++ % 16];
    char user[16];
    struct command c = {.kind = COMMAND_RELEASE, .actor = {.role = ROLE_ADMIN}, .reservation = *oldest};
    store_submit(store, &c, on_outcome, NULL);
    struct item_request item = {
        .kind = ITEM_POOL, .resource = TEXT("show"), .part = TEXT("floor"), .quantity = 1};
    *oldest = id_make(store_now(store), turns, round_now);
    c = (struct command){.kind = COMMAND_HOLD,
                         .actor = {.role = ROLE_ADMIN},
                         .user_id = TEXT("admin"),
                         .reservation = *oldest};
    c.hold.items = &item;
    c.hold.count = 1;
    answered = false;
    store_submit(store, &c, on_outcome, NULL);
    while (!answered) /* the list comes first */
        uv_run(&loop, UV_RUN_ONCE);
    snprintf(user, sizeof(user), "l%uu%llu", round_now, (unsigned long long)turns);
    /* By an app: with a waiting room, users join for what is sold out. */
    c = (struct command){.kind = COMMAND_LIST_JOIN,
                         .actor = {.role = ROLE_APP, .name = TEXT("app")},
                         .user_id = text_of(user)};
    c.list.event = TEXT("show");
    c.list.wish = (struct list_wish){.quantity = 1, .pool = TEXT("floor")};
    store_submit(store, &c, on_outcome, NULL);
    if (last.code != OUTCOME_OK || last.list_entry.number <= 20)
        return;
    c = (struct command){.kind = COMMAND_LIST_LEAVE, .actor = {.role = ROLE_ADMIN}};
    c.list.event = TEXT("show");
    c.list.entry = entry_id((const uint64_t[]){7, 8}, ENTRY_LIST, last.list_entry.number - 20);
    store_submit(store, &c, on_outcome, NULL);
}

static _Noreturn void serve(void)
{
    struct event_view seen;
    open_with_system_clock();
    if (!view_event_find(view, TEXT("show"), &seen))
        put_show();
    store_on_durable(store, on_durable, NULL);
    view_on_moved(view, on_moved, NULL);
    for (;;) {
        for (int i = 0; i < JOINS_A_TURN && users < 20000; i++) {
            char user[16];
            snprintf(user, sizeof(user), "r%uu%u", round_now, users++);
            struct command c = {.kind = COMMAND_QUEUE_JOIN,
                                .actor = {.role = ROLE_USER, .name = text_of(user)}};
            c.queue.event = TEXT("show");
            store_submit(store, &c, on_joined, user);
        }
        trade();
        tell(&(struct fact){.kind = FACT_TRADED});
        uv_run(&loop, UV_RUN_ONCE);
    }
}

/* ---- Who watches it ---- */

static struct {
    char user[16]; /* "": this number was not announced */
    bool admitted;
} known[ENTRIES_MAX + 1];
static uint32_t admitted_count, traded_count;

static void learn(const struct fact *fact)
{
    if (fact->kind == FACT_TRADED) {
        traded_count++;
        return;
    }
    assert_in_range(fact->number, 1, ENTRIES_MAX);
    if (fact->kind == FACT_JOINED) {
        assert_string_equal(known[fact->number].user, "");
        memcpy(known[fact->number].user, fact->user, sizeof(fact->user));
        return;
    }
    if (known[fact->number].admitted)
        fail_msg("entry %u was admitted twice", fact->number);
    known[fact->number].admitted = true;
    admitted_count++;
}

/* It is killed when this many more were admitted, and TRADES_A_ROUND trades are over, however slow the machine. */
static void run_and_kill(uint32_t most)
{
    int facts[2];
    struct fact fact;
    assert_int_equal(pipe(facts), 0);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(facts[0]);
        facts_out = facts[1];
        serve();
    }
    close(facts[1]);
    uint32_t admitted_least = admitted_count + most, traded_least = traded_count + TRADES_A_ROUND;
    while (admitted_count < admitted_least || traded_count < traded_least) {
        assert_int_equal(read(facts[0], &fact, sizeof(fact)), sizeof(fact));
        learn(&fact);
    }
    kill(child, SIGKILL);
    while (read(facts[0], &fact, sizeof(fact)) == sizeof(fact)) /* announced by then */
        learn(&fact);
    close(facts[0]);
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

static void on_report(void *ctx, bool fault, const char *sentence)
{
    if (!fault)
        return;
    fprintf(stderr, "%s\n", sentence);
    *(bool *)ctx = true;
}

static bool wrong(const char *what, uint32_t number)
{
    fprintf(stderr, "%s: %u\n", what, number);
    return true;
}

/* What was announced must be true, and the line must be consistent: nobody waits ahead of someone who was admitted. */
static bool line_is_wrong(void)
{
    struct queue_view queue;
    if (view_queue_find(view, TEXT("show"), &queue) != OUTCOME_OK)
        return wrong("there is no room", 0);
    uint64_t event = event_find(store->state, TEXT("show"))->image.number;
    for (uint32_t number = 1; number <= ENTRIES_MAX; number++) {
        struct queue_entry_image entry;
        uint64_t seq;
        if (!view_queue_entry(view, event, number, &entry, &seq)) {
            if (known[number].user[0] || known[number].admitted)
                return wrong("an acknowledged entry is gone", number);
            continue;
        }
        if (known[number].user[0] && !text_equal(entry.user_id, text_of(known[number].user)))
            return wrong("an entry has another user", number);
        if (known[number].admitted && entry.status == QUEUE_WAITING)
            return wrong("an admitted entry waits again", number);
        if (number <= queue.serving && entry.status == QUEUE_WAITING)
            return wrong("an entry was skipped", number);
        if (number > queue.serving && (entry.status == QUEUE_ADMITTED || entry.status == QUEUE_FINISHED))
            return wrong("an entry was admitted ahead of others", number);
    }
    return false;
}

/* In a separate process, so that this one never has threads and can fork. */
static void verify(void)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        bool faulty = false;
        struct status fault = check_run(fixture_data, on_report, &faulty);
        if (!status_ok(&fault) || faulty)
            _exit(1);
        open_with_system_clock();
        _exit(line_is_wrong() ? 1 : 0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
}

static void nobody_is_admitted_twice_or_skipped(void **state)
{
    (void)state;
    for (round_now = 0; round_now < ROUNDS; round_now++) {
        run_and_kill(30 + (round_now * 2654435761u >> 20) % 400);
        verify();
    }
    /* A run in which nothing happens proves nothing. The book of a killed server lags behind: it is read when it has
     * everything. */
    open_with_system_clock();
    wait_recorded();
    close_store();
    struct sql *s;
    char book[SCRATCH_FILE];
    snprintf(book, sizeof(book), "%s/book.sqlite", fixture_data);
    fine(sql_open(&s, book, SQL_READ));
    assert_true(sql_number(s, "SELECT count(*) FROM history WHERE reason = 'list'") > 20);
    assert_true(
        sql_number(s, "SELECT count(*) FROM waiting_list WHERE status = 'left' AND reservation IS NOT NULL") >
        20);
    sql_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {line_test(nobody_is_admitted_twice_or_skipped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
