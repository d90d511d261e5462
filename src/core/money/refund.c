/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/refund.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/slab.h"
#include "base/table.h"
#include "core/codec.h"
#include "core/state.h"
#include "core/state_check_parts.h"

struct refund {
    uint64_t
        seq; /* of its last change; 0: it is in the book. First: the slab writes over it when it is given back */
    struct refund_image image; /* texts are owned; number 0: given back */
    uint32_t next, before;     /* of the same payment, handle + 1 */
    uint32_t next_of_sale;     /* of the same payment and reservation, handle + 1 */
    uint32_t open;             /* of the first of a payment: how many of it are open */
};

struct refunds {
    struct slab all;
    struct table by_number, by_payment; /* of those of one payment the first, which leads to the others */
    struct table
        by_sale; /* the same of payment and reservation: one reference, such as "cash", may be of thousands */
    uint64_t open;
    /* Handles of those that are done or withdrawn, in the order of their ends. */
    uint32_t *over;
    uint32_t over_capacity;
    uint64_t over_first, over_end;
};

static struct refund *at(const struct refunds *all, uint32_t handle)
{
    return slab_at(&all->all, handle);
}

static uint64_t number_hash(uint64_t number)
{
    return number * 0x9e3779b97f4a7c15ULL;
}

static uint64_t payment_hash(struct text ref)
{
    return hash_sip((struct hash_key){0x7265, 0x6675}, ref.at, ref.size);
}

static uint64_t sale_hash(struct id reservation, struct text ref)
{
    return payment_hash(ref) ^ hash_sip((struct hash_key){0x7361, 0x6c65}, &reservation, sizeof(reservation));
}

static uint64_t hash_of_number(void *owner, uint32_t handle)
{
    return number_hash(at(owner, handle)->image.number);
}

static uint64_t hash_of_payment(void *owner, uint32_t handle)
{
    return payment_hash(at(owner, handle)->image.payment_ref);
}

static uint64_t hash_of_sale(void *owner, uint32_t handle)
{
    const struct refund_image *image = &at(owner, handle)->image;
    return sale_hash(image->reservation, image->payment_ref);
}

static bool same_number(void *owner, uint32_t handle, const void *key)
{
    return at(owner, handle)->image.number == *(const uint64_t *)key;
}

static bool same_payment(void *owner, uint32_t handle, const void *key)
{
    return text_equal(at(owner, handle)->image.payment_ref, *(const struct text *)key);
}

static bool same_sale(void *owner, uint32_t handle, const void *key)
{
    const struct refund_image *image = &at(owner, handle)->image, *wanted = key;
    return id_equal(image->reservation, wanted->reservation) &&
           text_equal(image->payment_ref, wanted->payment_ref);
}

struct refunds *refunds_make(void)
{
    struct refunds *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct refund));
    table_init(&all->by_number, hash_of_number, all);
    table_init(&all->by_payment, hash_of_payment, all);
    table_init(&all->by_sale, hash_of_sale, all);
    return all;
}

static void texts_free(struct refund *r)
{
    text_free(r->image.payment_ref);
    text_free(r->image.reason);
}

void refunds_release(struct refunds *all)
{
    for (uint32_t i = 0; i < all->all.used; i++)
        if (at(all, i)->image.number)
            texts_free(at(all, i));
    slab_release(&all->all);
    table_release(&all->by_number);
    table_release(&all->by_payment);
    table_release(&all->by_sale);
    free(all->over);
    free(all);
}

/* ---- Finding ---- */

static uint32_t find(const struct refunds *all, uint64_t number)
{
    return table_find(&all->by_number, number_hash(number), same_number, &number);
}

static uint32_t first_of(const struct refunds *all, struct text ref)
{
    ASSERT(ref.size >= 1);
    return table_find(&all->by_payment, payment_hash(ref), same_payment, &ref);
}

/* Those of one payment, one after the other; NULL: there are no more. */
static const struct refund *of_payment(const struct refunds *all, struct text ref)
{
    uint32_t first = first_of(all, ref);
    return first == TABLE_NONE ? NULL : at(all, first);
}

static const struct refund *next_of(const struct refunds *all, const struct refund *r)
{
    return r->next ? at(all, r->next - 1) : NULL;
}

