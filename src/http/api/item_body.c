/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/item_body.h"

#include <stdio.h>

#include "base/assertion.h"
#include "http/wire/reply.h"

#define LABEL(member, about) FIELD_LABEL(struct best_body, member, 1, JSON_OPTIONAL, about)

const struct json_field best_body_fields[] = {
    JSON_INT(struct best_body, quantity, 1, ITEMS_MAX, JSON_REQUIRED, .about = "How many seats."),
    LABEL(section, "Only seats of this section."),
    LABEL(tier, "Only seats of this tier."),
    JSON_BOOL_OR(struct best_body, adjacent, false,
                 .about = "Only side by side; otherwise 409 no_adjacent_seats."),
    JSON_END,
};

const struct json_field item_body_fields[] = {ITEM_BODY_ROWS, JSON_END};

#define FORM(name, about, needs, may, example) {#name "_request", about, needs, may, example},
const struct json_form item_body_forms[] = {ITEM_FORMS(FORM, "A15"){0}};

/* Decoding leaves zeroes where nothing was given. */
bool item_body_given(const struct item_body *body)
{
    static const struct item_body none;
    return memcmp(body, &none, sizeof(none)) != 0;
}

#define QUANTITY_FAULT "quantity is only allowed with pool or best; for a calendar send one item per place."

/* What is wrong with a calendar item, or NULL; *member is the field at fault. */
static const char *slot_fault(const struct item_body *body, const char **member)
{
    *member = "/event";
    if (body->event.text)
        return "event is not allowed with calendar.";
    *member = "/quantity";
    if (body->quantity.given)
        return QUANTITY_FAULT;
    *member = "/start";
    if (!body->start.given)
        return "Missing start.";
    *member = "/end";
    if (body->end.given && body->service.text)
        return "end is not allowed with service.";
    if (!body->end.given && !body->service.text)
        return "Missing end or service.";
    return NULL;
}

/* What is wrong with the item as a whole, or NULL; *member is the field at fault. */
static const char *item_fault(const struct item_body *body, const char **member)
{
#define K(kind_, given_, ...) +((given_) ? 1 : 0)
    int kinds = ITEM_REQUESTS(K);
#undef K
    *member = "";
    if (kinds != 1)
        return "Invalid item: expected exactly one of " ITEM_KEYS ".";
    if (body->calendar.text)
        return slot_fault(body, member);
    *member = "/event";
    if (!body->event.text)
        return "Missing event.";
    *member = "/quantity";
    if (body->quantity.given && !body->pool.text)
        return QUANTITY_FAULT;
    *member = body->start.given ? "/start" : body->end.given ? "/end" : "/service";
    if (body->start.given || body->end.given || body->service.text)
        return "Only allowed with calendar.";
    return NULL;
}

static struct item_request item_read(const struct item_body *body)
{
#define K(kind_, given_, ...)                                                                                \
    if (given_)                                                                                              \
        return (struct item_request){.kind = kind_, __VA_ARGS__};
    ITEM_REQUESTS(K)
#undef K
    ASSERT(false);
}

bool item_body_resource_id(struct text text, struct item_request *item)
{
    const char *slash = memchr(text.at, '/', text.size);
    *item = (struct item_request){
        .kind = ITEM_BY_RESOURCE_ID, .resource = TEXT("default"), .part = text, .quantity = 1};
    if (slash) {
        size_t before = (size_t)(slash - text.at);
        item->resource = (struct text){text.at, before};
        item->part = (struct text){slash + 1, text.size - before - 1};
    }
    return text_check_id(item->resource.at, item->resource.size) &&
           text_check_id(item->part.at, item->part.size);
}

const struct item_request *item_body_requests(struct request *r, const struct item_body *bodies, size_t count,
                                              const char *at)
{
    ASSERT(count >= 1 && count <= ITEMS_MAX);
    struct item_request *items = arena_take(&r->arena, count * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        const char *member;
        const char *fault = item_fault(&bodies[i], &member);
        if (fault) {
            char pointer[64];
            if (*at)
                snprintf(pointer, sizeof(pointer), "%s/%zu%s", at, i, member);
            else
                snprintf(pointer, sizeof(pointer), "%s", member);
            reply_invalid(r, pointer, fault);
            return NULL;
        }
        items[i] = item_read(&bodies[i]);
    }
    return items;
}
