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
    uint64_t queue_given; /* of queue_patch_fields: the fields of waiting_room */
    /* The values. Terms that are null get their defaults (terms.h). The waiting room is complete, for an event that has
     * none. Prices are themselves a merge patch, JSON by tier and category; none: remove all. entry_key is random, as
     * in a PUT. */
    struct event_image values;
    uint8_t seed[32];  /* random, as in a PUT */
    struct zone *zone; /* as in a PUT */
};

extern const struct patch_field event_patch_fields[], queue_patch_fields[];

#endif
