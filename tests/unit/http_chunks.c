/* SPDX-License-Identifier: Apache-2.0 */
/* A chunked body is read as written, or refused, in any number of pieces. A stream writes such a body. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/wire/chunks.h"

#define MOST 16

static const struct {
    const char *bytes;
    enum chunks_verdict verdict;
    const char *body; /* READY */
    const char *rest; /* READY: what belongs to the next request */
} bodies[] = {
    {"0\r\n\r\n", CHUNKS_READY, "", ""},
    {"2\r\n{}\r\n0\r\n\r\nGET", CHUNKS_READY, "{}", "GET"},
    {"1\r\n{\r\n001\r\n}\r\n000\r\n\r\n", CHUNKS_READY, "{}", ""},
    {"a\r\n0123456789\r\n0\r\n\r\n", CHUNKS_READY, "0123456789", ""},
    {"A;x=\"y\";z\r\n0123456789\r\n0;q\r\n\r\n", CHUNKS_READY, "0123456789", ""},
    {"2\r\n\r\n\r\n0\r\n\r\n", CHUNKS_READY, "\r\n", ""},
    {"1\r\na\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n", CHUNKS_READY, "a", ""},
    {"10\r\n0123456789abcdef\r\n0\r\n\r\n", CHUNKS_READY, "0123456789abcdef", ""},
    {"2\r\n{}\r\n", CHUNKS_MORE, NULL, NULL},
    {"2\r\n{", CHUNKS_MORE, NULL, NULL},
    {"", CHUNKS_MORE, NULL, NULL},
    {"11\r\n", CHUNKS_TOO_LARGE, NULL, NULL},
    {"FFFFFFFF\r\n", CHUNKS_TOO_LARGE, NULL, NULL},
    {"f\r\n0123456789abcde\r\n2\r\n", CHUNKS_TOO_LARGE, NULL, NULL},
    {"\r\n", CHUNKS_BAD, NULL, NULL},
    {"g\r\n", CHUNKS_BAD, NULL, NULL},
    {"-1\r\n", CHUNKS_BAD, NULL, NULL},
    {"+1\r\n", CHUNKS_BAD, NULL, NULL},
    {" 1\r\n", CHUNKS_BAD, NULL, NULL},
    {"1 \r\n", CHUNKS_BAD, NULL, NULL},
    {"0x1\r\n", CHUNKS_BAD, NULL, NULL},
    {"123456789\r\n", CHUNKS_BAD, NULL, NULL},
    {"1\na\n0\n\n", CHUNKS_BAD, NULL, NULL},
    {"1\r\na\n0\r\n\r\n", CHUNKS_BAD, NULL, NULL},
    {"1\r\nab\r\n", CHUNKS_BAD, NULL, NULL},
    {"1\r\naX\n0\r\n\r\n", CHUNKS_BAD, NULL, NULL},
    {"1\rxa\r\n", CHUNKS_BAD, NULL, NULL},
    {"1;\001\r\n", CHUNKS_BAD, NULL, NULL},
    {"0\r\nA: b\n\r\n", CHUNKS_BAD, NULL, NULL},
    {"0\r\n folded\r\n\r\n", CHUNKS_BAD, NULL, NULL},
    {"0\r\n\rx", CHUNKS_BAD, NULL, NULL},
};

/* Feeds `step` bytes at a time. */
static enum chunks_verdict feed(const char *bytes, size_t step, struct buf *body, size_t *used)
{
    struct chunks c = {0};
    enum chunks_verdict verdict = CHUNKS_MORE;
    size_t size = strlen(bytes);
    for (*used = 0; *used < size && verdict == CHUNKS_MORE;) {
        size_t n = size - *used < step ? size - *used : step, taken = 0;
        verdict = chunks_read(&c, bytes + *used, n, body, MOST, &taken);
        *used += taken;
    }
    return verdict;
}

static void every_body_has_one_verdict_in_any_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        for (size_t step = 1; step < 40; step += step < 4 ? 1 : 12) {
            struct buf body;
            size_t used;
            buf_init(&body, MOST);
            enum chunks_verdict verdict = feed(bodies[i].bytes, step, &body, &used);
            if (verdict != bodies[i].verdict)
                print_message("body %zu in steps of %zu: %s\n", i, step, bodies[i].bytes);
            assert_int_equal(verdict, bodies[i].verdict);
            if (verdict == CHUNKS_READY) {
                assert_int_equal(body.size, strlen(bodies[i].body));
                if (body.size)
                    assert_memory_equal(body.data, bodies[i].body, body.size);
                assert_string_equal(bodies[i].bytes + used, bodies[i].rest);
            }
            buf_release(&body);
        }
    }
}

static void trailers_and_extensions_are_bounded(void **state)
{
    (void)state;
    char *bytes = malloc(20001);
    memset(bytes, 'a', 20000);
    bytes[20000] = '\0';
    memcpy(bytes, "0\r\n", 3);
    struct buf body;
    size_t used;
    buf_init(&body, MOST);
    assert_int_equal(feed(bytes, 100, &body, &used), CHUNKS_BAD);
    memcpy(bytes, "1;e", 3);
    assert_int_equal(feed(bytes, 100, &body, &used), CHUNKS_BAD);
    buf_release(&body);
    free(bytes);
}

static void what_a_stream_writes_is_read_back(void **state)
{
    struct buf out;
    (void)state;
    buf_init(&out, 1024);
    const char *const parts[] = {"event: a\n\n", "", "0123456789abcdef0123456789abcdef"};
    for (size_t i = 0; i < 3; i++) {
        size_t begun = chunk_begin(&out, true);
        buf_append_text(&out, parts[i]);
        chunk_end(&out, begun, true);
    }
    buf_append_text(&out, CHUNKS_LAST);
    struct chunks chunks = {0};
    struct buf body;
    size_t used = 0;
    buf_init(&body, 1024);
    assert_int_equal(chunks_read(&chunks, (const char *)out.data, out.size, &body, 1024, &used),
                     CHUNKS_READY);
    assert_int_equal(used, out.size);
    assert_int_equal(body.size, strlen(parts[0]) + strlen(parts[2]));
    assert_memory_equal(body.data, parts[0], strlen(parts[0]));
    buf_clear(&out);
    size_t begun = chunk_begin(&out, false);
    buf_append_text(&out, "plain");
    chunk_end(&out, begun, false);
    assert_int_equal(out.size, 5);
    buf_release(&out);
    buf_release(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_body_has_one_verdict_in_any_pieces),
        cmocka_unit_test(trailers_and_extensions_are_bounded),
        cmocka_unit_test(what_a_stream_writes_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
