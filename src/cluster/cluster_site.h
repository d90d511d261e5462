/* SPDX-License-Identifier: Apache-2.0 */
/* cluster_site.h — a site in the database: one log with one owner, and what all its nodes must agree on.
 *
 * The first node creates the tables, the site and the first row of its log, in one transaction. Every node then checks that
 * the server's settings are durable, and that it has the secrets of the site.
 */
#ifndef CLUSTER_CLUSTER_SITE_H
#define CLUSTER_CLUSTER_SITE_H

#include <stdint.h>

#include "base/status.h"

struct pg;

#define SITE_FORMAT 1 /* the kinds of change that may be in the log */
#define SITE_PRINTS_SIZE 32

struct cluster_site_options {
    const char *url;     /* postgres://… */
    const char *name;    /* of the site: 1 to 40 of a-z, 0-9, - and _ */
    const char *node;    /* the id of this node */
    uint8_t prints[SITE_PRINTS_SIZE];     /* fingerprints of the secrets */
    uint8_t prints_old[SITE_PRINTS_SIZE]; /* of those that are being replaced; or the same */
    bool require_standby;
    int64_t offset_ms; /* added to the database's time, by tests */
};

struct cluster_site {
    int32_t shard;
    uint8_t id[16];
};

/* INVALID: the server is set up in a way that could lose acknowledged changes, or this node is not of this site. IO: the
 * server does not answer. */
struct status cluster_site_open(struct cluster_site *s, struct pg *pg, const struct cluster_site_options *options);
/* Read-only: creates nothing, and needs no secrets. INVALID: there is no such site, or a newer version wrote it. */
struct status cluster_site_find(struct cluster_site *s, struct pg *pg, const char *name);
struct status cluster_site_name_check(const char *name);
/* Whether connections stay whole (cluster/pooler.h), the server keeps what it acknowledges, and the name is valid; sets the
 * database's time. */
struct status cluster_site_server_check(struct pg *pg, const struct cluster_site_options *options, int64_t *now_ms);
/* Creates the tables, where they are missing: statements for pg_script. */
extern const char cluster_site_tables[];

#endif
