/* SPDX-License-Identifier: Apache-2.0 */
/* stop.h — how the load generator gives up: one sentence on standard error, exit code 2. */
#ifndef BENCH_STOP_H
#define BENCH_STOP_H

#include <stddef.h>

_Noreturn void stop(const char *format, ...) __attribute__((format(printf, 1, 2)));
void *stop_or_zeroed(size_t count, size_t size); /* zeroed memory, or ends the process */

#endif
