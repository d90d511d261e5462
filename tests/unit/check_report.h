/* SPDX-License-Identifier: Apache-2.0 */
/* check_report.h — the report of `holdfast check` about a folder. */
#ifndef TESTS_UNIT_CHECK_REPORT_H
#define TESTS_UNIT_CHECK_REPORT_H

#include "store/check.h"
#include "../lib/store_loop.h"

#define REPORT_SIZE 4096

static inline void on_report(void *ctx, bool fault, const char *sentence)
{
    char *text = ctx;
    size_t used = strlen(text);
    snprintf(text + used, REPORT_SIZE - used, "%s%s\n", fault ? "FAULT " : "", sentence);
}

static inline void check_says(const char *path, enum status_kind kind, const char *part)
{
    char report[REPORT_SIZE] = "";
    struct status fault = check_run(path, on_report, report);
    if (fault.kind != kind || !strstr(report, part))
        fail_msg("%s: %s\n%s", path, fault.text, report);
}

#endif
