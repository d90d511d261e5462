/* SPDX-License-Identifier: Apache-2.0 */
/* sim_cancelled.c — cancelled events: claims are taken back a slice at a time, between whatever else happens, as in the
 * engine. */
#include <stdio.h>

#include "core/claim/reservation.h"
#include "core/money/event_cancel.h"
#include "sim.h"

#define ROUNDS_MOST 1000

/* ---- Answers ---- */

void sim_check_progress(struct sim *s, const struct ask *a, const struct model_answer *expected,
                        const struct outcome *out)
{
    const struct model_progress *p = &expected->progress;
    if (out->code != OUTCOME_OK)
        return;
    if (out->cancel_state != p->state || out->cancel_refunded != p->refunded)
        sim_fail(s, "Command %d: %s, %u refunded; expected %s, %u.", a->kind,
                 cancel_state_name(out->cancel_state), out->cancel_refunded, cancel_state_name(p->state),
                 p->refunded);
    if (out->cancel_left < p->left_least || out->cancel_left > p->left_most)
        sim_fail(s, "Command %d: %u sales are left, expected %u to %u.", a->kind, out->cancel_left,
                 p->left_least, p->left_most);
}

void sim_check_cancelled(struct sim *s, int event, const struct event_image *image)
{
    const struct model_cancelled *m = &s->model.events[event].cancelled;
    const struct event_cancelled *c = &image->cancelled;
    if (c->at_ms != m->at || c->done != m->done || c->refunded != m->refunded ||
        !text_equal(c->reason, translate_reason(m->reason)))
        sim_fail(s, "Event %d is cancelled or done otherwise, or for another reason.", event);
    if (m->at && !m->done && state_next_cancel(s->state) > s->model.now + CANCEL_ROUND_MS)
        sim_fail(s, "No progress on event %d, which is not done.", event);
}

/* ---- What is written down ---- */

static struct text why(const struct sim *s, int event)
{
    struct text reason = translate_reason(s->model.events[event].cancelled.reason);
    return reason.at ? reason : TEXT("event_cancelled");
}

static void tally_back(struct tally_cancelled *t, const struct model_reservation *r, int64_t cancelled_at,
                       enum action action, bool paid)
{
    bool some = action == ACTION_ITEM_REFUNDED, sale = some || action == ACTION_REFUNDED;
    t->owed += sale && paid;
    t->sold_since += sale && r->confirmed_at > cancelled_at;
    t->left_alone += some && r->confirmed_at > cancelled_at && r->paid_at && r->paid_at < cancelled_at;
    t->released += action == ACTION_RELEASED;
    t->released_paid += action == ACTION_RELEASED && paid;
    t->released_offers += action == ACTION_RELEASED && r->from_list;
    t->dropped += action == ACTION_ITEM_DROPPED;
    t->refunded += action == ACTION_REFUNDED;
    t->refunded_items += some;
}

const char *sim_follow_back(struct sim *s, const struct change *c, struct sim_back *back)
{
    struct reservation_image image;
    struct item_image items[ITEMS_MAX];
    int event;
    const char *wrong = model_taken_back(&s->model, c, &event);
    if (wrong)
        return wrong;
    *back = (struct sim_back){c->reservation.image.id, why(s, event)};
    if (!text_equal(c->reservation.reason, back->reason))
        return "something goes back for another reason";
    /* Complete, as it is now: nothing else of this step can have touched it. */
    struct model_reservation *r = model_find(&s->model, c->reservation.image.id);
    uint32_t handle = reservation_find(s->state, r->id);
    if (handle == TABLE_NONE)
        return "the sale taken back is not in memory";
    reservation_image_make(s->state, reservation_at(s->state, handle), &image, items);
    if (image.version != c->reservation.image.version || image.status != c->reservation.image.status)
        return "the sale taken back is recorded wrongly";
    tally_back(&s->tally->cancelled, r, s->model.events[event].cancelled.at, c->reservation.action,
               model_has_rows(&s->model, r));
    return sim_image_differs(s, r, &image);
}

const char *sim_follow_cancelling(struct sim *s, int event, const struct cancelling_image *image)
{
    s->tally->cancelled.done += image->done;
    return model_cancelling(&s->model, event, image);
}

/* ---- Slices ---- */

bool sim_undo(struct sim *s)
{
    bool due = cancelling_next_ms(&s->engine) <= s->model.now, more = false;
    if (s->read_count && (!due || dice_percent(&s->dice, 60))) {
        sim_read(s, dice_percent(&s->dice, 4));
    } else if (due) {
        more = sim_sell_back(s);
        s->tally->cancelled.slices++;
    }
    return more || s->read_count;
}

void sim_undo_all(struct sim *s)
{
    for (int rounds = 0; model_undoing(&s->model); rounds++) {
        if (rounds == ROUNDS_MOST)
            sim_fail(s, "Something of a cancelled event is never taken back.");
        while (sim_undo(s))
            ;
        if (!model_undoing(&s->model))
            break;
        bool waits = state_next_cancel(s->state) <= s->model.now; /* for the disk */
        if (waits || dice_percent(&s->dice, 30))
            sim_flush(s);
        if (waits)
            continue;
        /* Only holds that are being paid together with other items can last this long. */
        s->model.now =
            rounds < 5 ? s->model.now + CANCEL_ROUND_MS : model_undone_by(&s->model) + CANCEL_ROUND_MS;
        do
            sim_expire(s, UINT32_MAX);
        while (state_next_deadline(s->state) <= s->model.now);
    }
}
