/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"

struct status status_none(void)
{
    return (struct status){.kind = STATUS_OK};
}

struct status status_make(enum status_kind kind, const char *format, ...)
{
    ASSERT(kind != STATUS_OK);
    struct status s = {.kind = kind};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s.text, sizeof s.text, format, arguments);
    va_end(arguments);
    return s;
}

int status_exit_code(enum status_kind kind)
{
    switch (kind) {
#define X(name, exit_code)                                                                                   \
    case STATUS_##name:                                                                                      \
        return exit_code;
        STATUS_KINDS(X)
#undef X
    }
    ASSERT(false);
}
