/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/claim/reservation.h"
#include "core/codec.h"
#include "core/money/ledger.h"
#include "core/money/refund.h"
#include "core/state.h"
#include "core/state_check_parts.h"

struct payment {
    uint64_t seq; /* of its last change; 0: in the book. First: the slab overwrites it in a free slot */
    struct payment_image image; /* the text is owned; number 0: the slot is free */
    uint32_t refunds;           /* the first of its refunds due, handle + 1 */
    uint32_t handle;
    uint32_t owner;          /* its reservation's handle + 1; 0: not in memory, or none */
    uint32_t next, previous; /* of the same reservation, handle + 1 */
};

struct payments {
    struct slab all;
    struct table by_ref, by_number;
    uint64_t open, discrepancies; /* of all, in memory or not */
    uint32_t *alone;              /* handles of rows without a reservation: a ring */
    uint32_t alone_capacity;
    uint64_t alone_first, alone_end;
};

static struct payment *payment_entry(const struct payments *all, uint32_t handle)
{
    return slab_at(&all->all, handle);
}

static uint64_t ref_hash(struct text ref)
{
    return hash_sip((struct hash_key){0x7061, 0x796d}, ref.at, ref.size);
}

static uint64_t payment_hash_of(void *owner, uint32_t handle)
{
    return ref_hash(payment_entry(owner, handle)->image.ref);
}

static bool payment_same(void *owner, uint32_t handle, const void *key)
{
    return text_equal(payment_entry(owner, handle)->image.ref, *(const struct text *)key);
}

static uint64_t number_hash(uint64_t number)
{
    return number * 0x9e3779b97f4a7c15ULL;
}

static uint64_t hash_of_number(void *owner, uint32_t handle)
{
    return number_hash(payment_entry(owner, handle)->image.number);
}

static bool same_number(void *owner, uint32_t handle, const void *key)
{
    return payment_entry(owner, handle)->image.number == *(const uint64_t *)key;
}

struct payments *payments_make(void)
{
    struct payments *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct payment));
    table_init(&all->by_ref, payment_hash_of, all);
    table_init(&all->by_number, hash_of_number, all);
    return all;
}

void payments_release(struct payments *all)
{
    for (uint32_t i = 0; i < all->all.used; i++)
        if (payment_entry(all, i)->image.number)
            text_free(payment_entry(all, i)->image.ref);
    slab_release(&all->all);
    table_release(&all->by_ref);
    table_release(&all->by_number);
    free(all->alone);
    free(all);
}

/* ---- Reading ---- */

enum payment_status payment_status(const struct payment_image *p)
{
    if (p->failed && !p->paid.given)
        return PAYMENT_ROW_FAILED;
    return p->money_seq ? PAYMENT_ROW_RECEIVED : PAYMENT_ROW_BEGUN;
}

bool payment_source(const struct payment_image *p, enum payment_source *source)
{
    bool provider = p->paid.given || p->failed || !p->app.given;
    *source = provider ? PAYMENT_BY_PROVIDER : p->assumed ? PAYMENT_ASSUMED : PAYMENT_BY_APP;
    return p->money_seq != 0;
}

struct payment *payment_find(const struct state *st, struct text ref)
{
    uint32_t handle = table_find(&st->payments->by_ref, ref_hash(ref), payment_same, &ref);
    return handle == TABLE_NONE ? NULL : payment_entry(st->payments, handle);
}

const struct payment_image *payment_image(const struct payment *p)
{
    return &p->image;
}

uint64_t payment_seq(const struct payment *p)
{
    return p->seq;
}

uint32_t *payment_refunds(struct payment *p)
{
    return &p->refunds;
}

uint32_t payment_first_refund(const struct payment *p)
{
    return p->refunds;
}

struct payment *payments_first(const struct state *st, uint32_t handle)
{
    const struct reservation_extra *x = reservation_at(st, handle)->extra;
    return x && x->first_payment ? payment_entry(st->payments, x->first_payment - 1) : NULL;
}

struct payment *payment_next(const struct state *st, const struct payment *p)
{
    return p->next ? payment_entry(st->payments, p->next - 1) : NULL;
}

uint32_t payment_reservation(const struct payment *p)
{
    return p->owner ? p->owner - 1 : TABLE_NONE;
}

const struct payment_image *payment_at(const struct state *st, uint32_t handle)
{
    return handle < st->payments->all.used ? &payment_entry(st->payments, handle)->image : NULL;
}

uint64_t ledger_open(const struct state *st)
{
    return st->payments->open;
}

