/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "store/check.h"

static void print(void *ctx, bool fault, const char *sentence)
{
    (void)ctx;
    printf("%s %s\n", fault ? "FAULT" : "     ", sentence);
}

int cli_check(int argc, char **argv)
{
    if (argc != 1 || strcmp(argv[0], "--help") == 0) {
        fputs(
            "usage: holdfast check DATA\n\n"
            "Verifies a stopped data folder: the journal's chain, the book, and every rule recomputed from\n"
            "scratch. Changes nothing. Exit code 0: no faults; 65: faults found, listed above.\n",
            argc == 1 ? stdout : stderr);
        return argc == 1 ? 0 : 64;
    }
    struct status fault = check_run(argv[0], print, NULL);
    if (status_ok(&fault))
        puts("ok");
    else
        fprintf(stderr, "holdfast check: %s\n", fault.text);
    return status_exit_code(fault.kind);
}
