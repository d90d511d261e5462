/* SPDX-License-Identifier: Apache-2.0 */
#include "core/waitlist/waiting_list.h"

#include "base/assertion.h"
#include "core/catalogue/event.h"
#include "core/claim/best.h"
#include "core/claim/expiry.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/entry.h"
#include "core/waitlist/list_offer.h"
#include "core/waitlist/list_service.h"
#include "core/waitlist/wish_group.h"

/* ---- Views ---- */

void waiting_list_image(const struct event *e, uint32_t number, struct list_entry_image *out)
{
    const struct waiting_list *l = e->list;
    ASSERT(number >= 1 && number <= l->entries.used);
    const struct list_entry *entry = list_entry_at(l, number);
    ASSERT(entry->group < l->group_count);
    const struct wish_group *group = &l->groups[entry->group];
    ASSERT(group->stock < l->stock_count);
    const struct wish_stock *stock = &l->stocks[group->stock];
    ASSERT(stock->pool <= e->pool_count);
    *out = (struct list_entry_image){
        .event = e->image.number,
        .number = number,
        .id = entry_id(e->image.entry_key, ENTRY_LIST, number),
        .user_id = list_entry_user(entry),
        .wish = {.quantity = group->quantity,
                 .adjacent = entry->adjacent,
                 .tier = stock->tier,
                 .section = stock->section,
                 .pool = stock->pool ? e->pools[stock->pool - 1].image.id : (struct text){0}},
        .code = group->code ? code_view(code_at(e, group->code - 1))->code : (struct text){0},
        .status = (enum list_status)entry->status,
        .joined_at_ms = entry->joined_at_ms,
        .changed_at_ms = entry->changed_at_ms,
        .reservation = entry->reservation,
        .position = waiting_list_position(e, number),
        .event_id = e->image.id,
    };
}

uint32_t waiting_list_position(const struct event *e, uint32_t number)
{
    const struct waiting_list *l = e->list;
    if (!l || number < 1 || number > l->entries.used || list_entry_at(l, number)->status != LIST_WAITING)
        return 0;
    return list_position(l, number);
}

uint64_t waiting_list_seq(const struct event *e)
{
    return e->list ? e->list->seq : 0;
}

static bool list_offer_lapsed(struct state *st, const struct list_entry *entry)
{
    uint32_t handle = entry->status == LIST_OFFERED ? reservation_find(st, entry->reservation) : TABLE_NONE;
    return handle != TABLE_NONE && reservation_lapsed(reservation_at(st, handle), st->now_ms);
}

/* An entry whose offer has lapsed has left. The server ends it, whichever role reads it. */
static void settle_entry(struct state *st, const struct event *e, uint32_t number)
{
    const struct list_entry *entry = list_entry_at(e->list, number);
    struct actor caller = st->actor;
    ASSERT(st->lists.note_count == 0);
    st->actor = (struct actor){.role = ROLE_SERVER};
    if (list_offer_lapsed(st, entry) && settle_reservation(st, reservation_find(st, entry->reservation)))
        list_offers_move_on(st);
    ASSERT(st->lists.note_count == 0);
    st->actor = caller;
}

static enum outcome_code list_entry_answer(struct state *st, const struct event *e, uint32_t number,
                                           struct outcome *out)
{
    waiting_list_image(e, number, &out->list_entry);
    if (list_offer_lapsed(st, list_entry_at(e->list, number)))
        out->list_entry.status = LIST_LEFT; /* it could not be settled: nothing can be recorded now */
    state_saw(out, e->list->seq);
    return OUTCOME_OK;
}

/* The event's list, created with the first entry: most events never need one. */
static struct waiting_list *list_get(struct state *st, struct event *e)
{
    if (!e->list)
        e->list = list_make(st->list_by_status);
    return e->list;
}

/* ---- Joining ---- */

static enum outcome_code too_many(struct outcome *out, const char *detail)
{
    return state_invalid(out, detail, "/quantity");
}

static enum outcome_code judge_pool(struct event *e, const struct list_wish *wish, struct outcome *out,
                                    uint32_t *pool)
{
    /* Its units are all alike and have no place. */
    const char *other = wish->tier.at      ? "/tier"
                        : wish->section.at ? "/section"
                        : wish->adjacent   ? "/adjacent"
                                           : NULL;
    if (other)
        return state_invalid(out, "Only for seats: cannot be combined with pool.", "%s", other);
    const struct pool *p = pool_find(e, wish->pool);
    if (!p)
        return OUTCOME_NO_SUCH_POOL;
    *pool = p->image.position + 1;
    if (wish->quantity > p->image.capacity)
        return too_many(out, "Invalid quantity: more than the total stock.");
    return wish->quantity > QUANTITY_MAX ? too_many(out, "Invalid quantity: at most 1000 units.")
                                         : OUTCOME_OK;
}

