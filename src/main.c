/* SPDX-License-Identifier: Apache-2.0 */
/* main.c — finds the subcommand and runs it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "http/version.h"

mode_t cli_umask;

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
    {"serve", cli_serve, "serve a data folder over HTTP"},
    {"demo", cli_demo, "serve a folder with demo events"},
    {"check", cli_check, "verify a stopped data folder"},
    {"backup", cli_backup, "copy a data folder, running or not"},
    {"restore", cli_restore, "put a backup back"},
    {"export", cli_export, "copy the book without secrets, for reports"},
};

static void print_help(FILE *to)
{
    fputs("usage: holdfast COMMAND [options]\n\n", to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\nholdfast COMMAND --help tells the options of a command.\n", to);
}

int main(int argc, char **argv)
{
    cli_umask = umask(077); /* whatever is in a data folder or a backup is nobody else's business */
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0) {
        puts("holdfast " HOLDFAST_VERSION);
        return 0;
    }
    bool asked = strcmp(name, "--help") == 0 || strcmp(name, "help") == 0;
    print_help(asked ? stdout : stderr);
    return asked ? 0 : 64;
}
