/* SPDX-License-Identifier: Apache-2.0 */
/* event_patch.h — a merge patch of an event. */
#ifndef CORE_EVENT_PATCH_H
#define CORE_EVENT_PATCH_H

#include "core/image.h"
#include "core/patch.h"

struct zone; /* base/time/zone.h */

struct event_patch {
    struct text id;
    uint64_t given;       /* of event_patch_fields */
    uint64_t queue_given; /* of queue_patch_fields: what it names in waiting_room */
    /* The values. Terms that are null are left open (terms.h). A waiting room is complete, for an event that has none.
     * Prices are a merge patch themselves, JSON by tier and category; at == NULL: none are left. entry_key is
     * random, as in a PUT. */
    struct event_image values;
    uint8_t seed[32];  /* random, as in a PUT */
    struct zone *zone; /* the same */
};

extern const struct patch_field event_patch_fields[], queue_patch_fields[];

#endif
