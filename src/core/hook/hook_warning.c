/* SPDX-License-Identifier: Apache-2.0 */
/* hook_warning.c — holds that are about to expire: hooks get one warning per deadline, a minute before it.
 *
 * Holds are watched only while a hook wants it, so that otherwise they cost nothing. */
#include "base/assertion.h"
#include "core/claim/reservation.h"
#include "core/codec.h"
#include "core/state.h"

#define SWEEP_MAX 4096 /* reservations checked in one step */

static void warning_placed(void *owner, uint64_t handle, uint32_t place)
{
    reservation_at(owner, (uint32_t)handle)->warning_place = place;
}

void hooks_init(struct state *st)
{
    hook_queue_init(st);
    heap_init(&st->hooks.warnings, warning_placed, st);
}

static bool wanted(const struct state *st)
{
    return st->hooks.wanted & HOOK_BIT(HOOK_EXPIRING);
}

/* Whether its current deadline still needs a warning. */
static bool needs_warning(const struct reservation *r)
{
    return r->status == RESERVATION_HELD && r->expires_at_ms - r->created_at_ms >= HOOK_WARN_TTL_MS &&
           (!r->extra || r->extra->warned_for_ms != r->expires_at_ms);
}

void hook_deadline_end(struct state *st, uint32_t handle)
{
    const struct reservation *r = reservation_at(st, handle);
    if (r->warning_place != HEAP_NONE)
        heap_remove(&st->hooks.warnings, r->warning_place);
}

void hook_deadline_set(struct state *st, uint32_t handle)
{
    const struct reservation *r = reservation_at(st, handle);
    hook_deadline_end(st, handle);
    ASSERT(r->warning_place == HEAP_NONE);
    if (wanted(st) && needs_warning(r))
        heap_push(&st->hooks.warnings, r->expires_at_ms - HOOK_WARN_MS, handle);
}

/* No hook wants warnings any more. */
static void dismiss(struct state *st)
{
    for (uint32_t done = 0; st->hooks.warnings.count && done < SWEEP_MAX; done++)
        heap_remove(&st->hooks.warnings, st->hooks.warnings.count - 1);
}

/* Finds holds from before the hook existed. */
static void sweep(struct state *st)
{
    uint32_t end = st->reservations.used;
    for (uint32_t done = 0; st->hooks.swept < end && done < SWEEP_MAX; done++) {
        uint32_t handle = st->hooks.swept++;
        if (reservation_at(st, handle)->status == RESERVATION_HELD)
            hook_deadline_set(st, handle);
    }
}

static bool warning_restore(struct state *st, const struct hook_warning_image *image)
{
    uint32_t handle = reservation_find(st, image->reservation);
    /* In the book it can belong to a reservation that has ended since: nothing to restore. */
    if (handle == TABLE_NONE || reservation_at(st, handle)->status != RESERVATION_HELD)
        return st->seq == 0;
    reservation_extra(reservation_at(st, handle))->warned_for_ms = image->expires_at_ms;
    hook_deadline_set(st, handle);
    return true;
}

static void warn(struct state *st, uint32_t handle)
{
    const struct reservation *r = reservation_at(st, handle);
    st->change.kind = CHANGE_HOOK_WARNING;
    st->change.hook_warning = (struct hook_warning_image){r->id, r->expires_at_ms};
    state_commit(st);
    ASSERT(r->warning_place == HEAP_NONE); /* once for each deadline */
}

uint32_t state_warn(struct state *st, int64_t now_ms, uint32_t most, struct buf *changes)
{
    uint32_t done = 0;
    const struct heap_entry *first;
    state_begin(st, now_ms, (struct actor){.role = ROLE_SERVER}, changes);
    if (wanted(st))
        sweep(st);
    else
        dismiss(st);
    while (wanted(st) && done < most && (first = heap_first(&st->hooks.warnings)) && first->at_ms <= now_ms) {
        uint32_t handle = (uint32_t)first->handle;
        ASSERT(needs_warning(reservation_at(st, handle)));
        /* Too late for a warning: expiry will send its own message. */
        if (reservation_lapsed(reservation_at(st, handle), now_ms)) {
            hook_deadline_end(st, handle);
            continue;
        }
        warn(st, handle);
        done++;
    }
    return done;
}

int64_t state_next_warning(const struct state *st)
{
    const struct heap_entry *first = heap_first(&st->hooks.warnings);
    if (wanted(st) ? st->hooks.swept < st->reservations.used : first != NULL)
        return 0; /* there is more to sweep */
    return first ? first->at_ms : INT64_MAX;
}

/* ---- The change: see change_codec.c before touching its bytes ---- */

#define WARNING_FIELDS(X) X(id, reservation) X(signed, expires_at_ms)
CHANGE_CODEC(hook_warning, hook_warning, WARNING_FIELDS)
CHANGE_RESTORE(hook_warning, warning_restore(st, &c->hook_warning))
