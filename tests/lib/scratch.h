/* SPDX-License-Identifier: Apache-2.0 */
/* scratch.h — a temporary folder for one test, in TMPDIR or /tmp. */
#ifndef TESTS_LIB_SCRATCH_H
#define TESTS_LIB_SCRATCH_H

#define SCRATCH_PATH 96
#define SCRATCH_FILE (SCRATCH_PATH + 48) /* of a file in it */

/* A new folder; its path is at `path` until it is removed. Ends the program if it cannot be made. */
void scratch_make(char path[SCRATCH_PATH]);

/* Removes the folder and everything in it. */
void scratch_remove(const char *path);

#endif
