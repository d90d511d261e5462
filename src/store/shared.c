/* SPDX-License-Identifier: Apache-2.0 */
#include "store/shared.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "log/pg.h"

#define OPEN_LIMIT_MS 30000
#define LOCK_MS 3000

static struct status enter(struct shared *s, struct pg *pg)
{
    int64_t offset_ms = s->clock.boot_ms(s->clock.owner) - clock_system.boot_ms(clock_system.owner);
    struct cluster_site_options site = {.url = s->options.url,
                                .name = s->options.site,
                                .node = s->options.node,
                                .require_standby = s->options.require_standby,
                                .offset_ms = offset_ms};
    _Static_assert(sizeof(site.prints) == sizeof(s->options.prints), "copied whole");
    memcpy(site.prints, s->options.prints, sizeof(site.prints));
    memcpy(site.prints_old, s->options.prints_old, sizeof(site.prints_old));
    struct lease_seen seen;
    bool taken = false;
    struct status fault = cluster_site_open(&s->site, pg, &site);
    if (!status_ok(&fault))
        return fault;
    lease_init(&s->lease, &(struct lease_options){.url = s->options.url,
                                                  .node = s->options.node,
                                                  .advertise = s->options.advertise,
                                                  .token_path = s->token_path,
                                                  .shard = s->site.shard});
    fault = lease_look(&s->lease, pg, &seen);
    if (status_ok(&fault) && seen.halted)
        fault = status_make(STATUS_CORRUPT, "the log was halted: %.150s", seen.why);
    if (status_ok(&fault) && seen.free)
        fault = lease_take_whole(&s->lease, pg, &seen, &taken);
    if (status_ok(&fault) && !taken) {
        s->lease.epoch = 0;
        if (!seen.own)
            snprintf(s->owner_url, sizeof(s->owner_url), "%s", seen.url);
        log_info("another node owns the site; following it", {"owner", LOG_STR(seen.url)});
    }
    return fault;
}

struct status shared_open(struct shared *s, const struct store_options *options, const struct folder *folder)
{
    *s = (struct shared){.options = *options->shared, .clock = options->clock};
    if (access(folder->journal, F_OK) == 0)
        return status_make(STATUS_INVALID,
                           "%.150s has a journal of its own; --store needs a folder without one", options->data);
    int size = snprintf(s->token_path, sizeof(s->token_path), "%s/owner.token", options->data);
    ASSERT(size > 0 && (size_t)size < sizeof(s->token_path)); /* book.sqlite, which is longer, did fit */
    struct pg *pg = pg_make(&(struct pg_options){
        .url = s->options.url, .name = "holdfast start", .limit_ms = OPEN_LIMIT_MS, .lock_ms = LOCK_MS});
    struct status fault = enter(s, pg);
    pg_release(pg);
    return fault;
}

struct log_pg_options shared_log(const struct shared *s)
{
    struct log_pg_options o = {.url = s->options.url, .shard = s->site.shard, .epoch = s->lease.epoch};
    memcpy(o.id, s->site.id, sizeof(o.id));
    memcpy(o.token, s->lease.token, sizeof(o.token));
    o.upto_seq = s->replicated_seq;
    return o;
}

static int64_t shared_wall_ms(void *owner)
{
    const struct shared *s = owner;
    return s->clock.boot_ms(s->clock.owner) + lease_ahead_ms(&s->lease);
}

static int64_t shared_boot_ms(void *owner)
{
    const struct shared *s = owner;
    return s->clock.boot_ms(s->clock.owner);
}

struct clock_source shared_clock(struct shared *s)
{
    return (struct clock_source){.wall_ms = shared_wall_ms, .boot_ms = shared_boot_ms, .owner = s};
}
