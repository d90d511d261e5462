/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/site_status.h"

#include <stdio.h>
#include <stdlib.h>

#include "log/pg.h"

static const char site_sql[] =
    "SELECT f.epoch, coalesce(l.owner,''), (f.halted IS NOT NULL)::int, coalesce(f.halted,''), s.format,"
    " coalesce((SELECT min(first_seq) FROM log WHERE shard=$1::int),0),"
    " coalesce((SELECT first_seq+count-1 FROM log WHERE shard=$1::int ORDER BY first_seq DESC LIMIT 1),0),"
    " coalesce((SELECT max(seq) FROM snapshot_done WHERE shard=$1::int),0)"
    " FROM site s JOIN fence f ON f.shard=s.shard JOIN lease l ON l.shard=s.shard WHERE s.shard=$1::int";
enum { EPOCH, OWNER, IS_HALTED, HALTED, FORMAT, FIRST, LAST, SNAPSHOT };

struct status site_status_read(struct site_status *s, struct pg *pg, int32_t shard)
{
    const struct pg_value values[] = {PG_INT(shard)};
    size_t size;
    *s = (struct site_status){0};
    if (pg_run(pg, site_sql, values, 1) != PG_DONE)
        return status_make(STATUS_IO, "cannot look at the site: %.150s", pg_fault(pg));
    if (pg_rows_count(pg) != 1)
        return status_make(STATUS_CORRUPT, "the site has no row in fence or lease");
    s->epoch = (uint64_t)pg_int(pg, 0, EPOCH);
    snprintf(s->owner, sizeof(s->owner), "%s", (const char *)pg_bytes(pg, 0, OWNER, &size));
    s->is_halted = pg_int(pg, 0, IS_HALTED) == 1;
    snprintf(s->halted, sizeof(s->halted), "%s", (const char *)pg_bytes(pg, 0, HALTED, &size));
    s->format = (int32_t)pg_int(pg, 0, FORMAT);
    s->first_seq = (uint64_t)pg_int(pg, 0, FIRST);
    s->last_seq = (uint64_t)pg_int(pg, 0, LAST);
    s->snapshot_seq = (uint64_t)pg_int(pg, 0, SNAPSHOT);
    return node_list(pg, shard, &s->nodes, &s->node_count);
}

void site_status_release(struct site_status *s)
{
    free(s->nodes);
    *s = (struct site_status){0};
}
