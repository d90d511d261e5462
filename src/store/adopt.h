/* SPDX-License-Identifier: Apache-2.0 */
/* adopt.h — declares the log in the database valid, although nodes may have changes that it lost.
 *
 * For the operator, after a restored backup or a failover to a server that lagged. Every lost number, such as the fence of a
 * sale, must stay smaller than all that follow. So the site continues with a snapshot whose seq is greater by 2^32, and with a
 * new id, which shows each node that its book belongs to another history:
 *
 *   watch          no lease is renewed, no node writes its row                          (cluster/adopt.h)
 *   rebuild        the newest snapshot and the log, in a temporary book; all is checked
 *   halt           no node writes or takes over from here on
 *   write          rows of `sold` that differ, and the snapshot
 *   end            all at once: id, epoch, token, snapshot, and a log of one row
 */
#ifndef STORE_ADOPT_H
#define STORE_ADOPT_H

#include <stdint.h>

#include "base/status.h"

struct pg;
struct cluster_site;

struct adopt_options {
    const char *url, *name; /* of the database and of the site */
};

struct adopt_report {
    uint64_t old_seq, new_seq, epoch;
};

/* BUSY: a node is running. CORRUPT: the log is damaged; nothing has changed. */
struct status adopt_run(const struct adopt_options *options, struct pg *pg, const struct cluster_site *site,
                        struct adopt_report *report);

#endif
