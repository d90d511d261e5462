/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c — what the door answers from memory about calendars: the record, and the slots that are free.
 */
#include "store/local.h"

static void view_make(const struct calendar *c, struct calendar_view *out)
{
    *out = (struct calendar_view){.image = c->image, .seq = c->seq};
}

bool store_calendar_find(struct store *s, struct text id, struct calendar_view *out)
{
    const struct calendar *c = calendar_find(s->state, id);
    if (c)
        view_make(c, out);
    return c != NULL;
}

/* As for events: slots are given in the order of numbers. */
bool store_calendar_after(struct store *s, uint64_t number, struct calendar_view *out)
{
    uint32_t low = 0, high = s->state->calendar_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (s->state->calendars[middle]->image.number <= number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->state->calendar_count)
        return false;
    view_make(s->state->calendars[low], out);
    return true;
}

enum outcome_code store_slots(struct store *s, struct text calendar, struct text service,
                              struct slots_query *query, struct slot *out, struct slots_page *page)
{
    const struct calendar *c = calendar_find(s->state, calendar);
    if (!c)
        return OUTCOME_NO_SUCH_CALENDAR;
    if (service.at) {
        uint32_t position = calendar_service_find(c, service);
        if (position == SERVICE_NONE)
            return OUTCOME_INVALID;
        query->length_ms = calendar_service_ms(c, position);
    }
    query->now_ms = store_now(s);
    *page = calendar_slots(c, query, out);
    return OUTCOME_OK;
}
