/* SPDX-License-Identifier: Apache-2.0 */
#include "store/zones.h"

#include "base/time/zone_atlas.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"

static struct zone *zone_of(struct zone_atlas *a, struct text name)
{
    return zone_atlas_find(a, name.at, name.size);
}

static struct status lacking(const char *what, struct text id, struct text timezone)
{
    return status_make(STATUS_INVALID,
                       "%s %.*s is in the time zone %.*s, which this system lacks: install "
                       "tzdata, or set TZDIR to a folder that has it",
                       what, (int)id.size, id.at, (int)timezone.size, timezone.at);
}

static struct status give_events(struct state *st, struct zone_atlas *atlas)
{
    struct event *e = event_after(st, 0);
    for (; e; e = event_after(st, e->image.number)) {
        struct zone *zone = e->image.timezone.at ? zone_of(atlas, e->image.timezone) : NULL;
        if (e->image.timezone.at && !zone)
            return lacking("event", e->image.id, e->image.timezone);
        event_set_zone(e, zone);
    }
    return status_none();
}

struct status zones_assign(struct state *st)
{
    struct zone_atlas atlas = {0};
    struct status fault = give_events(st, &atlas);
    for (uint32_t i = 0; i < st->calendar_listed && status_ok(&fault); i++) {
        struct calendar *c = calendar_listed(st, i);
        struct zone *zone = zone_of(&atlas, c->image.timezone);
        if (zone)
            calendar_set_zone(c, zone);
        else
            fault = lacking("calendar", c->image.id, c->image.timezone);
    }
    /* Each calendar and event holds its own reference. */
    zone_atlas_release(&atlas);
    return fault;
}

void zones_check(const struct state *st,
                 void (*unknown)(void *ctx, const char *what, struct text id, struct text timezone),
                 void *ctx)
{
    struct zone_atlas atlas = {0};
    for (uint32_t i = 0; i < st->calendar_listed; i++) {
        const struct calendar_image *c = &calendar_listed(st, i)->image;
        if (!zone_of(&atlas, c->timezone))
            unknown(ctx, "calendar", c->id, c->timezone);
    }
    for (const struct event *e = event_after(st, 0); e; e = event_after(st, e->image.number))
        if (e->image.timezone.at && !zone_of(&atlas, e->image.timezone))
            unknown(ctx, "event", e->image.id, e->image.timezone);
    zone_atlas_release(&atlas);
}