uint64_t ledger_discrepancies(const struct state *st)
{
    return st->payments->discrepancies;
}

void ledger_count_open(struct state *st, bool before, bool now)
{
    ASSERT(st->payments->open + now >= before);
    st->payments->open += (uint64_t)now - before;
}

void state_load_ledger(struct state *st, uint64_t open, uint64_t discrepancies)
{
    st->payments->open = open;
    st->payments->discrepancies = discrepancies;
}

/* ---- Keeping ---- */

static void link_row(struct state *st, uint32_t owner, struct payment *p)
{
    struct reservation_extra *x = reservation_extra(reservation_at(st, owner));
    ASSERT(!p->owner && !p->next && !p->previous);
    p->owner = owner + 1;
    p->previous = x->last_payment;
    if (p->previous)
        payment_entry(st->payments, p->previous - 1)->next = p->handle + 1;
    else
        x->first_payment = p->handle + 1;
    x->last_payment = p->handle + 1;
}

static void unlink_row(struct state *st, struct payment *p)
{
    if (!p->owner)
        return;
    struct reservation_extra *x = reservation_at(st, p->owner - 1)->extra;
    if (p->previous)
        payment_entry(st->payments, p->previous - 1)->next = p->next;
    else
        x->first_payment = p->next;
    if (p->next)
        payment_entry(st->payments, p->next - 1)->previous = p->previous;
    else
        x->last_payment = p->previous;
    p->owner = p->next = p->previous = 0;
}

static void add_alone(struct payments *all, uint32_t handle)
{
    all->alone = memory_room_ring(all->alone, all->alone_end - all->alone_first, &all->alone_capacity, 64,
                                  sizeof(*all->alone));
    all->alone[all->alone_end++ & (all->alone_capacity - 1)] = handle;
}

static struct payment *payment_add(struct payments *all, const struct payment_image *image)
{
    uint32_t handle = slab_take(&all->all);
    struct payment *p = payment_entry(all, handle);
    *p = (struct payment){.image = *image, .handle = handle};
    p->image.ref = text_own(image->ref);
    table_insert(&all->by_ref, ref_hash(image->ref), handle);
    table_insert(&all->by_number, number_hash(image->number), handle);
    return p;
}

static void payment_drop(struct state *st, struct payment *p)
{
    struct payments *all = st->payments;
    refunds_drop(st, p);
    unlink_row(st, p);
    table_remove(&all->by_ref, ref_hash(p->image.ref), p->handle);
    table_remove(&all->by_number, number_hash(p->image.number), p->handle);
    text_free(p->image.ref);
    p->image.number = 0;
    slab_give(&all->all, p->handle);
}

static bool amounts_fit(const struct payment_image *p)
{
    const int64_t amounts[] = {p->app.amount, p->paid.amount, p->refunded,       p->refund_failed,
                               p->disputed,   p->reinstated,  p->staff_returned, p->outside};
    for (size_t i = 0; i < sizeof(amounts) / sizeof(*amounts); i++)
        if (amounts[i] < 0)
            return false;
    return p->received >= 0 && p->kept >= 0 && p->returned >= 0 && p->owed >= 0 &&
           p->kept + p->returned + p->owed == (p->received > p->returned ? p->received : p->returned);
}

static bool payment_image_fits(const struct payment_image *p)
{
    return p->number && p->ref.size >= 1 && p->ref.size <= PAYMENT_TEXT_SIZE_MAX && amounts_fit(p) &&
           !p->currency[3] &&
           (p->money_seq || (!p->app.given && !p->paid.given && !p->owed && !p->returned)) &&
           (p->discrepancy != DISCREPANCY_NONE) == (p->discrepancy_seq != 0);
}

bool payment_touched(struct state *st, struct payment *p, uint64_t seq)
{
    p->seq = seq > p->seq ? seq : p->seq;
    if (!p->owner || p->seq <= reservation_at(st, p->owner - 1)->seq)
        return true;
    /* An answer that shows the reservation shows this too. */
    struct reservation *r = reservation_at(st, p->owner - 1);
    r->seq = p->seq;
    if (r->status != RESERVATION_HELD)
        state_forgettable(st, p->owner - 1, 0);
    return true;
}

/* Links the row: to its reservation, or alone. */
static void link_owner(struct state *st, struct payment *p, bool again)
{
    uint32_t owner = p->image.unknown || id_none(p->image.reservation)
                         ? TABLE_NONE
                         : reservation_find(st, p->image.reservation);
    bool alone = owner == TABLE_NONE;
    if (p->owner && (alone || p->owner - 1 != owner || again))
        unlink_row(st, p);
    if (alone) {
        add_alone(st->payments, p->handle);
        return;
    }
    if (!p->owner)
        link_row(st, owner, p);
}

