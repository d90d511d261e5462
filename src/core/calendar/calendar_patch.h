/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_patch.h — a merge patch of a calendar. */
#ifndef CORE_CALENDAR_PATCH_H
#define CORE_CALENDAR_PATCH_H

#include "core/calendar/calendar_image.h"
#include "core/patch.h"

struct zone;

struct calendar_patch {
    struct text id;
    uint64_t given;               /* of calendar_patch_fields */
    struct calendar_image values; /* terms that are null get their defaults (terms.h) */
    struct zone *zone;            /* of its time zone; NULL: it has none */
};

extern const struct patch_field calendar_patch_fields[];

#endif
