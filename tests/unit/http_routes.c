/* SPDX-License-Identifier: Apache-2.0 */
/* Every row of the table is found by its own path and by no other, and nothing is public that should not be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/routes.h"

static struct route_match match(enum method method, const char *path)
{
    struct route_match m;
    routes_match(method, (struct text){path, strlen(path)}, &m);
    return m;
}

/* The pattern with "p0", "p1" for its parameters. */
static void fill(const char *pattern, char *out)
{
    unsigned n = 0;
    while (*pattern) {
        if (*pattern == '{') {
            *out++ = 'p';
            *out++ = (char)('0' + n++);
            pattern = strchr(pattern, '}') + 1;
        } else {
            *out++ = *pattern++;
        }
    }
    *out = '\0';
}

static void every_route_is_found_by_its_path(void **state)
{
    (void)state;
    for (unsigned i = 0; i < routes_count; i++) {
        char path[128];
        fill(routes[i].pattern, path);
        struct route_match m = match(routes[i].method, path);
        assert_ptr_equal(m.route, &routes[i]);
        assert_true(m.allow & 1u << routes[i].method);
        for (unsigned p = 0; p < ROUTE_PARAMETERS_MAX && m.parameters[p].at; p++)
            assert_memory_equal(m.parameters[p].at, p ? "p1" : "p0", 2);
        if (strncmp(path, "/v1/", 4) == 0) {
            m = match(routes[i].method, path + strlen("/v1"));
            assert_ptr_equal(m.route, routes[i].without_v1 ? &routes[i] : NULL);
        }
        memcpy(path + strlen(path), "/", 2);
        bool any_below = strchr(path, '*') != NULL;
        assert_ptr_equal(match(routes[i].method, path).route, any_below ? &routes[i] : NULL);
    }
}

static void a_star_is_any_path_below(void **state)
{
    (void)state;
    static const char *const paths[] = {"/assets/a", "/assets/a/b/c.js", "/assets/a//b", "/assets/*"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_non_null(match(METHOD_GET, paths[i]).route);
        assert_string_equal(match(METHOD_GET, paths[i]).route->pattern, "/assets/*");
    }
    assert_null(match(METHOD_GET, "/assets").route);
    assert_null(match(METHOD_GET, "/assets/").route);
    assert_null(match(METHOD_POST, "/assets/a").route);
    assert_int_equal(match(METHOD_POST, "/assets/a/b").allow, 1u << METHOD_GET);
}

static bool is_internal(const struct route *route)
{
    return strncmp(route->pattern, ROUTE_INTERNAL, strlen(ROUTE_INTERNAL)) == 0;
}

/* /openapi.json describes calls, not pages, nor what only the demo or other nodes have. */
static void pages_come_last_and_are_not_described(void **state)
{
    (void)state;
    assert_true(routes_described() < routes_count);
    for (unsigned i = 0; i < routes_count; i++) {
        assert_int_equal(routes[i].summary != NULL, i < routes_described());
        bool demo = strncmp(routes[i].pattern, ROUTE_DEMO, strlen(ROUTE_DEMO)) == 0;
        assert_true(i < routes_described() || demo || is_internal(&routes[i]) || routes[i].method == METHOD_GET);
    }
    assert_string_equal(match(METHOD_GET, "/").route->pattern, "/");
}

/* A calendar's name can contain dots; only a path that ends in ".ics" is the export. */
static void the_end_of_a_segment_can_be_part_of_the_pattern(void **state)
{
    (void)state;
    static const struct {
        const char *path, *pattern, *parameter;
    } cases[] = {
        {"/v1/calendars/a", "/v1/calendars/{calendar}", "a"},
        {"/v1/calendars/a.b", "/v1/calendars/{calendar}", "a.b"},
        {"/v1/calendars/a.icsx", "/v1/calendars/{calendar}", "a.icsx"},
        {"/v1/calendars/aics", "/v1/calendars/{calendar}", "aics"},
        {"/v1/calendars/.ics", "/v1/calendars/{calendar}", ".ics"},
        {"/v1/calendars/a.ICS", "/v1/calendars/{calendar}", "a.ICS"},
        {"/v1/calendars/a.ics", "/v1/calendars/{calendar}.ics", "a"},
        {"/v1/calendars/a.b.ics", "/v1/calendars/{calendar}.ics", "a.b"},
        {"/v1/calendars/.ics.ics", "/v1/calendars/{calendar}.ics", ".ics"},
        {"/v1/calendars/a.ics.b/slots", "/v1/calendars/{calendar}/slots", "a.ics.b"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct route_match m = match(METHOD_GET, cases[i].path);
        assert_non_null(m.route);
        assert_string_equal(m.route->pattern, cases[i].pattern);
        assert_int_equal(m.parameters[0].size, strlen(cases[i].parameter));
        assert_memory_equal(m.parameters[0].at, cases[i].parameter, m.parameters[0].size);
    }
    assert_null(match(METHOD_PUT, "/v1/calendars/a.ics").route);
    assert_int_equal(match(METHOD_PUT, "/v1/calendars/a.ics").allow, 1u << METHOD_GET);
    assert_int_equal(match(METHOD_GET, "/v1/calendars/a.ics/slots").allow, 0);
}

static void other_paths_are_not_found(void **state)
{
    (void)state;
    static const char *const paths[] = {"",
                                        "//",
                                        "/v1",
                                        "/v1/",
                                        "/v1/event",
                                        "//v1/events",
                                        "/v1//events",
                                        "v1/events",
                                        "/V1/events",
                                        "/v1/events/e/seats/A1/x",
                                        "/v1/reservations/r/other",
                                        "/healthz/x"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        struct route_match m = match(METHOD_GET, paths[i]);
        assert_null(m.route);
        assert_int_equal(m.allow, 0);
    }
}

static void another_method_gets_the_allowed_ones(void **state)
{
    (void)state;
    struct route_match m = match(METHOD_POST, "/v1/events/e");
    assert_null(m.route);
    assert_int_equal(m.allow, 1u << METHOD_GET | 1u << METHOD_PUT | 1u << METHOD_PATCH | 1u << METHOD_DELETE);
    assert_null(match(METHOD_OTHER, "/healthz").route);
    assert_null(match(METHOD_OPTIONS, "/healthz").route);
    assert_int_equal(match(METHOD_OTHER, "/healthz").allow, 1u << METHOD_GET);
}

static void anonymous_callers_can_read_and_begin_a_session(void **state)
{
    (void)state;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        bool open = route->may & MAY_ANONYMOUS;
        bool session = strcmp(route->pattern, "/v1/sessions") == 0;
        bool played = strcmp(route->pattern, ROUTE_DEMO "actors") == 0; /* tokens of played users */
        bool personal = strstr(route->pattern, "/reservations") || strstr(route->pattern, "/keys") ||
                        strstr(route->pattern, ".ics") || strstr(route->pattern, "{entry}") ||
                        strstr(route->pattern, "/waiting-list");
        bool by_signature = strcmp(route->pattern, "/v1/webhooks/payments") == 0; /* in the handler */
        if (open && route->method != METHOD_GET && !session && !played && !by_signature && !is_internal(route))
            fail_msg("%s %s is open", method_name(route->method), route->pattern);
        if (open && personal)
            fail_msg("%s is open", route->pattern);
        assert_int_equal(!(route->may & MAY_ADMIN), session); /* such callers cannot become guests */
    }
}

