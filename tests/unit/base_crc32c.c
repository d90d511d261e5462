/* SPDX-License-Identifier: Apache-2.0 */
/* The checksum is the published one, whichever way it is computed and however the bytes are cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/crypto/crc32c.h"

static void crc32c_has_the_published_values(void **state)
{
    (void)state;
    uint8_t bytes[32];
    assert_int_equal(crc32c(0, "", 0), 0);
    assert_int_equal(crc32c(0, "123456789", 9), 0xE3069283);
    memset(bytes, 0, sizeof bytes); /* these four are from RFC 3720 */
    assert_int_equal(crc32c(0, bytes, 32), 0x8A9136AA);
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(crc32c(0, bytes, 32), 0x62A8AB43);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(crc32c(0, bytes, 32), 0x46DD794E);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(crc32c(0, bytes, 32), 0x113FDB5C);
}

static void crc32c_both_ways_agree(void **state)
{
    (void)state;
    uint8_t bytes[300];
    for (int i = 0; i < 300; i++)
        bytes[i] = (uint8_t)(i * 167 + i / 7);
    for (size_t from = 0; from < 9; from++)
        for (size_t size = 0; from + size <= sizeof bytes; size++)
            assert_int_equal(crc32c(0, bytes + from, size), crc32c_by_table(0, bytes + from, size));
}

static void crc32c_continues(void **state)
{
    (void)state;
    const char text[] = "a batch is written in pieces";
    for (size_t cut = 0; cut < sizeof text; cut++) {
        assert_int_equal(crc32c(crc32c(0, text, cut), text + cut, sizeof text - cut),
                         crc32c(0, text, sizeof text));
        assert_int_equal(crc32c_by_table(crc32c(0, text, cut), text + cut, sizeof text - cut),
                         crc32c(0, text, sizeof text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc32c_has_the_published_values),
        cmocka_unit_test(crc32c_both_ways_agree),
        cmocka_unit_test(crc32c_continues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
