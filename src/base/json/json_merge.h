/* SPDX-License-Identifier: Apache-2.0 */
/* json_merge.h — JSON merge patch (RFC 7396): null removes a member, objects merge member by member, anything
 * else replaces what is there.
 *
 * For values stored as JSON. A patch of a record that a table describes is read by json_read_patch.
 */
#ifndef BASE_JSON_MERGE_H
#define BASE_JSON_MERGE_H

#include "base/memory/arena.h"
#include "base/memory/buf.h"

/* Appends `target` as `patch` changes it. Both are JSON objects; an empty patch is {}. */
void json_merge(const char *target, size_t target_size, const char *patch, size_t patch_size,
                struct arena *arena, struct buf *out);

#endif