/* A wish that could never be offered is refused. */
static enum outcome_code judge_seats(const struct event *e, const struct list_wish *wish, struct outcome *out)
{
    const struct layout *l = e->layout;
    const struct text any = {0};
    if (wish->section.at && !(l && layout_part(l, wish->section, any)))
        return state_invalid(out, "Invalid section: not in this event.", "/section");
    if (wish->tier.at && !(l && layout_part(l, any, wish->tier)))
        return state_invalid(out, "Invalid tier: not in this event.", "/tier");
    if (wish->quantity > ITEMS_MAX)
        return too_many(out, "Invalid quantity: at most 100 seats.");
    const struct layout_part *part = l ? layout_part(l, wish->section, wish->tier) : NULL;
    if (!part || wish->quantity > part->plain) /* accessible seats are not offered */
        return too_many(out, "Invalid quantity: more than the total stock.");
    if (wish->adjacent && wish->quantity > part->longest)
        return too_many(out, "Invalid quantity: no row has that many seats side by side.");
    return OUTCOME_OK;
}

static enum outcome_code judge_wish(struct event *e, const struct list_wish *wish, struct outcome *out,
                                    uint32_t *pool)
{
    *pool = 0;
    if (wish->quantity == 0)
        return too_many(out, "Invalid quantity: at least 1.");
    enum outcome_code code = wish->pool.at ? judge_pool(e, wish, out, pool) : judge_seats(e, wish, out);
    if (code == OUTCOME_OK && e->image.per_user_limit && wish->quantity > e->image.per_user_limit)
        return too_many(out, "Invalid quantity: more than the limit per user.");
    return code;
}

/* Also true when one step cannot find out: then the refusal becomes OUTCOME_RETRY. */
static bool may_be_had(struct state *st, struct event *e, const struct list_wish *wish, uint32_t pool,
                       const struct code *with)
{
    ASSERT(pool <= e->pool_count && wish->quantity >= 1);
    if (pool) {
        struct pool *p = &e->pools[pool - 1];
        if (p->image.allotment.at && !(with && code_carries(with, p->image.allotment)))
            return false;
        settle_pool(st, p, wish->quantity);
        return pool_available(p) >= wish->quantity || st->settle_short;
    }
    uint32_t picked[ITEMS_MAX];
    struct best_stats seen;
    struct item_request request = {.kind = ITEM_BEST,
                                   .quantity = wish->quantity,
                                   .section = wish->section,
                                   .tier = wish->tier,
                                   .adjacent = wish->adjacent};
    const struct code_image *image = with ? code_view(with) : NULL;
    struct best_bound bound = {0};
    if (image && e->image.access == ACCESS_CODE) /* otherwise what is on sale needs no code */
        bound = (struct best_bound){.tiers = image->tiers, .tier_count = image->tier_count};
    enum outcome_code code = best_pick(st, e, &request, &bound, picked, &seen);
    if (code != OUTCOME_OK && !st->count_short && with && code_carries(with, (struct text){0})) {
        bound = (struct best_bound){
            .allotment = image->allotment, .tiers = image->tiers, .tier_count = image->tier_count};
        code = best_pick(st, e, &request, &bound, picked, &seen);
    }
    return code == OUTCOME_OK || st->count_short;
}

/* Where there is a waiting room the list is no way around it: before the opening, and for what is available with a
 * pass, people wait in the room. App and admin can join anyway. */
static enum outcome_code judge_sold_out(struct state *st, struct event *e, const struct list_wish *wish,
                                        uint32_t pool, const struct code *with, struct outcome *out)
{
    if (!e->image.has_queue || st->actor.role != ROLE_USER)
        return OUTCOME_OK;
    state_saw(out, e->seq);
    if (st->now_ms < e->image.queue.open_at_ms)
        return OUTCOME_NOT_SOLD_OUT;
    /* What waiting entries are about to be offered is not available. */
    enum outcome_code code =
        waiting_list_comes_first(st, e) ? waiting_list_before_claim(st, &e, 1) : OUTCOME_OK;
    if (code != OUTCOME_OK)
        return code;
    return may_be_had(st, e, wish, pool, with) ? OUTCOME_NOT_SOLD_OUT : OUTCOME_OK;
}

