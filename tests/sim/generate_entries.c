/* SPDX-License-Identifier: Apache-2.0 */
/* generate_entries.c — requests for waiting rooms and waiting lists: joining, polling, leaving, and passes of every
 * kind. */
#include "generate.h"

/* ---- Settings ---- */

static uint8_t tiers_any(struct dice *d, uint32_t percent)
{
    return dice_percent(d, percent) ? (uint8_t)(1 + dice_roll(d, (1 << ASK_TIERS) - 1)) : 0;
}

static uint32_t rate_any(struct dice *d)
{
    return (uint32_t[]){1, 2, 5, 10, 20, 50, 300, 1000}[dice_roll(d, 8)];
}

static uint32_t active_any(struct dice *d)
{
    return dice_percent(d, 40) ? 0 : 1 + dice_roll(d, 5);
}

/* At once, soon, or at a past instant. */
static int64_t opening_any(struct generator *g)
{
    struct dice *d = g->dice;
    if (dice_percent(d, 40))
        return 0;
    return g->model->now + dice_roll(d, dice_percent(d, 80) ? 6000 : 60000) -
           (dice_percent(d, 20) ? 5000 : 0);
}

void generate_line_settings(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    a->secret = dice_word(d) | 1;
    a->queue = (struct ask_queue){0};
    a->has_list = false;
    if (!g->lines_percent)
        return;
    a->has_list = dice_percent(d, 65);
    if (dice_percent(d, 10))
        a->settings.starts_at_ms = g->model->now + 1 + dice_roll(d, 60000);
    if (dice_percent(d, 45))
        return;
    a->queue = (struct ask_queue){.has = true,
                                  .shuffle = dice_percent(d, 50),
                                  .by_inventory = dice_percent(d, 50),
                                  .tiers = tiers_any(d, 25),
                                  .rate = rate_any(d),
                                  .max_active = active_any(d),
                                  .pass_ttl_s = 1 + dice_roll(d, dice_percent(d, 60) ? 12 : 60),
                                  .open_at_ms = opening_any(g)};
}

/* ---- Who and where ---- */

/* An event with a queue, or a list, mostly. */
static int event_with(struct generator *g, bool queue)
{
    int event = (int)dice_roll(g->dice, ASK_EVENTS);
    if (dice_percent(g->dice, 1))
        return ASK_EVENTS; /* names nothing */
    for (int i = 0; i < ASK_EVENTS && !dice_percent(g->dice, 3); i++) {
        const struct model_event *e = &g->model->events[event];
        if (e->exists && (queue ? e->line.has || e->queue.count : e->has_list || e->list_count))
            break;
        event = (event + 1) % ASK_EVENTS;
    }
    return event;
}

static void caller_any(struct generator *g, struct ask *a, int user)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    a->actor = user;
    a->role = roll < 82 ? ROLE_USER : roll < 93 ? ROLE_APP : ROLE_ADMIN;
    if (a->role == ROLE_USER && dice_percent(d, 3))
        a->actor = (int)dice_roll(d, ASK_USERS);
    if (dice_percent(d, 6))
        a->named = dice_percent(d, 70) ? a->actor : (int)dice_roll(d, ASK_USERS);
}

static void joins(struct generator *g, struct ask *a)
{
    caller_any(g, a, (int)dice_roll(g->dice, ASK_USERS));
    if (a->role != ROLE_USER)
        a->named = dice_percent(g->dice, 3) ? -1 : a->actor;
}

static int code_to_join(struct generator *g, const struct ask *a)
{
    bool needed = a->event < ASK_EVENTS && g->model->events[a->event].settings.by_code;
    bool bound = a->role != ROLE_ADMIN || dice_percent(g->dice, 50);
    return (needed && bound) || dice_percent(g->dice, 30) ? generate_code(g, a->event) : 0;
}

/* ---- Waiting rooms ---- */

/* Some entry of the event, mostly a live one; 0: there is none. */
static int entry_any(struct generator *g, const struct model_event *e, enum queue_status wanted)
{
    int number = 0;
    for (int tries = 0; tries < 6 && e->queue.count; tries++) {
        number = 1 + (int)dice_roll(g->dice, e->queue.count);
        if (e->queue.entries[number - 1].status == (uint8_t)wanted)
            break;
    }
    return number;
}

