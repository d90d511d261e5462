/* SPDX-License-Identifier: Apache-2.0 */
#include "place.h"

#include <string.h>

#include "base/assertion.h"

uint64_t place_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

void place_init(struct place *p, uint32_t capacity, struct holder *holders, uint32_t holder_count)
{
    *p = (struct place){.capacity = capacity, .holders = holders, .holder_count = holder_count};
    memset(holders, 0, holder_count * sizeof holders[0]);
}

static void print_toggle(struct place *p, uint32_t index)
{
    const struct holder *h = &p->holders[index];
    if (h->has == HAS_NOTHING)
        return;
    uint64_t x = place_mix(place_mix(((uint64_t)index << 32 | h->units) + (uint64_t)h->has) ^
                           (uint64_t)h->deadline_us);
    p->print_a ^= x;
    p->print_b ^= place_mix(x);
}

static void holder_set(struct place *p, uint32_t index, struct holder now)
{
    struct holder *h = &p->holders[index];
    print_toggle(p, index);
    p->taken -= holder_has_units(h) ? h->units : 0;
    *h = now;
    p->taken += holder_has_units(h) ? h->units : 0;
    print_toggle(p, index);
    ASSERT(p->taken <= p->capacity);
}

static enum effect grant(struct place *p, const struct task *t)
{
    struct holder now = p->holders[t->holder];
    uint32_t units = t->units ? t->units : 1;
    enum has has = t->kind == TASK_BUY ? HAS_SOLD : HAS_HELD;
    if (units > p->capacity - p->taken || (t->fence && t->fence <= p->fence))
        return EFFECT_ILLEGAL;
    if (!holder_has_units(&now))
        now.units = 0;
    else if (now.has != has)
        return EFFECT_ILLEGAL;
    now.units += units;
    now.has = has;
    now.deadline_us = t->deadline_us;
    now.ghost = t->ghost;
    holder_set(p, t->holder, now);
    p->fence = t->fence ? t->fence : p->fence;
    return EFFECT_CHANGED;
}

/* `after`: what the holder has when all is given back; has it already, the call was answered before. */
static enum effect give_back(struct place *p, const struct task *t, bool held, bool sold, enum has after)
{
    struct holder now = p->holders[t->holder];
    if (after != HAS_NOTHING && now.has == after)
        return EFFECT_NONE;
    if (!(now.has == HAS_HELD && held) && !(now.has == HAS_SOLD && sold))
        return EFFECT_ILLEGAL;
    if (t->units > now.units)
        return EFFECT_ILLEGAL;
    now.units -= t->units ? t->units : now.units;
    if (now.units == 0)
        now = (struct holder){.has = after};
    holder_set(p, t->holder, now);
    return EFFECT_CHANGED;
}

static enum effect commit(struct place *p, const struct task *t)
{
    struct holder now = p->holders[t->holder];
    if (now.has == HAS_SOLD)
        return EFFECT_NONE; /* committed before: the same answer */
    if (now.has != HAS_HELD)
        return EFFECT_ILLEGAL;
    now.has = HAS_SOLD;
    now.deadline_us = 0;
    holder_set(p, t->holder, now);
    return EFFECT_CHANGED;
}

static enum effect extend(struct place *p, const struct task *t)
{
    struct holder now = p->holders[t->holder];
    if (now.has != HAS_HELD)
        return EFFECT_ILLEGAL;
    if (now.deadline_us == t->deadline_us)
        return EFFECT_NONE;
    now.deadline_us = t->deadline_us;
    holder_set(p, t->holder, now);
    return EFFECT_CHANGED;
}

static enum effect transfer(struct place *p, const struct task *t)
{
    if (p->holders[t->holder].has != HAS_SOLD || (t->fence && t->fence <= p->fence))
        return EFFECT_ILLEGAL;
    p->fence = t->fence ? t->fence : p->fence;
    return EFFECT_CHANGED;
}

static enum effect expire(struct place *p, const struct task *t)
{
    const struct holder *h = &p->holders[t->holder];
    if (h->has != HAS_HELD || h->deadline_us != t->deadline_us)
        return EFFECT_NONE;
    struct holder lapsed = *h;
    lapsed.has = HAS_LAPSED;
    holder_set(p, t->holder, lapsed);
    return EFFECT_CHANGED;
}

/* A read with a seq shows a state of the log by the clock of its own time, which may be later: holds may, and then must,
 * have expired that are not yet expired in that state. */
