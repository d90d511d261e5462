/* SPDX-License-Identifier: Apache-2.0 */
/* name_index.h — the records of a fleet that bear one person's name: rides by rider, offers by driver.
 *
 * Whoever is erased is found by it, among however many rides. Owns which of them belong together and nothing else: the
 * records have the name and the link. Those of one name are a list, and the table has the first of each.
 */
#ifndef CORE_NAME_INDEX_H
#define CORE_NAME_INDEX_H

#include "base/memory/table.h"
#include "core/types.h"

struct fleet;

struct name_link {
    uint32_t next, previous; /* of the same name, handle + 1 */
};

struct name_index {
    struct fleet *fleet;
    struct text (*name_of)(const struct fleet *f, uint32_t handle);
    struct name_link *(*link_of)(const struct fleet *f, uint32_t handle);
    struct table first;
};

void name_index_init(struct name_index *n, struct fleet *f,
                     struct text (*name_of)(const struct fleet *f, uint32_t handle),
                     struct name_link *(*link_of)(const struct fleet *f, uint32_t handle));
void name_index_release(struct name_index *n);
/* A record that has its name now, or is about to lose it. */
void name_index_add(struct name_index *n, uint32_t handle);
void name_index_remove(struct name_index *n, uint32_t handle);
/* One of those of this name, handle + 1; 0: there is none. The others follow by their links. */
uint32_t name_index_first(const struct name_index *n, struct text name);
/* Whether this record is where it should be. */
bool name_index_has(const struct name_index *n, uint32_t handle);

#endif
