/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/pooler.h"

#include "log/pg.h"

#define ANSWER_LIMIT_MS 30000

static const char process_sql[] = "SELECT pg_backend_pid()";

/* The process of the server that answers; 0: `fault` says why there is none. */
static int64_t process_of(struct pg *pg, struct status *fault)
{
    enum pg_outcome outcome = pg_run(pg, process_sql, NULL, 0);
    if (outcome == PG_DONE)
        return pg_int(pg, 0, 0);
    if (!pg_statement_lost(pg))
        *fault = status_make(outcome == PG_REFUSED ? STATUS_INVALID : STATUS_IO, "--store: %s", pg_fault(pg));
    return 0;
}

/* Two connections that are open at once have a process each, and keep it. A pooler gives both the same one, or gives the
 * second one another each time. */
static bool is_apart(struct pg *one, struct pg *two, struct status *fault)
{
    int64_t first = process_of(one, fault);
    int64_t second = first ? process_of(two, fault) : 0;
    return second && second != first && process_of(two, fault) == second;
}

struct status pooler_check(const char *url)
{
    const struct pg_options options = {.url = url, .name = "holdfast start", .limit_ms = ANSWER_LIMIT_MS};
    struct pg *one = pg_make(&options), *two = pg_make(&options);
    struct status fault = status_none();
    bool apart = is_apart(one, two, &fault);
    pg_release(one);
    pg_release(two);
    if (status_ok(&fault) && !apart)
        return status_make(STATUS_INVALID, "--store: a pooler in transaction mode is between this node and the database; connect "
                                           "directly, or use it in session mode");
    return fault;
}