uint64_t refund_seq(const struct state *st, uint64_t number)
{
    uint32_t handle = find(st->refunds, number);
    ASSERT(handle != TABLE_NONE);
    return at(st->refunds, handle)->seq;
}

static bool is_open(const struct refund *r)
{
    return !r->image.done_at_ms && !r->image.withdrawn;
}

const struct refund_image *refund_find(const struct state *st, uint64_t number)
{
    uint32_t handle = find(st->refunds, number);
    return handle == TABLE_NONE ? NULL : &at(st->refunds, handle)->image;
}

static uint32_t first_of_sale(const struct refunds *all, const struct refund_image *like)
{
    return table_find(&all->by_sale, sale_hash(like->reservation, like->payment_ref), same_sale, like);
}

/* The oldest, as the book has it. There are few: what was withdrawn, and a refund due for each item that went back. */
const struct refund_image *refund_of(const struct state *st, struct id reservation, struct text payment_ref)
{
    const struct refunds *all = st->refunds;
    const struct refund_image *found = NULL;
    struct refund_image like = {.reservation = reservation, .payment_ref = payment_ref};
    uint32_t first = first_of_sale(all, &like);
    for (uint32_t next = first == TABLE_NONE ? 0 : first + 1; next; next = at(all, next - 1)->next_of_sale) {
        const struct refund_image *image = &at(all, next - 1)->image;
        ASSERT(id_equal(image->reservation, reservation));
        if (!image->withdrawn && (!found || image->number < found->number))
            found = image;
    }
    return found;
}

/* The oldest open one of this payment after `after`; NULL: there is none. */
static const struct refund *next_open(const struct refunds *all, struct text payment_ref, uint64_t after)
{
    const struct refund *found = NULL;
    for (const struct refund *r = of_payment(all, payment_ref); r; r = next_of(all, r))
        if (is_open(r) && r->image.number > after && (!found || r->image.number < found->image.number))
            found = r;
    return found;
}

bool refunds_any_open(const struct state *st, struct text payment_ref)
{
    const struct refund *first = of_payment(st->refunds, payment_ref);
    return first && first->open > 0;
}

const struct refund_image *refund_done_after(const struct state *st, struct text payment_ref, uint64_t number)
{
    const struct refunds *all = st->refunds;
    const struct refund *found = NULL;
    for (const struct refund *r = of_payment(all, payment_ref); r; r = next_of(all, r))
        if (r->image.done_at_ms && r->image.number > number &&
            (!found || r->image.number < found->image.number))
            found = r;
    return found ? &found->image : NULL;
}

uint64_t refunds_open(const struct state *st)
{
    return st->refunds->open;
}

const struct refund_image *refund_at(const struct state *st, uint32_t handle)
{
    return handle < st->refunds->all.used ? &at(st->refunds, handle)->image : NULL;
}

/* ---- Keeping ---- */

static void over(struct refunds *all, uint32_t handle)
{
    ASSERT(!is_open(at(all, handle)));
    all->over = memory_room_ring(all->over, all->over_end - all->over_first, &all->over_capacity, 64,
                                 sizeof(*all->over));
    all->over[all->over_end++ & (all->over_capacity - 1)] = handle;
}

/* Behind the first of its payment, which counts those that are open. */
static void chain(struct refunds *all, uint32_t handle)
{
    struct refund *r = at(all, handle);
    uint32_t first = first_of(all, r->image.payment_ref);
    if (first == TABLE_NONE) {
        table_insert(&all->by_payment, payment_hash(r->image.payment_ref), handle);
        first = handle;
    } else {
        r->before = first + 1;
        r->next = at(all, first)->next;
        if (r->next)
            at(all, r->next - 1)->before = handle + 1;
        at(all, first)->next = handle + 1;
    }
    at(all, first)->open += is_open(r);
}

static void chain_of_sale(struct refunds *all, uint32_t handle)
{
    struct refund *r = at(all, handle);
    uint32_t first = first_of_sale(all, &r->image);
    if (first == TABLE_NONE) {
        table_insert(&all->by_sale, hash_of_sale(all, handle), handle);
        return;
    }
    r->next_of_sale = at(all, first)->next_of_sale;
    at(all, first)->next_of_sale = handle + 1;
}

