/* SPDX-License-Identifier: Apache-2.0 */
/* patch.h — which fields of a record a merge patch names, as data.
 *
 * A patch is a set of fields, and an image with their values as in a PUT: null is the value of a PUT without the field.
 * Core merges it into the record when it applies the command, so that patches of different fields never undo each
 * other, and judges the result like a PUT.
 *
 * To make a field patchable, add a row to the record's table (catalogue/event_patch.c, calendar/calendar_patch.c). A plain
 * setting has its row in EVENT_SETTINGS or CALENDAR_RULES already.
 */
#ifndef CORE_PATCH_H
#define CORE_PATCH_H

#include <stddef.h>
#include <stdint.h>

/* One member of the image; a field stored in two members has two rows of the same name. */
struct patch_field {
    const char *name; /* as in JSON; NULL: end of the table */
    uint16_t offset, size;
};
#define PATCH_FIELD(type, name_, member)                                                                     \
    {                                                                                                        \
        .name = name_, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)                 \
    }
/* The fields of `terms`, for events and calendars. */
/* clang-format off */
#define PATCH_TERMS(type) \
    PATCH_FIELD(type, "currency", terms.currency), \
    PATCH_FIELD(type, "hold_ttl_seconds", terms.hold_ttl_s), \
    PATCH_FIELD(type, "max_hold_seconds", terms.max_hold_s), \
    PATCH_FIELD(type, "payment_ttl_seconds", terms.payment_ttl_s), \
    PATCH_FIELD(type, "payment", terms.payment), \
    PATCH_FIELD(type, "late_payment", terms.late_payment)
/* clang-format on */

/* The set with only this field; 0: no such field. */
uint64_t patch_set(const struct patch_field *fields, const char *name);
/* Copies the fields in the set; both are images that the table describes. */
void patch_take(const struct patch_field *fields, uint64_t set, const void *from, void *to);

#endif
