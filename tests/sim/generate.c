/* SPDX-License-Identifier: Apache-2.0 */
#include "generate.h"

#include <string.h>

int generate_event_any(struct generator *g)
{
    if (dice_percent(g->dice, 2))
        return ASK_EVENTS; /* names nothing */
    int event = (int)dice_roll(g->dice, ASK_EVENTS);
    for (int i = 0; i < ASK_EVENTS && !g->model->events[event].exists; i++)
        event = (event + 1) % ASK_EVENTS;
    return event;
}

int generate_seat_any(struct generator *g, int event)
{
    uint32_t count = event < ASK_EVENTS ? g->model->events[event].seat_count : 0;
    if (count == 0 || dice_percent(g->dice, 2))
        return (int)dice_roll(g->dice, ASK_SEATS + 1);
    int seat = (int)dice_roll(g->dice, ASK_SEATS);
    for (int i = 0; i < ASK_SEATS && !g->model->events[event].seats[seat].exists; i++)
        seat = (seat + 1) % ASK_SEATS;
    return seat;
}

void ask_clear(struct ask *a, enum command_kind kind)
{
    a->kind = kind;
    a->role = ROLE_ADMIN;
    a->actor = 0;
    a->named = a->key = a->copy = -1;
    a->count = a->seat_count = a->code_count = a->ttl_s = 0;
    a->code = a->in = a->allotment = 0;
    a->blocked = a->keeps_blocked = a->allots = false;
    a->commit = a->if_match = a->in_time = false;
    a->attributes = -1;
    a->ref = 0;
    a->amount = (struct ask_amount){0};
    a->outside = false;
    a->event = 0;
    a->queue = (struct ask_queue){0};
    a->pass = (struct ask_pass){.verdict = PASS_NONE};
    a->entry = a->id = (struct id){0};
    a->tiers = 0;
    a->has_list = a->has_rate = a->has_max_active = a->has_paused = a->has_open_at = a->paused = false;
}

/* ---- The catalogue ---- */

struct ask_settings generate_terms(struct generator *g)
{
    struct dice *d = g->dice;
    struct ask_settings s = {.hold_ttl_s = 2 + dice_roll(d, 20), .currency = dice_percent(d, 78) ? 'E' : 'U'};
    if (dice_percent(d, 5))
        s.hold_ttl_s = 118 + dice_roll(d, 8); /* hooks are warned before these expire */
    s.max_hold_s = s.hold_ttl_s + dice_roll(d, 20);
    s.payment_ttl_s = dice_percent(d, 20) ? 0 : 1 + dice_roll(d, 15);
    s.payment_required = dice_percent(d, 60);
    s.late_refund = dice_percent(d, 20);
    return s;
}

void generate_event(struct generator *g, int event, struct ask *a)
{
    struct dice *d = g->dice;
    struct ask_settings *s = &a->settings;
    ask_clear(a, COMMAND_EVENT_PUT);
    a->event = event;
    *s = generate_terms(g);
    if (dice_percent(d, 30))
        s->staff_hold_s = s->max_hold_s + dice_roll(d, 40);
    s->limit = dice_percent(d, 50) ? 0 : 3 + dice_roll(d, 6);
    if (dice_percent(d, 8))
        s->on_sale_at_ms = g->model->now + dice_roll(d, 20000);
    if (dice_percent(d, 6))
        s->off_sale_at_ms = g->model->now + 1 + dice_roll(d, 40000);
    if (dice_percent(d, 15))
        a->copy = dice_percent(d, 10) ? ASK_EVENTS : (int)dice_roll(d, ASK_EVENTS);
    generate_access(g, s);
    generate_prices(g, s);
    generate_line_settings(g, a);
}

