/* SPDX-License-Identifier: Apache-2.0 */
/* zone_parse with any bytes, as a whole file and as the rule of one. An accepted zone must answer about every instant
 * as zone.h promises. */
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/time/zone.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fuzz_check_instant(const struct zone *z, int64_t utc_s)
{
    struct zone_span span = zone_span_at(z, utc_s);
    ASSERT(span.from_s <= utc_s && utc_s < span.until_s);
    ASSERT(span.offset_s > -ZONE_OFFSET_S_MAX && span.offset_s < ZONE_OFFSET_S_MAX);
    int64_t local_s = utc_s + span.offset_s;
    int64_t first_s = zone_to_utc_s(z, local_s);
    ASSERT(first_s <= utc_s); /* the clock shows it at utc_s, and perhaps before */
    ASSERT(first_s + zone_offset_s(z, first_s) == local_s);
    zone_to_utc_s(z, local_s + 1800); /* can be skipped: any answer, but one */
}

static void fuzz_check(struct zone *z)
{
    if (!z)
        return;
    for (int64_t utc_s = -3000000000; utc_s < 6000000000; utc_s += 123456789)
        fuzz_check_instant(z, utc_s);
    int64_t at_s = 1700000000;
    for (int i = 0; i < 20 && at_s < ZONE_INSTANT_S_MAX / 2; i++) { /* over the changes themselves */
        at_s = zone_span_at(z, at_s).until_s;
        if (at_s >= ZONE_INSTANT_S_MAX / 2)
            break;
        fuzz_check_instant(z, at_s - 1);
        fuzz_check_instant(z, at_s);
    }
    fuzz_check_instant(z, -ZONE_INSTANT_S_MAX + ZONE_OFFSET_S_MAX);
    fuzz_check_instant(z, ZONE_INSTANT_S_MAX - ZONE_OFFSET_S_MAX - 1800);
    zone_release(z);
}

/* The same bytes as the footer of a file that has nothing else. */
static struct zone *fuzz_rule(const uint8_t *data, size_t size)
{
    static const uint8_t block[44 + 6 + 1] = {'T', 'Z', 'i', 'f', '2', [39] = 1, [43] = 1};
    size_t total = 2 * sizeof block + size + 2;
    uint8_t *file = malloc(total);
    ASSERT(file);
    memcpy(file, block, sizeof block);
    memcpy(file + sizeof block, block, sizeof block);
    file[2 * sizeof block] = '\n';
    if (size)
        memcpy(file + 2 * sizeof block + 1, data, size);
    file[total - 1] = '\n';
    struct zone *z = zone_parse(file, total, "Fuzz/Rule");
    free(file);
    return z;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_check(zone_parse(data, size, "Fuzz/Zone"));
    fuzz_check(fuzz_rule(data, size));
    return 0;
}
