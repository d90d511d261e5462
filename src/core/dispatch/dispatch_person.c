/* SPDX-License-Identifier: Apache-2.0 */
#include "core/dispatch/dispatch_person.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/state.h"

/* The ride that this driver is asked for or has: handle + 1; 0: none. */
static uint32_t driven(const struct fleet *f, struct text user)
{
    uint32_t driver = driver_find_ever(f, user);
    return driver == TABLE_NONE ? 0 : driver_at(f, driver)->ride;
}

static bool asked_for(const struct ride *r, struct text user)
{
    return ride_live(r) && text_equal(r->rider, user);
}

void person_settle_rides(struct state *st, struct text user)
{
    for (uint32_t i = 0; i < st->dispatch.count; i++) {
        struct fleet *f = st->dispatch.by_name[i];
        uint32_t ride = driven(f, user);
        if (ride)
            ride_settle(st, f, ride - 1);
        for (uint32_t k = 0; k < f->rides.used; k++)
            if (asked_for(ride_at(f, k), user))
                ride_settle(st, f, k);
    }
}

bool person_rides(const struct state *st, struct text user, uint64_t *seq)
{
    for (uint32_t i = 0; i < st->dispatch.count; i++) {
        const struct fleet *f = st->dispatch.by_name[i];
        uint32_t ride = driven(f, user);
        for (uint32_t k = 0; !ride && k < f->rides.used; k++)
            if (asked_for(ride_at(f, k), user))
                ride = k + 1;
        if (!ride)
            continue;
        ASSERT(ride_live(ride_at(f, ride - 1)));
        *seq = ride_at(f, ride - 1)->seq;
        return true;
    }
    return false;
}

bool person_drives(const struct state *st, struct text user)
{
    for (uint32_t i = 0; i < st->dispatch.count; i++)
        if (driver_find_ever(st->dispatch.by_name[i], user) != TABLE_NONE)
            return true;
    return false;
}

void person_leave_fleets(struct state *st, struct text user, struct outcome *out)
{
    for (uint32_t i = 0; i < st->dispatch.count; i++) {
        const struct fleet *f = st->dispatch.by_name[i];
        struct command remove = {.kind = COMMAND_DRIVER_REMOVE};
        if (driver_find_ever(f, user) == TABLE_NONE)
            continue;
        ASSERT(!driven(f, user)); /* so that nothing of it stays */
        remove.driver.fleet = f->image.id;
        remove.driver.id = user;
        enum outcome_code code = driver_remove(st, &remove, out);
        ASSERT(code == OUTCOME_OK && driver_find_ever(f, user) == TABLE_NONE);
    }
}

static bool rename_text(struct text *text, struct text from, struct text to)
{
    if (!text->at || !text_equal(*text, from))
        return false;
    text_free(*text);
    *text = text_own(to);
    return true;
}

static bool rename_offers(const struct fleet *f, const struct ride *r, struct text from, struct text to)
{
    bool renamed = false;
    for (uint32_t at = r->first_offer; at; at = offer_at(f, at - 1)->next) {
        struct offer *o = offer_at(f, at - 1);
        if (!text_equal((struct text){o->driver, o->driver_size}, from))
            continue;
        ASSERT(o->end); /* a live one has a driver who is there */
        free(o->driver);
        o->driver = memory_copy(to.at, to.size);
        o->driver_size = (uint8_t)to.size;
        renamed = true;
    }
    return renamed;
}

void person_rename_rides(struct state *st, struct text from, struct text to, uint64_t seq)
{
    ASSERT(to.size >= 1 && to.size <= USER_SIZE_MAX);
    for (uint32_t i = 0; i < st->dispatch.count; i++) {
        const struct fleet *f = st->dispatch.by_name[i];
        for (uint32_t k = 0; k < f->rides.used; k++) {
            struct ride *r = ride_at(f, k);
            if (!r->status)
                continue;
            ASSERT(!asked_for(r, from));
            bool rider = rename_text(&r->rider, from, to), driver = rename_text(&r->driver_id, from, to);
            /* Whoever is shown the new name waits until that is durable. */
            if (rename_offers(f, r, from, to) || rider || driver)
                r->seq = seq;
        }
    }
}
