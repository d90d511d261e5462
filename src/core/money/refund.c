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
    uint32_t open;             /* of the first of a payment: how many of it are open */
};

struct refunds {
    struct slab all;
    struct table by_number, by_payment; /* of those of one payment the first, which leads to the others */
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

static uint64_t hash_of_number(void *owner, uint32_t handle)
{
    return number_hash(at(owner, handle)->image.number);
}

static uint64_t hash_of_payment(void *owner, uint32_t handle)
{
    return payment_hash(at(owner, handle)->image.payment_ref);
}

static bool same_number(void *owner, uint32_t handle, const void *key)
{
    return at(owner, handle)->image.number == *(const uint64_t *)key;
}

static bool same_payment(void *owner, uint32_t handle, const void *key)
{
    return text_equal(at(owner, handle)->image.payment_ref, *(const struct text *)key);
}

struct refunds *refunds_make(void)
{
    struct refunds *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct refund));
    table_init(&all->by_number, hash_of_number, all);
    table_init(&all->by_payment, hash_of_payment, all);
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

static bool is_open(const struct refund *r)
{
    return !r->image.done_at_ms && !r->image.withdrawn;
}

const struct refund_image *refund_find(const struct state *st, uint64_t number)
{
    uint32_t handle = find(st->refunds, number);
    return handle == TABLE_NONE ? NULL : &at(st->refunds, handle)->image;
}

const struct refund_image *refund_of(const struct state *st, struct id reservation, struct text payment_ref)
{
    const struct refunds *all = st->refunds;
    for (const struct refund *r = of_payment(all, payment_ref); r; r = next_of(all, r))
        if (id_equal(r->image.reservation, reservation) && !r->image.withdrawn)
            return &r->image;
    return NULL;
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

static void emit(struct state *st, const struct refund_image *image)
{
    st->change.kind = CHANGE_REFUND;
    st->change.refund = *image;
    uint64_t seq = state_emit(st);
    bool kept = restore(st, image, seq);
    ASSERT(kept && seq >= image->number);
}

uint64_t refund_due_over(struct state *st, struct id reservation, struct text payment_ref, int64_t amount,
                         const char currency[3], enum refund_cause cause, struct text said)
{
    const char *name = refund_cause_name(cause);
    struct refund_image image = {.number = state_next_seq(st),
                                 .reservation = reservation,
                                 .payment_ref = payment_ref,
                                 .amount = amount,
                                 .reason = said.at ? said : (struct text){name, strlen(name)},
                                 .created_at_ms = st->now_ms};
    ASSERT(payment_ref.size >= 1 && amount >= 0 && !id_none(reservation));
    memcpy(image.currency, currency, 3);
    emit(st, &image);
    return image.number;
}

uint64_t refund_due(struct state *st, const struct reservation *r, struct text payment_ref, int64_t amount,
                    enum refund_cause cause, struct text said)
{
    ASSERT(r->number);
    return refund_due_over(st, r->id, payment_ref, amount, r->currency, cause, said);
}

static void end(struct state *st, uint64_t number, bool done)
{
    const struct refund_image *found = refund_find(st, number);
    ASSERT(found && !found->done_at_ms && !found->withdrawn);
    struct refund_image image = *found;
    image.done_at_ms = done ? st->now_ms : 0;
    image.withdrawn = !done;
    emit(st, &image);
}

void refund_withdraw(struct state *st, uint64_t number)
{
    end(st, number, false);
}

void refund_set_done(struct state *st, uint64_t number)
{
    end(st, number, true);
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

/* ---- The command ---- */

static enum outcome_code answer(struct state *st, uint64_t number, struct outcome *out)
{
    uint32_t handle = find(st->refunds, number);
    ASSERT(handle != TABLE_NONE && !at(st->refunds, handle)->image.withdrawn);
    out->refund = at(st->refunds, handle)->image;
    state_saw(out, at(st->refunds, handle)->seq);
    return OUTCOME_OK;
}

/* In memory, or fetched from the book. */
static enum outcome_code known(const struct state *st, const struct command *c, struct outcome *out)
{
    const struct refund_image *r = refund_find(st, c->refund_done.number);
    if (!r && !c->refund_checked && c->refund_done.number <= st->seq) {
        out->fetch = FETCH_REFUND;
        out->fetch_refund = (struct refund_key){.number = c->refund_done.number};
        return OUTCOME_FETCH;
    }
    return !r || r->withdrawn ? OUTCOME_NO_SUCH_REFUND : OUTCOME_OK;
}

enum outcome_code refund_done(struct state *st, const struct command *c, struct outcome *out)
{
    enum outcome_code code = known(st, c, out);
    if (code != OUTCOME_OK)
        return code;
    if (!refund_find(st, c->refund_done.number)->done_at_ms)
        refund_set_done(st, c->refund_done.number);
    return answer(st, c->refund_done.number, out);
}

enum outcome_code refund_look(struct state *st, const struct command *c, struct outcome *out)
{
    enum outcome_code code = known(st, c, out);
    return code == OUTCOME_OK ? answer(st, c->refund_done.number, out) : code;
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
