/* SPDX-License-Identifier: Apache-2.0 */
#include "base/assertion.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void assertion_failed(const char *file, int line, const char *function, const char *condition)
{
    /* By write(), because the heap or stdio may be what is broken. */
    char text[512];
    int size =
        snprintf(text, sizeof text, "%s:%d: %s: assertion failed: %s\n", file, line, function, condition);
    if (size > 0) {
        size_t shown = (size_t)size < sizeof text ? (size_t)size : sizeof text - 1;
        ssize_t written = write(STDERR_FILENO, text, shown);
        (void)written;
    }
    abort();
}
