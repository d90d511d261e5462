/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/allotment.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/catalogue/event.h"
#include "core/state_check_parts.h"
#include "core/step.h"

bool allotment_is_house(struct text name)
{
    return name.at && text_equal(name, TEXT("blocked"));
}

bool allotment_name_sound(struct text name)
{
    return !name.at || (name.size >= 1 && name.size <= ID_SIZE_MAX && !allotment_is_house(name));
}

/* ---- Which seat is in which ---- */

struct text allotment_of(const struct event *e, uint32_t position)
{
    const struct allotments *a = e->allotments;
    if (!a || !bitset_has(&a->in, position))
        return (struct text){0};
    ASSERT(a->of[position] >= 1 && a->of[position] <= a->count);
    return a->all[a->of[position] - 1].name;
}

uint32_t allotment_find(const struct event *e, struct text name)
{
    const struct allotments *a = e->allotments;
    ASSERT(name.at && (!a || a->count <= ALLOTMENTS_MAX));
    for (uint32_t i = 0; a && i < a->count; i++)
        if (a->all[i].seats && text_equal(a->all[i].name, name))
            return i + 1;
    return 0;
}

uint32_t allotments_open(const struct event *e)
{
    ASSERT(!e->allotments || e->allotments->open <= e->counts.blocked); /* they are shown as blocked */
    return e->allotments ? e->allotments->open : 0;
}

bool allotments_have_room(const struct event *e, uint32_t fresh)
{
    uint32_t used = 0;
    for (uint32_t i = 0; e->allotments && i < e->allotments->count; i++)
        used += e->allotments->all[i].seats > 0;
    return used + fresh <= ALLOTMENTS_MAX;
}

void allotments_grow(struct event *e)
{
    struct allotments *a = e->allotments;
    if (!a || !e->layout || a->positions >= e->layout->count)
        return;
    bitset_grow(&a->in, e->layout->count);
    a->of = memory_grow(a->of, e->layout->count, sizeof(*a->of));
    memset(a->of + a->positions, 0, (e->layout->count - a->positions) * sizeof(*a->of));
    a->positions = e->layout->count;
}

static struct allotments *ensure(struct event *e)
{
    if (!e->allotments) {
        e->allotments = memory_zeroed(1, sizeof(*e->allotments));
        allotments_grow(e);
        if (e->row_taken)
            e->allotments->row_open = memory_zeroed(e->layout->row_count, sizeof(uint32_t));
    }
    return e->allotments;
}

/* Index + 1 of the allotment with this name, added if needed; 0: too many. */
static uint32_t find_or_add(struct event *e, struct text name)
{
    struct allotments *a = ensure(e);
    uint32_t found = allotment_find(e, name), at = 0;
    if (found)
        return found;
    while (at < a->count && a->all[at].seats)
        at++;
    if (at == ALLOTMENTS_MAX)
        return 0;
    if (at == a->count) {
        a->all = memory_room(a->all, a->count, &a->capacity, 4, sizeof(*a->all));
        a->all[a->count++] = (struct allotment){0};
    }
    struct text own = text_own(name);
    text_free(a->all[at].name);
    a->all[at].name = own;
    return at + 1;
}

bool allotment_put(struct event *e, uint32_t position, struct text name)
{
    uint16_t unknown = 0;
    return allotment_put_known(e, position, name, &unknown);
}

bool allotment_put_known(struct event *e, uint32_t position, struct text name, uint16_t *known)
{
    ASSERT(position < e->layout->count && !layout_is_gone(e->layout, position));
    ASSERT(allotment_name_sound(name));
    if (!name.at && !e->allotments)
        return true;
    struct allotments *a = ensure(e);
    uint32_t was = a->of[position], is = 0;
    if (name.at)
        is = *known ? *known : find_or_add(e, name);
    if (name.at && !is)
        return false;
    ASSERT(!*known || text_equal(a->all[is - 1].name, name));
    *known = (uint16_t)is;
    ASSERT(!was || a->all[was - 1].seats > 0);
    if (is)
        a->all[is - 1].seats++;
    if (was)
        a->all[was - 1].seats--;
    a->of[position] = (uint16_t)is;
    bitset_put(&a->in, position, is != 0);
    return true;
}

