/* SPDX-License-Identifier: Apache-2.0 */
/* A signed ticket is read as written, and nothing else is; keys are read from text in one form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/crypto/base64.h"
#include "http/door/ticket_form.h"

#define ONE "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
#define TWO "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"

static struct ticket_keys keys_of(const char *text)
{
    struct ticket_keys keys;
    assert_true(ticket_keys_read(&keys, text));
    return keys;
}

/* RFC 8032, 7.1, tests 1 and 2. */
static void signatures_are_those_of_the_standard(void **state)
{
    static const uint8_t public_one[] = {0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe,
                                         0xd3, 0xc9, 0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6,
                                         0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68, 0xf7, 0x07, 0x51, 0x1a};
    static const uint8_t begins[] = {0x92, 0xa0, 0x09, 0xa9, 0xf0, 0xd4, 0xca, 0xb8};
    uint8_t seed[ED25519_KEY_SIZE], public[ED25519_KEY_SIZE], signature[ED25519_SIGNATURE_SIZE];
    (void)state;
    struct ticket_keys keys = keys_of(ONE);
    memcpy(seed, keys.keys[0].seed, sizeof(seed));
    ed25519_public(seed, public);
    assert_memory_equal(public, keys.keys[0].public, sizeof(public));
    assert_memory_equal(public, public_one, sizeof(public));
    keys = keys_of(TWO);
    ed25519_sign(keys.keys[0].seed, "\x72", 1, signature);
    assert_memory_equal(signature, begins, sizeof(begins));
    assert_true(ed25519_verify(keys.keys[0].public, "\x72", 1, signature));
    assert_false(ed25519_verify(keys.keys[0].public, "\x73", 1, signature));
    signature[3] ^= 1;
    assert_false(ed25519_verify(keys.keys[0].public, "\x72", 1, signature));
}

static struct check_in_image ticket_of(struct text resource, struct text part)
{
    return (struct check_in_image){.code = TEXT("9KQ2M7XW4T8Z1C5V3R6H"),
                                   .kind = ITEM_KIND_FIRST,
                                   .unit = 258,
                                   .reissue = 0x0102030405060708,
                                   .resource_id = resource,
                                   .part_id = part};
}

static void a_form_is_read_as_it_was_written(void **state)
{
    char text[TICKET_FORM_SIZE_MAX], code[TICKET_CODE_SIZE], most[ID_SIZE_MAX];
    uint64_t reissue;
    (void)state;
    memset(most, 'x', sizeof(most));
    struct ticket_keys both = keys_of(ONE " " TWO), second = keys_of(TWO), one = keys_of(ONE);
    const struct check_in_image tickets[] = {
        ticket_of(TEXT("arena"), TEXT("A15")), ticket_of((struct text){0}, (struct text){0}),
        ticket_of((struct text){most, sizeof(most)}, (struct text){most, sizeof(most)})};
    for (size_t i = 0; i < sizeof(tickets) / sizeof(*tickets); i++) {
        size_t size = ticket_form_write(&both, &tickets[i], text);
        struct text whole = {text, size};
        assert_true(ticket_form_is(whole));
        assert_true(ticket_form_read(&one, whole, code, &reissue));
        assert_memory_equal(code, tickets[i].code.at, TICKET_CODE_SIZE);
        assert_int_equal(reissue, tickets[i].reissue);
        assert_false(ticket_form_read(&second, whole, code, &reissue));
        for (size_t cut = 0; cut < size; cut++)
            assert_false(ticket_form_read(&both, (struct text){text, cut}, code, &reissue));
        for (size_t at = 0; at < size; at++) {
            text[at] ^= 1;
            assert_false(ticket_form_read(&both, whole, code, &reissue));
            text[at] ^= 1;
        }
    }
}

static void the_payload_has_its_bytes_where_others_expect_them(void **state)
{
    char text[TICKET_FORM_SIZE_MAX];
    uint8_t payload[TICKET_FORM_SIZE_MAX];
    size_t size;
    (void)state;
    struct ticket_keys keys = keys_of(ONE);
    struct check_in_image ticket = ticket_of(TEXT("arena"), TEXT("A15"));
    ticket_form_write(&keys, &ticket, text);
    const char *dot = strchr(text + 4, '.');
    assert_true(base64url_read(text + 4, (size_t)(dot - text) - 4, payload, &size));
    assert_memory_equal(payload, keys.keys[0].id, 8);
    assert_memory_equal(payload + 8,
                        "\1\2\3\4\5\6\7\10"
                        "9KQ2M7XW4T8Z1C5V3R6H"
                        "\1\2"
                        "\1"
                        "\5"
                        "arena"
                        "\3"
                        "A15",
                        41);
    assert_int_equal(size, 49);
}

static void keys_have_one_form(void **state)
{
    struct ticket_keys keys;
    static const char *const bad[] = {"", " ", "x", ONE "0", ONE ONE, ONE " " ONE, ONE ";" TWO, "-" ONE};
    (void)state;
    assert_true(ticket_keys_read(&keys, "\n" ONE ",\r\n" TWO "\n"));
    assert_int_equal(keys.count, 2);
    assert_ptr_equal(ticket_keys_find(&keys, keys.keys[1].id), &keys.keys[1]);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        assert_false(ticket_keys_read(&keys, bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signatures_are_those_of_the_standard),
        cmocka_unit_test(a_form_is_read_as_it_was_written),
        cmocka_unit_test(the_payload_has_its_bytes_where_others_expect_them),
        cmocka_unit_test(keys_have_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