static bool may_have_lapsed(const struct holder *h, const struct task *t)
{
    return h->has == HAS_HELD && h->deadline_us && h->deadline_us <= t->shown_us;
}

static bool must_have_lapsed(const struct holder *h, const struct task *t)
{
    return h->has == HAS_HELD && h->deadline_us && h->deadline_us < t->asked_us;
}

/* A hold that expired so late that it may not have been swept, and whose units nobody else has. */
static bool may_still_show(const struct place *p, const struct holder *h, const struct task *t)
{
    return h->has == HAS_LAPSED && h->deadline_us >= t->asked_us && h->units <= p->capacity - p->taken;
}

static bool shows_units(const struct place *p, const struct task *t)
{
    uint32_t least = p->capacity - p->taken, most = least, unswept = 0;
    for (uint32_t i = 0; i < p->holder_count; i++) {
        unswept += may_still_show(p, &p->holders[i], t) ? p->holders[i].units : 0;
        least += must_have_lapsed(&p->holders[i], t) ? p->holders[i].units : 0;
        most += may_have_lapsed(&p->holders[i], t) ? p->holders[i].units : 0;
    }
    return t->units + unswept >= least && t->units <= most;
}

static bool shows_holder(const struct place *p, const struct task *t, enum has has)
{
    for (uint32_t i = 0; i < p->holder_count; i++) {
        const struct holder *h = &p->holders[i];
        if (t->holder != HOLDER_ANY && t->holder != HOLDER_UNKNOWN && t->holder != i)
            continue;
        bool shown =
            (h->has == has && !must_have_lapsed(h, t)) || (has == HAS_HELD && may_still_show(p, h, t));
        if (shown && (t->holder != HOLDER_UNKNOWN || h->ghost))
            return true;
    }
    return false;
}

static bool shows_free(const struct place *p, const struct task *t)
{
    for (uint32_t i = 0; i < p->holder_count; i++)
        if (holder_has_units(&p->holders[i]) && !may_have_lapsed(&p->holders[i], t))
            return false;
    return true;
}

static bool shows_gone(const struct place *p, const struct task *t)
{
    if (t->holder == HOLDER_UNKNOWN)
        return true;
    const struct holder *h = &p->holders[t->holder];
    return !holder_has_units(h) || may_have_lapsed(h, t);
}

static bool looks_right(const struct place *p, const struct task *t)
{
    switch (t->kind) {
    case TASK_IS_TAKEN:
        return (t->units ? t->units : 1) > p->capacity - p->taken;
    case TASK_IS_GONE:
        return !holder_has_units(&p->holders[t->holder]);
    case TASK_IS_SOLD:
        return p->holders[t->holder].has == HAS_SOLD;
    case TASK_SHOWS_FREE:
        return shows_free(p, t);
    case TASK_SHOWS_HELD:
        return shows_holder(p, t, HAS_HELD);
    case TASK_SHOWS_SOLD:
        return shows_holder(p, t, HAS_SOLD);
    case TASK_SHOWS_GONE:
        return shows_gone(p, t);
    case TASK_SHOWS_UNITS:
        return shows_units(p, t);
    default:
        ASSERT(!"a task that only looks");
        return false;
    }
}

static enum effect change(struct place *p, const struct task *t)
{
    switch (t->kind) {
    case TASK_HOLD:
    case TASK_BUY:
        return grant(p, t);
    case TASK_COMMIT:
        return commit(p, t);
    case TASK_RELEASE:
        return give_back(p, t, true, false, HAS_RELEASED);
    case TASK_REFUND:
        return give_back(p, t, false, true, HAS_REFUNDED);
    case TASK_GIVE:
        return give_back(p, t, true, true, HAS_NOTHING);
    case TASK_EXTEND:
        return extend(p, t);
    case TASK_TRANSFER:
        return transfer(p, t);
    default:
        ASSERT(t->kind == TASK_EXPIRE);
        return expire(p, t);
    }
}

enum effect place_apply(struct place *p, const struct task *t, struct undo *undo)
{
    if (t->kind >= TASK_IS_TAKEN)
        return looks_right(p, t) ? EFFECT_NONE : EFFECT_ILLEGAL;
    ASSERT(t->holder < p->holder_count);
    *undo = (struct undo){p->holders[t->holder], p->fence};
    return change(p, t);
}

void place_undo(struct place *p, const struct task *t, const struct undo *undo)
{
    holder_set(p, t->holder, undo->holder);
    p->fence = undo->fence;
}