/* A code that exists and covers the wish. Waiting uses none of its units. */
static enum outcome_code judge_code(const struct state *st, const struct event *e, const struct command *c,
                                    struct code **with, struct outcome *out)
{
    const struct list_wish *wish = &c->list.wish;
    enum outcome_code code = entry_judge_joiner(st, e, c->list.code, with, out);
    if (code != OUTCOME_OK || !*with)
        return code;
    /* A wish without tier and pool is offered what the code covers. */
    bool outside = (wish->tier.at || wish->pool.at) && !code_has_tier(*with, wish->tier);
    return outside ? OUTCOME_CODE_INVALID : OUTCOME_OK;
}

/* A repeated request is answered with its entry as it is now. */
static enum outcome_code answer_again(struct state *st, struct event *e, struct id made, struct outcome *out)
{
    uint32_t number;
    enum outcome_code code = entry_made(e, ENTRY_LIST, made, &number, out);
    if (code != OUTCOME_OK)
        return code;
    settle_entry(st, e, number);
    return list_entry_answer(st, e, number, out);
}

static void waiting_list_add(struct state *st, struct event *e, const struct command *c, struct text user,
                             uint32_t pool, const struct code *with, struct outcome *out)
{
    ASSERT(e->image.has_list && !list_live(e->list, user)); /* one live entry per user */
    uint32_t number = list_entry_add(e->list, user, &c->list.wish, pool,
                                     with ? code_view(with)->position + 1 : 0, LIST_WAITING);
    struct list_entry *entry = list_entry_at(e->list, number);
    entry->joined_at_ms = st->now_ms;
    list_offer_emit_entry(st, e, number);
    idempotency_remember(st, c, MADE_LIST_ENTRY, entry_id(e->image.entry_key, ENTRY_LIST, number));
    list_service_joined(st, e, number); /* after its own change: an offer to it comes later */
    out->created = true;
    list_entry_answer(st, e, number, out);
    ASSERT(out->list_entry.position == list_waiting(e->list)); /* the last of the waiting entries */
}

