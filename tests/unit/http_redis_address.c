/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of Redis servers are read strictly; every node chooses the same one for an event, and a change of the list
 * moves few events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "http/gate/redis_address.h"

static struct redis_addresses addresses;

static const struct redis_address *read_one(const char *list)
{
    struct status status = redis_addresses_read(list, &addresses);
    if (!status_ok(&status))
        fail_msg("%s: %s", list, status.text);
    return &addresses.all[0];
}

static void expect(const char *list, const char *name, const char *host, const char *user,
                   const char *password)
{
    const struct redis_address *a = read_one(list);
    assert_int_equal(addresses.count, 1);
    assert_string_equal(a->name, name);
    assert_string_equal(a->host, host);
    assert_int_equal(a->authenticates, user != NULL);
    assert_string_equal(a->user, user ? user : "");
    assert_string_equal(a->password, password ? password : "");
}

static void an_address_has_defaults(void **state)
{
    (void)state;
    expect("redis://cache", "cache:6379/0", "cache", NULL, NULL);
    expect("redis://cache/", "cache:6379/0", "cache", NULL, NULL);
    expect("redis://Cache-1.Example:7000/15", "cache-1.example:7000/15", "cache-1.example", NULL, NULL);
    expect("redis://127.0.0.1/3", "127.0.0.1:6379/3", "127.0.0.1", NULL, NULL);
    expect("redis://[::1]:7000/1", "[::1]:7000/1", "::1", NULL, NULL);
    expect("redis://[2001:DB8::1]", "[2001:db8::1]:6379/0", "2001:db8::1", NULL, NULL);
    assert_int_equal(read_one("redis://a:65535/65535")->port, 65535);
    assert_int_equal(addresses.all[0].db, 65535);
}

static void user_and_password_are_decoded(void **state)
{
    (void)state;
    expect("redis://ann:secret@a", "a:6379/0", "a", "ann", "secret");
    expect("redis://:secret@a:1", "a:1/0", "a", "", "secret");
    expect("redis://ann:@a", "a:6379/0", "a", "ann", "");
    expect("redis://a%6En:%40%3a%2F%2c%25+%C3%BC@[::1]/2", "[::1]:6379/2", "::1", "ann", "@:/,%+\xc3\xbc");
    expect("redis://ann:a:b@a", "a:6379/0", "a", "ann", "a:b");
}

static void anything_else_is_refused_without_its_password(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "a",
        "redis:/a",
        "rediss://a",
        "redis://",
        "redis:///1",
        "redis://:6379",
        "redis://a:",
        "redis://a:0",
        "redis://a:65536",
        "redis://a:x",
        "redis://a:1x/0",
        "redis://a/x",
        "redis://a/65536",
        "redis://a/1/2",
        "redis://a/1?x",
        "redis://a b",
        "redis://a?x",
        "redis://::1",
        "redis://[::1",
        "redis://[::1]x",
        "redis://[a]",
        "redis://[127.0.0.1]",
        "redis://secret@a",
        "redis://ann:secret%@a",
        "redis://ann:secret%4@a",
        "redis://ann:secret%4g@a",
        "redis://ann:secret%00@a",
        "redis://ann%0:secret@a",
        "redis://ann:secret@",
        "redis://ann:sec,ret@a",
        "redis://a,",
        ",redis://a",
        "redis://a,redis://A:6379/0",
        "redis://a,redis://ann:secret@a",
    };
    char list[1024] = "redis://";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct status status = redis_addresses_read(bad[i], &addresses);
        if (status.kind != STATUS_INVALID || !strstr(status.text, "expected redis://") ||
            strstr(status.text, "sec"))
            fail_msg("%s: %d %s", bad[i], status.kind, status.text);
    }
    memset(list + strlen(list), 'a', REDIS_HOST_SIZE_MAX);
    assert_int_equal(read_one(list)->host[REDIS_HOST_SIZE_MAX - 1], 'a');
    strcat(list, "a");
    assert_int_equal(redis_addresses_read(list, &addresses).kind, STATUS_INVALID);
    memset(list + strlen("redis://:"), 'a', REDIS_SECRET_SIZE_MAX);
    list[strlen("redis://")] = ':';
    strcpy(list + strlen("redis://:") + REDIS_SECRET_SIZE_MAX, "@a");
    assert_int_equal(strlen(read_one(list)->password), REDIS_SECRET_SIZE_MAX);
    strcpy(list + strlen("redis://:") + REDIS_SECRET_SIZE_MAX, "a@a");
    assert_int_equal(redis_addresses_read(list, &addresses).kind, STATUS_INVALID);
}

