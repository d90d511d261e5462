/* SPDX-License-Identifier: Apache-2.0 */
/* patch.h — which fields of a record a merge patch names, as data.
 *
 * A patch is a set of fields, and an image that has their values as a PUT would bring them: null is what a PUT without
 * the field would bring. Core merges it into the record as it is when the command's turn comes, so that patches of
 * different fields never undo each other, and judges the result as a PUT.
 *
 * To make a field known to patches: a row of the record's table (catalogue/event_patch.c, calendar/calendar_patch.c).
 */
#ifndef CORE_PATCH_H
#define CORE_PATCH_H

#include <stddef.h>
#include <stdint.h>

/* One member of the image; a field that is kept in two has two rows of the same name. */
struct patch_field {
    const char *name; /* as people call it; NULL: behind the last one */
    uint16_t offset, size;
};
#define PATCH_FIELD(type, name_, member)                                                                     \
    {                                                                                                        \
        .name = name_, .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)                 \
    }
/* Of a record that is sold from: what its `terms` have in common. */
/* clang-format off */
#define PATCH_TERMS(type) \
    PATCH_FIELD(type, "currency", terms.currency), \
    PATCH_FIELD(type, "hold_ttl_seconds", terms.hold_ttl_s), \
    PATCH_FIELD(type, "max_hold_seconds", terms.max_hold_s), \
    PATCH_FIELD(type, "payment_ttl_seconds", terms.payment_ttl_s), \
    PATCH_FIELD(type, "payment", terms.payment), \
    PATCH_FIELD(type, "late_payment", terms.late_payment)
/* clang-format on */

/* The set that has this field alone; 0: there is no such field. */
uint64_t patch_set(const struct patch_field *fields, const char *name);
/* Takes over what is in the set; both are images that the table describes. */
void patch_take(const struct patch_field *fields, uint64_t set, const void *from, void *to);

#endif
