/* SPDX-License-Identifier: Apache-2.0 */
/* new_site.h — a site that begins with a snapshot, of an installation that had a log elsewhere: see store/migrate.h.
 *
 *   begin ──► (the seats that are sold, and a snapshot, are written) ──► end
 *
 * From `begin` on there is a site whose log is halted and empty, so no node can use it. The last statement gives it a first row,
 * and lets nodes in. If that was not reached, the next `begin` continues with the site.
 */
#ifndef CLUSTER_NEW_SITE_H
#define CLUSTER_NEW_SITE_H

#include <stdint.h>

#include "base/status.h"
#include "cluster/cluster_site.h"
#include "cluster/snapshot.h"
#include "log/log_pg.h"

struct new_site {
    struct pg *pg;
    struct cluster_site site;
    uint8_t token[LOG_PG_TOKEN_SIZE]; /* of this attempt */
    int64_t now_ms;                   /* the database's time */
};

/* INVALID: the site exists, or the server could lose what it acknowledges. */
struct status new_site_begin(struct new_site *n, struct pg *pg, const struct cluster_site_options *options);
/* `s` was stored by snapshot_put_parts. The log goes on with s->seq + 1, in this epoch. BUSY: another attempt was first. */
struct status new_site_end(struct new_site *n, const struct snapshot *s, uint64_t epoch, int64_t at_ms);

#endif
