/* SPDX-License-Identifier: Apache-2.0 */
/* A head is framed in one way only, or refused, in any number of pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/wire/http_parse.h"

#define GET "GET /healthz HTTP/1.1\r\n"
#define HOST "Host: x\r\n"
#define END "\r\n"

static enum http_scan scan(const char *bytes, size_t size, size_t *head_size)
{
    size_t checked = 0;
    return http_scan(bytes, size, &checked, head_size);
}

static const struct {
    const char *bytes;
    size_t size;
    enum http_scan verdict;
} scans[] = {
#define S(text) text, sizeof(text) - 1
    {S(GET HOST END), HTTP_SCAN_READY},
    {S("GET / HTTP/1.0\r\n\r\n"), HTTP_SCAN_READY},
    {S(GET "Empty:\r\n" HOST END), HTTP_SCAN_READY},
    {S(GET HOST "A: tab\tand \x80high\r\n" END), HTTP_SCAN_READY},
    {S(GET HOST), HTTP_SCAN_MORE},
    {S("GET /heal"), HTTP_SCAN_MORE},
    {S(GET HOST "\r"), HTTP_SCAN_MORE},
    {S("GET / HTTP/1.1\nHost: x\n\n"), HTTP_SCAN_BAD},
    {S(GET "Host: x\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "\n"), HTTP_SCAN_BAD},
    {S(GET HOST "A: b\rc\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A : b\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A\t: b\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A: b\r\n c\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A: b\r\n\tc\r\n" END), HTTP_SCAN_BAD},
    {S(GET " Host: x\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A: b\0c\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A: b\x7f\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "A\x01: b\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST "no colon\r\n" END), HTTP_SCAN_BAD},
    {S(GET HOST ": no name\r\n" END), HTTP_SCAN_BAD},
    {S("GET  / HTTP/1.1\r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET / HTTP/1.1 \r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET /\r\n\r\n"), HTTP_SCAN_BAD},
    {S("GET / HTTP/1.2\r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET / HTTP/2.0\r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET / http/1.1\r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET /\x80 HTTP/1.1\r\n" HOST END), HTTP_SCAN_BAD},
    {S("GET /a b HTTP/1.1\r\n" HOST END), HTTP_SCAN_BAD},
    {S("\r\n\r\n"), HTTP_SCAN_BAD},
    {S("\x16\x03\x01\x02"), HTTP_SCAN_BAD}, /* another protocol is recognized by its first bytes */
    {S(GET HOST "A b"), HTTP_SCAN_BAD},
};

static void every_head_has_one_verdict(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        size_t head_size = 0;
        enum http_scan verdict = scan(scans[i].bytes, scans[i].size, &head_size);
        if (verdict != scans[i].verdict)
            print_message("head %zu: %s\n", i, scans[i].bytes);
        assert_int_equal(verdict, scans[i].verdict);
        if (verdict == HTTP_SCAN_READY)
            assert_int_equal(head_size, scans[i].size);
    }
}

/* Fed byte by byte, a good head is ready with its last byte and never before, a bad one is bad in the end. */
static void the_verdict_does_not_depend_on_the_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        size_t checked = 0, head_size = 0;
        enum http_scan verdict = HTTP_SCAN_MORE;
        for (size_t size = 1; size <= scans[i].size && verdict == HTTP_SCAN_MORE; size++) {
            verdict = http_scan(scans[i].bytes, size, &checked, &head_size);
            assert_true(verdict != HTTP_SCAN_READY || size == scans[i].size);
        }
        assert_int_equal(verdict, scans[i].verdict);
    }
}

static void bytes_after_the_head_are_ignored(void **state)
{
    (void)state;
    static const char bytes[] = GET HOST END "\0\1\2\n\n\n";
    size_t head_size;
    assert_int_equal(scan(bytes, sizeof bytes - 1, &head_size), HTTP_SCAN_READY);
    assert_int_equal(head_size, sizeof(GET HOST END) - 1);
}

