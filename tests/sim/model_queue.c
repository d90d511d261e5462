/* SPDX-License-Identifier: Apache-2.0 */
/* model_queue.c — the waiting room, the slow way: all entries are in one array, and everything is searched from its
 * beginning. */
#include "model.h"

/* ---- The line ---- */

int model_position(const struct model_event *e, int number)
{
    const struct model_entry *entry = &e->queue.entries[number - 1];
    if (e->queue.opened_at)
        return entry->position ? entry->position : number;
    return e->line.shuffle ? 0 : number;
}

bool model_in_line(const struct model_entry *entry)
{
    return entry->status == QUEUE_WAITING || (entry->status == QUEUE_PASSED_OVER && entry->returned);
}

static bool anybody_in_line(const struct model_event *e)
{
    for (int i = 0; i < e->queue.count; i++)
        if (model_in_line(&e->queue.entries[i]))
            return true;
    return false;
}

uint32_t model_ahead(const struct model_event *e, int number)
{
    uint32_t ahead = 0;
    for (int i = 1; i <= e->queue.count; i++)
        ahead += model_in_line(&e->queue.entries[i - 1]) && model_position(e, i) < model_position(e, number);
    return ahead;
}

int model_entry_of(const struct model_event *e, int user)
{
    int newest = 0;
    for (int i = 1; i <= e->queue.count; i++)
        if (e->queue.entries[i - 1].user == user)
            newest = i;
    return newest;
}

bool model_running(const struct model *m, const struct model_event *e)
{
    return e->exists && e->line.has && e->queue.opened_at && !e->queue.paused &&
           m->now >= e->line.open_at_ms && !model_sale_over(m, e);
}

static void comes_back(struct model *m, struct model_event *e, struct model_entry *entry)
{
    bool line_before = anybody_in_line(e);
    if (entry->status == QUEUE_PASSED_OVER) {
        entry->returned = true;
        entry->until = 0;
        if (!line_before)
            model_rate_changed(m, e);
    }
}

/* Passed over, and certainly too late to come back: after a restart everyone has some time to be heard from again. */
bool model_gone(const struct model *m, const struct model_entry *entry)
{
    int64_t start = m->first_step ? m->first_step : m->now;
    return entry->status == QUEUE_PASSED_OVER && !entry->returned && !entry->coming &&
           m->now >= entry->until && (!m->restarted || m->now >= start + MODEL_GRACE_MS);
}

/* Applies the clock to it. */
static void settle(const struct model *m, struct model_entry *entry)
{
    if (entry->status == QUEUE_ADMITTED && m->now >= entry->until) {
        entry->status = QUEUE_FINISHED;
        entry->lapsed = true;
    } else if (model_gone(m, entry)) {
        entry->status = QUEUE_LEFT;
    }
}

/* ---- Settings ---- */

/* A queue that opened empty and opens later can still draw, with a new seed. */
static void open_again(struct model *m, struct model_event *e, const struct ask *a)
{
    if (!e->line.has || !e->queue.opened_at || e->queue.count || m->now >= e->line.open_at_ms)
        return;
    e->queue.opened_at = 0;
    e->queue.seed = a->secret;
}

void model_queue_put(struct model *m, const struct ask *a)
{
    struct model_event *e = &m->events[a->event];
    model_rate_changed(m, e); /* the time until now counts as well */
    e->settings = a->settings;
    e->line = a->queue;
    e->has_list = a->has_list;
    if (a->queue.has && !e->queue.made) {
        e->queue =
            (struct model_queue){.made = true, .seed = a->secret, .credit_at = m->now, .credit_most = 1000};
        if (!a->queue.open_at_ms)
            e->queue.opened_at = m->now;
    }
    open_again(m, e, a);
    model_rate_changed(m, e);
}

