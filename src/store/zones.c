/* SPDX-License-Identifier: Apache-2.0 */
#include "store/zones.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/zone.h"

/* Those loaded so far, each under its name: there are a few hundred names at most. */
struct atlas {
    struct zone **zones;
    uint32_t count;
};

static struct zone *zone_of(struct atlas *a, struct text name)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (text_equal(name, (struct text){zone_name(a->zones[i]), strlen(zone_name(a->zones[i]))}))
            return a->zones[i];
    char *terminated = memory_copy(name.at, name.size);
    struct zone *zone = zone_load(terminated);
    free(terminated);
    if (!zone)
        return NULL;
    a->zones = memory_grow(a->zones, a->count + 1u, sizeof(*a->zones));
    a->zones[a->count++] = zone;
    return zone;
}

static void atlas_release(struct atlas *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        zone_release(a->zones[i]);
    free(a->zones);
}

struct status zones_give(struct state *st)
{
    struct atlas atlas = {0};
    struct status fault = status_none();
    for (uint32_t i = 0; i < st->calendar_listed && status_ok(&fault); i++) {
        struct calendar *c = calendar_listed(st, i);
        struct zone *zone = zone_of(&atlas, c->image.timezone);
        if (zone)
            calendar_set_zone(c, zone);
        else
            fault = status_make(STATUS_INVALID,
                                "calendar %.*s is in the time zone %.*s, which this system lacks: install "
                                "tzdata, or set TZDIR to a folder that has it",
                                (int)c->image.id.size, c->image.id.at, (int)c->image.timezone.size,
                                c->image.timezone.at);
    }
    /* Each calendar has a reference of its own. */
    atlas_release(&atlas);
    return fault;
}

void zones_check(const struct state *st, void (*unknown)(void *ctx, const struct calendar_image *calendar),
                 void *ctx)
{
    struct atlas atlas = {0};
    for (uint32_t i = 0; i < st->calendar_listed; i++)
        if (!zone_of(&atlas, calendar_listed(st, i)->image.timezone))
            unknown(ctx, &calendar_listed(st, i)->image);
    atlas_release(&atlas);
}
