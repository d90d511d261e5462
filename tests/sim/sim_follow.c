/* SPDX-License-Identifier: Apache-2.0 */
/* sim_follow.c — core's changes of one step, read in order: lapses, admissions, offers, and the request's own change,
 * which is where the model judges the request. */
#include <stdio.h>

#include "sim.h"

#include "core/catalogue/event.h"
#include "core/queue/queue.h"

struct follow {
    struct sim *s;
    const struct sim_step *step;
    bool judged;
    struct change *change, *offer; /* offer: a hold that waits for its entry; NULL: none */
    struct sim_back back;          /* the last thing taken back */
    uint32_t moved;
};

static struct change buffers[2];

static int event_index(const struct follow *f, uint64_t number)
{
    const struct event *e = event_find_number(f->s->state, number);
    if (!e)
        sim_fail(f->s, "A change is of an event that there is not.");
    return e->image.id.at[1] - '0';
}

static void demand(const struct follow *f, const char *wrong)
{
    if (wrong)
        sim_fail(f->s, "Change %llu: %s.", (unsigned long long)f->change->seq, wrong);
}

/* ---- The request ---- */

/* An event whose stock the request wants while a waiting wish fits; -1: none. */
static int passed_by(struct sim *s, const struct ask *a)
{
    bool wants[ASK_EVENTS] = {0};
    struct model_wanted w = {0};
    if (a->kind == COMMAND_HOLD || a->kind == COMMAND_ITEMS_ADD)
        w = model_wanted_make(&s->model, a, a->kind == COMMAND_HOLD ? NULL : model_find(&s->model, a->id));
    for (uint32_t i = 0; i < w.count; i++)
        if (!ask_timed(w.items[i].kind) && w.items[i].event < ASK_EVENTS)
            wants[w.items[i].event] = true;
    struct model_item item = sim_item_before(s, a);
    if (item.kind == ITEM_SEAT || (item.kind == ITEM_POOL && a->quantity > item.quantity))
        wants[item.event] = true;
    const struct model_reservation *late = sim_late(s, a) ? model_find(&s->model, a->id) : NULL;
    for (int i = 0; late && i < late->item_count; i++)
        if (late->items[i].kind != ITEM_SLOT && !late->items[i].gone)
            wants[late->items[i].event] = true;
    for (int i = 0; i < ASK_EVENTS; i++)
        if (wants[i] && s->model.events[i].list_count && model_offering(&s->model, i) &&
            model_list_first(&s->model, i, MODEL_LIST + 1))
            return i;
    return -1;
}

void sim_judge(struct sim *s, const struct ask *a, const struct outcome *out, bool exact)
{
    struct model_answer expected;
    int event = passed_by(s, a);
    model_judge(&s->model, a, &expected);
    if (expected.wrong)
        sim_fail(s, "Command %d: %s.", a->kind, expected.wrong);
    if (expected.claims && event >= 0)
        sim_fail(s, "A claim is judged before the waiting list of event %d was served.", event);
    sim_check_answer(s, a, &expected, out, exact);
    model_settle(&s->model, NULL);
    s->tally->best_exact += exact && out->code == OUTCOME_OK;
}

static void judge(struct follow *f)
{
    if (!f->step->ask || f->judged)
        return;
    f->judged = true;
    sim_judge(f->s, f->step->ask, f->step->out, f->step->exact);
}

/* ---- Waiting lists ---- */

static void name_items(struct sim *s, struct change *c)
{
    for (uint32_t i = 0; i < c->reservation.image.item_count; i++) {
        struct item_image *item = &c->items[i];
        const struct event *e = event_find_number(s->state, item->resource);
        item->resource_id = e->image.id;
        item->part_id =
            item->kind == ITEM_SEAT ? layout_id(e->layout, item->part) : e->pools[item->part].image.id;
    }
}

/* The list is served before it is judged: for a claim, or a join where the list is no way around the queue. */
static bool asks_list_first(const struct follow *f)
{
    const struct ask *a = f->step->ask;
    if (!a || a->kind != COMMAND_LIST_JOIN)
        return a && (sim_late(f->s, a) || a->kind == COMMAND_HOLD || a->kind == COMMAND_ITEMS_ADD ||
                     a->kind == COMMAND_ITEM_MOVE || a->kind == COMMAND_ITEM_QUANTITY);
    return a->role == ROLE_USER && a->event < ASK_EVENTS && f->s->model.events[a->event].line.has &&
           !model_list_live(&f->s->model.events[a->event], a->actor);
}

