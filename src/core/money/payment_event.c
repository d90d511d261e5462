/* SPDX-License-Identifier: Apache-2.0 */
#include "core/money/payment_event.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/slab.h"
#include "base/table.h"
#include "core/claim/expiry.h"
#include "core/claim/reservation_command.h"
#include "core/codec.h"
#include "core/money/payment.h"
#include "core/state_check_parts.h"

#define KEPT_MS 60000LL /* in memory at least; a command that has looked in the book waits less than that */

struct payment_event {
    uint64_t seq; /* 0: it is in the book. First: the slab writes over it when it is given back */
    struct payment_event_image image; /* texts are owned; number 0: given back */
    int64_t since_ms;                 /* in memory */
};

struct payment_events {
    struct slab all;
    struct table by_id;
    uint32_t *kept; /* handles in the order in which they came: a ring */
    uint32_t kept_capacity;
    uint64_t kept_first, kept_end;
};

static struct payment_event *at(const struct payment_events *all, uint32_t handle)
{
    return slab_at(&all->all, handle);
}

static uint64_t id_hash(struct text id)
{
    return hash_sip((struct hash_key){0x7061, 0x7965}, id.at, id.size);
}

static uint64_t hash_of(void *owner, uint32_t handle)
{
    return id_hash(at(owner, handle)->image.event_id);
}

static bool same(void *owner, uint32_t handle, const void *key)
{
    return text_equal(at(owner, handle)->image.event_id, *(const struct text *)key);
}

struct payment_events *payment_events_make(void)
{
    struct payment_events *all = memory_zeroed(1, sizeof(*all));
    slab_init(&all->all, sizeof(struct payment_event));
    table_init(&all->by_id, hash_of, all);
    return all;
}

static void texts_free(struct payment_event_image *image)
{
    text_free(image->event_id);
    text_free(image->type);
    text_free(image->payment_ref);
}

void payment_events_release(struct payment_events *all)
{
    for (uint32_t i = 0; i < all->all.used; i++)
        if (at(all, i)->image.number)
            texts_free(&at(all, i)->image);
    slab_release(&all->all);
    table_release(&all->by_id);
    free(all->kept);
    free(all);
}

static uint32_t find(const struct payment_events *all, struct text event_id)
{
    return table_find(&all->by_id, id_hash(event_id), same, &event_id);
}

const struct payment_event_image *payment_event_find(const struct state *st, struct text event_id)
{
    uint32_t handle = find(st->payment_events, event_id);
    return handle == TABLE_NONE ? NULL : &at(st->payment_events, handle)->image;
}

static void add(struct state *st, const struct payment_event_image *image, uint64_t seq)
{
    struct payment_events *all = st->payment_events;
    ASSERT(image->number && find(all, image->event_id) == TABLE_NONE); /* each event once */
    uint32_t handle = slab_take(&all->all);
    struct payment_event *e = at(all, handle);
    *e = (struct payment_event){.seq = seq, .image = *image, .since_ms = st->now_ms};
    e->image.event_id = text_own(image->event_id);
    e->image.type = text_own(image->type);
    e->image.payment_ref = text_own(image->payment_ref);
    table_insert(&all->by_id, id_hash(image->event_id), handle);
    all->kept = memory_room_ring(all->kept, all->kept_end - all->kept_first, &all->kept_capacity, 64,
                                 sizeof(*all->kept));
    all->kept[all->kept_end++ & (all->kept_capacity - 1)] = handle;
}

static bool fits(const struct payment_event_image *image)
{
    return image->number && image->event_id.size <= PAYMENT_EVENT_TEXT_SIZE_MAX && image->type.size >= 1 &&
           image->type.size <= PAYMENT_EVENT_TEXT_SIZE_MAX &&
           image->payment_ref.size <= PAYMENT_TEXT_SIZE_MAX &&
           (!image->event_id.at || image->event_id.size) && image->refund < image->number;
}

static bool restore(struct state *st, const struct payment_event_image *image, uint64_t seq)
{
    if (!fits(image) || (seq && image->number != seq))
        return false;
    if (!image->event_id.at) /* a rejection: it can come again, and nobody looks for it here */
        return true;
    if (find(st->payment_events, image->event_id) != TABLE_NONE)
        return false;
    add(st, image, seq);
    return true;
}

uint32_t payment_events_forget(struct state *st, uint64_t book_seq, uint32_t most)
{
    struct payment_events *all = st->payment_events;
    uint32_t forgotten = 0;
    for (; forgotten < most && all->kept_first < all->kept_end; forgotten++) {
        uint32_t handle = all->kept[all->kept_first & (all->kept_capacity - 1)];
        struct payment_event *e = at(all, handle);
        ASSERT(e->image.number && e->image.event_id.at);
        if (e->seq > book_seq || st->now_ms - e->since_ms < KEPT_MS)
            break;
        all->kept_first++;
        table_remove(&all->by_id, id_hash(e->image.event_id), handle);
        texts_free(&e->image);
        e->image.number = 0;
        slab_give(&all->all, handle);
    }
    return forgotten;
}

