/* SPDX-License-Identifier: Apache-2.0 */
/* translate_catalogue.c — the catalogue as core's commands: events, seats, pools, codes, calendars, keys. */
#include <stdio.h>

#include "translate.h"

/* ---- Prices, as JSON ---- */

static size_t json_prices(char *at, size_t room, const uint8_t prices[ASK_CATEGORIES])
{
    size_t size = 0;
    at[size++] = '{';
    for (int i = 0; i < ASK_CATEGORIES; i++)
        if (prices[i])
            size += (size_t)snprintf(at + size, room - size, "\"K%d\":%d,", i + 1, prices[i] - 1);
    if (size == 1)
        return 0;
    at[size - 1] = '}';
    return size;
}

static void translate_prices(const struct ask_settings *s, struct translation *out, struct event_image *image)
{
    size_t size = 0;
    for (int i = 0; i < s->category_count; i++)
        size += (size_t)snprintf(out->categories + size, sizeof(out->categories) - size, "%s\"K%d\"",
                                 i ? "," : "[", (s->category_first + i) % ASK_CATEGORIES + 1);
    if (size) {
        out->categories[size++] = ']';
        image->categories = (struct text){out->categories, size};
    }
    size = 0;
    for (int i = 0; i < ASK_TIERS; i++) {
        char one[64];
        size_t length = json_prices(one, sizeof(one), s->prices[i]);
        if (length)
            size += (size_t)snprintf(out->prices + size, sizeof(out->prices) - size, "%c\"T%d\":%.*s",
                                     size ? ',' : '{', i, (int)length, one);
    }
    if (size) {
        out->prices[size++] = '}';
        image->prices = (struct text){out->prices, size};
    }
}

static struct terms translate_terms(const struct ask_settings *s)
{
    struct terms terms = {
        .hold_ttl_s = s->hold_ttl_s,
        .max_hold_s = s->max_hold_s,
        .payment_ttl_s = s->payment_ttl_s,
        .payment = s->payment_required ? PAYMENT_REQUIRED : PAYMENT_NONE,
        .late_payment = s->late_refund ? LATE_PAYMENT_REFUND : LATE_PAYMENT_ACCEPT_IF_FREE,
        .staff_hold_s = s->staff_hold_s,
    };
    memcpy(terms.currency, s->currency == 'E' ? "EUR" : "USD", 4);
    return terms;
}

void translate_seed(uint64_t secret, uint8_t seed[32])
{
    for (int i = 0; i < 32; i++)
        seed[i] = (uint8_t)(secret * 0x9e3779b97f4a7c15ULL >> (i % 8 * 8)) ^ (uint8_t)i;
}

uint32_t translate_tiers(uint8_t tiers, struct text *out)
{
    uint32_t count = 0;
    for (int i = 0; i < ASK_TIERS; i++)
        if (tiers >> i & 1)
            out[count++] = translate_tier(i);
    return count;
}

static void translate_put(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    const struct ask_settings *s = &a->settings;
    c->event_put.image = (struct event_image){
        .id = translate_event(a->event),
        .name = translate_event(a->event),
        .starts_at_ms = s->starts_at_ms,
        .on_sale_at_ms = s->on_sale_at_ms,
        .off_sale_at_ms = s->off_sale_at_ms,
        .terms = translate_terms(s),
        .per_user_limit = s->limit,
        .no_guests = s->no_guests,
        .refuse_singles = s->refuse_singles,
        .cancels = s->cancels,
        .cancel_until_s = s->cancel_s,
        .transfer = s->no_transfer ? TRANSFER_OFF : TRANSFER_ON,
        .access = s->by_code ? ACCESS_CODE : ACCESS_OPEN,
        .has_queue = a->queue.has,
        .has_list = a->has_list,
    };
    translate_prices(s, out, &c->event_put.image);
    if (a->queue.has)
        c->event_put.image.queue = (struct queue_settings){
            .open_at_ms = a->queue.open_at_ms,
            .rate_per_second = a->queue.rate,
            .max_active = a->queue.max_active,
            .pass_ttl_s = a->queue.pass_ttl_s,
            .shuffle_before_open = a->queue.shuffle,
            .by_inventory = a->queue.by_inventory,
            .tiers = out->tiers,
            .tier_count = translate_tiers(a->queue.tiers, out->tiers),
        };
    if (a->queue.has || a->has_list) {
        c->event_put.image.entry_key[0] = a->secret;
        c->event_put.image.entry_key[1] = ~a->secret;
        translate_seed(a->secret, c->event_put.seed);
    }
    if (a->copy >= 0)
        c->event_put.copy_seats_from = translate_event(a->copy);
}

static void translate_codes(const struct ask *a, struct translation *out)
{
    for (uint32_t i = 0; i < a->code_count; i++)
        out->codes[i] =
            (struct code_image){.code = translate_code(a->codes[i].code, a->loud),
                                .units = a->codes[i].units,
                                .allotment = translate_allotment(a->codes[i].allotment),
                                .tiers = out->code_tiers[i],
                                .tier_count = translate_tiers(a->codes[i].tiers, out->code_tiers[i])};
    out->command.codes_put.event = translate_event(a->event);
    out->command.codes_put.codes = out->codes;
    out->command.codes_put.count = a->code_count;
}

