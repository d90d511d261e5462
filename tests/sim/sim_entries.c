/* SPDX-License-Identifier: Apache-2.0 */
/* sim_entries.c — waiting rooms and waiting lists in a run: people are admitted, streams keep them present, and
 * everything shown is compared with the model. */
#include <stdio.h>

#include "sim.h"

#include "core/catalogue/event_seats.h"
#include "core/queue/queue.h"

#define ROUNDS_MOST 10000

/* ---- Answers ---- */

static const char *differs(const char *what, int64_t is, int64_t should)
{
    static char sentence[80];
    snprintf(sentence, sizeof(sentence), "%s (%lld, expected %lld)", what, (long long)is, (long long)should);
    return sentence;
}

static const char *tiers_differ(uint8_t tiers, const struct text *found, uint32_t count)
{
    uint32_t expected = 0;
    for (int i = 0; i < ASK_TIERS; i++) {
        bool there = false;
        for (uint32_t k = 0; k < count; k++)
            there = there || text_equal(found[k], translate_tier(i));
        if (there != (tiers >> i & 1))
            return "tiers";
        expected += tiers >> i & 1;
    }
    return expected == count ? NULL : "tiers";
}

/* The wait is an estimate; when there can be none, and what it cannot be, is exact. */
static const char *estimate_differs(struct sim *s, const struct model_event *e, const struct model_entry *m,
                                    const struct queue_entry_image *c)
{
    int64_t opens_s = (e->line.open_at_ms - s->model.now) / 1000;
    if (c->poll_after_s < 1 || c->poll_after_s > POLL_AFTER_MAX_S)
        return "poll_after";
    if (c->eta_s < -1)
        return "eta";
    bool none = !model_in_line(m) || e->queue.paused || !c->position || !e->line.has;
    if (none && c->eta_s != -1)
        return "eta";
    return !none && c->eta_s >= 0 && opens_s > 0 && c->eta_s < opens_s ? "eta" : NULL;
}

static const char *entry_differs(struct sim *s, int event, int number, const struct queue_entry_image *c)
{
    const struct model_event *e = &s->model.events[event];
    const struct model_entry *m = &e->queue.entries[number - 1];
    bool timed = m->status == QUEUE_ADMITTED || m->status == QUEUE_PASSED_OVER;
    bool known = e->line.has || e->queue.opened_at;
    if (!id_equal(c->id, m->id) || c->number != (uint32_t)number)
        return "id";
    if (!text_equal(c->user_id, translate_user(m->user)) || !text_equal(c->event_id, translate_event(event)))
        return "user_id";
    if (c->status != m->status)
        return differs("status", c->status, m->status);
    if (c->joined_at_ms != m->joined_at || (timed && c->until_ms != m->until))
        return "times";
    if (known && c->position != (uint32_t)model_position(e, number))
        return differs("position", c->position, model_position(e, number));
    if (known && c->position && model_in_line(m) && c->ahead != model_ahead(e, number))
        return differs("ahead", c->ahead, model_ahead(e, number));
    const char *wrong = estimate_differs(s, e, m, c);
    return wrong ? wrong : tiers_differ(m->tiers, c->tiers, c->tier_count);
}

static const char *list_entry_differs(struct sim *s, int event, int number, const struct list_entry_image *c)
{
    const struct model_event *e = &s->model.events[event];
    const struct model_list_entry *m = &e->list[number - 1];
    if (!id_equal(c->id, m->id) || c->number != (uint32_t)number)
        return "id";
    if (!text_equal(c->user_id, translate_user(m->user)) || !text_equal(c->event_id, translate_event(event)))
        return "user_id";
    if (c->status != m->status)
        return "status";
    if (c->joined_at_ms != m->joined_at || c->changed_at_ms != m->changed_at)
        return "times";
    if (!id_equal(c->reservation, m->reservation))
        return "reservation";
    return c->position != model_rank(e, number) ? "position" : NULL;
}

static bool id_known(const struct model *m, struct id id)
{
    for (int i = 0; i < ASK_EVENTS; i++) {
        for (int k = 0; k < m->events[i].queue.count; k++)
            if (id_equal(m->events[i].queue.entries[k].id, id))
                return true;
        for (int k = 0; k < m->events[i].list_count; k++)
            if (id_equal(m->events[i].list[k].id, id))
                return true;
    }
    return false;
}

void sim_check_entries(struct sim *s, const struct ask *a, const struct model_answer *expected,
                       const struct outcome *out)
{
    struct model_event *e = &s->model.events[expected->entry_event % ASK_EVENTS];
    const char *wrong = NULL;
    if (expected->created && (expected->entry || expected->list_entry)) {
        struct id id = expected->entry ? out->entry.id : out->list_entry.id;
        if (id_known(&s->model, id))
            sim_fail(s, "Two entries have one id.");
        *(expected->entry ? &e->queue.entries[expected->entry - 1].id
                          : &e->list[expected->list_entry - 1].id) = id;
    }
    if (expected->entry)
        wrong = entry_differs(s, expected->entry_event, expected->entry, &out->entry);
    else if (expected->list_entry)
        wrong = list_entry_differs(s, expected->entry_event, expected->list_entry, &out->list_entry);
    if (wrong)
        sim_fail(s, "Command %d: the entry's %s differs.", a->kind, wrong);
    if (expected->seen && expected->entry) {
        e->queue.entries[expected->entry - 1].asked_at = s->model.now;
        e->queue.entries[expected->entry - 1].poll_s = (uint8_t)out->entry.poll_after_s;
    }
}

