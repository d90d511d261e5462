/* SPDX-License-Identifier: Apache-2.0 */
/* Path, query and headers of a request are decoded as the contract says, or refused with the right code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/wire/request.h"

static struct request request;
static struct fault fault;

static int setup(void **state)
{
    (void)state;
    routes_init(false);
    request_init(&request, NULL);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    request_release(&request);
    return 0;
}

static bool decode(enum method method, const char *target)
{
    request_clear(&request);
    fault = (struct fault){0};
    request.method = method;
    request.target = (struct text){target, strlen(target)};
    return request_find_route(&request, &fault) && request_decode_parameters(&request, &fault);
}

static void assert_text(struct text text, const char *expected)
{
    assert_non_null(text.at);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.at, expected, text.size);
}

static void parameters_are_percent_decoded(void **state)
{
    (void)state;
    assert_true(decode(METHOD_GET, "/v1/events/eras/seats/A15"));
    assert_text(request.parameters[0], "eras");
    assert_text(request.parameters[1], "A15");
    assert_true(decode(METHOD_GET, "/v1/events/%65r%61s/seats/%7e.-_"));
    assert_text(request.parameters[0], "eras");
    assert_text(request.parameters[1], "~.-_");
    assert_true(decode(METHOD_GET, "http://host:1/v1/events/eras?"));
    assert_text(request.path, "/v1/events/eras");
    assert_true(decode(METHOD_GET, "http://host?next=/v1/keys")); /* a slash in the query begins no path */
    assert_text(request.path, "/");
}