static void only_the_admin_changes_the_catalogue_or_keys(void **state)
{
    (void)state;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        bool line = (strstr(route->pattern, "/queue") || strstr(route->pattern, "/waiting-list")) &&
                    route->method != METHOD_PATCH;
        bool catalogue = (strstr(route->pattern, "/events") || strstr(route->pattern, "/calendars")) &&
                         route->method != METHOD_GET && !line;
        if (catalogue || strstr(route->pattern, "/keys"))
            assert_int_equal(route->may, MAY_ADMIN);
    }
}

/* No conformance test has a full disk, so it is checked here: every write can meet one, and nothing else can. */
static void every_write_can_meet_a_full_disk(void **state)
{
    (void)state;
    for (unsigned i = 0; i < routes_described(); i++) {
        const struct route *route = &routes[i];
        bool changes = route->method != METHOD_GET && strcmp(route->pattern, "/v1/sessions") != 0;
        if (changes != ((route->refuses & ROUTE_REFUSES(STORAGE_FULL)) != 0))
            fail_msg("%s %s", method_name(route->method), route->pattern);
        if (route->min_seq)
            assert_true((route->refuses & ROUTE_REFUSES(UNAVAILABLE)) != 0); /* more than 64 bits */
    }
}

/* A follower's copy answers reads; whatever changes something goes to the process that decides. */
static void only_reads_are_answered_by_every_node(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *why;
    } harmless[] = {
        {"/v1/sessions", "signs a token; there is no record of guests"},
        {ROUTE_DEMO "actors", "signs tokens for users who exist already"},
    };
    /* Of the process that decides: positions of drivers, waiting times; which nodes still have an erased name. */
    static const char *const only_there[] = {
        "/overview", "/drivers", "/drivers/{driver}", "/rides/{ride}", "/rides/{ride}/stream", "/erasure"};
    unsigned found = 0, reads = 0;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        size_t size = strlen(route->pattern);
        bool allowed = route->method == METHOD_GET, there = false;
        for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++)
            if (route->method == METHOD_POST && strcmp(route->pattern, harmless[k].pattern) == 0) {
                allowed = true;
                found++;
            }
        for (size_t k = 0; k < sizeof only_there / sizeof *only_there; k++) {
            size_t end = strlen(only_there[k]);
            there |= size > end && strcmp(route->pattern + size - end, only_there[k]) == 0;
        }
        reads += route->method == METHOD_GET && there;
        if ((route->node == NODE_ANY) != (allowed && !there))
            fail_msg("%s %s", method_name(route->method), route->pattern);
    }
    assert_int_equal(found, sizeof harmless / sizeof *harmless);
    assert_int_equal(reads, sizeof only_there / sizeof *only_there + 2); /* two of them in the demo, too */
}

static int setup(void **state)
{
    (void)state;
    routes_init(true);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_route_is_found_by_its_path),
        cmocka_unit_test(the_end_of_a_segment_can_be_part_of_the_pattern),
        cmocka_unit_test(a_star_is_any_path_below),
        cmocka_unit_test(pages_come_last_and_are_not_described),
        cmocka_unit_test(other_paths_are_not_found),
        cmocka_unit_test(another_method_gets_the_allowed_ones),
        cmocka_unit_test(anonymous_callers_can_read_and_begin_a_session),
        cmocka_unit_test(only_the_admin_changes_the_catalogue_or_keys),
        cmocka_unit_test(every_write_can_meet_a_full_disk),
        cmocka_unit_test(only_reads_are_answered_by_every_node),
    };
    return cmocka_run_group_tests(tests, setup, NULL);
}