static void follow_payment(struct follow *f)
{
    const struct payment_image *p = &f->change->payment;
    struct tally_money *t = &f->s->tally->money;
    enum payment_source source;
    judge(f);
    const char *wrong = model_row_told(&f->s->model, p);
    if (wrong)
        sim_fail(f->s, "Payment %.*s, received %lld, kept %lld, returned %lld, owed %lld, %s: %s.",
                 (int)p->ref.size, p->ref.at, (long long)p->received, (long long)p->kept,
                 (long long)p->returned, (long long)p->owed, discrepancy_name(p->discrepancy), wrong);
    t->discrepancies[p->discrepancy]++;
    if (payment_source(p, &source))
        t->sources[source]++;
}

static void follow_refund(struct follow *f)
{
    const struct refund_image *image = &f->change->refund;
    bool made = image->number == f->change->seq;
    judge(f);
    bool grown = image->status == REFUND_OPEN && model_refund_grown(&f->s->model, image);
    const char *wrong = model_refund_told(&f->s->model, image, made);
    if (wrong)
        sim_fail(f->s, "Refund due %llu of %.*s over %lld %s, %s: %s.", (unsigned long long)image->number,
                 (int)image->payment_ref.size, image->payment_ref.at, (long long)image->amount,
                 image->currency, refund_status_name(image->status), wrong);
    if (grown && id_equal(f->back.id, image->reservation) && !text_equal(image->reason, f->back.reason))
        demand(f, "the refund due has the wrong reason");
    enum refund_cause cause;
    if (grown && refund_cause_read(image->reason, &cause))
        f->s->tally->money.causes[cause]++;
    f->s->tally->money.refunds[image->status] += image->status != REFUND_OPEN || made;
    f->s->tally->money.changed += image->status == REFUND_OPEN && image->told_seq != image->number;
}

/* The provider's answer does not show it, so core's choice is only known from here. */
static void follow_late(struct follow *f)
{
    struct model *m = &f->s->model;
    const struct ask *a = f->step->ask;
    struct model_reservation *r = a && a->kind == COMMAND_PAYMENT_EVENT ? model_find(m, a->id) : NULL;
    if (!r || r->fence || !id_equal(r->id, f->change->reservation.image.id))
        return;
    struct model_answer answer = {.reservation = (int)(r - m->reservations)};
    demand(f, model_adopt(m, a, &answer, &f->change->reservation.image, false));
}

static void follow_reservation(struct follow *f)
{
    const struct reservation_image *image = &f->change->reservation.image;
    if (f->step->undoing && model_find(&f->s->model, image->id)) {
        demand(f, sim_follow_back(f->s, f->change, &f->back));
        return;
    }
    if (!image->from_list || image->version > 1 || model_find(&f->s->model, image->id)) {
        judge(f);
        follow_late(f);
        return;
    }
    if (!asks_list_first(f))
        judge(f); /* offers at the end of the step are not in the answer */
    if (f->offer || f->change->actor.role != ROLE_SERVER || f->change->reservation.action != ACTION_HELD)
        demand(f, "an offer is not made as it should be");
    name_items(f->s, f->change);
    f->offer = f->change;
    f->change = f->change == &buffers[0] ? &buffers[1] : &buffers[0];
}

static bool same_wish(const struct list_wish *c, const struct ask_wish *m)
{
    return c->quantity == m->quantity && c->adjacent == m->adjacent &&
           text_equal(c->section, translate_section(m->section)) &&
           text_equal(c->tier, translate_tier(m->tier)) &&
           text_equal(c->pool, m->pool < 0 ? (struct text){0} : translate_pool(m->pool));
}

static void follow_offer(struct follow *f, int event)
{
    struct sim *s = f->s;
    const struct list_entry_image *image = &f->change->list_entry;
    if (!f->offer || !id_equal(f->offer->reservation.image.id, image->reservation))
        demand(f, "an entry is offered a reservation that is not there");
    demand(f, model_offered(&s->model, event, image, &f->offer->reservation.image));
    demand(f, sim_image_differs(s, model_find(&s->model, image->reservation), &f->offer->reservation.image));
    s->tally->allotments.offered += f->offer->items[0].allotment.at != NULL;
    f->offer = NULL;
    s->tally->lines.offered++;
    s->tally->lines.offered_adjacent += image->wish.adjacent;
    s->tally->lines.offered_code += image->code.at != NULL;
    s->tally->lines.offered_pool += image->wish.pool.at != NULL;
}

