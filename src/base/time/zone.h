/* SPDX-License-Identifier: Apache-2.0 */
/* zone.h — one IANA time zone: which offset from UTC is in force, and when.
 *
 * Owns the transitions of a TZif file (RFC 8536; versions 1 to 4, 64-bit data where the file has them) and
 * the rule in its footer (zone_rule.h), which applies forever after the last transition.
 *
 * Knows nothing of the process's own zone: TZ is ignored, and no C library function that depends on it is
 * called. Instants are seconds of POSIX time; a file that counts leap seconds is refused.
 *
 * "Local" seconds are what a wall clock shows, counted since 1970-01-01T00:00 on that clock, every day having
 * 86,400.
 *
 * A zone never changes once it is made. The count of its owners is not atomic: one thread retains and
 * releases.
 */
#ifndef BASE_ZONE_H
#define BASE_ZONE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ZONE_NAME_SIZE_MAX 64
#define ZONE_FILE_SIZE_MAX (256 * 1024)
#define ZONE_OFFSET_S_MAX (26 * 3600) /* every offset is smaller, east or west */
#define ZONE_INSTANT_S_MAX                                                                                   \
    (1LL << 48) /* the largest instant or local second accepted, either way from 1970 */

struct zone;

/* A stretch of time during which one offset is in force: from_s <= instant < until_s. Ends that do not exist
 * lie beyond ZONE_INSTANT_S_MAX, and an offset can be added to any end without overflow. Neighbours may have
 * the same offset. */
struct zone_span {
    int64_t from_s, until_s;
    int32_t offset_s; /* east of UTC */
};

/* Whether this could be a zone's name: 1 to 64 of A-Z a-z 0-9 _ + - . and '/', no part empty or starting with
 * '.'. */
bool zone_name_valid(const char *name, size_t size);

/* A zone with one owner, from the bytes of a TZif file, any bytes; NULL: not a TZif file. The name, which
 * must be valid, is copied. */
struct zone *zone_parse(const uint8_t *bytes, size_t size, const char *name);
/* The same from the system's data: $TZDIR or /usr/share/zoneinfo. NULL: there is no such zone, or its name is
 * not valid. "localtime", which is a setting of the machine and not a zone, is refused. */
struct zone *zone_load(const char *name);

struct zone *zone_retain(struct zone *z); /* one more owner; returns it */
void zone_release(struct zone *z);        /* one owner less; the last one frees it. NULL is fine */

const char *zone_name(const struct zone *z);
struct zone_span zone_span_at(const struct zone *z, int64_t utc_s);
int32_t zone_offset_s(const struct zone *z, int64_t utc_s);
/* The instant at which the local clock shows this. A time that is skipped is read with the offset before the gap
 * (02:30 where 02:00 becomes 03:00 is the instant that shows 03:30); a time that occurs twice means the first.
 * So the result never falls as the local time grows, except from within a gap to its end. */
int64_t zone_to_utc_s(const struct zone *z, int64_t local_s);

#endif
