/* SPDX-License-Identifier: Apache-2.0 */
/* test_clock.h — a clock that tests can move, for the whole program.
 *
 * HOLDFAST_TEST_CLOCK names a file of one or two lines, each a decimal number of 20 characters, padded with
 * spaces or zeros on the left, separated by a line feed. The first is added, in milliseconds, to every
 * reading of the clock; the second, if present, to the time used for timeouts of slow and idle connections.
 * The file is mapped: a test writes it in place, and the next reading sees the change.
 */
#ifndef CLI_TEST_CLOCK_H
#define CLI_TEST_CLOCK_H

#include "base/time/clock.h"
#include "base/status.h"

struct status test_clock_open(const char *path);
extern const struct clock_source test_clock_source; /* after test_clock_open */
int64_t test_clock_skip_ms(void);                   /* the second number; 0 without one */

#endif