/* ---- Looking ---- */

/* How many are admitted in ten seconds, by the last ten or as many as there were; to about half a second. */
static void check_pace(struct sim *s, int event, uint32_t found)
{
    const struct model *m = &s->model;
    const struct model_queue *queue = &m->events[event].queue;
    int64_t from = m->now - 10000, least = 0, most = 0;
    from = queue->opened_at > from ? queue->opened_at : from;
    from = m->first_step > from ? m->first_step : from;
    int64_t span = m->now - from > 1000 ? m->now - from : 1000;
    for (int i = 0; i < queue->count; i++) {
        int64_t at = queue->entries[i].admitted_at;
        least += at > from + 1000 && m->first_step && at > m->first_step;
        most += at && at > from - 1000;
    }
    if (found > most * 10000 / span || found < least * 10000 / span)
        sim_fail(s, "The waiting room of event %d admits %u in ten seconds, expected %lld to %lld.", event,
                 found, (long long)(least * 10000 / span), (long long)(most * 10000 / span));
}

void sim_check_queue(struct sim *s, int event, const struct queue_view *v)
{
    const struct model_event *e = &s->model.events[event];
    const struct model_queue *queue = &e->queue;
    uint32_t by_status[QUEUE_LEFT + 1] = {0};
    for (int i = 0; i < queue->count; i++)
        by_status[queue->entries[i].status]++;
    check_pace(s, event, v->admitted_per_10_s);
    if (v->joined != queue->count || v->waiting != by_status[QUEUE_WAITING] ||
        v->active != by_status[QUEUE_ADMITTED] || v->passed_over != by_status[QUEUE_PASSED_OVER] ||
        v->finished != by_status[QUEUE_FINISHED] || v->left != by_status[QUEUE_LEFT])
        sim_fail(s, "The waiting room of event %d counts %u waiting, %u active, %u passed over.", event,
                 v->waiting, v->active, v->passed_over);
    if (v->serving != queue->serving)
        sim_fail(s, "The waiting room of event %d serves %u, expected %u.", event, v->serving,
                 queue->serving);
    if (v->has_queue != e->line.has || v->image.paused != queue->paused ||
        v->image.opened_at_ms != queue->opened_at || v->image.drawn != queue->drawn || v->seq > s->state->seq)
        sim_fail(s, "The waiting room of event %d is another.", event);
    if (e->line.has &&
        (v->settings.rate_per_second != e->line.rate || v->settings.max_active != e->line.max_active ||
         v->settings.open_at_ms != e->line.open_at_ms || v->settings.pass_ttl_s != e->line.pass_ttl_s))
        sim_fail(s, "The waiting room of event %d has other settings.", event);
}

/* Every entry of all lines, as core shows it without a poll. */
void sim_check_line(struct sim *s, int event)
{
    struct model_event *m = &s->model.events[event];
    struct event *e = event_find(s->state, translate_event(event));
    struct queue_view view;
    if (!e)
        return;
    if (queue_view(s->state, e, &view) != m->queue.made)
        sim_fail(s, "Event %d has a waiting room or not.", event);
    if (!m->queue.made)
        return;
    sim_check_queue(s, event, &view);
    for (int i = 1; i <= m->queue.count; i++) {
        struct queue_entry_image image;
        queue_entry_view(s->state, e, (uint32_t)i, &image);
        if (!image.position)
            continue; /* it is hidden, or not counted yet */
        const char *wrong = entry_differs(s, event, i, &image);
        if (wrong)
            sim_fail(s, "The %s of entry %d of event %d differs.", wrong, i, event);
    }
}

/* ---- After each step ---- */

/* Every change of an entry is recorded. */
static void check_told(struct sim *s, const struct model_event *e)
{
    for (int i = 0; i < e->queue.count; i++)
        if (e->queue.entries[i].told != e->queue.entries[i].status ||
            (e->queue.entries[i].returned && !e->queue.entries[i].told_back))
            sim_fail(s, "Entry %d is %s, and that is not written down.", i + 1,
                     queue_status_name((enum queue_status)e->queue.entries[i].status));
    for (int i = 0; i < e->list_count; i++)
        if (e->list[i].told != e->list[i].status)
            sim_fail(s, "Entry %d of a waiting list is %s, and that is not written down.", i + 1,
                     list_status_name((enum list_status)e->list[i].status));
}

static bool anybody_waits(const struct model_event *e)
{
    for (int i = 0; i < e->list_count; i++)
        if (e->list[i].status == LIST_WAITING)
            return true;
    return false;
}

