/* SPDX-License-Identifier: Apache-2.0 */
#include "cluster/follow_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/zone.h"
#include "core/change.h"

struct follow_row *follow_row_make(const struct log_batch *batch, uint64_t epoch, uint64_t seen_ns)
{
    struct follow_row *r = memory_get(sizeof(*r) + batch->size);
    *r = (struct follow_row){.batch = *batch, .epoch = epoch, .seen_ns = seen_ns};
    memcpy(r + 1, batch->bytes, batch->size);
    r->batch.bytes = (const uint8_t *)(r + 1);
    return r;
}

static struct text zone_named(const struct change *c)
{
    return c->kind == CHANGE_CALENDAR ? c->calendar.timezone
           : c->kind == CHANGE_EVENT  ? c->event.timezone
                                      : (struct text){0};
}

static struct status load_zone(struct follow_row *r, uint32_t change, struct text name)
{
    char path[ZONE_NAME_SIZE_MAX + 1] = {0};
    if (name.size <= ZONE_NAME_SIZE_MAX)
        memcpy(path, name.at, name.size);
    struct zone *zone = path[0] ? zone_load(path) : NULL;
    if (!zone)
        return status_make(STATUS_INVALID, "this system lacks the time zone %.64s: install tzdata, or set TZDIR", path);
    r->zones = memory_room_counted(r->zones, r->zone_count, sizeof(*r->zones));
    r->zones[r->zone_count++] = (struct follow_zone){change, zone};
    return status_none();
}

static void note_kind(struct follow_row *r, const struct change *c)
{
    r->changes_records = r->changes_records || c->kind == CHANGE_PAYMENT ||
                         (c->kind == CHANGE_RESERVATION && c->reservation.image.version > 1);
    r->changes_layouts = r->changes_layouts || c->kind == CHANGE_SEATS_PUBLISHED || c->kind == CHANGE_SEATS_REMOVED;
}

struct status follow_row_load(struct follow_row *r, struct change *scratch)
{
    struct bytes_reader in = bytes_reader_make(r->batch.bytes, r->batch.size);
    struct status fault = status_none();
    for (uint32_t i = 0; status_ok(&fault) && i < r->batch.count; i++) {
        if (!change_decode(&in, r->batch.first_seq + i, scratch))
            return status_make(STATUS_CORRUPT, "cannot read the change with seq %llu",
                               (unsigned long long)(r->batch.first_seq + i));
        note_kind(r, scratch);
        struct text name = zone_named(scratch);
        if (name.at)
            fault = load_zone(r, i, name);
    }
    if (status_ok(&fault) && bytes_left(&in))
        fault = status_make(STATUS_CORRUPT, "the row of the log with seq %llu has more than its changes",
                            (unsigned long long)r->batch.first_seq);
    return fault;
}

struct zone *follow_row_zone(struct follow_row *r, uint32_t change)
{
    for (uint32_t i = 0; i < r->zone_count; i++)
        if (r->zones[i].change == change) {
            struct zone *zone = r->zones[i].zone;
            ASSERT(zone); /* asked for once */
            r->zones[i].zone = NULL;
            return zone;
        }
    return NULL;
}

void follow_row_release(struct follow_row *r)
{
    for (uint32_t i = 0; r && i < r->zone_count; i++)
        if (r->zones[i].zone)
            zone_release(r->zones[i].zone);
    if (r)
        free(r->zones);
    free(r);
}
