/* SPDX-License-Identifier: Apache-2.0 */
/* model_adopt.c — what only core can choose, judged and taken over: seats of a best, fences. */
#include <string.h>

#include "model.h"

static bool is_run(const struct model_event *e, const int *units, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (!model_beside(e, units[i - 1], units[i]))
            return false;
    return true;
}

/* The seats that core picked for a best. */
static const char *judge_picks(struct model *m, const struct ask_item *item, const struct model_best *best,
                               const int *units, bool exact)
{
    const struct model_event *e = &m->events[item->event];
    uint32_t longest = model_best_longest(m, item->event, best);
    bool seen[ASK_SEATS] = {0};
    uint32_t places = 0;
    for (uint32_t i = 0; i < item->quantity; i++) {
        if (units[i] < 0 || units[i] >= ASK_SEATS || !best->usable[units[i]] || seen[units[i]])
            return "best took a seat that was not to be had";
        seen[units[i]] = true;
        places += e->seats[units[i]].accessible;
    }
    if (places != item->accessible)
        return "best took more or fewer accessible places than asked for";
    if (longest >= item->quantity) {
        int wanted[ASK_SEATS];
        if (!is_run(e, units, item->quantity))
            return "best split a group that fits together";
        if (exact) {
            model_best_run(m, item->event, best, item->quantity, wanted);
            if (memcmp(wanted, units, item->quantity * sizeof(*units)) != 0)
                return "best took other seats than the best";
        }
        return NULL;
    }
    return is_run(e, units, longest) ? NULL : "best did not begin with the largest group";
}

/* Appends one item as core made it. */
static void adopt_item(struct model *m, enum role role, struct model_reservation *r,
                       const struct item_image *image, const struct ask_item *asked, int unit, int code,
                       int category)
{
    struct model_event *e = &m->events[asked->event];
    bool seat = asked->kind != ITEM_POOL;
    struct model_item *item = &r->items[r->item_count++];
    *item = (struct model_item){.event = (int8_t)asked->event,
                                .unit = (int8_t)unit,
                                .kind = seat ? ITEM_SEAT : ITEM_POOL,
                                .chosen = asked->kind == ITEM_SEAT && role == ROLE_USER &&
                                          e->settings.refuse_singles,
                                .unpaid = !e->settings.payment_required,
                                .id = r->next_item++,
                                .quantity = seat ? 1 : asked->quantity,
                                .fence = image->fence,
                                .attributes = (int8_t)asked->attributes,
                                .code = (int8_t)code,
                                .category = (int8_t)category};
    item->allotment = model_claimed_from(e, item->kind, unit);
    model_price(e, item->kind, unit, category, &item->price);
    item->price *= item->quantity;
    if (seat) {
        e->seats[unit].claims++;
        e->seats[unit].fence = image->fence;
    }
}

static int unit_of(const struct item_image *image)
{
    int n = 0;
    for (size_t i = 1; i < image->part_id.size; i++)
        n = n * 10 + (image->part_id.at[i] - '0');
    return n;
}

