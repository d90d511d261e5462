/* SPDX-License-Identifier: Apache-2.0 */
#include "stop.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *stop_or_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        stop("out of memory for %zu times %zu bytes", count, size);
    return memory;
}