enum outcome_code waiting_list_join(struct state *st, const struct command *c, struct outcome *out)
{
    struct text user;
    struct id made;
    struct code *with = NULL;
    bool seen;
    enum outcome_code code = entry_joiner(st, c, &user, out);
    if (code == OUTCOME_OK)
        code = idempotency_seen(st, c, out, &seen, &made);
    if (code != OUTCOME_OK)
        return code;
    struct event *e = event_find(st, c->list.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    if (seen) /* even if the event no longer has a list */
        return answer_again(st, e, made, out);
    if (!e->image.has_list)
        return OUTCOME_NO_WAITING_LIST;
    uint32_t live = list_live(list_get(st, e), user), pool;
    if (live) { /* after a lapsed offer the user can join again, whether or not the timer has run */
        settle_entry(st, e, live);
        live = list_live(e->list, user);
    }
    if (live)
        return list_entry_answer(st, e, live, out);
    if (event_sale_over(e, st->now_ms))
        return event_off_sale(e, out);
    if (e->list->entries.used == LIST_ENTRIES_MAX) {
        out->detail = "The waiting list is full.";
        return OUTCOME_UNAVAILABLE;
    }
    code = judge_wish(e, &c->list.wish, out, &pool);
    if (code == OUTCOME_OK)
        code = judge_code(st, e, c, &with, out);
    if (code == OUTCOME_OK)
        code = judge_sold_out(st, e, &c->list.wish, pool, with, out);
    if (code == OUTCOME_OK)
        waiting_list_add(st, e, c, user, pool, with, out);
    return code;
}

/* ---- Reading and leaving ---- */

static enum outcome_code waiting_list_find(struct state *st, const struct command *c, struct event **e,
                                           uint32_t *number, struct outcome *out)
{
    enum outcome_code code = entry_find(st, c, ENTRY_LIST, e, number, out);
    if (code == OUTCOME_OK)
        settle_entry(st, *e, *number);
    return code;
}

enum outcome_code waiting_list_look(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e;
    uint32_t number;
    enum outcome_code code = waiting_list_find(st, c, &e, &number, out);
    return code == OUTCOME_OK ? list_entry_answer(st, e, number, out) : code;
}

enum outcome_code waiting_list_leave(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e;
    uint32_t number;
    enum outcome_code code = waiting_list_find(st, c, &e, &number, out);
    if (code != OUTCOME_OK)
        return code;
    struct list_entry *entry = list_entry_at(e->list, number);
    if (entry->status == LIST_WAITING) {
        list_entry_set_status(e->list, number, LIST_LEFT);
        list_offer_emit_entry(st, e, number);
    } else if (entry->status == LIST_OFFERED) {
        uint32_t handle = reservation_find(st, entry->reservation);
        ASSERT(handle != TABLE_NONE); /* an offer is held, and a held reservation is never forgotten */
        reservation_release(st, handle);
        list_offers_move_on(st);
    }
    ASSERT(!list_status_live((enum list_status)entry->status));
    return list_entry_answer(st, e, number, out);
}

/* ---- Recovery ---- */

static bool pool_of(struct event *e, const struct list_wish *wish, uint32_t *pool)
{
    const struct pool *p = wish->pool.at ? pool_find(e, wish->pool) : NULL;
    *pool = p ? p->image.position + 1 : 0;
    return wish->pool.at ? p && !wish->section.at && !wish->tier.at : wish->quantity <= ITEMS_MAX;
}

/* An offer is held for its user, and belongs to one entry only. */
static bool list_offer_fits(struct state *st, const struct list_entry_image *image)
{
    uint32_t handle = reservation_find(st, image->reservation);
    if (handle == TABLE_NONE || list_offer_find(st, image->reservation))
        return false;
    const struct reservation *r = reservation_at(st, handle);
    return r->status == RESERVATION_HELD && r->from_list && text_equal(user_id(st, r->user), image->user_id);
}

static bool entry_restore_new(struct event *e, const struct list_entry_image *image)
{
    uint32_t pool;
    const struct code *with = image->code.at ? code_find(e, image->code) : NULL;
    if (!pool_of(e, &image->wish, &pool) || (image->code.at && !with) ||
        (list_status_live(image->status) && list_live(e->list, image->user_id)))
        return false;
    uint32_t number = list_entry_add(e->list, image->user_id, &image->wish, pool,
                                     with ? code_view(with)->position + 1 : 0, image->status);
    ASSERT(number == image->number);
    list_entry_at(e->list, image->number)->joined_at_ms = image->joined_at_ms;
    return true;
}

static bool entry_restore_next(struct state *st, struct event *e, const struct list_entry_image *image)
{
    const struct list_entry *entry = list_entry_at(e->list, image->number);
    if (!text_equal(list_entry_user(entry), image->user_id))
        return false;
    if (entry->status == LIST_WAITING) {
        if (image->status != LIST_OFFERED && image->status != LIST_LEFT)
            return false;
    } else if (entry->status == LIST_OFFERED) { /* it keeps what it was offered */
        if (list_status_live(image->status) || !id_equal(entry->reservation, image->reservation))
            return false;
        list_offer_forget(st, entry->reservation);
    } else {
        return false;
    }
    list_entry_set_status(e->list, image->number, image->status);
    return true;
}

/* A new entry or, unless all must be new, the next state of a known one. Returns its list; NULL: it does not fit. */
static struct waiting_list *entry_restore(struct state *st, const struct list_entry_image *image,
                                          bool must_be_new)
{
    struct event *e = event_find_number(st, image->event);
    if (!e || e->image.removed)
        return NULL;
    struct waiting_list *l = list_get(st, e);
    bool new = image->number == l->entries.used + 1;
    bool known = !must_be_new && image->number >= 1 && image->number <= l->entries.used;
    if ((!new && !known) || (image->status == LIST_OFFERED && !list_offer_fits(st, image)))
        return NULL;
    if (!(new ? entry_restore_new(e, image) : entry_restore_next(st, e, image)))
        return NULL;
    struct list_entry *entry = list_entry_at(l, image->number);
    entry->changed_at_ms = image->changed_at_ms;
    entry->reservation = image->reservation;
    ASSERT(list_status_live(image->status) == (list_live(l, image->user_id) == image->number));
    if (image->status == LIST_OFFERED)
        list_offer_add(st, image->reservation, e->index, image->number);
    /* When in doubt, serve: a restart serves the list once, and finds what really fits. */
    waiting_list_freed(st, e);
    return l;
}

bool list_entry_change_restore(struct state *st, const struct change *c)
{
    struct waiting_list *l = entry_restore(st, &c->list_entry, false);
    ASSERT(!l || l->seq < c->seq);
    if (l)
        l->seq = c->seq;
    return l;
}

bool state_load_list_entry(struct state *st, const struct list_entry_image *image)
{
    return entry_restore(st, image, true);
}