static void a_head_over_16_kib_is_too_large(void **state)
{
    (void)state;
    size_t size = HTTP_HEAD_SIZE_MAX, begin = sizeof(GET HOST "A: ") - 1, head_size;
    char *bytes = malloc(size + 1);
    memset(bytes, 'a', size + 1);
    memcpy(bytes, GET HOST "A: ", begin);
    memcpy(bytes + size - 4, "\r\n\r\n", 4);
    assert_int_equal(scan(bytes, size, &head_size), HTTP_SCAN_READY);
    assert_int_equal(head_size, HTTP_HEAD_SIZE_MAX);
    memcpy(bytes + size - 4, "a\r\n\r\n", 5);
    assert_int_equal(scan(bytes, size + 1, &head_size), HTTP_SCAN_TOO_LARGE);
    memset(bytes + begin, 'a', size + 1 - begin);
    assert_int_equal(scan(bytes, size, &head_size), HTTP_SCAN_MORE);
    assert_int_equal(scan(bytes, size + 1, &head_size), HTTP_SCAN_TOO_LARGE);
    free(bytes);
}

/* ---- Parsing ---- */

static bool parse(const char *head, struct request *r)
{
    struct fault fault;
    size_t size = strlen(head), head_size;
    assert_int_equal(scan(head, size, &head_size), HTTP_SCAN_READY);
    *r = (struct request){0};
    bool good = http_parse_head(head, size, r, &fault);
    if (!good)
        assert_int_equal(fault.code, FAULT_INVALID);
    return good;
}

static void heads_that_cannot_be_framed_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        GET END,
        GET HOST "host: y\r\n" END,
        GET HOST "Content-Length: 5\r\nContent-Length: 5\r\n" END,
        GET HOST "Content-Length: 5\r\ncontent-length: 6\r\n" END,
        GET HOST "Content-Length: +5\r\n" END,
        GET HOST "Content-Length: -5\r\n" END,
        GET HOST "Content-Length: 5, 5\r\n" END,
        GET HOST "Content-Length: 5 5\r\n" END,
        GET HOST "Content-Length: 0x5\r\n" END,
        GET HOST "Content-Length:\r\n" END,
        GET HOST "Content-Length: 99999999999999999999\r\n" END,
        GET HOST "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n" END,
        GET HOST "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n" END,
        GET HOST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n" END,
        GET HOST "Transfer-Encoding: gzip\r\n" END,
        GET HOST "Transfer-Encoding: gzip, chunked\r\n" END,
        GET HOST "Transfer-Encoding: chunked, identity\r\n" END,
        GET HOST "Transfer-Encoding: identity\r\n" END,
        GET HOST "Transfer-Encoding:\r\n" END,
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        GET HOST "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n" END,
        GET HOST "Idempotency-Key: a\r\nIdempotency-Key: b\r\n" END,
        "GET x HTTP/1.1\r\n" HOST END,
        "GET x/y HTTP/1.1\r\n" HOST END,
        "GET ?x HTTP/1.1\r\n" HOST END,
        "GET *x HTTP/1.1\r\n" HOST END,
        "GET http:/x HTTP/1.1\r\n" HOST END,
        "GET http:// HTTP/1.1\r\n" HOST END,
        "GET http:///x HTTP/1.1\r\n" HOST END,
        "GET http://a@x/ HTTP/1.1\r\n" HOST END,
        "GET ftp://x/ HTTP/1.1\r\n" HOST END,
        "CONNECT x:443 HTTP/1.1\r\n" HOST END,
    };
    struct request r;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (parse(bad[i], &r))
            fail_msg("accepted: %s", bad[i]);
    }
}

static void assert_text(struct text text, const char *expected)
{
    assert_non_null(text.at);
    assert_int_equal(text.size, strlen(expected));
    assert_memory_equal(text.at, expected, text.size);
}

