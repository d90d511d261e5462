/* SPDX-License-Identifier: Apache-2.0 */
/* test_clock.h — a clock that tests can move, for the whole program.
 *
 * HOLDFAST_TEST_CLOCK names a file of one or two lines, each a decimal number in 20 characters, padded with
 * spaces or zeros on the left, and a line feed between them. The first is added, in milliseconds, to every
 * reading of the clock; the second, if it is there, to the time by which slow and idle connections are
 * judged. The file is mapped: a test writes it in place, and the next reading sees it.
 */
#ifndef CLI_TEST_CLOCK_H
#define CLI_TEST_CLOCK_H

#include "base/time/clock.h"
#include "base/status.h"

struct status test_clock_open(const char *path);
extern const struct clock_source test_clock_source; /* after test_clock_open */
int64_t test_clock_skip_ms(void);                   /* the second number; 0 without one */

#endif
