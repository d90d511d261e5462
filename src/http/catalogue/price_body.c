/* SPDX-License-Identifier: Apache-2.0 */
#include "http/catalogue/price_body.h"

#include <stdio.h>

#include "base/json/json_writer.h"
#include "http/wire/reply.h"

#define JSON_SIZE_MAX (4u << 20) /* a body has at most 1 MiB */

const struct json_field amount_body_fields[] = {
    JSON_INT(struct amount_body, price, 0, PRICE_MAX, JSON_REQUIRED,
             .about = "The price in this category, in minor units."),
    JSON_END,
};

const struct json_field tier_body_fields[] = {
    JSON_MAP(struct tier_body, prices, struct amount_body, amount_body_fields, CATEGORIES_MAX, JSON_REQUIRED,
             PRICE_BODY_LABELS, .about = "The prices of this tier, by category."),
    JSON_END,
};

bool price_body_label(const char *text, size_t size)
{
    return size > 0 && text_check_label(text, size);
}

static struct text price_body_keep(struct request *r, struct buf *json)
{
    struct text text = {arena_copy(&r->arena, json->data, json->size), json->size};
    buf_release(json);
    return text;
}

static bool named_before(const struct json_text_value *names, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (text_equal(text_given(names[i]), text_given(names[index])))
            return true;
    return false;
}

bool price_body_categories(struct request *r, const struct json_list_value *list, struct text *out)
{
    const struct json_text_value *names = list->entries;
    *out = (struct text){0};
    if (!list->count)
        return true;
    for (size_t i = 0; i < list->count; i++) {
        char place[40];
        snprintf(place, sizeof(place), "/categories/%zu", i);
        if (named_before(names, i))
            return reply_invalid(r, place, "Duplicate category.");
    }
    struct buf json;
    buf_init(&json, JSON_SIZE_MAX);
    struct json_writer w = json_writer_make(&json);
    json_array_begin(&w);
    for (size_t i = 0; i < list->count; i++)
        json_text(&w, names[i].text, names[i].size);
    json_array_end(&w);
    *out = price_body_keep(r, &json);
    return true;
}

static void write_amounts(struct json_writer *w, const struct json_list_value *list)
{
    const struct amount_body *amounts = list->entries;
    json_object_begin(w);
    for (size_t i = 0; i < list->count; i++) {
        json_key_text(w, amounts[i].category.text, amounts[i].category.size);
        if (amounts[i].price.given)
            json_int(w, amounts[i].price.value);
        else
            json_null(w); /* only in a patch */
    }
    json_object_end(w);
}

struct text price_body_amounts(struct request *r, const struct json_list_value *list)
{
    struct buf json;
    if (!list->count)
        return (struct text){0};
    buf_init(&json, JSON_SIZE_MAX);
    struct json_writer w = json_writer_make(&json);
    write_amounts(&w, list);
    return price_body_keep(r, &json);
}

struct text price_body_patch(struct request *r, const struct json_list_value *list)
{
    const struct tier_body *tiers = list->entries;
    struct buf json;
    if (!list->given)
        return (struct text){0};
    buf_init(&json, JSON_SIZE_MAX);
    struct json_writer w = json_writer_make(&json);
    json_object_begin(&w);
    for (size_t i = 0; i < list->count; i++) {
        json_key_text(&w, tiers[i].tier.text, tiers[i].tier.size);
        if (tiers[i].prices.given)
            write_amounts(&w, &tiers[i].prices);
        else
            json_null(&w);
    }
    json_object_end(&w);
    return price_body_keep(r, &json);
}

struct text price_body_by_tier(struct request *r, const struct json_list_value *list)
{
    return list->count ? price_body_patch(r, list) : (struct text){0};
}
