/* SPDX-License-Identifier: Apache-2.0 */
#include "base/time/zone.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/assertion.h"
#include "base/frame.h"
#include "base/memory/memory.h"
#include "base/time/zone_rule.h"

#define ZONE_FOLDER "/usr/share/zoneinfo"
#define ZONE_HEADER_SIZE 44
#define ZONE_NEVER_S (1LL << 61)          /* an end of a span that does not exist */
#define ZONE_TRANSITION_S_MAX (1LL << 60) /* some files begin with one at -2^59 */

struct zone_transition {
    int64_t at_s;
    int32_t offset_s; /* from then on */
};

struct zone {
    uint32_t owners;
    char name[ZONE_NAME_SIZE_MAX + 1];
    struct zone_rule rule;
    int64_t rule_from_s;    /* the rule holds from here on; ZONE_NEVER_S: there is none */
    int32_t first_offset_s; /* before the first transition */
    uint32_t count;
    struct zone_transition transitions[]; /* ascending */
};

/* A data block of a TZif file (RFC 8536, 3.1): counts as the header has them, and where the parts lie. */
struct zone_block {
    char version;
    uint32_t transition_count, type_count, char_count, leap_count, standard_count, utc_count;
    const uint8_t *times, *indexes, *types;
    uint64_t size; /* of the parts, without the header */
};

bool zone_name_valid(const char *name, size_t size)
{
    if (size == 0 || size > ZONE_NAME_SIZE_MAX || name[size - 1] == '/')
        return false;
    bool part_begins = true;
    for (size_t i = 0; i < size; i++) {
        char letter = name[i];
        bool word = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
                    (letter >= '0' && letter <= '9') || letter == '_' || letter == '+' || letter == '-';
        if (!word && (part_begins || (letter != '/' && letter != '.')))
            return false;
        part_begins = letter == '/';
    }
    return true;
}

static uint32_t zone_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int64_t zone_time(const uint8_t *at, size_t width)
{
    if (width == 4)
        return (int32_t)zone_u32(at);
    return (int64_t)((uint64_t)zone_u32(at) << 32 | zone_u32(at + 4));
}

/* False: not a header, or fewer bytes than the header promises. */
static bool zone_read_block(const uint8_t *bytes, size_t size, size_t width, struct zone_block *out)
{
    if (size < ZONE_HEADER_SIZE || memcmp(bytes, "TZif", 4) != 0)
        return false;
    *out = (struct zone_block){
        .version = (char)bytes[4],
        .utc_count = zone_u32(bytes + 20),
        .standard_count = zone_u32(bytes + 24),
        .leap_count = zone_u32(bytes + 28),
        .transition_count = zone_u32(bytes + 32),
        .type_count = zone_u32(bytes + 36),
        .char_count = zone_u32(bytes + 40),
    };
    uint64_t times = (uint64_t)out->transition_count * width;
    uint64_t types = times + out->transition_count;
    out->size = types + (uint64_t)out->type_count * 6 + out->char_count +
                (uint64_t)out->leap_count * (width + 4) + out->standard_count + out->utc_count;
    if (out->size > size - ZONE_HEADER_SIZE)
        return false;
    out->times = bytes + ZONE_HEADER_SIZE;
    out->indexes = out->times + times;
    out->types = out->times + types;
    return true;
}

static bool zone_type_offset(const struct zone_block *b, uint32_t type, int32_t *offset_s)
{
    if (type >= b->type_count)
        return false;
    *offset_s = (int32_t)zone_u32(b->types + (size_t)type * 6);
    return *offset_s > -ZONE_OFFSET_S_MAX && *offset_s < ZONE_OFFSET_S_MAX;
}

/* Transitions that only change a name are left out. False: an impossible offset, order or instant. */
static bool zone_read_transitions(struct zone *z, const struct zone_block *b, size_t width)
{
    if (!zone_type_offset(b, 0, &z->first_offset_s))
        return false;
    int32_t offset_s = z->first_offset_s;
    int64_t last_s = -ZONE_NEVER_S;
    for (uint32_t i = 0; i < b->transition_count; i++) {
        int64_t at_s = zone_time(b->times + i * width, width);
        int32_t before_s = offset_s;
        if (at_s <= last_s || at_s < -ZONE_TRANSITION_S_MAX || at_s > ZONE_TRANSITION_S_MAX ||
            !zone_type_offset(b, b->indexes[i], &offset_s))
            return false;
        if (offset_s != before_s)
            z->transitions[z->count++] = (struct zone_transition){at_s, offset_s};
        last_s = at_s;
    }
    z->rule_from_s = last_s;
    return true;
}

/* The footer is "\n" TZ "\n"; with nothing between, the last offset stays forever. */
static bool zone_read_footer(struct zone *z, const uint8_t *bytes, size_t size)
{
    if (size < 2 || bytes[0] != '\n')
        return false;
    const uint8_t *end = memchr(bytes + 1, '\n', size - 1);
    if (!end)
        return false;
    if (end == bytes + 1)
        z->rule_from_s = ZONE_NEVER_S;
    else if (!zone_rule_parse((const char *)bytes + 1, (size_t)(end - bytes) - 1, &z->rule))
        return false;
    return true;
}