/* A new row, or changes of a few existing seats. */
void generate_import(struct generator *g, int event, struct ask *a)
{
    struct dice *d = g->dice;
    const struct model_event *e = &g->model->events[event < ASK_EVENTS ? event : 0];
    ask_clear(a, COMMAND_SEATS_PUBLISH);
    a->event = event;
    bool fresh = e->seat_count + 4 < ASK_SEATS && (e->seat_count == 0 || dice_percent(d, 30));
    uint32_t count = fresh ? 3 + dice_roll(d, 6) : dice_roll(d, 4), row = dice_roll(d, ASK_ROWS);
    bool numbered = dice_percent(d, 80);
    int number = (int)dice_roll(d, 3), step = dice_percent(d, 25) ? 2 : 1; /* odd and even sides */
    for (int i = 0; i < ASK_SEATS && a->seat_count < count; i++) {
        struct ask_seat *s = &a->seats[a->seat_count];
        if (fresh == e->seats[i].exists || (!fresh && !dice_percent(d, 20)))
            continue;
        number += step + (dice_percent(d, 10) ? 1 : 0);
        *s = (struct ask_seat){.seat = i,
                               .section = (int)row % 2,
                               .row = (int)row,
                               .number = numbered ? number : -1,
                               .tier = (int)dice_roll(d, 3) - 1,
                               .price = (int64_t)dice_roll(d, 3) * 5,
                               .blocked = dice_percent(d, 30),
                               .accessible = dice_percent(d, 40),
                               .allotment = generate_allotment(g)};
        s->columns = fresh ? SEAT_COLUMN_SECTION | SEAT_COLUMN_ROW | SEAT_COLUMN_NUMBER | SEAT_COLUMN_PRICE
                           : (uint32_t)dice_word(d) & (SEAT_COLUMN_TIER | SEAT_COLUMN_PRICE |
                                                       SEAT_COLUMN_BLOCKED | SEAT_COLUMN_ACCESSIBLE);
        if (dice_percent(d, fresh ? 40 : 20))
            s->columns |= SEAT_COLUMN_ALLOTMENT;
        if (dice_percent(d, 75))
            s->columns &= ~(uint32_t)SEAT_COLUMN_ACCESSIBLE;
        else if (fresh)
            s->columns |= SEAT_COLUMN_ACCESSIBLE;
        if (fresh && dice_percent(d, 50))
            s->columns |= SEAT_COLUMN_TIER;
        a->seat_count++;
    }
}

void generate_pool(struct generator *g, int event, int pool, struct ask *a)
{
    ask_clear(a, COMMAND_POOL_PUT);
    a->event = event;
    a->pool = pool;
    a->capacity = dice_roll(g->dice, g->lines_percent ? 6 : 14); /* lists are for scarce stock */
    a->price = (int64_t)dice_roll(g->dice, 3) * 5;
    a->allotment = dice_percent(g->dice, 20) ? generate_allotment(g) : 0;
    generate_pool_prices(g, event, a->prices);
}

static void generate_block(struct generator *g, int event, struct ask *a)
{
    ask_clear(a, COMMAND_SEATS_BLOCK);
    a->event = event;
    a->blocked = dice_percent(g->dice, 50);
    a->allots = dice_percent(g->dice, 40);
    a->keeps_blocked = a->allots && dice_percent(g->dice, 60);
    a->allotment = a->allots ? generate_allotment(g) : 0;
    if (dice_percent(g->dice, 30)) {
        a->in = 1 + (int)dice_roll(g->dice, dice_percent(g->dice, 10) ? ASK_ALLOTMENTS + 1 : ASK_ALLOTMENTS);
        return;
    }
    a->seat_count = 1 + dice_roll(g->dice, 3);
    for (uint32_t i = 0; i < a->seat_count; i++)
        a->seats[i].seat = generate_seat_any(g, event);
}

/* Some existing seats, rarely of a missing event; false: there are none. */
static bool generate_seats_remove(struct generator *g, int event, struct ask *a)
{
    ask_clear(a, COMMAND_SEATS_REMOVE);
    a->event = event;
    uint32_t most = 1 + dice_roll(g->dice, 3);
    for (int i = 0; event < ASK_EVENTS && i < ASK_SEATS && a->seat_count < most; i++)
        if (g->model->events[event].seats[i].exists && dice_percent(g->dice, 20))
            a->seats[a->seat_count++].seat = i;
    return a->seat_count || event == ASK_EVENTS || !g->model->events[event].exists;
}

/* Some of the fields of a PUT, for an existing one or not. */
static void patch_instead(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    bool event = a->kind == COMMAND_EVENT_PUT;
    a->kind = event ? COMMAND_EVENT_PATCH : COMMAND_CALENDAR_PATCH;
    a->copy = -1;
    a->given = a->room_given = 0;
    for (uint32_t n = 1 + dice_roll(d, 4); n > 0; n--)
        a->given |= 1u << dice_roll(d, event ? ASK_EVENT_FIELDS : ASK_CALENDAR_FIELDS);
    for (uint32_t n = dice_roll(d, 4); event && n > 0; n--)
        a->room_given |= 1u << dice_roll(d, ASK_ROOM_FIELDS);
}

