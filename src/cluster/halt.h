/* SPDX-License-Identifier: Apache-2.0 */
/* halt.h — stops a log that lost acknowledged changes.
 *
 * The first node that is ahead of the log writes that into `fence.halted`. From then on no node writes or takes over, until
 * `holdfast cluster adopt` (cluster/adopt.h) declares this log valid.
 */
#ifndef CLUSTER_HALT_H
#define CLUSTER_HALT_H

#include <stdint.h>

#include "base/status.h"

struct pg;

/* `why` is a sentence for people. Does nothing if the log is halted already, or if the site has another id by now. */
struct status halt_log(struct pg *pg, int32_t shard, const uint8_t site_id[16], const char *why);

#endif