static bool generate_queue_entry(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    static const enum queue_status wanted[] = {QUEUE_WAITING,     QUEUE_WAITING,  QUEUE_PASSED_OVER,
                                               QUEUE_PASSED_OVER, QUEUE_ADMITTED, QUEUE_FINISHED};
    const struct model_event *e = &g->model->events[a->event % ASK_EVENTS];
    int number = entry_any(g, e, wanted[dice_roll(d, 6)]);
    if (!number && !dice_percent(d, 5))
        return false;
    caller_any(g, a, number ? e->queue.entries[number - 1].user : 0);
    a->entry = number ? e->queue.entries[number - 1].id : (struct id){1, dice_word(d)};
    if (dice_percent(d, 2)) {
        const struct model_event *other = &g->model->events[dice_roll(d, ASK_EVENTS)];
        a->entry = other->queue.entries[dice_roll(d, MODEL_QUEUE)].id; /* of another event, or of none */
    }
    return true;
}

static void generate_patch(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    a->has_rate = dice_percent(d, 40);
    a->has_max_active = dice_percent(d, 40);
    a->has_paused = dice_percent(d, 40);
    a->has_open_at = dice_percent(d, 25);
    a->queue =
        (struct ask_queue){.rate = rate_any(d), .max_active = active_any(d), .open_at_ms = opening_any(g)};
    a->paused = dice_percent(d, 35);
    a->secret = dice_word(d) | 1;
}

static bool generate_queue(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    ask_clear(a, roll < 34   ? COMMAND_QUEUE_JOIN
                 : roll < 84 ? COMMAND_QUEUE_LOOK
                 : roll < 91 ? COMMAND_QUEUE_LEAVE
                             : COMMAND_QUEUE_PATCH);
    a->event = event_with(g, true);
    if (a->kind == COMMAND_QUEUE_PATCH) {
        generate_patch(g, a);
        return true;
    }
    if (a->kind != COMMAND_QUEUE_JOIN)
        return generate_queue_entry(g, a);
    joins(g, a);
    a->tiers = tiers_any(d, a->role == ROLE_USER ? 1 : 40);
    a->code = code_to_join(g, a);
    if (a->named >= 0 && a->named != a->actor && a->tiers)
        a->tiers = 0; /* one mistake at a time */
    if (dice_percent(d, 12))
        generate_key(g, a);
    return a->event == ASK_EVENTS || g->model->events[a->event].queue.count < MODEL_QUEUE;
}

/* ---- Waiting lists ---- */

static void generate_wish(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    struct ask_wish *w = &a->wish;
    *w = (struct ask_wish){.quantity = (uint8_t)(1 + dice_roll(d, dice_percent(d, 70) ? 3 : 6)),
                           .section = -1,
                           .tier = -1,
                           .pool = -1};
    if (dice_percent(d, 2))
        w->quantity = 40;
    if (dice_percent(d, 35)) {
        w->pool = (int8_t)dice_roll(d, ASK_POOLS);
        if (dice_percent(d, 3)) {
            w->pool = ASK_POOLS; /* names nothing */
            w->quantity = 1;
        }
        return;
    }
    w->adjacent = dice_percent(d, 40);
    w->section = dice_percent(d, 25) ? (int8_t)dice_roll(d, dice_percent(d, 5) ? 3 : 2) : -1;
    w->tier = dice_percent(d, 20) ? (int8_t)dice_roll(d, dice_percent(d, 5) ? 3 : 2) : -1;
}

