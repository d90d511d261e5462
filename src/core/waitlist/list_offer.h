/* SPDX-License-Identifier: Apache-2.0 */
/* list_offer.h — freed stock held for an entry of a waiting list.
 *
 * An offer is an ordinary reservation, made by the server for the entry's user, with the event's hold TTL; its id
 * follows from the event's key and the grant's fence. It is two changes: the reservation, and its entry.
 *
 * Owns the index from the reservation of a live offer to its entry. wish_group.h decides which entry is next.
 *
 * When an offer ends its entry moves on, but not at once: a reservation ends in the middle of a command, before its own
 * change is emitted. So the end is noted, and the next service of the lists, no later than the end of the step, moves
 * the entry and emits. No note outlives its step.
 *
 * Recovery notes nothing and relies on this: the changes of one step are in one batch of the journal, which is complete
 * or absent, and the book takes whole batches. So neither ever has the end of an offer without the move of its entry,
 * or the hold without its entry; list_offers_held verifies that after recovery.
 */
#ifndef CORE_LIST_OFFER_H
#define CORE_LIST_OFFER_H

#include "core/state.h"

struct list_offer {
    struct id reservation;
    uint32_t event;         /* index */
    uint32_t number;        /* of the entry */
    uint32_t before, after; /* live offers of the same list: handle + 1, 0: none */
};

/* An offer has ended in this step, and its entry has not moved on yet. */
struct list_note {
    uint32_t event;          /* index */
    uint32_t number;         /* of the entry */
    enum list_status status; /* its new status: FINISHED or LEFT */
};

/* NONE: the whole wish does not fit, and the bounds of its stock now say so. LATER: this step could not find out. */
enum list_offer_result { OFFER_MADE, OFFER_NONE, OFFER_LATER };
/* Whether the event's current rules allow this entry its wish: guests are not refused, and the code, if one is needed,
 * exists and covers all of it. */
bool list_offer_allowed(const struct event *e, uint32_t number);
enum list_offer_result list_offer_make(struct state *st, struct event *e, uint32_t number);

void list_offers_init(struct state *st);
void list_offers_release(struct state *st);
const struct list_offer *list_offer_find(struct state *st, struct id reservation); /* or NULL */
void list_offer_add(struct state *st, struct id reservation, uint32_t event, uint32_t number);
void list_offer_forget(struct state *st, struct id reservation); /* it must exist */

/* Notes that what was offered is bought (FINISHED) or given up (LEFT). Does nothing if the reservation is not an
 * offer. */
void list_offer_note_end(struct state *st, struct id reservation, enum list_status status);
/* Moves on the entries of all offers whose end is noted. Emits. */
void list_offers_move_on(struct state *st);

/* The event is removed: drops its notes and its index. A user who moved what was offered to another event keeps it. */
void list_offers_drop(struct state *st, const struct event *e);
/* How many offers the list's own chain has; UINT32_MAX: it is broken. */
uint32_t list_offers_of(struct state *st, const struct event *e);
/* Whether the event that made this hold as an offer was removed or cancelled: its owner had added something else, or
 * moved it to another event, and so keeps it. */
bool list_offer_outlived(const struct state *st, const struct reservation *r);
/* Whether each offer is held, and each hold made as an offer is one or has outlived that. */
bool list_offers_held(struct state *st);

/* Emits the entry as it is, changed now. */
void list_offer_emit_entry(struct state *st, struct event *e, uint32_t number);

#endif
