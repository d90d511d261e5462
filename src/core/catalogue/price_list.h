/* SPDX-License-Identifier: Apache-2.0 */
/* price_list.h — prices of seats and units by category, such as adult and child.
 *
 * Images store categories and prices as the JSON of the API: ["adult","child"], {"gold":{"adult":12000}} by tier,
 * and for a pool {"adult":1000}. Core reads them once, when it applies the image. Which price an item gets is decided
 * in event_price.h.
 */
#ifndef CORE_PRICE_LIST_H
#define CORE_PRICE_LIST_H

#include "base/memory/arena.h"
#include "base/json/json_reader.h"
#include "core/types.h"

#define CATEGORIES_MAX 32   /* of an event; each at most LABEL_SIZE_MAX bytes */
#define PRICED_TIERS_MAX 64 /* of an event */

struct price {
    struct text tier; /* none for a pool */
    struct text category;
    int64_t amount;
};

struct price_list {
    struct arena arena;            /* owns everything below */
    const struct text *categories; /* of an event, the first is the default; empty for a pool */
    uint32_t category_count;
    const struct price *prices; /* grouped by tier */
    uint32_t price_count;
};

/* NULL: not valid JSON for the prices of an event or a pool; for an event *fault says where. */
struct price_list *price_list_of_event(struct text categories, struct text prices, struct json_fault *fault);
struct price_list *price_list_of_pool(struct text prices);
void price_list_free(struct price_list *l); /* NULL is fine */

/* Whether it is one of the categories; l can be NULL: there are none. */
bool price_list_names(const struct price_list *l, struct text category);
/* The price of this tier (of a pool: {0}) and category, or NULL. *listed: the tier has prices. */
const struct price *price_list_find(const struct price_list *l, struct text tier, struct text category,
                                    bool *listed);

#endif