static void judge_patch(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    if (!e->line.has) {
        out->code = OUTCOME_NO_WAITING_ROOM;
        return;
    }
    model_rate_changed(m, e);
    if (a->has_rate)
        e->line.rate = a->queue.rate;
    if (a->has_max_active)
        e->line.max_active = a->queue.max_active;
    if (a->has_open_at)
        e->line.open_at_ms = a->queue.open_at_ms;
    if (a->has_paused)
        e->queue.paused = a->paused;
    open_again(m, e, a);
    model_rate_changed(m, e);
}

/* ---- People ---- */

static int owner_of(const struct ask *a)
{
    return a->role == ROLE_USER ? a->actor : a->named;
}

static void judge_join(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    if (!e->line.has) {
        out->code = OUTCOME_NO_WAITING_ROOM;
        return;
    }
    int number = model_entry_of(e, owner_of(a));
    bool line_before = anybody_in_line(e);
    struct model_entry *entry = number ? &e->queue.entries[number - 1] : NULL;
    if (entry)
        settle(m, entry);
    if (!entry || !queue_status_live((enum queue_status)entry->status)) {
        int with;
        out->code = model_sale_over(m, e) ? OUTCOME_NOT_ON_SALE : model_joiner(m, a, &with);
        if (out->code != OUTCOME_OK)
            return;
        number = ++e->queue.count;
        entry = &e->queue.entries[number - 1];
        *entry = (struct model_entry){
            .status = QUEUE_WAITING, .user = (int8_t)owner_of(a), .tiers = a->tiers, .joined_at = m->now};
        out->created = true;
        if (!line_before)
            model_rate_changed(m, e);
        model_remember(m, a, MADE_QUEUE_ENTRY, a->event, number);
    }
    comes_back(m, e, entry);
    out->seen = true;
    out->entry = number;
}

static int entry_find(const struct model_event *e, struct id id)
{
    for (int i = 1; i <= e->queue.count; i++)
        if (id_equal(e->queue.entries[i - 1].id, id))
            return i;
    return 0;
}

static void judge_entry(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    int number = entry_find(e, a->entry);
    struct model_entry *entry = number ? &e->queue.entries[number - 1] : NULL;
    if (!entry || (a->role == ROLE_USER && entry->user != a->actor))
        out->code = OUTCOME_NO_SUCH_ENTRY;
    else if (a->named >= 0 && a->named != entry->user)
        out->code = OUTCOME_NOT_OWNER;
    if (out->code != OUTCOME_OK)
        return;
    settle(m, entry);
    out->entry = number;
    if (a->kind == COMMAND_QUEUE_LEAVE) {
        if (queue_status_live((enum queue_status)entry->status))
            entry->status = QUEUE_LEFT;
        return;
    }
    out->seen = a->role != ROLE_ADMIN;
    if (out->seen)
        comes_back(m, e, entry);
}

/* The same request again: the answer is the entry as it is now, and its owner is present. */
static void judge_again(struct model *m, struct model_answer *out)
{
    struct model_event *e = &m->events[out->entry_event];
    struct model_entry *entry = &e->queue.entries[out->entry - 1];
    settle(m, entry);
    comes_back(m, e, entry);
    out->seen = true;
}

void model_queue(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool join = a->kind == COMMAND_QUEUE_JOIN;
    out->entry_event = a->event;
    if (a->role == ROLE_USER && a->named >= 0 && a->named != a->actor)
        out->code = OUTCOME_NOT_OWNER;
    else if (join && a->role == ROLE_USER && a->tiers)
        out->code = OUTCOME_FORBIDDEN;
    else if (join && owner_of(a) < 0)
        out->code = OUTCOME_INVALID;
    if (out->code == OUTCOME_OK && join && model_replayed(m, a, out)) {
        if (out->entry)
            judge_again(m, out);
        return;
    }
    if (out->code != OUTCOME_OK)
        return;
    if (a->event >= ASK_EVENTS || !m->events[a->event].exists) {
        out->code = OUTCOME_NO_SUCH_EVENT;
        return;
    }
    const struct model_event *e = &m->events[a->event];
    if (a->kind == COMMAND_QUEUE_PATCH)
        judge_patch(m, a, out);
    else if (join)
        judge_join(m, a, out);
    else
        judge_entry(m, a, out);
    bool told = out->code == OUTCOME_OK && (join || a->kind == COMMAND_QUEUE_LOOK);
    if (told && e->line.has && !e->queue.opened_at && m->now >= e->line.open_at_ms)
        out->wrong = "the room should have opened"; /* or this entry would be drawn too */
}

