/* SPDX-License-Identifier: Apache-2.0 */
/* The largest body that a route accepts blocks the loop for less than a millisecond, whatever it contains.
 *
 * Counted, not measured: `base` is compiled so that every basic block that runs is counted (FLAGS_steps in the
 * Makefile). Two or three million of them take a millisecond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "http/wire/large_body.h"

#define LOOP_STEPS_MAX 800000u
#define WORKER_STEPS_MAX 16000000u

extern const struct json_field hold_body_fields[];

static uint64_t steps;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

static struct request request;
static struct buf body;
static uint64_t most[2]; /* steps of the loop and of a worker */

/* ---- Bodies ---- */

/* `head`, as many of `unit` as fit, `tail`. A # in the unit is a new number each time. */
struct shape {
    const char *head, *unit, *tail;
};

static const struct shape shapes[] = {
    /* of the document itself */
    {"{\"x\":0", ",\"#\":1", "}"},
    {"", " ", "{}"},
    {"{", "\n", "x"},
    {"{\"", "\\u0041", "\":1}"},
    {"{\"", "\xc3\xa9", "\":1}"},
    {"{\"", "~", "\":1}"},
    {"{\"x\":[",
     "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"k\":0,\"l\":0,\"m\":"
     "0,\"n\":0,\"o\":0,\"p\":0},",
     "0]}"},
    {"{\"x\":[",
     "{\"a\":0,\"b\":0,\"c\":0,\"d\":0,\"e\":0,\"f\":0,\"g\":0,\"h\":0,\"i\":0,\"j\":0,\"k\":0,\"l\":0,\"m\":"
     "0,\"n\":0,\"o\":0,\"p\":0,\"q\":0},",
     "0]}"},
    {"{\"x\":", "9", "}"},
    {"{\"x\":0.", "9", "e300}"},
    {"[", "0,", "1e999]"},
    {"[", "{\"driver\":\"#\",\"lat\":1,\"lng\":1},", "{}]"},
    {"{\"items\":[{\"event\":\"e\",\"seat\":\"A1\"}", ",{\"event\":\"e\",\"seat\":\"#\"}", "]}"},
    /* of a field: %s is its name */
    {"{\"%s\":{\"x\":0", ",\"#\":1", "}}"},
    {"{\"%s\":[0", ",0", "]}"},
    {"{\"%s\":[0", ",[[]]", "]}"},
    {"{\"%s\":[{}", ",{}", "]}"},
    {"{\"%s\":[\"a\"", ",\"a\"", "]}"},
    {"{\"%s\":[\"a\"", ",\"\\u0041\"", "]}"},
    {"{\"%s\":[0", ",0", ",1e999]}"},
    {"{\"%s\":", " ", "{}}"},
    {"{\"%s\":{", "\t", "}}"},
    {"{\"%s\":\"", "a", "\"}"},
    {"{\"%s\":\"", "\\u0041", "\"}"},
    {"{\"%s\":\"", "\\ud83d\\ude00", "\"}"},
    {"{\"%s\":\"", "\xe2\x82\xac", "\"}"},
    {"{\"%s\":", "9", "}"},
    {"{\"%s\":0.", "9", "}"},
    {"{\"%s\":{\"\":{", "\"#\":0,", "\"x\":1}}}"},
};

static void put_head(const char *text, const char *name)
{
    const char *mark = strstr(text, "%s");
    buf_append(&body, text, mark ? (size_t)(mark - text) : strlen(text));
    if (mark) {
        buf_append_text(&body, name);
        buf_append_text(&body, mark + 2);
    }
}

/* Numbers in base 36, so that most names are short. */
static void put_unit(const char *unit, uint32_t number)
{
    const char *mark = strchr(unit, '#');
    char digits[8];
    size_t count = 0;
    buf_append(&body, unit, mark ? (size_t)(mark - unit) : strlen(unit));
    if (!mark)
        return;
    do
        digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[number % 36];
    while (number /= 36);
    buf_append(&body, digits, count);
    buf_append_text(&body, mark + 1);
}

static void make_body(const struct shape *shape, const char *name, size_t size)
{
    buf_clear(&body);
    put_head(shape->head, name);
    for (uint32_t i = 0; body.size + strlen(shape->unit) + 8 + strlen(shape->tail) <= size; i++)
        put_unit(shape->unit, i);
    buf_append_text(&body, shape->tail);
    assert_true(body.size <= size);
}

/* ---- Reading them ---- */

static void read_body(const struct route *route, const char *what, bool on_loop)
{
    struct request *r = &request;
    request_clear(r);
    r->route = route;
    r->body = (struct text){(const char *)body.data, body.size};
    r->large = arena_zeroed(&r->arena, sizeof(*r->large));
    assert_int_equal(large_body_is(r), !on_loop);
    steps = 0;
    large_body_work(r); /* also what the loop does with a small one */
    assert_true(steps > 0);
    if (steps > most[!on_loop])
        most[!on_loop] = steps;
    if (steps > (on_loop ? LOOP_STEPS_MAX : WORKER_STEPS_MAX))
        fail_msg("%s %s: %.60s… of %zu bytes (%s) takes %llu steps", method_name(route->method),
                 route->pattern, (const char *)body.data, body.size, what, (unsigned long long)steps);
}

static void read_shapes(const struct route *route, const char *field, size_t size, bool on_loop)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!strstr(shapes[i].head, "%s") != !field)
            continue;
        make_body(&shapes[i], field, size);
        read_body(route, shapes[i].unit, on_loop);
    }
}

/* One field of each kind. */
static void read_route(const struct route *route, size_t size, bool on_loop)
{
    uint32_t kinds = 0;
    read_shapes(route, NULL, size, on_loop);
    for (const struct json_field *f = request_fields(route); f->kind != JSON_KIND_END; f++) {
        if (!(kinds >> f->kind & 1))
            read_shapes(route, f->name, size, on_loop);
        kinds |= 1u << f->kind;
    }
}

/* A megabyte takes a while to read when every step is counted: only the route with the most room, a list, and one with
 * none. */
static bool skipped(const struct route *route, bool on_loop)
{
    return route->body == BODY_NONE || route->body == BODY_IMPORT ||
           (!on_loop && route->fields != hold_body_fields && route->body != BODY_LIST &&
            (route->fields || strcmp(route->pattern, "/v1/sessions") != 0));
}

static void each_route(bool on_loop)
{
    unsigned count = 0;
    routes_init(true);
    request_init(&request, NULL);
    buf_init(&body, BODY_JSON_SIZE_MAX + 1);
    most[0] = most[1] = 0;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        request.route = route;
        size_t size = (size_t)request_body_size_max(&request);
        if (skipped(route, on_loop))
            continue;
        if (route->body ==
            BODY_FOREIGN) { /* nothing is read before its signature, which is over all bytes, is verified */
            assert_int_equal(size, 256 << 10);
            continue;
        }
        assert_int_equal(size, 1 << 20);
        read_route(route, on_loop ? LARGE_BODY_FROM : size, on_loop);
        count++;
    }
    assert_true(count >= (on_loop ? 40 : 3));
    print_message("%u routes, at most %llu steps\n", count, (unsigned long long)most[!on_loop]);
    buf_release(&body);
    request_release(&request);
}

static void a_body_that_the_loop_reads(void **state)
{
    (void)state;
    each_route(true);
}

static void a_body_that_a_worker_reads(void **state)
{
    (void)state;
    each_route(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_the_loop_reads),
        cmocka_unit_test(a_body_that_a_worker_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
