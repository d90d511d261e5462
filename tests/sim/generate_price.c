/* SPDX-License-Identifier: Apache-2.0 */
/* generate_price.c — prices: categories, prices by tier, and the category of a request. */
#include "generate.h"

/* Prices of some of the event's categories, and rarely of another. */
static void prices_any(struct generator *g, const struct ask_settings *s, uint8_t prices[ASK_CATEGORIES])
{
    struct dice *d = g->dice;
    for (int i = 0; i < ASK_CATEGORIES; i++)
        prices[i] = model_names(s, i + 1) ? dice_percent(d, 70) ? (uint8_t)(1 + dice_roll(d, 3) * 5) : 0
                    : dice_percent(d, 2)  ? 1
                                          : 0;
}

void generate_prices(struct generator *g, struct ask_settings *s)
{
    struct dice *d = g->dice;
    s->category_count = dice_percent(d, 50) ? 0 : (uint8_t)(1 + dice_roll(d, ASK_CATEGORIES));
    s->category_first = s->category_count ? (uint8_t)dice_roll(d, ASK_CATEGORIES) : 0;
    for (int i = 0; i < ASK_TIERS; i++)
        if (s->category_count ? dice_percent(d, 45) : dice_percent(d, 1))
            prices_any(g, s, s->prices[i]);
}

void generate_pool_prices(struct generator *g, int event, uint8_t prices[ASK_CATEGORIES])
{
    const struct ask_settings *s = event < ASK_EVENTS ? &g->model->events[event].settings : NULL;
    for (int i = 0; i < ASK_CATEGORIES; i++)
        prices[i] = 0;
    if (s && dice_percent(g->dice, s->category_count ? 50 : 2))
        prices_any(g, s, prices);
}

int generate_item_category(struct generator *g, const struct model_item *item)
{
    int category = generate_category(g, item->event);
    int64_t price;
    if (item->kind == ITEM_SLOT)
        return category;
    const struct model_event *e = &g->model->events[item->event];
    for (int tries = 0; tries < 4 && !model_price(e, item->kind, item->unit, category, &price); tries++)
        category = generate_category(g, item->event);
    return category;
}

int generate_category(struct generator *g, int event)
{
    struct dice *d = g->dice;
    const struct ask_settings *s = event < ASK_EVENTS ? &g->model->events[event].settings : NULL;
    if (!s || !s->category_count || dice_percent(d, 3))
        return 1 + (int)dice_roll(d, ASK_CATEGORIES + 1);
    return (s->category_first + (int)dice_roll(d, s->category_count)) % ASK_CATEGORIES + 1;
}
