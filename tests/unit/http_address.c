/* SPDX-License-Identifier: Apache-2.0 */
/* The address of a client: its own, or, behind trusted proxies only, the one they report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "http/access/address.h"
#include "http/wire/listen.h"

static struct address at(const char *text)
{
    struct address a;
    assert_true(address_read((struct text){text, strlen(text)}, &a));
    return a;
}

static void assert_address(struct address a, const char *expected)
{
    struct address b = at(expected);
    assert_memory_equal(a.bytes, b.bytes, sizeof a.bytes);
}

static void addresses_are_read_with_and_without_ports(void **state)
{
    (void)state;
    assert_address(at("192.0.2.1:8080"), "192.0.2.1");
    assert_address(at("[2001:db8::1]:8080"), "2001:db8::1");
    assert_address(at("[2001:db8::1]"), "2001:db8::1");
    assert_address(at("::ffff:192.0.2.1"), "192.0.2.1");
    static const char *const bad[] = {
        "", "unknown", "_hidden", "192.0.2", "192.0.2.1.5", "[2001:db8::1", "1::2::3"};
    struct address a;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(address_read((struct text){bad[i], strlen(bad[i])}, &a));
}

static bool contains(const char *network, const char *address)
{
    struct cidr c;
    assert_true(cidr_read(network, &c));
    return cidr_contains(&c, at(address));
}

static void networks_contain_their_addresses(void **state)
{
    (void)state;
    assert_true(contains("10.0.0.0/8", "10.255.1.2"));
    assert_false(contains("10.0.0.0/8", "11.0.0.0"));
    assert_true(contains("192.0.2.128/25", "192.0.2.200"));
    assert_false(contains("192.0.2.128/25", "192.0.2.100"));
    assert_true(contains("192.0.2.1", "192.0.2.1"));
    assert_false(contains("192.0.2.1", "192.0.2.2"));
    assert_true(contains("2001:db8::/33", "2001:db8:7fff::1"));
    assert_false(contains("2001:db8::/33", "2001:db8:8000::1"));
    assert_true(contains("0.0.0.0/0", "203.0.113.9"));
    assert_false(contains("0.0.0.0/0", "2001:db8::1"));
    assert_true(contains("::/0", "203.0.113.9"));
    static const char *const bad[] = {"",       "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/-1",
                                      "::/129", "/8"};
    struct cidr c;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(cidr_read(bad[i], &c));
}

static void only_trusted_proxies_are_believed(void **state)
{
    (void)state;
    struct cidr trusted[2];
    assert_true(cidr_read("10.0.0.0/8", &trusted[0]));
    assert_true(cidr_read("192.0.2.1", &trusted[1]));
    static const struct {
        const char *peer, *header, *client;
    } cases[] = {
        {"203.0.113.9", "198.51.100.1", "203.0.113.9"},
        {"10.0.0.1", "198.51.100.1", "198.51.100.1"},
        {"10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"},
        {"10.0.0.1", "1.2.3.4 ,198.51.100.1, 10.0.0.2 , 192.0.2.1", "198.51.100.1"},
        {"10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"},
        {"10.0.0.1", "1.2.3.4, garbage, 10.0.0.2", "10.0.0.2"},
        {"10.0.0.1", "", "10.0.0.1"},
        {"10.0.0.1", ",,", "10.0.0.1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text header = {cases[i].header, strlen(cases[i].header)};
        assert_address(address_forwarded(at(cases[i].peer), header, trusted, 2), cases[i].client);
    }
    assert_address(address_forwarded(at("10.0.0.1"), TEXT("1.2.3.4"), NULL, 0), "10.0.0.1");
}

static bool can_listen_on(const char *text)
{
    struct sockaddr_storage out;
    struct status status = listen_read(text, &out);
    return status_ok(&status);
}

static void addresses_to_listen_on(void **state)
{
    (void)state;
    assert_true(can_listen_on("127.0.0.1:0"));
    assert_true(can_listen_on("[::1]:8080"));
    assert_true(can_listen_on("0.0.0.0:65535"));
    assert_true(can_listen_on("localhost:80"));
    static const char *const bad[] = {
        "",       "nowhere", "127.0.0.1",       "127.0.0.1:", "127.0.0.1:65536", ":80",
        "::1:80", "[::1]",   "127.0.0.1:8080x", "[::1:80",    "host:80",         "127.0.0.1:-1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(can_listen_on(bad[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_with_and_without_ports),
        cmocka_unit_test(networks_contain_their_addresses),
        cmocka_unit_test(only_trusted_proxies_are_believed),
        cmocka_unit_test(addresses_to_listen_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
