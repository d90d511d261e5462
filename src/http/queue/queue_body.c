/* SPDX-License-Identifier: Apache-2.0 */
#include "http/queue/queue_body.h"

#include <stdio.h>

#include "http/api/text_check.h"
#include "http/wire/reply.h"

#define RATE_PER_SECOND 50
#define PASS_TTL_SECONDS 900

bool queue_body_tier_valid(const char *text, size_t size)
{
    return size > 0 && text_check_label(text, size);
}

const struct json_field queue_body_fields[] = {
    JSON_TIME(struct queue_body, open_at, JSON_NULLABLE, .about = ABOUT_QUEUE_OPEN_AT),
    JSON_INT_OR(struct queue_body, rate_per_second, 1, ADMISSION_RATE_MAX, RATE_PER_SECOND,
                .about = ABOUT_QUEUE_RATE),
    JSON_INT_OR(struct queue_body, max_active, 0, INT32_MAX, 0, .about = ABOUT_QUEUE_MAX_ACTIVE),
    JSON_INT_OR(struct queue_body, pass_ttl_seconds, 1, TTL_SECONDS_MAX, PASS_TTL_SECONDS,
                .about = ABOUT_QUEUE_PASS_TTL),
    JSON_BOOL_OR(struct queue_body, shuffle_before_open, false, .about = ABOUT_QUEUE_SHUFFLE),
    JSON_BOOL_OR(struct queue_body, by_inventory, true, .about = ABOUT_QUEUE_BY_INVENTORY),
    QUEUE_BODY_TIERS(struct queue_body, tiers, ABOUT_QUEUE_TIERS),
    JSON_END,
};

static bool named_before(const struct text *tiers, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (text_equal(tiers[i], tiers[index]))
            return true;
    return false;
}

bool queue_body_tiers(struct request *r, const struct json_list_value *list, const char *pointer,
                      const struct text **tiers, uint32_t *count)
{
    const struct json_text_value *given = list->entries;
    struct text *read = arena_take(&r->arena, list->count * sizeof(*read));
    for (size_t i = 0; i < list->count; i++) {
        read[i] = text_given(given[i]);
        if (named_before(read, i)) {
            char place[80];
            snprintf(place, sizeof(place), "%s/%zu", pointer, i);
            return reply_invalid(r, place, "Duplicate tier.");
        }
    }
    *tiers = read;
    *count = (uint32_t)list->count;
    return true;
}

static uint32_t value_or(struct json_int_value value, uint32_t default_value)
{
    return value.given ? (uint32_t)value.value : default_value;
}

bool queue_body_read(struct request *r, const struct queue_body *body, const char *pointer,
                     struct queue_settings *out)
{
    char place[64];
    out->open_at_ms = body->open_at.value;
    out->rate_per_second = value_or(body->rate_per_second, RATE_PER_SECOND);
    out->max_active = value_or(body->max_active, 0);
    out->pass_ttl_s = value_or(body->pass_ttl_seconds, PASS_TTL_SECONDS);
    out->shuffle_before_open = body->shuffle_before_open.value;
    out->by_inventory = !body->by_inventory.given || body->by_inventory.value;
    snprintf(place, sizeof(place), "%s/tiers", pointer);
    return queue_body_tiers(r, &body->tiers, place, &out->tiers, &out->tier_count);
}
