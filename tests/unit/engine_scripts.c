/* SPDX-License-Identifier: Apache-2.0 */
/* Every script of tests/script/ passes: as written, with a restart after every line, and with everything forgotten
 * after every line; and the answers are the same each time. One test per script, named after its file. Runs from the
 * project's root, or with HOLDFAST_SOURCE set to it. */
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

/* Where two texts first differ, as a line of the second one. */
static void show_difference(const struct buf *a, const struct buf *b, const char *path)
{
    size_t at = 0, line = 0;
    for (; at < a->size && at < b->size && a->data[at] == b->data[at]; at++)
        if (a->data[at] == '\n')
            line = at + 1;
    fail_msg("%s: another answer:\n    %.300s\n    %.300s", path, a->data + line, b->data + line);
}

static void script_holds(void **state)
{
    const char *path = *state;
    char fault[SCRIPT_FAULT_SIZE];
    struct buf first, answers;
    if (!script_run(path, SCRIPT_PLAIN, &first, fault))
        fail_msg("%s: %s", path, fault);
    for (enum script_mode mode = SCRIPT_RESTART; mode < SCRIPT_MODES; mode++) {
        if (!script_run(path, mode, &answers, fault))
            fail_msg("%s: %s", path, fault);
        if (answers.size != first.size || memcmp(answers.data, first.data, first.size) != 0)
            show_difference(&first, &answers, path);
        buf_release(&answers);
    }
    buf_release(&first);
}

int main(int argc, char **argv)
{
    glob_t found;
    char pattern[512];
    const char *root = getenv("HOLDFAST_SOURCE");
    snprintf(pattern, sizeof(pattern), "%s/tests/script/%s.txt", root ? root : ".", argc > 1 ? argv[1] : "*");
    if (glob(pattern, 0, NULL, &found) != 0) {
        fprintf(stderr, "no scripts at %s\n", pattern);
        return 1;
    }
    struct CMUnitTest *tests = memory_zeroed(found.gl_pathc, sizeof(*tests));
    for (size_t i = 0; i < found.gl_pathc; i++)
        tests[i] = (struct CMUnitTest){.name = strrchr(found.gl_pathv[i], '/') + 1,
                                       .test_func = script_holds,
                                       .initial_state = found.gl_pathv[i]};
    int failed = _cmocka_run_group_tests("engine_scripts", tests, found.gl_pathc, NULL, NULL);
    free(tests);
    globfree(&found);
    return failed;
}
