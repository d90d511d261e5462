/* SPDX-License-Identifier: Apache-2.0 */
/* late.c — see pay.h: a payment that arrives after its hold has expired, when everything is still available.
 *
 * Checked again, as of now: stock, blocks, the limit per user, the units of codes, and that the event takes place. Not
 * checked: the sale window, passes and the rules of calendars, because the hold was granted once. Waiting lists come
 * first, as before any claim. All or nothing. */
#include <stdlib.h>

#include "base/assertion.h"
#include "core/calendar/calendar.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/claim/reservation_command.h"
#include "core/claim/user.h"
#include "core/money/pay.h"

/* If events and calendars differ, the one that wants a refund wins. */
static bool accepted_by_all(const struct state *st, struct reservation *r)
{
    ASSERT(r->item_count >= 1); /* without items all of them would be free */
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        const struct event *e = item_event(st, item);
        const struct calendar *c = e ? NULL : st->calendars[item->resource];
        struct kept_terms terms = reservation_kept_terms(st, r, item);
        bool gone = e ? e->image.removed || e->image.cancelled.at_ms : c->image.removed;
        if (gone || !claim_kind(item->kind)->exists(st, item) ||
            terms.late_payment != LATE_PAYMENT_ACCEPT_IF_FREE)
            return false;
    }
    return true;
}

static enum outcome_code serve_lists(struct state *st, struct reservation *r)
{
    struct event *events[ITEMS_MAX];
    uint32_t count = 0;
    bool first = false;
    for (uint32_t i = 0; i < r->item_count; i++) {
        struct event *e = item_event(st, &reservation_items(r)[i]);
        if (e) {
            events[count++] = e;
            first = first || waiting_list_comes_first(st, e);
        }
    }
    ASSERT(count <= r->item_count);
    return first ? waiting_list_before_claim(st, events, count) : OUTCOME_OK;
}

/* Whether the same right as before still allows the claim: the seat could have been blocked or allotted since, or freed
 * from that. */
static bool still_open(const struct state *st, const struct item *item)
{
    const struct claim_kind *kind = claim_kind(item->kind);
    struct text from = item->extra ? item->extra->allotment : (struct text){0};
    return !kind->set_aside || text_equal(kind->set_aside(item_event(st, item), item->part), from);
}

/* Settles what has lapsed in its way first. */
static bool item_free(struct state *st, const struct item *item)
{
    const struct claim_kind *kind = claim_kind(item->kind);
    ASSERT(item->quantity >= 1);
    if (kind->lapses)
        while (!kind->is_free(st, item) && settle_first(st, kind->lapses(st, item)))
            ;
    else
        settle_seat(st, item_event(st, item), item->part);
    return kind->is_free(st, item) && still_open(st, item);
}

/* Each can be free while all together are not: units of one pool, times of one calendar. So they are claimed one after
 * the other, and released again; a seat exists once, and cannot be claimed twice. */
static bool all_free(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    uint32_t taken = 0;
    bool free = true;
    for (uint32_t i = 0; free && i < r->item_count; i++)
        free = item_free(st, &reservation_items(r)[i]);
    for (; free && taken < r->item_count; taken++) {
        const struct item *item = &reservation_items(r)[taken];
        const struct claim_kind *kind = claim_kind(item->kind);
        if (!kind->lapses)
            continue;
        /* What has lapsed can have left room for each, and not for all. */
        free = item_free(st, item);
        if (!free)
            break;
        kind->claim(st, handle, item, true);
    }
    while (taken-- > 0) {
        const struct item *item = &reservation_items(r)[taken];
        if (claim_kind(item->kind)->lapses)
            claim_kind(item->kind)->free(st, handle, item, st->seq, true);
    }
    return free;
}

static uint64_t units_of(struct reservation *r, const struct state *st, const struct event *e,
                         struct text code)
{
    uint64_t units = 0;
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        bool with = !code.at || (item->extra && item->extra->code.at && code_same(item->extra->code, code));
        if (item_event(st, item) == e && with)
            units += item->quantity;
    }
    return units;
}

/* The limit per user, and what is left of the codes it was held with. */
static bool within_limits(struct state *st, uint32_t handle)
{
    struct reservation *r = reservation_at(st, handle);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item *item = &reservation_items(r)[i];
        struct event *e = item_event(st, item);
        uint32_t limit = e ? e->image.per_user_limit : 0;
        if (limit && user_count_get(st, r->user, e->index) + units_of(r, st, e, (struct text){0}) > limit) {
            settle_user(st, r->user); /* what has lapsed no longer counts */
            if (user_count_get(st, r->user, e->index) + units_of(r, st, e, (struct text){0}) > limit)
                return false;
        }
        struct text code = e && item->extra ? item->extra->code : (struct text){0};
        const struct code *found = code.at ? code_find(e, code) : NULL;
        if (code.at && !(found && code_allows(found, units_of(r, st, e, code)))) {
            if (state_next_deadline(st) <= st->now_ms)
                settle_lapsed(st);
            if (!found || !code_allows(found, units_of(r, st, e, code)))
                return false;
        }
    }
    return true;
}

bool late_payment_acceptable(struct step *step, uint32_t handle, enum outcome_code *code)
{
    struct state *st = step->state;
    ASSERT(reservation_at(st, handle)->status == RESERVATION_EXPIRED);
    ASSERT(st->actor.role != ROLE_USER); /* what a buyer reports does not count */
    *code = OUTCOME_OK;
    if (!accepted_by_all(st, reservation_at(st, handle)))
        return false;
    *code = serve_lists(st, reservation_at(st, handle));
    if (*code != OUTCOME_OK)
        return false;
    bool accepted = within_limits(st, handle) && all_free(st, handle);
    if (!accepted && st->settle_short)
        *code = OUTCOME_RETRY;
    return accepted;
}
