/* SPDX-License-Identifier: Apache-2.0 */
/* hook_message.c — which change makes which message. Core and book use the same table, so they never differ.
 *
 * To announce something new: a word in HOOK_EVENTS (types.h) and a row here. */
#include "base/assertion.h"
#include "core/change.h"
#include "core/codec.h"
#include "core/state.h"

/* Changes of reservations, by action. `by`: only if this role did it; ROLE_NONE: any role. */
static const struct {
    enum action action;
    enum role by;
    enum hook_event event;
} of_actions[] = {
    {ACTION_HELD, ROLE_NONE, HOOK_HELD},
    {ACTION_HELD, ROLE_SERVER, HOOK_LIST_OFFERED}, /* the server itself holds only for waiting lists */
    {ACTION_CONFIRMED, ROLE_NONE, HOOK_CONFIRMED},
    {ACTION_RELEASED, ROLE_NONE, HOOK_RELEASED},
    {ACTION_TRANSFERRED, ROLE_NONE, HOOK_TRANSFERRED},
    {ACTION_REFUNDED, ROLE_NONE, HOOK_REFUNDED},
    {ACTION_ITEM_REFUNDED, ROLE_NONE, HOOK_REFUNDED},
    {ACTION_CANCELLED, ROLE_NONE, HOOK_CANCELLED},
};

/* A message without a reservation has a line of its own. */
static struct id line_of(struct id reservation, uint64_t number)
{
    return id_none(reservation) ? (struct id){0, number} : reservation;
}

/* A payment with an unknown reservation is reported as a discrepancy. */
static void refund_message(const struct change *c, hook_message_fn each, void *ctx)
{
    const struct refund_image *r = &c->refund;
    const char *unknown = refund_cause_name(REFUND_UNKNOWN);
    if (text_equal(r->reason, (struct text){unknown, strlen(unknown)}))
        return;
    if (r->status == REFUND_OPEN && r->told_seq == c->seq)
        each(ctx, HOOK_REFUND_DUE, 0, line_of(r->reservation, r->number), r->number);
    else if (r->status == REFUND_WITHDRAWN)
        each(ctx, HOOK_REFUND_WITHDRAWN, 0, line_of(r->reservation, r->number), r->number);
}

void hook_messages_of(const struct change *c, hook_message_fn each, void *ctx)
{
    if (c->kind == CHANGE_RESERVATION) {
        for (uint32_t i = 0; i < sizeof(of_actions) / sizeof(of_actions[0]); i++)
            if (of_actions[i].action == c->reservation.action &&
                (of_actions[i].by == ROLE_NONE || of_actions[i].by == c->actor.role))
                each(ctx, of_actions[i].event, i, c->reservation.image.id, 0);
    } else if (c->kind == CHANGE_EXPIRED) {
        struct bytes_reader ids = c->expired.ids;
        for (uint32_t i = 0; i < c->expired.count; i++)
            each(ctx, HOOK_EXPIRED, i, expired_id_get(&ids), 0);
    } else if (c->kind == CHANGE_REFUND) {
        refund_message(c, each, ctx);
    } else if (c->kind == CHANGE_PAYMENT && c->payment.discrepancy_seq == c->seq) {
        each(ctx, HOOK_PAYMENT_DISCREPANCY, 0, line_of(c->payment.reservation, c->payment.number),
             c->payment.number);
    } else if (c->kind == CHANGE_HOOK_WARNING) {
        each(ctx, HOOK_EXPIRING, 0, c->hook_warning.reservation, 0);
    } else if (c->kind == CHANGE_RIDE && c->ride.status == RIDE_ASSIGNED) { /* only when it is accepted */
        each(ctx, HOOK_RIDE_ASSIGNED, 0, c->ride.id, 0);
    }
}

struct noting {
    struct state *state;
    const struct change *change;
};

static void note(void *ctx, enum hook_event event, uint32_t ordinal, struct id reservation, uint64_t subject)
{
    const struct noting *n = ctx;
    struct hooks *hooks = &n->state->hooks;
    struct hook_message message = {.seq = n->change->seq,
                                   .ordinal = ordinal,
                                   .event = event,
                                   .reservation = reservation,
                                   .subject = subject,
                                   .at_ms = n->change->at_ms,
                                   .since_ms = n->change->at_ms};
    ASSERT(event >= HOOK_EVENT_FIRST && event <= HOOK_EVENT_LAST && !id_none(reservation));
    for (uint32_t i = 0; i < hooks->count; i++)
        if (hooks->all[i]->image.events & HOOK_BIT(event))
            hook_waiting_add(n->state, hooks->all[i], &message);
}

void hooks_note(struct state *st, const struct change *c)
{
    struct noting n = {st, c};
    ASSERT(c->seq == st->seq);
    hook_messages_of(c, note, &n);
}

/* ---- Ends: see change_codec.c before touching these bytes ---- */

void hook_move_put(struct buf *out, const struct hook_move *move)
{
    const struct hook_message *m = &move->message;
    ASSERT(move->to >= HOOK_DELIVERED && move->to <= HOOK_WAITING && m->seq);
    bytes_put_u8(out, (uint8_t)move->to);
    bytes_put_varint(out, m->seq);
    bytes_put_varint(out, m->ordinal);
    if (move->to != HOOK_WAITING)
        return;
    bytes_put_u8(out, (uint8_t)m->event);
    codec_put_id(out, m->reservation);
    bytes_put_varint(out, m->subject);
    bytes_put_signed(out, m->at_ms);
    bytes_put_signed(out, m->since_ms);
}

bool hook_move_get(struct bytes_reader *in, struct hook_move *move)
{
    struct hook_message *m = &move->message;
    *move = (struct hook_move){.to = (enum hook_fate)bytes_get_u8(in)};
    m->seq = bytes_get_varint(in);
    m->ordinal = codec_get_u32(in, UINT32_MAX);
    if (move->to != HOOK_WAITING)
        return !in->bad && m->seq && (move->to == HOOK_DELIVERED || move->to == HOOK_DEAD);
    m->event = (enum hook_event)bytes_get_u8(in);
    m->reservation = codec_get_id(in);
    m->subject = bytes_get_varint(in);
    m->at_ms = bytes_get_signed(in);
    m->since_ms = bytes_get_signed(in);
    return !in->bad && m->seq && m->event >= HOOK_EVENT_FIRST && m->event <= HOOK_EVENT_LAST &&
           !id_none(m->reservation);
}

#define MOVED_FIELDS(X) X(number, hook) X(list, moves, HOOK_MOVES_MAX, 0)
CHANGE_CODEC(hook_moved, hook_moved, MOVED_FIELDS)

static bool moved(struct state *st, struct hook *h, const struct hook_move *move)
{
    const struct hook_message *m = &move->message;
    uint32_t handle = hook_waiting_find(st, h->image.number, m->seq, m->ordinal);
    if ((handle == TABLE_NONE) != (move->to == HOOK_WAITING))
        return false;
    if (move->to == HOOK_WAITING)
        hook_waiting_add(st, h, m);
    else
        hook_waiting_remove(st, h, handle);
    return true;
}

bool hook_moved_change_restore(struct state *st, const struct change *c)
{
    struct hook *h = hook_find_number(st, c->hook_moved.hook);
    struct bytes_reader in = c->hook_moved.moves;
    bool fits = h != NULL;
    ASSERT(c->hook_moved.count <= HOOK_MOVES_MAX); /* checked by the decoder */
    for (uint32_t i = 0; i < c->hook_moved.count && fits; i++) {
        struct hook_move move;
        fits = hook_move_get(&in, &move) && moved(st, h, &move);
    }
    return fits;
}
