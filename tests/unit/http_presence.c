/* SPDX-License-Identifier: Apache-2.0 */
/* People who wait at a node that follows count as present at the one that decides, and the holds that it refused are in the
 * statistics. */
#include "../lib/two_nodes.h"

#include "core/catalogue/event.h"
#include "core/claim/refusal.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "http/forward/owner_client.h"

static char entry_path[256];

/* The same event and entry at both, as if the log had brought them. */
static int open_with_room(void **state)
{
    static const char event[] =
        "{\"name\":\"A "
        "show\",\"payment\":\"none\",\"waiting_room\":{\"rate_per_second\":1,\"pass_ttl_seconds\":60}}";
    nodes_open(state);
    engine_set_role(&store->engine, ENGINE_ALONE);
    struct server *both[] = {owner, copy};
    for (unsigned i = 0; i < 2; i++) {
        const struct said *said = say(both[i], "PUT", "/v1/events/show", ADMIN_HEADER, event);
        if (said->status != 201)
            fail_msg("%s", said->body);
        assert_int_equal(
            say(both[i], "PATCH", "/v1/events/show/queue", ADMIN_HEADER, "{\"paused\":true}")->status, 200);
        said = say(both[i], "POST", "/v1/events/show/queue", ADMIN_HEADER, "{\"user_id\":\"ann\"}");
        assert_int_equal(said->status, 201);
        snprintf(entry_path, sizeof entry_path, "%s", said_header(said, "Location"));
    }
    wait_durable();
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
    return 0;
}

static const struct queue_entry *ann(void)
{
    struct event *e = event_find(owner_store->state, TEXT("show"));
    return queue_entry(e->queue, 1);
}

/* A token of the owner of the entry. */
static const char *as_ann(void)
{
    static char header[TOKEN_SIZE_MAX + 64];
    struct arena arena;
    arena_init(&arena, 8192);
    struct auth_guest made = auth_make_user(&copy->auth, "ann", nodes_now_ms, &arena);
    snprintf(header, sizeof header, "Authorization: Bearer %.*s\r\n", (int)made.token.size, made.token.at);
    arena_release(&arena);
    return header;
}

static void one_who_asks_the_copy_is_present(void **state)
{
    (void)state;
    nodes_now_ms += 20000;
    uint32_t before = ann()->asked_s;
    const struct said *said = say(copy, "GET", entry_path, as_ann(), NULL);
    assert_int_equal(said->status, 200);
    int after_s = atoi(strstr(said->body, "\"poll_after_seconds\":") + strlen("\"poll_after_seconds\":"));
    assert_int_equal(ann()->asked_s, before);
    nodes_pass(1000);
    run_until(ann()->asked_s == nodes_now_ms / 1000);
    assert_in_range(ann()->told_s, after_s + 1,
                    after_s + 5); /* it is spread at random, and less than a stream's */
    run_until(!copy->metrics.forwards_in_flight);
    assert_int_equal(copy->metrics.forwards, 0); /* not a client's request */
}

static void an_admin_who_looks_is_not_the_owner_of_the_entry(void **state)
{
    (void)state;
    nodes_now_ms += 20000;
    uint32_t before = ann()->asked_s;
    assert_int_equal(say(copy, "GET", entry_path, ADMIN_HEADER, NULL)->status, 200);
    nodes_pass(1000);
    nodes_pass(1000);
    assert_int_equal(ann()->asked_s, before);
}

static void an_open_stream_counts(void **state)
{
    (void)state;
    char request[TOKEN_SIZE_MAX + 512];
    struct client *c = client_open(nodes_url(copy));
    int size = snprintf(request, sizeof request, "GET %s/stream HTTP/1.1\r\nHost: x\r\n%s\r\n", entry_path,
                        as_ann());
    client_send(c, request, (size_t)size);
    run_until(strstr(client_got(c), "event: entry"));
    for (unsigned i = 0; i < 3; i++) {
        nodes_now_ms += 20000;
        for (unsigned pass = 0; pass < 8; pass++)
            nodes_pass(500);
        run_until(ann()->asked_s == nodes_now_ms / 1000);
    }
    client_close(c);
}

static void presence_that_was_not_sent_is_sent_later(void **state)
{
    (void)state;
    char url[96];
    snprintf(url, sizeof url, "%s", nodes_url(owner));
    nodes_set_owner("");
    nodes_now_ms += 20000;
    assert_int_equal(say(copy, "GET", entry_path, as_ann(), NULL)->status, 200);
    nodes_pass(1000);
    nodes_pass(1000);
    assert_int_not_equal(ann()->asked_s, nodes_now_ms / 1000);
    nodes_set_owner(url);
    nodes_pass(1000);
    run_until(ann()->asked_s == nodes_now_ms / 1000);
}

static void more_than_one_message_holds(void **state)
{
    (void)state;
    struct event *e = event_find(owner_store->state, TEXT("show"));
    presence_note(copy, e->image.number, 1);
    for (uint32_t n = 2; n < 50000; n++) /* of none of them the owner knows */
        presence_note(copy, e->image.number, n);
    presence_note(copy, 999, 7);
    nodes_now_ms += 20000;
    uint64_t before = owner->request_count;
    nodes_pass(1000);
    run_until(owner->request_count - before == 4);
    assert_int_equal(ann()->asked_s, nodes_now_ms / 1000);
}

