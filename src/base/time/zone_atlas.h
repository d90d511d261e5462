/* SPDX-License-Identifier: Apache-2.0 */
/* zone_atlas.h — the system's time zones, each loaded once, when it is first needed. For one thread. */
#ifndef BASE_ZONE_ATLAS_H
#define BASE_ZONE_ATLAS_H

#include "base/time/zone.h"

struct zone_atlas {
    struct zone **zones; /* there are a few hundred names at most */
    uint32_t count;
};

/* Owned by the atlas; a caller that keeps it longer must retain it. NULL: there is no such zone. */
struct zone *zone_atlas_find(struct zone_atlas *a, const char *name, size_t size);
void zone_atlas_release(struct zone_atlas *a);

#endif
