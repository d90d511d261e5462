/* SPDX-License-Identifier: Apache-2.0 */
/* Which addresses a hook may connect to: every notation of an address is judged by its value. */
#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "http/hook/hook_address.h"

static enum hook_reach reach(const char *text)
{
    struct sockaddr_storage any = {0};
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1)
        memcpy(&any, &in, sizeof(in));
    else if (inet_pton(AF_INET6, text, &in6.sin6_addr) == 1)
        memcpy(&any, &in6, sizeof(in6));
    else
        fail_msg("%s is no address", text);
    return hook_address_reach((const struct sockaddr *)&any);
}

static void each_is(const char *const *addresses, size_t count, enum hook_reach expected)
{
    for (size_t i = 0; i < count; i++)
        if (reach(addresses[i]) != expected)
            fail_msg("%s is %d, not %d", addresses[i], reach(addresses[i]), expected);
}
#define EACH_IS(expected, ...)                                                                               \
    each_is((const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), \
            expected)

static void public_addresses_are_reached(void **state)
{
    (void)state;
    EACH_IS(HOOK_REACH_PUBLIC, "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
            "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255",
            "2606:4700::1111", "2003::1", "fbff::1");
}

static void private_ones_need_the_flag(void **state)
{
    (void)state;
    EACH_IS(HOOK_REACH_PRIVATE, "0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.0",
            "100.127.255.255", "127.0.0.1", "127.255.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.1",
            "192.168.0.1", "192.168.255.255", "198.18.0.1", "198.19.255.255", "224.0.0.1", "239.255.255.255",
            "240.0.0.1", "255.255.255.255", "::", "::1", "fc00::1", "fdff::1", "fec0::1", "ff02::1",
            "ff0e::1");
}

static void an_address_in_disguise_is_private_whatever_it_carries(void **state)
{
    (void)state;
    EACH_IS(HOOK_REACH_PRIVATE, "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1",
            "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::1",
            "2001:0:1::1");
}

static void link_local_is_never_reached(void **state)
{
    (void)state;
    EACH_IS(HOOK_REACH_NEVER, "169.254.0.0", "169.254.169.254", "169.254.255.255", "fe80::1", "febf::1",
            "::ffff:169.254.169.254", "::169.254.169.254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::a9fe:a9fe",
            "2002:a9fe:a9fe::1");
}

static void other_addresses_are_never_reached(void **state)
{
    struct sockaddr_storage any = {.ss_family = AF_UNIX};
    (void)state;
    assert_int_equal(hook_address_reach((const struct sockaddr *)&any), HOOK_REACH_NEVER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_addresses_are_reached),
        cmocka_unit_test(private_ones_need_the_flag),
        cmocka_unit_test(an_address_in_disguise_is_private_whatever_it_carries),
        cmocka_unit_test(link_local_is_never_reached),
        cmocka_unit_test(other_addresses_are_never_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
