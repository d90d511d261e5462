/* SPDX-License-Identifier: Apache-2.0 */
/* options.h — command line options by a table: "--name value" or "--name=value", each also from the
 * environment as HOLDFAST_NAME. The command line wins. Unknown and repeated options are refused. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum option_kind {
    OPTION_END,
    OPTION_TEXT,   /* const char * */
    OPTION_SWITCH, /* bool: on or off; without a value: on */
    OPTION_NUMBER, /* uint64_t, from least to most */
    OPTION_SIZE,   /* uint64_t: bytes, or with K, M, G, T for powers of 1024 */
    OPTION_LIST,   /* struct option_list: given several times, or several in one value, separated by commas */
};

#define OPTION_LIST_MAX 32
#define OPTION_LIST_SIZE_MAX 4096
struct option_list {
    const char *entries[OPTION_LIST_MAX]; /* into `bytes` */
    size_t count;
    char bytes[OPTION_LIST_SIZE_MAX];
    size_t size;
};

struct option {
    enum option_kind kind;
    const char *name;    /* "history-days": --history-days, HOLDFAST_HISTORY_DAYS */
    void *value;         /* where the value is stored; holds the default at first */
    const char *example; /* "DIR" */
    const char *help;
    uint64_t least, most;
};

/* Sets the values. Arguments that are not options are refused. Texts point into argv or the environment. */
struct status options_read(const struct option *table, int argc, char **argv);
/* Whether --help is among the arguments. */
bool options_help_requested(int argc, char **argv);
void options_print(const char *usage, const struct option *table);
/* Everything a command needs: prints the help, or reads the options and prints any error. False: exit *exit_code. */
bool options_ready(const char *usage, const struct option *table, int argc, char **argv, int *exit_code);

#endif
