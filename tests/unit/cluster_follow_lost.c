/* SPDX-License-Identifier: Apache-2.0 */
/* A takeover can be lost: the database fails over to a standby that lacks it, and another node takes over there, with the same
 * epoch. Then this node follows that one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <pthread.h>

#include <cmocka.h>

#include "base/time/clock.h"
#include "cluster/follow.h"
#include "log/pg.h"

#define PATIENCE_MS 60000
#define OTHER "http://three"

/* ---- A database that loses the takeover of this node, in place of log/pg.c: used by the following thread only ---- */

static struct {
    int64_t epoch;
    const char *url;
    uint8_t token[LOG_PG_TOKEN_SIZE];
    bool asked_to_take; /* by the last statement */
    int rows;
} database;

static const char *text_of(int column)
{
    return column == 9 ? database.url : "";
}

struct pg *pg_make(const struct pg_options *options)
{
    return (struct pg *)(uintptr_t)options->name;
}

void pg_release(struct pg *p)
{
    (void)p;
}

enum pg_outcome pg_run(struct pg *p, const char *sql, const struct pg_value *values, int count)
{
    (void)p, (void)values, (void)count;
    database.asked_to_take = strncmp(sql, "WITH l AS (UPDATE lease", 23) == 0;
    database.rows = database.asked_to_take || strncmp(sql, "SELECT l.epoch", 14) == 0;
    if (database.asked_to_take) {
        database.epoch++;
        database.url = OTHER;
        memset(database.token, 3, sizeof(database.token));
    }
    return PG_DONE;
}

int pg_rows_count(const struct pg *p)
{
    (void)p;
    return database.rows;
}

bool pg_null(const struct pg *p, int row, int column)
{
    (void)p, (void)row, (void)column;
    return false;
}

/* The columns of a poll: those of LEASE_COLUMNS, then first_seq, count, epoch, at_ms and chain of a row. */
int64_t pg_int(const struct pg *p, int row, int column)
{
    (void)p;
    assert_int_equal(row, 0);
    if (database.asked_to_take)
        return 1;
    const int64_t columns[LEASE_COLUMN_COUNT + 5] = {
        [0] = database.epoch, [2] = !database.url[0], [7] = 1, [8] = 1, [10] = 1, [11] = 1, [12] = 1};
    return columns[column];
}

const uint8_t *pg_bytes(const struct pg *p, int row, int column, size_t *size)
{
    (void)p, (void)row;
    *size = column == 4 ? sizeof(database.token) : strlen(text_of(column));
    return column == 4 ? database.token : (const uint8_t *)text_of(column);
}

enum pg_outcome pg_run_repeated(struct pg *p, const char *sql, const struct pg_value *values, int count)
{
    return pg_run(p, sql, values, count);
}

enum pg_outcome pg_script(struct pg *p, const char *sql)
{
    return pg_run(p, sql, NULL, 0);
}

bool pg_lacks_set_up(const struct pg *p)
{
    (void)p;
    return false;
}

struct status pg_fault_status(const struct pg *p)
{
    (void)p;
    return status_none();
}

const char *pg_fault(const struct pg *p)
{
    (void)p;
    return "";
}

const char *pg_state(const struct pg *p)
{
    (void)p;
    return "";
}

/* ---- The node ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void on_news(void *ctx)
{
    (void)ctx;
    pthread_mutex_lock(&mutex);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static void on_fault(void *ctx, const struct status *fault)
{
    (void)ctx;
    fail_msg("%s", fault->text);
}

static bool follows_other(struct follow *f)
{
    char url[LEASE_URL_SIZE];
    follow_owner_url(f, url);
    return strcmp(url, OTHER) == 0;
}

static void the_other_node_is_followed(void **state)
{
    (void)state;
    static struct follow follow;
    static struct lease lease;
    struct timespec until;
    database.epoch = 1;
    database.url = "";
    lease_init(&lease, &(struct lease_options){
                           .url = "postgres://", .node = "two", .token_path = "/nowhere/owner.token", .shard = 1});
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_MS / 1000;
    follow_start(&follow, &(struct follow_options){.url = "postgres://",
                                                   .lease = &lease,
                                                   .shard = 1,
                                                   .last = {1, 1, 0},
                                                   .since_ns = clock_monotonic_ns(),
                                                   .wake = on_news,
                                                   .fault = on_fault});
    pthread_mutex_lock(&mutex);
    while (!follows_other(&follow))
        if (pthread_cond_timedwait(&changed, &mutex, &until) != 0)
            fail_msg("the node neither follows the other one nor ends");
    pthread_mutex_unlock(&mutex);
    assert_false(follow_taken(&follow));
    assert_true(follow_stop(&follow, PATIENCE_MS));
    assert_int_equal(lease.epoch, 2); /* it had taken over */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_node_is_followed),
    };
    return cmocka_run_group_tests_name("cluster_follow_lost", tests, NULL, NULL);
}
