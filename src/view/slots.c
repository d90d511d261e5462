/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c — calendars as they are in memory: the record, and the slots that are free. */
#include "view/answers.h"

static void calendar_view_make(const struct calendar *c, struct calendar_view *out)
{
    *out = (struct calendar_view){.image = c->image, .seq = c->seq};
}

bool view_calendar_find(struct view *v, struct text id, struct calendar_view *out)
{
    const struct calendar *c = calendar_find(v->state, id);
    if (c)
        calendar_view_make(c, out);
    return c != NULL;
}

bool view_calendar_after(struct view *v, uint64_t number, struct calendar_view *out)
{
    const struct calendar *c = calendar_after(v->state, number);
    if (c)
        calendar_view_make(c, out);
    return c != NULL;
}

enum outcome_code view_slots(struct view *v, struct text calendar, struct text service,
                             struct slots_query *query, struct slot *out, struct slots_page *page)
{
    const struct calendar *c = calendar_find(v->state, calendar);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    if (service.at) {
        uint32_t position = calendar_service_find(c, service);
        if (position == SERVICE_NONE)
            return OUTCOME_INVALID;
        query->length_ms = calendar_service_ms(c, position);
    }
    query->now_ms = store_now(v->store);
    *page = calendar_slots(c, query, out);
    return OUTCOME_OK;
}
