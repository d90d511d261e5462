/* SPDX-License-Identifier: Apache-2.0 */
#include "translate.h"

#include <stdio.h>

#include "base/assertion.h"
#include "base/zone.h"

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
    static char guests[ASK_USERS][12];
    if (user < ASK_REGULARS)
        return (struct text){names[user], strlen(names[user])};
    if (!ask_guest(user))
        return numbered('u', user);
    int size = snprintf(guests[user], sizeof(guests[user]), "guest_%d", user);
    return (struct text){guests[user], (size_t)size};
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

struct text translate_ref(int ref)
{
    return ref ? numbered('r', ref) : (struct text){0};
}

static void translate_slot(const struct ask_item *item, struct item_request *r)
{
    r->resource = translate_calendar(item->event);
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
        if (item->attributes)
            r->attributes = translate_attributes(item->attributes);
        if (item->kind == ITEM_SEAT)
            r->part = translate_seat(item->unit);
        else if (item->kind == ITEM_POOL)
            r->part = translate_pool(item->unit);
        else if (item->kind == ITEM_SLOT)
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
}

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
        .late_payment = LATE_PAYMENT_REFUND,
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

static uint32_t translate_tiers(uint8_t tiers, struct text *out)
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
    rules.buffer_before_minutes = from->before_minutes;
    rules.min_minutes = from->min_minutes;
    rules.max_minutes = from->max_minutes;
    rules.price_per = from->per_slot ? PRICE_PER_SLOT : PRICE_PER_CLAIM;
    rules.notice_minutes = from->notice_minutes;
    rules.horizon_days = from->horizon_days;
    rules.per_user_limit = from->limit;
    rules.change_until_minutes = from->change_minutes;
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

static void translate_catalogue(const struct ask *a, struct translation *out)
{
    struct command *c = &out->command;
    if (a->kind == COMMAND_EVENT_PUT) {
        translate_put(a, out);
    } else if (a->kind == COMMAND_CALENDAR_PUT) {
        translate_calendar_put(a, out);
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
        size_t size = json_prices(out->prices, sizeof(out->prices), a->prices);
        c->pool_put.prices = size ? (struct text){out->prices, size} : (struct text){0};
    } else if (a->kind == COMMAND_SEATS_BLOCK) {
        for (uint32_t i = 0; i < a->seat_count; i++)
            out->ids[i] = translate_seat(a->seats[i].seat);
        c->seats_block.event = translate_event(a->event);
        c->seats_block.ids = out->ids;
        c->seats_block.count = a->seat_count;
        c->seats_block.blocked = a->blocked;
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
    } else if (a->kind == COMMAND_EXTEND) {
        c->ttl_s = a->ttl_s;
    } else if (a->kind == COMMAND_COMMIT || a->kind == COMMAND_PAYMENT) {
        c->commit.ticket_key[0] = a->id.low;
        c->commit.payment_ref = translate_ref(a->ref);
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
        seat_row_put(rows, s->columns, &seat);
    }
}
