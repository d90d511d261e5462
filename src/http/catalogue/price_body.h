/* SPDX-License-Identifier: Apache-2.0 */
/* price_body.h — categories and prices in the bodies of events and pools.
 *
 * Reads them into the JSON that core keeps (core/catalogue/price_list.h). Whether the event has the categories that
 * prices name is core's business.
 */
#ifndef HTTP_PRICE_BODY_H
#define HTTP_PRICE_BODY_H

#include "core/catalogue/price_list.h"
#include "http/api/text_check.h"
#include "http/describe/about.h"

struct request;

struct amount_body {
    struct json_text_value category;
    struct json_int_value price;
};
struct tier_body {
    struct json_text_value tier;
    struct json_list_value prices;
};
extern const struct json_field amount_body_fields[], tier_body_fields[];
bool price_body_label(const char *text, size_t size); /* 1..64 bytes */

/* Rows of a json_field table: `categories` and `prices` of an event, `prices` of a pool. */
/* clang-format off */
#define PRICE_BODY_LABELS .check = price_body_label, .form = FIELD_LABEL_FORM(1)
#define PRICE_BODY_CATEGORIES(type) \
    JSON_TEXTS(type, categories, 1, CATEGORIES_MAX, JSON_NULLABLE, PRICE_BODY_LABELS, .about = ABOUT_CATEGORIES)
#define PRICE_BODY_BY_TIER(type) \
    JSON_MAP(type, prices, struct tier_body, tier_body_fields, PRICED_TIERS_MAX, JSON_NULLABLE, \
             PRICE_BODY_LABELS, .about = ABOUT_PRICES)
#define PRICE_BODY_AMOUNTS(type) \
    JSON_MAP(type, prices, struct amount_body, amount_body_fields, CATEGORIES_MAX, JSON_NULLABLE, \
             PRICE_BODY_LABELS, .about = ABOUT_POOL_PRICES)
/* clang-format on */

/* Each result is in the request's arena, or absent. False: a duplicate category, and 400 was replied. */
bool price_body_categories(struct request *r, const struct json_list_value *list, struct text *out);
struct text price_body_by_tier(struct request *r, const struct json_list_value *list);
/* The prices of a merge patch, as a merge patch; absent if null or not given. */
struct text price_body_patch(struct request *r, const struct json_list_value *list);
struct text price_body_amounts(struct request *r, const struct json_list_value *list);

#endif
