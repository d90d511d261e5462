/* SPDX-License-Identifier: Apache-2.0 */
/* event_marks.c — takes seats off sale, puts them back, or moves them between allotments, without a new layout.
 *
 * Seats named one by one are all or nothing, and none may be claimed. If a whole allotment is named, its claimed seats
 * are marked, too: the mark takes effect when they come free. There can be a million of them: a command marks the next
 * few thousand and says where to continue, so that other commands run in between.
 */
#include "base/assertion.h"
#include "core/catalogue/event_seats.h"
#include "core/claim/expiry.h"
#include "core/codec.h"
#include "core/step.h"

/* The positions of the seats that the command names, as varints. */
static enum outcome_code named(struct step *step, struct event *e, struct buf *positions, struct outcome *out)
{
    const struct command *c = step->command;
    enum outcome_code code = OUTCOME_OK;
    /* Putting seats back on sale is fine for claimed ones: it takes effect when they come free. */
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

/* The same for the seats of one allotment, as far as one step goes. */
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
    /* A lapsed hold that was not settled would count as skipped: the next step continues. */
    return step->state->settle_short ? OUTCOME_RETRY : OUTCOME_OK;
}

static void block(struct state *st, const struct event *e, const struct buf *positions, uint32_t count,
                  bool blocked)
{
    ASSERT(count >= 1 && e->layout); /* the seats were found in it */
    st->change.kind = CHANGE_SEATS_BLOCKED;
    st->change.blocked.event = e->image.number;
    st->change.blocked.blocked = blocked;
    st->change.blocked.count = count;
    st->change.blocked.positions = bytes_reader_make(positions->data, positions->size);
    state_commit(st);
}

static void allot(struct state *st, const struct event *e, const struct buf *positions, uint32_t count,
                  struct text name)
{
    ASSERT(count >= 1 && e->layout); /* the seats were found in it */
    st->change.kind = CHANGE_SEATS_ALLOTTED;
    st->change.allotted.event = e->image.number;
    st->change.allotted.allotment = name;
    st->change.allotted.count = count;
    st->change.allotted.positions = bytes_reader_make(positions->data, positions->size);
    state_commit(st);
}

/* Whether there is room for the allotment in the command. */
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
        /* Block before leaving the old allotment, and unblock after joining the new one: the seats are never on sale
         * to everyone in between. */
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

/* ---- The changes ---- */

bool seats_blocked_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->blocked.event);
    struct bytes_reader in = c->blocked.positions;
    if (!e || e->image.removed || !e->layout)
        return false;
    for (uint32_t i = 0; i < c->blocked.count; i++) {
        uint64_t position = bytes_get_varint(&in);
        if (in.bad || position >= e->layout->count || layout_is_gone(e->layout, (uint32_t)position))
            return false;
        event_set_blocked(st, e, (uint32_t)position, c->blocked.blocked);
    }
    e->seq = c->seq;
    return true;
}

bool seats_allotted_change_restore(struct state *st, const struct change *c)
{
    struct event *e = event_find_number(st, c->allotted.event);
    struct bytes_reader in = c->allotted.positions;
    struct text name = c->allotted.allotment;
    if (!e || e->image.removed || !e->layout || !allotment_name_sound(name))
        return false;
    for (uint32_t i = 0; i < c->allotted.count; i++) {
        uint64_t position = bytes_get_varint(&in);
        if (in.bad || position >= e->layout->count || layout_is_gone(e->layout, (uint32_t)position) ||
            !event_set_allotment(st, e, (uint32_t)position, name))
            return false;
    }
    e->seq = c->seq;
    return true;
}
