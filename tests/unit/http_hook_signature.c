/* SPDX-License-Identifier: Apache-2.0 */
/* Messages are signed as Standard Webhooks says; secrets and ids have one form each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/crypto/base64.h"
#include "http/hook/hook_signature.h"

static void base64_goes_both_ways_and_has_one_form(void **state)
{
    static const char *const texts[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    static const char *const wrong[] = {
        "Z", "Zg", "Zg=", "Zh==", "Zm9=", "Z===", "====", "Zg==Zg==", "Zm9v!m9v", "Zm 9"};
    uint8_t bytes[8];
    char text[16];
    size_t size;
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        assert_true(base64_read(texts[i], strlen(texts[i]), bytes, sizeof(bytes), &size));
        assert_int_equal(size, i);
        assert_memory_equal(bytes, "foobar", i);
        base64_write(bytes, size, text);
        assert_memory_equal(text, texts[i], BASE64_SIZE(size));
    }
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        assert_false(base64_read(wrong[i], strlen(wrong[i]), bytes, sizeof(bytes), &size));
    assert_false(base64_read("Zm9vYmFy", 8, bytes, 5, &size));
}

/* The example of the specification. */
static void a_signature_is_that_of_the_specification(void **state)
{
    struct hook_image hook = {.secret = TEXT("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")};
    char signature[HOOK_SIGNATURE_SIZE_MAX];
    struct buf body;
    (void)state;
    buf_init(&body, 256);
    buf_append_text(&body, "{\"test\": 2432232314}");
    hook_signature_write(&hook, 0, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, &body, signature);
    assert_string_equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    hook.old_secret = hook.secret;
    hook.old_until_ms = 1000;
    hook_signature_write(&hook, 999, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, &body, signature);
    assert_string_equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE= "
                                   "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    hook_signature_write(&hook, 1000, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, &body, signature);
    assert_string_equal(signature, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    buf_release(&body);
}

static void ids_decode_to_the_message(void **state)
{
    struct hook_message m = {
        .seq = UINT64_MAX, .ordinal = UINT32_MAX, .reservation = {UINT64_MAX, UINT64_MAX}};
    static const char *const wrong[] = {"",           "msg_",       "msg_1",      "msg_1_2",    "msg_+1_2_x",
                                        "msg_ 1_2_x", "msg_01_2_x", "msg_1_02_x", "msg_1_-2_x", "res_1_2_x"};
    char id[HOOK_MESSAGE_ID_SIZE];
    uint64_t seq;
    uint32_t ordinal;
    (void)state;
    hook_message_id_write(&m, id);
    assert_true(strlen(id) < sizeof(id) - 1);
    assert_true(hook_message_id_read((struct text){id, strlen(id)}, &seq, &ordinal));
    assert_true(seq == UINT64_MAX && ordinal == UINT32_MAX);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
        if (hook_message_id_read((struct text){wrong[i], strlen(wrong[i])}, &seq, &ordinal))
            fail_msg("%s is taken for an id", wrong[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(base64_goes_both_ways_and_has_one_form),
        cmocka_unit_test(a_signature_is_that_of_the_specification),
        cmocka_unit_test(ids_decode_to_the_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
