/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a shared log that do not fit together are refused with a sentence, which never shows a password. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cli/serve.h"
#include "cli/shared_options.h"
#include "http/access/credentials.h"
#include "http/gate/redis_address.h"
#include "store/store.h"

static struct redis_addresses redis;
static struct store_shared shared;

static struct serve_options options(const char *gate, const char *url)
{
    struct serve_options o = serve_defaults();
    o.store = "postgres://db/holdfast";
    o.advertise = "http://10.0.0.1:8080";
    o.gate = gate;
    o.redis = url;
    return o;
}

static struct status read_options(struct serve_options o)
{
    static const struct credentials_given given = {.admin_key = "an-admin-key",
                                                   .secret = "a secret of 32 bytes, or of more",
                                                   .ticket_key = "a key of 32 bytes, or of more..."};
    char advertise[ADVERTISE_SIZE];
    return shared_options_read(&o, &given, 8080, advertise, &redis, &shared);
}

static void expect_refused(struct serve_options o, const char *sentence)
{
    struct status status = read_options(o);
    assert_int_equal(status.kind, STATUS_INVALID);
    assert_string_equal(status.text, sentence);
}

static void without_store_they_are_refused(void **state)
{
    (void)state;
    struct serve_options o = options(NULL, "redis://10.0.0.9"), gated = options("redis", "redis://10.0.0.9");
    o.store = gated.store = o.advertise = gated.advertise = NULL;
    expect_refused(o, "--redis: only with --store");
    expect_refused(gated, "--gate: only with --store");
}

static void a_gate_is_one_of_three(void **state)
{
    (void)state;
    expect_refused(options("both", NULL), "--gate: expected copy, redis or off, got \"both\"");
    expect_refused(options("redis", NULL), "--gate redis: set --redis, the same on all nodes");
    assert_int_equal(read_options(options("off", NULL)).kind, STATUS_OK);
    assert_true(shared.gate_off);
    assert_int_equal(read_options(options("copy", NULL)).kind, STATUS_OK);
    assert_false(shared.gate_off);
    assert_int_equal(redis.count, 0);
}

static void addresses_of_redis_are_read_with_any_gate(void **state)
{
    static const char *const gates[] = {"redis", "copy", "off", NULL};
    (void)state;
    for (size_t i = 0; i < sizeof gates / sizeof *gates; i++) {
        assert_int_equal(
            read_options(options(gates[i], "redis://10.0.0.9/2,redis://:secret@10.0.0.8:7000")).kind,
            STATUS_OK);
        assert_int_equal(redis.count, 2);
        assert_string_equal(redis.all[0].name, "10.0.0.9:6379/2");
        assert_string_equal(redis.all[1].name, "10.0.0.8:7000/0");
    }
}

static void a_bad_address_is_refused_without_its_password(void **state)
{
    (void)state;
    expect_refused(
        options("redis", "redis://:secret@10.0.0.9:x"),
        "--redis: Redis address 1 has an invalid port; expected redis://[user:password@]host[:port][/db]");
    expect_refused(options("copy", "redis://10.0.0.9,rediss://:secret@10.0.0.8"),
                   "--redis: Redis address 2 does not begin with redis://; expected "
                   "redis://[user:password@]host[:port][/db]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_store_they_are_refused),
        cmocka_unit_test(a_gate_is_one_of_three),
        cmocka_unit_test(addresses_of_redis_are_read_with_any_gate),
        cmocka_unit_test(a_bad_address_is_refused_without_its_password),
    };
    return cmocka_run_group_tests_name("cli_shared_options", tests, NULL, NULL);
}
