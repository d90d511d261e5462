/* SPDX-License-Identifier: Apache-2.0 */
/* event_price.h — what an item costs: the price of its category today.
 *
 * A tier with prices has those and no others; one without costs the seat's own price, in the first category only. A
 * pool goes by its own prices in the same way. Where an event has no categories, everything costs its own price, and
 * items have none. New prices touch new claims only.
 */
#ifndef CORE_EVENT_PRICE_H
#define CORE_EVENT_PRICE_H

#include "core/catalogue/event.h"
#include "core/outcome.h"

/* The category of an item for which `asked` was asked (at == NULL: none was): that, or the first one; at == NULL
 * where the event has none. False: the event does not name it. */
bool event_category(const struct event *e, struct text asked, struct text *category);
const char *event_category_fault(const struct event *e); /* why not: a sentence */

/* Whether a seat of this tier, that seat, or a unit of that pool has a price in the category, and which. */
bool event_tier_priced(const struct event *e, struct text tier, struct text category);
bool event_seat_price(const struct event *e, uint32_t position, struct text category, int64_t *price);
bool event_pool_price(const struct event *e, uint32_t position, struct text category, int64_t *price);
/* How many units can be offered to those on the waiting list, who get the first category. */
uint32_t event_pool_offerable(const struct event *e, uint32_t position);
/* The tiers that are not like most others in this category: into `tiers`, how many. *others: whether seats of tiers
 * that are not among these, or of none, have a price. Those that are listed are the other way round. */
uint32_t event_tiers_unlike(const struct event *e, struct text category, struct text tiers[PRICED_TIERS_MAX],
                            bool *others);

/* OK, or 400: prices name a category that the event does not. `under` is the field's pointer. */
enum outcome_code event_prices_judge(const struct price_list *prices, const struct price_list *names,
                                     const char *under, struct outcome *out);

#endif
