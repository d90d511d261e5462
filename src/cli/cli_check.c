/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"
#include "store/check.h"

static void print(void *ctx, bool fault, const char *sentence)
{
    (void)ctx;
    printf("%s %s\n", fault ? "FAULT" : "     ", sentence);
}

static int ended(const struct status *fault)
{
    if (status_ok(fault))
        puts("ok");
    else
        fprintf(stderr, "holdfast check: %s\n", fault->text);
    return status_exit_code(fault->kind);
}

static int check_site(int argc, char **argv)
{
    const char *store = NULL, *site = "main";
    const struct option table[] = {
        {OPTION_TEXT, "store", &store, "URL", "PostgreSQL with the site, postgres://…", 0, 0},
        {OPTION_TEXT, "site", &site, "NAME", "which log of that database (main)", 0, 0},
        {OPTION_END, NULL, NULL, NULL, NULL, 0, 0},
    };
    struct status fault = options_read(table, argc, argv);
    if (status_ok(&fault) && !store)
        fault = status_make(STATUS_INVALID, "missing DATA or --store URL; see --help");
    if (status_ok(&fault))
        fault = check_run_site(store, site, print, NULL);
    return ended(&fault);
}

int cli_check(int argc, char **argv)
{
    bool asked = argc == 1 && strcmp(argv[0], "--help") == 0;
    if (asked || argc == 0 || (argc > 1 && argv[0][0] != '-')) {
        fputs(
            "usage: holdfast check DATA\n"
            "       holdfast check --store URL [--site NAME]\n\n"
            "Verifies a stopped data folder: the journal's chain, the book, and every rule recomputed from\n"
            "scratch. With --store: the newest snapshot of a site, the chain of its log, the same rules, and the\n"
            "table of sold seats; nodes may be running. Changes nothing.\n"
            "Exit code 0: no faults; 65: faults found, listed above.\n",
            asked ? stdout : stderr);
        return asked ? 0 : 64;
    }
    if (argv[0][0] == '-')
        return check_site(argc, argv);
    struct status fault = check_run(argv[0], print, NULL);
    return ended(&fault);
}
