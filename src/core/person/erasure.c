/* SPDX-License-Identifier: Apache-2.0 */
#include "core/person/erasure.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/claim/expiry.h"
#include "core/claim/reservation.h"
#include "core/claim/user.h"
#include "core/codec.h"
#include "core/dispatch/dispatch_person.h"
#include "core/queue/queue_line.h"
#include "core/queue/queue_time.h"
#include "core/waitlist/list_offer.h"
#include "core/waitlist/wish_group.h"

#define DONE_KEPT 64u /* completed erasures that are kept: no read of a record takes as long as that many */

/* ---- Known erasures ---- */

/* The name itself is not kept: its hash is enough to recognize it. */
static void hash_name(struct text name, uint64_t hash[2])
{
    hash[0] = hash_sip((struct hash_key){0x65726173, 1}, name.at, name.size);
    hash[1] = hash_sip((struct hash_key){0x65726173, 2}, name.at, name.size);
}

static struct erasure *erasure_find(const struct state *st, uint64_t number)
{
    for (uint32_t i = st->erasures.count; i; i--)
        if (st->erasures.all[i - 1].number == number)
            return &st->erasures.all[i - 1];
    return NULL;
}

static bool done(const struct erasure *e)
{
    ASSERT(e->segments <= ERASURE_SEGMENTS);
    return e->segments == ERASURE_SEGMENTS;
}

static void erasure_add(struct state *st, const struct erasure_image *image, uint64_t seq)
{
    struct erasures *all = &st->erasures;
    struct erasure e = {image->number, seq, image->segments, {0, 0}, text_own(image->to)};
    ASSERT(!all->count || all->all[all->count - 1].number < image->number);
    if (image->from.at)
        hash_name(image->from, e.from);
    /* The oldest completed one makes room. */
    if (all->count >= DONE_KEPT && done(&all->all[0])) {
        text_free(all->all[0].to);
        memmove(all->all, all->all + 1, --all->count * sizeof(*all->all));
    }
    all->all = memory_room(all->all, all->count, &all->capacity, 4, sizeof(*all->all));
    all->all[all->count++] = e;
}

uint64_t state_erased(const struct state *st)
{
    return st->erasures.count ? st->erasures.all[st->erasures.count - 1].number : 0;
}

void erasures_release(struct state *st)
{
    for (uint32_t i = 0; i < st->erasures.count; i++)
        text_free(st->erasures.all[i].to);
    free(st->erasures.all);
}

/* ---- Effect on memory ---- */

static void clear_reservation(struct state *st, uint32_t handle, uint64_t seq)
{
    struct reservation *r = reservation_at(st, handle);
    ASSERT(r->status != RESERVATION_HELD && r->seq < seq);
    reservation_set_attributes(r, (struct text){0});
    for (uint32_t i = 0; i < r->item_count; i++)
        item_set_attributes(&reservation_items(r)[i], (struct text){0});
    reservation_extra(r)->manage_gen++;
    r->version++;
    r->seq = seq;
    state_forgettable(st, handle, 0); /* replaces the entry it had */
}

/* Reservations that are in memory and not held are in the ring of forgettable ones, so they are found there without a
 * list of each user's reservations, which nothing else needs. */
static void clear_reservations(struct state *st, uint32_t user, uint64_t seq)
{
    uint64_t end = st->forgettable_end;
    for (uint64_t i = st->forgettable_first; i < end; i++) {
        struct forgettable f = st->forgettable[i & (st->forgettable_capacity - 1)];
        const struct reservation *r = reservation_at(st, f.reservation);
        /* Changed again since, or the slot was reused: then it has a later entry. */
        if (r->seq == f.seq && r->status && r->status != RESERVATION_HELD && r->user == user)
            clear_reservation(st, f.reservation, seq);
    }
}

static bool holds_nothing(struct state *st, uint32_t user)
{
    return user == TABLE_NONE || !((struct user *)slab_at(&st->users, user))->first;
}

