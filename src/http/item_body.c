/* SPDX-License-Identifier: Apache-2.0 */
#include "http/item_body.h"

#include <stdio.h>

#include "base/assertion.h"
#include "http/reply.h"

#define LABEL(member) SHAPE_TEXT(struct best_body, member, 1, LABEL_SIZE_MAX, JSON_OPTIONAL, shape_label)

const struct json_field best_body_fields[] = {
    JSON_INT(struct best_body, quantity, 1, ITEMS_MAX, JSON_REQUIRED),
    LABEL(section),
    LABEL(tier),
    JSON_BOOL(struct best_body, adjacent, JSON_OPTIONAL),
    JSON_END,
};

const struct json_field item_body_fields[] = {ITEM_BODY_ROWS, JSON_END};

/* What is wrong with the item as a whole, or NULL; *member is the field at fault. */
static const char *item_fault(const struct item_body *body, const char **member)
{
    int kinds = (body->seat.text != NULL) + (body->pool.text != NULL) + body->best.object.given;
    *member = "";
    if (kinds != 1)
        return "An item names exactly one of seat, pool and best.";
    *member = "/event";
    if (!body->event.text)
        return "An item names its event.";
    *member = "/quantity";
    if (body->quantity.given && !body->pool.text)
        return "A quantity goes with a pool.";
    return NULL;
}

static void item_fill(const struct item_body *body, struct item_request *item)
{
    *item = (struct item_request){.event = shape_text(body->event), .quantity = 1};
    if (body->seat.text) {
        item->kind = ITEM_SEAT;
        item->unit = shape_text(body->seat);
    } else if (body->pool.text) {
        item->kind = ITEM_POOL;
        item->unit = shape_text(body->pool);
        item->quantity = body->quantity.given ? (uint32_t)body->quantity.value : 1;
    } else {
        item->kind = ITEM_BEST;
        item->quantity = (uint32_t)body->best.quantity.value;
        item->section = shape_text(body->best.section);
        item->tier = shape_text(body->best.tier);
        item->adjacent = body->best.adjacent.value;
    }
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
        item_fill(&bodies[i], &items[i]);
    }
    return items;
}
