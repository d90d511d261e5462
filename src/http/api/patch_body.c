/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/patch_body.h"

#include "base/assertion.h"

uint64_t patch_body_given(const struct json_field *fields, uint64_t named, const struct patch_field *taken)
{
    uint64_t given = 0;
    for (unsigned i = 0; fields[i].kind != JSON_KIND_END; i++) {
        if (!(named >> i & 1) || fields[i].read_only)
            continue;
        uint64_t set = patch_set(taken, fields[i].name);
        ASSERT(set && !fields[i].put_only);
        given |= set;
    }
    return given;
}
