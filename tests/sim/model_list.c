/* SPDX-License-Identifier: Apache-2.0 */
/* model_list.c — the waiting list, the slow way: the first waiting entry whose whole wish fits. Core chooses when to
 * check the clock, and among equal seats; everything else is determined by the model.
 */
#include <string.h>

#include "model.h"

/* ---- What fits ---- */

static struct ask_item item_of(int event, const struct ask_wish *wish)
{
    bool pool = wish->pool >= 0;
    return (struct ask_item){.kind = pool ? ITEM_POOL : ITEM_BEST,
                             .event = event,
                             .unit = wish->pool,
                             .quantity = wish->quantity,
                             .section = wish->section,
                             .tier = wish->tier,
                             .adjacent = wish->adjacent};
}

/* Whether the whole wish is free, from this allotment or, 0, from what is on sale; a pool is in one of them. */
static bool is_free(struct model *m, int event, const struct ask_wish *wish, uint8_t tiers, uint8_t opened)
{
    static const bool none[ASK_EVENTS][ASK_SEATS];
    const struct model_event *e = &m->events[event];
    struct ask_item item = item_of(event, wish);
    struct model_best best;
    struct model_bound bound = {tiers, opened, model_category(&e->settings, 0)};
    if (wish->pool >= 0)
        return e->pools[wish->pool].exists && model_opens(opened, false, e->pools[wish->pool].allotment) &&
               model_claimed(m, event, wish->pool, false) + wish->quantity <= e->pools[wish->pool].capacity;
    model_best_look(m, &item, &bound, none, &best);
    return best.plain >= wish->quantity &&
           (!wish->adjacent || model_best_longest(m, event, &best) >= wish->quantity);
}

/* The code for an offer from this allotment or, 0, from what is on sale; 0: none is needed now. */
static int code_of(const struct model *m, int event, const struct model_list_entry *entry, uint8_t from)
{
    return m->events[event].settings.by_code || from ? entry->code : 0;
}

/* The allotment that its code carries; 0: none. */
static uint8_t carried(const struct model *m, int event, const struct model_list_entry *entry)
{
    const struct model_event *e = &m->events[event];
    return model_carries(e, entry->code) ? e->codes[entry->code - 1].allotment : 0;
}

/* A pool is offered in the first category, if it has a price there, and not with a code for tiers. */
static bool pool_offerable(const struct model_event *e, int pool, uint8_t tiers)
{
    int64_t price;
    return e->pools[pool].exists && !tiers &&
           model_price(e, ITEM_POOL, pool, model_category(&e->settings, 0), &price);
}

static bool fits_from(struct model *m, int event, const struct model_list_entry *entry, uint8_t from)
{
    const struct model_event *e = &m->events[event];
    uint32_t limit = e->settings.limit;
    int pool = entry->wish.pool, code = code_of(m, event, entry, from);
    uint8_t tiers = code ? e->codes[code - 1].tiers : 0;
    if ((e->settings.no_guests && ask_guest(entry->user)) || (e->settings.by_code && !entry->code))
        return false; /* it joined before these rules */
    if (pool >= 0 && (!pool_offerable(e, pool, tiers) || e->pools[pool].allotment != from))
        return false;
    return (!code || model_code_allows(m, event, code, entry->wish.quantity)) &&
           is_free(m, event, &entry->wish, tiers, from) &&
           (!limit || model_have(m, entry->user, event) + entry->wish.quantity <= limit);
}

static bool fits(struct model *m, int event, const struct model_list_entry *entry)
{
    uint8_t from = carried(m, event, entry);
    return (from && fits_from(m, event, entry, from)) || fits_from(m, event, entry, 0);
}

bool model_offering(const struct model *m, int event)
{
    const struct model_event *e = &m->events[event];
    return e->exists && e->has_list && model_on_sale(m, event, ROLE_USER);
}

int model_list_first(struct model *m, int event, int below)
{
    struct model_event *e = &m->events[event];
    for (int i = 1; i <= e->list_count && i < below; i++)
        if (e->list[i - 1].status == LIST_WAITING && fits(m, event, &e->list[i - 1]))
            return i;
    return 0;
}

uint32_t model_waiting(const struct model *m)
{
    uint32_t count = 0;
    for (int i = 0; i < ASK_EVENTS; i++)
        for (int k = 0; k < m->events[i].list_count; k++)
            count += m->events[i].list[k].status == LIST_WAITING;
    return count;
}

uint32_t model_rank(const struct model_event *e, int number)
{
    uint32_t rank = 0;
    if (e->list[number - 1].status != LIST_WAITING)
        return 0;
    for (int i = 0; i < number; i++)
        rank += e->list[i].status == LIST_WAITING;
    return rank;
}

/* ---- Joining ---- */

