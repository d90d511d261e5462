/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/schema.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

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
    ASSERT(at == from || at[-1] == '\n');
    char *end;
    *number = strtoll(at + sizeof(marker) - 1, &end, 10);
    ASSERT(*end == '\n');
    return end + 1;
}

static int64_t newest_of(const char *migrations)
{
    int64_t number = 0, before = 0;
    for (const char *at = migrations; (at = migration_find(at, &number)) != NULL; before = number)
        ASSERT(number > before); /* two files with one number: one would never run */
    return number;
}

static int64_t newest(void)
{
    return newest_of(schema);
}

struct status book_schema_readable(int64_t version)
{
    if (version < 1 || version > newest())
        return status_make(STATUS_INVALID,
                           "another version of Holdfast (book version %lld, supported up to %lld)",
                           (long long)version, (long long)newest());
    return status_none();
}

static void refuse_unreadable(struct sql *s, int64_t version)
{
    struct status status = book_schema_readable(version);
    if (!status_ok(&status))
        sql_fail(s, STATUS_INVALID, "The book was written by %s.", status.text);
}

static void refuse_strange(struct sql *s)
{
    if (sql_number(s, "PRAGMA application_id") != BOOK_APPLICATION_ID)
        sql_fail(s, STATUS_INVALID, "The file is not a Holdfast book.");
}

void book_schema_recognise(struct sql *s)
{
    int64_t id = sql_number(s, "PRAGMA application_id"), version = sql_number(s, "PRAGMA user_version");
    bool empty = id == 0 && sql_number(s, "SELECT count(*) FROM sqlite_schema") == 0;
    if (id != BOOK_APPLICATION_ID && !empty)
        sql_fail(s, STATUS_INVALID, "The file is a database, but not a Holdfast book.");
    else if (version)
        refuse_unreadable(s, version);
}

static void run_one(struct sql *s, const char *text)
{
    const char *end = strstr(text, marker);
    char *sql = memory_copy(text, end ? (size_t)(end - text) : strlen(text));
    sql_run(s, sql);
    free(sql);
}

void book_schema_migrate(struct sql *s, const char *migrations)
{
    char done[128];
    int64_t version = sql_number(s, "PRAGMA user_version"), goal = newest_of(migrations), number;
    if (version >= goal)
        return;
    /* One transaction: wherever the process dies, the book has all of it or none. Without foreign keys, which cannot be
     * turned off inside: a table that others refer to may be rebuilt. */
    bool keys = sql_number(s, "PRAGMA foreign_keys") == 1;
    sql_run(s, "PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    for (const char *at = migrations; sql_sound(s) && (at = migration_find(at, &number)) != NULL;)
        if (number > version)
            run_one(s, at);
    snprintf(done, sizeof(done), "PRAGMA application_id = %d; PRAGMA user_version = %lld; COMMIT",
             BOOK_APPLICATION_ID, (long long)goal);
    sql_run(s, done);
    if (keys)
        sql_run(s, "PRAGMA foreign_keys = ON");
}

void book_schema_upgrade(struct sql *s)
{
    book_schema_migrate(s, schema);
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
    refuse_unreadable(s, version);
    return sql_sound(s) && version < newest();
}
