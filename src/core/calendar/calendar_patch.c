/* SPDX-License-Identifier: Apache-2.0 */
#include "core/calendar/calendar_patch.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/state.h"

#define FIELD(name, member) PATCH_FIELD(struct calendar_image, name, member)
#define RULE(form, name, ...) FIELD(#name, rules.name),
const struct patch_field calendar_patch_fields[] = {
    FIELD("name", name),
    FIELD("timezone", timezone),
    FIELD("capacity", capacity),
    FIELD("price", price),
    PATCH_TERMS(struct calendar_image),
    FIELD("slot_minutes", slot_minutes),
    FIELD("buffer_minutes", buffer_minutes),
    FIELD("cancel_until_minutes", rules.cancels),
    FIELD("cancel_until_minutes", rules.cancel_until_minutes),
    FIELD("hours", hours),
    FIELD("hours", hours_count),
    FIELD("closed", closed),
    FIELD("closed", closed_count),
    FIELD("services", services),
    FIELD("services", service_count),
    CALENDAR_RULES(RULE){0},
};
#undef RULE
#undef FIELD

/* A PUT has only the offered services. */
static uint32_t services_offered(const struct calendar_image *image, struct service_image out[SERVICES_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < image->service_count; i++) {
        if (image->services[i].removed)
            continue;
        ASSERT(count < SERVICES_MAX);
        out[count++] = image->services[i];
    }
    return count;
}

enum outcome_code calendar_patch(struct state *st, const struct command *command, struct outcome *out)
{
    const struct calendar_patch *p = &command->calendar_patch;
    const struct calendar *c = calendar_find(st, p->id);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    struct service_image *offered = memory_zeroed(SERVICES_MAX, sizeof(*offered));
    struct command put = {.kind = COMMAND_CALENDAR_PUT, .actor = command->actor};
    struct calendar_image *image = &put.calendar_put.image;
    *image = c->image;
    image->id = p->id;
    image->services = offered;
    image->service_count = services_offered(&c->image, offered);
    patch_take(calendar_patch_fields, p->given, &p->values, image);
    /* A new zone comes with its name; otherwise both stay. */
    ASSERT(!p->zone == !(p->given & patch_set(calendar_patch_fields, "timezone")));
    put.calendar_put.zone = p->zone ? p->zone : c->zone;
    enum outcome_code code = calendar_put(st, &put, out);
    free(offered);
    ASSERT(code != OUTCOME_OK || !out->created);
    return code;
}
