/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/demo_calendars.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/rfc3339.h"
#include "base/zone.h"

#define ZONE "Europe/Berlin"
#define WEEKDAYS 0x1f
#define EVERY_DAY 0x7f
#define HOUR 60 /* in minutes */
#define DAY (24 * HOUR)
#define CLEANING (3 * HOUR) /* an hour less than there is, for the day in spring that has only 23 */
#define NIGHT (20 * HOUR)   /* from three in the afternoon to eleven the next morning */

static const struct hours_range practice[] = {{WEEKDAYS, 9 * HOUR, 12 * HOUR + 30},
                                              {WEEKDAYS, 14 * HOUR, 17 * HOUR + 30}};
static const struct hours_range dinner[] = {{EVERY_DAY, 18 * HOUR, 23 * HOUR}};
/* From three to three: always open, and a stay begins at three. */
static const struct hours_range check_in[] = {{EVERY_DAY, 15 * HOUR, 15 * HOUR}};

static const struct service_image treatments[] = {{TEXT("check_up"), 30, 4000, false},
                                                  {TEXT("first_visit"), HOUR, 7500, false}};
static const struct service_image cabin_stays[] = {{TEXT("night"), NIGHT, 12000, false},
                                                   {TEXT("weekend"), DAY + NIGHT, 22000, false},
                                                   {TEXT("week"), 6 * DAY + NIGHT, 70000, false}};
static const struct service_image room_stays[] = {{TEXT("night"), NIGHT, 9500, false},
                                                  {TEXT("three_nights"), 2 * DAY + NIGHT, 27000, false}};

/* One night costs the price, fourteen cost fourteen times as much. */
#define STAY                                                                                                 \
    {                                                                                                        \
        .price_per = PRICE_PER_SLOT, .max_minutes = 14 * DAY, .horizon_days = HORIZON_DAYS, .size = 1,       \
        .guests = true                                                                                       \
    }
/* For one and a half to two and a half hours. */
#define TABLE(people)                                                                                        \
    {                                                                                                        \
        .price_per = PRICE_PER_CLAIM, .min_minutes = 90, .max_minutes = 150, .notice_minutes = 30,           \
        .horizon_days = 60, .per_user_limit = 2, .size = (people), .guests = true                            \
    }

#define HOURS(list) .hours = (list), .hours_count = sizeof(list) / sizeof((list)[0])
#define SERVICES(list) .services = (list), .service_count = sizeof(list) / sizeof((list)[0])
static const struct place {
    const char *id, *name;
    uint32_t capacity;
    int64_t price;
    enum payment_rule payment;
    uint32_t slot_minutes, buffer_minutes;
    struct calendar_rules rules;
    const struct hours_range *hours;
    uint32_t hours_count;
    const struct service_image *services;
    uint32_t service_count;
    bool holiday; /* closed at Christmas */
} places[] = {
    {.id = DEMO_DOCTOR,
     .name = "Dr. Smith",
     .capacity = 1,
     .price = 4000,
     .payment = PAYMENT_NONE,
     .slot_minutes = 30,
     .rules = CALENDAR_RULES_PLAIN,
     HOURS(practice),
     SERVICES(treatments),
     .holiday = true},
    {.id = "dr_jones",
     .name = "Dr. Jones",
     .capacity = 1,
     .price = 4000,
     .payment = PAYMENT_NONE,
     .slot_minutes = 30,
     .rules = CALENDAR_RULES_PLAIN,
     HOURS(practice),
     SERVICES(treatments),
     .holiday = true},
    {.id = "cabin",
     .name = "The cabin by the lake",
     .capacity = 1,
     .price = 12000,
     .payment = PAYMENT_REQUIRED,
     .slot_minutes = DAY,
     .buffer_minutes = CLEANING,
     .rules = CALENDAR_RULES_PLAIN,
     HOURS(check_in),
     SERVICES(cabin_stays)},
    {.id = "double_room",
     .name = "A double room at the inn",
     .capacity = 20,
     .price = 9500,
     .payment = PAYMENT_REQUIRED,
     .slot_minutes = DAY,
     .buffer_minutes = CLEANING,
     .rules = CALENDAR_RULES_PLAIN,
     HOURS(check_in),
     SERVICES(room_stays)},
    {.id = "suite",
     .name = "A suite at the hotel, by the night",
     .capacity = 5,
     .price = 15000,
     .payment = PAYMENT_REQUIRED,
     .slot_minutes = DAY,
     .rules = STAY,
     HOURS(check_in)},
    {.id = "table_2",
     .name = "Table for two",
     .capacity = 1,
     .payment = PAYMENT_NONE,
     .slot_minutes = 30,
     .rules = TABLE(2),
     HOURS(dinner),
     .holiday = true},
    {.id = "table_4",
     .name = "Table for four",
     .capacity = 1,
     .payment = PAYMENT_NONE,
     .slot_minutes = 30,
     .rules = TABLE(4),
     HOURS(dinner),
     .holiday = true},
    {.id = "table_6",
     .name = "Table for six",
     .capacity = 1,
     .payment = PAYMENT_NONE,
     .slot_minutes = 30,
     .rules = TABLE(6),
     HOURS(dinner),
     .holiday = true},
};
#define PLACE_COUNT (sizeof(places) / sizeof(places[0]))

