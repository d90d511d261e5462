/* SPDX-License-Identifier: Apache-2.0 */
/* generate_calendar.c — requests for calendars: minutes of the next half hour, of which there are few, so that they
 * overlap, begin and end during a run. */
#include "generate.h"

#define MINUTE_MS 60000LL
#define DAY_MS (24LL * 3600 * 1000)
#define WINDOW_MINUTES 24

static int64_t minutes(struct generator *g, uint32_t least, uint32_t sides)
{
    return (least + dice_roll(g->dice, sides)) * MINUTE_MS;
}

/* The beginning of this minute. */
static int64_t minute_now(const struct generator *g)
{
    return g->model->now / MINUTE_MS * MINUTE_MS;
}

/* A millisecond less, none, or a millisecond more. */
static int64_t about(struct generator *g)
{
    return (int64_t)dice_roll(g->dice, 3) - 1;
}

/* ---- The catalogue ---- */

/* From some time before now, past midnight if necessary. */
static struct hours_range generate_hours(struct generator *g)
{
    struct dice *d = g->dice;
    uint32_t now = (uint32_t)(g->model->now % DAY_MS / MINUTE_MS);
    uint32_t from = (now + HOURS_DAY_MINUTES - dice_roll(d, 20)) % HOURS_DAY_MINUTES;
    uint32_t length = dice_percent(d, 30) ? HOURS_DAY_MINUTES : 20 + dice_roll(d, 120);
    return (struct hours_range){
        .days = dice_percent(d, 60) ? 0x7f : (uint8_t)(1 + dice_roll(d, 0x7f)),
        .from_minute = (uint16_t)from,
        .to_minute = (uint16_t)((from + length) % HOURS_DAY_MINUTES),
    };
}

void generate_calendar(struct generator *g, int calendar, struct ask *a)
{
    struct dice *d = g->dice;
    struct ask_calendar *c = &a->calendar;
    ask_clear(a, COMMAND_CALENDAR_PUT);
    a->event = calendar;
    a->settings = generate_terms(g);
    a->settings.no_guests = dice_percent(d, 12);
    *c = (struct ask_calendar){
        .size = 1 + dice_roll(d, 3),
        .capacity = dice_percent(d, 40) ? 1 : 1 + dice_roll(d, 5),
        .slot_minutes = 1 + dice_roll(d, 7),
        .buffer_minutes = dice_percent(d, 50) ? 0 : 1 + dice_roll(d, 3),
        .price = (int64_t)dice_roll(d, 3) * 5,
        .before_minutes = dice_percent(d, 60) ? 0 : 1 + dice_roll(d, 3),
        .per_slot = dice_percent(d, 50),
        .notice_minutes = dice_percent(d, 75) ? 0 : 1 + dice_roll(d, 4),
        .horizon_days = dice_percent(d, 70) ? 366 : 1 + dice_roll(d, 2),
        .limit = dice_percent(d, 60) ? 0 : 1 + dice_roll(d, 3),
        .change_minutes = dice_percent(d, 70) ? 0 : 1 + dice_roll(d, 5),
        .min_minutes = dice_percent(d, 70) ? 0 : 1 + dice_roll(d, 9),
        .cancels = dice_percent(d, 60),
        .always = dice_percent(d, 60),
        .hours = generate_hours(g),
        .closed_count = dice_percent(d, 70) ? 0 : 1 + dice_roll(d, ASK_CLOSED),
        .service_count = dice_roll(d, ASK_SERVICES + 1),
    };
    c->cancel_minutes = c->cancels ? dice_roll(d, 6) : 0;
    if (dice_percent(d, 40)) /* rarely too little */
        c->max_minutes =
            c->min_minutes + dice_roll(d, 3 * c->slot_minutes + 1) + (dice_percent(d, 90) ? 7 : 0);
    for (uint32_t i = 0; i < c->closed_count; i++) {
        c->closed[i].start_ms = minute_now(g) + minutes(g, 0, WINDOW_MINUTES) + about(g);
        c->closed[i].end_ms = c->closed[i].start_ms + (dice_percent(d, 5) ? 0 : minutes(g, 1, 4) + about(g));
    }
    for (uint32_t i = 0, first = dice_roll(d, ASK_SERVICES); i < c->service_count; i++) {
        uint32_t service = i && dice_percent(d, 3) ? first : (first + i) % ASK_SERVICES;
        c->services[i] =
            (struct ask_service){(int)service, 1 + dice_roll(d, 5), (int64_t)dice_roll(d, 3) * 5};
    }
}

