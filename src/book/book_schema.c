/* SPDX-License-Identifier: Apache-2.0 */
#include "book/book_schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"

#define APPLICATION_ID 0x48466264 /* "HFbd" */

static const char schema[] =
#include "schema.inc"
    ;
static const char marker[] = "-- migration ";

/* The text after the marker line of the next migration at or after `from`, and its number; NULL: no further
 * one. */
static const char *migration_find(const char *from, int64_t *number)
{
    const char *at = strstr(from, marker);
    if (!at)
        return NULL;
    ASSERT(at == schema || at[-1] == '\n');
    char *end;
    *number = strtoll(at + sizeof(marker) - 1, &end, 10);
    ASSERT(*end == '\n');
    return end + 1;
}

static int64_t newest(void)
{
    int64_t number = 0, expected = 1;
    /* A missing file would otherwise be skipped in silence. */
    for (const char *at = schema; (at = migration_find(at, &number)) != NULL; expected++)
        ASSERT(number == expected);
    return number;
}

static void migrate(struct sql *s, const char *text, int64_t number)
{
    const char *end = strstr(text, marker);
    char *sql = memory_copy(text, end ? (size_t)(end - text) : strlen(text));
    char done[64];
    /* In the same transaction: a migration runs exactly once, wherever the process dies. */
    snprintf(done, sizeof(done), "PRAGMA user_version = %lld; COMMIT", (long long)number);
    /* Without foreign keys, which cannot be turned off inside: a table that others refer to may be made anew. */
    bool keys = sql_number(s, "PRAGMA foreign_keys") == 1;
    sql_run(s, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    sql_run(s, sql);
    sql_run(s, done);
    if (keys)
        sql_run(s, "PRAGMA foreign_keys = ON");
    free(sql);
}

void book_schema_recognise(struct sql *s)
{
    int64_t id = sql_number(s, "PRAGMA application_id");
    bool empty = id == 0 && sql_number(s, "SELECT count(*) FROM sqlite_schema") == 0;
    if (id != APPLICATION_ID && !empty)
        sql_fail(s, STATUS_INVALID, "The file is a database, but not a Holdfast book.");
}

static void refuse_newer(struct sql *s, int64_t version)
{
    if (version > newest())
        sql_fail(s, STATUS_INVALID,
                 "The book was written by a newer Holdfast (schema version %lld, supported up to %lld).",
                 (long long)version, (long long)newest());
}

static void refuse_strange(struct sql *s)
{
    if (sql_number(s, "PRAGMA application_id") != APPLICATION_ID)
        sql_fail(s, STATUS_INVALID, "The file is not a Holdfast book.");
}

void book_schema_upgrade(struct sql *s)
{
    char mark[64];
    snprintf(mark, sizeof(mark), "PRAGMA application_id = %d", APPLICATION_ID);
    if (sql_number(s, "PRAGMA application_id") == 0)
        /* Before the tables: what a crash leaves is an empty book and not a stranger's database. */
        sql_run(s, mark);
    int64_t version = sql_number(s, "PRAGMA user_version"), number;
    refuse_newer(s, version);
    for (const char *at = schema; sql_sound(s) && (at = migration_find(at, &number)) != NULL;)
        if (number > version)
            migrate(s, at, number);
    /* Whatever was deleted from a new book was overwritten. */
    if (version == 0)
        sql_run(s, "UPDATE meta SET wiped = 1");
}

void book_schema_expect(struct sql *s)
{
    refuse_strange(s);
    int64_t version = sql_number(s, "PRAGMA user_version");
    if (version != newest())
        sql_fail(s, STATUS_INVALID, "The book has schema version %lld, but this Holdfast needs %lld.",
                 (long long)version, (long long)newest());
}

bool book_schema_older(struct sql *s)
{
    refuse_strange(s);
    int64_t version = sql_number(s, "PRAGMA user_version");
    refuse_newer(s, version);
    return sql_sound(s) && version < newest();
}
