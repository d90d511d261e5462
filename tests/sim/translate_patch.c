/* SPDX-License-Identifier: Apache-2.0 */
/* translate_patch.c — merge patches as core's commands: the values of a PUT, and which of them are given. */
#include "base/assertion.h"
#include "translate.h"

static const char *const event_names[ASK_EVENT_FIELDS] = {
    "hold_ttl_seconds", "max_hold_seconds", "staff_hold_seconds", "payment_ttl_seconds", "payment",
    "currency",         "per_user_limit",   "on_sale_at",         "off_sale_at",         "starts_at",
    "guests",           "access",           "transfer",           "single_seats",        "categories",
    "prices",           "waiting_room",     "waiting_list"};
static const char *const room_names[ASK_ROOM_FIELDS] = {
    "open_at", "rate_per_second", "max_active", "pass_ttl_seconds", "shuffle_before_open", "by_inventory",
    "tiers"};
static const char *const calendar_names[ASK_CALENDAR_FIELDS] = {"hold_ttl_seconds",
                                                                "max_hold_seconds",
                                                                "currency",
                                                                "price",
                                                                "capacity",
                                                                "slot_minutes",
                                                                "buffer_minutes",
                                                                "buffer_before_minutes",
                                                                "min_minutes",
                                                                "max_minutes",
                                                                "per_user_limit",
                                                                "guests",
                                                                "size",
                                                                "hours",
                                                                "closed",
                                                                "services"};

static uint64_t set_of(const struct patch_field *fields, const char *const *names, uint32_t given, int count)
{
    uint64_t set = 0;
    for (int i = 0; i < count; i++) {
        uint64_t one = patch_set(fields, names[i]);
        ASSERT(one); /* core knows the field by this name */
        set |= given >> i & 1 ? one : 0;
    }
    return set;
}

void translate_event_patch(const struct ask *a, struct translation *out)
{
    struct event_patch patch = {.id = translate_event(a->event),
                                .given = set_of(event_patch_fields, event_names, a->given, ASK_EVENT_FIELDS),
                                .queue_given =
                                    set_of(queue_patch_fields, room_names, a->room_given, ASK_ROOM_FIELDS),
                                .values = out->command.event_put.image};
    patch.values.entry_key[0] = a->secret;
    patch.values.entry_key[1] = ~a->secret;
    translate_seed(a->secret, patch.seed);
    out->command.event_patch = patch;
}

void translate_calendar_patch(const struct ask *a, struct translation *out)
{
    struct calendar_patch patch = {
        .id = translate_calendar(a->event),
        .given = set_of(calendar_patch_fields, calendar_names, a->given, ASK_CALENDAR_FIELDS),
        .values = out->command.calendar_put.image};
    out->command.calendar_patch = patch;
}