static void unchain_of_sale(struct refunds *all, uint32_t handle)
{
    struct refund *r = at(all, handle);
    uint32_t before = first_of_sale(all, &r->image);
    ASSERT(before != TABLE_NONE);
    if (before == handle) {
        table_remove(&all->by_sale, hash_of_sale(all, handle), handle);
        if (r->next_of_sale)
            table_insert(&all->by_sale, hash_of_sale(all, handle), r->next_of_sale - 1);
        return;
    }
    while (at(all, before)->next_of_sale != handle + 1)
        before = at(all, before)->next_of_sale - 1;
    at(all, before)->next_of_sale = r->next_of_sale;
}

static uint32_t add(struct refunds *all, const struct refund_image *image)
{
    uint32_t handle = slab_take(&all->all);
    struct refund *r = at(all, handle);
    ASSERT(find(all, image->number) == TABLE_NONE);
    r->image = *image;
    r->image.payment_ref = text_own(image->payment_ref);
    r->image.reason = text_own(image->reason);
    table_insert(&all->by_number, number_hash(image->number), handle);
    chain(all, handle);
    chain_of_sale(all, handle);
    all->open += is_open(r);
    return handle;
}

static void unchain(struct refunds *all, uint32_t handle)
{
    struct refund *r = at(all, handle), *next = r->next ? at(all, r->next - 1) : NULL;
    if (next)
        next->before = r->before;
    if (r->before) {
        ASSERT(at(all, r->before - 1)->next == handle + 1);
        at(all, r->before - 1)->next = r->next;
        return;
    }
    ASSERT(first_of(all, r->image.payment_ref) == handle);
    table_remove(&all->by_payment, payment_hash(r->image.payment_ref), handle);
    if (!next)
        return;
    next->open = r->open;
    table_insert(&all->by_payment, payment_hash(r->image.payment_ref), r->next - 1);
}

static void drop(struct refunds *all, uint32_t handle)
{
    struct refund *r = at(all, handle);
    ASSERT(!is_open(r));
    unchain(all, handle);
    unchain_of_sale(all, handle);
    table_remove(&all->by_number, number_hash(r->image.number), handle);
    texts_free(r);
    r->image.number = 0;
    slab_give(&all->all, handle);
}

static bool fits(const struct refund_image *image, uint64_t seq)
{
    return image->number >= 1 && (seq == 0 || image->number <= seq) && image->payment_ref.size >= 1 &&
           image->payment_ref.size <= PAYMENT_TEXT_SIZE_MAX && image->amount >= 0 &&
           image->reason.size <= REFUND_REASON_SIZE_MAX && !(image->done_at_ms && image->withdrawn);
}

/* What the change says. False: it does not fit what is known. */
static bool restore(struct state *st, const struct refund_image *image, uint64_t seq)
{
    struct refunds *all = st->refunds;
    if (!fits(image, seq))
        return false;
    uint32_t handle = find(all, image->number);
    if (handle == TABLE_NONE) {
        if (seq && image->number != seq) /* one that was not open has no more changes */
            return false;
        handle = add(all, image);
        at(all, handle)->seq = seq;
        if (!is_open(at(all, handle)))
            over(all, handle);
        return true;
    }
    struct refund *r = at(all, handle);
    if (!is_open(r) || (!image->done_at_ms && !image->withdrawn) ||
        !id_equal(r->image.reservation, image->reservation))
        return false;
    r->image.done_at_ms = image->done_at_ms;
    r->image.withdrawn = image->withdrawn;
    r->seq = seq;
    struct refund *first = at(all, first_of(all, r->image.payment_ref));
    ASSERT(all->open > 0 && first->open > 0);
    all->open--;
    first->open--;
    over(all, handle);
    return true;
}

void refund_emit(struct state *st, const struct refund_image *image)
{
    st->change.kind = CHANGE_REFUND;
    st->change.refund = *image;
    uint64_t seq = state_emit(st);
    bool kept = restore(st, image, seq);
    ASSERT(kept && seq >= image->number);
}

/* How much of this payment is known to have gone back. */
static int64_t paid_back(const struct refunds *all, struct text payment_ref)
{
    int64_t sum = 0;
    for (const struct refund *r = of_payment(all, payment_ref); r; r = next_of(all, r))
        sum += r->image.done_at_ms ? r->image.amount : 0;
    return sum;
}

