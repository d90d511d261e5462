/* SPDX-License-Identifier: Apache-2.0 */
/* zone_fixture.h — zones for tests that must not depend on the data of the machine. */
#ifndef TESTS_UNIT_ZONE_FIXTURE_H
#define TESTS_UNIT_ZONE_FIXTURE_H

#include <stdint.h>
#include <string.h>

#include "base/memory/buf.h"
#include "base/time/zone.h"

#define ZONE_BERLIN "CET-1CEST,M3.5.0,M10.5.0/3"
#define ZONE_LORD_HOWE "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0"

struct fixture_transition {
    int64_t at_s;
    uint8_t type;
};

/* The parts of a TZif file. */
struct fixture_file {
    char version; /* '\0' or '2' and up */
    const int32_t *offsets;
    uint32_t offset_count;
    const struct fixture_transition *transitions;
    uint32_t transition_count;
    uint32_t leap_count;
    const char *footer;
};

static inline void fixture_u32(struct buf *b, uint32_t v)
{
    const uint8_t bytes[4] = {(uint8_t)(v >> 24), (uint8_t)(v >> 16), (uint8_t)(v >> 8), (uint8_t)v};
    buf_append(b, bytes, sizeof bytes);
}

static inline void fixture_block(struct buf *b, const struct fixture_file *f, bool wide)
{
    static const char zeros[64] = {0};
    buf_append(b, "TZif", 4);
    buf_append(b, &f->version, 1);
    buf_append(b, zeros, 15 + 8);
    fixture_u32(b, f->leap_count);
    fixture_u32(b, f->transition_count);
    fixture_u32(b, f->offset_count);
    fixture_u32(b, 4);
    for (uint32_t i = 0; i < f->transition_count; i++) {
        if (wide)
            fixture_u32(b, (uint32_t)((uint64_t)f->transitions[i].at_s >> 32));
        fixture_u32(b, (uint32_t)f->transitions[i].at_s);
    }
    for (uint32_t i = 0; i < f->transition_count; i++)
        buf_append(b, &f->transitions[i].type, 1);
    for (uint32_t i = 0; i < f->offset_count; i++) {
        fixture_u32(b, (uint32_t)f->offsets[i]);
        buf_append(b, zeros, 2);
    }
    buf_append(b, "ABC", 4);
    for (uint32_t i = 0; i < f->leap_count; i++)
        buf_append(b, zeros, wide ? 12 : 8);
}

/* The bytes; the 32-bit part of a newer file has one offset that does not belong to the zone. */
static inline struct buf fixture_bytes(const struct fixture_file *f)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    if (f->version) {
        const int32_t wrong = 12345;
        struct fixture_file narrow = {.version = f->version, .offsets = &wrong, .offset_count = 1};
        fixture_block(&b, &narrow, false);
    }
    fixture_block(&b, f, f->version != '\0');
    if (f->version) {
        buf_append(&b, "\n", 1);
        buf_append(&b, f->footer, strlen(f->footer));
        buf_append(&b, "\n", 1);
    }
    return b;
}

static inline struct zone *fixture_make(const struct fixture_file *f)
{
    struct buf b = fixture_bytes(f);
    struct zone *z = zone_parse(b.data, b.size, "Test/Zone");
    buf_release(&b);
    return z;
}

/* A zone that consists of a rule; NULL: the rule is invalid. */
static inline struct zone *fixture_rule(const char *rule)
{
    static const int32_t offsets[] = {0};
    struct fixture_file f = {.version = '2', .offsets = offsets, .offset_count = 1, .footer = rule};
    return fixture_make(&f);
}

#endif