/* Mostly those of one currency. */
void generate_group(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    ask_clear(a, dice_percent(d, 15) ? COMMAND_GROUP_REMOVE : COMMAND_GROUP_PUT);
    a->event = (int)dice_roll(d, a->kind == COMMAND_GROUP_PUT ? ASK_GROUPS : ASK_GROUPS + 1);
    a->in_order = dice_percent(d, 40);
    a->member_count = 0;
    int first = (int)dice_roll(d, ASK_CALENDARS);
    char currency = g->model->calendars[first].settings.currency;
    for (int i = 0; i < ASK_CALENDARS; i++) {
        int member = (first + i) % ASK_CALENDARS;
        const struct model_calendar *c = &g->model->calendars[member];
        bool fits = c->exists && c->settings.currency == currency;
        if (dice_percent(d, fits ? 80 : 2))
            a->members[a->member_count++] = member;
    }
    if (!a->member_count)
        a->members[a->member_count++] = first;
    if (dice_percent(d, 3))
        a->members[a->member_count++] = dice_percent(d, 50) ? a->members[0] : ASK_CALENDARS;
}

/* ---- Slots ---- */

static int calendar_any(struct generator *g)
{
    if (dice_percent(g->dice, 1))
        return ASK_CALENDARS; /* names nothing */
    int calendar = (int)dice_roll(g->dice, ASK_CALENDARS);
    for (int i = 0; i < ASK_CALENDARS && !g->model->calendars[calendar].exists; i++)
        calendar = (calendar + 1) % ASK_CALENDARS;
    return calendar;
}

/* A slot that a user has or had, or NULL. */
static const struct model_item *slot_any(struct generator *g)
{
    for (int tries = 0; tries < 8; tries++) {
        const struct model_reservation *r = &g->model->reservations[dice_roll(g->dice, MODEL_RESERVATIONS)];
        const struct model_item *item =
            r->used && r->item_count ? &r->items[dice_roll(g->dice, r->item_count)] : NULL;
        if (item && item->kind == ITEM_SLOT)
            return item;
    }
    return NULL;
}

/* An invalid interval. */
static void generate_wrong(struct generator *g, int64_t *start_ms, int64_t *end_ms)
{
    switch (dice_roll(g->dice, 5)) {
    case 0:
        *end_ms = *start_ms - dice_roll(g->dice, 2);
        break;
    case 1: /* too long, or nearly: rarely so that it succeeds, because then nobody else gets anything */
        *end_ms = *start_ms + 366 * DAY_MS + (dice_percent(g->dice, 5) ? about(g) : 1);
        break;
    case 2:
        *start_ms = g->model->now + about(g);
        break;
    case 3:
        *start_ms = g->model->now + 3660 * DAY_MS + about(g) - dice_roll(g->dice, 2);
        *end_ms = *start_ms + 1;
        break;
    case 4:
        *end_ms = g->model->now + 3660 * DAY_MS + about(g);
        *start_ms = *end_ms - minutes(g, 1, 5);
        break;
    }
}

static void generate_interval(struct generator *g, int calendar, int64_t *start_ms, int64_t *end_ms)
{
    struct dice *d = g->dice;
    const struct model_item *other = dice_percent(d, 30) ? slot_any(g) : NULL;
    int64_t length_ms = minutes(g, 1, dice_percent(d, 90) ? 5 : WINDOW_MINUTES);
    if (other && other->until_ms <= g->model->now && dice_percent(d, 90))
        other = NULL;                                                     /* it is over */
    *start_ms = dice_percent(d, 15) ? g->model->now + dice_roll(d, 20000) /* very soon */
                                    : minute_now(g) + minutes(g, dice_percent(d, 95), WINDOW_MINUTES);
    *end_ms = *start_ms + length_ms;
    if (other && dice_percent(d, 50)) { /* right after the other one, or nearly */
        *start_ms = other->until_ms + about(g);
        *end_ms = *start_ms + length_ms;
    } else if (other) { /* right before it */
        uint32_t buffer = calendar < ASK_CALENDARS ? g->model->calendars[calendar].rules.buffer_minutes : 0;
        *end_ms = other->start_ms - buffer * MINUTE_MS + about(g);
        *start_ms = *end_ms - length_ms;
    }
    if (dice_percent(d, 3))
        generate_wrong(g, start_ms, end_ms);
}

/* One that the calendar offers, mostly; -1: none. */
static int service_any(struct generator *g, int calendar)
{
    const struct ask_calendar *rules = calendar < ASK_CALENDARS ? &g->model->calendars[calendar].rules : NULL;
    if (dice_percent(g->dice, 3))
        return (int)dice_roll(g->dice, ASK_SERVICES + 1);
    if (!rules || !rules->service_count || dice_percent(g->dice, 60))
        return -1;
    return rules->services[dice_roll(g->dice, rules->service_count)].service;
}

