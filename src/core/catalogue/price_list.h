/* SPDX-License-Identifier: Apache-2.0 */
/* price_list.h — what seats and units cost by category: adult, child.
 *
 * Images keep categories and prices as the JSON that people see: ["adult","child"], {"gold":{"adult":12000}} by tier,
 * and of a pool {"adult":1000}. Core reads them once, when it takes in the image. Knows amounts; which of them an
 * item pays is the event's business (event_price.h).
 */
#ifndef CORE_PRICE_LIST_H
#define CORE_PRICE_LIST_H

#include "base/memory/arena.h"
#include "base/json/json_reader.h"
#include "core/types.h"

#define CATEGORIES_MAX 32   /* of an event; each at most LABEL_SIZE_MAX bytes */
#define PRICED_TIERS_MAX 64 /* of an event */

struct price {
    struct text tier; /* a pool's have none */
    struct text category;
    int64_t amount;
};

struct price_list {
    struct arena arena;            /* all that follows is in it */
    const struct text *categories; /* an event's, the first is the default; a pool has none of its own */
    uint32_t category_count;
    const struct price *prices; /* those of one tier together */
    uint32_t price_count;
};

/* NULL: this is not what the JSON of an event's or of a pool's prices looks like, and *fault says where an event's are
 * wrong. prices.at == NULL: none. */
struct price_list *price_list_of_event(struct text categories, struct text prices, struct json_fault *fault);
struct price_list *price_list_of_pool(struct text prices);
void price_list_free(struct price_list *l); /* NULL is fine */

/* Whether it is one of the categories; l may be NULL: there are none. */
bool price_list_names(const struct price_list *l, struct text category);
/* The price of this tier (of a pool: {0}) and category, or NULL. *listed: the tier has prices. */
const struct price *price_list_find(const struct price_list *l, struct text tier, struct text category,
                                    bool *listed);

#endif
