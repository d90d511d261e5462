/* SPDX-License-Identifier: Apache-2.0 */
/* linear [OPTIONS] FILE — checks a recorded history; README.md has the format, the options and the exit codes. */
#include <stdlib.h>
#include <string.h>

#include "attempts.h"
#include "check.h"
#include "reads.h"

enum { EXIT_LEGAL = 0, EXIT_VIOLATION = 1, EXIT_UNCHECKED = 2 };

#define MS_MAX 1000000000L
#define US_PER_MS 1000

static int usage(void)
{
    fputs("usage: linear [--gate copy|redis] [--sweep-ms N] [--clock-error-ms N] FILE|-\n", stderr);
    return EXIT_UNCHECKED;
}

static bool read_ms(const char *text, int64_t *us)
{
    char *end;
    if (!text || !*text)
        return false;
    long ms = strtol(text, &end, 10);
    *us = (int64_t)ms * US_PER_MS;
    return !*end && ms >= 0 && ms <= MS_MAX;
}

static bool read_gate(const char *name, struct gate_rules *gate)
{
    /* Of the copy: a follower that lags by less than a second. Of Redis: the life of an intent. */
    static const struct gate_rules GATES[] = {{"copy", 1000 * US_PER_MS, false},
                                              {"redis", 5000 * US_PER_MS, true}};
    for (size_t i = 0; name && i < sizeof GATES / sizeof GATES[0]; i++)
        if (strcmp(name, GATES[i].name) == 0) {
            *gate = GATES[i];
            return true;
        }
    return false;
}

static bool read_options(char **arguments, struct check_rules *rules, const char **path)
{
    for (char **a = arguments; *a; a++) {
        if (strcmp(*a, "--gate") == 0) {
            if (!read_gate(*++a, &rules->gate))
                return false;
        } else if (strcmp(*a, "--sweep-ms") == 0) {
            if (!read_ms(*++a, &rules->sweep_us))
                return false;
        } else if (strcmp(*a, "--clock-error-ms") == 0) {
            if (!read_ms(*++a, &rules->clock_error_us))
                return false;
        } else if (*path || strncmp(*a, "--", 2) == 0) {
            return false;
        } else {
            *path = *a;
        }
    }
    return *path != NULL;
}

static int check(struct history *h, const struct check_rules *rules)
{
    struct report r = {.history = h, .out = stdout};
    struct status s = attempts_join(h, &r);
    if (!status_ok(&s)) {
        fprintf(stderr, "linear: %s\n", s.text);
        return EXIT_UNCHECKED;
    }
    reads_check_seqs(h, &r);
    reads_check_fences(h, &r);
    reads_check_wholes(h, &r);
    check_objects(h, rules, &r);
    printf("%u lines, %u operations, %u objects: %u violations, %u not checked\n", h->line_count,
           h->operation_count, h->objects.count, r.violations, r.faults);
    return r.violations ? EXIT_VIOLATION : r.faults ? EXIT_UNCHECKED : EXIT_LEGAL;
}

int main(int count, char **arguments)
{
    struct check_rules rules = {0};
    const char *path = NULL;
    if (count < 2 || !read_options(arguments + 1, &rules, &path))
        return usage();
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file) {
        fprintf(stderr, "linear: %s cannot be opened\n", path);
        return EXIT_UNCHECKED;
    }
    struct history h;
    history_init(&h);
    struct status s = history_read(&h, file);
    int code = EXIT_UNCHECKED;
    if (status_ok(&s))
        code = check(&h, &rules);
    else
        fprintf(stderr, "linear: %s\n", s.text);
    history_release(&h);
    if (file != stdin)
        fclose(file);
    return code;
}
