/* SPDX-License-Identifier: Apache-2.0 */
#include "translate.h"

#include <stdio.h>

#include "base/assertion.h"
#include "base/time/zone.h"
#include "model_person.h"

/* One letter and a number of up to two digits. */
static struct text numbered(char letter, int n)
{
    static char names[256][64][4];
    char *name = names[(unsigned char)letter][n];
    size_t size = 0;
    name[size++] = letter;
    if (n >= 10)
        name[size++] = (char)('0' + n / 10);
    name[size++] = (char)('0' + n % 10);
    return (struct text){name, size};
}

struct text translate_event(int event)
{
    return numbered('e', event);
}

struct text translate_api_key(int key)
{
    return numbered('k', key);
}

void translate_value(uint32_t value, uint8_t hash[32])
{
    memset(hash, 0, 32);
    memcpy(hash, &value, sizeof(value));
}

struct text translate_seat(int seat)
{
    return numbered('s', seat);
}

struct text translate_pool(int pool)
{
    return numbered('p', pool);
}

struct text translate_calendar(int calendar)
{
    return numbered('c', calendar);
}

struct text translate_group(int group)
{
    return group ? numbered('g', group) : (struct text){0};
}

struct text translate_service(int service)
{
    return service < 0 ? (struct text){0} : numbered('v', service);
}

struct zone *translate_zone(void)
{
    static struct zone *utc;
    if (!utc)
        utc = zone_load("UTC");
    ASSERT(utc);
    return utc;
}

/* Short ones are kept inside a record, long ones outside. */
struct text translate_user(int user)
{
    static const char *const names[ASK_REGULARS] = {
        "ann", "guest_b", "a user whose name is longer than what fits into the record",
        "dan", "eve",     "guest_with_a_long_name, of a few more than twenty-eight bytes"};
    static char guests[ASK_USERS][12], erased[ASK_ERASED][40];
    if (user < ASK_REGULARS)
        return (struct text){names[user], strlen(names[user])};
    if (user >= ASK_USERS) {
        char *name = erased[user - ASK_USERS];
        return (struct text){name, (size_t)snprintf(name, sizeof(erased[0]), "erased_%026d", user)};
    }
    if (!ask_guest(user))
        return numbered('u', user);
    int size = snprintf(guests[user], sizeof(guests[user]), "guest_%d", user);
    return (struct text){guests[user], (size_t)size};
}

bool model_user_differs(struct text found, int user)
{
    return !text_equal(found, translate_user(user));
}

struct text translate_code(int code, bool loud)
{
    static const char *const names[2][ASK_CODES + 1] = {{"code1", "code2", "code.3", "code~4", "code5"},
                                                        {"CODE1", "Code2", "CODE.3", "codE~4", "CODE5"}};
    return code ? (struct text){names[loud][code - 1], strlen(names[loud][code - 1])} : (struct text){0};
}

struct text translate_category(int category)
{
    return category ? numbered('K', category) : (struct text){0};
}

struct text translate_allotment(int allotment)
{
    return !allotment               ? (struct text){0}
           : allotment == ASK_HOUSE ? TEXT("blocked")
                                    : numbered('A', allotment);
}

struct text translate_tier(int tier)
{
    return tier < 0 ? (struct text){0} : numbered('T', tier);
}

struct text translate_section(int section)
{
    return section < 0 ? (struct text){0} : numbered('S', section);
}

struct text translate_attributes(int attributes)
{
    static const char *const texts[] = {"{}", "{\"a\":1}", "{\"b\":\"two\"}", "{\"c\":[3,3,3]}"};
    return (struct text){texts[attributes], strlen(texts[attributes])};
}

static void translate_slot(const struct ask_item *item, struct item_request *r)
{
    r->resource =
        item->kind == ITEM_GROUP ? translate_group(item->event + 1) : translate_calendar(item->event);
    r->party = item->party;
    r->part = translate_service(item->unit);
    r->start_ms = item->start_ms;
    r->end_ms = item->end_ms;
}

static void translate_items(const struct ask *a, struct translation *out)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct ask_item *item = &a->items[i];
        struct item_request *r = &out->items[i];
        *r = (struct item_request){.kind = item->kind,
                                   .resource = translate_event(item->event),
                                   .quantity = item->quantity,
                                   .accessible = item->accessible,
                                   .adjacent = item->adjacent};
        r->code = translate_code(item->code, a->loud);
        r->category = translate_category(item->category);
        r->allotment = translate_allotment(item->allotment);
        if (item->attributes)
            r->attributes = translate_attributes(item->attributes);
        if (item->kind == ITEM_SEAT)
            r->part = translate_seat(item->unit);
        else if (item->kind == ITEM_POOL)
            r->part = translate_pool(item->unit);
        else if (ask_timed(item->kind))
            translate_slot(item, r);
        if (item->kind == ITEM_BEST) {
            r->section = translate_section(item->section);
            r->tier = translate_tier(item->tier);
        }
    }
}

static void translate_key(const struct ask *a, struct command *c)
{
    if (a->key < 0)
        return;
    c->idempotent = true;
    c->idempotency_key[0] = c->idempotency_key[1] = a->key_text * 0x9e3779b97f4a7c15ULL;
    c->idempotency_body[0] = c->idempotency_body[1] = a->body;
}

static void translate_item(const struct ask *a, struct command *c)
{
    c->item.item_id = a->item_id;
    if (a->kind == COMMAND_ITEM_ATTRIBUTES)
        c->item.attributes = translate_attributes(a->attributes);
    if (a->kind == COMMAND_ITEM_QUANTITY)
        c->item.quantity = a->quantity;
    if (a->kind == COMMAND_ITEM_CATEGORY)
        c->item.category = translate_category(a->category);
    if (a->kind != COMMAND_ITEM_MOVE)
        return;
    c->item.seat = a->in_time ? (struct text){0} : translate_seat(a->seat);
    c->item.start_ms = a->start_ms;
    c->item.end_ms = a->end_ms;
    c->item.has_end = a->has_end;
}

