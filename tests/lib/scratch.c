/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

void scratch_make(char path[SCRATCH_PATH])
{
    static char parent[SCRATCH_PATH]; /* at the start: a test can set another for the code under test */
    const char *named = getenv("TMPDIR");
    if (!*parent)
        snprintf(parent, sizeof(parent), "%s", named && *named ? named : "/tmp");
    int size = snprintf(path, SCRATCH_PATH, "%s/holdfast-test-XXXXXX", parent);
    if (size >= SCRATCH_PATH || !mkdtemp(path)) {
        perror(path);
        abort();
    }
}

static int remove_one(const char *path, const struct stat *stat, int flag, struct FTW *ftw)
{
    (void)stat, (void)flag, (void)ftw;
    return remove(path);
}

void scratch_remove(const char *path)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(path, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}
