/* SPDX-License-Identifier: Apache-2.0 */
/* sale.h — what a step sold, and what it gave back: for a log that judges sales itself.
 *
 * A seat goes from one fence to the next: from 0, free, to the fence of the item that sells it, and back to 0 when the claim
 * ends. The fence is that of the item, the seq of the change that granted it: a transfer, or a move of another item of the
 * same reservation, leaves it as it is. So the sales of a seat are a chain, and a second sale of it does not fit.
 *
 * Sales are noted where seats are claimed, sold and freed (catalogue/seat.c), by steps that decide and never by recovery,
 * and only if `wanted` is set.
 */
#ifndef CORE_SALE_H
#define CORE_SALE_H

#include <stdbool.h>
#include <stdint.h>

struct state;

struct sale {
    uint64_t event; /* number */
    uint64_t fence; /* from now on; 0: given back */
    uint64_t prev;  /* before; 0: it was not sold */
    uint32_t seat;  /* position */
};

/* Of the current step, in order. */
struct sales {
    bool wanted; /* set once the state decides for a log that judges sales: state_begin_epoch */
    uint32_t count, capacity;
    struct sale *list;
};

void sale_note(struct state *st, const struct sale *sale);

/* The sold seat after this one, by event and position: sets event, seat and fence. Start with zeros and `more` = false.
 * False: there are no more. */
bool sale_next(const struct state *st, struct sale *at, bool more);

#endif
