/* SPDX-License-Identifier: Apache-2.0 */
/* A node that does not decide passes requests on to the one that does, and the client cannot tell. */
#include "../lib/two_nodes.h"

#define EVENT "{\"name\":\"A show\",\"payment\":\"none\"}"
#define POOL "{\"capacity\":10}"
#define HOLD "{\"user_id\":\"ann\",\"items\":[{\"event\":\"show\",\"pool\":\"floor\",\"quantity\":1}]}"
#define IN_BODY(text) assert_non_null(strstr(said->body, text))

static void on_sale(void)
{
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 201);
    assert_int_equal(say(copy, "PUT", "/v1/events/show/pools/floor", ADMIN_HEADER, POOL)->status, 201);
}

static void a_command_is_answered_by_the_owner(void **state)
{
    (void)state;
    on_sale();
    assert_int_equal(say(copy, "GET", "/v1/events/show", "", NULL)->status, 404); /* its own copy */
    assert_int_equal(say(owner, "GET", "/v1/events/show", "", NULL)->status, 200);
    const struct said *said = say(copy, "POST", "/v1/reservations?",
                                  ADMIN_HEADER "Request-Id: mine\r\nIdempotency-Key: k\r\n", HOLD);
    assert_int_equal(said->status, 201);
    IN_BODY("\"user_id\":\"ann\"");
    assert_non_null(strstr(said_header(said, "Location"), "/v1/reservations/res_"));
    assert_string_equal(said_header(said, "Request-Id"), "mine");
    assert_string_equal(said_header(said, "Content-Type"), "application/json");
    assert_string_equal(said_header(said, "X-Content-Type-Options"), "nosniff");
    assert_true(strlen(said_header(said, "Date")) > 20);
    assert_true(atoi(said_header(said, "Holdfast-Seq")) >= 3);
    assert_null(said_header(said, "Connection"));
    assert_int_equal(store->state->seq, 0);
    said = say(copy, "POST", "/v1/reservations?", ADMIN_HEADER "Idempotency-Key: k\r\n", HOLD);
    assert_int_equal(said->status, 201);
    assert_string_equal(said_header(said, "Idempotent-Replayed"), "true");
}

static void a_refusal_comes_back_as_it_is(void **state)
{
    (void)state;
    const struct said *said = say(copy, "POST", "/v1/reservations", ADMIN_HEADER, HOLD);
    assert_int_equal(said->status, 404);
    assert_string_equal(said_header(said, "Content-Type"), "application/problem+json");
    IN_BODY("\"code\":\"no_such_event\"");
    said = say(copy, "POST", "/v1/reservations", ADMIN_HEADER, "{");
    assert_int_equal(said->status, 400);
    said = say(copy, "POST", "/v1/reservations", "", HOLD);
    assert_int_equal(said->status, 401);
    assert_string_equal(said_header(said, "WWW-Authenticate"), "Bearer");
    said = say(copy, "DELETE", "/v1/events/none", ADMIN_HEADER, NULL);
    assert_int_equal(said->status, 404);
}

static void an_answer_without_a_body_is_the_same(void **state)
{
    (void)state;
    on_sale();
    assert_int_equal(say(copy, "DELETE", "/v1/events/show", ADMIN_HEADER, NULL)->status, 204);
    assert_int_equal(say(owner, "GET", "/v1/events/show", "", NULL)->status, 404);
}

static void a_head_has_the_length_of_the_get(void **state)
{
    (void)state;
    static const char fleet[] = "{}";
    assert_int_equal(say(copy, "PUT", "/v1/fleets/cabs", ADMIN_HEADER, fleet)->status, 201);
    const struct said *said = say(copy, "GET", "/v1/fleets/cabs/drivers", ADMIN_HEADER, NULL);
    assert_int_equal(said->status, 200);
    int length = (int)strlen(said->body);
    said = say(copy, "HEAD", "/v1/fleets/cabs/drivers", ADMIN_HEADER, NULL);
    assert_int_equal(said->status, 200);
    assert_int_equal(atoi(said_header(said, "Content-Length")), length);
}

