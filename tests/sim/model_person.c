/* SPDX-License-Identifier: Apache-2.0 */
/* model_person.c — a person is erased: nothing of theirs may be on hold, they leave all lines, their sales get another
 * name, without attributes and valid manage tokens. */
#include "model_person.h"

#include "model.h"

static bool holds(const struct model *m, int user)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        if (r->used && r->user == user && model_status(m, r) == RESERVATION_HELD)
            return true;
    }
    return false;
}

static void leave(struct model *m, struct model_event *e, int user)
{
    for (int i = 0; i < e->queue.count; i++) {
        struct model_entry *entry = &e->queue.entries[i];
        if (entry->user != user || !queue_status_live((enum queue_status)entry->status))
            continue;
        entry->status = QUEUE_LEFT;
        entry->coming = false;
    }
    for (int i = 0; i < e->list_count; i++) {
        struct model_list_entry *entry = &e->list[i];
        if (entry->user != user || !list_status_live((enum list_status)entry->status))
            continue;
        entry->status = LIST_LEFT;
        entry->changed_at = m->now;
    }
}

void model_erase(struct model *m, const struct ask *a, struct model_answer *out)
{
    if (holds(m, a->named)) {
        out->code = OUTCOME_IN_USE;
        return;
    }
    for (int i = 0; i < ASK_EVENTS; i++)
        leave(m, &m->events[i], a->named);
    m->erasing = (struct model_erasing){true, (int8_t)a->named, (int8_t)a->to};
}

static void forget_person(struct model_reservation *r, int to)
{
    r->user = (int8_t)to;
    r->attributes = 0;
    r->manage_gen++;
    r->version++;
    for (int i = 0; i < r->item_count; i++)
        r->items[i].attributes = 0;
}

const char *model_erased(struct model *m, const struct erasure_image *image)
{
    int from = m->erasing.from, to = m->erasing.to;
    if (!m->erasing.asked || image->segments || model_user_differs(image->from, from) ||
        model_user_differs(image->to, to))
        return "a user is erased without a request";
    m->erasing.asked = false;
    for (int i = 0; i < MODEL_RESERVATIONS; i++)
        if (m->reservations[i].used && m->reservations[i].user == from)
            forget_person(&m->reservations[i], to);
    for (int i = 0; i < ASK_EVENTS; i++) {
        struct model_event *e = &m->events[i];
        for (int k = 0; k < e->queue.count; k++)
            e->queue.entries[k].user =
                (int8_t)(e->queue.entries[k].user == from ? to : e->queue.entries[k].user);
        for (int k = 0; k < e->list_count; k++)
            e->list[k].user = (int8_t)(e->list[k].user == from ? to : e->list[k].user);
    }
    return NULL;
}
