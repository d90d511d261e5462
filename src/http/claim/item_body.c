/* SPDX-License-Identifier: Apache-2.0 */
#include "http/claim/item_body.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/assertion.h"
#include "base/text/digits.h"

#define LABEL(member, about) FIELD_LABEL(struct best_body, member, 1, JSON_OPTIONAL, about)

const struct json_field best_body_fields[] = {
    JSON_INT(struct best_body, quantity, 1, ITEMS_MAX, JSON_REQUIRED, .about = "How many seats."),
    LABEL(section, "Only seats of this section."),
    LABEL(tier, "Only seats of this tier."),
    FIELD_ID(struct best_body, allotment, JSON_OPTIONAL, ABOUT_ITEM_ALLOTMENT),
    JSON_INT_OR(struct best_body, accessible, 0, ITEMS_MAX, 0,
                .about =
                    "How many of them must be accessible; no more accessible seats than that are chosen."),
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

/* The position of an item in the body, and where to report an error in it. */
struct item_place {
    const char *at; /* see item_body_requests */
    size_t index;
    struct json_fault *fault;
};

/* member: the invalid field; "": the whole item. */
static bool __attribute__((format(printf, 3, 4)))
item_fault(const struct item_place *place, const char *member, const char *form, ...)
{
    va_list arguments;
    struct json_fault *fault = place->fault;
    const char *slash = *member ? "/" : "";
    if (*place->at)
        snprintf(fault->pointer, sizeof(fault->pointer), "%s/%zu%s%s", place->at, place->index, slash,
                 member);
    else
        snprintf(fault->pointer, sizeof(fault->pointer), "%s%s", slash, member);
    va_start(arguments, form);
    vsnprintf(fault->detail, sizeof(fault->detail), form, arguments);
    va_end(arguments);
    return false;
}

/* Which fields the forms allow and need for items with this key (the field that determines the kind): a bit per field,
 * by its position in item_body_fields. Computed before main, because every hold needs them, and comparing all those
 * names would take longer than reading the body. */
#define FIELD_COUNT (sizeof(item_body_fields) / sizeof(item_body_fields[0]) - 1)
_Static_assert(FIELD_COUNT <= 32, "a bit for each field of an item");
static struct item_rule {
    bool key;
    uint32_t allowed, needed;
} item_rules[FIELD_COUNT];

__attribute__((constructor)) static void item_rules_setup(void)
{
    for (size_t k = 0; k < FIELD_COUNT; k++) {
        struct item_rule *rule = &item_rules[k];
        rule->key = json_named(ITEM_KEYS, item_body_fields[k].name);
        for (size_t i = 0; i < FIELD_COUNT && rule->key; i++) {
            enum json_fit fit =
                json_form_fit(item_body_forms, &item_body_fields[i], item_body_fields[k].name);
            rule->allowed |= (uint32_t)(fit != JSON_FOREIGN) << i;
            rule->needed |= (uint32_t)(fit == JSON_NEEDED) << i;
        }
    }
}

static bool item_is_complete(const struct item_body *body, const struct item_place *place)
{
    uint32_t given = 0;
    size_t key = 0, keys = 0;
    for (size_t i = 0; i < FIELD_COUNT; i++)
        if (json_given(&item_body_fields[i], body)) {
            given |= (uint32_t)1 << i;
            if (item_rules[i].key) {
                key = i;
                keys++;
            }
        }
    if (keys != 1)
        return item_fault(place, "", "Invalid item: expected exactly one of " ITEM_KEYS_LISTED ".");
    uint32_t foreign = given & ~item_rules[key].allowed, missing = item_rules[key].needed & ~given;
    if (foreign | missing) {
        unsigned first = (unsigned)__builtin_ctz(foreign | missing);
        const char *name = item_body_fields[first].name;
        return foreign >> first & 1
                   ? item_fault(place, name, "%s is not allowed with %s.", name, item_body_fields[key].name)
                   : item_fault(place, name, "Missing %s.", name);
    }
    if (body->allotment.text && body->best.allotment.text)
        return item_fault(place, "allotment", "allotment is given twice: here and in best.");
    /* A calendar has two forms, and so has a group: one with an end, the other with a service that sets it. */
    bool timed = body->calendar.text || body->group.text;
    if (timed && body->end.given && body->service.text)
        return item_fault(place, "end", "end is not allowed with service.");
    if (timed && !body->end.given && !body->service.text)
        return item_fault(place, "end", "Missing end or service.");
    return true;
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

const struct item_request *item_body_requests(const struct item_body *bodies, size_t count, const char *at,
                                              struct arena *arena, struct json_fault *fault)
{
    ASSERT(count >= 1 && count <= ITEMS_MAX);
    struct item_request *items = arena_take(arena, count * sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        if (!item_is_complete(&bodies[i], &(struct item_place){at, i, fault}))
            return NULL;
        items[i] = item_read(&bodies[i]);
        items[i].attributes = text_given(bodies[i].attributes);
        items[i].category = text_given(bodies[i].category);
        items[i].code = text_given(bodies[i].code);
        items[i].allotment =
            text_given(bodies[i].allotment.text ? bodies[i].allotment : bodies[i].best.allotment);
    }
    return items;
}

uint32_t item_body_id(struct text text)
{
    uint64_t number = 0;
    if (text.size > 9 || text.at[0] == '0')
        return 0;
    return digits_read(text.at, text.size, &number) ? (uint32_t)number : 0;
}
