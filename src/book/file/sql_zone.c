/* SPDX-License-Identifier: Apache-2.0 */
#include "book/file/sql_zone.h"

#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/time/rfc3339.h"
#include "base/time/zone_atlas.h"

#define DAY_SIZE 10 /* of 2030-06-03 */
_Static_assert(DAY_SIZE < RFC3339_SIZE, "a time begins with its day");

/* False: the system lacks the zone. */
static bool offset_of(struct zone_atlas *atlas, sqlite3_value *name, int64_t at_s, int64_t *offset_s)
{
    const char *text = (const char *)sqlite3_value_text(name);
    *offset_s = 0;
    if (!text || strcmp(text, "UTC") == 0)
        return true;
    const struct zone *zone = zone_atlas_find(atlas, text, (size_t)sqlite3_value_bytes(name));
    if (zone)
        *offset_s = zone_offset_s(zone, at_s);
    return zone;
}

static void local_day(sqlite3_context *context, int count, sqlite3_value **values)
{
    ASSERT(count == 2);
    int64_t at_ms = sqlite3_value_int64(values[0]), offset_s;
    char text[RFC3339_SIZE];
    if (sqlite3_value_type(values[0]) == SQLITE_NULL)
        return; /* NULL */
    if (!offset_of(sqlite3_user_data(context), values[1], at_ms / 1000, &offset_s)) {
        sqlite3_result_error(context, "This system lacks a time zone that the book names.", -1);
        return;
    }
    rfc3339_write(at_ms + offset_s * 1000, text);
    sqlite3_result_text(context, text, DAY_SIZE, SQLITE_TRANSIENT);
}

static void release(void *atlas)
{
    zone_atlas_release(atlas);
    free(atlas);
}

int sql_zone_register(sqlite3 *handle)
{
    return sqlite3_create_function_v2(
        handle, "local_day", 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        memory_zeroed(1, sizeof(struct zone_atlas)), local_day, NULL, NULL, release);
}
