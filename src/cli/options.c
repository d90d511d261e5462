/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/text/nearest.h"

#define OPTIONS_MAX 64u
#define NAME_SIZE_MAX 64

/* With a unit: 16777216 is 16M. */
static void size_write(uint64_t bytes, char out[NAME_SIZE_MAX])
{
    size_t unit = 0;
    for (; unit < 4 && bytes && bytes % 1024 == 0; unit++)
        bytes /= 1024;
    snprintf(out, NAME_SIZE_MAX, "%llu%.1s", (unsigned long long)bytes, &"\0KMGT"[unit]);
}

static struct status refuse_number(const struct option *o, const char *name, const char *text)
{
    char least[NAME_SIZE_MAX], most[NAME_SIZE_MAX];
    if (o->kind == OPTION_NUMBER)
        return status_make(STATUS_INVALID, "%s: expected a number from %llu to %llu, got \"%s\"", name,
                           (unsigned long long)o->least, (unsigned long long)o->most, text);
    size_write(o->least, least);
    size_write(o->most, most);
    return status_make(STATUS_INVALID, "%s: expected a size from %s to %s, such as 64M, got \"%s\"", name,
                       least, most, text);
}

/* `name` is where the value comes from: --data or HOLDFAST_DATA. */
static struct status read_number(const struct option *o, const char *name, const char *text)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    bool fits = errno != ERANGE;
    unsigned shift = 0;
    if (end && o->kind == OPTION_SIZE && *end) {
        static const char suffixes[] = "KMGT";
        const char *suffix = strchr(suffixes, toupper((unsigned char)*end));
        shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
        end += suffix != NULL;
    }
    if (!end || *end || !fits || value > UINT64_MAX >> shift || value << shift < o->least ||
        value << shift > o->most)
        return refuse_number(o, name, text);
    *(uint64_t *)o->value = value << shift;
    return status_none();
}

static struct status read_list(const struct option *o, const char *name, const char *text)
{
    struct option_list *list = o->value;
    while (*text) {
        size_t size = strcspn(text, ", ");
        if (size && (list->count == OPTION_LIST_MAX || list->size + size + 1 > OPTION_LIST_SIZE_MAX))
            return status_make(STATUS_INVALID, "%s takes at most %d values", name, OPTION_LIST_MAX);
        if (size) {
            char *copy = list->bytes + list->size;
            memcpy(copy, text, size);
            copy[size] = '\0';
            list->entries[list->count++] = copy;
            list->size += size + 1;
        }
        text += size + (text[size] != '\0');
    }
    return status_none();
}

static struct status read_value(const struct option *o, const char *name, const char *text)
{
    switch (o->kind) {
    case OPTION_TEXT:
        if (!*text)
            return status_make(STATUS_INVALID, "%s is empty", name);
        *(const char **)o->value = text;
        return status_none();
    case OPTION_SWITCH:
        if (strcmp(text, "on") != 0 && strcmp(text, "off") != 0)
            return status_make(STATUS_INVALID, "%s: expected on or off, got \"%s\"", name, text);
        *(bool *)o->value = strcmp(text, "on") == 0;
        return status_none();
    case OPTION_NUMBER:
    case OPTION_SIZE:
        return read_number(o, name, text);
    case OPTION_LIST:
        return read_list(o, name, text);
    case OPTION_END:
        break;
    }
    ASSERT(false);
    return status_none();
}

static const struct option *options_find(const struct option *table, const char *name, size_t size)
{
    for (const struct option *o = table; o->kind != OPTION_END; o++)
        if (strlen(o->name) == size && memcmp(o->name, name, size) == 0)
            return o;
    return NULL;
}