/* While offers are due nothing of the event looks free. */
static void check_hidden(struct sim *s, int event)
{
    struct event *e = event_find(s->state, translate_event(event));
    for (uint32_t i = 0; e->layout && i < e->layout->count; i++)
        if (!layout_is_gone(e->layout, i) && seat_status(s->state, e, i) == UNIT_AVAILABLE)
            sim_fail(s, "A seat of event %d looks free while offers are left to make.", event);
    for (uint32_t i = 0; i < e->pool_count; i++)
        if (pool_shown(e, &e->pools[i]))
            sim_fail(s, "A pool of event %d looks free while offers are left to make.", event);
    if (event_counts_shown(e).available)
        sim_fail(s, "Event %d counts seats as available while offers are left to make.", event);
    s->tally->lines.busy++;
}

void sim_check_lines(struct sim *s, const struct sim_step *step)
{
    for (int i = 0; i < ASK_EVENTS; i++) {
        const struct model_event *m = &s->model.events[i];
        if (!m->queue.count && !m->list_count)
            continue;
        check_told(s, m);
        bool busy = waiting_list_busy(event_find(s->state, translate_event(i)));
        if (busy)
            check_hidden(s, i);
        if (busy || step->admitting || step->no_offers || !anybody_waits(m) || !model_offering(&s->model, i))
            continue;
        if (m->settings.on_sale_at_ms && state_next_service(s->state) <= s->model.now)
            continue; /* it has just gone on sale, and this step had others to serve */
        s->model.as_told = true;
        int first = model_list_first(&s->model, i, MODEL_LIST + 1);
        s->model.as_told = false;
        if (first)
            sim_fail(s, "The wish of entry %d of the waiting list of event %d is free, but not offered.",
                     first, i);
    }
}

/* ---- Time ---- */

/* Admits people, some or all that can be. */
void sim_admit(struct sim *s)
{
    uint32_t most = dice_percent(&s->dice, 40) ? 1 + dice_roll(&s->dice, 4) : 1000;
    bool patient = dice_percent(&s->dice, 80), more = true;
    for (int rounds = 0; more; rounds++) {
        model_admit_begin(&s->model);
        s->engine.limits.admit = most;
        more = sim_due(s, DUE_ADMISSION, &(struct sim_step){.admitting = true});
        const char *wrong = model_admit_end(&s->model, !more, state_next_admission(s->state));
        if (wrong)
            sim_fail(s, "Admission: %s.", wrong);
        s->tally->lines.admissions++;
        if (rounds == ROUNDS_MOST)
            sim_fail(s, "There is no end of admission.");
        if (!patient)
            break;
    }
}

void sim_serve(struct sim *s)
{
    bool more = true;
    for (int rounds = 0; more; rounds++) {
        more = sim_due(s, DUE_LISTS, &(struct sim_step){0});
        if (rounds == ROUNDS_MOST)
            sim_fail(s, "There is no end of service.");
    }
}

/* A stream is open. */
void sim_stream(struct sim *s)
{
    int event = (int)dice_roll(&s->dice, ASK_EVENTS);
    struct model_event *m = &s->model.events[event];
    struct event *e = event_find(s->state, translate_event(event));
    if (!e || !m->queue.count)
        return;
    uint32_t number = 1 + dice_roll(&s->dice, m->queue.count);
    struct model_entry *entry = &m->queue.entries[number - 1];
    bool live = queue_status_live((enum queue_status)entry->status);
    bool over =
        (entry->status == QUEUE_ADMITTED && s->model.now >= entry->until) || model_gone(&s->model, entry);
    bool perhaps = entry->status == QUEUE_PASSED_OVER && !entry->returned && s->model.now >= entry->until;
    state_set_now(s->state, s->model.now);
    bool present = queue_present(s->state, e, number);
    if (present != (live && !over) && !(live && !over && perhaps))
        sim_fail(s, "Entry %u is live or not.", number);
    if (!present)
        return;
    entry->streamed_at = s->model.now;
    if (entry->status == QUEUE_PASSED_OVER && !entry->returned)
        entry->coming = true;
    s->tally->lines.streams++;
}

/* ---- What happened ---- */

static bool has_line(const struct sim *s, int event)
{
    const struct model_event *e = event < ASK_EVENTS ? &s->model.events[event] : NULL;
    return e && (e->line.has || anybody_waits(e));
}

bool sim_concerns_lines(struct sim *s, const struct ask *a)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!ask_timed(a->items[i].kind) && has_line(s, a->items[i].event))
            return true;
    const struct model_reservation *r = model_find(&s->model, a->id);
    return ask_of_lines(a->kind) || (r && r->from_list);
}

void sim_tally_lines(struct sim *s, const struct ask *a, const struct outcome *out)
{
    struct tally_lines *t = &s->tally->lines;
    t->operations++;
    t->rejoined += a->kind == COMMAND_QUEUE_JOIN && out->code == OUTCOME_OK && !out->created;
    t->ahead += out->entry.ahead > 0;
    t->passes += out->code == OUTCOME_OK && a->pass.verdict == PASS_GENUINE;
}