void allotments_copy(struct event *e, const struct event *from)
{
    const struct allotments *source = from->allotments;
    uint16_t known[ALLOTMENTS_MAX] = {0};
    ASSERT(!e->allotments && e->layout == from->layout);
    for (uint32_t at = 0; source && (at = bitset_next(&source->in, at, UINT32_MAX)) != BITSET_NONE; at++) {
        bool fits = allotment_put_known(e, at, allotment_of(from, at), &known[source->of[at] - 1]);
        ASSERT(fits); /* they fit in the other event */
    }
}

void allotments_release(struct allotments *a)
{
    if (!a)
        return;
    for (uint32_t i = 0; i < a->count; i++)
        text_free(a->all[i].name);
    free(a->all);
    bitset_release(&a->in);
    free(a->of);
    free(a->row_open);
    free(a);
}

/* ---- Judging ---- */

static bool is_staff(const struct state *st)
{
    return st->actor.role == ROLE_APP || st->actor.role == ROLE_ADMIN;
}

enum outcome_code allotment_judge_named(struct step *step, struct target *t, struct outcome *out)
{
    struct text name = t->request->allotment;
    if (!name.at)
        return OUTCOME_OK;
    bool house = allotment_is_house(name);
    if (house ? step->state->actor.role == ROLE_ADMIN : is_staff(step->state))
        return OUTCOME_OK;
    out->detail = house ? "Claiming blocked seats (allotment \"blocked\") needs the admin key."
                        : "Naming an allotment needs an app key or the admin key.";
    return OUTCOME_FORBIDDEN;
}

void allotment_resolve(const struct step *step, struct target *t)
{
    const struct code_image *code = t->code ? code_view(t->code) : NULL;
    struct text name = t->request->allotment;
    ASSERT(!name.at || is_staff(step->state)); /* PHASE_NAMED */
    if (t->from && t->from->extra && is_staff(step->state))
        name = t->from->extra->allotment;
    t->house = allotment_is_house(name) && step->state->actor.role == ROLE_ADMIN;
    if (allotment_is_house(name))
        name = (struct text){0};
    /* An item claimed with a code can still move within the code's allotment, even if the code was removed. Naming
     * "blocked" means blocked seats only. */
    t->allotment = !name.at && !t->house && code ? code->allotment : name;
}

bool allotment_allows(const struct target *t, bool blocked, struct text allotment)
{
    ASSERT(!t->house || !t->allotment.at); /* never both */
    if (blocked)
        return t->house;
    return !allotment.at || (t->allotment.at && text_equal(t->allotment, allotment));
}

struct text allotment_of_item(const struct event *e, uint32_t position)
{
    ASSERT(e->layout && position < e->layout->count);
    return seat_blocked(e, position) ? TEXT("blocked") : allotment_of(e, position);
}

/* ---- For state_check ---- */

void check_allotments(struct check *c, struct event *e)
{
    const struct allotments *a = e->allotments;
    uint32_t *seats = memory_zeroed(ALLOTMENTS_MAX, sizeof(*seats)), open = 0;
    check_expect(c, !e->image.removed || !a, "is removed but has allotments.");
    for (uint32_t i = 0; a && i < a->positions; i++) {
        bool in = bitset_has(&a->in, i);
        check_expect(c, in == (a->of[i] != 0) && a->of[i] <= a->count,
                     "has a seat that is marked allotted and is not, or the reverse.");
        check_expect(c, !in || !layout_is_gone(e->layout, i), "has a removed seat in an allotment.");
        if (in && a->of[i] >= 1 && a->of[i] <= a->count)
            seats[a->of[i] - 1]++;
        open += in && seat_at(e, i)->claim == CLAIM_NONE && !seat_blocked(e, i);
    }
    for (uint32_t i = 0; a && i < a->count; i++)
        check_expect(c, a->all[i].seats == seats[i], "counts %u seats in allotment %.*s, not %u.",
                     a->all[i].seats, TEXT_ARGS(a->all[i].name), seats[i]);
    free(seats);
    check_expect(c, !a || a->open == open, "counts %u open seats in allotments, not %u.", a ? a->open : 0,
                 open);
}
