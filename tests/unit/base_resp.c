/* SPDX-License-Identifier: Apache-2.0 */
/* RESP2 is read strictly and within limits, the same however it is split, and costs no memory before it has come. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "base/resp/resp_reader.h"
#include "base/resp/resp_writer.h"

static const struct resp_limits replies = {.depth = 3, .values = 12, .bytes = 256};
static const struct resp_limits requests = {.request = true, .depth = 1, .values = 5, .bytes = 64};

/* ---- What was read, as text ---- */

/* "[1,'a',[],null]" */
static void describe(struct buf *out, const struct resp_value *v)
{
    switch (v->kind) {
    case RESP_STATUS:
        buf_printf(out, "+%s", v->text);
        break;
    case RESP_ERROR:
        buf_printf(out, "-%s", v->text);
        break;
    case RESP_INTEGER:
        buf_printf(out, "%lld", (long long)v->integer);
        break;
    case RESP_BULK:
        assert_int_equal(v->text[v->size], '\0');
        buf_append_text(out, "'");
        buf_append(out, v->text, v->size);
        buf_append_text(out, "'");
        break;
    case RESP_NULL:
        buf_append_text(out, "null");
        break;
    case RESP_ARRAY:
        buf_append_text(out, "[");
        const struct resp_value *at = resp_first(v);
        for (uint32_t i = 0; i < v->count; i++, at = resp_next(at)) {
            buf_append_text(out, i ? "," : "");
            describe(out, at);
        }
        assert_ptr_equal(at, resp_next(v));
        buf_append_text(out, "]");
    }
}

/* Everything in these bytes; `step` of them at a time after the first `first`. */
static void read_all(struct buf *out, const struct resp_limits *limits, const char *bytes, size_t size,
                     size_t first, size_t step)
{
    struct resp_reader r;
    enum resp_verdict verdict = RESP_MORE;
    resp_reader_init(&r, limits);
    for (size_t at = 0, piece = first; at < size && verdict < RESP_BAD; piece = step) {
        size_t used, end = size - at < piece ? size : at + piece;
        while (at < end && verdict < RESP_BAD) {
            verdict = resp_read(&r, bytes + at, end - at, &used);
            assert_true(used <= end - at);
            at += used;
            if (verdict == RESP_READY) {
                describe(out, resp_value(&r));
                buf_append_text(out, " ");
            }
        }
    }
    static const char *const ends[] = {"more", "ready", "bad", "too large"};
    buf_append_text(out, ends[verdict]);
    buf_append(out, "", 1);
    resp_reader_release(&r);
}

static void expect(const struct resp_limits *limits, const char *bytes, size_t size, const char *expected)
{
    struct buf out;
    buf_init(&out, 1 << 20);
    for (size_t first = 1; first <= size + 1; first++) {
        buf_clear(&out);
        read_all(&out, limits, bytes, size, first, first > size ? 1 : size);
        if (strcmp((const char *)out.data, expected) != 0)
            fail_msg("%.*s\nsplit after %zu: %s\nexpected: %s", (int)size, bytes, first, out.data, expected);
    }
    buf_release(&out);
}

struct sample {
    const char *bytes, *expected;
};

static void expect_each(const struct resp_limits *limits, const struct sample *samples, size_t count)
{
    for (size_t i = 0; i < count; i++)
        expect(limits, samples[i].bytes, strlen(samples[i].bytes), samples[i].expected);
}
#define EXPECT(limits, ...)                                                                                  \
    do {                                                                                                     \
        static const struct sample samples[] = {__VA_ARGS__};                                                \
        expect_each(&limits, samples, sizeof samples / sizeof *samples);                                     \
    } while (0)

/* ---- Claims ---- */

