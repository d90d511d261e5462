/* SPDX-License-Identifier: Apache-2.0 */
#include "model_hook.h"

#include <string.h>

#include "base/assertion.h"
#include "model.h"

static bool wanted(const struct model *m, enum hook_event event)
{
    for (int i = 0; i < MODEL_HOOKS; i++)
        if (m->hooks[i].number && m->hooks[i].wants >> event & 1)
            return true;
    return false;
}

static void add(struct model *m, const struct change *c, enum hook_event event, struct id reservation)
{
    for (int i = 0; i < MODEL_HOOKS; i++) {
        struct model_hook *h = &m->hooks[i];
        if (!h->number || !(h->wants >> event & 1))
            continue;
        ASSERT(h->count < MODEL_MESSAGES);
        h->waiting[h->count++] = (struct model_message){.seq = c->seq,
                                                        .reservation = reservation,
                                                        .since = c->at_ms,
                                                        .soonest = c->at_ms,
                                                        .latest = c->at_ms,
                                                        .event = (uint8_t)event};
    }
}

static void note_reservation(struct model *m, const struct change *c)
{
    struct id id = c->reservation.image.id;
    switch (c->reservation.action) {
    case ACTION_HELD:
        add(m, c, HOOK_HELD, id);
        if (c->reservation.image.from_list)
            add(m, c, HOOK_LIST_OFFERED, id);
        return;
    case ACTION_CONFIRMED:
        add(m, c, HOOK_CONFIRMED, id);
        return;
    case ACTION_RELEASED:
        add(m, c, HOOK_RELEASED, id);
        return;
    case ACTION_TRANSFERRED:
        add(m, c, HOOK_TRANSFERRED, id);
        return;
    case ACTION_CANCELLED:
        add(m, c, HOOK_CANCELLED, id);
        return;
    case ACTION_REFUNDED:
    case ACTION_ITEM_REFUNDED:
        add(m, c, HOOK_REFUNDED, id);
        return;
    default:
        return;
    }
}

static bool owned(struct id reservation)
{
    return !id_none(reservation);
}

/* When it is created, changed or withdrawn; for a payment of an unknown reservation the discrepancy reports it. */
static void note_refund(struct model *m, const struct change *c)
{
    const struct refund_image *d = &c->refund;
    const struct model_row *row = model_row_by_text(m, d->payment_ref);
    struct id line = owned(d->reservation) ? d->reservation : (struct id){0, d->number};
    if (row && row->is.unknown)
        return;
    if (d->status == REFUND_WITHDRAWN)
        add(m, c, HOOK_REFUND_WITHDRAWN, line);
    else if (d->status == REFUND_OPEN && model_refund_news(m, d))
        add(m, c, HOOK_REFUND_DUE, line);
}

/* A new discrepancy, or another one. */
static void note_payment(struct model *m, const struct change *c)
{
    const struct payment_image *p = &c->payment;
    const struct model_row *row = model_row_by_text(m, p->ref);
    enum discrepancy before =
        row && row->number ? (enum discrepancy)row->told_sums.discrepancy : DISCREPANCY_NONE;
    if (p->discrepancy != DISCREPANCY_NONE && p->discrepancy != before)
        add(m, c, HOOK_PAYMENT_DISCREPANCY,
            owned(p->reservation) ? p->reservation : (struct id){0, p->number});
}

void model_hooks_note(struct model *m, const struct change *c)
{
    if (c->kind == CHANGE_RESERVATION)
        note_reservation(m, c);
    else if (c->kind == CHANGE_REFUND)
        note_refund(m, c);
    else if (c->kind == CHANGE_PAYMENT)
        note_payment(m, c);
    else if (c->kind == CHANGE_HOOK_WARNING)
        add(m, c, HOOK_EXPIRING, c->hook_warning.reservation);
    struct bytes_reader ids = c->expired.ids;
    for (uint32_t i = 0; c->kind == CHANGE_EXPIRED && i < c->expired.count; i++)
        add(m, c, HOOK_EXPIRED, expired_id_get(&ids));
}

void model_hooks_restart(struct model *m)
{
    for (int i = 0; i < MODEL_HOOKS; i++)
        for (uint32_t k = 0; k < m->hooks[i].count; k++) {
            struct model_message *w = &m->hooks[i].waiting[k];
            w->under_way = false;
            w->attempts = 0;
            w->soonest = w->latest = w->since;
        }
}

/* No message of the same reservation waits before it. */
static bool first(const struct model_hook *h, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (id_equal(h->waiting[i].reservation, h->waiting[index].reservation))
            return false;
    return true;
}

struct model_message *model_message_next(struct model *m, int hook, const struct hook_message *c)
{
    struct model_hook *h = &m->hooks[hook];
    for (uint32_t i = 0; i < h->count; i++) {
        struct model_message *w = &h->waiting[i];
        if (w->seq == c->seq && w->event == (uint8_t)c->event && id_equal(w->reservation, c->reservation))
            return first(h, i) && !w->under_way && m->now >= w->soonest && c->at_ms == w->since ? w : NULL;
    }
    return NULL;
}

const struct model_message *model_message_due(const struct model *m, int hook, uint64_t durable_seq)
{
    const struct model_hook *h = &m->hooks[hook];
    const struct model_message *due = NULL;
    for (uint32_t i = 0; i < h->count; i++) {
        const struct model_message *w = &h->waiting[i];
        if (w->under_way || !first(h, i) || m->now < w->latest)
            continue;
        if (w->seq > durable_seq) /* the next one, once it is durable */
            return NULL;
        due = w;
    }
    return due;
}

void model_message_over(struct model *m, int hook, uint32_t index, enum hook_result result)
{
    struct model_hook *h = &m->hooks[hook];
    struct model_message *w = &h->waiting[index];
    int64_t pause = 1000LL << w->attempts;
    w->under_way = false;
    if (result == HOOK_RESULT_FAILED && m->now - w->since < 24LL * 3600 * 1000) {
        if (w->attempts < 20)
            w->attempts++;
        if (pause > 3600000)
            pause = 3600000;
        w->latest = m->now + pause;
        w->soonest = w->latest - pause / 4;
        return;
    }
    h->count--;
    memmove(w, w + 1, (h->count - index) * sizeof(*w));
}

bool model_message_old(const struct model *m, int hook)
{
    const struct model_hook *h = &m->hooks[hook];
    return h->count && m->now - h->waiting[0].since >= 24LL * 3600 * 1000;
}

/* ---- Holds that are about to expire ---- */

/* Longer than two minutes, and in its last: once per deadline. */
static bool to_warn(const struct model *m, const struct model_reservation *r)
{
    return r->used && r->status == RESERVATION_HELD && m->now < r->expires_at &&
           m->now >= r->expires_at - 60000 && r->expires_at - r->created_at >= 120000 &&
           r->warned_for != r->expires_at;
}

const char *model_warned(struct model *m, const struct hook_warning_image *image)
{
    struct model_reservation *r = model_find(m, image->reservation);
    if (!wanted(m, HOOK_EXPIRING))
        return "a warning that no hook wants";
    if (!r || image->expires_at_ms != r->expires_at || !to_warn(m, r))
        return "a warning for a hold that is not about to expire, or a second one";
    r->warned_for = r->expires_at;
    return NULL;
}

const char *model_unwarned(const struct model *m)
{
    for (int i = 0; wanted(m, HOOK_EXPIRING) && i < MODEL_RESERVATIONS; i++)
        if (to_warn(m, &m->reservations[i]))
            return "a hold is about to expire without a warning";
    return NULL;
}
