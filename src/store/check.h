/* SPDX-License-Identifier: Apache-2.0 */
/* check.h — verifies a stopped data folder from scratch, without changing it.
 *
 * The journal's chain, the integrity and the rules of the book, and the state that results from both: every invariant of
 * core, recomputed from the reservations. If an older program wrote the book, an upgraded copy is checked.
 */
#ifndef STORE_CHECK_H
#define STORE_CHECK_H

#include "base/status.h"

/* Called with one sentence per finding; fault: damage, otherwise information. */
typedef void (*check_report_fn)(void *ctx, bool fault, const char *sentence);
/* OK: no damage. CORRUPT: at least one fault was reported. Other kinds: the check could not be done. */
struct status check_run(const char *data, check_report_fn report, void *ctx);
/* The same for a site in PostgreSQL, whether nodes are running or not: its newest snapshot, the chain of the log after it, and
 * the state that results from both. Needs no data folder. */
struct status check_run_site(const char *url, const char *site, check_report_fn report, void *ctx);

#endif
