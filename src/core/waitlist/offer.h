/* SPDX-License-Identifier: Apache-2.0 */
/* offer.h — freed stock held for somebody on a waiting list.
 *
 * An offer is an ordinary reservation, made by the server for the entry's user, with the event's hold TTL;
 * its id follows from the event's key and the grant's fence. Two changes: the reservation, and the entry that
 * is offered it.
 *
 * Owns the index from the reservation of a live offer to its entry. Who is next is core/list_line.h's
 * business.
 */
#ifndef CORE_OFFER_H
#define CORE_OFFER_H

#include "core/state.h"

struct offer {
    struct id reservation;
    uint32_t event;         /* slot */
    uint32_t number;        /* of the entry */
    uint32_t before, after; /* the live offers of the same list: handle + 1, 0: none */
};

/* NONE: the whole wish does not fit, and the bounds of its ground say so from now on. LATER: that could not
 * be found out in this step. */
enum offer_result { OFFER_MADE, OFFER_NONE, OFFER_LATER };
enum offer_result offer_make(struct state *st, struct event *e, uint32_t number);

void offers_init(struct state *st);
void offers_release(struct state *st);
const struct offer *offer_find(struct state *st, struct id reservation); /* or NULL */
void offer_add(struct state *st, struct id reservation, uint32_t event, uint32_t number);
void offer_forget(struct state *st, struct id reservation); /* there must be one */

/* The list's event is removed: whoever was offered something and moved on to another event with it keeps
 * that. */
void offers_drop(struct state *st, const struct waiting_list *l);
/* How many the list's own chain of them has; UINT32_MAX: it is broken. */
uint32_t offers_of(struct state *st, const struct event *e);
/* Whether the event that made this hold as an offer exists no more: its owner had moved on to another one
 * with it, and so keeps it. */
bool offer_outlived(const struct state *st, const struct reservation *r);
/* Whether each offer is held, and each hold that was made as one is an offer or has outlived that. */
bool offers_held(struct state *st);

/* Emits the entry as it is now. */
void offer_emit_entry(struct state *st, struct event *e, uint32_t number);

#endif
