/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "store/backup.h"
#include "store/check.h"

typedef struct status (*copy_fn)(const char *from, const char *to, struct backup_report *report);

static int copy(copy_fn make, const char *from, const char *to, const char *doing)
{
    struct backup_report report = {0};
    struct status fault = make(from, to, &report);
    if (!status_ok(&fault)) {
        fprintf(stderr, "holdfast %s: %s\n", doing, fault.text);
        return status_exit_code(fault.kind);
    }
    printf("%s: everything up to seq %llu is in %s\n", doing, (unsigned long long)report.last_seq, to);
    return 0;
}

int cli_backup(int argc, char **argv)
{
    if (argc == 2 && argv[0][0] != '-')
        return copy(backup_make, argv[0], argv[1], "backup");
    bool asked = argc == 1 && strcmp(argv[0], "--help") == 0;
    if (argc == 1 && argv[0][0] != '-')
        fputs("holdfast backup: missing DEST\n", stderr);
    fputs("usage: holdfast backup DATA DEST\n\n"
          "Copies a data folder, in use or not, to DEST, which must be new or empty. The copy includes\n"
          "the keys and the secret: protect it like the folder itself.\n",
          asked ? stdout : stderr);
    return asked ? 0 : 64;
}

static void print_fault(void *ctx, bool fault, const char *sentence)
{
    (void)ctx;
    if (fault)
        fprintf(stderr, "holdfast restore: %s\n", sentence);
}

int cli_restore(int argc, char **argv)
{
    if (argc == 2 && argv[0][0] != '-') {
        struct status fault = check_run(argv[0], print_fault, NULL);
        if (status_ok(&fault))
            return copy(backup_restore, argv[0], argv[1], "restore");
        bool named = strncmp(fault.text, argv[0], strlen(argv[0])) == 0;
        fprintf(stderr, "holdfast restore: %s%s%s\n", named ? "" : argv[0], named ? "" : ": ", fault.text);
        return status_exit_code(fault.kind);
    }
    bool asked = argc == 1 && strcmp(argv[0], "--help") == 0;
    if (argc == 1 && argv[0][0] != '-')
        fputs("holdfast restore: missing DATA\n", stderr);
    fputs(
        "usage: holdfast restore BACKUP DATA\n\n"
        "Checks a backup and copies it to DATA, which must be new or empty. BACKUP may be read-only and is\n"
        "not changed. DATA is independent from then on: its journal and book do not match those of the\n"
        "folder that was backed up.\n",
        asked ? stdout : stderr);
    return asked ? 0 : 64;
}
