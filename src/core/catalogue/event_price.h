/* SPDX-License-Identifier: Apache-2.0 */
/* event_price.h — the price of an item: the current price of its category.
 *
 * A tier with prices has those and no others; a seat of a tier without prices costs its own price, in the first
 * category only. Pools work the same way, with their own prices. If an event has no categories, every seat and pool
 * costs its own price, and items have no category. New prices apply to new claims only.
 */
#ifndef CORE_EVENT_PRICE_H
#define CORE_EVENT_PRICE_H

#include "core/catalogue/event.h"
#include "core/outcome.h"

/* The category of an item: `asked`, or the first one if that is none; none if the event has no categories. False: the
 * event does not have this category. */
bool event_category(const struct event *e, struct text asked, struct text *category);
const char *event_category_fault(const struct event *e); /* the sentence for that */

/* Whether a seat of this tier, this seat, or a unit of this pool has a price in the category; and the price. */
bool event_tier_priced(const struct event *e, struct text tier, struct text category);
bool event_seat_price(const struct event *e, uint32_t position, struct text category, int64_t *price);
bool event_pool_price(const struct event *e, uint32_t position, struct text category, int64_t *price);
/* How many units can be offered to the waiting list, where items get the first category. */
uint32_t event_pool_offerable(const struct event *e, uint32_t position);
/* *others: whether seats of most tiers, or without one, have a price in this category. The exceptions, for which it is
 * the opposite, go into `tiers`; returns how many. */
uint32_t event_tier_exceptions(const struct event *e, struct text category,
                               struct text tiers[PRICED_TIERS_MAX], bool *others);

/* OK, or INVALID: a price is for a category that the event does not have. `under` is the pointer of the field. */
enum outcome_code event_prices_judge(const struct price_list *prices, const struct price_list *names,
                                     const char *under, struct outcome *out);

#endif
