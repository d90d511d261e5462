/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/halt.h"

#include "log/pg.h"

struct status halt_log(struct pg *pg, int32_t shard, const uint8_t site_id[16], const char *why)
{
    /* Locks the site's row first, as adopt does: after that no node can halt the log that adopt declared valid. */
    static const char sql[] =
        "WITH s AS (SELECT 1 FROM site WHERE shard=$1::int AND id=$2 FOR SHARE)"
        "UPDATE fence SET halted=$3 WHERE shard=$1::int AND halted IS NULL AND EXISTS (SELECT 1 FROM s)";
    const struct pg_value values[] = {PG_INT(shard), PG_ID(site_id), PG_TEXT(why)};
    return pg_run_repeated(pg, sql, values, 3) == PG_DONE
               ? status_none()
               : status_make(STATUS_IO, "cannot halt the log: %.150s", pg_fault(pg));
}
