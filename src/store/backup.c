/* SPDX-License-Identifier: Apache-2.0 */
#include "store/backup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/book_backup.h"
#include "journal/journal_copy.h"
#include "store/folder.h"

static struct status empty_folder(const char *path)
{
    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return status_make(STATUS_IO, "cannot make %s: %s", path, strerror(errno));
    DIR *folder = opendir(path);
    if (!folder)
        return status_make(STATUS_IO, "cannot open %s: %s", path, strerror(errno));
    bool empty = true;
    for (struct dirent *entry; empty && (entry = readdir(folder));)
        empty = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
    closedir(folder);
    return empty ? status_none() : status_make(STATUS_INVALID, "%s is not empty", path);
}

/* Small files: the keys. One that is not there is no fault: they may come from the environment. */
static struct status copy_file(const char *from_folder, const char *to_folder, const char *name)
{
    char path[FOLDER_PATH_MAX], bytes[4096];
    snprintf(path, sizeof(path), "%s/%s", from_folder, name);
    int from = open(path, O_RDONLY | O_CLOEXEC);
    if (from < 0)
        return errno == ENOENT ? status_none()
                               : status_make(STATUS_IO, "cannot read %s: %s", path, strerror(errno));
    ssize_t size = read(from, bytes, sizeof(bytes));
    close(from);
    snprintf(path, sizeof(path), "%s/%s", to_folder, name);
    int to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool written = to >= 0 && size >= 0 && write(to, bytes, (size_t)size) == size && fsync(to) == 0;
    if (to >= 0)
        close(to);
    return written ? status_none() : status_make(STATUS_IO, "cannot write %s: %s", path, strerror(errno));
}

static struct status sync_folder(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool synced = folder >= 0 && fsync(folder) == 0;
    if (folder >= 0)
        close(folder);
    return synced ? status_none() : status_make(STATUS_IO, "cannot sync %s: %s", path, strerror(errno));
}

struct status backup_make(const char *from, const char *to, struct backup_report *report)
{
    struct folder source, target;
    struct journal_recovery journal;
    struct status fault = folder_name(&target, to);
    if (status_ok(&fault))
        fault = folder_keep_segments(&source, from);
    if (!status_ok(&fault))
        return fault;
    fault = empty_folder(to);
    if (status_ok(&fault))
        fault = book_backup_copy(source.book, target.book, &report->book_seq);
    if (status_ok(&fault))
        fault = journal_copy(&disk_real, source.journal, target.journal, report->book_seq, &journal);
    if (status_ok(&fault))
        fault = copy_file(from, to, "admin.key");
    if (status_ok(&fault))
        fault = copy_file(from, to, "secret");
    if (status_ok(&fault))
        fault = sync_folder(to);
    if (status_ok(&fault)) {
        report->last_seq = journal.last_seq > report->book_seq ? journal.last_seq : report->book_seq;
        report->segments = journal.segments;
    }
    folder_close(&source);
    return fault;
}