/* Applies a change. False: it does not fit the state. `moved`: the row before can be missing; it had no money, belonged
 * to another reservation and owed nothing, so the image is complete. */
static bool payment_restore(struct state *st, const struct payment_image *image, uint64_t seq, bool moved)
{
    struct payments *all = st->payments;
    struct payment *p = payment_find(st, image->ref);
    if (!payment_image_fits(image) ||
        (p ? p->image.number != image->number : seq && !moved && image->number != seq))
        return false;
    bool bound = p && p->image.money_seq;
    if (bound &&
        (!id_equal(p->image.reservation, image->reservation) || p->image.money_seq != image->money_seq))
        return false;
    bool wrong_before = p && p->image.discrepancy != DISCREPANCY_NONE;
    struct text ref = p ? p->image.ref : (struct text){0};
    if (p) {
        p->image = *image;
        p->image.ref = ref;
    } else {
        p = payment_add(all, image);
    }
    link_owner(st, p, !bound && image->money_seq);
    if (seq) {
        all->discrepancies += (uint64_t)(image->discrepancy != DISCREPANCY_NONE) - wrong_before;
        payment_touched(st, p, seq);
    }
    return true;
}

struct payment *payment_save(struct state *st, const struct payment_image *image)
{
    st->change.kind = CHANGE_PAYMENT;
    st->change.payment = *image;
    state_commit(st);
    return payment_find(st, image->ref);
}

struct payment_image payment_image_new(const struct state *st, struct text ref, struct id reservation)
{
    struct payment_image image = {.number = state_next_seq(st),
                                  .ref = ref,
                                  .reservation = reservation,
                                  .returned_currency = NO_CURRENCY,
                                  .first_at_ms = st->now_ms};
    ASSERT(ref.size >= 1 && ref.size <= PAYMENT_TEXT_SIZE_MAX);
    memcpy(image.app.currency, NO_CURRENCY, sizeof(image.app.currency));
    memcpy(image.paid.currency, NO_CURRENCY, sizeof(image.paid.currency));
    return image;
}

enum outcome_code payment_fetch(struct state *st, const struct command *c, struct payment_key key,
                                enum outcome_code none, struct outcome *out)
{
    bool owned = c->payment_checked && !id_none(c->payment_owner);
    if (c->payment_checked && !owned)
        return none;
    /* If its owner is in memory, the row has moved to another reservation since: read the book again. */
    bool by_owner = owned && reservation_find(st, c->payment_owner) == TABLE_NONE;
    struct record_key lacks = {.kind = by_owner ? FETCH_RESERVATION : FETCH_PAYMENT};
    if (by_owner)
        lacks.id = c->payment_owner;
    else
        lacks.payment = key;
    return outcome_lacks(out, &lacks);
}

enum outcome_code payment_look(struct state *st, const struct command *c, struct outcome *out)
{
    const struct payments *all = st->payments;
    uint64_t number = c->payment_look;
    uint32_t handle = table_find(&all->by_number, number_hash(number), same_number, &number);
    if (handle == TABLE_NONE)
        return number > st->seq ? OUTCOME_NO_SUCH_PAYMENT
                                : payment_fetch(st, c, (struct payment_key){.number = number},
                                                OUTCOME_NO_SUCH_PAYMENT, out);
    out->payment = payment_entry(all, handle)->image;
    state_saw(out, payment_entry(all, handle)->seq);
    return OUTCOME_OK;
}

void payments_drop(struct state *st, uint32_t handle)
{
    for (struct payment *p; (p = payments_first(st, handle));)
        payment_drop(st, p);
}

uint32_t payments_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    struct payments *all = st->payments;
    uint32_t done = 0;
    for (uint64_t waiting = all->alone_end - all->alone_first; done < most && waiting; done++, waiting--) {
        uint32_t handle = all->alone[all->alone_first & (all->alone_capacity - 1)];
        struct payment *p = payment_entry(all, handle);
        if (p->image.number && !p->owner && p->seq > book_seq)
            break;
        all->alone_first++;
        if (p->image.number && !p->owner) /* else it has found its reservation, or is gone */
            payment_drop(st, p);
    }
    return done;
}

