/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/item.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

bool item_extra_used(const struct item_extra *extra)
{
    return extra && (extra->attributes.at || extra->category.at || extra->code.at || extra->allotment.at ||
                     extra->group);
}

struct item_extra *item_extra_own(const struct item_extra *extra)
{
    if (!item_extra_used(extra))
        return NULL;
    ASSERT(extra->attributes.size <= ITEM_ATTRIBUTES_SIZE_MAX && extra->category.size <= LABEL_SIZE_MAX);
    struct item_extra *own = memory_zeroed(1, sizeof(*own));
    own->attributes = text_own(extra->attributes);
    own->category = text_own(extra->category);
    own->code = text_own(extra->code);
    own->allotment = text_own(extra->allotment);
    own->group = extra->group;
    return own;
}

void item_extra_free(struct item_extra *own)
{
    if (!own)
        return;
    text_free(own->attributes);
    text_free(own->category);
    text_free(own->code);
    text_free(own->allotment);
    free(own);
}

static struct item_extra extra_of(const struct item *item)
{
    return item->extra ? *item->extra : (struct item_extra){0};
}

/* Copies before freeing the old one: the new one can borrow texts from it. */
static void set_extra(struct item *item, const struct item_extra *after)
{
    struct item_extra *old = item->extra;
    item->extra = item_extra_own(after);
    item_extra_free(old);
    ASSERT(!item->extra || item_extra_used(item->extra));
}

/* {} is stored as none. */
static struct text attributes_kept(struct text attributes)
{
    return text_equal(attributes, TEXT("{}")) ? (struct text){0} : attributes;
}

bool item_has_attributes(const struct item *item, struct text attributes)
{
    struct text own = extra_of(item).attributes, other = attributes_kept(attributes);
    return !own.at == !other.at && text_equal(own, other);
}

void item_set_attributes(struct item *item, struct text attributes)
{
    struct item_extra after = extra_of(item);
    after.attributes = attributes_kept(attributes);
    set_extra(item, &after);
}

void item_set_category(struct item *item, struct text category)
{
    struct item_extra after = extra_of(item);
    after.category = category;
    set_extra(item, &after);
}

void item_set_allotment(struct item *item, struct text allotment)
{
    struct item_extra after = extra_of(item);
    ASSERT(allotment.size <= ID_SIZE_MAX);
    after.allotment = allotment;
    set_extra(item, &after);
}