static void translate_pass(const struct ask *a, struct command *c)
{
    c->pass.verdict = a->pass.verdict;
    if (a->pass.verdict == PASS_NONE || a->pass.verdict == PASS_FALSE)
        return;
    c->pass.event = translate_event(a->pass.event);
    c->pass.user = translate_user(a->pass.user);
    c->pass.entry = a->pass.entry;
}

static void translate_hold(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    translate_items(a, out);
    c->hold.items = out->items;
    c->hold.count = a->count;
    c->hold.code = translate_code(a->code, a->loud);
    c->hold.ttl_s = a->ttl_s;
    if (a->attributes >= 0)
        c->hold.attributes = translate_attributes(a->attributes);
    c->hold.commit = a->commit;
    c->hold.if_match = a->if_match;
    c->hold.version = a->version;
    c->hold.ticket_key[0] = a->id.low;
    c->hold.payment_ref = a->commit ? translate_ref(a->ref) : (struct text){0};
    c->hold.amount = translate_amount(&a->amount);
}

static void translate_line(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    if (a->kind == COMMAND_QUEUE_PATCH) {
        c->queue_patch.event = translate_event(a->event);
        c->queue_patch.has_rate = a->has_rate;
        c->queue_patch.has_max_active = a->has_max_active;
        c->queue_patch.has_paused = a->has_paused;
        c->queue_patch.has_open_at = a->has_open_at;
        c->queue_patch.rate_per_second = a->queue.rate;
        c->queue_patch.max_active = a->queue.max_active;
        c->queue_patch.paused = a->paused;
        c->queue_patch.open_at_ms = a->queue.open_at_ms;
        translate_seed(a->secret, c->queue_patch.seed);
    } else if (a->kind < COMMAND_QUEUE_PATCH) {
        c->queue.event = translate_event(a->event);
        c->queue.entry = a->entry;
        c->queue.code = translate_code(a->code, a->loud);
        c->queue.tiers = out->tiers;
        c->queue.tier_count = translate_tiers(a->tiers, out->tiers);
    } else {
        c->list.event = translate_event(a->event);
        c->list.entry = a->entry;
        c->list.code = translate_code(a->code, a->loud);
        c->list.wish = (struct list_wish){.quantity = a->wish.quantity,
                                          .adjacent = a->wish.adjacent,
                                          .tier = translate_tier(a->wish.tier),
                                          .section = translate_section(a->wish.section)};
        if (a->wish.pool >= 0)
            c->list.wish.pool = translate_pool(a->wish.pool);
    }
}

void translate(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    *c = (struct command){.kind = a->kind, .actor = {.role = a->role}, .reservation = a->id};
    if (a->role == ROLE_USER)
        c->actor.name = translate_user(a->actor);
    else if (a->role == ROLE_APP)
        c->actor.name = TEXT("shop");
    if (a->named >= 0)
        c->user_id = translate_user(a->named);
    if (a->role == ROLE_ORDER)
        c->order = (struct order_claim){a->order, a->gen};
    translate_key(a, c);
    translate_pass(a, c);
    if (ask_of_lines(a->kind)) {
        translate_line(a, out);
    } else if (a->kind == COMMAND_HOLD || a->kind == COMMAND_ITEMS_ADD) {
        translate_hold(a, out);
    } else if (ask_of_item(a->kind)) {
        translate_item(a, c);
    } else if (a->kind == COMMAND_ATTRIBUTES) {
        c->attributes = translate_attributes(a->attributes);
    } else if (a->kind == COMMAND_TRANSFER) {
        c->transfer.to = translate_user(a->to);
        c->transfer.ticket_key[0] = a->ticket;
        c->transfer.ticket_key[1] = 1;
        c->transfer.keep_attributes = a->keep_attributes;
    } else if (a->kind == COMMAND_ERASE) {
        c->erase.from = translate_user(a->named);
        c->erase.to = translate_user(a->to);
    } else if (ask_of_money(a->kind) || ask_of_door(a->kind)) {
        translate_money(a, out);
    } else if (a->kind == COMMAND_EXTEND) {
        c->ttl_s = a->ttl_s;
    } else if (a->kind == COMMAND_COMMIT || a->kind == COMMAND_PAYMENT) {
        c->commit.ticket_key[0] = a->id.low;
        c->commit.payment_ref = translate_ref(a->ref);
        c->commit.amount = translate_amount(&a->amount);
        if (a->attributes >= 0)
            c->commit.attributes = translate_attributes(a->attributes);
    } else {
        translate_catalogue(a, out);
    }
}

void translate_seats(const struct ask *a, struct buf *rows)
{
    for (uint32_t i = 0; i < a->seat_count; i++) {
        const struct ask_seat *s = &a->seats[i];
        struct seat_image seat = {.id = translate_seat(s->seat),
                                  .price = s->price,
                                  .blocked = s->blocked,
                                  .accessible = s->accessible};
        seat.section = translate_section(s->section);
        if (s->row >= 0)
            seat.row = numbered('R', s->row);
        if (s->number >= 0) {
            seat.number = numbered('n', s->number);
            seat.number.at++;
            seat.number.size--;
        }
        seat.tier = translate_tier(s->tier);
        seat.allotment = translate_allotment(s->allotment);
        seat_row_put(rows, s->columns, &seat);
    }
}
