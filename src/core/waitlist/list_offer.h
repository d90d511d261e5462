/* SPDX-License-Identifier: Apache-2.0 */
/* list_offer.h — freed stock held for somebody on a waiting list.
 *
 * An offer is an ordinary reservation, made by the server for the entry's user, with the event's hold TTL;
 * its id follows from the event's key and the grant's fence. Two changes: the reservation, and the entry that
 * is offered it.
 *
 * Owns the index from the reservation of a live offer to its entry. Who is next is wish_group.h's business.
 *
 * When an offer ends its entry moves on, but not at once: a reservation ends in the middle of a command,
 * before its own change is emitted. So the end is noted, and the next service of the lists, at the end of the
 * step at the latest, moves the entry and emits. No note outlives its step.
 *
 * Recovery notes nothing and relies on this: the changes of one step are in one batch of the journal, which
 * is there whole or not at all, and the book takes whole batches. So neither ever has the end of an offer
 * without the move of its entry, or the hold without the entry that it is offered to; list_offers_held
 * verifies that when all is restored.
 */
#ifndef CORE_LIST_OFFER_H
#define CORE_LIST_OFFER_H

#include "core/state.h"

struct list_offer {
    struct id reservation;
    uint32_t event;         /* index */
    uint32_t number;        /* of the entry */
    uint32_t before, after; /* the live offers of the same list: handle + 1, 0: none */
};

/* An offer has ended in this step, and its entry has not moved on yet. */
struct list_note {
    uint32_t event;          /* index */
    uint32_t number;         /* of the entry */
    enum list_status status; /* what becomes of it: FINISHED or LEFT */
};

/* NONE: the whole wish does not fit, and the bounds of its stock say so from now on. LATER: that could not
 * be found out in this step. */
enum list_offer_result { OFFER_MADE, OFFER_NONE, OFFER_LATER };
/* Whether the rules of the event, as they are now, let this entry have its wish: no guest where they are refused, and the
 * code, if one is needed, is there and good for all of it. */
bool list_offer_allowed(const struct event *e, uint32_t number);
enum list_offer_result list_offer_make(struct state *st, struct event *e, uint32_t number);

void list_offers_init(struct state *st);
void list_offers_release(struct state *st);
const struct list_offer *list_offer_find(struct state *st, struct id reservation); /* or NULL */
void list_offer_add(struct state *st, struct id reservation, uint32_t event, uint32_t number);
void list_offer_forget(struct state *st, struct id reservation); /* there must be one */

/* Notes that what was offered is bought (FINISHED) or given up (LEFT). Nothing happens if it is no offer. */
void list_offer_note_end(struct state *st, struct id reservation, enum list_status status);
/* Moves on the entries of all offers whose end is noted. Emits. */
void list_offers_move_on(struct state *st);

/* The event is removed: nothing is noted or indexed of it any more. Whoever moved what was offered to another
 * event keeps it. */
void list_offers_drop(struct state *st, const struct event *e);
/* How many the list's own chain of them has; UINT32_MAX: it is broken. */
uint32_t list_offers_of(struct state *st, const struct event *e);
/* Whether the event that made this hold as an offer is removed or cancelled: its owner had added something else, or
 * moved it to another event, and so keeps it. */
bool list_offer_outlived(const struct state *st, const struct reservation *r);
/* Whether each offer is held, and each hold that was made as one is an offer or has outlived that. */
bool list_offers_held(struct state *st);

/* Emits the entry as it is, changed at this instant. */
void list_offer_emit_entry(struct state *st, struct event *e, uint32_t number);

#endif
