/* SPDX-License-Identifier: Apache-2.0 */
/* report.h — violations as text for people: a sentence, then the operations around it with line, client and times. */
#ifndef LINEAR_REPORT_H
#define LINEAR_REPORT_H

#include "history.h"

#define REPORTS_MAX 20 /* printed; the others are only counted */

struct report {
    const struct history *history;
    FILE *out;
    unsigned violations;
    unsigned faults; /* what makes the run no proof: too many undecided, a search given up */
};

/* A violation: the sentence. What follows until the next one belongs to it. */
void report_violation(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
void report_fault(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* One call in a line, indented: what it is here, such as "not explained". */
void report_call(struct report *r, const char *role, const struct call *call);
void report_note(struct report *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A time as seconds after the first call. */
#define REPORT_TIME_SIZE 40
const char *report_time(const struct report *r, int64_t us, char out[REPORT_TIME_SIZE]);

#endif
