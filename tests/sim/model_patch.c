/* SPDX-License-Identifier: Apache-2.0 */
/* model_patch.c — a merge patch is the PUT of the current settings with the fields it names. */
#include <string.h>

#include "model.h"

static bool has(uint32_t given, int field)
{
    return given >> field & 1;
}

static void merge_settings(const struct ask *a, struct ask_settings *to)
{
    const struct ask_settings *s = &a->settings;
    to->staff_hold_s = to->staff_hold_s ? to->staff_hold_s : to->max_hold_s; /* as it is shown */
    if (has(a->given, ASK_EVENT_TTL))
        to->hold_ttl_s = s->hold_ttl_s;
    if (has(a->given, ASK_EVENT_MAX))
        to->max_hold_s = s->max_hold_s;
    if (has(a->given, ASK_EVENT_STAFF))
        to->staff_hold_s = s->staff_hold_s;
    if (has(a->given, ASK_EVENT_PAYMENT_TTL))
        to->payment_ttl_s = s->payment_ttl_s;
    if (has(a->given, ASK_EVENT_PAYMENT))
        to->payment_required = s->payment_required;
    if (has(a->given, ASK_EVENT_CURRENCY))
        to->currency = s->currency;
    if (has(a->given, ASK_EVENT_LIMIT))
        to->limit = s->limit;
    if (has(a->given, ASK_EVENT_ON_SALE))
        to->on_sale_at_ms = s->on_sale_at_ms;
    if (has(a->given, ASK_EVENT_OFF_SALE))
        to->off_sale_at_ms = s->off_sale_at_ms;
    if (has(a->given, ASK_EVENT_STARTS))
        to->starts_at_ms = s->starts_at_ms;
    if (has(a->given, ASK_EVENT_GUESTS))
        to->no_guests = s->no_guests;
    if (has(a->given, ASK_EVENT_ACCESS))
        to->by_code = s->by_code;
    if (has(a->given, ASK_EVENT_TRANSFER))
        to->no_transfer = s->no_transfer;
    if (has(a->given, ASK_EVENT_SINGLES))
        to->refuse_singles = s->refuse_singles;
    if (has(a->given, ASK_EVENT_CATEGORIES)) {
        to->category_count = s->category_count;
        to->category_first = s->category_first;
    }
}

/* Tier by tier and category by category; no prices at all: none are left. */
static void merge_prices(const struct ask *a, struct ask_settings *to)
{
    bool any = false;
    for (int i = 0; i < ASK_TIERS; i++)
        for (int k = 0; k < ASK_CATEGORIES; k++)
            if (a->settings.prices[i][k]) {
                any = true;
                to->prices[i][k] = a->settings.prices[i][k];
            }
    if (!any)
        memset(to->prices, 0, sizeof(to->prices));
}

static void merge_room(const struct ask *a, struct ask_queue *to)
{
    if (!a->queue.has || !to->has) {
        *to = a->queue;
        return;
    }
    if (has(a->room_given, ASK_ROOM_OPEN_AT))
        to->open_at_ms = a->queue.open_at_ms;
    if (has(a->room_given, ASK_ROOM_RATE))
        to->rate = a->queue.rate;
    if (has(a->room_given, ASK_ROOM_ACTIVE))
        to->max_active = a->queue.max_active;
    if (has(a->room_given, ASK_ROOM_PASS_TTL))
        to->pass_ttl_s = a->queue.pass_ttl_s;
    if (has(a->room_given, ASK_ROOM_SHUFFLE))
        to->shuffle = a->queue.shuffle;
    if (has(a->room_given, ASK_ROOM_INVENTORY))
        to->by_inventory = a->queue.by_inventory;
    if (has(a->room_given, ASK_ROOM_TIERS))
        to->tiers = a->queue.tiers;
}

void model_event_merge(const struct model *m, const struct ask *a, struct ask *put)
{
    const struct model_event *e = &m->events[a->event];
    *put = *a;
    put->kind = COMMAND_EVENT_PUT;
    put->copy = -1;
    put->settings = e->settings;
    put->queue = e->line;
    put->has_list = has(a->given, ASK_EVENT_LIST) ? a->has_list : e->has_list;
    merge_settings(a, &put->settings);
    if (has(a->given, ASK_EVENT_PRICES))
        merge_prices(a, &put->settings);
    if (has(a->given, ASK_EVENT_ROOM))
        merge_room(a, &put->queue);
}

void model_calendar_merge(const struct model *m, const struct ask *a, struct ask *put)
{
    const struct ask_calendar *c = &a->calendar;
    *put = *a;
    put->kind = COMMAND_CALENDAR_PUT;
    put->settings = m->calendars[a->event].settings;
    put->calendar = m->calendars[a->event].rules;
    struct ask_calendar *to = &put->calendar;
    if (has(a->given, ASK_CALENDAR_TTL))
        put->settings.hold_ttl_s = a->settings.hold_ttl_s;
    if (has(a->given, ASK_CALENDAR_MAX))
        put->settings.max_hold_s = a->settings.max_hold_s;
    if (has(a->given, ASK_CALENDAR_CURRENCY))
        put->settings.currency = a->settings.currency;
    if (has(a->given, ASK_CALENDAR_GUESTS))
        put->settings.no_guests = a->settings.no_guests;
    if (has(a->given, ASK_CALENDAR_PRICE))
        to->price = c->price;
    if (has(a->given, ASK_CALENDAR_CAPACITY))
        to->capacity = c->capacity;
    if (has(a->given, ASK_CALENDAR_SLOT))
        to->slot_minutes = c->slot_minutes;
    if (has(a->given, ASK_CALENDAR_BUFFER))
        to->buffer_minutes = c->buffer_minutes;
    if (has(a->given, ASK_CALENDAR_BEFORE))
        to->before_minutes = c->before_minutes;
    if (has(a->given, ASK_CALENDAR_MIN))
        to->min_minutes = c->min_minutes;
    if (has(a->given, ASK_CALENDAR_MAX_MINUTES))
        to->max_minutes = c->max_minutes;
    if (has(a->given, ASK_CALENDAR_LIMIT))
        to->limit = c->limit;
    if (has(a->given, ASK_CALENDAR_SIZE))
        to->size = c->size;
    if (has(a->given, ASK_CALENDAR_HOURS)) {
        to->always = c->always;
        to->hours = c->hours;
    }
    if (has(a->given, ASK_CALENDAR_CLOSED)) {
        to->closed_count = c->closed_count;
        memcpy(to->closed, c->closed, sizeof(to->closed));
    }
    if (has(a->given, ASK_CALENDAR_SERVICES)) {
        to->service_count = c->service_count;
        memcpy(to->services, c->services, sizeof(to->services));
    }
}
