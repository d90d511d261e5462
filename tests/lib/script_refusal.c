/* SPDX-License-Identifier: Apache-2.0 */
/* script_refusal.c — the verb of a script about counted refusals. */
#include <stdio.h>

#include "script.h"

#define DAY_MS 86400000LL

/* With the suffix @+1 or @-1 if the local day is not that of UTC. */
static void write_row(char *at, size_t room, const struct refusal_image *r, int64_t now_ms)
{
    int64_t days = (r->day_ms - (now_ms - now_ms % DAY_MS)) / DAY_MS;
    char other[24] = "";
    if (days)
        snprintf(other, sizeof(other), "@%+lld", (long long)days);
    struct text resource = r->event.at ? r->event : r->calendar;
    struct text part = r->tier.at ? r->tier : r->pool.at ? r->pool : r->service;
    const char *kind = r->tier.at ? "tier" : r->pool.at ? "pool" : "service";
    snprintf(at, room, "%s%.*s%s%s%s%.*s:%.*s=%u%s", r->calendar.at ? "calendar/" : "",
             resource.at ? (int)resource.size : 4, resource.at ? resource.at : "none", part.at ? "/" : "",
             part.at ? kind : "", part.at ? "/" : "", (int)part.size, part.at ? part.at : "",
             (int)r->reason.size, r->reason.at, r->count, other);
}

/* refused: reports the counts; "none", or E/tier/gold:taken=2;… in the order of the first ones. */
bool script_refusal_query(struct script *s)
{
    char text[2048] = "";
    if (strcmp(s->line.words[0], "refused") != 0)
        return false;
    struct buf rows;
    buf_init(&rows, 1 << 16);
    uint32_t count = world_report_refusals(&s->world, &rows);
    struct bytes_reader in = bytes_reader_make(rows.data, rows.size);
    for (uint32_t i = 0; i < count; i++) {
        struct refusal_image r;
        size_t size = strlen(text);
        if (!refusal_get(&in, &r) || r.day_ms % DAY_MS || r.day_ms > s->world.now_ms + DAY_MS)
            script_wrong(s, "Row %u cannot be read.", i);
        else
            snprintf(text + size, sizeof(text) - size, "%s", i ? ";" : "");
        size = strlen(text);
        write_row(text + size, sizeof(text) - size, &r, s->world.now_ms);
    }
    buf_release(&rows);
    const char *wanted = s->line.expected_count ? s->line.expected[0] : "";
    if (strcmp(wanted, count ? text : "none") != 0)
        script_wrong(s, "%s", count ? text : "none");
    return true;
}
