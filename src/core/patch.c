/* SPDX-License-Identifier: Apache-2.0 */
#include "core/patch.h"

#include <string.h>

#include "base/assertion.h"

uint64_t patch_set(const struct patch_field *fields, const char *name)
{
    uint64_t set = 0;
    for (unsigned i = 0; fields[i].name; i++) {
        ASSERT(i < 64);
        if (strcmp(fields[i].name, name) == 0)
            set |= 1ULL << i;
    }
    return set;
}

void patch_take(const struct patch_field *fields, uint64_t set, const void *from, void *to)
{
    ASSERT(from != to);
    for (unsigned i = 0; fields[i].name; i++)
        if (set >> i & 1)
            memcpy((char *)to + fields[i].offset, (const char *)from + fields[i].offset, fields[i].size);
}
