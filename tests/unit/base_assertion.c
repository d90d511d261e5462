/* SPDX-License-Identifier: Apache-2.0 */
/* A failed assertion ends the process, in every build. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sysexits.h>
#include <unistd.h>

#include "base/memory/arena.h"
#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/crypto/hash.h"
#include "base/memory/heap.h"
#include "base/id.h"
#include "base/json/json_writer.h"
#include "base/memory/memory.h"
#include "base/time/rfc3339.h"
#include "base/status.h"
#include "base/memory/table.h"
#include "base/crypto/token.h"

static void break_assertion(void)
{
    ASSERT(1 + 1 == 3);
}

static void break_buf_limit(void)
{
    struct buf b;
    buf_init(&b, 4);
    buf_append_text(&b, "12345");
}

static void break_buf_consume(void)
{
    struct buf b;
    buf_init(&b, 4);
    buf_consume(&b, 1);
}

static void break_heap_place(void)
{
    struct heap h;
    heap_init(&h, NULL, NULL);
    heap_remove(&h, 0);
}

static uint64_t no_hash(void *owner, uint32_t handle)
{
    (void)owner;
    return handle;
}

static void break_table_remove(void)
{
    struct table t;
    table_init(&t, no_hash, NULL);
    table_insert(&t, 1, 1);
    table_remove(&t, 2, 2);
}

static void break_table_handle(void)
{
    struct table t;
    table_init(&t, no_hash, NULL);
    table_insert(&t, 1, TABLE_NONE);
}

static void break_id_time(void)
{
    id_make(-1, 0, 0);
}

static void break_rfc3339_year(void)
{
    char out[RFC3339_SIZE];
    rfc3339_write(253402300800000, out);
}

static void break_json_depth(void)
{
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    for (int i = 0; i < 32; i++)
        json_array_begin(&w);
}

static void break_json_end(void)
{
    struct buf b;
    buf_init(&b, 1000);
    struct json_writer w = json_writer_make(&b);
    json_array_end(&w);
}

static void break_token_secret(void)
{
    char token[TOKEN_SIZE_MAX];
    token_sign("short", 5, "holdfast", "ann", 1000, token);
}

static void break_token_no_secret(void)
{
    struct token_claims claims;
    token_verify("a.b.c", 5, NULL, 32, "holdfast", 0, &claims, NULL, NULL);
}

static void break_hmac_key(void)
{
    uint8_t out[32];
    hash_hmac_sha256(NULL, 0, "", 0, out);
}

static void break_arena(void)
{
    struct arena a = {0};
    arena_take(&a, 1);
}

static void break_memory_room(void)
{
    uint32_t capacity = UINT32_MAX / 2 + 1;
    memory_room(NULL, capacity, &capacity, 16, 1);
}

static void break_memory_ring(void)
{
    uint32_t capacity = 0;
    memory_room_ring(NULL, 0, &capacity, 48, 1);
}

static void break_status(void)
{
    status_make(STATUS_OK, "fine");
}

/* Runs it in a child, whose output is hidden, and returns how the child ended. */
static int end_of(void (*run)(void))
{
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        signal(SIGABRT, SIG_DFL);
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        run();
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assertion_ends_the_process(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*run)(void);
    } breaks[] = {
        {"assertion", break_assertion},
        {"buf limit", break_buf_limit},
        {"buf consume", break_buf_consume},
        {"heap place", break_heap_place},
        {"table remove", break_table_remove},
        {"table handle", break_table_handle},
        {"id time", break_id_time},
        {"rfc3339 year", break_rfc3339_year},
        {"json depth", break_json_depth},
        {"json end", break_json_end},
        {"token secret", break_token_secret},
        {"token no secret", break_token_no_secret},
        {"hmac key", break_hmac_key},
        {"arena", break_arena},
        {"memory room", break_memory_room},
        {"memory ring", break_memory_ring},
        {"status", break_status},
    };
    for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
        int status = end_of(breaks[i].run);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            fail_msg("%s went on", breaks[i].name);
    }
}

static void assertion_names_the_place(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        dup2(ends[1], STDERR_FILENO);
        break_assertion();
    }
    close(ends[1]);
    char text[600] = "";
    size_t size = 0;
    for (ssize_t got; (got = read(ends[0], text + size, sizeof text - 1 - size)) > 0;)
        size += (size_t)got;
    close(ends[0]);
    waitpid(child, NULL, 0);
    assert_non_null(strstr(text, "base_assertion.c:"));
    assert_non_null(strstr(text, "break_assertion: assertion failed: 1 + 1 == 3\n"));
}

static void ask_for_too_much(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    memory_copy("", SIZE_MAX); /* the sanitizer itself would end a call that reaches the allocator */
#else
    memory_grow(NULL, SIZE_MAX / 2, 8);
#endif
}

static void memory_exhaustion_ends_the_process(void **state)
{
    (void)state;
    int status = end_of(ask_for_too_much);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EX_OSERR);
}

static void memory_returns_what_was_requested(void **state)
{
    (void)state;
    uint8_t *zero = memory_zeroed(1000, 3);
    for (int i = 0; i < 3000; i++)
        assert_int_equal(zero[i], 0);
    zero = memory_grow(zero, 5000, 3);
    assert_int_equal(zero[2999], 0);
    free(zero);
    char *copy = memory_copy("abc", 2);
    assert_string_equal(copy, "ab");
    free(copy);
    copy = memory_copy(NULL, 0);
    assert_string_equal(copy, "");
    free(copy);
    void *nothing[] = {memory_get(0), memory_zeroed(0, 8), memory_zeroed(8, 0), memory_grow(NULL, 0, 0)};
    for (int i = 0; i < 4; i++) {
        assert_non_null(nothing[i]);
        free(nothing[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(assertion_ends_the_process),
        cmocka_unit_test(assertion_names_the_place),
        cmocka_unit_test(memory_exhaustion_ends_the_process),
        cmocka_unit_test(memory_returns_what_was_requested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