static void a_head_is_reported_in_full(void **state)
{
    (void)state;
    struct request r;
    assert_true(
        parse("PATCH /a/b?c=d HTTP/1.1\r\nhOST: x\r\nAUTHORIZATION:Bearer k  \r\ncontent-length: 42\r\n"
              "Content-Type: \t application/json\r\nIf-Match: \"7\"\r\nX-Forwarded-For: a\r\n"
              "X-Forwarded-For: b\r\nAccept-Encoding: one\r\nAccept-Encoding: two\r\n\r\n",
              &r));
    assert_int_equal(r.method, METHOD_PATCH);
    assert_false(r.head);
    assert_text(r.target, "/a/b?c=d");
    assert_true(r.has_length && r.keep_alive && !r.chunked && !r.http_1_0);
    assert_int_equal(r.content_length, 42);
    assert_text(r.headers.authorization, "Bearer k");
    assert_text(r.headers.content_type, "application/json");
    assert_text(r.headers.if_match, "\"7\"");
    assert_text(r.headers.forwarded_for, "b");
    assert_text(r.headers.accept_encoding, "one");
    assert_null(r.headers.origin.at);
}

static void versions_and_connections(void **state)
{
    (void)state;
    struct request r;
    assert_true(parse("HEAD / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n", &r));
    assert_true(r.head && r.method == METHOD_GET && !r.keep_alive);
    assert_true(parse("GET / HTTP/1.0\r\n\r\n", &r));
    assert_true(r.http_1_0 && !r.keep_alive);
    assert_true(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", &r));
    assert_true(r.keep_alive);
    assert_true(parse("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n", &r));
    assert_true(r.chunked && !r.has_length);
    assert_true(parse("PURGE / HTTP/1.1\r\nHost: x\r\n\r\n", &r));
    assert_int_equal(r.method, METHOD_OTHER);
    assert_true(parse("get / HTTP/1.1\r\nHost: x\r\n\r\n", &r));
    assert_int_equal(r.method, METHOD_OTHER);
    assert_true(parse("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", &r));
    assert_true(r.method == METHOD_OPTIONS);
    assert_text(r.target, "*");
    assert_true(parse("GET https://[::1]:8080?a HTTP/1.1\r\nHost: x\r\n\r\n", &r));
    assert_text(r.target, "https://[::1]:8080?a");
    assert_true(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: a\r\nconnection:\t,b , Close\t\r\n\r\n", &r));
    assert_false(r.keep_alive);
    assert_true(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: closed\r\n\r\n", &r));
    assert_true(r.keep_alive);
    assert_true(parse("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", &r));
    assert_false(r.keep_alive);
    assert_true(parse("GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n", &r));
}

static void a_header_is_found_by_its_name_if_it_is_there_once(void **state)
{
    (void)state;
    static const char head[] = GET HOST "X-Mine:  a b\t\r\nTwice: 1\r\nNone:\r\ntwice: 2\r\n" END;
    struct request r = {0};
    struct fault fault;
    assert_null(request_header(&r, "X-Mine").at); /* a call of this process has no head */
    assert_true(http_parse_head(head, sizeof head - 1, &r, &fault));
    assert_true(text_equal(request_header(&r, "x-mine"), TEXT("a b")));
    assert_true(text_equal(request_header(&r, "Host"), TEXT("x")));
    assert_non_null(request_header(&r, "None").at);
    assert_int_equal(request_header(&r, "None").size, 0);
    assert_null(request_header(&r, "Twice").at);
    assert_null(request_header(&r, "GET /healthz HTTP/1.1").at);
    assert_null(request_header(&r, "X-Min").at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_head_has_one_verdict),
        cmocka_unit_test(the_verdict_does_not_depend_on_the_pieces),
        cmocka_unit_test(bytes_after_the_head_are_ignored),
        cmocka_unit_test(a_head_over_16_kib_is_too_large),
        cmocka_unit_test(heads_that_cannot_be_framed_are_refused),
        cmocka_unit_test(a_head_is_reported_in_full),
        cmocka_unit_test(versions_and_connections),
        cmocka_unit_test(a_header_is_found_by_its_name_if_it_is_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
