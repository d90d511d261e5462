/* SPDX-License-Identifier: Apache-2.0 */
/* zone_atlas.h — time zones of the system that were loaded so far, each once. For one thread. */
#ifndef BASE_ZONE_ATLAS_H
#define BASE_ZONE_ATLAS_H

#include "base/time/zone.h"

struct zone_atlas {
    struct zone **zones; /* there are a few hundred names at most */
    uint32_t count;
};

/* The atlas's own; who keeps it longer retains it. NULL: there is no such zone. */
struct zone *zone_atlas_find(struct zone_atlas *a, const char *name, size_t size);
void zone_atlas_release(struct zone_atlas *a);

#endif
