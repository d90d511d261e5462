/* SPDX-License-Identifier: Apache-2.0 */
/* check.h — verifies a stopped data folder from scratch and changes nothing.
 *
 * The journal's chain, the book's integrity and its own rules, and the state that the two add up to: every
 * invariant of core recomputed from the reservations. Of a book that an older program wrote, a copy is
 * upgraded and checked.
 */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H

#include "base/status.h"

/* Called with one sentence per finding; `fault` tells damage from information. */
typedef void (*check_report_fn)(void *ctx, bool fault, const char *sentence);
/* OK: nothing wrong. CORRUPT: something was reported as a fault. Other kinds: it could not be checked. */
struct status check_run(const char *data, check_report_fn report, void *ctx);

#endif
