/* SPDX-License-Identifier: Apache-2.0 */
/* list_offer.h — freed stock held for somebody on a waiting list.
 *
 * An offer is an ordinary reservation, made by the server for the entry's user, with the event's hold TTL;
 * its id follows from the event's key and the grant's fence. Two changes: the reservation, and the entry that
 * is offered it.
 *
 * Owns the index from the reservation of a live offer to its entry. Who is next is core/waitlist/wish_group.h's
 * business.
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

/* NONE: the whole wish does not fit, and the bounds of its stock say so from now on. LATER: that could not
 * be found out in this step. */
enum list_offer_result { OFFER_MADE, OFFER_NONE, OFFER_LATER };
enum list_offer_result list_offer_make(struct state *st, struct event *e, uint32_t number);

void list_offers_init(struct state *st);
void list_offers_release(struct state *st);
const struct list_offer *list_offer_find(struct state *st, struct id reservation); /* or NULL */
void list_offer_add(struct state *st, struct id reservation, uint32_t event, uint32_t number);
void list_offer_forget(struct state *st, struct id reservation); /* there must be one */

/* The list's event is removed: whoever was offered something and moved on to another event with it keeps
 * that. */
void list_offers_drop(struct state *st, const struct waiting_list *l);
/* How many the list's own chain of them has; UINT32_MAX: it is broken. */
uint32_t list_offers_of(struct state *st, const struct event *e);
/* Whether the event that made this hold as an offer exists no more: its owner had moved on to another one
 * with it, and so keeps it. */
bool list_offer_outlived(const struct state *st, const struct reservation *r);
/* Whether each offer is held, and each hold that was made as one is an offer or has outlived that. */
bool list_offers_held(struct state *st);

/* Emits the entry as it is now. */
void list_offer_emit_entry(struct state *st, struct event *e, uint32_t number);

#endif