void state_remember_payment_event(struct state *st, const struct payment_event_image *image)
{
    if (find(st->payment_events, image->event_id) == TABLE_NONE)
        add(st, image, 0);
}

static void emit(struct state *st, struct payment_event_image *image, struct outcome *out)
{
    ASSERT(image->result >= PAYMENT_RESULT_FIRST && image->result <= PAYMENT_RESULT_LAST);
    image->number = state_next_seq(st);
    image->received_at_ms = st->now_ms;
    if (!image->has_amount) {
        image->amount = 0;
        memcpy(image->currency, NO_CURRENCY, sizeof(image->currency));
    }
    st->change.kind = CHANGE_PAYMENT_EVENT;
    st->change.payment_event = *image;
    uint64_t seq = state_emit(st);
    bool kept = restore(st, image, seq);
    ASSERT(kept && seq == image->number);
    state_saw(out, seq);
}

/* ---- What came with a request that was refused ---- */

static struct text came_with(const struct command *c, const char **type)
{
    *type = c->kind == COMMAND_HOLD ? "hold" : c->kind == COMMAND_PAYMENT ? "payment" : "commit";
    if (c->kind == COMMAND_HOLD && c->hold.commit)
        return c->hold.payment_ref;
    bool pays = c->kind == COMMAND_PAYMENT || c->kind == COMMAND_COMMIT;
    return pays ? c->commit.payment_ref : (struct text){0};
}

enum outcome_code payment_reject(struct step *step, enum outcome_code code, struct outcome *out)
{
    struct state *st = step->state;
    const char *type;
    struct text ref = payment_trusted(st, came_with(step->command, &type));
    ASSERT(code != OUTCOME_OK);
    /* It comes again, and may be granted then. */
    bool again = code == OUTCOME_FETCH || code == OUTCOME_RETRY || st->settle_short || st->count_short;
    if (!ref.at || again)
        return code;
    ASSERT(st->actor.role != ROLE_USER && !out->refund_due); /* one end, and not two */
    struct payment_event_image image = {
        .type = {type, strlen(type)}, .payment_ref = ref, .result = PAYMENT_REJECTED};
    /* A hold's would-be reservation does not exist. */
    image.reservation = step->command->kind == COMMAND_HOLD ? (struct id){0} : step->command->reservation;
    emit(st, &image, out);
    return code;
}

/* ---- The provider's events ---- */

static bool sold_with(const struct reservation *r, struct text ref)
{
    return r->extra && r->extra->payment_ref.at && text_equal(r->extra->payment_ref, ref);
}

/* What a success was for, and what it ends in. OK: *result; or FETCH, RETRY. */
static enum outcome_code succeeded(struct step *step, enum payment_result *result, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    const struct payment_event_image *e = &c->payment_event.image;
    uint32_t handle = reservation_find(st, c->reservation);
    ASSERT(st->actor.role == ROLE_PAYMENT);
    if (handle == TABLE_NONE && !id_none(c->reservation) && !c->reservation_checked) {
        out->fetch = FETCH_RESERVATION;
        out->fetch_id = c->reservation;
        return OUTCOME_FETCH;
    }
    *result = handle == TABLE_NONE ? PAYMENT_UNKNOWN : PAYMENT_IGNORED;
    /* What does not say what was paid, and how much, pays for nothing. */
    if (handle == TABLE_NONE || !e->payment_ref.size || !e->has_amount || e->amount < 0)
        return OUTCOME_OK;
    settle_reservation(st, handle);
    const struct reservation *r = reservation_at(st, handle);
    bool sold = r->status == RESERVATION_CONFIRMED && sold_with(r, e->payment_ref);
    struct payment p = {.ref = e->payment_ref,
                        .ticket_key = c->payment_event.ticket_key,
                        .has_amount = true,
                        .amount = e->amount};
    memcpy(p.currency, e->currency, sizeof(p.currency));
    enum outcome_code code = payment_arrived(step, handle, &p, out);
    if (code == OUTCOME_FETCH || code == OUTCOME_RETRY)
        return code;
    if (out->mismatch)
        *result = out->mismatch == REFUND_AMOUNT ? PAYMENT_AMOUNT : PAYMENT_CURRENCY;
    else if (!sold && r->status == RESERVATION_CONFIRMED && sold_with(r, e->payment_ref))
        *result = PAYMENT_CONFIRMED; /* what was paid over the total is due all the same */
    else
        *result = out->refund_due ? PAYMENT_REFUND_DUE : PAYMENT_REPEATED;
    /* Nobody pays and goes without: there is a sale, a refund due, or there was a sale with this very payment. */
    ASSERT(*result != PAYMENT_CONFIRMED || r->status == RESERVATION_CONFIRMED);
    ASSERT(*result != PAYMENT_REPEATED || r->extra->confirmed_at_ms);
    ASSERT(*result != PAYMENT_REFUND_DUE || refund_find(st, out->refund_due));
    return OUTCOME_OK;
}