uint64_t refunds_paid_back(struct state *st, struct text payment_ref, int64_t amount, const char currency[3])
{
    const struct refunds *all = st->refunds;
    int64_t left = amount - paid_back(all, payment_ref);
    uint64_t ended = 0, looked = 0;
    for (const struct refund *r; (r = next_open(all, payment_ref, looked));) {
        looked = r->image.number;
        if (r->image.amount > left || memcmp(r->image.currency, currency, 3) != 0)
            continue;
        left -= r->image.amount;
        ended = looked;
        refund_set_done(st, looked);
        ASSERT(left >= 0 && !is_open(r));
    }
    return ended;
}

uint32_t refunds_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    struct refunds *all = st->refunds;
    uint64_t waiting = all->over_end - all->over_first;
    uint32_t forgotten = 0;
    /* Many may have to stay, such as all that was paid in cash: the turn ends all the same. */
    for (uint32_t looked = 0; looked < waiting && looked < most; looked++) {
        uint32_t handle = all->over[all->over_first & (all->over_capacity - 1)];
        const struct refund *r = at(all, handle);
        if (r->seq > book_seq)
            break;
        all->over_first++;
        uint32_t of = reservation_find(st, r->image.reservation);
        bool held = of != TABLE_NONE && reservation_at(st, of)->status == RESERVATION_HELD;
        if (held || refunds_any_open(st, r->image.payment_ref)) {
            /* Who pays for a hold, and what has gone back, is judged without asking the book. */
            over(all, handle);
            continue;
        }
        drop(all, handle);
        forgotten++;
    }
    return forgotten;
}

void state_remember_refund(struct state *st, const struct refund_image *image)
{
    if (find(st->refunds, image->number) != TABLE_NONE)
        return;
    bool kept = restore(st, image, 0);
    ASSERT(kept);
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define REFUND_FIELDS(X) \
    X(number, number) X(id, reservation) X(text, payment_ref) X(signed, amount) X(raw, currency, 3) \
    X(text, reason) X(signed, created_at_ms) X(signed, done_at_ms) X(flag, withdrawn)
/* clang-format on */

void refund_change_put(struct buf *out, const struct change *c)
{
    const struct refund_image *r = &c->refund;
    ASSERT(fits(r, 0));
    REFUND_FIELDS(CODEC_PUT)
}

void refund_change_get(struct bytes_reader *in, struct change *c)
{
    struct refund_image *r = &c->refund;
    *r = (struct refund_image){0};
    REFUND_FIELDS(CODEC_GET)
    in->bad = in->bad || !fits(r, 0);
}

CHANGE_RESTORE(refund, restore(st, &c->refund, c->seq))

/* ---- For state_check ---- */

/* The chain of a payment, from its first. Returns how many it has. */
static uint64_t check_chain(struct check *c, uint32_t first)
{
    const struct refunds *all = c->st->refunds;
    uint64_t count = 0, open = 0;
    for (uint32_t next = first + 1, before = 0; next && count < all->all.used; count++) {
        const struct refund *r = at(all, next - 1);
        check_expect(c, r->before == before, "A refund due does not know the one before it.");
        open += is_open(r);
        before = next;
        next = r->next;
    }
    check_expect(c, open == at(all, first)->open, "Of a payment %llu refunds are open, %u are counted.",
                 (unsigned long long)open, at(all, first)->open);
    return count;
}

void check_refunds(struct check *c)
{
    const struct refunds *all = c->st->refunds;
    uint64_t open = 0, over_count = 0, chained = 0;
    for (uint32_t i = 0; i < all->all.used; i++) {
        const struct refund *r = at(all, i);
        if (!r->image.number)
            continue;
        open += is_open(r);
        over_count += !is_open(r);
        chained += r->before ? 0 : check_chain(c, i);
        check_expect(c, find(all, r->image.number) == i, "A refund due cannot be found by its number.");
        check_expect(
            c, r->image.withdrawn || refund_of(c->st, r->image.reservation, r->image.payment_ref) != NULL,
            "A refund due of %s cannot be found by its payment.", check_id_text(c, r->image.reservation));
    }
    check_expect(c, open == all->open, "%llu refunds due are open, %llu are counted.",
                 (unsigned long long)open, (unsigned long long)all->open);
    check_expect(c, chained == open + over_count, "Refunds due are not all found by their payments.");
    check_expect(c, over_count == all->over_end - all->over_first,
                 "Refunds that are over are not all queued.");
}
