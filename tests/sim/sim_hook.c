/* SPDX-License-Identifier: Apache-2.0 */
/* sim_hook.c — outgoing webhooks: due messages are sent, and some arrive. */
#include <stdio.h>

#include "sim.h"

static struct text name_of(int hook)
{
    return hook ? TEXT("shop") : TEXT("desk");
}

static enum outcome_code apply(struct sim *s, struct command *c, struct outcome *out)
{
    struct sim_step step = {.out = out, .no_offers = true};
    c->actor.role = ROLE_ADMIN;
    sim_submit(s, c, &step, LOG_ROOM_OK);
    return out->code;
}

static void put(struct sim *s, int hook)
{
    struct outcome out;
    struct model_hook *h = &s->model.hooks[hook];
    struct command c = {.kind = COMMAND_HOOK_PUT};
    c.hook = (struct hook_image){.name = name_of(hook),
                                 .url = TEXT("https://example.org/hook"),
                                 .secret = TEXT("0123456789abcdef0123"),
                                 .events = (uint32_t)dice_word(&s->dice) & HOOK_EVENTS_ALL};
    if (!c.hook.events || dice_percent(&s->dice, 50))
        c.hook.events = HOOK_EVENTS_ALL;
    bool made = !h->number;
    if (apply(s, &c, &out) != OUTCOME_OK || out.created != made || h->wants != c.hook.events)
        sim_fail(s, "A hook is made or not.");
}

static void remove_hook(struct sim *s, int hook)
{
    struct outcome out;
    struct model_hook *h = &s->model.hooks[hook];
    struct command c = {.kind = COMMAND_HOOK_REMOVE};
    c.hook.name = name_of(hook);
    bool known = h->number;
    if (apply(s, &c, &out) != (known ? OUTCOME_OK : OUTCOME_NO_SUCH_HOOK) || h->number)
        sim_fail(s, "A hook is removed or not.");
}

/* From here on, even within a step, it gets messages or not. */
void sim_follow_hook(struct sim *s, const struct hook_image *image)
{
    struct model_hook *h = &s->model.hooks[text_equal(image->name, name_of(1))];
    if (image->removed)
        h->number = h->wants = h->count = 0;
    else
        h->number = image->number;
    h->wants = image->removed ? 0 : image->events;
}

static void take(struct sim *s, int hook)
{
    struct outcome out;
    struct command c = {.kind = COMMAND_HOOK_TAKE};
    c.hook_take.hook = s->model.hooks[hook].number;
    c.hook_take.durable_seq = s->durable_seq;
    c.hook_take.most = 1 + dice_roll(&s->dice, 40);
    apply(s, &c, &out);
    for (uint32_t i = 0; i < out.message_count; i++) {
        struct model_message *w = model_message_next(&s->model, hook, &out.messages[i]);
        if (!w || w->seq > s->durable_seq)
            sim_fail(s, "A message is sent that should not be, or not yet: %s.",
                     hook_event_name(out.messages[i].event));
        w->under_way = true;
        w->ordinal = out.messages[i].ordinal;
        s->tally->hooks.taken++;
    }
    const struct model_message *due = model_message_due(&s->model, hook, s->durable_seq);
    if (due && out.message_count < c.hook_take.most)
        sim_fail(s, "A message is due and not sent: %s.", hook_event_name((enum hook_event)due->event));
}

static void report(struct sim *s, int hook)
{
    struct outcome out;
    struct model_hook *h = &s->model.hooks[hook];
    struct command c = {.kind = COMMAND_HOOK_REPORT};
    struct hook_report reports[64];
    c.hook_report.hook = h->number;
    c.hook_report.reports = reports;
    for (uint32_t i = 0; i < h->count && c.hook_report.count < 64;) {
        struct model_message *w = &h->waiting[i];
        if (!w->under_way || dice_percent(&s->dice, 10)) { /* it takes its time */
            i++;
            continue;
        }
        uint32_t roll = dice_roll(&s->dice, 100), before = h->count;
        bool many = h->count > MODEL_MESSAGES_MANY;
        enum hook_result result = roll < 70 || many ? HOOK_RESULT_DELIVERED
                                  : roll < 97       ? HOOK_RESULT_FAILED
                                                    : HOOK_RESULT_GONE;
        reports[c.hook_report.count++] = (struct hook_report){
            .seq = w->seq, .ordinal = w->ordinal, .result = result, .random = dice_word(&s->dice)};
        s->tally->hooks.reported[result]++;
        s->tally->hooks.dead += result == HOOK_RESULT_FAILED && s->model.now - w->since >= 24LL * 3600 * 1000;
        model_message_over(&s->model, hook, i, result);
        i += h->count == before;
    }
    /* Its receiver fails: messages older than a day are not tried any more. */
    c.hook_report.failing = dice_percent(&s->dice, 10);
    for (; c.hook_report.failing && model_message_old(&s->model, hook); s->tally->hooks.dead++)
        model_message_over(&s->model, hook, 0, HOOK_RESULT_GONE);
    if ((c.hook_report.count || c.hook_report.failing) && apply(s, &c, &out) != OUTCOME_OK)
        sim_fail(s, "The result of messages cannot be reported.");
}

static void warn(struct sim *s)
{
    bool all = dice_percent(&s->dice, 80);
    s->engine.limits.warn = all ? 1000 : 1;
    sim_due(s, DUE_WARNINGS, &(struct sim_step){.no_offers = true});
    const char *wrong = all ? model_unwarned(&s->model) : NULL;
    if (wrong)
        sim_fail(s, "After a step of warnings %s.", wrong);
}

void sim_hooks(struct sim *s)
{
    int hook = (int)dice_roll(&s->dice, MODEL_HOOKS);
    struct model_hook *h = &s->model.hooks[hook];
    uint32_t roll = dice_roll(&s->dice, 1000);
    if (roll < 6)
        put(s, hook);
    else if (roll < 8)
        remove_hook(s, hook);
    else if (roll < 60)
        warn(s);
    if (h->number && (roll < 200 || h->count > MODEL_MESSAGES_MANY)) {
        take(s, hook);
        report(s, hook);
    }
}

void sim_check_hooks(struct sim *s)
{
    for (int i = 0; i < MODEL_HOOKS; i++) {
        const struct model_hook *m = &s->model.hooks[i];
        const struct hook_image *image = state_hook_named(s->state, name_of(i));
        if ((image != NULL) != (m->number != 0) ||
            (image && (image->number != m->number || image->events != m->wants)))
            sim_fail(s, "A hook is there or not, or another.");
        uint32_t at = image ? hook_find_number(s->state, m->number)->oldest : 0, index = 0;
        for (; at; at = hook_waiting_at(s->state, at - 1)->newer, index++) {
            const struct hook_message *c = &hook_waiting_at(s->state, at - 1)->message;
            const struct model_message *w = &m->waiting[index];
            if (index >= m->count || c->seq != w->seq || c->event != (enum hook_event)w->event ||
                !id_equal(c->reservation, w->reservation) || c->since_ms != w->since)
                sim_fail(s, "Message %u of a hook is another: %s.", index, hook_event_name(c->event));
        }
        if (index != m->count)
            sim_fail(s, "%u messages wait, expected %u.", index, m->count);
    }
}
