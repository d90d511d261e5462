/* SPDX-License-Identifier: Apache-2.0 */
/* The hashes are the published ones, in every thread and however often they are used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <pthread.h>

#include "base/crypto/hash.h"

static void hash_hex(const uint8_t digest[32], char out[65])
{
    for (int i = 0; i < 32; i++) {
        out[2 * i] = "0123456789abcdef"[digest[i] >> 4];
        out[2 * i + 1] = "0123456789abcdef"[digest[i] & 15];
    }
    out[64] = '\0';
}

/* Key 00..0f over 00, 00 01, ...: the vectors that come with the paper. */
static void hash_sip_has_the_published_values(void **state)
{
    (void)state;
    const struct hash_key key = {.a = 0x0706050403020100, .b = 0x0f0e0d0c0b0a0908};
    uint8_t bytes[64];
    for (int i = 0; i < 64; i++)
        bytes[i] = (uint8_t)i;
    assert_true(hash_sip(key, bytes, 0) == 0x726fdb47dd0e0e31);
    assert_true(hash_sip(key, bytes, 1) == 0x74f839c593dc67fd);
    assert_true(hash_sip(key, bytes, 7) == 0xab0200f58b01d137);
    assert_true(hash_sip(key, bytes, 8) == 0x93f5f5799a932462);
    assert_true(hash_sip(key, bytes, 15) == 0xa129ca6149be45e5);
    assert_true(hash_sip(key, bytes, 63) == 0x958a324ceb064572);
}

static void hash_sip_depends_on_the_key(void **state)
{
    (void)state;
    uint64_t one = hash_sip((struct hash_key){1, 2}, "A15", 3);
    assert_true(one != hash_sip((struct hash_key){1, 3}, "A15", 3));
    assert_true(one != hash_sip((struct hash_key){2, 2}, "A15", 3));
    assert_true(one == hash_sip((struct hash_key){1, 2}, "A15", 3));
}

static void hash_sha256_has_the_published_values(void **state)
{
    (void)state;
    uint8_t digest[32];
    char hex[65];
    for (int again = 0; again < 3; again++) {
        hash_sha256("", 0, digest);
        hash_hex(digest, hex);
        assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        hash_sha256("abc", 3, digest);
        hash_hex(digest, hex);
        assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}

/* RFC 4231, cases 1, 2 and 6 (a key longer than a block). */
static void hash_hmac_has_the_published_values(void **state)
{
    (void)state;
    uint8_t digest[32], key[131];
    char hex[65];
    for (int again = 0; again < 3; again++) {
        memset(key, 0x0b, 20);
        hash_hmac_sha256(key, 20, "Hi There", 8, digest);
        hash_hex(digest, hex);
        assert_string_equal(hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
        hash_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
        hash_hex(digest, hex);
        assert_string_equal(hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
        memset(key, 0xaa, sizeof key);
        hash_hmac_sha256(key, sizeof key, "Test Using Larger Than Block-Size Key - Hash Key First", 54,
                         digest);
        hash_hex(digest, hex);
        assert_string_equal(hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
    }
}

/* The last key is cached: one with the same prefix, or the same size, is a different key. */
static void hash_hmac_goes_by_the_whole_key(void **state)
{
    (void)state;
    static const struct {
        const char *key, *wanted; /* the first four bytes */
    } cases[] = {
        {"key", "9c196e32"}, {"key", "9c196e32"}, {"kex", "6e090e3c"},
        {"ke", "a4875fbc"},  {"key", "9c196e32"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint8_t digest[32];
        char hex[65];
        hash_hmac_sha256(cases[i].key, strlen(cases[i].key), "abc", 3, digest);
        hash_hex(digest, hex);
        assert_memory_equal(hex, cases[i].wanted, 8);
    }
}

static void *hash_in_a_thread(void *owner)
{
    uint8_t *digest = owner;
    hash_sha256("abc", 3, digest);
    hash_hmac_sha256("key", 3, "abc", 3, digest + 32);
    uint8_t in_parts[32];
    hash_hmac_sha256_parts("key", 3, (const struct hash_part[]){{"a", 1}, {"", 0}, {"bc", 2}}, 3, in_parts);
    assert_memory_equal(in_parts, digest + 32, 32);
    return NULL;
}

static void hash_threads_do_not_share_contexts(void **state)
{
    (void)state;
    uint8_t wanted[64], got[4][64];
    hash_in_a_thread(wanted);
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, hash_in_a_thread, got[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_memory_equal(got[i], wanted, 64);
    }
}

static void hash_equal_sees_every_byte(void **state)
{
    (void)state;
    uint8_t a[32] = {0}, b[32] = {0};
    assert_true(hash_equal(a, b, 32));
    for (int i = 0; i < 32; i++) {
        b[i] = 1;
        assert_false(hash_equal(a, b, 32));
        b[i] = 0;
    }
    assert_true(hash_equal(a, b, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hash_sip_has_the_published_values),
        cmocka_unit_test(hash_sip_depends_on_the_key),
        cmocka_unit_test(hash_sha256_has_the_published_values),
        cmocka_unit_test(hash_hmac_has_the_published_values),
        cmocka_unit_test(hash_hmac_goes_by_the_whole_key),
        cmocka_unit_test(hash_threads_do_not_share_contexts),
        cmocka_unit_test(hash_equal_sees_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
