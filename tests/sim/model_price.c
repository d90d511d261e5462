/* SPDX-License-Identifier: Apache-2.0 */
/* model_price.c — what a seat or a unit costs, by tier and category. */
#include <stdio.h>

#include "model.h"

bool model_names(const struct ask_settings *s, int category)
{
    for (int i = 0; i < s->category_count; i++)
        if ((s->category_first + i) % ASK_CATEGORIES + 1 == category)
            return true;
    return false;
}

int model_category(const struct ask_settings *s, int asked)
{
    if (asked)
        return model_names(s, asked) ? asked : -1;
    return s->category_count ? s->category_first + 1 : 0;
}

/* The listed price if there is a list, otherwise its own price. */
static bool listed_price(const struct ask_settings *s, const uint8_t *list, int64_t own, int category,
                         int64_t *price)
{
    bool listed = false;
    for (int i = 0; list && i < ASK_CATEGORIES; i++)
        listed = listed || list[i];
    *price = own;
    if (category && !model_names(s, category))
        return false;
    if (!listed || !category)
        return category == model_category(s, 0);
    *price = list[category - 1] - 1;
    return list[category - 1] > 0;
}

bool model_tier_price(const struct model_event *e, int tier, int64_t own, int category, int64_t *price)
{
    const struct ask_settings *s = &e->settings;
    return listed_price(s, tier < 0 ? NULL : s->prices[tier], own, category, price);
}

bool model_price(const struct model_event *e, int kind, int unit, int category, int64_t *price)
{
    if (kind == ITEM_SEAT)
        return model_tier_price(e, e->seats[unit].tier, e->seats[unit].price, category, price);
    return listed_price(&e->settings, e->pools[unit].prices, e->pools[unit].price, category, price);
}

/* Whether it could be picked at all: without a tier, from some tier. */
static bool best_priced(const struct model_event *e, int tier, int category)
{
    int64_t price;
    bool priced = tier < 0 && model_tier_price(e, -1, 0, category, &price);
    for (int i = 0; i < ASK_TIERS; i++)
        if (tier == i || tier < 0)
            priced = priced || model_tier_price(e, i, 0, category, &price);
    return priced;
}

enum outcome_code model_wanted_prices(const struct model *m, struct model_wanted *w, struct model_answer *out)
{
    for (uint32_t i = 0; i < w->count; i++) {
        const struct ask_item *item = &w->items[i];
        const struct model_event *e = &m->events[item->event];
        int64_t price;
        if (ask_timed(item->kind))
            continue;
        int category = model_category(&e->settings, item->category);
        bool priced = category >= 0;
        if (priced && item->kind == ITEM_BEST)
            priced = best_priced(e, item->tier, category);
        else if (priced)
            priced = model_price(e, item->kind, item->unit, category, &price);
        if (!priced)
            return OUTCOME_INVALID;
        out->categories[i] = w->categories[i] = (uint8_t)category;
    }
    return OUTCOME_OK;
}

bool model_prices_named(const struct ask_settings *s, const uint8_t list[ASK_CATEGORIES])
{
    for (int i = 0; i < ASK_CATEGORIES; i++)
        if (list[i] && !model_names(s, i + 1))
            return false;
    return true;
}