static void a_key_that_the_copy_does_not_know_is_asked_of_the_owner(void **state)
{
    (void)state;
    static char header[256];
    const struct said *said =
        say(copy, "POST", "/v1/keys", ADMIN_HEADER, "{\"name\":\"shop\",\"role\":\"app\"}");
    assert_int_equal(said->status, 201);
    const char *key = strstr(said->body, "\"key\":\"") + 7;
    snprintf(header, sizeof header, "Authorization: Bearer %.*s\r\n", (int)strcspn(key, "\""), key);
    assert_int_equal(say(copy, "GET", "/v1/reservations", header, NULL)->status, 200);
    assert_int_equal(say(copy, "GET", "/v1/keys", header, NULL)->status, 403);
    assert_int_equal(say(copy, "GET", "/v1/reservations", "Authorization: Bearer none\r\n", NULL)->status,
                     401);
    assert_int_equal(copy->metrics.forwards, 4);
    /* A token is judged by the secret, which all nodes have. */
    assert_int_equal(say(copy, "GET", "/v1/reservations", "Authorization: Bearer a.b.c\r\n", NULL)->status,
                     401);
    assert_int_equal(copy->metrics.forwards, 4);
}

static void limits_are_charged_where_the_client_came_in(void **state)
{
    (void)state;
    on_sale();
    const struct said *said = say(copy, "POST", "/v1/sessions", "", "{}");
    assert_int_equal(said->status, 201);
    assert_non_null(said_header(said, "RateLimit"));
    char header[2048];
    const char *token = strstr(said->body, "\"token\":\"") + 9;
    snprintf(header, sizeof header, "Authorization: Bearer %.*s\r\n", (int)strcspn(token, "\""), token);
    said = say(copy, "POST", "/v1/reservations", header,
               "{\"items\":[{\"event\":\"show\",\"pool\":\"floor\",\"quantity\":1}]}");
    assert_int_equal(said->status, 201);
    char here[128], first[128];
    snprintf(here, sizeof here, "%s", said_header(said, "RateLimit"));
    /* The owner has not counted it: there, the first request of this user is the first. */
    said = say(owner, "POST", "/v1/reservations", header,
               "{\"items\":[{\"event\":\"show\",\"pool\":\"floor\",\"quantity\":1}]}");
    snprintf(first, sizeof first, "%s", said_header(said, "RateLimit"));
    assert_string_equal(here, first);
}

static void pipelined_requests_are_answered_in_order(void **state)
{
    (void)state;
    static const char requests[] =
        "PUT /v1/events/one HTTP/1.1\r\nHost: x\r\n" ADMIN_HEADER "Content-Length: 34\r\n\r\n" EVENT
        "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
        "DELETE /v1/events/one HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" ADMIN_HEADER "\r\n";
    assert_int_equal(strlen(EVENT), 34);
    struct client *c = client_open(nodes_url(copy));
    client_send(c, requests, strlen(requests));
    run_until(client_ended(c));
    const char *put = strstr(client_got(c), " 201 "), *health = strstr(client_got(c), " 200 "),
               *removed = strstr(client_got(c), " 204 ");
    assert_true(put && health && removed && put < health && health < removed);
    client_close(c);
}

static void connections_to_the_owner_are_kept(void **state)
{
    (void)state;
    uint64_t before = owner->metrics.connections_accepted;
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, i ? 200 : 201);
    assert_int_equal(owner->metrics.connections_accepted - before, 1);
    assert_int_equal(copy->metrics.forwards, 20);
    assert_int_equal(copy->metrics.forwards_in_flight, 0);
    assert_int_equal(copy->metrics.forward_latency.count, 20);
}

#define PROOF                                                                                                \
    "Holdfast-Node: copy:2, 1772438400000, 10.0.0.1, -, AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n"

static void a_client_that_claims_to_be_a_node_is_refused(void **state)
{
    (void)state;
    assert_int_equal(say(owner, "GET", "/v1/events", PROOF, NULL)->status, 403);
    assert_int_equal(say(copy, "GET", "/v1/events", PROOF, NULL)->status, 403);
    assert_int_equal(say(owner, "GET", "/v1/events", "Holdfast-Node: \r\n", NULL)->status, 403);
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER PROOF, EVENT)->status, 403);
    assert_int_equal(copy->metrics.forwards, 0);
}

/* As the copy would send it, changed by the test. */
static const char *node_line(int64_t at_ms, const char *method, const char *target, const char *body)
{
    static char line[1024];
    char header[NODE_HEADER_SIZE_MAX], digest[NODE_DIGEST_SIZE + 1];
    struct node_claim claim = {.node = TEXT("copy:2"), .at_ms = at_ms};
    node_digest((struct text){body, strlen(body)}, digest);
    claim.digest = (struct text){digest, strlen(digest)};
    node_header_write(&copy->node_keys, &claim, method, (struct text){target, strlen(target)}, header);
    snprintf(line, sizeof line, ADMIN_HEADER "Holdfast-Node: %s\r\n", header);
    return line;
}

