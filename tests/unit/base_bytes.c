/* SPDX-License-Identifier: Apache-2.0 */
/* What was written is read back; a reader that runs out stays bad and returns zeros. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/memory/bytes.h"

static const uint64_t bytes_samples[] = {
    0,          1, 127, 128, 255, 16383, 16384, UINT32_MAX, (uint64_t)1 << 56, INT64_MAX, (uint64_t)1 << 63,
    UINT64_MAX,
};
#define BYTES_SAMPLES (sizeof bytes_samples / sizeof *bytes_samples)

static void bytes_put_all(struct buf *b)
{
    for (size_t i = 0; i < BYTES_SAMPLES; i++) {
        bytes_put_u8(b, (uint8_t)bytes_samples[i]);
        bytes_put_u32(b, (uint32_t)bytes_samples[i]);
        bytes_put_u64(b, bytes_samples[i]);
        bytes_put_varint(b, bytes_samples[i]);
        bytes_put_signed(b, (int64_t)bytes_samples[i]);
        bytes_put_signed(b, -(int64_t)(bytes_samples[i] >> 1));
    }
    bytes_put_text(b, "seat", 4);
    bytes_put_text(b, NULL, 0);
}

static void bytes_get_all(struct bytes_reader *r)
{
    for (size_t i = 0; i < BYTES_SAMPLES; i++) {
        assert_int_equal(bytes_get_u8(r), (uint8_t)bytes_samples[i]);
        assert_int_equal(bytes_get_u32(r), (uint32_t)bytes_samples[i]);
        assert_true(bytes_get_u64(r) == bytes_samples[i]);
        assert_true(bytes_get_varint(r) == bytes_samples[i]);
        assert_true(bytes_get_signed(r) == (int64_t)bytes_samples[i]);
        assert_true(bytes_get_signed(r) == -(int64_t)(bytes_samples[i] >> 1));
    }
    size_t size;
    const char *text = bytes_get_text(r, &size);
    assert_int_equal(size, 4);
    assert_memory_equal(text, "seat", 4);
    bytes_get_text(r, &size);
    assert_int_equal(size, 0);
}

static void bytes_round_trip(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 4096);
    bytes_put_all(&b);
    struct bytes_reader r = bytes_reader_make(b.data, b.size);
    bytes_get_all(&r);
    assert_false(r.bad);
    assert_int_equal(bytes_left(&r), 0);
    buf_release(&b);
}

static void bytes_are_little_endian(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 64);
    bytes_put_u32(&b, 0x04030201);
    bytes_put_u64(&b, 0x0c0b0a0908070605);
    bytes_put_varint(&b, 300);
    bytes_put_signed(&b, -1);
    bytes_put_signed(&b, 1);
    const uint8_t wanted[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0xac, 0x02, 1, 2};
    assert_int_equal(b.size, sizeof wanted);
    assert_memory_equal(b.data, wanted, sizeof wanted);
    assert_int_equal(bytes_load_u32(wanted + 1), 0x05040302);
    assert_true(bytes_load_u64(wanted + 1) == 0x0908070605040302);
    buf_release(&b);
}

/* Truncated at every length, in an exact copy so that the sanitizer sees any byte read past the end. */
static void truncated_bytes_are_bad_and_read_as_zero(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 256);
    bytes_put_u32(&b, UINT32_MAX);
    bytes_put_varint(&b, UINT64_MAX);
    bytes_put_text(&b, "abc", 3);
    bytes_put_u64(&b, UINT64_MAX);
    for (size_t cut = 0; cut < b.size; cut++) {
        uint8_t *copy = malloc(cut ? cut : 1);
        memcpy(copy, b.data, cut);
        struct bytes_reader r = bytes_reader_make(copy, cut);
        size_t size;
        bytes_get_u32(&r);
        bytes_get_varint(&r);
        bytes_get_text(&r, &size);
        bytes_get_u64(&r);
        assert_true(r.bad);
        assert_int_equal(bytes_left(&r), 0);
        assert_int_equal(bytes_get_u8(&r), 0);
        assert_int_equal(bytes_get_signed(&r), 0);
        assert_string_equal(bytes_get_text(&r, &size), "");
        assert_int_equal(size, 0);
        assert_null(bytes_get_raw(&r, 0));
        free(copy);
    }
    buf_release(&b);
}

static void bytes_wrong_length_is_bad(void **state)
{
    (void)state;
    struct buf b;
    buf_init(&b, 64);
    bytes_put_varint(&b, UINT64_MAX);
    bytes_put_u64(&b, 0);
    struct bytes_reader r = bytes_reader_make(b.data, b.size);
    size_t size;
    assert_string_equal(bytes_get_text(&r, &size), "");
    assert_true(r.bad);
    buf_release(&b);
}

static void bytes_varint_has_one_spelling(void **state)
{
    (void)state;
    const struct {
        uint8_t bytes[12];
        size_t size;
    } bad[] = {
        {{0x80, 0x00}, 2},
        {{0xff, 0x80, 0x00}, 3},
        {{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02}, 10},
        {{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01}, 11},
        {{0x80}, 1},
        {{0}, 0},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct bytes_reader r = bytes_reader_make(bad[i].bytes, bad[i].size);
        assert_int_equal(bytes_get_varint(&r), 0);
        assert_true(r.bad);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_round_trip),
        cmocka_unit_test(bytes_are_little_endian),
        cmocka_unit_test(truncated_bytes_are_bad_and_read_as_zero),
        cmocka_unit_test(bytes_wrong_length_is_bad),
        cmocka_unit_test(bytes_varint_has_one_spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