bool state_remember_account(struct state *st, const struct account *account)
{
    for (uint32_t i = 0; i < account->payment_count; i++) {
        const struct payment_image *image = &account->payments[i];
        if (payment_find(st, image->ref))
            continue; /* memory is ahead of the book */
        if (!payment_restore(st, image, 0, false))
            return false;
        for (uint32_t k = 0; k < account->refund_count; k++)
            if (text_equal(account->refunds[k].payment_ref, image->ref) &&
                !refund_restore(st, &account->refunds[k], 0))
                return false;
    }
    return true;
}

bool payment_forgotten(struct state *st, const struct change *c)
{
    const struct payment_image *image = &c->payment;
    bool owned = !image->unknown && !id_none(image->reservation);
    if (owned && reservation_find(st, image->reservation) == TABLE_NONE)
        return true;
    return image->number != c->seq && !payment_find(st, image->ref);
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define PAYMENT_FIELDS(X) \
    X(number, number) X(text, ref) X(id, reservation) X(flag, unknown) \
    X(flag, app.given) X(signed, app.amount) X(raw, app.currency, 3) X(flag, assumed) \
    X(flag, paid.given) X(signed, paid.amount) X(raw, paid.currency, 3) X(flag, failed) \
    X(raw, returned_currency, 3) X(signed, refunded) X(signed, refund_failed) \
    X(signed, disputed) X(signed, reinstated) X(u32, disputes, UINT32_MAX) X(u32, disputes_over, UINT32_MAX) \
    X(signed, staff_returned) X(signed, outside) X(number, money_seq) \
    X(signed, first_at_ms) X(signed, last_at_ms) \
    X(raw, currency, 3) X(signed, received) X(signed, kept) X(signed, returned) X(signed, owed) \
    X(word, discrepancy, DISCREPANCY_FIRST, DISCREPANCY_LAST) X(number, discrepancy_seq)
/* clang-format on */

/* clang-format off */
#define SAME(form, ...) SAME_##form(__VA_ARGS__)
#define SAME_number(field) && a->field == b->field
#define SAME_signed(field) && a->field == b->field
#define SAME_flag(field)   && a->field == b->field
#define SAME_u32(field, most)         && a->field == b->field
#define SAME_word(field, least, most) && a->field == b->field
#define SAME_text(field)              && text_equal(a->field, b->field)
#define SAME_id(field)                && id_equal(a->field, b->field)
#define SAME_raw(field, size)         && memcmp(a->field, b->field, size) == 0
/* clang-format on */
bool payment_image_same(const struct payment_image *a, const struct payment_image *b)
{
    return true PAYMENT_FIELDS(SAME);
}

void payment_change_put(struct buf *out, const struct change *c)
{
    const struct payment_image *r = &c->payment;
    ASSERT(payment_image_fits(r));
    PAYMENT_FIELDS(CODEC_PUT)
}

void payment_change_get(struct bytes_reader *in, struct change *c)
{
    struct payment_image *r = &c->payment;
    *r = (struct payment_image){0};
    PAYMENT_FIELDS(CODEC_GET)
    in->bad = in->bad || !payment_image_fits(r);
}

CHANGE_RESTORE(payment, payment_restore(st, &c->payment, c->seq, c->fetched))

/* ---- For state_check ---- */

static void check_row(struct check *c, const struct payment *p)
{
    const struct payments *all = c->st->payments;
    const struct refund_image *open = NULL;
    int64_t owed = 0;
    for (const struct refund *r = refunds_first(c->st, p); r; r = refund_next(c->st, r))
        if (refund_image(r)->status == REFUND_OPEN) {
            check_expect(c, !open, "A payment has two open refunds due.");
            open = refund_image(r);
            owed = open->amount;
        }
    check_expect(c, owed == p->image.owed, "A payment owes %lld, but %lld is due.", (long long)p->image.owed,
                 (long long)owed);
    check_expect(c, payment_find(c->st, p->image.ref) == p, "A payment cannot be found by its reference.");
    check_expect(c, !p->next || payment_entry(all, p->next - 1)->previous == p->handle + 1,
                 "The list of a reservation's payments is broken.");
    uint32_t owner = p->image.unknown || id_none(p->image.reservation)
                         ? TABLE_NONE
                         : reservation_find(c->st, p->image.reservation);
    check_expect(c, owner == payment_reservation(p), "A payment is not linked to its reservation.");
    ledger_check(c, p);
}

void check_payments(struct check *c)
{
    const struct payments *all = c->st->payments;
    for (uint32_t i = 0; i < all->all.used; i++)
        if (payment_entry(all, i)->image.number)
            check_row(c, payment_entry(all, i));
}
