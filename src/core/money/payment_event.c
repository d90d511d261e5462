/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment_event.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/codec.h"
#include "core/money/pay.h"
#include "core/money/payment_news.h"
#include "core/state_check_parts.h"

#define KEPT_MS 60000LL /* minimum in memory; a command that has read the book waits less than that */

struct payment_event {
    uint64_t seq; /* 0: it is in the book. First: the slab overwrites it when the slot is freed */
    struct payment_event_image image; /* texts are owned; number 0: the slot is free */
    int64_t since_ms;                 /* in memory */
};

struct payment_events {
    struct slab all;
    struct table by_id, by_once;
    uint32_t *kept; /* handles in order of arrival: a ring */
    uint32_t kept_capacity;
    uint64_t kept_first, kept_end;
};

static struct payment_event *payment_event_at(const struct payment_events *all, uint32_t handle)
{
    return slab_at(&all->all, handle);
}

static uint64_t id_hash(struct text id)
{
    return hash_sip((struct hash_key){0x7061, 0x7965}, id.at, id.size);
}

static uint64_t payment_event_hash_of(void *owner, uint32_t handle)
{
    return id_hash(payment_event_at(owner, handle)->image.event_id);
}

static bool payment_event_same(void *owner, uint32_t handle, const void *key)
{
    return text_equal(payment_event_at(owner, handle)->image.event_id, *(const struct text *)key);
}

static uint64_t hash_of_once(void *owner, uint32_t handle)
{
    return id_hash(payment_event_at(owner, handle)->image.once);
}

static bool same_once(void *owner, uint32_t handle, const void *key)
{
    return text_equal(payment_event_at(owner, handle)->image.once, *(const struct text *)key);
}

struct payment_events *payment_events_make(void)
{
    struct payment_events *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct payment_event));
    table_init(&all->by_id, payment_event_hash_of, all);
    table_init(&all->by_once, hash_of_once, all);
    return all;
}

static void texts_free(struct payment_event_image *image)
{
    text_free(image->event_id);
    text_free(image->type);
    text_free(image->once);
    text_free(image->payment_ref);
}

void payment_events_release(struct payment_events *all)
{
    for (uint32_t i = 0; i < all->all.used; i++)
        if (payment_event_at(all, i)->image.number)
            texts_free(&payment_event_at(all, i)->image);
    slab_release(&all->all);
    table_release(&all->by_id);
    table_release(&all->by_once);
    free(all->kept);
    free(all);
}

static uint32_t payment_event_lookup(const struct payment_events *all, struct text event_id)
{
    return table_find(&all->by_id, id_hash(event_id), payment_event_same, &event_id);
}

const struct payment_event_image *payment_event_find(const struct state *st, struct text event_id)
{
    uint32_t handle = payment_event_lookup(st->payment_events, event_id);
    return handle == TABLE_NONE ? NULL : &payment_event_at(st->payment_events, handle)->image;
}

const struct payment_event_image *payment_event_find_once(const struct state *st, struct text once)
{
    const struct payment_events *all = st->payment_events;
    uint32_t handle = once.at ? table_find(&all->by_once, id_hash(once), same_once, &once) : TABLE_NONE;
    return handle == TABLE_NONE ? NULL : &payment_event_at(all, handle)->image;
}

static void payment_event_add(struct state *st, const struct payment_event_image *image, uint64_t seq)
{
    struct payment_events *all = st->payment_events;
    ASSERT(image->number && payment_event_lookup(all, image->event_id) == TABLE_NONE); /* each event once */
    uint32_t handle = slab_take(&all->all);
    struct payment_event *e = payment_event_at(all, handle);
    *e = (struct payment_event){.seq = seq, .image = *image, .since_ms = st->now_ms};
    e->image.event_id = text_own(image->event_id);
    e->image.type = text_own(image->type);
    e->image.once = text_own(image->once);
    e->image.payment_ref = text_own(image->payment_ref);
    table_insert(&all->by_id, id_hash(image->event_id), handle);
    if (image->once.at)
        table_insert(&all->by_once, id_hash(image->once), handle);
    all->kept = memory_room_ring(all->kept, all->kept_end - all->kept_first, &all->kept_capacity, 64,
                                 sizeof(*all->kept));
    all->kept[all->kept_end++ & (all->kept_capacity - 1)] = handle;
}

static bool payment_event_fits(const struct payment_event_image *image)
{
    return image->number && image->event_id.size <= PAYMENT_EVENT_TEXT_SIZE_MAX && image->type.size >= 1 &&
           image->type.size <= PAYMENT_EVENT_TEXT_SIZE_MAX &&
           image->payment_ref.size <= PAYMENT_TEXT_SIZE_MAX &&
           image->once.size <= PAYMENT_EVENT_TEXT_SIZE_MAX && (!image->event_id.at || image->event_id.size) &&
           image->refund < image->number;
}

static bool payment_event_restore(struct state *st, const struct payment_event_image *image, uint64_t seq)
{
    if (!payment_event_fits(image) || (seq && image->number != seq))
        return false;
    if (!image->event_id.at) /* a rejection: it can come again, and is never looked up */
        return true;
    if (payment_event_lookup(st->payment_events, image->event_id) != TABLE_NONE ||
        payment_event_find_once(st, image->once))
        return false;
    payment_event_add(st, image, seq);
    return true;
}