/* Whether it could ever fit: all seats that match, blocked or not, or the whole pool. */
static enum outcome_code judge_wish(struct model *m, int event, const struct ask_wish *wish)
{
    const struct model_event *e = &m->events[event];
    bool section = wish->section < 0, tier = wish->tier < 0;
    struct model_best all = {.want_plain = ASK_SEATS};
    uint32_t most = 0;
    if (wish->pool >= ASK_POOLS || (wish->pool >= 0 && !e->pools[wish->pool].exists))
        return OUTCOME_NO_SUCH_POOL;
    for (int i = 0; i < ASK_SEATS; i++) {
        const struct model_seat *s = &e->seats[i];
        bool in = wish->section < 0 || s->section == wish->section,
             of = wish->tier < 0 || s->tier == wish->tier;
        section = section || (s->exists && in);
        tier = tier || (s->exists && of);
        all.usable[i] = s->exists && in && of && !s->accessible;
        most += all.usable[i];
    }
    if (wish->adjacent)
        most = model_best_longest(m, event, &all);
    if (wish->pool >= 0)
        most = e->pools[wish->pool].capacity;
    if (!section || !tier || wish->quantity > most)
        return OUTCOME_INVALID;
    return e->settings.limit && wish->quantity > e->settings.limit ? OUTCOME_INVALID : OUTCOME_OK;
}

int model_list_live(const struct model_event *e, int user)
{
    for (int i = e->list_count; i > 0; i--)
        if (e->list[i - 1].user == user && list_status_live((enum list_status)e->list[i - 1].status))
            return i;
    return 0;
}

/* The clock has ended the offer: so the entry has left, and that must be recorded by now. */
static void settle(struct model *m, struct model_list_entry *entry)
{
    const struct model_reservation *r =
        entry->status == LIST_OFFERED ? model_find(m, entry->reservation) : NULL;
    if (r && model_status(m, r) == RESERVATION_EXPIRED)
        entry->status = LIST_LEFT;
}

static void judge_join(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    int owner = a->role == ROLE_USER ? a->actor : a->named, number = model_list_live(e, owner);
    if (!e->has_list) {
        out->code = OUTCOME_NO_WAITING_LIST;
        return;
    }
    if (number)
        settle(m, &e->list[number - 1]);
    if (number && list_status_live((enum list_status)e->list[number - 1].status)) {
        out->list_entry = number;
        return;
    }
    if (model_sale_over(m, e)) {
        out->code = OUTCOME_NOT_ON_SALE;
        return;
    }
    int code = 0;
    out->code = judge_wish(m, a->event, &a->wish);
    if (out->code == OUTCOME_OK)
        out->code = model_joiner(m, a, &code);
    uint8_t tiers = code ? e->codes[code - 1].tiers : 0, from = code ? e->codes[code - 1].allotment : 0;
    if (out->code == OUTCOME_OK && (a->wish.tier >= 0 || a->wish.pool >= 0) &&
        !model_within(tiers, a->wish.tier))
        out->code = OUTCOME_CODE_INVALID;
    if (out->code == OUTCOME_OK && a->role == ROLE_USER && e->line.has &&
        (m->now < e->line.open_at_ms || is_free(m, a->event, &a->wish, e->settings.by_code ? tiers : 0, 0) ||
         is_free(m, a->event, &a->wish, tiers, from)))
        out->code = OUTCOME_NOT_SOLD_OUT; /* the list is no way around the waiting room */
    if (out->code != OUTCOME_OK)
        return;
    out->created = true;
    out->list_entry = ++e->list_count;
    e->list[e->list_count - 1] = (struct model_list_entry){.status = LIST_WAITING,
                                                           .user = (int8_t)owner,
                                                           .code = (uint8_t)code,
                                                           .wish = a->wish,
                                                           .joined_at = m->now,
                                                           .changed_at = m->now};
    model_remember(m, a, MADE_LIST_ENTRY, a->event, e->list_count);
}

static void judge_entry(struct model *m, const struct ask *a, struct model_answer *out)
{
    struct model_event *e = &m->events[a->event];
    struct model_list_entry *entry = NULL;
    for (int i = 1; i <= e->list_count; i++)
        if (id_equal(e->list[i - 1].id, a->entry)) {
            entry = &e->list[i - 1];
            out->list_entry = i;
        }
    if (!entry || (a->role == ROLE_USER && entry->user != a->actor))
        out->code = OUTCOME_NO_SUCH_ENTRY;
    else if (a->named >= 0 && a->named != entry->user)
        out->code = OUTCOME_NOT_OWNER;
    if (out->code != OUTCOME_OK) {
        out->list_entry = 0;
        return;
    }
    settle(m, entry);
    if (a->kind != COMMAND_LIST_LEAVE || !list_status_live((enum list_status)entry->status))
        return;
    if (entry->status == LIST_OFFERED) {
        struct model_reservation *r = model_find(m, entry->reservation);
        r->status = RESERVATION_RELEASED;
        r->ended_at = m->now;
        r->version++;
    }
    entry->status = LIST_LEFT;
    entry->changed_at = m->now;
}

