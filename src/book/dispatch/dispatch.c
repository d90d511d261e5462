/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch.c — writes and removes fleets and drivers. Rides and offers are plain records: see book_kept in book/record/columns.c. Faults stick
 * to the connection (see sql.h). */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "book/record/columns.h"
#include "book/record/kept.h"

struct book_dispatch {
    struct sql *sql;
    struct sql_statement *fleet_put, *fleet_remove, *driver_put, *driver_remove;
};

struct book_dispatch *book_dispatch_make(struct sql *s)
{
    struct book_dispatch *b = memory_zeroed(1, sizeof(*b));
    b->sql = s;
    b->fleet_put = book_record_prepare(s, &fleet_record, BOOK_UPSERT);
    b->fleet_remove =
        sql_prepare(s, "UPDATE fleets SET removed_at = ?2 WHERE number = ?1 AND removed_at IS NULL");
    b->driver_put = book_record_prepare(s, &driver_record, BOOK_UPSERT);
    b->driver_remove = book_record_prepare(s, &driver_record, BOOK_DELETE);
    return b;
}

static void expect_one(struct book_dispatch *b, const struct change *c, int64_t rows, const char *what)
{
    if (rows != 1 && sql_sound(b->sql))
        sql_fail(b->sql, STATUS_CORRUPT, "Change %llu removes a %s that the book does not have.",
                 (unsigned long long)c->seq, what);
}

void book_dispatch_put_fleet(struct book_parts *parts, const struct change *c)
{
    struct book_dispatch *b = parts->dispatch;
    ASSERT(c->kind == CHANGE_FLEET && c->fleet.number && c->fleet.number <= c->seq);
    /* Its drivers and rides stay until it is pruned. */
    if (c->fleet.removed)
        expect_one(b, c, sql_do_ints(b->fleet_remove, (int64_t)c->fleet.number, c->at_ms), "fleet");
    else
        book_record_put(b->fleet_put, &fleet_record, &(struct book_fleet){.image = c->fleet});
}

void book_dispatch_put_driver(struct book_parts *parts, const struct change *c)
{
    struct book_dispatch *b = parts->dispatch;
    ASSERT(c->kind == CHANGE_DRIVER && c->driver.fleet < c->seq && c->driver.id.size);
    if (c->driver.removed)
        expect_one(b, c, book_record_put(b->driver_remove, &driver_record, &c->driver), "driver");
    else
        book_record_put(b->driver_put, &driver_record, &c->driver);
}
