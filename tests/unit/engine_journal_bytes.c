/* SPDX-License-Identifier: Apache-2.0 */
/* Every script of tests/script/ leaves the same bytes in the journal as when tests/script/journal.crc was
 * written: its name, how many changes and bytes, their CRC-32C. One test a script.
 *
 * `engine_journal_bytes --print` writes that list anew. A new script adds a row; a row that changes means that
 * the script or the journal's bytes have changed, and for the bytes there must be a reason and, once there was a
 * release, another version of the journal. Runs from the project's root, or with HOLDFAST_SOURCE set to it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <glob.h>

#include <cmocka.h>

#include "../lib/script.h"
#include "base/memory/memory.h"

#define ROW_SIZE 160

static char kept[1 << 20]; /* the whole list, rows between line feeds */

static const char *root(void)
{
    const char *named = getenv("HOLDFAST_SOURCE");
    return named ? named : ".";
}

/* "\nname changes bytes crc\n", so that it is found as a whole. */
static void make_row(const char *path, char row[ROW_SIZE])
{
    struct script_journal journal;
    char fault[SCRIPT_FAULT_SIZE];
    if (!script_journal(path, &journal, fault)) {
        fprintf(stderr, "%s: %s\n", path, fault);
        abort();
    }
    snprintf(row, ROW_SIZE, "\n%s %llu %llu %08x\n", strrchr(path, '/') + 1,
             (unsigned long long)journal.changes, (unsigned long long)journal.size, journal.crc);
}

static void bytes_are_kept(void **state)
{
    char row[ROW_SIZE];
    make_row(*state, row);
    if (!strstr(kept, row))
        fail_msg("tests/script/journal.crc does not have%.*s: other bytes, or a script that is new; see "
                 "tests/unit/engine_journal_bytes.c",
                 (int)strlen(row) - 1, row);
}

static void read_kept(void)
{
    char path[512];
    snprintf(path, sizeof(path), "%s/tests/script/journal.crc", root());
    FILE *file = fopen(path, "re");
    if (!file) {
        perror(path);
        exit(1);
    }
    kept[0] = '\n';
    size_t size = fread(kept + 1, 1, sizeof(kept) - 2, file);
    kept[1 + size] = '\0';
    fclose(file);
}

/* A row for a script that is gone would be kept for ever. */
static void no_row_too_many(void **state)
{
    const glob_t *found = *state;
    size_t rows = 0;
    for (const char *at = kept + 1; *at; at++)
        rows += *at == '\n';
    assert_int_equal(rows, found->gl_pathc);
}

int main(int argc, char **argv)
{
    glob_t found;
    char pattern[512], row[ROW_SIZE];
    snprintf(pattern, sizeof(pattern), "%s/tests/script/*.txt", root());
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "no scripts at %s\n", pattern);
        return 1;
    }
    if (argc > 1 && strcmp(argv[1], "--print") == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            make_row(found.gl_pathv[i], row);
            fputs(row + 1, stdout);
        }
        globfree(&found);
        return 0;
    }
    read_kept();
    struct CMUnitTest *tests = memory_zeroed(found.gl_pathc + 1, sizeof(*tests));
    for (size_t i = 0; i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){.name = strrchr(found.gl_pathv[i], '/') + 1,
                                       .test_func = bytes_are_kept,
                                       .initial_state = found.gl_pathv[i]};
    tests[found.gl_pathc] =
        (struct CMUnitTest){.name = "no row too many", .test_func = no_row_too_many, .initial_state = &found};
    int failed = _cmocka_run_group_tests("engine_journal_bytes", tests, found.gl_pathc + 1, NULL, NULL);
    free(tests);
    globfree(&found);
    return failed;
}
