/* SPDX-License-Identifier: Apache-2.0 */
/* main.c — finds the subcommand and runs it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text/nearest.h"
#include "cli/cli.h"
#include "http/wire/version.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
    bool shared_output; /* its files may be readable by others: keep the caller's umask */
} commands[] = {
    {"serve", cli_serve, "serve a data folder over HTTP", false},
    {"demo", cli_demo, "serve a folder with demo events", false},
    {"check", cli_check, "verify a stopped data folder", false},
    {"backup", cli_backup, "copy a data folder, in use or not", false},
    {"restore", cli_restore, "restore a backup", false},
    {"migrate", cli_migrate, "move a stopped data folder to PostgreSQL", false},
    {"cluster", cli_cluster, "look at a site in PostgreSQL, and repair it", false},
    {"export", cli_export, "copy the book without secrets, for reports", true},
    {"simulate", cli_simulate, "run a fleet through a city in virtual time", true},
    {"licenses", cli_licenses, "print the licenses of the built-in libraries", true},
    {"openapi", cli_openapi, "print the description of the API", true},
};
#define COMMANDS (sizeof commands / sizeof *commands)

static void print_help(FILE *to)
{
    fputs("usage: holdfast COMMAND [options]\n\n", to);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(to, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fprintf(to, "  %-10s %s\n", "version", "print the version");
    fputs("\nRun 'holdfast COMMAND --help' for the options of a command.\n", to);
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
    fputs("\nRun 'holdfast help' for a list of commands.\n", stderr);
    return 64;
}

int main(int argc, char **argv)
{
    char *help[] = {argv[0], argc > 2 ? argv[2] : NULL, (char[]){"--help"}};
    if (argc == 3 && strcmp(argv[1], "help") == 0) /* "help serve" is "serve --help" */
        argv = help;
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0) {
            if (!commands[i].shared_output)
                umask(077); /* data folders and backups hold secrets and people's names */
            return commands[i].run(argc - 2, argv + 2);
        }
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