static void a_proof_is_for_one_request_and_half_a_minute(void **state)
{
    (void)state;
    const char *put = "/v1/events/show";
    assert_int_equal(say(owner, "PUT", put, node_line(NODES_START_MS, "PUT", put, EVENT), EVENT)->status,
                     201);
    assert_int_equal(
        say(owner, "PUT", put, node_line(NODES_START_MS - 30000, "PUT", put, EVENT), EVENT)->status, 200);
    assert_int_equal(
        say(owner, "PUT", put, node_line(NODES_START_MS - 30001, "PUT", put, EVENT), EVENT)->status, 403);
    assert_int_equal(
        say(owner, "PUT", put, node_line(NODES_START_MS + 30001, "PUT", put, EVENT), EVENT)->status, 403);
    assert_int_equal(say(owner, "PUT", put, node_line(NODES_START_MS, "PATCH", put, EVENT), EVENT)->status,
                     403);
    assert_int_equal(
        say(owner, "PUT", put, node_line(NODES_START_MS, "PUT", "/v1/events/x", EVENT), EVENT)->status, 403);
    assert_int_equal(say(owner, "PUT", put, node_line(NODES_START_MS, "PUT", put, POOL), EVENT)->status, 403);
    /* Passed on once. */
    assert_int_equal(say(copy, "PUT", put, node_line(NODES_START_MS, "PUT", put, EVENT), EVENT)->status, 421);
    assert_int_equal(copy->metrics.forwards, 0);
}

/* The database's clock was changed: a node that starts has the new time, and one that runs is slewed towards it for days. */
static void nodes_whose_times_differ_accept_each_other(void **state)
{
    (void)state;
    clock_raise(&store->clock, NODES_START_MS + 3600000);
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 201);
    clock_raise(&owner_store->clock, NODES_START_MS + 7200000);
    assert_int_equal(say(copy, "PUT", "/v1/events/show", ADMIN_HEADER, EVENT)->status, 200);
}

static void a_proof_by_the_old_secret_is_good_while_it_is_replaced(void **state)
{
    (void)state;
    const char *put = "/v1/events/show";
    char line[1024];
    snprintf(line, sizeof line, "%s", node_line(NODES_START_MS, "PUT", put, EVENT));
    struct credentials rotated = {.secret = "another secret, of 32 bytes at least"};
    snprintf(rotated.secret_old, sizeof rotated.secret_old, "%s", nodes_credentials.secret);
    node_keys_init(&owner->node_keys, &rotated);
    assert_int_equal(say(owner, "PUT", put, line, EVENT)->status, 201);
    rotated.secret_old[0] = '\0';
    node_keys_init(&owner->node_keys, &rotated);
    assert_int_equal(say(owner, "PUT", put, line, EVENT)->status, 403);
}

/* Its head was admitted for the owner to judge. By the time its body is there, this node decides. */
static void an_unknown_key_is_refused_by_a_node_that_took_over_meanwhile(void **state)
{
    (void)state;
    static const char head[] = "PUT /v1/events/stolen HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\n"
                               "Content-Length: 17\r\n\r\n";
    struct client *c = client_open(nodes_url(copy));
    client_send(c, head, sizeof head - 1);
    run_until(copy->requests_out == 1);
    engine_set_role(&store->engine, ENGINE_ALONE);
    client_send(c, "{\"name\":\"A show\"}", 17);
    run_until(strstr(client_got(c), "\r\n\r\n{"));
    assert_int_equal(atoi(client_got(c) + strlen("HTTP/1.1 ")), 401);
    assert_int_equal(say(copy, "GET", "/v1/events/stolen", ADMIN_HEADER, NULL)->status, 404);
    client_close(c);
    engine_set_role(&store->engine, ENGINE_FOLLOWER);
}

#define forward_test(name) cmocka_unit_test_setup_teardown(name, nodes_open, nodes_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        forward_test(a_command_is_answered_by_the_owner),
        forward_test(a_refusal_comes_back_as_it_is),
        forward_test(an_answer_without_a_body_is_the_same),
        forward_test(a_head_has_the_length_of_the_get),
        forward_test(a_key_that_the_copy_does_not_know_is_asked_of_the_owner),
        forward_test(an_unknown_key_is_refused_by_a_node_that_took_over_meanwhile),
        forward_test(limits_are_charged_where_the_client_came_in),
        forward_test(pipelined_requests_are_answered_in_order),
        forward_test(connections_to_the_owner_are_kept),
        forward_test(a_client_that_claims_to_be_a_node_is_refused),
        forward_test(a_proof_is_for_one_request_and_half_a_minute),
        forward_test(nodes_whose_times_differ_accept_each_other),
        forward_test(a_proof_by_the_old_secret_is_good_while_it_is_replaced),
    };
    return cmocka_run_group_tests_name("http_forward", tests, NULL, NULL);
}
