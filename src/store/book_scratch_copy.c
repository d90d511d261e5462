/* SPDX-License-Identifier: Apache-2.0 */
#include "store/book_scratch_copy.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "book/record/writer.h"
#include "book/file/sql.h"

static void log_path(char out[FOLDER_PATH_MAX + 8], const char *book)
{
    snprintf(out, FOLDER_PATH_MAX + 8, "%s-wal", book);
}

bool book_scratch_copy_has_log(const struct folder *f)
{
    return sql_has_log(f->book);
}

static struct status copy_book(const struct folder *f, const char *to)
{
    char from_log[FOLDER_PATH_MAX + 8], to_log[FOLDER_PATH_MAX + 8];
    log_path(from_log, f->book);
    log_path(to_log, to);
    struct status fault = folder_copy_file(f->book, to);
    if (status_ok(&fault) && book_scratch_copy_has_log(f))
        fault = folder_copy_file(from_log, to_log);
    return status_ok(&fault) ? fault
                             : status_make(fault.kind, "%s; set TMPDIR to use another folder", fault.text);
}

struct status book_scratch_place(struct book_scratch_copy *s, char path[FOLDER_PATH_MAX])
{
    const char *place = getenv("TMPDIR");
    ASSERT(!s->made); /* an earlier copy would never be deleted */
    snprintf(s->folder, sizeof(s->folder), "%s/holdfast-book-XXXXXX", place && *place ? place : "/tmp");
    s->made = mkdtemp(s->folder) != NULL;
    if (!s->made)
        return status_make(STATUS_IO, "cannot create a temporary folder like %s: %s", s->folder,
                           strerror(errno));
    _Static_assert(sizeof(s->folder) + sizeof("/book.sqlite-wal") <= FOLDER_PATH_MAX, "the names fit");
    snprintf(path, FOLDER_PATH_MAX, "%s/book.sqlite", s->folder);
    return status_none();
}

struct status book_scratch_copy_make(struct book_scratch_copy *s, struct folder *f)
{
    struct book_writer *writer = NULL;
    char copy[FOLDER_PATH_MAX];
    _Static_assert(sizeof(copy) == sizeof(f->book), "copied whole below");
    struct status fault = book_scratch_place(s, copy);
    if (!status_ok(&fault))
        return fault;
    fault = copy_book(f, copy);
    if (status_ok(&fault))
        /* Opening upgrades the copy and merges its log. */
        fault = book_writer_open(&writer, copy);
    book_writer_close(writer);
    /* Even after a fault: from here on nothing touches the real book. */
    memcpy(f->book, copy, sizeof(copy));
    return fault;
}

void book_scratch_copy_remove(struct book_scratch_copy *s)
{
    static const char *const names[] = {"/book.sqlite", "/book.sqlite-wal", "/book.sqlite-shm", ""};
    for (size_t i = 0; s->made && i < sizeof(names) / sizeof(names[0]); i++) {
        char path[FOLDER_PATH_MAX];
        snprintf(path, sizeof(path), "%s%s", s->folder, names[i]);
        remove(path);
    }
    s->made = false;
}
