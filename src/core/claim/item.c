/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/item.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"

bool item_extra_says(const struct item_extra *extra)
{
    return extra && extra->attributes.at;
}

struct item_extra *item_extra_own(const struct item_extra *extra)
{
    if (!item_extra_says(extra))
        return NULL;
    ASSERT(extra->attributes.size <= ITEM_ATTRIBUTES_SIZE_MAX);
    struct item_extra *own = memory_zeroed(1, sizeof(*own));
    own->attributes = text_own(extra->attributes);
    return own;
}

void item_extra_free(struct item_extra *own)
{
    if (!own)
        return;
    text_free(own->attributes);
    free(own);
}

void item_set_attributes(struct item *item, struct text attributes)
{
    struct item_extra before = item->extra ? *item->extra : (struct item_extra){0}, after = before;
    after.attributes = text_equal(attributes, TEXT("{}")) ? (struct text){0} : attributes;
    struct item_extra *old = item->extra;
    item->extra = item_extra_own(&after);
    item_extra_free(old);
    ASSERT(!item->extra || item_extra_says(item->extra));
}
