/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/price_list.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/json/json_reader.h"
#include "base/memory/memory.h"

#define BLOCK_SIZE 512

struct amount_row {
    struct json_text_value category;
    struct json_int_value price;
};
struct tier_row {
    struct json_text_value tier;
    struct json_list_value prices;
};
struct rows {
    struct json_list_value categories, tiers, amounts;
};

static bool is_label(const char *text, size_t size)
{
    (void)text;
    return size >= 1 && size <= LABEL_SIZE_MAX;
}

#define LABELS .check = is_label, .form = "a label"
static const struct json_field amount_fields[] = {
    JSON_INT(struct amount_row, price, 0, PRICE_MAX, JSON_REQUIRED), JSON_END};
static const struct json_field tier_fields[] = {JSON_MAP(struct tier_row, prices, struct amount_row,
                                                         amount_fields, CATEGORIES_MAX, JSON_REQUIRED,
                                                         LABELS),
                                                JSON_END};
/* Both fields are named "prices". */
#define PRICES(member_, row, fields_, most_)                                                                 \
    {                                                                                                        \
        .kind = JSON_KIND_MAP, .name = "prices", .offset = offsetof(struct rows, member_), .most = most_,    \
        .fields = fields_, .element_size = sizeof(struct row), LABELS                                        \
    }
static const struct json_field event_fields[] = {
    JSON_TEXTS(struct rows, categories, 1, CATEGORIES_MAX, JSON_REQUIRED, LABELS),
    PRICES(tiers, tier_row, tier_fields, PRICED_TIERS_MAX), JSON_END};
static const struct json_field pool_fields[] = {PRICES(amounts, amount_row, amount_fields, CATEGORIES_MAX),
                                                JSON_END};

static struct text text_of(struct json_text_value value)
{
    return (struct text){value.text, value.size};
}

static void take_categories(struct price_list *l, const struct json_list_value *list)
{
    const struct json_text_value *rows = list->entries;
    struct text *categories = arena_take(&l->arena, (list->count + 1) * sizeof(*categories));
    for (size_t i = 0; i < list->count; i++)
        categories[i] = text_of(rows[i]);
    l->categories = categories;
    l->category_count = (uint32_t)list->count;
}

static void take_amounts(struct price *prices, uint32_t *count, struct text tier,
                         const struct json_list_value *list)
{
    const struct amount_row *rows = list->entries;
    for (size_t i = 0; i < list->count; i++)
        prices[(*count)++] = (struct price){
            .tier = tier, .category = text_of(rows[i].category), .amount = rows[i].price.value};
}

static void take_prices(struct price_list *l, const struct rows *rows)
{
    const struct tier_row *tiers = rows->tiers.entries;
    size_t most = rows->amounts.count + 1;
    for (size_t i = 0; i < rows->tiers.count; i++)
        most += tiers[i].prices.count;
    struct price *prices = arena_take(&l->arena, most * sizeof(*prices));
    for (size_t i = 0; i < rows->tiers.count; i++)
        take_amounts(prices, &l->price_count, text_of(tiers[i].tier), &tiers[i].prices);
    take_amounts(prices, &l->price_count, (struct text){0}, &rows->amounts);
    ASSERT(l->price_count < most);
    l->prices = prices;
}

/* The reader needs one object: {"name":value,…}. */
static struct price_list *read_rows(const struct buf *object, const struct json_field *fields,
                                    struct json_fault *fault)
{
    struct price_list *l = memory_zeroed(1, sizeof(*l));
    struct rows rows = {0};
    arena_init(&l->arena, BLOCK_SIZE);
    if (!json_read((const char *)object->data, object->size, fields, &rows, &l->arena, fault)) {
        price_list_free(l);
        return NULL;
    }
    take_categories(l, &rows.categories);
    take_prices(l, &rows);
    return l;
}

struct price_list *price_list_of_event(struct text categories, struct text prices, struct json_fault *fault)
{
    struct buf object;
    ASSERT(categories.at);
    buf_init(&object, categories.size + prices.size + 64);
    buf_append_text(&object, "{\"categories\":");
    buf_append(&object, categories.at, categories.size);
    if (prices.at) {
        buf_append_text(&object, ",\"prices\":");
        buf_append(&object, prices.at, prices.size);
    }
    buf_append_text(&object, "}");
    struct price_list *l = read_rows(&object, event_fields, fault);
    buf_release(&object);
    return l;
}

struct price_list *price_list_of_pool(struct text prices)
{
    struct buf object;
    struct json_fault fault;
    ASSERT(prices.at);
    buf_init(&object, prices.size + 64);
    buf_append_text(&object, "{\"prices\":");
    buf_append(&object, prices.at, prices.size);
    buf_append_text(&object, "}");
    struct price_list *l = read_rows(&object, pool_fields, &fault);
    buf_release(&object);
    return l;
}

void price_list_free(struct price_list *l)
{
    if (l)
        arena_release(&l->arena);
    free(l);
}

bool price_list_names(const struct price_list *l, struct text category)
{
    for (uint32_t i = 0; l && i < l->category_count; i++)
        if (text_equal(l->categories[i], category))
            return true;
    return false;
}

const struct price *price_list_find(const struct price_list *l, struct text tier, struct text category,
                                    bool *listed)
{
    *listed = false;
    for (uint32_t i = 0; l && i < l->price_count; i++) {
        const struct price *p = &l->prices[i];
        ASSERT(p->amount >= 0 && p->amount <= PRICE_MAX);
        if (!text_equal(p->tier, tier))
            continue;
        *listed = true;
        if (text_equal(p->category, category))
            return p;
    }
    return NULL;
}