static void tally_list(struct follow *f, const struct model_list_entry *entry)
{
    struct tally_lines *t = &f->s->tally->lines;
    const struct model_reservation *r =
        entry->told == LIST_OFFERED ? model_find(&f->s->model, entry->reservation) : NULL;
    t->offers_bought += entry->status == LIST_FINISHED;
    t->list_left += entry->told == LIST_WAITING && entry->status == LIST_LEFT;
    t->offers_lapsed += r && r->status == RESERVATION_EXPIRED;
    t->offers_declined += r && r->status == RESERVATION_RELEASED;
}

static void follow_list_entry(struct follow *f)
{
    const struct list_entry_image *image = &f->change->list_entry;
    const struct ask *a = f->step->ask;
    int event = event_index(f, image->event);
    struct model_event *e = &f->s->model.events[event];
    if (image->status == LIST_WAITING)
        judge(f);
    if (image->number > e->list_count)
        demand(f, "there is an entry of an unknown user");
    struct model_list_entry *entry = &e->list[image->number - 1];
    if (a && a->kind == COMMAND_LIST_LEAVE && entry->status == LIST_WAITING && id_equal(entry->id, a->entry))
        judge(f);
    if (a && a->kind == COMMAND_ERASE && entry->status == LIST_WAITING && image->status == LIST_LEFT)
        judge(f);
    if (image->status == LIST_OFFERED)
        follow_offer(f, event);
    if (f->step->undoing && image->status == LIST_LEFT && list_status_live((enum list_status)entry->status)) {
        demand(f, model_list_over(&f->s->model, event, image->number));
        f->s->tally->cancelled.lists_ended++;
    }
    if (entry->status != (uint8_t)image->status)
        demand(f, "an entry of a waiting list is recorded wrongly");
    if (!text_equal(image->user_id, translate_user(entry->user)) || !same_wish(&image->wish, &entry->wish) ||
        image->joined_at_ms != entry->joined_at || image->changed_at_ms != entry->changed_at ||
        !id_equal(image->reservation, entry->reservation) || (image->code.at != NULL) != (entry->code != 0))
        demand(f, "an entry of a waiting list is written down with other facts");
    tally_list(f, entry);
    entry->told = entry->status;
}

static void follow_expired(struct follow *f)
{
    struct sim *s = f->s;
    struct bytes_reader ids = f->change->expired.ids;
    for (uint32_t i = 0; i < f->change->expired.count; i++) {
        struct id id = expired_id_get(&ids);
        if (model_find(&s->model, id) || s->generator.lines_percent)
            demand(f, model_expired(&s->model, id));
    }
}

/* ---- Waiting rooms ---- */

/* Only core knows the drawn positions; it can take a step to count. */
void sim_learn_draw(struct sim *s, int event)
{
    const struct model_queue *queue = &s->model.events[event].queue;
    struct event *e = event_find(s->state, translate_event(event));
    uint32_t positions[MODEL_QUEUE] = {0};
    for (int i = 0; e && queue->undrawn && i < queue->drawn; i++) {
        struct queue_entry_image entry;
        queue_entry_view(s->state, e, (uint32_t)i + 1, &entry);
        positions[i] = entry.position;
    }
    const char *wrong = queue->undrawn && positions[0] ? model_drawn(&s->model, event, positions) : NULL;
    if (wrong)
        sim_fail(s, "Event %d: %s.", event, wrong);
}

static void follow_opening(struct follow *f, int event, const struct queue_image *image)
{
    demand(f, model_opened(&f->s->model, event, image));
    sim_learn_draw(f->s, event);
    f->s->tally->lines.opened++;
    f->s->tally->lines.drawn += image->drawn;
}

static void follow_queue(struct follow *f)
{
    const struct queue_image *image = &f->change->queue;
    const struct ask *a = f->step->ask;
    int event = event_index(f, image->event);
    const struct model_event *e = &f->s->model.events[event];
    const struct model_queue *queue = &e->queue;
    uint8_t seed[32];
    /* Its time can have come before the request that sets another. */
    bool due =
        e->line.has && !queue->opened_at && f->s->model.now >= e->line.open_at_ms && image->opened_at_ms;
    if (!due && a &&
        (a->kind == COMMAND_QUEUE_PATCH || a->kind == COMMAND_EVENT_PUT || a->kind == COMMAND_EVENT_PATCH))
        judge(f);
    if (image->opened_at_ms && !queue->opened_at)
        follow_opening(f, event, image);
    translate_seed(queue->seed, seed);
    bool pausing = a && a->kind == COMMAND_QUEUE_PATCH && a->has_paused; /* that can be its second change */
    if (!queue->made || (image->paused != queue->paused && !pausing) ||
        image->opened_at_ms != queue->opened_at || image->drawn != queue->drawn ||
        memcmp(image->seed, seed, sizeof(seed)) != 0)
        demand(f, "a waiting room is recorded wrongly");
}

