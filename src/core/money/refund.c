/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/refund.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/codec.h"
#include "core/money/ledger.h"
#include "core/state.h"

struct refund {
    uint64_t seq; /* of its last change; 0: in the book. First: the slab overwrites it in a free slot */
    struct refund_image image; /* the reason is owned, the reference is the payment's */
    uint32_t next;             /* of the same payment, handle + 1 */
};

struct refunds {
    struct slab all;
    struct table by_number;
};

static struct refund *refund_at(const struct refunds *all, uint32_t handle)
{
    return slab_at(&all->all, handle);
}

static uint64_t number_hash(uint64_t number)
{
    return number * 0x9e3779b97f4a7c15ULL;
}

static uint64_t refund_hash_of(void *owner, uint32_t handle)
{
    return number_hash(refund_at(owner, handle)->image.number);
}

static bool refund_same(void *owner, uint32_t handle, const void *key)
{
    return refund_at(owner, handle)->image.number == *(const uint64_t *)key;
}

struct refunds *refunds_make(void)
{
    struct refunds *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct refund));
    table_init(&all->by_number, refund_hash_of, all);
    return all;
}

void refunds_release(struct refunds *all)
{
    for (uint32_t i = 0; i < all->all.used; i++)
        if (refund_at(all, i)->image.number)
            text_free(refund_at(all, i)->image.reason);
    slab_release(&all->all);
    table_release(&all->by_number);
    free(all);
}

/* ---- Reading ---- */

const struct refund_image *refund_image(const struct refund *r)
{
    return &r->image;
}

struct refund *refund_find(const struct state *st, uint64_t number)
{
    uint32_t handle = table_find(&st->refunds->by_number, number_hash(number), refund_same, &number);
    return handle == TABLE_NONE ? NULL : refund_at(st->refunds, handle);
}

struct refund *refunds_first(const struct state *st, const struct payment *p)
{
    uint32_t first = payment_first_refund(p);
    return first ? refund_at(st->refunds, first - 1) : NULL;
}

struct refund *refund_next(const struct state *st, const struct refund *r)
{
    return r->next ? refund_at(st->refunds, r->next - 1) : NULL;
}

struct refund *refund_open(const struct state *st, const struct payment *p)
{
    struct refund *r = refunds_first(st, p);
    while (r && r->image.status != REFUND_OPEN)
        r = refund_next(st, r);
    return r;
}

/* ---- Keeping ---- */

static bool refund_image_fits(const struct refund_image *r)
{
    return r->number && r->payment_ref.size >= 1 && r->payment_ref.size <= PAYMENT_TEXT_SIZE_MAX &&
           r->amount > 0 && r->reason.size <= REFUND_REASON_SIZE_MAX && r->told_seq >= r->number &&
           (r->status == REFUND_DONE) == (r->done_at_ms != 0);
}

static struct refund *refund_add(struct state *st, struct payment *p, const struct refund_image *image)
{
    struct refunds *all = st->refunds;
    uint32_t handle = slab_take(&all->all), *last = payment_refunds(p);
    struct refund *r = refund_at(all, handle);
    *r = (struct refund){.image.number = image->number};
    while (*last)
        last = &refund_at(all, *last - 1)->next;
    *last = handle + 1;
    table_insert(&all->by_number, number_hash(image->number), handle);
    return r;
}

bool refund_restore(struct state *st, const struct refund_image *image, uint64_t seq)
{
    struct payment *p = payment_find(st, image->payment_ref);
    if (!p || !refund_image_fits(image) || (seq && image->told_seq > seq))
        return false;
    struct refund *r = refund_find(st, image->number);
    if (r ? !text_equal(r->image.payment_ref, image->payment_ref) : seq && image->number != seq)
        return false;
    bool open_before = r && r->image.status == REFUND_OPEN;
    if (!r)
        r = refund_add(st, p, image);
    struct text reason = text_own(image->reason); /* before the old one is freed: the image can borrow it */
    text_free(r->image.reason);
    r->image = *image;
    r->image.payment_ref = payment_image(p)->ref;
    r->image.reason = reason;
    if (seq) {
        r->seq = seq;
        ledger_count_open(st, open_before, image->status == REFUND_OPEN);
    }
    return true;
}

void refund_save(struct state *st, const struct refund_image *image)
{
    st->change.kind = CHANGE_REFUND;
    st->change.refund = *image;
    state_commit(st);
}

void refunds_drop(struct state *st, struct payment *p)
{
    struct refunds *all = st->refunds;
    for (uint32_t next = *payment_refunds(p), handle; next;) {
        struct refund *r = refund_at(all, next - 1);
        handle = next - 1;
        next = r->next;
        table_remove(&all->by_number, number_hash(r->image.number), handle);
        text_free(r->image.reason);
        r->image.number = 0;
        slab_give(&all->all, handle);
    }
    *payment_refunds(p) = 0;
}

/* ---- Commands ---- */

enum outcome_code refund_answer(struct state *st, uint64_t number, struct outcome *out)
{
    const struct refund *r = refund_find(st, number);
    const struct payment_image *p = payment_image(payment_find(st, r->image.payment_ref));
    out->refund = r->image;
    payment_source(p, &out->refund.received_by);
    out->refund.disputed = p->discrepancy == DISCREPANCY_DISPUTED;
    state_saw(out, r->seq);
    return OUTCOME_OK;
}

enum outcome_code refund_known(struct state *st, const struct command *c, struct outcome *out)
{
    uint64_t number = c->refund_done.number;
    if (refund_find(st, number))
        return OUTCOME_OK;
    return number > st->seq
               ? OUTCOME_NO_SUCH_REFUND
               : payment_fetch(st, c, (struct payment_key){.refund = number}, OUTCOME_NO_SUCH_REFUND, out);
}

enum outcome_code refund_look(struct state *st, const struct command *c, struct outcome *out)
{
    enum outcome_code code = refund_known(st, c, out);
    return code == OUTCOME_OK ? refund_answer(st, c->refund_done.number, out) : code;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define REFUND_FIELDS(X) \
    X(number, number) X(id, reservation) X(text, payment_ref) X(signed, amount) X(raw, currency, 3) \
    X(text, reason) X(signed, created_at_ms) X(signed, done_at_ms) \
    X(word, status, REFUND_STATUS_FIRST, REFUND_STATUS_LAST) X(number, told_seq) \
    X(signed, returned_before)
/* clang-format on */

void refund_change_put(struct buf *out, const struct change *c)
{
    const struct refund_image *r = &c->refund;
    ASSERT(refund_image_fits(r));
    REFUND_FIELDS(CODEC_PUT)
}

void refund_change_get(struct bytes_reader *in, struct change *c)
{
    struct refund_image *r = &c->refund;
    *r = (struct refund_image){0};
    REFUND_FIELDS(CODEC_GET)
    in->bad = in->bad || !refund_image_fits(r);
}

CHANGE_RESTORE(refund, refund_restore(st, &c->refund, c->seq) &&
                           payment_touched(st, payment_find(st, c->refund.payment_ref), c->seq))