#define MEMBER(calendar)                                                                                     \
    {                                                                                                        \
        .id = TEXT(calendar)                                                                                 \
    }
static const struct group_member doctors[] = {MEMBER(DEMO_DOCTOR), MEMBER("dr_jones")};
static const struct group_member tables[] = {MEMBER("table_2"), MEMBER("table_4"), MEMBER("table_6")};

#define MEMBERS(list) .members = (list), .member_count = sizeof(list) / sizeof((list)[0])
static const struct group_image groups[] = {
    {.id = TEXT("practice"),
     .name = TEXT("Any doctor of the practice"),
     .pick = PICK_LEAST_BUSY,
     MEMBERS(doctors)},
    {.id = TEXT("bistro"), .name = TEXT("A table at the bistro"), .pick = PICK_LEAST_BUSY, MEMBERS(tables)},
};
#define GROUP_COUNT (sizeof(groups) / sizeof(groups[0]))

struct opening {
    struct store *store;
    size_t place, group; /* which comes next */
    struct zone *zone;
    struct closed_interval holiday;
    struct command command;
    void (*done)(void *ctx, enum outcome_code code);
    void *ctx;
};

/* Christmas Day of the year that this instant falls into, or of a later one. */
static struct closed_interval christmas(const struct zone *zone, int64_t now_ms, int years_later)
{
    char text[RFC3339_SIZE + 1] = {0}, day[40];
    int64_t local_ms = 0;
    rfc3339_write(now_ms, text);
    int size = snprintf(day, sizeof(day), "%04ld-12-25T00:00:00Z", strtol(text, NULL, 10) + years_later);
    bool read = rfc3339_read(day, (size_t)size, &local_ms);
    ASSERT(read);
    return (struct closed_interval){zone_to_utc_s(zone, local_ms / 1000) * 1000,
                                    zone_to_utc_s(zone, local_ms / 1000 + DAY * 60) * 1000};
}

static void finish(struct opening *opening, enum outcome_code code)
{
    opening->done(opening->ctx, code);
    zone_release(opening->zone);
    free(opening);
}

static void put_group(struct opening *opening);

static void group_put(void *ctx, const struct outcome *outcome)
{
    struct opening *opening = ctx;
    opening->group++;
    if (outcome->code != OUTCOME_OK || opening->group == GROUP_COUNT)
        finish(opening, outcome->code);
    else
        put_group(opening);
}

static void put_group(struct opening *opening)
{
    opening->command = (struct command){.kind = COMMAND_GROUP_PUT, .actor = {.role = ROLE_ADMIN}};
    opening->command.group_put = groups[opening->group];
    store_submit(opening->store, &opening->command, group_put, opening);
}

static void put_place(struct opening *opening);

static void place_put(void *ctx, const struct outcome *outcome)
{
    struct opening *opening = ctx;
    opening->place++;
    if (outcome->code != OUTCOME_OK)
        finish(opening, outcome->code);
    else if (opening->place == PLACE_COUNT)
        put_group(opening);
    else
        put_place(opening);
}

static void put_place(struct opening *opening)
{
    const struct place *place = &places[opening->place];
    opening->command = (struct command){.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    opening->command.calendar_put.zone = opening->zone;
    opening->command.calendar_put.image = (struct calendar_image){
        .id = {place->id, strlen(place->id)},
        .name = {place->name, strlen(place->name)},
        .timezone = TEXT(ZONE),
        .capacity = place->capacity,
        .price = place->price,
        .terms = {"EUR", 300, 900, 300, place->payment, LATE_PAYMENT_ACCEPT_IF_FREE, 0},
        .slot_minutes = place->slot_minutes,
        .buffer_minutes = place->buffer_minutes,
        .rules = place->rules,
        .hours = place->hours,
        .hours_count = place->hours_count,
        .closed = &opening->holiday,
        .closed_count = place->holiday,
        .services = place->services,
        .service_count = place->service_count,
    };
    store_submit(opening->store, &opening->command, place_put, opening);
}

void demo_calendars_put(struct store *store, struct view *view,
                        void (*done)(void *ctx, enum outcome_code code), void *ctx)
{
    struct calendar_view any;
    if (view_calendar_after(view, 0, &any)) {
        done(ctx, OUTCOME_OK);
        return;
    }
    struct zone *zone = zone_load(ZONE);
    if (!zone) {
        log_error("this system lacks the time zone", {"zone", LOG_STR(ZONE)});
        done(ctx, OUTCOME_INVALID);
        return;
    }
    struct opening *opening = memory_zeroed(1, sizeof(*opening));
    int64_t now_ms = store_now(store);
    *opening = (struct opening){.store = store, .zone = zone, .done = done, .ctx = ctx};
    opening->holiday = christmas(zone, now_ms, 0);
    if (opening->holiday.end_ms <= now_ms)
        opening->holiday = christmas(zone, now_ms, 1);
    put_place(opening);
}