/* The new items of a grant: named ones must be there, those of a best must be among the best. */
static const char *adopt_items(struct model *m, enum role role, struct model_reservation *r,
                               const struct model_wanted *w, const struct reservation_image *image,
                               bool exact)
{
    bool taken[ASK_EVENTS][ASK_SEATS] = {0};
    struct model_best best[ASK_ITEMS];
    for (uint32_t i = 0; i < w->count; i++)
        if (w->items[i].kind == ITEM_SEAT)
            taken[w->items[i].event][w->items[i].unit] = true;
    for (uint32_t i = 0; i < w->count; i++) /* before any of this is claimed */
        if (w->items[i].kind == ITEM_BEST) {
            struct model_bound bound = {w->tiers[i], w->opened[i], w->categories[i]};
            model_best_look(m, &w->items[i], &bound, (const bool(*)[ASK_SEATS])taken, &best[i]);
        }
    for (uint32_t i = 0; i < w->count; i++) {
        int units[ASK_SEATS];
        bool chosen = w->items[i].kind == ITEM_BEST;
        uint32_t count = chosen ? w->items[i].quantity : 1;
        if (r->item_count + count > image->item_count || r->item_count + count > MODEL_ITEMS)
            return "the answer has another number of items";
        for (uint32_t k = 0; k < count; k++)
            units[k] = chosen ? unit_of(&image->items[r->item_count + k]) : w->items[i].unit;
        const char *wrong = chosen ? judge_picks(m, &w->items[i], &best[i], units, exact) : NULL;
        if (wrong)
            return wrong;
        if (w->items[i].kind == ITEM_SLOT) {
            r->items[r->item_count] = model_slot_item(m, &w->items[i], r->next_item++);
            r->items[r->item_count].fence = image->items[r->item_count].fence;
            r->items[r->item_count++].group = w->groups[i];
            continue;
        }
        for (uint32_t k = 0; k < count; k++)
            adopt_item(m, role, r, &image->items[r->item_count], &w->items[i], units[k], w->codes[i],
                       w->categories[i]);
    }
    model_give_way(r);
    model_singles_note(m);
    for (uint32_t i = 0; role == ROLE_USER && i < w->count; i++)
        if (w->items[i].kind == ITEM_SEAT)
            model_singles_decide(m, r, w->items[i].event, w->items[i].unit);
    return NULL;
}

const char *model_adopt(struct model *m, const struct ask *a, const struct model_answer *answer,
                        const struct reservation_image *image, bool exact)
{
    struct model_reservation *r = &m->reservations[answer->reservation];
    bool granted = r->fence == 0;
    if (granted) {
        if (image->fence <= m->fence_most)
            return "the fence of a grant did not grow";
        r->fence = m->fence_most = image->fence;
    }
    bool sold = a->kind == COMMAND_COMMIT || a->kind == COMMAND_PAYMENT_EVENT; /* late: all of it again */
    for (int i = 0; granted && i < r->item_count; i++) {
        bool moved = a->kind == COMMAND_ITEM_MOVE && r->items[i].id == a->item_id;
        bool more = a->kind == COMMAND_ITEM_QUANTITY && r->items[i].id == a->item_id;
        if (sold || moved || more)
            r->items[i].fence = r->fence;
        if ((sold || moved) && r->items[i].kind == ITEM_SEAT) {
            m->events[r->items[i].event].seats[r->items[i].unit].claims++;
            m->events[r->items[i].event].seats[r->items[i].unit].fence = r->fence;
        }
    }
    model_singles_note(m);
    for (int i = 0; granted && a->kind == COMMAND_ITEM_MOVE && i < r->item_count; i++)
        if (r->items[i].id == a->item_id && r->items[i].kind == ITEM_SEAT && a->role == ROLE_USER) {
            model_singles_decide(m, r, r->items[i].event, r->items[i].unit);
            if (r->status == RESERVATION_HELD)
                model_singles_decide(m, r, r->items[i].event, r->moved_from);
            else
                r->left_since[r->items[i].event][r->moved_from] = 0; /* what the move frees is not judged */
        }
    if (!granted || (a->kind != COMMAND_HOLD && a->kind != COMMAND_ITEMS_ADD))
        return NULL;
    struct model_wanted w = model_wanted_make(m, a, a->kind == COMMAND_HOLD ? NULL : r);
    memcpy(w.tiers, answer->tiers, sizeof(w.tiers));
    memcpy(w.categories, answer->categories, sizeof(w.categories));
    memcpy(w.codes, answer->codes, sizeof(w.codes));
    memcpy(w.opened, answer->opened, sizeof(w.opened));
    for (uint32_t i = 0; i < w.count; i++)
        if (w.items[i].kind == ITEM_GROUP) {
            w.items[i].kind = ITEM_SLOT;
            w.items[i].event = answer->calendars[i];
        }
    const char *wrong = adopt_items(m, a->role, r, &w, image, exact);
    if (a->kind == COMMAND_HOLD)
        model_paid_hold(m, a, r);
    return wrong;
}
