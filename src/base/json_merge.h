/* SPDX-License-Identifier: Apache-2.0 */
/* json_merge.h — JSON merge patch (RFC 7396): null removes a member, objects merge member by member, anything
 * else replaces what is there.
 */
#ifndef BASE_JSON_MERGE_H
#define BASE_JSON_MERGE_H

#include "base/buf.h"
#include "base/json_reader.h"

/* Whether `patch` is an object that names no field which only a whole record has (json_field.put_only). What
 * it says of the others is judged when it is merged. */
bool json_merge_check(const char *patch, size_t size, const struct json_field *fields, struct arena *arena,
                      struct json_fault *fault);
/* Appends `target`, an object, as `patch` changes it. Both are JSON: the patch has passed json_merge_check. */
void json_merge(const char *target, size_t target_size, const char *patch, size_t patch_size,
                struct arena *arena, struct buf *out);

#endif