void model_bought(struct model *m, int event, int user)
{
    struct model_event *e = &m->events[event];
    int number = model_entry_of(e, user);
    if (!number)
        return;
    struct model_entry *entry = &e->queue.entries[number - 1];
    settle(m, entry);
    if (entry->status == QUEUE_ADMITTED)
        entry->status = QUEUE_FINISHED;
}

/* ---- The pass ---- */

/* Of the one event. */
static enum outcome_code pass_code(struct model *m, const struct ask_pass *pass, int event, int owner,
                                   struct model_answer *out, const struct model_entry **held)
{
    struct model_event *e = &m->events[event];
    if (pass->verdict == PASS_NONE)
        return OUTCOME_PASS_REQUIRED;
    if (pass->verdict == PASS_FALSE || pass->event != event || pass->user != owner)
        return OUTCOME_PASS_INVALID;
    int number = entry_find(e, pass->entry);
    struct model_entry *entry = number ? &e->queue.entries[number - 1] : NULL;
    if (pass->verdict == PASS_LAPSED) {
        if (!entry || entry->user != owner) /* of a removed event of the same name; of an erased user */
            out->also = OUTCOME_PASS_INVALID;
        return OUTCOME_PASS_EXPIRED;
    }
    if (!entry || entry->user != owner)
        return OUTCOME_PASS_INVALID;
    settle(m, entry);
    *held = entry;
    if (entry->status == QUEUE_ADMITTED)
        return OUTCOME_OK;
    if (!entry->admitted_at || m->now < entry->until)
        return OUTCOME_PASS_INVALID;
    out->also = OUTCOME_PASS_INVALID; /* genuine, past its end, and of an entry that is no longer admitted */
    return OUTCOME_PASS_EXPIRED;
}

/* 0: everything. */
static uint8_t tiers_of(const struct model_event *e, const struct model_entry *entry)
{
    return entry->tiers ? entry->tiers : e->line.tiers;
}

/* Seats that a pass for these tiers does not open. */
static enum outcome_code tier_code(const struct model_event *e, const struct ask_item *item, uint8_t tiers)
{
    bool inside = item->kind == ITEM_SEAT   ? model_within(tiers, e->seats[item->unit].tier)
                  : item->kind == ITEM_BEST ? item->tier < 0 || model_within(tiers, item->tier)
                                            : true;
    return inside ? OUTCOME_OK : OUTCOME_PASS_TIER;
}

enum outcome_code model_pass(struct model *m, const struct ask *a, struct model_wanted *w, int owner,
                             struct model_answer *out)
{
    enum outcome_code code = OUTCOME_OK;
    uint8_t tiers[ASK_ITEMS] = {0};
    for (uint32_t i = 0; a->role != ROLE_ADMIN && code == OUTCOME_OK && i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        const struct model_entry *entry = NULL;
        if (ask_timed(item->kind) || !m->events[item->event].line.has)
            continue;
        code = pass_code(m, &a->pass, item->event, owner, out, &entry);
        if (code == OUTCOME_OK)
            tiers[i] = tiers_of(&m->events[item->event], entry);
    }
    for (uint32_t i = 0; code == OUTCOME_OK && i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        if (ask_timed(item->kind))
            continue;
        code = tier_code(&m->events[item->event], item, tiers[i]);
        out->tiers[i] = w->tiers[i] = item->kind == ITEM_BEST ? tiers[i] : 0;
    }
    return code;
}
