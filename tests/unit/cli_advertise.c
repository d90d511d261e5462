/* SPDX-License-Identifier: Apache-2.0 */
/* A node starts only with a URL at which other nodes can connect to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "cli/serve.h"
#include "cli/shared_options.h"
#include "http/access/credentials.h"
#include "http/gate/redis_address.h"
#include "store/store.h"

static char advertise[ADVERTISE_SIZE];
static struct redis_addresses redis;
static struct store_shared shared;

static enum status_kind read_url(const char *url)
{
    const struct credentials_given given = {.admin_key = "an-admin-key-of-a-site",
                                            .secret = "a secret of 32 bytes, or of more",
                                            .ticket_key = "a ticket key"};
    const struct serve_options o = {.store = "postgres://db/holdfast", .site = "main", .advertise = url};
    return shared_options_read(&o, &given, 8081, advertise, &redis, &shared).kind;
}

static void other_nodes_can_connect_to_it(void **state)
{
    (void)state;
    static const char *const good[] = {"http://10.0.0.7:8080", "http://node-1", "http://[fd00::7]:8080", "http://[::1]"};
    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        assert_int_equal(read_url(good[i]), STATUS_OK);
        assert_string_equal(shared.advertise, good[i]);
        assert_string_equal(shared.node, good[i] + strlen("http://"));
    }
    assert_int_equal(read_url("http://10.0.0.7:0"), STATUS_OK);
    assert_string_equal(shared.advertise, "http://10.0.0.7:8081");
}

static void a_url_to_which_no_node_connects_is_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "https://10.0.0.7:8443", "10.0.0.7:8080",        "http://",      "http://:8080",      "http://10.0.0.7:http",
        "http://10.0.0.7:",      "http://10.0.0.7:65536", "http://[::1",  "http://[]:8080",    "http://[::1]8080",
        "http://a@b:80",         "http://a/b",            "http://a b:1", "http://10.0.0.7:8080/"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        if (read_url(bad[i]) != STATUS_INVALID)
            fail_msg("%s is accepted", bad[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_nodes_can_connect_to_it),
        cmocka_unit_test(a_url_to_which_no_node_connects_is_refused),
    };
    return cmocka_run_group_tests_name("cli_shared_options", tests, NULL, NULL);
}
