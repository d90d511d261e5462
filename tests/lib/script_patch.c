/* SPDX-License-Identifier: Apache-2.0 */
/* script_patch.c — the verb patch: what a line names is changed, all else stays as it is when its turn comes. */
#include "script.h"

static bool refused(const struct script_line *l, struct outcome *out)
{
    return script_flag(l, "refuse") && state_invalid(out, "Refused by the one who merges.", "/name");
}

static void merge_terms(const struct script_line *l, struct terms *terms)
{
    const char *ttl = script_option(l, "ttl");
    if (ttl)
        terms->hold_ttl_s = (uint32_t)(script_time(ttl) / 1000);
    if (terms->max_hold_s < terms->hold_ttl_s)
        terms->max_hold_s = terms->hold_ttl_s;
}

static bool merge_event(void *about, const struct event_image *present, struct event_image *image,
                        struct outcome *out)
{
    const struct script_line *l = about;
    const char *limit = script_option(l, "limit");
    *image = *present;
    merge_terms(l, &image->terms);
    if (limit)
        image->per_user_limit = (uint32_t)script_number(limit);
    return !refused(l, out);
}

/* A request has the services that are offered, and no others. */
static bool merge_calendar(void *about, const struct calendar_image *present, struct calendar_image *image,
                           struct outcome *out)
{
    static struct service_image services[SERVICES_MAX];
    const struct script_line *l = about;
    const char *capacity = script_option(l, "capacity"), *zone = script_option(l, "zone");
    *image = *present;
    image->services = services;
    image->service_count = 0;
    for (uint32_t i = 0; i < present->service_count; i++)
        if (!present->services[i].removed)
            services[image->service_count++] = present->services[i];
    merge_terms(l, &image->terms);
    if (capacity)
        image->capacity = (uint32_t)script_number(capacity);
    if (zone)
        image->timezone = script_text(zone);
    return !refused(l, out);
}

void script_patch(struct script *s, struct outcome *out)
{
    struct script_line *l = &s->line;
    const struct text id = script_text(l->words[1]);
    const char *zone = script_option(l, "zone");
    struct command c = {.kind = COMMAND_EVENT_PATCH, .actor = {.role = ROLE_ADMIN}};
    if (calendar_find(s->world.st, id) || script_flag(l, "calendar")) {
        c.kind = COMMAND_CALENDAR_PATCH;
        c.calendar_patch.id = id;
        c.calendar_patch.merge = merge_calendar;
        c.calendar_patch.about = l;
        c.calendar_patch.zone = zone ? zone_load(zone) : NULL;
        world_apply(&s->world, &c, out);
        zone_release(c.calendar_patch.zone);
        return;
    }
    c.event_patch.id = id;
    c.event_patch.merge = merge_event;
    c.event_patch.about = l;
    world_apply(&s->world, &c, out);
}
