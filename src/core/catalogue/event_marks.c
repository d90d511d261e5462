/* SPDX-License-Identifier: Apache-2.0 */
/* event_marks.c — seats are taken off sale, put back, or moved between allotments, without a new layout.
 *
 * Named one by one it is all or nothing, and none may be claimed. All of one allotment are marked whoever has them: those
 * that are claimed show it when they come free. There may be a million of them: a command marks the next few thousand and
 * says where to go on, so that others have their turn in between.
 */
#include "base/assertion.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/step.h"

/* The positions of the seats that the command names, as varints. */
static enum outcome_code named(struct step *step, struct event *e, struct buf *positions, struct outcome *out)
{
    const struct command *c = step->command;
    enum outcome_code code = OUTCOME_OK;
    /* What only puts claimed seats on sale again, once they are free, takes nothing from anybody. */
    bool unclaimed = c->seats_block.allots || c->seats_block.blocked;
    for (uint32_t i = 0; i < c->seats_block.count; i++) {
        uint32_t position = layout_find(e->layout, c->seats_block.ids[i]);
        if (position == LAYOUT_NONE) {
            out->refused_item = i;
            return OUTCOME_NO_SUCH_SEAT;
        }
        bytes_put_varint(positions, position);
        if (unclaimed && event_seat_unclaimed(step, e, position, i, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
    }
    out->seats_changed = c->seats_block.count;
    return code;
}

/* The same of those that are in one allotment, as far as one step goes. */
static enum outcome_code allotted(struct step *step, struct event *e, struct buf *positions,
                                  struct outcome *out)
{
    uint32_t in = allotment_find(e, step->command->seats_block.in), looked = 0;
    ASSERT(!step->command->seats_block.count && (!in || e->allotments->count >= in));
    if (!in)
        return OUTCOME_OK;
    for (uint32_t at = step->command->seats_block.from;
         (at = bitset_next(&e->allotments->in, at, UINT32_MAX)) != BITSET_NONE; at++) {
        if (looked++ == MARKS_STEP_MAX) {
            out->seats_next = at;
            break;
        }
        if (e->allotments->of[at] != in)
            continue;
        settle_seat(step->state, e, at);
        bytes_put_varint(positions, at);
        ++*(bitset_has(&e->claimed, at) ? &out->seats_skipped : &out->seats_changed);
    }
    /* A lapsed hold that could not be settled would count as skipped: the next step goes on. */
    return step->state->settle_short ? OUTCOME_RETRY : OUTCOME_OK;
}

static void block(struct state *st, struct event *e, const struct buf *positions, uint32_t count,
                  bool blocked)
{
    ASSERT(count >= 1 && e->layout); /* they were found in it */
    struct bytes_reader in = bytes_reader_make(positions->data, positions->size);
    st->change.kind = CHANGE_SEATS_BLOCKED;
    st->change.blocked.event = e->image.number;
    st->change.blocked.blocked = blocked;
    st->change.blocked.count = count;
    st->change.blocked.positions = in;
    e->seq = state_emit(st);
    /* Read back rather than looked up again: a name costs a hash, and there may be many. */
    for (uint32_t i = 0; i < count; i++)
        event_set_blocked(st, e, (uint32_t)bytes_get_varint(&in), blocked);
    ASSERT(!in.bad);
}

static void allot(struct state *st, struct event *e, const struct buf *positions, uint32_t count,
                  struct text name)
{
    ASSERT(count >= 1 && e->layout); /* they were found in it */
    struct bytes_reader in = bytes_reader_make(positions->data, positions->size);
    st->change.kind = CHANGE_SEATS_ALLOTTED;
    st->change.allotted.event = e->image.number;
    st->change.allotted.allotment = name;
    st->change.allotted.count = count;
    st->change.allotted.positions = in;
    e->seq = state_emit(st);
    for (uint32_t i = 0; i < count; i++) {
        bool fits = event_set_allotment(st, e, (uint32_t)bytes_get_varint(&in), name);
        ASSERT(fits); /* judged before */
    }
    ASSERT(!in.bad);
}

/* Whether there is room for what the command names. */
static enum outcome_code judge_name(const struct event *e, struct text name, struct outcome *out)
{
    ASSERT(allotment_name_sound(name)); /* the edge refuses others */
    if (!name.at || allotment_find(e, name) || allotments_have_room(e, 1))
        return OUTCOME_OK;
    return state_invalid(out, "Too many allotments: at most 1000 per event.", "/set_allotment");
}

enum outcome_code event_seats_block(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = event_find(st, c->seats_block.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    struct buf positions;
    uint32_t most = c->seats_block.in.at ? MARKS_STEP_MAX : c->seats_block.count;
    buf_init(&positions, (size_t)most * 5 + 16);
    enum outcome_code code = judge_name(e, c->seats_block.allotment, out);
    if (code == OUTCOME_OK)
        code = (c->seats_block.in.at ? allotted : named)(step, e, &positions, out);
    uint32_t count = out->seats_changed + out->seats_skipped;
    state_saw(out, e->seq);
    if (code == OUTCOME_OK && count) {
        /* Taken off sale before it leaves its allotment, and put back after it has come to another: what is
         * moved is never for a moment on sale to everybody. */
        bool blocks = !c->seats_block.keeps_blocked;
        if (blocks && c->seats_block.blocked)
            block(st, e, &positions, count, true);
        if (c->seats_block.allots)
            allot(st, e, &positions, count, c->seats_block.allotment);
        if (blocks && !c->seats_block.blocked)
            block(st, e, &positions, count, false);
        out->seq = st->seq;
    }
    buf_release(&positions);
    return code;
}