static void every_kind_is_read_at_every_split(void **state)
{
    (void)state;
    EXPECT(replies, {"+OK\r\n", "+OK ready"}, {"+\r\n", "+ ready"},
           {"-ERR no such\r\n", "-ERR no such ready"}, {":0\r\n:-5\r\n", "0 -5 ready"},
           {":9223372036854775807\r\n:-9223372036854775808\r\n",
            "9223372036854775807 -9223372036854775808 ready"},
           {"$3\r\nabc\r\n$0\r\n\r\n$-1\r\n*-1\r\n", "'abc' '' null null ready"},
           {"$4\r\n\r\n$1\r\n", "'\r\n$1' ready"}, {"*0\r\n", "[] ready"},
           {"*3\r\n$1\r\na\r\n:7\r\n+x\r\n:8\r\n", "['a',7,+x] 8 ready"},
           {"*3\r\n*2\r\n*0\r\n:1\r\n*1\r\n*1\r\n$-1\r\n-E\r\n+OK\r\n", "[[[],1],[[null]],-E] +OK ready"},
           {"*2\r\n*1\r\n:1\r\n", "more"}, {"+OK\r", "more"}, {"$2\r\nab", "more"}, {"$2\r\nab\r", "more"});
    static const char zeros[] = "$3\r\n\0\r\0\r\n+a\0b\r\n";
    struct resp_reader r;
    size_t used;
    resp_reader_init(&r, &replies);
    assert_int_equal(resp_read(&r, zeros, sizeof zeros - 1, &used), RESP_READY);
    assert_int_equal(used, 9);
    assert_memory_equal(resp_value(&r)->text, "\0\r\0", 4);
    assert_int_equal(resp_read(&r, zeros + used, sizeof zeros - 1 - used, &used), RESP_READY);
    assert_int_equal(resp_value(&r)->size, 3);
    resp_reader_release(&r);
}

static void anything_else_is_refused(void **state)
{
    (void)state;
    EXPECT(replies, {"PING\r\n", "bad"}, {"\r\n", "bad"}, {"%1\r\n", "bad"}, {"_\r\n", "bad"},
           {"#t\r\n", "bad"}, {",1.5\r\n", "bad"}, {">1\r\n+x\r\n", "bad"}, {"+a\n", "bad"},
           {"+a\nb\r\n", "bad"}, {"+a\rb", "bad"}, {":1\n", "more"}, {":\r\n", "bad"}, {":+1\r\n", "bad"},
           {":-\r\n", "bad"}, {":-0\r\n", "bad"}, {":01\r\n", "bad"}, {":1 \r\n", "bad"},
           {":9223372036854775808\r\n", "bad"}, {":-9223372036854775809\r\n", "bad"},
           {":100000000000000000000", "bad"}, {":1\rx", "bad"}, {"$-2\r\n", "bad"}, {"*-2\r\n", "bad"},
           {"$1\r\nabc", "bad"}, {"$1\r\na\rb", "bad"}, {"$\r\n", "bad"}, {"*1\r\nx", "bad"},
           {"+OK\r\nx", "+OK bad"});
    struct resp_reader r;
    size_t used;
    resp_reader_init(&r, &replies);
    assert_int_equal(resp_read(&r, "x", 1, &used), RESP_BAD);
    assert_int_equal(resp_read(&r, "+OK\r\n", 5, &used), RESP_BAD); /* and nothing after it is read */
    resp_reader_clear(&r);
    assert_int_equal(resp_read(&r, "+OK\r\n", 5, &used), RESP_READY);
    assert_true(resp_is(resp_value(&r), RESP_STATUS, "OK"));
    assert_false(resp_is(resp_value(&r), RESP_BULK, "OK"));
    assert_false(resp_is(resp_value(&r), RESP_STATUS, "OK."));
    resp_reader_release(&r);
}

static void a_request_is_an_array_of_bulk_strings(void **state)
{
    (void)state;
    EXPECT(requests, {"*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\n", "['GET','k'] ['PING'] ready"},
           {"*0\r\n", "[] ready"}, {"PING\r\n", "bad"}, {"$4\r\nPING\r\n", "bad"}, {"*1\r\n:1\r\n", "bad"},
           {"*1\r\n*1\r\n", "bad"}, {"*1\r\n$-1\r\n", "bad"}, {"*-1\r\n", "bad"}, {"+OK\r\n", "bad"},
           {"*5\r\n", "too large"}, {"*1\r\n$56\r\n", "too large"}, {"*1\r\n$53\r\n", "more"});
}

static void limits_are_exact(void **state)
{
    (void)state;
    EXPECT(replies, {"*1\r\n*1\r\n*1\r\n:1\r\n", "[[[1]]] ready"}, {"*1\r\n*1\r\n*1\r\n*0\r\n", "too large"},
           {"*11\r\n", "more"}, {"*12\r\n", "too large"}, {"*9223372036854775807\r\n", "too large"},
           {"*6\r\n*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n",
            "[[1,1,1,1,1],1,1,1,1,1] ready"},
           {"*7\r\n*5\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1\r\n:1", "too large"},
           {"$248\r\n", "more"}, {"$249\r\n", "too large"}, {"$9223372036854775807\r\n", "too large"});
    /* A value of exactly 256 bytes, and one more. */
    char line[300];
    memset(line, 'x', sizeof line);
    line[0] = '+';
    memcpy(line + 254, "\r\n", 2);
    struct buf out;
    buf_init(&out, 1024);
    for (size_t step = 1; step < 300; step++) {
        read_all(&out, &replies, line, 256, step, step);
        assert_string_equal((const char *)out.data + out.size - 6, "ready");
        buf_clear(&out);
    }
    memcpy(line + 253, "xx\r\n", 4);
    expect(&replies, line, 257, "too large");
    memset(line + 1, 'x', 299);
    expect(&replies, line, 256, "more");
    expect(&replies, line, 257, "too large");
    buf_release(&out);
}