/* Whether no entry of this name is live. */
static bool waits_nowhere(struct state *st, struct text name)
{
    for (uint32_t i = 0; i < st->event_listed; i++) {
        const struct event *e = st->events[st->event_list[i]];
        uint32_t number = e->queue ? queue_find_user(e->queue, name) : 0;
        if ((number && queue_entry_live(queue_entry(e->queue, number))) ||
            (e->list && list_live(e->list, name)))
            return false;
    }
    return true;
}

static bool erase(struct state *st, const struct erasure_image *image, uint64_t seq)
{
    uint32_t user = user_find(st, image->from);
    uint64_t ride_seq;
    ASSERT(!erasure_find(st, image->number));
    if (!holds_nothing(st, user) || !waits_nowhere(st, image->from) ||
        user_find(st, image->to) != TABLE_NONE || person_rides(st, image->from, &ride_seq) ||
        person_drives(st, image->from))
        return false;
    if (user != TABLE_NONE) {
        clear_reservations(st, user, seq);
        user_rename(st, user, image->to);
    }
    for (uint32_t i = 0; i < st->event_listed; i++) {
        const struct event *e = st->events[st->event_list[i]];
        if (e->queue)
            queue_rename_user(e->queue, image->from, image->to);
        if (e->list)
            list_rename_user(e->list, image->from, image->to);
    }
    person_rename_rides(st, image->from, image->to, seq);
    erasure_add(st, image, seq);
    return true;
}

void erasure_translate(const struct state *st, struct reservation_image *image, struct item_image *items)
{
    uint64_t name[2];
    hash_name(image->user_id, name);
    for (uint32_t i = 0; i < st->erasures.count; i++) {
        const struct erasure *e = &st->erasures.all[i];
        /* A reservation made by or transferred to this name later belongs to another person. */
        if (e->from[0] != name[0] || e->from[1] != name[1] || image->number > e->number ||
            image->transferred > e->number)
            continue;
        image->user_id = e->to;
        image->attributes = (struct text){0};
        if (image->items != items)
            memcpy(items, image->items, image->item_count * sizeof(*items));
        for (uint32_t k = 0; k < image->item_count; k++)
            items[k].attributes = (struct text){0};
        image->items = items;
        image->manage_gen++;
        image->version++;
        hash_name(e->to, name); /* which could have been erased since */
    }
}

struct text erasure_name(const struct state *st, struct text name, uint64_t number)
{
    uint64_t hash[2];
    if (!name.at)
        return name;
    hash_name(name, hash);
    for (uint32_t i = 0; i < st->erasures.count; i++) {
        const struct erasure *e = &st->erasures.all[i];
        if (e->from[0] != hash[0] || e->from[1] != hash[1] || number > e->number)
            continue;
        name = e->to;
        hash_name(name, hash); /* it could have been erased since */
    }
    return name;
}

/* ---- The command ---- */

/* Entries of the user leave: the erased name must not be admitted or offered anything. */
static void leave_everywhere(struct state *st, struct text name)
{
    for (uint32_t i = 0; i < st->event_listed; i++) {
        struct event *e = st->events[st->event_list[i]];
        uint32_t number = e->queue ? queue_find_user(e->queue, name) : 0;
        const struct queue_entry *entry = number ? queue_entry(e->queue, number) : NULL;
        if (entry && queue_entry_live(entry))
            queue_emit_move(st, e, number, QUEUE_LEFT, queue_kept_until_ms(entry), false);
        number = e->list ? list_live(e->list, name) : 0;
        if (number) {
            /* An offer is a hold, and the user has none. */
            ASSERT(list_entry_at(e->list, number)->status == LIST_WAITING);
            list_entry_set_status(e->list, number, LIST_LEFT);
            list_offer_emit_entry(st, e, number);
        }
    }
}

static enum outcome_code refuse_live_ride(uint64_t seq, struct outcome *out)
{
    state_saw(out, seq);
    out->detail = "This user has a live ride, or is offered one. Cancel or complete it first.";
    return OUTCOME_IN_USE;
}

