/* SPDX-License-Identifier: Apache-2.0 */
/* migrate.h — moves a stopped data folder into a new site in PostgreSQL, with all its seqs and fences.
 *
 *   rebuild   the book, with all that its journal has, in a temporary copy; all is checked
 *   begin     a site that no node can use yet              (cluster/new_site.h)
 *   write     the seats that are sold, and the book as a snapshot
 *   end       the first row of the log; nodes can start
 *
 * The folder is not changed. The way back is a backup of a node's folder: see store/backup.h.
 */
#ifndef STORE_MIGRATE_H
#define STORE_MIGRATE_H

#include <stdint.h>

#include "base/status.h"

struct pg;
struct cluster_site_options;

struct migrate_report {
    uint64_t last_seq; /* of the folder */
    uint64_t epoch;
};

/* BUSY: a server is using the folder. INVALID: the site exists, or there is nothing to move. CORRUPT: the folder is damaged. */
struct status migrate_run(const char *from, struct pg *pg, const struct cluster_site_options *site,
                          struct migrate_report *report);

#endif