uint32_t payment_events_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    struct payment_events *all = st->payment_events;
    uint32_t forgotten = 0;
    for (; forgotten < most && all->kept_first < all->kept_end; forgotten++) {
        uint32_t handle = all->kept[all->kept_first & (all->kept_capacity - 1)];
        struct payment_event *e = payment_event_at(all, handle);
        ASSERT(e->image.number && e->image.event_id.at);
        if (e->seq > book_seq || st->now_ms - e->since_ms < KEPT_MS)
            break;
        all->kept_first++;
        table_remove(&all->by_id, id_hash(e->image.event_id), handle);
        if (e->image.once.at)
            table_remove(&all->by_once, id_hash(e->image.once), handle);
        texts_free(&e->image);
        e->image.number = 0;
        slab_give(&all->all, handle);
    }
    return forgotten;
}

void state_remember_payment_event(struct state *st, const struct payment_event_image *image)
{
    if (payment_event_lookup(st->payment_events, image->event_id) == TABLE_NONE &&
        !payment_event_find_once(st, image->once))
        payment_event_add(st, image, 0);
}

static void payment_event_save(struct state *st, struct payment_event_image *image, struct outcome *out)
{
    ASSERT(image->result >= PAYMENT_RESULT_FIRST && image->result <= PAYMENT_RESULT_LAST);
    image->number = state_next_seq(st);
    image->received_at_ms = st->now_ms;
    if (!image->amount.given) {
        image->amount = (struct money){0};
        memcpy(image->amount.currency, NO_CURRENCY, sizeof(image->amount.currency));
    }
    st->change.kind = CHANGE_PAYMENT_EVENT;
    st->change.payment_event = *image;
    state_saw(out, state_commit(st));
}

/* ---- Payments of refused holds ---- */

enum outcome_code pay_reject(struct step *step, enum outcome_code code, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    ASSERT(code != OUTCOME_OK && c->kind == COMMAND_HOLD);
    struct text ref = c->hold.commit ? pay_trusted(st, c->hold.payment_ref) : (struct text){0};
    /* The command comes again, and can be granted then. */
    bool again = code == OUTCOME_FETCH || code == OUTCOME_RETRY || st->settle_short || st->count_short;
    if (!ref.at || again)
        return code;
    struct payment_event_image image = {
        .type = TEXT("hold"), .payment_ref = ref, .amount = c->hold.amount, .result = PAYMENT_REJECTED};
    payment_event_save(st, &image, out);
    return code;
}

/* ---- The provider's events ---- */

enum outcome_code payment_event_take(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct payment_event_image image = c->payment_event.image;
    uint32_t known = payment_event_lookup(st->payment_events, image.event_id);
    ASSERT(image.event_id.size && image.type.size && !image.number);
    if (known != TABLE_NONE) {
        out->payment_event = payment_event_at(st->payment_events, known)->image;
        state_saw(out, payment_event_at(st->payment_events, known)->seq);
        return OUTCOME_OK;
    }
    if (!c->payment_event_checked) {
        payment_news_look_up(step, out); /* what it refers to could also be only in the book */
        struct record_key key = {.kind = FETCH_PAYMENT_EVENT, .event = image.event_id, .once = image.once};
        return outcome_lacks(out, &key);
    }
    enum outcome_code code = OUTCOME_OK;
    if (payment_event_find_once(st, image.once)) {
        image.once = (struct text){0};
        image.result = PAYMENT_REPEATED;
    } else {
        code = payment_news_take(step, &image.result, out);
    }
    if (code != OUTCOME_OK)
        return code;
    image.reservation = c->reservation;
    image.refund = out->refund_due;
    if (image.result == PAYMENT_IGNORED)
        image.once = (struct text){0}; /* it has had no effect yet */
    payment_event_save(st, &image, out);
    out->payment_event = image;
    out->has_reservation = false; /* the provider gets only the result of the payment */
    return OUTCOME_OK;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define PAYMENT_EVENT_FIELDS(X) \
    X(number, number) X(optional, event_id) X(text, type) X(optional, once) X(optional, payment_ref) \
    X(id, reservation) X(flag, amount.given) X(signed, amount.amount) X(raw, amount.currency, 3) \
    X(word, result, PAYMENT_RESULT_FIRST, PAYMENT_RESULT_LAST) X(number, refund) X(signed, received_at_ms)
/* clang-format on */

void payment_event_change_put(struct buf *out, const struct change *c)
{
    const struct payment_event_image *r = &c->payment_event;
    ASSERT(payment_event_fits(r));
    PAYMENT_EVENT_FIELDS(CODEC_PUT)
}

void payment_event_change_get(struct bytes_reader *in, struct change *c)
{
    struct payment_event_image *r = &c->payment_event;
    *r = (struct payment_event_image){0};
    PAYMENT_EVENT_FIELDS(CODEC_GET)
    in->bad = in->bad || !payment_event_fits(r);
}

CHANGE_RESTORE(payment_event, payment_event_restore(st, &c->payment_event, c->seq))

/* ---- For state_check ---- */

void check_payment_events(struct check *c)
{
    const struct payment_events *all = c->st->payment_events;
    uint64_t count = 0;
    for (uint32_t i = 0; i < all->all.used; i++) {
        const struct payment_event *e = payment_event_at(all, i);
        count += e->image.number != 0;
        check_expect(c, !e->image.number || payment_event_lookup(all, e->image.event_id) == i,
                     "A payment event cannot be found by its id.");
    }
    check_expect(c, count == all->kept_end - all->kept_first, "The queue of payment events is incomplete.");
}