static void an_invalid_id_does_not_exist(void **state)
{
    (void)state;
    static const struct {
        const char *target;
        enum outcome_code refusal;
    } bad[] = {
        {"/v1/events/a%20b", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a%2Fb", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a%00", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a%0", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a%", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a%zz", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/a+b", OUTCOME_NO_SUCH_EVENT},
        {"/v1/events/e/seats/a:b", OUTCOME_NO_SUCH_SEAT},
        {"/v1/reservations/a%20b", OUTCOME_NO_SUCH_RESERVATION},
        {"/v1/events/"
         "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
         OUTCOME_NO_SUCH_EVENT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(decode(METHOD_GET, bad[i].target));
        assert_int_equal(fault.refusal, bad[i].refusal);
    }
    assert_false(decode(METHOD_DELETE, "/v1/keys/a%20b"));
    assert_int_equal(fault.refusal, OUTCOME_NO_SUCH_KEY);
    assert_false(decode(METHOD_DELETE, "/v1/reservations/r/items/%20"));
    assert_int_equal(fault.refusal, OUTCOME_NO_SUCH_ITEM);
    assert_true(decode(METHOD_GET, "/v1/events/"
                                   "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"));
}

static void a_query_is_decoded_by_the_names_of_the_route(void **state)
{
    (void)state;
    assert_true(decode(METHOD_GET, "/v1/reservations?event=e&user_id=gr%C3%BCn+%26%2B&&status="));
    assert_text(request.query[0], "gr\xc3\xbcn &+");
    assert_text(request.query[1], "e");
    assert_null(request.query[2].at);
    assert_text(request.query[3], "");
    assert_null(request.query[4].at);
    assert_true(decode(METHOD_GET, "/v1/reservations?pnr"));
    assert_text(request.query[4], "");
}

static void a_bad_query_is_invalid_and_named(void **state)
{
    (void)state;
    static const struct {
        const char *query, *pointer;
    } bad[] = {
        {"?colour=red", "?colour"},
        {"?event=a&event=b", "?event"},
        {"?event=%ff", "?event"},
        {"?event=%00", "?event"},
        {"?event=%0a", "?event"},
        {"?event=%zz", ""},
        {"?event=%", ""},
        {"?%C3", "?"},
        {"?=x", "?"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char target[128] = "/v1/reservations";
        memcpy(target + strlen(target), bad[i].query, strlen(bad[i].query) + 1);
        assert_false(decode(METHOD_GET, target));
        assert_int_equal(fault.code, FAULT_INVALID);
        assert_int_equal(fault.refusal, OUTCOME_OK);
        assert_string_equal(fault.pointer, bad[i].pointer);
    }
}

static void unknown_paths_and_methods_are_distinguished(void **state)
{
    (void)state;
    assert_false(decode(METHOD_GET, "/nowhere"));
    assert_int_equal(fault.code, FAULT_NO_SUCH_ROUTE);
    assert_false(decode(METHOD_GET, "*"));
    assert_int_equal(fault.code, FAULT_NO_SUCH_ROUTE);
    assert_false(decode(METHOD_POST, "/healthz"));
    assert_int_equal(fault.code, FAULT_METHOD_NOT_ALLOWED);
    assert_int_equal(fault.allow, 1u << METHOD_GET);
}

static bool type_accepted(enum method method, const char *target, const char *type)
{
    assert_true(decode(method, target));
    request.content_length = 2;
    request.headers.content_type = type ? (struct text){type, strlen(type)} : (struct text){0};
    return request_check_type(&request, &fault);
}

static void json_is_what_bodies_are_made_of(void **state)
{
    (void)state;
    const char *hold = "/v1/reservations", *seats = "/v1/events/e/seats";
    assert_true(type_accepted(METHOD_POST, hold, NULL));
    assert_true(type_accepted(METHOD_POST, hold, "application/json"));
    assert_true(type_accepted(METHOD_POST, hold, "Application/JSON; charset=UTF-8"));
    assert_true(type_accepted(METHOD_POST, hold, "application/json;charset=\"utf-8\""));
    assert_false(type_accepted(METHOD_POST, hold, "application/json; charset=latin1"));
    assert_int_equal(fault.code, FAULT_UNSUPPORTED_TYPE);
    assert_false(type_accepted(METHOD_POST, hold, "application/jsonp"));
    assert_false(type_accepted(METHOD_POST, hold, "text/csv"));
    assert_false(type_accepted(METHOD_POST, hold, ""));
    assert_true(type_accepted(METHOD_POST, seats, "text/csv; charset=utf-8; header=present"));
    assert_true(request.body_is_csv);
    assert_int_equal(request_body_size_max(&request), 64u << 20);
    assert_true(type_accepted(METHOD_POST, seats, "application/json"));
    assert_false(request.body_is_csv);
    assert_int_equal(request_body_size_max(&request), 8u << 20);
    assert_false(type_accepted(METHOD_POST, seats, "text/plain"));
    assert_true(type_accepted(METHOD_POST, hold, NULL));
    assert_int_equal(request_body_size_max(&request), 1u << 20);
    assert_true(request_check_size(&request, 1u << 20, &fault));
    assert_false(request_check_size(&request, (1u << 20) + 1, &fault));
    assert_int_equal(fault.code, FAULT_TOO_LARGE);
}

static void idempotency_is_scoped_by_caller_path_and_key(void **state)
{
    (void)state;
    uint64_t keys[5][2], bodies[2][2];
    static const struct {
        const char *target, *user, *key, *body;
    } asked[] = {
        {"/v1/reservations", "ann", "k", "{}"},
        {"/reservations", "ann", "k", "{ }"}, /* the same path */
        {"/v1/reservations", "bob", "k", "{}"},
        {"/v1/reservations", "ann", "kk", "{}"},
        {"/v1/reservations/r/items", "ann", "k", "{}"},
    };
    for (size_t i = 0; i < 5; i++) {
        assert_true(decode(METHOD_POST, asked[i].target));
        request.actor = (struct actor){ROLE_USER, {asked[i].user, strlen(asked[i].user)}};
        request.body = (struct text){asked[i].body, strlen(asked[i].body)};
        assert_false(request_idempotency(&request, keys[i], bodies[i > 0]));
        request.headers.idempotency_key = (struct text){asked[i].key, strlen(asked[i].key)};
        assert_true(request_idempotency(&request, keys[i], bodies[i == 1]));
    }
    assert_memory_equal(keys[0], keys[1], sizeof keys[0]);
    assert_memory_not_equal(bodies[0], bodies[1], sizeof bodies[0]);
    for (size_t i = 2; i < 5; i++)
        for (size_t k = 0; k < i; k++)
            assert_memory_not_equal(keys[i], keys[k], sizeof keys[0]);
}

static void headers_that_must_be_well_formed(void **state)
{
    (void)state;
    char long_key[257];
    memset(long_key, 'k', sizeof long_key);
    assert_true(decode(METHOD_POST, "/v1/reservations"));
    request.headers.idempotency_key = (struct text){long_key, 255};
    assert_true(request_check_headers(&request, &fault));
    request.headers.idempotency_key.size = 256;
    assert_false(request_check_headers(&request, &fault));
    request.headers.idempotency_key.size = 0;
    assert_false(request_check_headers(&request, &fault));
    request.headers.idempotency_key = TEXT("caf\xc3\xa9");
    assert_false(request_check_headers(&request, &fault));
    assert_true(decode(METHOD_GET, "/v1/reservations"));
    request.headers.idempotency_key = (struct text){long_key, 256}; /* means nothing here */
    request.headers.min_seq = TEXT("184467");
    assert_true(request_check_headers(&request, &fault));
    assert_int_equal(request.min_seq, 184467);
    request.headers.min_seq = TEXT("-1");
    assert_false(request_check_headers(&request, &fault));
}

static void etags_match_weakly_in_lists(void **state)
{
    (void)state;
    assert_true(request_etag_matches(TEXT("\"a\""), "\"a\""));
    assert_true(request_etag_matches(TEXT("\"b\", W/\"a\" "), "\"a\""));
    assert_true(request_etag_matches(TEXT("*"), "\"a\""));
    assert_false(request_etag_matches(TEXT("\"ab\""), "\"a\""));
    assert_false(request_etag_matches(TEXT("a"), "\"a\""));
    assert_false(request_etag_matches(TEXT(""), "\"a\""));
    assert_false(request_etag_matches((struct text){0}, "\"a\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_percent_decoded),
        cmocka_unit_test(an_invalid_id_does_not_exist),
        cmocka_unit_test(a_query_is_decoded_by_the_names_of_the_route),
        cmocka_unit_test(a_bad_query_is_invalid_and_named),
        cmocka_unit_test(unknown_paths_and_methods_are_distinguished),
        cmocka_unit_test(json_is_what_bodies_are_made_of),
        cmocka_unit_test(idempotency_is_scoped_by_caller_path_and_key),
        cmocka_unit_test(headers_that_must_be_well_formed),
        cmocka_unit_test(etags_match_weakly_in_lists),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
