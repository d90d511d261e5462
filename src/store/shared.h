/* SPDX-License-Identifier: Apache-2.0 */
/* shared.h — a store whose log is in PostgreSQL: this process as a node of a site. For the files of store/ only.
 *
 * The node takes the site over if it has no owner, and follows the owner otherwise (store/following.h). Everything else is the
 * same as with a journal: the book is in the data folder, and the log is read from where the book ends.
 */
#ifndef STORE_SHARED_H
#define STORE_SHARED_H

#include "base/time/clock.h"
#include "cluster/lease.h"
#include "cluster/cluster_site.h"
#include "store/folder.h"
#include "store/store.h"

struct shared {
    struct store_shared options;
    struct cluster_site site;
    struct lease lease; /* epoch 0: another node owns the site */
    char owner_url[LEASE_URL_SIZE]; /* then: where it is reached, as seen at the start */
    uint64_t replicated_seq; /* then: what may be shown of its log, */
    uint64_t replicated_ns;  /* as of this moment, by CLOCK_MONOTONIC */
    struct clock_source clock; /* the host's, with the offset of a test */
    char token_path[FOLDER_PATH_MAX];
};

/* The folder is locked. INVALID: it has a journal of its own, or the options do not fit the site. */
struct status shared_open(struct shared *s, const struct store_options *options, const struct folder *folder);
/* The log of this node's epoch. */
struct log_pg_options shared_log(const struct shared *s);
/* The database's time, advanced by this host's clock. */
struct clock_source shared_clock(struct shared *s);

#endif
