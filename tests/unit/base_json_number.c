/* SPDX-License-Identifier: Apache-2.0 */
/* A number is read as the exact double, bounds included; numbers out of range are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/json/json_number.h"
#include "base/json/json_reader.h"

struct place {
    struct json_number_value lat, lng;
};
static const struct json_field place_fields[] = {JSON_NUMBER(struct place, lat, -90, 90, JSON_REQUIRED),
                                                 JSON_NUMBER(struct place, lng, -180, 180, JSON_OPTIONAL),
                                                 JSON_END};

static bool read_place(const char *body, struct place *out, struct json_fault *fault)
{
    struct arena arena;
    arena_init(&arena, 256);
    *out = (struct place){0};
    bool read = json_read(body, strlen(body), place_fields, out, &arena, fault);
    arena_release(&arena);
    return read;
}

static void a_number_is_kept_to_its_last_bit(void **state)
{
    (void)state;
    struct place place;
    struct json_fault fault;
    assert_true(read_place("{\"lat\":52.520008123456789,\"lng\":-1.3404954e1}", &place, &fault));
    assert_true(place.lat.value == 52.520008123456789 && place.lng.value == -13.404954);
    assert_true(json_given(&place_fields[0], &place) && json_given(&place_fields[1], &place));
    assert_true(read_place("{\"lat\":-90,\"lng\":180.0}", &place, &fault));
    assert_true(place.lat.value == -90 && place.lng.value == 180);
    assert_true(read_place("{\"lat\":0}", &place, &fault));
    assert_true(place.lat.given && !place.lng.given && !json_given(&place_fields[1], &place));
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {"{\"lat\":90.0000000000001}",
                                        "{\"lat\":-91}",
                                        "{\"lat\":1e308}",
                                        "{\"lat\":\"1\"}",
                                        "{\"lat\":null}",
                                        "{\"lat\":true}"};
    struct place place;
    struct json_fault fault;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(read_place(wrong[i], &place, &fault));
        assert_string_equal(fault.pointer, "/lat");
        assert_non_null(strstr(fault.detail, "Invalid lat: expected a number from -90 to 90, got "));
    }
    assert_false(read_place("{\"lat\":1e999}", &place, &fault)); /* no double: we refuse such JSON */
    assert_string_equal(fault.pointer, "/lat");
    assert_false(read_place("{\"lat\":NaN}", &place, &fault));
}

/* Short and long ones, integers or not, near the limits of exactness. */
static void numbers_match_the_library(void **state)
{
    (void)state;
    static const char *const some[] = {
        "0",  "-0", "-0.0", "0.1",  "9007199254740992",    "9007199254740993",
        "1.", "7",  "0.30", "1e22", "-1234567.8901234567", "0.00000000000000001"};
    struct arena arena;
    uint64_t seed = 7;
    arena_init(&arena, 256);
    for (uint32_t i = 0; i < 300000; i++) {
        char text[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t digits = seed >> (8 + seed % 50);
        snprintf(text, sizeof(text), "%s%llu.%0*llu", seed >> 63 ? "-" : "",
                 (unsigned long long)(digits % 1000), (int)(seed >> 32 & 15) + 1,
                 (unsigned long long)(digits / 1000));
        if (i < sizeof(some) / sizeof(*some))
            strcpy(text, some[i]);
        double is = json_number_double(text, strlen(text), &arena), wanted = strtod(text, NULL);
        if (memcmp(&is, &wanted, sizeof(is)) != 0)
            fail_msg("%s is read as %.17g, not %.17g", text, is, wanted);
    }
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_match_the_library),
        cmocka_unit_test(a_number_is_kept_to_its_last_bit),
        cmocka_unit_test(numbers_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