static bool generate_catalogue(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    int event = generate_event_any(g);
    uint32_t roll = dice_roll(d, 114);
    if (dice_percent(d, 15 + g->slot_percent / 2)) {
        if (dice_percent(d, 25)) {
            generate_group(g, a);
        } else if (dice_percent(d, 25)) {
            ask_clear(a, COMMAND_CALENDAR_REMOVE);
            a->event = (int)dice_roll(d, ASK_CALENDARS);
        } else {
            generate_calendar(g, (int)dice_roll(d, ASK_CALENDARS), a);
            if (dice_percent(d, 30))
                patch_instead(g, a);
        }
    } else if (roll < 25) {
        generate_event(g, (int)dice_roll(d, ASK_EVENTS), a);
        if (dice_percent(d, 35))
            patch_instead(g, a);
    } else if (roll < 40) {
        ask_clear(a, COMMAND_EVENT_REMOVE);
        for (int i = 0; g->calls_off && i < ASK_EVENTS && !model_called(g->model, event); i++)
            event = (event + 1) % ASK_EVENTS;
        a->event = event;
    } else if (roll < 58) {
        generate_pool(g, event, (int)dice_roll(d, ASK_POOLS), a);
    } else if (roll < 75) {
        generate_import(g, event, a);
    } else if (roll < 92) {
        generate_block(g, event, a);
    } else if (roll < 95) {
        return generate_seats_remove(g, event, a);
    } else if (roll < 100) {
        generate_codes(g, event, a);
    } else if (roll < 107) {
        generate_code_remove(g, event, a);
    } else {
        static const enum command_kind kinds[] = {COMMAND_KEY_CREATE, COMMAND_KEY_REMOVE, COMMAND_KEY_ROTATE,
                                                  COMMAND_KEY_ROTATE};
        ask_clear(a, kinds[dice_roll(d, 4)]);
        a->pool = (int)dice_roll(d, ASK_KEYS);
        a->capacity = ++g->next_value;
        a->ttl_s = (uint32_t)dice_roll(d, 3) * 20;
    }
    return true;
}

int generate_free(const struct generator *g)
{
    int unused = g->lines_percent ? -(int)model_waiting(g->model) : 0;
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        unused += !g->model->reservations[i].used;
    return unused;
}

static void generate_erase(struct generator *g, struct ask *a)
{
    const struct model_reservation *r = &g->model->reservations[dice_roll(g->dice, MODEL_RESERVATIONS)];
    ask_clear(a, COMMAND_ERASE);
    a->named = dice_percent(g->dice, 60) && r->used ? r->user : (int)dice_roll(g->dice, ASK_USERS);
    a->to = ASK_USERS + (int)g->erased++;
}

bool generate(struct generator *g, struct ask *a)
{
    uint32_t roll = dice_roll(g->dice, 100);
    if (g->calls_off && generate_cancelled(g, a))
        return true;
    if (g->erases && g->erased < ASK_ERASED && dice_roll(g->dice, 100) == 0) {
        generate_erase(g, a);
        return true;
    }
    if (roll < 5)
        return generate_catalogue(g, a);
    if (dice_percent(g->dice, g->lines_percent))
        return generate_lines(g, a);
    if (dice_percent(g->dice, 13))
        return generate_money(g, a);
    if (dice_percent(g->dice, 6))
        return generate_scan(g, a);
    if (roll < 42 && generate_free(g) > 0)
        return generate_hold(g, a);
    return generate_desk(g, a);
}

int64_t generate_pause(struct generator *g)
{
    struct dice *d = g->dice;
    const struct model *m = g->model;
    uint32_t roll = dice_roll(d, 1000);
    if (g->lines_percent && dice_percent(d, 4))
        return generate_line_pause(g);
    if (g->slow && dice_percent(d, 15))
        return dice_roll(d, 6000);
    if (roll < 397)
        return 0;
    if (roll < 400)
        return generate_slot_pause(g);
    if (roll < 940)
        return dice_roll(d, 60);
    if (roll < 980) { /* around a deadline */
        const struct model_reservation *r = &m->reservations[dice_roll(d, MODEL_RESERVATIONS)];
        int64_t pause = r->expires_at - m->now - 1 + dice_roll(d, 3);
        return r->used && r->status == RESERVATION_HELD && pause > 0 ? pause : 0;
    }
    if (roll < 999)
        return dice_roll(d, 4000);
    if (dice_percent(d, 70)) /* the clock jumps */
        return dice_roll(d, 120000);
    const struct model_key *key = &m->keys[dice_roll(d, MODEL_KEYS)];
    int64_t pause = key->at + IDEMPOTENCY_KEEP_MS - m->now - 1 + dice_roll(d, 3);
    return key->used && pause > 0 ? pause : 0;
}