static bool generate_list(struct generator *g, struct ask *a)
{
    struct dice *d = g->dice;
    uint32_t roll = dice_roll(d, 100);
    ask_clear(a, roll < 50 ? COMMAND_LIST_JOIN : roll < 85 ? COMMAND_LIST_LOOK : COMMAND_LIST_LEAVE);
    a->event = event_with(g, false);
    const struct model_event *e = &g->model->events[a->event % ASK_EVENTS];
    if (a->kind == COMMAND_LIST_JOIN) {
        joins(g, a);
        generate_wish(g, a);
        a->code = code_to_join(g, a);
        if (dice_percent(d, 12))
            generate_key(g, a);
        return a->event == ASK_EVENTS || (g->model->events[a->event].list_count < MODEL_LIST &&
                                          generate_free(g) > 0 && model_waiting(g->model) < MODEL_WAITING);
    }
    int number = e->list_count ? (int)dice_roll(d, e->list_count) : -1;
    if (number < 0 && !dice_percent(d, 5))
        return false;
    caller_any(g, a, number < 0 ? 0 : e->list[number].user);
    a->entry = number < 0 || dice_percent(d, 2) ? (struct id){2, dice_word(d)} : e->list[number].id;
    return true;
}

bool generate_lines(struct generator *g, struct ask *a)
{
    return dice_percent(g->dice, 68) ? generate_queue(g, a) : generate_list(g, a);
}

/* ---- Passes ---- */

/* As signed for the entry; its bearer can be another user. */
static struct ask_pass pass_of(const struct model *m, int event, int number)
{
    const struct model_entry *entry = &m->events[event].queue.entries[number - 1];
    bool lapsed = entry->admitted_at && m->now >= entry->until;
    return (struct ask_pass){.verdict = lapsed ? PASS_LAPSED : PASS_GENUINE,
                             .event = event,
                             .user = entry->user,
                             .entry = entry->id};
}

static int queue_of(const struct generator *g, const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!ask_timed(a->items[i].kind) && a->items[i].event < ASK_EVENTS &&
            g->model->events[a->items[i].event].line.has)
            return a->items[i].event;
    return -1;
}

int generate_admitted(struct generator *g, const struct ask *a)
{
    int event = queue_of(g, a);
    const struct model_event *e = event < 0 ? NULL : &g->model->events[event];
    int number = e ? entry_any(g, e, QUEUE_ADMITTED) : 0;
    return number && e->queue.entries[number - 1].status == QUEUE_ADMITTED ? e->queue.entries[number - 1].user
                                                                           : -1;
}

void generate_pass(struct generator *g, struct ask *a, int event, int owner)
{
    struct dice *d = g->dice;
    if (event < 0)
        event = queue_of(g, a);
    if (event < 0 && !dice_percent(d, 3))
        return;
    const struct model_event *e = event < 0 ? NULL : &g->model->events[event];
    int own = e ? model_entry_of(e, owner) : 0;
    uint32_t roll = dice_roll(d, 100);
    if (own && roll < 88 && e->queue.entries[own - 1].admitted_at) {
        a->pass = pass_of(g->model, event, own);
    } else if (roll < 92) {
        a->pass.verdict = PASS_NONE;
    } else if (roll < 94) {
        a->pass.verdict = PASS_FALSE;
    } else { /* of any user, of any event */
        int other = (int)dice_roll(d, ASK_EVENTS);
        int number = entry_any(g, &g->model->events[other], QUEUE_ADMITTED);
        if (number && g->model->events[other].queue.entries[number - 1].admitted_at)
            a->pass = pass_of(g->model, other, number);
    }
    if (a->pass.verdict == PASS_LAPSED && dice_percent(d, 10))
        a->pass.verdict = PASS_GENUINE; /* it was genuine when the request came in */
}

/* ---- Time ---- */

int64_t generate_line_pause(struct generator *g)
{
    struct dice *d = g->dice;
    const struct model_event *e = &g->model->events[dice_roll(d, ASK_EVENTS)];
    const struct model_entry *entry = e->queue.count ? &e->queue.entries[dice_roll(d, e->queue.count)] : NULL;
    int64_t at = e->line.open_at_ms;
    if (entry && dice_percent(d, 70))
        at = dice_percent(d, 50) ? entry->until : entry->asked_at + entry->poll_s * 2000LL;
    else if (dice_percent(d, 30))
        at = dice_percent(d, 50) ? e->settings.on_sale_at_ms : e->settings.starts_at_ms;
    int64_t pause = at - g->model->now - 1 + dice_roll(d, 3);
    int64_t most = dice_percent(d, 3) ? 2000000 : 130000;
    return pause > 0 && pause < most ? pause : 0;
}