/* With limits that allow it, so that nothing but the reader itself is careful. */
static void an_announced_size_reserves_nothing(void **state)
{
    (void)state;
    static const struct resp_limits wide = {.depth = 8, .values = UINT32_MAX, .bytes = (size_t)1 << 40};
    static const char *const lies[] = {"*1073741824\r\n", "$8589934592\r\n", "*1\r\n$9999999999\r\nabc",
                                       "*9999999\r\n*9999999\r\n*9999999\r\n*9999999\r\n$99999\r\n"};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct resp_reader r;
        size_t used;
        resp_reader_init(&r, &wide);
        assert_int_equal(resp_read(&r, lies[i], strlen(lies[i]), &used), RESP_MORE);
        assert_true(r.texts.capacity <= 256);
        assert_true(r.value_capacity <= 8);
        resp_reader_release(&r);
    }
}

static void memory_grows_with_what_has_come(void **state)
{
    (void)state;
    static const struct resp_limits wide = {.depth = 1, .values = 200000, .bytes = 1 << 24};
    struct resp_reader r;
    size_t used;
    resp_reader_init(&r, &wide);
    assert_int_equal(resp_read(&r, "*100000\r\n", 9, &used), RESP_MORE);
    for (uint32_t i = 1; i <= 100000; i++) {
        assert_int_equal(resp_read(&r, "$1\r\nx\r\n", 7, &used), i < 100000 ? RESP_MORE : RESP_READY);
        assert_true(r.value_capacity <= 8 || r.value_capacity <= 2 * (i + 1));
        assert_true(r.texts.capacity <= 256 || r.texts.capacity <= 4 * i);
    }
    assert_int_equal(resp_value(&r)->count, 100000);
    assert_int_equal(resp_value(&r)->span, 100001);
    assert_string_equal(resp_value(&r)[100000].text, "x");
    assert_int_equal(resp_read(&r, "+", 1, &used), RESP_MORE); /* the memory is kept for the next one */
    assert_true(r.value_capacity >= 100000);
    resp_reader_release(&r);
}

static void a_command_is_written_as_it_is_read(void **state)
{
    (void)state;
    struct buf out;
    buf_init(&out, 4096);
    resp_command(&out, 5);
    resp_text(&out, "SET");
    resp_bytes(&out, "a\0\r\n", 4);
    resp_bytes(&out, NULL, 0);
    resp_number(&out, 0);
    resp_number(&out, UINT64_MAX);
    static const char expected[] =
        "*5\r\n$3\r\nSET\r\n$4\r\na\0\r\n\r\n$0\r\n\r\n$1\r\n0\r\n$20\r\n18446744073709551615\r\n";
    assert_int_equal(out.size, sizeof expected - 1);
    assert_memory_equal(out.data, expected, out.size);
    static const struct resp_limits wide = {.request = true, .depth = 1, .values = 6, .bytes = 4096};
    struct resp_reader r;
    size_t used;
    resp_reader_init(&r, &wide);
    assert_int_equal(resp_read(&r, out.data, out.size, &used), RESP_READY);
    assert_int_equal(used, out.size);
    const struct resp_value *name = resp_first(resp_value(&r));
    assert_true(resp_is(name, RESP_BULK, "SET"));
    assert_memory_equal(resp_next(name)->text, "a\0\r\n", 5);
    resp_reader_release(&r);
    buf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_is_read_at_every_split),
        cmocka_unit_test(anything_else_is_refused),
        cmocka_unit_test(a_request_is_an_array_of_bulk_strings),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(an_announced_size_reserves_nothing),
        cmocka_unit_test(memory_grows_with_what_has_come),
        cmocka_unit_test(a_command_is_written_as_it_is_read),
    };
    return cmocka_run_group_tests_name("base_resp", tests, NULL, NULL);
}
