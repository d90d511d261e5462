/* SPDX-License-Identifier: Apache-2.0 */
/* main.c — finds the subcommand and runs it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/nearest.h"
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
#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *to)
{
    fputs("usage: holdfast COMMAND [options]\n\n", to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "  %-10s %s\n", "version", "print the version");
    fputs("\nholdfast COMMAND --help tells the options of a command.\n", to);
}

static int refuse(const char *name)
{
    const char *words[COMMANDS + 2] = {"version", "help"};
    for (size_t i = 0; i < COMMANDS; i++)
        words[2 + i] = commands[i].name;
    const char *meant = nearest_word(name, words, COMMANDS + 2);
    fprintf(stderr, "holdfast: unknown command '%s'", name);
    if (meant)
        fprintf(stderr, "; did you mean '%s'?", meant);
    fputs("\nholdfast help lists the commands.\n", stderr);
    return 64;
}

int main(int argc, char **argv)
{
    cli_umask = umask(077); /* whatever is in a data folder or a backup is nobody else's business */
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        puts("holdfast " HOLDFAST_VERSION);
        return 0;
    }
    bool asked = strcmp(name, "--help") == 0 || strcmp(name, "help") == 0;
    if (*name && !asked)
        return refuse(name);
    print_help(asked ? stdout : stderr);
    return asked ? 0 : 64;
}