static bool zone_fill(struct zone *z, const struct zone_block *b, const uint8_t *end)
{
    size_t width = b->version ? 8 : 4;
    if (!zone_read_transitions(z, b, width))
        return false;
    if (b->version)
        return zone_read_footer(z, b->times + b->size, (size_t)(end - b->times) - b->size);
    z->rule_from_s = ZONE_NEVER_S;
    return true;
}

struct zone *zone_parse(const uint8_t *bytes, size_t size, const char *name)
{
    size_t name_size = strlen(name);
    ASSERT(zone_name_valid(name, name_size));
    const uint8_t *end = bytes + size;
    struct zone_block b;
    if (size > ZONE_FILE_SIZE_MAX || !zone_read_block(bytes, size, 4, &b))
        return NULL;
    if (b.version) {
        bytes = b.times + b.size;
        if (!zone_read_block(bytes, (size_t)(end - bytes), 8, &b) || b.version < '2')
            return NULL;
    }
    if (b.leap_count != 0)
        return NULL;
    struct zone *z = memory_zeroed(1, sizeof *z + b.transition_count * sizeof z->transitions[0]);
    if (!zone_fill(z, &b, end)) {
        free(z);
        return NULL;
    }
    z->owners = 1;
    memcpy(z->name, name, name_size);
    return z;
}

/* Returns the number of bytes, 0 when it cannot be read or is no regular file. */
static size_t zone_read_file(const char *path, uint8_t *out, size_t capacity)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO under TZDIR must not block the loop */
    if (fd < 0)
        return 0;
    struct stat about;
    size_t size = 0;
    if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode)) {
        for (ssize_t got; size < capacity && (got = read(fd, out + size, capacity - size)) > 0;)
            size += (size_t)got;
    }
    close(fd);
    return size;
}

LARGE_FRAME("a path, not zeroed; reading the file costs far more")
struct zone *zone_load(const char *name)
{
    if (!zone_name_valid(name, strnlen(name, ZONE_NAME_SIZE_MAX + 1)) || strcmp(name, "localtime") == 0)
        return NULL;
    const char *folder = getenv("TZDIR");
    char path[PATH_MAX] __attribute__((uninitialized));
    int length = snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : ZONE_FOLDER, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return NULL;
    uint8_t *bytes = memory_get(ZONE_FILE_SIZE_MAX + 1); /* one more, so that a longer file is noticed */
    struct zone *z = zone_parse(bytes, zone_read_file(path, bytes, ZONE_FILE_SIZE_MAX + 1), name);
    free(bytes);
    return z;
}
LARGE_FRAME_END

struct zone *zone_retain(struct zone *z)
{
    ASSERT(z->owners > 0 && z->owners < UINT32_MAX);
    z->owners++;
    return z;
}

void zone_release(struct zone *z)
{
    if (!z)
        return;
    ASSERT(z->owners > 0);
    if (--z->owners == 0)
        free(z);
}

const char *zone_name(const struct zone *z)
{
    return z->name;
}

/* The number of transitions at or before an instant. */
static uint32_t zone_count_until(const struct zone *z, int64_t utc_s)
{
    uint32_t low = 0, high = z->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (z->transitions[middle].at_s <= utc_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct zone_span zone_find(const struct zone *z, int64_t utc_s)
{
    if (utc_s >= z->rule_from_s) {
        struct zone_span span = zone_rule_span_at(&z->rule, utc_s);
        if (span.from_s < z->rule_from_s)
            span.from_s = z->rule_from_s;
        return span;
    }
    uint32_t past = zone_count_until(z, utc_s);
    return (struct zone_span){
        .from_s = past > 0 ? z->transitions[past - 1].at_s : -ZONE_NEVER_S,
        .until_s = past < z->count ? z->transitions[past].at_s : z->rule_from_s,
        .offset_s = past > 0 ? z->transitions[past - 1].offset_s : z->first_offset_s,
    };
}

static bool zone_in_range(int64_t seconds)
{
    return seconds >= -ZONE_INSTANT_S_MAX && seconds <= ZONE_INSTANT_S_MAX;
}

struct zone_span zone_span_at(const struct zone *z, int64_t utc_s)
{
    ASSERT(zone_in_range(utc_s));
    return zone_find(z, utc_s);
}

int32_t zone_offset_s(const struct zone *z, int64_t utc_s)
{
    return zone_span_at(z, utc_s).offset_s;
}

int64_t zone_to_utc_s(const struct zone *z, int64_t local_s)
{
    ASSERT(zone_in_range(local_s));
    /* The spans in which the clock could show it, in order: the first that does. Of those that begin after it
     * on their own clock the first comes after the gap it lies in, if it lies in one. */
    struct zone_span span = zone_find(z, local_s - ZONE_OFFSET_S_MAX);
    int32_t before_s = span.offset_s;
    bool passed = false;
    for (;;) {
        int64_t utc_s = local_s - span.offset_s;
        if (utc_s >= span.from_s && utc_s < span.until_s)
            return utc_s;
        passed = passed || utc_s < span.from_s;
        if (!passed)
            before_s = span.offset_s;
        if (span.until_s > local_s + ZONE_OFFSET_S_MAX)
            return local_s - before_s;
        span = zone_find(z, span.until_s);
    }
}
