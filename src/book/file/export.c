/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/export.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "book/file/backup.h"
#include "book/file/pages.h"
#include "book/file/sql.h"

#define APPLICATION_ID 1212573048 /* "HFex"; also in the text below */

/* VACUUM rewrites the file, so nothing that was deleted is left in it. */
static const char strip[] = "PRAGMA journal_mode = DELETE;"
                            "PRAGMA foreign_keys = OFF;"
                            "BEGIN;"
                            "DELETE FROM keys;"
                            "DELETE FROM idempotency;"
                            "DELETE FROM tickets;"
                            "UPDATE hooks SET secret = '', old_secret = NULL, old_until = NULL;"
                            "DELETE FROM payment_provider;"
                            "DELETE FROM erasures;"
                            "DELETE FROM ticket_marks;"
                            "UPDATE check_ins SET code = NULL, nonce = NULL;"
                            "DELETE FROM seats_staged;"
                            "UPDATE reservations SET ticket_key = NULL WHERE ticket_key IS NOT NULL;"
                            "UPDATE events SET line_key = NULL;"
                            "UPDATE fleets SET offer_key = NULL;"
                            "UPDATE rooms SET seed = zeroblob(32) WHERE opened_at IS NULL;"
                            "COMMIT;"
                            "PRAGMA application_id = 1212573048;"
                            "VACUUM";

static struct status remove_secrets(const char *path)
{
    struct sql *s;
    struct status status = book_pages_open(&s, path, SQL_WRITE);
    if (!status_ok(&status))
        return status;
    sql_run(s, strip);
    status = sql_status(s);
    sql_close(s);
    return status;
}

/* Only an earlier export may be replaced, never a book. */
static struct status check_destination(const char *path)
{
    struct sql *s;
    if (access(path, F_OK) != 0)
        return status_none();
    struct status status = book_pages_open(&s, path, SQL_LOOK);
    bool exported = status_ok(&status) && sql_number(s, "PRAGMA application_id") == APPLICATION_ID;
    if (status_ok(&status))
        sql_close(s);
    return exported ? status_none()
                    : status_make(STATUS_INVALID,
                                  "%s exists and is not an earlier export; it was not replaced.", path);
}

struct status book_export(const char *source, const char *destination, mode_t mode, uint64_t *last_seq)
{
    struct status status = check_destination(destination);
    if (!status_ok(&status))
        return status;
    size_t size = strlen(destination) + sizeof(".part");
    char *part = memory_get(size);
    snprintf(part, size, "%s.part", destination);
    unlink(part); /* left over from an interrupted export */
    /* Readable only by this user while it contains secrets. */
    mode_t before = umask(077);
    status = book_backup_copy(source, part, last_seq);
    if (status_ok(&status))
        status = remove_secrets(part);
    umask(before);
    /* The old export stays until the new one is complete. */
    if (status_ok(&status) && (chmod(part, mode) != 0 || rename(part, destination) != 0))
        status = status_make(STATUS_IO, "Cannot write %s: %s.", destination, strerror(errno));
    if (!status_ok(&status))
        unlink(part);
    free(part);
    return status;
}
