/* SPDX-License-Identifier: Apache-2.0 */
#include "base/status.h"

#include <errno.h>
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

enum status_kind status_of_errno(int error)
{
    return error == ENOSPC || error == EDQUOT ? STATUS_FULL : STATUS_IO;
}

int status_exit_code(enum status_kind kind)
{
#define X(name, exit_code) exit_code,
    static const int codes[] = {STATUS_KINDS(X)};
#undef X
    ASSERT((size_t)kind < sizeof codes / sizeof *codes);
    return codes[kind];
}
