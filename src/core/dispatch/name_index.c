/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/name_index.h"

#include "base/assertion.h"
#include "core/dispatch/driver.h"

static uint64_t name_index_hash_of(void *owner, uint32_t handle)
{
    const struct name_index *n = owner;
    return driver_hash(n->name_of(n->fleet, handle));
}

static bool same_name(void *owner, uint32_t handle, const void *key)
{
    const struct name_index *n = owner;
    return text_equal(n->name_of(n->fleet, handle), *(const struct text *)key);
}

void name_index_init(struct name_index *n, struct fleet *f,
                     struct text (*name_of)(const struct fleet *f, uint32_t handle),
                     struct name_link *(*link_of)(const struct fleet *f, uint32_t handle))
{
    n->fleet = f;
    n->name_of = name_of;
    n->link_of = link_of;
    table_init(&n->first, name_index_hash_of, n);
}

void name_index_release(struct name_index *n)
{
    table_release(&n->first);
}

uint32_t name_index_first(const struct name_index *n, struct text name)
{
    uint32_t found = table_find(&n->first, driver_hash(name), same_name, &name);
    ASSERT(found == TABLE_NONE || !n->link_of(n->fleet, found)->previous);
    return found == TABLE_NONE ? 0 : found + 1;
}

/* After the first, so that the table stays as it is. */
void name_index_add(struct name_index *n, uint32_t handle)
{
    struct text name = n->name_of(n->fleet, handle);
    struct name_link *link = n->link_of(n->fleet, handle);
    ASSERT(name.size && !link->next && !link->previous);
    uint32_t first = name_index_first(n, name);
    if (!first) {
        table_insert(&n->first, driver_hash(name), handle);
        return;
    }
    ASSERT(first != handle + 1); /* it is new here */
    struct name_link *before = n->link_of(n->fleet, first - 1);
    *link = (struct name_link){.next = before->next, .previous = first};
    if (before->next)
        n->link_of(n->fleet, before->next - 1)->previous = handle + 1;
    before->next = handle + 1;
}

void name_index_remove(struct name_index *n, uint32_t handle)
{
    struct name_link *link = n->link_of(n->fleet, handle);
    ASSERT(name_index_has(n, handle));
    if (link->previous) {
        n->link_of(n->fleet, link->previous - 1)->next = link->next;
    } else {
        uint64_t hash = name_index_hash_of(n, handle);
        table_remove(&n->first, hash, handle);
        if (link->next)
            table_insert(&n->first, hash, link->next - 1);
    }
    if (link->next)
        n->link_of(n->fleet, link->next - 1)->previous = link->previous;
    *link = (struct name_link){0};
}

bool name_index_has(const struct name_index *n, uint32_t handle)
{
    const struct name_link *link = n->link_of(n->fleet, handle);
    struct text name = n->name_of(n->fleet, handle);
    if (link->next && n->link_of(n->fleet, link->next - 1)->previous != handle + 1)
        return false;
    if (!link->previous)
        return table_find(&n->first, driver_hash(name), same_name, &name) == handle;
    return n->link_of(n->fleet, link->previous - 1)->next == handle + 1 &&
           text_equal(n->name_of(n->fleet, link->previous - 1), name);
}