/* What was on record of a hold was never paid: if it lapses nothing is to be paid back. A sale stays one, and so does a
 * refund due: the provider may have taken the money in another attempt. */
static enum outcome_code failed(struct step *step, enum payment_result *result, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct text ref = c->payment_event.image.payment_ref;
    uint32_t handle = reservation_find(st, c->reservation);
    ASSERT(st->actor.role == ROLE_PAYMENT);
    *result = PAYMENT_IGNORED;
    if (handle == TABLE_NONE) /* a hold would be in memory */
        return OUTCOME_OK;
    settle_reservation(st, handle);
    struct reservation *r = reservation_at(st, handle);
    if (r->status == RESERVATION_HELD && r->extra && ref.at && text_equal(ref, r->extra->payment_ref)) {
        reservation_clear_payment(r);
        reservation_command_changed(step, handle, ACTION_PAYMENT_FAILED, out);
    }
    return OUTCOME_OK;
}

/* So much has gone back by now, and some of it may have been for refunds that only the book knows of. */
static enum outcome_code refunded(struct step *step, enum payment_result *result, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    const struct payment_event_image *e = &c->payment_event.image;
    *result = PAYMENT_IGNORED;
    if (!e->payment_ref.size || !e->has_amount || !refunds_any_open(st, e->payment_ref))
        return OUTCOME_OK;
    if (!c->refund_checked) {
        out->fetch = FETCH_REFUND;
        out->fetch_refund =
            (struct refund_key){.done_of = true, .number = c->refund_read, .payment_ref = e->payment_ref};
        return OUTCOME_FETCH;
    }
    out->refund_due = refunds_paid_back(st, e->payment_ref, e->amount, e->currency);
    ASSERT(!out->refund_due || refund_find(st, out->refund_due)->done_at_ms);
    *result = out->refund_due ? PAYMENT_REFUND_DUE : PAYMENT_IGNORED;
    return OUTCOME_OK;
}

static enum outcome_code judge(struct step *step, enum payment_result *result, struct outcome *out)
{
    const struct payment_event_image *e = &step->command->payment_event.image;
    *result = PAYMENT_IGNORED;
    if (text_equal(e->type, TEXT("payment_intent.succeeded")))
        return succeeded(step, result, out);
    if (text_equal(e->type, TEXT("payment_intent.payment_failed")))
        return failed(step, result, out);
    return text_equal(e->type, TEXT("charge.refunded")) ? refunded(step, result, out) : OUTCOME_OK;
}

enum outcome_code payment_event_take(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct payment_event_image image = c->payment_event.image;
    uint32_t known = find(st->payment_events, image.event_id);
    ASSERT(image.event_id.size && image.type.size && !image.number);
    if (known != TABLE_NONE) {
        out->payment_event = at(st->payment_events, known)->image;
        state_saw(out, at(st->payment_events, known)->seq);
        return OUTCOME_OK;
    }
    if (!c->payment_event_checked) {
        out->fetch = FETCH_PAYMENT_EVENT;
        out->fetch_event = image.event_id;
        return OUTCOME_FETCH;
    }
    enum outcome_code code = judge(step, &image.result, out);
    if (code != OUTCOME_OK)
        return code;
    image.reservation = c->reservation;
    image.refund = out->refund_due;
    emit(st, &image, out);
    out->payment_event = image;
    out->has_reservation = false; /* the provider is told what became of the payment, and no more */
    return OUTCOME_OK;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

/* clang-format off */
#define PAYMENT_EVENT_FIELDS(X) \
    X(number, number) X(optional, event_id) X(text, type) X(optional, payment_ref) X(id, reservation) \
    X(flag, has_amount) X(signed, amount) X(raw, currency, 3) \
    X(word, result, PAYMENT_RESULT_FIRST, PAYMENT_RESULT_LAST) X(number, refund) X(signed, received_at_ms)
/* clang-format on */

void payment_event_change_put(struct buf *out, const struct change *c)
{
    const struct payment_event_image *r = &c->payment_event;
    ASSERT(fits(r));
    PAYMENT_EVENT_FIELDS(CODEC_PUT)
}

void payment_event_change_get(struct bytes_reader *in, struct change *c)
{
    struct payment_event_image *r = &c->payment_event;
    *r = (struct payment_event_image){0};
    PAYMENT_EVENT_FIELDS(CODEC_GET)
    in->bad = in->bad || !fits(r);
}

CHANGE_RESTORE(payment_event, restore(st, &c->payment_event, c->seq))

/* ---- For state_check ---- */

void check_payment_events(struct check *c)
{
    const struct payment_events *all = c->st->payment_events;
    uint64_t count = 0;
    for (uint32_t i = 0; i < all->all.used; i++) {
        const struct payment_event *e = at(all, i);
        count += e->image.number != 0;
        check_expect(c, !e->image.number || find(all, e->image.event_id) == i,
                     "A payment event cannot be found by its id.");
    }
    check_expect(c, count == all->kept_end - all->kept_first, "Payment events are not all queued.");
}