/* Mostly what a user may request: on the grid, as long as a slot, with a service if there is one. */
static void obey(struct generator *g, int calendar, int *service, int64_t *start_ms, int64_t *end_ms)
{
    if (calendar >= ASK_CALENDARS || dice_percent(g->dice, 10))
        return;
    const struct ask_calendar *rules = &g->model->calendars[calendar].rules;
    if (*service < 0 && rules->service_count)
        *service = rules->services[dice_roll(g->dice, rules->service_count)].service;
    if (dice_percent(g->dice, 3)) /* further than some may book */
        *start_ms = g->model->now + DAY_MS + minutes(g, 0, 60 * 36);
    if (*start_ms >= g->model->now && *start_ms < g->model->now + 4 * DAY_MS)
        *start_ms = model_grid(g->model, calendar, *start_ms);
    const struct ask_service *named = model_service(g->model, calendar, *service);
    int64_t slot_ms = rules->slot_minutes * MINUTE_MS, least_ms, most_ms;
    model_lengths(rules, &least_ms, &most_ms);
    if (dice_percent(g->dice, 30))
        least_ms += (int64_t)dice_roll(g->dice, 3) * slot_ms;
    *end_ms = *start_ms + (named ? named->minutes * MINUTE_MS : least_ms);
}

void generate_slot(struct generator *g, enum role role, struct ask_item *item)
{
    int calendar = calendar_any(g);
    *item = (struct ask_item){.kind = ITEM_SLOT,
                              .party = 1,
                              .quantity = 1,
                              .section = -1,
                              .tier = -1,
                              .event = calendar,
                              .unit = service_any(g, calendar)};
    generate_interval(g, calendar, &item->start_ms, &item->end_ms);
    if (role == ROLE_USER)
        obey(g, calendar, &item->unit, &item->start_ms, &item->end_ms);
    int group = (int)dice_roll(g->dice, ASK_GROUPS);
    if (dice_percent(g->dice, 1) || (g->model->groups[group].exists && dice_percent(g->dice, 25))) {
        item->kind = ITEM_GROUP;
        item->event = dice_percent(g->dice, 2) ? ASK_GROUPS : group;
        item->party = 1 + dice_roll(g->dice, dice_percent(g->dice, 5) ? 4 : 2);
    }
}

void generate_slot_beside(struct generator *g, const struct ask_item *other, struct ask_item *item)
{
    if (other->event >= ASK_CALENDARS)
        return;
    int64_t end_ms = model_slot_end(g->model, other), length_ms = end_ms - other->start_ms;
    int64_t gap_ms = dice_percent(g->dice, 60) ? 0 : minutes(g, 0, 3);
    bool after = dice_percent(g->dice, 60);
    *item = (struct ask_item){.kind = ITEM_SLOT,
                              .quantity = 1,
                              .section = -1,
                              .tier = -1,
                              .event = other->event,
                              .unit = other->unit};
    item->start_ms = after ? end_ms + gap_ms : other->start_ms - length_ms - gap_ms;
    item->end_ms = item->start_ms + length_ms;
}

void generate_slot_move(struct generator *g, const struct model_item *item, struct ask *a)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    bool slot = item->kind == ITEM_SLOT;
    a->has_end = !dice_percent(d, slot && item->unit >= 0 ? 40 : 2);
    generate_interval(g, slot ? item->event : 0, &a->start_ms, &a->end_ms);
    int service = slot ? item->unit : -1;
    if (slot && a->role == ROLE_USER && dice_percent(d, 60)) {
        obey(g, item->event, &service, &a->start_ms, &a->end_ms);
        return;
    }
    if (!slot || roll < 40)
        return;
    a->start_ms = item->start_ms;
    a->end_ms = item->end_ms;
    if (roll < 70) { /* across itself, or close by */
        a->start_ms += (int64_t)dice_roll(d, 7) * MINUTE_MS - 3 * MINUTE_MS + about(g);
        a->end_ms = a->start_ms + minutes(g, 1, 5);
    } else if (roll < 92) { /* as it began, which may be in the past */
        a->end_ms += (int64_t)dice_roll(d, 7) * MINUTE_MS - 3 * MINUTE_MS + about(g);
    }
}

void generate_slots_query(struct generator *g, int calendar, struct slots_query *q)
{
    struct dice *d = g->dice;
    const struct ask_calendar *rules = &g->model->calendars[calendar].rules;
    q->now_ms = g->model->now;
    q->from_ms = q->now_ms + minutes(g, 0, 20) - 10 * MINUTE_MS + about(g);
    q->to_ms = q->from_ms + (dice_percent(d, 4) ? (int64_t)dice_roll(d, 3) * DAY_MS : minutes(g, 1, 60));
    q->length_ms = dice_percent(d, 50) ? 0 : minutes(g, 1, 6);
    if (rules->service_count && dice_percent(d, 30))
        q->length_ms = rules->services[dice_roll(d, rules->service_count)].minutes * MINUTE_MS;
    q->ruled = dice_percent(d, 50);
    q->limit = 1 + dice_roll(d, 20);
}

int64_t generate_slot_pause(struct generator *g)
{
    const struct model_item *item = slot_any(g);
    if (!item)
        return 0;
    int64_t edges[] = {item->start_ms, item->end_ms, item->until_ms};
    int64_t pause = edges[dice_roll(g->dice, 3)] + about(g) - g->model->now;
    return pause > 0 && pause < 6 * MINUTE_MS ? pause : 0;
}
