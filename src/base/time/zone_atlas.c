/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/zone_atlas.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

struct zone *zone_atlas_find(struct zone_atlas *a, const char *name, size_t size)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (strlen(zone_name(a->zones[i])) == size && memcmp(zone_name(a->zones[i]), name, size) == 0)
            return a->zones[i];
    char *terminated = memory_copy(name, size);
    struct zone *zone = zone_load(terminated);
    free(terminated);
    if (!zone)
        return NULL;
    a->zones = memory_grow(a->zones, a->count + 1u, sizeof(*a->zones));
    a->zones[a->count++] = zone;
    return zone;
}

void zone_atlas_release(struct zone_atlas *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        zone_release(a->zones[i]);
    free(a->zones);
    *a = (struct zone_atlas){0};
}
