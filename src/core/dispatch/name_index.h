/* SPDX-License-Identifier: Apache-2.0 */
/* name_index.h — the records of a fleet that name a person: rides by rider, offers by driver.
 *
 * Finds the records of an erased user among any number of rides. Owns only which records belong together: the records
 * have the name and the link. Those with the same name form a list, and the table has the first of each.
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
/* Adds a record that has its name; removes one that is about to lose it. */
void name_index_add(struct name_index *n, uint32_t handle);
void name_index_remove(struct name_index *n, uint32_t handle);
/* One of the records with this name, handle + 1; 0: none. The others follow by their links. */
uint32_t name_index_first(const struct name_index *n, struct text name);
/* Whether this record is listed where it should be. */
bool name_index_has(const struct name_index *n, uint32_t handle);

#endif