static void a_list_has_at_most_sixteen(void **state)
{
    (void)state;
    char list[512] = "redis://a";
    for (unsigned i = 1; i < REDIS_ADDRESSES_MAX; i++)
        sprintf(list + strlen(list), ",redis://a/%u", i);
    read_one(list);
    assert_int_equal(addresses.count, REDIS_ADDRESSES_MAX);
    strcat(list, ",redis://b");
    struct status status = redis_addresses_read(list, &addresses);
    assert_string_equal(status.text, "more than 16 Redis addresses");
}

/* ---- Rendezvous ---- */

#define EVENTS 10000

static const char *name_for(unsigned event)
{
    char id[32];
    int size = snprintf(id, sizeof id, "event-%u", event);
    return addresses.all[redis_addresses_pick(&addresses, id, (size_t)size)].name;
}

static void events_are_spread_and_stay_where_they_are(void **state)
{
    (void)state;
    static char before[EVENTS][32];
    unsigned counts[3] = {0}, moved = 0;
    read_one("redis://a,redis://b:7000,redis://x:y@c/3");
    for (unsigned i = 0; i < EVENTS; i++) {
        snprintf(before[i], sizeof before[i], "%s", name_for(i));
        counts[before[i][0] - 'a']++;
    }
    for (unsigned i = 0; i < 3; i++)
        assert_in_range(counts[i], EVENTS / 3 - 300, EVENTS / 3 + 300);
    /* Another order, other secrets: the same choice. */
    read_one("redis://:z@c/3,redis://A:6379/0,redis://b:7000/");
    for (unsigned i = 0; i < EVENTS; i++)
        assert_string_equal(name_for(i), before[i]);
    /* Without one of them, only its own events move. */
    read_one("redis://a,redis://c/3");
    for (unsigned i = 0; i < EVENTS; i++)
        if (before[i][0] != 'b')
            assert_string_equal(name_for(i), before[i]);
    /* With one more, all that move go there. */
    read_one("redis://a,redis://b:7000,redis://c/3,redis://d");
    for (unsigned i = 0; i < EVENTS; i++) {
        bool same = strcmp(name_for(i), before[i]) == 0;
        moved += !same;
        assert_true(same || name_for(i)[0] == 'd');
    }
    assert_in_range(moved, EVENTS / 4 - 300, EVENTS / 4 + 300);
}

/* Nodes of two versions share the servers: the choice is part of the format. */
static void the_choice_never_changes(void **state)
{
    (void)state;
    char got[9] = "";
    read_one("redis://a,redis://b,redis://c");
    for (unsigned i = 0; i < 8; i++)
        got[i] = name_for(i)[0];
    assert_string_equal(got, "bcbababc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_address_has_defaults),
        cmocka_unit_test(user_and_password_are_decoded),
        cmocka_unit_test(anything_else_is_refused_without_its_password),
        cmocka_unit_test(a_list_has_at_most_sixteen),
        cmocka_unit_test(events_are_spread_and_stay_where_they_are),
        cmocka_unit_test(the_choice_never_changes),
    };
    return cmocka_run_group_tests_name("http_redis_address", tests, NULL, NULL);
}