static struct status read_environment(const struct option *table)
{
    for (const struct option *o = table; o->kind != OPTION_END; o++) {
        char name[NAME_SIZE_MAX] = "HOLDFAST_";
        size_t size = strlen(name);
        for (const char *at = o->name; *at && size < sizeof name - 1; at++)
            name[size++] = (char)(*at == '-' ? '_' : toupper((unsigned char)*at));
        const char *value = getenv(name);
        struct status status = value ? read_value(o, name, value) : status_none();
        if (!status_ok(&status))
            return status;
    }
    return status_none();
}

/* A list on the command line replaces the one from the environment, and may be given in parts. */
static struct status read_argument(const struct option *o, bool *seen, const char *value)
{
    char name[NAME_SIZE_MAX];
    snprintf(name, sizeof name, "--%s", o->name);
    if (o->kind == OPTION_LIST && !*seen)
        ((struct option_list *)o->value)->count = ((struct option_list *)o->value)->size = 0;
    else if (o->kind != OPTION_LIST && *seen)
        return status_make(STATUS_INVALID, "%s is given twice", name);
    *seen = true;
    return read_value(o, name, value);
}

static struct status refuse_unknown(const struct option *table, const char *argument, size_t size)
{
    char name[NAME_SIZE_MAX];
    const char *words[OPTIONS_MAX];
    size_t count = 0;
    for (const struct option *o = table; o->kind != OPTION_END && count < OPTIONS_MAX; o++)
        words[count++] = o->name;
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : 0), argument + 2);
    const char *meant = nearest_word(name, words, count);
    return meant ? status_make(STATUS_INVALID, "unknown option --%s; did you mean --%s?", name, meant)
                 : status_make(STATUS_INVALID, "unknown option %s; see --help", argument);
}

struct status options_read(const struct option *table, int argc, char **argv)
{
    bool seen[OPTIONS_MAX] = {false};
    struct status status = read_environment(table);
    for (int i = 0; i < argc && status_ok(&status); i++) {
        const char *argument = argv[i];
        if (strncmp(argument, "--", 2) != 0)
            return status_make(STATUS_INVALID, "unexpected argument %s; see --help", argument);
        size_t size = strcspn(argument + 2, "=");
        const struct option *o = options_find(table, argument + 2, size);
        if (!o)
            return refuse_unknown(table, argument, size);
        const char *next = i + 1 < argc ? argv[i + 1] : NULL;
        /* "--accept-clock --data x": a switch without a value is on. */
        bool bare = o->kind == OPTION_SWITCH && (!next || next[0] == '-');
        const char *value = argument[2 + size] ? argument + 2 + size + 1 : bare ? "on" : next;
        i += value == next && next != NULL;
        if (!value)
            return status_make(STATUS_INVALID, "--%s needs a value", o->name);
        ASSERT(o - table < (ptrdiff_t)sizeof seen);
        status = read_argument(o, &seen[o - table], value);
        /* "--cors A B": a list continues until the next option. */
        while (o->kind == OPTION_LIST && status_ok(&status) && i + 1 < argc && argv[i + 1][0] != '-')
            status = read_argument(o, &seen[o - table], argv[++i]);
    }
    return status;
}

bool options_help_requested(int argc, char **argv)
{
    for (int i = 0; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

void options_print(const char *usage, const struct option *table)
{
    printf("usage: holdfast %s\n\n", usage);
    for (const struct option *o = table; o->kind != OPTION_END; o++) {
        char left[64];
        snprintf(left, sizeof left, "--%s %s", o->name, o->example);
        printf("  %-26s %s\n", left, o->help);
    }
    puts("\nEach option can also be set in the environment: --data is HOLDFAST_DATA.");
}

bool options_ready(const char *usage, const struct option *table, int argc, char **argv, int *exit_code)
{
    *exit_code = 0;
    if (options_help_requested(argc, argv)) {
        options_print(usage, table);
        return false;
    }
    struct status status = options_read(table, argc, argv);
    if (!status_ok(&status))
        fprintf(stderr, "holdfast %.*s: %s\n", (int)strcspn(usage, " "), usage, status.text);
    *exit_code = status_exit_code(status.kind);
    return status_ok(&status);
}
