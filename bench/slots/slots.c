/* SPDX-License-Identifier: Apache-2.0 */
/* slots.c — how long the slots of a group block the loop: a group of 50 calendars over 62 days, every third slot taken.
 *
 * Goes through the members as view_group_slots does, a slice of them at a time, page after page, and prints the
 * processor time of all slices together and that of the longest, for open hours and for calendars that are always open.
 * Reports the best of several rounds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/time/zone.h"
#include "core/calendar/group.h"
#include "core/state.h"

#define CALENDARS 50
#define DAYS 62
#define SLICE 4 /* MEMBERS_PER_SLICE of view/slots.c */
#define PAGE 1000
#define ROUNDS 20
#define NOW_MS 1700000000000LL
#define HOUR_MS 3600000LL
#define DAY_MS (24 * HOUR_MS)

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void apply(struct state *st, struct command *c, struct buf *changes)
{
    static struct outcome out;
    buf_clear(changes);
    if (state_apply(st, c, NOW_MS, changes, &out) != OUTCOME_OK) {
        fprintf(stderr, "bench: refused: %s %s\n", outcome_name(out.code), out.pointer);
        exit(1);
    }
}

static void put_calendars(struct state *st, bool hours, struct group_member *members, struct buf *changes)
{
    static const struct hours_range open = {0x7f, 9 * 60, 17 * 60};
    static char ids[CALENDARS][16];
    struct zone *zone = zone_load("Europe/Berlin");
    for (int i = 0; i < CALENDARS; i++) {
        struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
        int size = snprintf(ids[i], sizeof(ids[i]), "c%d", i);
        members[i].id = (struct text){ids[i], (size_t)size};
        c.calendar_put.zone = zone;
        c.calendar_put.image = (struct calendar_image){.id = members[i].id,
                                                       .name = members[i].id,
                                                       .timezone = TEXT("Europe/Berlin"),
                                                       .capacity = 1,
                                                       .terms = {.currency = "EUR",
                                                                 .hold_ttl_s = 600,
                                                                 .max_hold_s = 900,
                                                                 .payment = PAYMENT_NONE,
                                                                 .late_payment = LATE_PAYMENT_ACCEPT_IF_FREE},
                                                       .slot_minutes = 30,
                                                       .rules = CALENDAR_RULES_PLAIN,
                                                       .hours = &open,
                                                       .hours_count = hours};
        apply(st, &c, changes);
    }
    zone_release(zone);
}

/* Every third slot, different ones on each calendar. */
static void claim(struct state *st, const struct group_member *members, struct buf *changes)
{
    uint64_t number = 1;
    for (int i = 0; i < CALENDARS; i++)
        for (int64_t at_ms = NOW_MS - NOW_MS % DAY_MS + DAY_MS + 8 * HOUR_MS + i % 3 * HOUR_MS / 2;
             at_ms < NOW_MS + (DAYS + 1) * DAY_MS; at_ms += 3 * HOUR_MS / 2) {
            if (at_ms % DAY_MS < 8 * HOUR_MS || at_ms % DAY_MS > 15 * HOUR_MS)
                continue;
            struct item_request item = {.kind = ITEM_SLOT,
                                        .resource = members[i].id,
                                        .quantity = 1,
                                        .start_ms = at_ms,
                                        .end_ms = at_ms + HOUR_MS / 2};
            struct command c = {.kind = COMMAND_HOLD,
                                .actor = {.role = ROLE_ADMIN},
                                .user_id = TEXT("ann"),
                                .reservation = {1, number++}};
            c.hold.items = &item;
            c.hold.count = 1;
            apply(st, &c, changes);
        }
}

struct cost {
    double all_ms, longest_ms;
    uint32_t slots;
};

static struct cost measure(const struct group *g)
{
    static struct slot first[GROUP_SLOTS_ROOM(PAGE)], second[GROUP_SLOTS_ROOM(PAGE)], page[PAGE];
    struct cost cost = {0};
    int64_t from_ms = NOW_MS + DAY_MS, to_ms = from_ms + DAYS * DAY_MS;
    struct slots_page end;
    do {
        struct group_slots s = {
            .query = {.from_ms = from_ms, .to_ms = to_ms, .now_ms = NOW_MS, .ruled = true, .limit = PAGE},
            .out = first,
            .spare = second,
            .page = page};
        for (uint32_t i = 0; i < g->image.member_count;) {
            double begun_ms = now_ms();
            for (uint32_t k = 0; k < SLICE && i < g->image.member_count; k++)
                group_slots_add(&s, g->calendars[i++], (struct text){0});
            double took_ms = now_ms() - begun_ms;
            cost.all_ms += took_ms;
            if (took_ms > cost.longest_ms)
                cost.longest_ms = took_ms;
        }
        end = group_slots_end(&s);
        cost.slots += end.count;
        from_ms = end.next_ms;
    } while (end.more);
    return cost;
}

int main(void)
{
    for (int hours = 1; hours >= 0; hours--) {
        struct state *st = state_make();
        struct group_member members[CALENDARS] = {{0}};
        struct buf changes;
        buf_init(&changes, 1 << 20);
        put_calendars(st, hours, members, &changes);
        struct command c = {.kind = COMMAND_GROUP_PUT, .actor = {.role = ROLE_ADMIN}};
        c.group_put = (struct group_image){.id = TEXT("g"),
                                           .name = TEXT("g"),
                                           .pick = PICK_LEAST_BUSY,
                                           .members = members,
                                           .member_count = CALENDARS};
        apply(st, &c, &changes);
        claim(st, members, &changes);
        struct cost best = {.all_ms = 1e9};
        for (int i = 0; i < ROUNDS; i++) {
            struct cost cost = measure(group_find(st, TEXT("g")));
            best.slots = cost.slots;
            if (cost.all_ms < best.all_ms)
                best.all_ms = cost.all_ms;
            if (cost.longest_ms > best.longest_ms)
                best.longest_ms = cost.longest_ms;
        }
        printf("%-12s %5u slots %7.2f ms of the loop, the longest slice of all rounds %5.2f ms\n",
               hours ? "8 hours" : "always open", best.slots, best.all_ms, best.longest_ms);
        buf_release(&changes);
        state_release(st);
    }
    return 0;
}
