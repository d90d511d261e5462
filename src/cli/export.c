/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "book/file/export.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "store/backup.h"
#include "store/folder.h"

static int fail(const struct status *fault)
{
    fprintf(stderr, "holdfast export: %s\n", fault->text);
    return status_exit_code(fault->kind);
}

int cli_export(int argc, char **argv)
{
    const char *data = "./holdfast-data", *file = NULL;
    const struct option table[] = {
        {OPTION_TEXT, "data", &data, "DIR", "data folder (./holdfast-data), in use or not", 0, 0},
        {OPTION_TEXT, "sql", &file, "FILE", "SQLite database to write; replaces an earlier export", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    uint64_t last_seq;
    struct folder folder;
    if (options_help_requested(argc, argv)) {
        options_print("export --sql FILE [--data DIR]", table);
        puts("\nWrites a consistent copy of the book without secrets, for reports.");
        return 0;
    }
    struct status fault = options_read(table, argc, argv);
    if (status_ok(&fault) && !file)
        fault = status_make(STATUS_INVALID, "missing --sql FILE; see --help");
    if (status_ok(&fault))
        fault = folder_set_paths(&folder, data);
    if (status_ok(&fault) && access(folder.book, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        fault = status_make(STATUS_INVALID, "%s is not a data folder: it has no book", data);
    if (status_ok(&fault))
        fault = folder_readable(&folder, data);
    if (!status_ok(&fault))
        return fail(&fault);
    mode_t callers =
        umask(077); /* private until complete; book_export then sets the mode the caller's umask allows */
    fault = book_export(folder.book, file, 0666 & ~callers, &last_seq);
    if (!status_ok(&fault))
        return fail(&fault);
    fault = backup_book_complete(data, last_seq);
    if (!status_ok(&fault))
        return fail(&fault);
    printf("export: everything up to seq %llu is in %s\n", (unsigned long long)last_seq, file);
    return 0;
}