static enum outcome_code refuse_live_hold(struct state *st, uint32_t user, struct outcome *out)
{
    const struct user *u = slab_at(&st->users, user);
    state_saw(out, reservation_at(st, u->first - 1)->seq);
    out->detail = "This user has a live hold. Release it, or wait until it is sold or has expired.";
    return OUTCOME_IN_USE;
}

enum outcome_code erase_user(struct state *st, const struct command *c, struct outcome *out)
{
    uint32_t user = user_find(st, c->erase.from);
    uint64_t ride_seq;
    ASSERT(c->erase.from.size >= 1 && c->erase.from.size <= USER_SIZE_MAX);
    ASSERT(c->erase.to.size <= USER_SIZE_MAX && user_find(st, c->erase.to) == TABLE_NONE); /* random */
    if (user != TABLE_NONE) {
        struct actor caller = st->actor;
        st->actor = (struct actor){.role = ROLE_SERVER};
        settle_user(st, user);
        list_offers_move_on(st);
        st->actor = caller;
        user = user_find(st, c->erase.from); /* it could have been dropped with the last of its holds */
    }
    if (!holds_nothing(st, user))
        return refuse_live_hold(st, user, out);
    person_settle_rides(st, c->erase.from);
    if (person_rides(st, c->erase.from, &ride_seq))
        return refuse_live_ride(ride_seq, out);
    leave_everywhere(st, c->erase.from);
    person_leave_fleets(st, c->erase.from, out);
    st->change.kind = CHANGE_ERASED;
    st->change.erased = c->erase;
    st->change.erased.number = state_next_seq(st);
    st->change.erased.segments = 0;
    out->seq = state_commit(st);
    return OUTCOME_OK;
}

/* ---- The journal moves to new segments ---- */

static bool due(const struct erasure *e, uint64_t book_seq, uint64_t durable_seq)
{
    ASSERT(e->seq >= e->number || e->seq == 0);
    return !done(e) && e->number <= book_seq && e->seq <= durable_seq;
}

bool state_erasures_due(const struct state *st, uint64_t book_seq, uint64_t durable_seq)
{
    for (uint32_t i = st->erasures.count; i; i--)
        if (due(&st->erasures.all[i - 1], book_seq, durable_seq))
            return true;
    return false;
}

void state_erasures_step(struct state *st, int64_t now_ms, uint64_t book_seq, uint64_t durable_seq,
                         struct buf *changes)
{
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    for (uint32_t i = 0; i < st->erasures.count; i++) {
        const struct erasure *e = &st->erasures.all[i];
        if (!due(e, book_seq, durable_seq))
            continue;
        st->change.kind = CHANGE_ERASED;
        st->change.erased = (struct erasure_image){.number = e->number, .segments = e->segments + 1};
        state_commit(st);
    }
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

static bool named(struct text name)
{
    return name.size >= 1 && name.size <= USER_SIZE_MAX;
}

static bool erasure_restore(struct state *st, const struct erasure_image *image, uint64_t seq)
{
    struct erasure *e = erasure_find(st, image->number);
    if (image->from.at)
        return !e && !image->segments && image->number == seq && named(image->from) && named(image->to) &&
               erase(st, image, seq);
    if (seq == 0 && !e) { /* from the book, which has applied it */
        erasure_add(st, image, seq);
        return true;
    }
    if (!e || image->segments != e->segments + 1)
        return false;
    e->segments = image->segments;
    e->seq = seq;
    return true;
}

/* clang-format off */
#define ERASURE_FIELDS(X) \
    X(number, number) X(u32, segments, ERASURE_SEGMENTS) X(optional, from) X(optional, to) \
    X(raw, mark, ERASURE_MARK_SIZE)
/* clang-format on */
CHANGE_CODEC(erased, erased, ERASURE_FIELDS)
CHANGE_RESTORE(erased, erasure_restore(st, &c->erased, c->seq))