void model_list(struct model *m, const struct ask *a, struct model_answer *out)
{
    bool join = a->kind == COMMAND_LIST_JOIN;
    out->entry_event = a->event;
    if (a->role == ROLE_USER && a->named >= 0 && a->named != a->actor)
        out->code = OUTCOME_NOT_OWNER;
    else if (join && a->role != ROLE_USER && a->named < 0)
        out->code = OUTCOME_INVALID;
    if (out->code == OUTCOME_OK && join && model_replayed(m, a, out)) {
        if (out->list_entry)
            settle(m, &m->events[out->entry_event].list[out->list_entry - 1]);
        return;
    }
    if (out->code != OUTCOME_OK)
        return;
    if (a->event >= ASK_EVENTS || !m->events[a->event].exists)
        out->code = OUTCOME_NO_SUCH_EVENT;
    else if (join)
        judge_join(m, a, out);
    else
        judge_entry(m, a, out);
}

/* ---- What core does without a request ---- */

void model_list_ended(struct model *m, const struct model_reservation *r)
{
    for (int i = 0; r->from_list && i < ASK_EVENTS; i++)
        for (int k = 0; k < m->events[i].list_count; k++) {
            struct model_list_entry *entry = &m->events[i].list[k];
            if (entry->status != LIST_OFFERED || !id_equal(entry->reservation, r->id))
                continue;
            entry->status = r->status == RESERVATION_CONFIRMED ? LIST_FINISHED : LIST_LEFT;
            entry->changed_at = m->now;
        }
}

const char *model_expired(struct model *m, struct id id)
{
    struct model_reservation *r = model_find(m, id);
    if (!r)
        return "an unknown reservation has expired";
    if (r->status != RESERVATION_HELD || m->now < r->expires_at)
        return "a reservation has expired that has not";
    r->status = RESERVATION_EXPIRED;
    r->version++;
    r->ended_at = r->expires_at;
    model_list_ended(m, r);
    return NULL;
}

/* The next entry: the first among all whose wish fits what is recorded as free. */
static const char *judge_turn(struct model *m, int event, int number)
{
    struct model_list_entry *entry = &m->events[event].list[number - 1];
    if (!model_offering(m, event))
        return "something is offered of an event that offers nothing now";
    if (entry->status != LIST_WAITING)
        return "an entry gets an offer that does not wait";
    if (!fits(m, event, entry))
        return "an entry is offered what is not available";
    m->as_told = true;
    int first = model_list_first(m, event, number);
    m->as_told = false;
    return first ? "an entry gets an offer before an earlier one whose wish fits" : NULL;
}

static bool settled(const struct model *m)
{
    for (int i = 0; i < MODEL_RESERVATIONS; i++) {
        const struct model_reservation *r = &m->reservations[i];
        if (r->used && r->status == RESERVATION_HELD && m->now >= r->expires_at)
            return false;
    }
    return true;
}

/* The offer must be the best, either of what is free by the clock or of what is recorded as free. */
static const char *adopt(struct model *m, const struct ask *a, int place, int code, uint8_t from,
                         const struct reservation_image *image)
{
    struct model_answer answer = {.reservation = place, .codes = {(uint8_t)code}, .opened = {from}};
    answer.categories[0] = (uint8_t)model_category(&m->events[a->items[0].event].settings, 0);
    if (code && a->items[0].kind == ITEM_BEST)
        answer.tiers[0] = m->events[a->items[0].event].codes[code - 1].tiers;
    struct model_reservation made = m->reservations[place];
    uint64_t fence_most = m->fence_most;
    m->as_told = true;
    const char *wrong = model_adopt(m, a, &answer, image, settled(m));
    m->as_told = false;
    if (!wrong)
        return NULL;
    m->reservations[place] = made;
    m->fence_most = fence_most;
    return model_adopt(m, a, &answer, image, false);
}

const char *model_offered(struct model *m, int event, const struct list_entry_image *entry,
                          const struct reservation_image *image)
{
    struct model_event *e = &m->events[event];
    if (entry->number > e->list_count)
        return "an offer is made to a user who is not on the list";
    const char *wrong = judge_turn(m, event, (int)entry->number);
    if (wrong)
        return wrong;
    struct model_list_entry *own = &e->list[entry->number - 1];
    uint8_t carries = carried(m, event, own),
            from = image->item_count && image->items[0].allotment.at ? carries : 0;
    m->as_told = true;
    bool first = !from && carries && fits_from(m, event, own, carries);
    m->as_told = false;
    if (first || !fits_from(m, event, own, from))
        return "an entry is offered what is on sale before its allotment, or the reverse";
    struct ask a = {.kind = COMMAND_HOLD, .id = image->id, .key = -1, .attributes = -1, .count = 1};
    struct model_answer none;
    a.items[0] = item_of(event, &own->wish);
    struct model_wanted w = model_wanted_make(m, &a, NULL);
    model_wanted_terms(m, &w, &none);
    int place = model_grant(m, &a, &w, own->user);
    m->reservations[place].from_list = true;
    own->status = own->told = LIST_OFFERED;
    own->reservation = image->id;
    own->changed_at = m->now;
    return adopt(m, &a, place, code_of(m, event, own, from), from, image);
}
