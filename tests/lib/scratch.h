/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.h — a folder of a test's own, in the folder that TMPDIR names or in /tmp. */
#ifndef TESTS_LIB_SCRATCH_H
#define TESTS_LIB_SCRATCH_H

#define SCRATCH_PATH 96
#define SCRATCH_FILE (SCRATCH_PATH + 48) /* of a file in it */

/* A new folder; its path is at `path` until it is removed. Ends the program where there can be none. */
void scratch_make(char path[SCRATCH_PATH]);

/* The folder and everything in it goes. */
void scratch_remove(const char *path);

#endif