static void rooms_of_the_past_leave_room_for_others(void **state)
{
    (void)state;
    struct event *e = event_find(owner_store->state, TEXT("show"));
    uint64_t before = owner->request_count;
    for (uint64_t past = 1000; past < 1000 + 8192; past++) /* as many as are kept */
        presence_note(copy, past, 7);
    nodes_pass(1000);
    run_until(owner->request_count > before);
    run_until(copy->owner_client->exchanges == 0);
    nodes_now_ms += 20000;
    presence_note(copy, e->image.number, 1);
    nodes_pass(1000);
    nodes_pass(1000);
    run_until(ann()->asked_s == nodes_now_ms / 1000);
}

/* ---- Refusals ---- */

static const struct refusal_image refusal = {.day_ms = NODES_START_MS - NODES_START_MS % 86400000,
                                             .event = TEXT("show"),
                                             .reason = TEXT("taken"),
                                             .count = 3};

static void count_at_the_copy(void)
{
    struct buf rows;
    buf_init(&rows, 4096);
    refusal_put(&rows, &refusal);
    assert_true(state_add_refusals(store->state, nodes_now_ms, bytes_reader_make(rows.data, rows.size)));
    buf_release(&rows);
}

/* What this store has counted and not handed over. */
static unsigned counted(struct store *s)
{
    struct buf rows;
    unsigned sum = 0;
    buf_init(&rows, 1 << 20);
    state_take_refusals(s->state, &rows);
    struct bytes_reader in = bytes_reader_make(rows.data, rows.size);
    struct refusal_image row;
    while (bytes_left(&in)) {
        assert_true(refusal_get(&in, &row));
        assert_true(text_equal(row.event, TEXT("show")) && text_equal(row.reason, TEXT("taken")));
        assert_true(row.day_ms == refusal.day_ms);
        sum += row.count;
    }
    buf_release(&rows);
    return sum;
}

static void refusals_travel_along(void **state)
{
    (void)state;
    count_at_the_copy();
    uint64_t before = owner->request_count;
    nodes_pass(1000);
    run_until(owner->request_count > before);
    assert_int_equal(counted(owner_store), 3);
    assert_int_equal(counted(store), 0);
}

static void refusals_that_may_have_arrived_are_not_sent_again(void **state)
{
    (void)state;
    mock_open();
    mock.hangs_up = true;
    count_at_the_copy();
    nodes_pass(1000);
    run_until(mock.size);
    nodes_pass(1000);
    assert_int_equal(counted(store), 0);
    nodes_set_owner("");
    count_at_the_copy();
    nodes_pass(1000);
    nodes_pass(1000);
    assert_int_equal(counted(store), 3);
}

/* ---- Who may tell ---- */

static void the_path_does_not_exist_for_others(void **state)
{
    (void)state;
    static const char *const methods[] = {"POST", "GET", "DELETE"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(say(owner, methods[i], "/internal/presence", ADMIN_HEADER, NULL)->status, 404);
        assert_int_equal(say(copy, methods[i], "/internal/presence", ADMIN_HEADER, NULL)->status, 404);
    }
    assert_int_equal(say(owner, "POST", "http://x/internal/presence", ADMIN_HEADER, NULL)->status, 404);
    assert_int_equal(
        say(owner, "POST", "/internal/presence", "Holdfast-Node: copy:2, 1772438400000, ::, -, AAAA\r\n", "x")
            ->status,
        403);
}

static const struct said *tell(const void *body, size_t size)
{
    char header[NODE_HEADER_SIZE_MAX], line[NODE_HEADER_SIZE_MAX + 64], digest[NODE_DIGEST_SIZE + 1];
    node_digest((struct text){body, size}, digest);
    const struct node_claim claim = {
        .node = TEXT("copy:2"), .at_ms = nodes_now_ms, .digest = {digest, NODE_DIGEST_SIZE}};
    node_header_write(&copy->node_keys, &claim, "POST", TEXT("/internal/presence"), header);
    snprintf(line, sizeof line, "Holdfast-Node: %s\r\n", header);
    return say(owner, "POST", "/internal/presence", line, body);
}

static void a_damaged_message_is_refused(void **state)
{
    (void)state;
    assert_int_equal(tell("\x02", 1)->status, 400);
    assert_int_equal(tell("\x01\x05", 2)->status, 400);
    assert_int_equal(tell("\x01\x02zz", 4)->status, 400);
    assert_int_equal(tell("\x01", 1)->status, 400);
}

#define presence_test(name) cmocka_unit_test_setup_teardown(name, open_with_room, nodes_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        presence_test(one_who_asks_the_copy_is_present),
        presence_test(an_admin_who_looks_is_not_the_owner_of_the_entry),
        presence_test(an_open_stream_counts),
        presence_test(presence_that_was_not_sent_is_sent_later),
        presence_test(more_than_one_message_holds),
        presence_test(rooms_of_the_past_leave_room_for_others),
        presence_test(refusals_travel_along),
        presence_test(refusals_that_may_have_arrived_are_not_sent_again),
        presence_test(the_path_does_not_exist_for_others),
        presence_test(a_damaged_message_is_refused),
    };
    return cmocka_run_group_tests_name("http_presence", tests, NULL, NULL);
}
