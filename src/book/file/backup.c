/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "book/file/pages.h"
#include "book/file/schema.h"
#include "book/file/sql.h"

static struct status sync_path(const char *path, int flags)
{
    int file = open(path, flags | O_CLOEXEC);
    bool synced = file >= 0 && fsync(file) == 0;
    int error = errno;
    if (file >= 0)
        close(file);
    return synced ? status_none() : status_make(STATUS_IO, "Cannot sync %s: %s.", path, strerror(error));
}

static struct status sync_copy(const char *path)
{
    struct status status = sync_path(path, O_RDONLY);
    char *copy = memory_copy(path, strlen(path));
    if (status_ok(&status))
        status = sync_path(dirname(copy), O_RDONLY | O_DIRECTORY);
    free(copy);
    return status;
}

/* The copy is whole without a log. */
static struct status say_closed(const char *path)
{
    struct sql *s;
    struct status status = book_pages_open(&s, path, SQL_WRITE);
    if (!status_ok(&status))
        return status;
    sql_run(s, "UPDATE meta SET moved_seq = last_seq");
    status = sql_status(s);
    sql_close(s);
    return status;
}

struct status book_backup_copy(const char *source, const char *destination, uint64_t *last_seq)
{
    if (access(destination, F_OK) == 0)
        return status_make(STATUS_INVALID, "%s already exists.", destination);
    struct sql *s;
    struct status status = book_pages_open(&s, source, SQL_READ);
    if (!status_ok(&status))
        return status;
    book_schema_older(s); /* refuses what is not a book, or a newer one */
    sql_run(s, "BEGIN");
    *last_seq = (uint64_t)sql_number(
        s, "SELECT last_seq FROM meta"); /* from here on the transaction sees one instant */
    sql_copy(s, destination);
    status = sql_status(s);
    sql_close(s);
    if (status_ok(&status))
        /* Before the sync, so that it becomes durable with the rest. */
        status = say_closed(destination);
    if (status_ok(&status))
        status = sync_copy(destination);
    if (!status_ok(&status))
        /* Half a copy would look like a book. */
        unlink(destination);
    return status;
}