static void translate_calendar_put(const struct ask *a, struct translation *out)
{
    const struct ask_calendar *from = &a->calendar;
    for (uint32_t i = 0; i < from->service_count; i++)
        out->services[i] = (struct service_image){.id = translate_service(from->services[i].service),
                                                  .duration_minutes = from->services[i].minutes,
                                                  .price = from->services[i].price};
    out->command.calendar_put.zone = translate_zone();
    struct calendar_rules rules = CALENDAR_RULES_PLAIN;
    rules.guests = !a->settings.no_guests;
    rules.size = from->size;
    rules.buffer_before_minutes = from->before_minutes;
    rules.min_minutes = from->min_minutes;
    rules.max_minutes = from->max_minutes;
    rules.price_per = from->per_slot ? PRICE_PER_SLOT : PRICE_PER_CLAIM;
    rules.notice_minutes = from->notice_minutes;
    rules.horizon_days = from->horizon_days;
    rules.per_user_limit = from->limit;
    rules.change_until_minutes = from->change_minutes;
    rules.cancels = from->cancels;
    rules.cancel_until_minutes = from->cancel_minutes;
    out->command.calendar_put.image = (struct calendar_image){
        .id = translate_calendar(a->event),
        .name = translate_calendar(a->event),
        .timezone = TEXT("UTC"),
        .capacity = from->capacity,
        .price = from->price,
        .terms = translate_terms(&a->settings),
        .slot_minutes = from->slot_minutes,
        .buffer_minutes = from->buffer_minutes,
        .rules = rules,
        .hours = &from->hours,
        .hours_count = from->always ? 0 : 1,
        .closed = from->closed,
        .closed_count = from->closed_count,
        .services = out->services,
        .service_count = from->service_count,
    };
}

static void translate_group_put(const struct ask *a, struct translation *out)
{
    for (uint32_t i = 0; i < a->member_count; i++)
        out->members[i] = (struct group_member){.id = translate_calendar(a->members[i])};
    out->command.group_put = (struct group_image){.id = translate_group(a->event + 1),
                                                  .name = translate_group(a->event + 1),
                                                  .pick = a->in_order ? PICK_IN_ORDER : PICK_LEAST_BUSY,
                                                  .members = out->members,
                                                  .member_count = a->member_count};
}

void translate_catalogue(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    if (a->kind == COMMAND_EVENT_PUT) {
        translate_put(a, out);
    } else if (a->kind == COMMAND_EVENT_PATCH) {
        translate_put(a, out);
        translate_event_patch(a, out);
    } else if (a->kind == COMMAND_CALENDAR_PUT) {
        translate_calendar_put(a, out);
    } else if (a->kind == COMMAND_CALENDAR_PATCH) {
        translate_calendar_put(a, out);
        translate_calendar_patch(a, out);
    } else if (a->kind == COMMAND_CALENDAR_REMOVE) {
        c->calendar = translate_calendar(a->event);
    } else if (a->kind == COMMAND_GROUP_PUT) {
        translate_group_put(a, out);
    } else if (a->kind == COMMAND_GROUP_REMOVE) {
        c->group = translate_group(a->event + 1);
    } else if (a->kind == COMMAND_CODES_PUT) {
        translate_codes(a, out);
    } else if (a->kind == COMMAND_CODE_REMOVE) {
        c->code_remove.event = translate_event(a->event);
        c->code_remove.code = translate_code(a->code, a->loud);
    } else if (a->kind == COMMAND_EVENT_REMOVE) {
        c->event = translate_event(a->event);
    } else if (a->kind == COMMAND_POOL_PUT) {
        c->pool_put.event = translate_event(a->event);
        c->pool_put.id = translate_pool(a->pool);
        c->pool_put.capacity = a->capacity;
        c->pool_put.price = a->price;
        c->pool_put.allotment = translate_allotment(a->allotment);
        size_t size = json_prices(out->prices, sizeof(out->prices), a->prices);
        c->pool_put.prices = size ? (struct text){out->prices, size} : (struct text){0};
    } else if (a->kind == COMMAND_SEATS_BLOCK) {
        for (uint32_t i = 0; i < a->seat_count; i++)
            out->ids[i] = translate_seat(a->seats[i].seat);
        c->seats_block.event = translate_event(a->event);
        c->seats_block.ids = out->ids;
        c->seats_block.count = a->seat_count;
        c->seats_block.blocked = a->blocked;
        c->seats_block.keeps_blocked = a->keeps_blocked;
        c->seats_block.in = translate_allotment(a->in);
        c->seats_block.allots = a->allots;
        c->seats_block.allotment = translate_allotment(a->allotment);
    } else if (a->kind == COMMAND_KEY_CREATE || a->kind == COMMAND_KEY_REMOVE) {
        c->key.name = translate_api_key(a->pool);
        c->key.role = ROLE_APP;
        translate_value(a->capacity, c->key.hash);
    } else if (a->kind == COMMAND_KEY_ROTATE) {
        c->key_rotate.name = translate_api_key(a->pool);
        c->key_rotate.old_valid_s = a->ttl_s;
        translate_value(a->capacity, c->key_rotate.hash);
    }
}
