/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_price.h"

#include "base/assertion.h"
#include "core/state.h"

bool event_category(const struct event *e, struct text asked, struct text *category)
{
    *category = asked.at ? asked : e->prices ? e->prices->categories[0] : (struct text){0};
    return !asked.at || price_list_names(e->prices, asked);
}

const char *event_category_fault(const struct event *e)
{
    return e->prices ? "Invalid category: the event has no such category."
                     : "Invalid category: the event has no categories.";
}

/* Seats and pools without listed prices cost their own price, in the first category. */
static bool own_price(const struct event *e, struct text category)
{
    return e->prices ? text_equal(category, e->prices->categories[0]) : !category.at;
}

static bool price_in(const struct event *e, const struct price_list *prices, struct text tier,
                     struct text category, int64_t own, int64_t *price)
{
    bool listed;
    /* A pool can have prices for a category that the event no longer has. */
    if (category.at && !price_list_names(e->prices, category))
        return false;
    const struct price *found = price_list_find(category.at ? prices : NULL, tier, category, &listed);
    *price = found ? found->amount : own;
    return found || (!listed && own_price(e, category));
}

bool event_tier_priced(const struct event *e, struct text tier, struct text category)
{
    int64_t price;
    return price_in(e, e->prices, tier, category, 0, &price);
}

bool event_seat_price(const struct event *e, uint32_t position, struct text category, int64_t *price)
{
    ASSERT(e->layout && position < e->layout->count);
    const struct layout_seat *seat = layout_seat(e->layout, position);
    return price_in(e, e->prices, layout_text(e->layout, seat->tier), category, seat->price, price);
}

bool event_pool_price(const struct event *e, uint32_t position, struct text category, int64_t *price)
{
    ASSERT(position < e->pool_count);
    const struct pool *p = &e->pools[position];
    return price_in(e, p->prices, (struct text){0}, category, p->image.price, price);
}

uint32_t event_pool_offerable(const struct event *e, uint32_t position)
{
    struct text first;
    int64_t price;
    event_category(e, (struct text){0}, &first);
    return event_pool_price(e, position, first, &price) ? pool_available(&e->pools[position]) : 0;
}

uint32_t event_tier_exceptions(const struct event *e, struct text category,
                               struct text tiers[PRICED_TIERS_MAX], bool *others)
{
    const struct price_list *l = e->prices;
    uint32_t count = 0;
    *others = own_price(e, category);
    for (uint32_t i = 0; l && i < l->price_count; i++) {
        struct text tier = l->prices[i].tier;
        bool seen = i > 0 && text_equal(l->prices[i - 1].tier, tier);
        if (!seen && event_tier_priced(e, tier, category) != *others) {
            ASSERT(count < PRICED_TIERS_MAX);
            tiers[count++] = tier;
        }
    }
    return count;
}

/* A name as part of a JSON pointer. */
static size_t pointer_put(char *out, size_t at, struct text name)
{
    out[at++] = '/';
    for (size_t i = 0; i < name.size; i++) {
        bool special = name.at[i] == '~' || name.at[i] == '/';
        if (special)
            out[at++] = '~';
        out[at++] = special ? name.at[i] == '~' ? '0' : '1' : name.at[i];
    }
    out[at] = '\0';
    return at;
}

enum outcome_code event_prices_judge(const struct price_list *prices, const struct price_list *names,
                                     const char *under, struct outcome *out)
{
    char place[2 * (1 + 2 * LABEL_SIZE_MAX) + 1];
    for (uint32_t i = 0; prices && i < prices->price_count; i++) {
        const struct price *p = &prices->prices[i];
        if (price_list_names(names, p->category))
            continue;
        pointer_put(place, p->tier.size ? pointer_put(place, 0, p->tier) : 0, p->category);
        return state_invalid(out, "Invalid prices: the event has no such category.", "%s%s", under, place);
    }
    return OUTCOME_OK;
}