static void follow_joined(struct follow *f)
{
    judge(f);
    int event = event_index(f, f->change->joined.event);
    struct model_queue *queue = &f->s->model.events[event].queue;
    struct model_entry *entry = &queue->entries[f->change->joined.number - 1];
    if (f->change->joined.number != queue->count || entry->told ||
        !text_equal(f->change->joined.user_id, translate_user(entry->user)))
        demand(f, "an entry joins out of order, or with the wrong name");
    entry->told = QUEUE_WAITING;
}

static void tally_move(struct tally_lines *t, const struct model_entry *before,
                       const struct model_entry *after)
{
    bool over = before->status == QUEUE_PASSED_OVER || before->told == QUEUE_PASSED_OVER;
    t->admitted += after->status == QUEUE_ADMITTED;
    t->returned += after->status == QUEUE_ADMITTED && over;
    t->passed_over += after->status == QUEUE_PASSED_OVER;
    t->finished_bought += after->status == QUEUE_FINISHED && !after->lapsed;
    t->finished_lapsed += after->status == QUEUE_FINISHED && after->lapsed;
    t->left_admitted += after->status == QUEUE_LEFT && before->told == QUEUE_ADMITTED;
    t->left_late += after->status == QUEUE_LEFT && before->status == QUEUE_PASSED_OVER;
}

static void follow_moved(struct follow *f)
{
    struct sim *s = f->s;
    const struct ask *a = f->step->ask;
    struct bytes_reader in = f->change->moved.moves;
    int event = event_index(f, f->change->moved.event);
    struct model_queue *queue = &s->model.events[event].queue;
    for (uint32_t i = 0; i < f->change->moved.count; i++) {
        struct queue_move move;
        if (!queue_move_get(&in, &move) || move.number > queue->count)
            demand(f, "a move cannot be read");
        struct model_entry *entry = &queue->entries[move.number - 1];
        if (a &&
            (move.status == QUEUE_PASSED_OVER || (a->kind == COMMAND_ERASE && move.status == QUEUE_LEFT) ||
             (a->kind == COMMAND_QUEUE_LEAVE && id_equal(a->entry, entry->id))))
            judge(f);
        if (f->step->undoing) {
            demand(f, model_sent_away(&s->model, event, &move));
            s->tally->cancelled.sent_away++;
            f->moved++;
            continue;
        }
        struct model_entry before = *entry;
        demand(f, model_moved(&s->model, event, &move, f->step->admitting));
        tally_move(&s->tally->lines, &before, entry);
        f->moved++;
    }
}

/* ---- Events ---- */

static void follow_event(struct follow *f)
{
    const struct event_image *image = &f->change->event;
    if (!asks_list_first(f)) /* a list that has been served is announced, possibly first */
        judge(f);
    int event = image->removed ? ASK_EVENTS : event_index(f, image->number);
    if (!image->cancelled.at_ms || image->removed)
        return;
    if (!model_called(&f->s->model, event)) /* it is recorded, but not answered yet */
        demand(f, model_called_off(&f->s->model, f->step->asked, event));
    f->s->tally->cancelled.called_off += f->step->asked && f->step->asked->kind == COMMAND_EVENT_CANCEL;
    if (f->s->model.events[event].cancelled.at != image->cancelled.at_ms)
        demand(f, "an event was cancelled at another instant");
}

static void follow_cancelling(struct follow *f)
{
    if (!f->step->undoing)
        demand(f, "a cancelled event advances without a step of its own");
    demand(f,
           sim_follow_cancelling(f->s, event_index(f, f->change->cancelling.event), &f->change->cancelling));
}

/* ---- The step ---- */

static void follow_hook(struct follow *f)
{
    if (f->change->kind == CHANGE_HOOK)
        sim_follow_hook(f->s, &f->change->hook);
    if (f->change->kind == CHANGE_HOOK_WARNING) {
        demand(f, model_warned(&f->s->model, &f->change->hook_warning));
        f->s->tally->hooks.warned++;
    }
    /* sim_hook.c has requested the moves */
}

static void follow_change(struct follow *f)
{
    switch (f->change->kind) {
    case CHANGE_SEATS_STAGED:
    case CHANGE_PROVIDER:
    case CHANGE_REFUSALS:
    case CHANGE_OWNER: /* one process with a log of its own has none */
        return;
    case CHANGE_ERASED:
        judge(f);
        demand(f, model_erased(&f->s->model, &f->change->erased));
        return;
    case CHANGE_CANCELLING:
        follow_cancelling(f);
        return;
    case CHANGE_HOOK:
    case CHANGE_HOOK_MOVED:
    case CHANGE_HOOK_WARNING:
        follow_hook(f);
        return;
    case CHANGE_PAYMENT:
        follow_payment(f);
        return;
    case CHANGE_REFUND:
        follow_refund(f);
        return;
    case CHANGE_PAYMENT_EVENT:
    case CHANGE_CHECK_IN:
        judge(f);
        (f->change->kind == CHANGE_CHECK_IN ? sim_follow_scan : sim_follow_event)(f->s, f->change);
        return;
    case CHANGE_EXPIRED:
        follow_expired(f);
        return;
    case CHANGE_RESERVATION:
        follow_reservation(f);
        return;
    case CHANGE_LIST_ENTRY:
        follow_list_entry(f);
        return;
    case CHANGE_QUEUE:
        follow_queue(f);
        return;
    case CHANGE_QUEUE_JOINED:
        follow_joined(f);
        return;
    case CHANGE_QUEUE_MOVED:
        follow_moved(f);
        return;
    case CHANGE_EVENT:
        follow_event(f);
        return;
    case CHANGE_POOL:
    case CHANGE_SEATS_PUBLISHED:
    case CHANGE_SEATS_COPIED:
    case CHANGE_SEATS_BLOCKED:
    case CHANGE_SEATS_ALLOTTED:
    case CHANGE_CODE:
    case CHANGE_SEATS_REMOVED:
    case CHANGE_IDEMPOTENCY:
    case CHANGE_KEY:
    case CHANGE_KEY_REMOVED:
    case CHANGE_CALENDAR:
    case CHANGE_CALENDAR_REMOVED:
    case CHANGE_GROUP:
    case CHANGE_FLEET:
    case CHANGE_DRIVER:
    case CHANGE_RIDE:
    case CHANGE_OFFER:
        judge(f);
        return;
    }
}

void sim_follow(struct sim *s, const struct sim_step *step)
{
    struct follow f = {.s = s, .step = step, .change = &buffers[0]};
    uint32_t count = s->fresh_count;
    static struct text tiers[TIERS_MAX];
    if (step->ask && step->out->entry.tier_count) /* valid until the next read */
        step->out->entry.tiers =
            memcpy(tiers, step->out->entry.tiers, step->out->entry.tier_count * sizeof(*tiers));
    for (int i = 0; i < ASK_EVENTS; i++)
        sim_learn_draw(s, i);
    struct bytes_reader in = bytes_reader_make(s->batch.data + s->followed, s->batch.size - s->followed);
    for (uint32_t i = 0; i < count; i++) {
        if (!change_decode(&in, s->state->seq - count + i + 1, f.change))
            sim_fail(s, "Change %llu cannot be read.", (unsigned long long)s->state->seq - count + i + 1);
        model_hooks_note(&s->model, f.change);
        follow_change(&f);
    }
    if (bytes_left(&in))
        sim_fail(s, "There are more changes than the engine says.");
    judge(&f);
    sim_money_told(s, step->ask, step->out);
    if (s->model.erasing.asked)
        sim_fail(s, "A user was erased, but that is not recorded.");
    if (step->ask && step->ask->kind == COMMAND_QUEUE_PATCH && step->out->code == OUTCOME_OK)
        sim_check_queue(s, step->ask->event, &step->out->queue);
    if (f.offer)
        sim_fail(s, "There is an offer without an entry.");
    if (s->fresh_moved != f.moved)
        sim_fail(s, "%u entries have moved, %u are announced.", f.moved, s->fresh_moved);
    s->fresh_count = s->fresh_moved = 0;
    s->followed = s->batch.size;
    s->steps++;
    sim_check_lines(s, step);
}
