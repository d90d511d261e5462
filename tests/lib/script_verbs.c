/* SPDX-License-Identifier: Apache-2.0 */
/* script_verbs.c — the verbs of a script that are commands. */
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/time/zone.h"
#include "core/catalogue/event.h"
#include "core/key.h"
#include "script.h"

/* ---- The catalogue ---- */

/* A time, in seconds. */
static uint32_t seconds(const char *word, uint32_t otherwise)
{
    return word ? (uint32_t)(script_time(word) / 1000) : otherwise;
}

static int64_t instant(const char *word)
{
    return word ? WORLD_EPOCH_MS + script_time(word) : 0;
}

/* "-": none. */
static struct text script_allotment(const char *word)
{
    return word && strcmp(word, "-") != 0 ? script_text(word) : (struct text){0};
}

/* The columns of a `seats` line, and their values. */
static uint32_t seat_columns(const struct script_line *l, struct seat_image *seat)
{
    const char *section = script_option(l, "section"), *row = script_option(l, "row");
    const char *number = script_option(l, "number"), *tier = script_option(l, "tier");
    const char *price = script_option(l, "price"), *blocked = script_option(l, "blocked");
    const char *x = script_option(l, "x"), *y = script_option(l, "y");
    const char *accessible = script_option(l, "accessible"), *allotment = script_option(l, "allotment");
    *seat = (struct seat_image){
        .section = script_text(section),
        .row = script_text(row),
        .number = script_text(number),
        .tier = script_text(tier),
        .price = price ? script_number(price) : 0,
        .blocked = blocked && script_number(blocked),
        .accessible = accessible && script_number(accessible),
        .allotment = script_allotment(allotment),
        .has_x = x != NULL,
        .has_y = y != NULL,
        .x_milli = x ? (int32_t)script_number(x) : 0,
        .y_milli = y ? (int32_t)script_number(y) : 0,
    };
    return (section ? SEAT_COLUMN_SECTION : 0u) | (row ? SEAT_COLUMN_ROW : 0u) |
           (number || script_flag(l, "numbers") ? SEAT_COLUMN_NUMBER : 0u) | (x ? SEAT_COLUMN_X : 0u) |
           (y ? SEAT_COLUMN_Y : 0u) | (tier ? SEAT_COLUMN_TIER : 0u) | (price ? SEAT_COLUMN_PRICE : 0u) |
           (accessible ? SEAT_COLUMN_ACCESSIBLE : 0u) | (blocked ? SEAT_COLUMN_BLOCKED : 0u) |
           (allotment ? SEAT_COLUMN_ALLOTMENT : 0u);
}

static void verb_seats(struct script *s, const char *event, const char *list, struct outcome *out)
{
    static char ids[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1];
    struct seat_image seat;
    struct buf rows;
    uint32_t columns = seat_columns(&s->line, &seat), count = script_ids(list, ids);
    if (strcmp(list, "-") == 0)
        count = 0;
    buf_init(&rows, 1 << 20);
    for (uint32_t i = 0; i < count; i++) {
        seat.id = script_text(ids[i]);
        if (script_flag(&s->line, "numbers"))
            seat.number = script_text(ids[i] + strcspn(ids[i], "0123456789"));
        seat_row_put(&rows, columns, &seat);
    }
    world_import(&s->world, script_text(event), &rows, count, out);
    buf_release(&rows);
}

static void put_pool(struct script *s, const char *event, const char *name, uint32_t capacity, int64_t price,
                     const char *prices, struct outcome *out)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = script_text(event);
    c.pool_put.id = script_text(name);
    c.pool_put.capacity = capacity;
    c.pool_put.price = price;
    c.pool_put.prices = script_text(prices);
    c.pool_put.allotment = script_allotment(script_option(&s->line, "allotment"));
    world_apply(&s->world, &c, out);
}

static void event_pools(struct script *s, const char *event, const char *list)
{
    char copy[256];
    struct outcome out;
    snprintf(copy, sizeof(copy), "%s", list);
    char *rest = copy, *word;
    while ((word = strsep(&rest, ","))) {
        const char *name = strsep(&word, ":"), *capacity = strsep(&word, ":"), *price = strsep(&word, ":");
        put_pool(s, event, name, (uint32_t)script_number(capacity), price ? script_number(price) : 0, NULL,
                 &out);
        if (out.code != OUTCOME_OK)
            script_wrong(s, "Pool %s: %s", name, outcome_name(out.code));
    }
}

struct terms script_terms(const struct script_line *l, uint32_t ttl_s, uint32_t max_s)
{
    const char *currency = script_option(l, "currency"), *payment = script_option(l, "payment");
    const char *late = script_option(l, "late");
    struct terms terms = {
        .hold_ttl_s = seconds(script_option(l, "ttl"), ttl_s),
        .max_hold_s = seconds(script_option(l, "max"), max_s),
        .payment_ttl_s = seconds(script_option(l, "payttl"), 300),
        .payment = payment && strcmp(payment, "none") == 0 ? PAYMENT_NONE : PAYMENT_REQUIRED,
        .late_payment =
            late && strcmp(late, "refund") == 0 ? LATE_PAYMENT_REFUND : LATE_PAYMENT_ACCEPT_IF_FREE,
    };
    memcpy(terms.currency, currency ? currency : "EUR", 3);
    return terms;
}

static void verb_event(struct script *s, struct outcome *out)
{
    const struct script_line *l = &s->line;
    const char *limit = script_option(l, "limit"), *seats = script_option(l, "seats");
    const char *pools = script_option(l, "pools");
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    struct event_image *e = &c.event_put.image;
    e->id = script_text(l->words[1]);
    e->name = script_text(l->words[1]);
    uint32_t ttl_s = seconds(script_option(l, "ttl"), 600);
    e->terms = script_terms(l, ttl_s, ttl_s + ttl_s / 2);
    e->terms.staff_hold_s = seconds(script_option(l, "staff"), 0);
    const char *transfer = script_option(l, "transfer");
    e->transfer = transfer && strcmp(transfer, "off") == 0 ? TRANSFER_OFF : TRANSFER_ON;
    const char *cancel = script_option(l, "cancel");
    e->cancels = cancel != NULL;
    e->cancel_until_s = seconds(cancel, 0);
    e->per_user_limit = limit ? (uint32_t)script_number(limit) : 0;
    e->no_guests = script_flag(l, "noguests");
    e->access = script_option(l, "access") ? ACCESS_CODE : ACCESS_OPEN;
    e->on_sale_at_ms = instant(script_option(l, "onsale"));
    e->off_sale_at_ms = instant(script_option(l, "offsale"));
    e->description = script_text(script_option(l, "description"));
    e->venue = script_text(script_option(l, "venue"));
    e->image = script_text(script_option(l, "image"));
    e->refuse_singles = script_flag(l, "nosingles");
    e->categories = script_text(script_option(l, "categories"));
    e->prices = script_text(script_option(l, "prices"));
    c.event_put.copy_seats_from = script_text(script_option(l, "copy"));
    script_queue_settings(l, &c);
    script_list_settings(l, &c);
    e->timezone = script_text(script_option(l, "zone"));
    c.event_put.zone = e->timezone.at ? zone_load(e->timezone.at) : NULL;
    world_apply(&s->world, &c, out);
    zone_release(c.event_put.zone);
    if (out->code != OUTCOME_OK)
        return;
    struct outcome more;
    if (seats)
        verb_seats(s, l->words[1], seats, &more);
    if (pools)
        event_pools(s, l->words[1], pools);
}

/* LIST, or in:NAME: all seats of that allotment. */
static void verb_mark(struct script *s, struct command *c, struct outcome *out)
{
    static char names[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1];
    static struct text ids[SCRIPT_IDS_MAX];
    const char *list = s->line.words[2];
    c->seats_block.event = script_text(s->line.words[1]);
    if (strncmp(list, "in:", 3) == 0)
        c->seats_block.in = script_text(list + 3);
    else
        c->seats_block.count = script_ids(list, names);
    for (uint32_t i = 0; i < c->seats_block.count; i++)
        ids[i] = script_text(names[i]);
    c->seats_block.ids = ids;
    world_apply(&s->world, c, out);
    script_expect_number(s, "marked", out->seats_changed);
    script_expect_number(s, "skipped", out->seats_skipped);
}

static void verb_block(struct script *s, bool blocked, struct outcome *out)
{
    struct command c = {.kind = COMMAND_SEATS_BLOCK, .actor = {.role = ROLE_ADMIN}};
    c.seats_block.blocked = blocked;
    verb_mark(s, &c, out);
}

/* allot E LIST to NAME [blocked 0|1] */
static void verb_allot(struct script *s, struct outcome *out)
{
    const char *blocked = script_option(&s->line, "blocked");
    struct command c = {.kind = COMMAND_SEATS_BLOCK, .actor = {.role = ROLE_ADMIN}};
    c.seats_block.allots = true;
    c.seats_block.allotment = script_allotment(script_option(&s->line, "to"));
    c.seats_block.keeps_blocked = !blocked;
    c.seats_block.blocked = blocked && script_number(blocked);
    verb_mark(s, &c, out);
}

static void verb_unseat(struct script *s, struct outcome *out)
{
    static char names[SCRIPT_IDS_MAX][ID_SIZE_MAX + 1];
    static struct text ids[SCRIPT_IDS_MAX];
    uint32_t count = script_ids(s->line.words[2], names);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = script_text(names[i]);
    world_remove_seats(&s->world, script_text(s->line.words[1]), ids, count, out);
}

static void value_hash(const char *value, uint8_t hash[32])
{
    memset(hash, 0, 32);
    memcpy(hash, value, strnlen(value, 32));
}

/* Option `value V`: the value a client presents; default: the name. */
static void verb_key(struct script *s, enum command_kind kind, struct outcome *out)
{
    struct command c = {.kind = kind, .actor = {.role = ROLE_ADMIN}};
    const char *name = s->line.words[1], *value = script_option(&s->line, "value");
    value = value ? value : name;
    if (kind == COMMAND_KEY_ROTATE) {
        c.key_rotate.name = script_text(name);
        c.key_rotate.old_valid_s = seconds(script_option(&s->line, "old"), 0);
        value_hash(value, c.key_rotate.hash);
    } else {
        c.key.name = script_text(name);
        c.key.role = ROLE_APP;
        value_hash(value, c.key.hash);
    }
    world_apply(&s->world, &c, out);
}

/* `whose V`: the key that has this value now. */
static void verb_whose(struct script *s, struct outcome *out)
{
    uint8_t hash[32];
    value_hash(s->line.words[1], hash);
    const struct key *key = state_key_find(s->world.st, hash, s->world.now_ms);
    const char *of = script_option(&s->line, "of");
    if (key && !(of && text_equal(key->image.name, script_text(of))))
        script_wrong(s, "It is the value of another key.");
    s->world.appended = 0; /* it was only read */
    out->code = key ? OUTCOME_OK : OUTCOME_NO_SUCH_KEY;
}

/* ---- Reservations ---- */

static void best_options(char *options, struct item_request *item)
{
    char *word;
    while ((word = strsep(&options, ":"))) {
        if (strncmp(word, "section=", 8) == 0)
            item->section = script_text(word + 8);
        else if (strncmp(word, "tier=", 5) == 0)
            item->tier = script_text(word + 5);
        else if (strncmp(word, "accessible=", 11) == 0)
            item->accessible = (uint32_t)script_number(word + 11);
        else if (strcmp(word, "adjacent") == 0)
            item->adjacent = true;
    }
}

uint32_t script_items(char *copy, struct item_request items[ITEMS_MAX + 10])
{
    uint32_t count = 0;
    char *word;
    while ((word = strsep(&copy, ",")) && count < ITEMS_MAX + 10) {
        struct item_request *item = &items[count++];
        *item = (struct item_request){.kind = ITEM_SEAT, .quantity = 1};
        char *plain = strsep(&word, "~"), *attributes = word;
        char *coded = strsep(&plain, "^");
        item->allotment = script_text(plain);
        char *priced = strsep(&coded, "!");
        struct text code = script_text(coded);
        word = strsep(&priced, "%");
        item->category = script_text(priced);
        struct text allotment = item->allotment;
        bool slot = script_slot_request(word, item);
        item->code = code;
        item->allotment = allotment;
        item->attributes = script_text(attributes);
        if (slot)
            continue;
        item->resource = script_text(strsep(&word, "/"));
        char *unit = strsep(&word, "*");
        item->part = script_text(unit);
        if (!word)
            continue;
        char *quantity = strsep(&word, ":");
        item->quantity = (uint32_t)script_number(quantity);
        item->kind = strcmp(unit, "best") == 0 ? ITEM_BEST : ITEM_POOL;
        if (item->kind == ITEM_BEST)
            item->part = (struct text){0};
        best_options(word, item); /* too much for a pool, which core has to refuse */
    }
    return count;
}

static struct actor actor_of(const char *who)
{
    if (strcmp(who, "app") == 0)
        return (struct actor){.role = ROLE_APP, .name = TEXT("shop")};
    if (strcmp(who, "door") == 0)
        return (struct actor){.role = ROLE_DOOR, .name = TEXT("gates")};
    if (strcmp(who, "admin") == 0)
        return (struct actor){.role = ROLE_ADMIN};
    if (strcmp(who, "order") == 0)
        return (struct actor){.role = ROLE_ORDER};
    return (struct actor){.role = ROLE_USER, .name = script_text(who)};
}

/* Keys are separate for each path. Not the kind's own number, which changes with the list of commands, while the bytes
 * of a journal stay (journal.crc). */
static uint64_t path_number(enum command_kind kind)
{
    return kind == COMMAND_HOLD ? 6 : kind == COMMAND_ITEMS_ADD ? 8 : kind == COMMAND_QUEUE_JOIN ? 20 : 24;
}

void script_idempotency(const struct script_line *l, struct command *c)
{
    const char *key = script_option(l, "key"), *body = script_option(l, "body");
    const struct hash_key salt = {3, 4};
    if (!key)
        return;
    if (!body)
        body = script_option(l, "on") ? script_option(l, "on") : script_option(l, "to");
    c->idempotent = true;
    c->idempotency_key[0] = hash_sip(salt, key, strlen(key));
    c->idempotency_key[1] = hash_sip(salt, &c->idempotency_key[0], 8) + path_number(c->kind);
    c->idempotency_body[0] = c->idempotency_body[1] = hash_sip(salt, body, strlen(body));
}

struct command script_command(struct script *s, enum command_kind kind)
{
    const struct script_line *l = &s->line;
    const char *who = script_option(l, "by");
    struct command c = {.kind = kind};
    if (!who || l->count < 2) {
        script_wrong(s, "Nobody asks.");
        who = "nobody";
    }
    c.actor = actor_of(who);
    c.user_id = script_text(script_option(l, "for"));
    c.reservation = script_name(s, l->words[1])->id;
    if (c.actor.role == ROLE_ORDER) {
        const char *of = script_option(l, "of"), *gen = script_option(l, "gen");
        c.order.reservation = script_name(s, of ? of : l->words[1])->id;
        c.order.gen = gen ? (uint32_t)script_number(gen) : 0;
    }
    return c;
}

/* gatehold, gateadd: a copy judges it, with intents of others on these items: "intents 0,2". */
static void judge_by_copy(struct script *s, const struct command *c, struct outcome *out)
{
    struct gate_intents intents = {0};
    const char *at = script_option(&s->line, "intents");
    for (; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        intents.items[intents.count++] = (uint32_t)strtoul(at, NULL, 10);
    bool grants = world_judge(&s->world, c, intents.count ? &intents : NULL, out) == GATE_GRANTS;
    if (grants != script_expects(&s->line, "grants"))
        script_wrong(s, "A copy %s.", grants ? "would grant it" : "has no such verdict");
}

static void verb_hold(struct script *s, enum command_kind kind, bool gate, struct outcome *out)
{
    static struct item_request items[ITEMS_MAX + 10];
    char copy[1024];
    const struct script_line *l = &s->line;
    const char *on = script_option(l, "on"), *match = script_option(l, "ifmatch");
    struct command c = script_command(s, kind);
    snprintf(copy, sizeof(copy), "%s", on ? on : "");
    script_idempotency(l, &c);
    script_pass(s, &c);
    c.hold.items = items;
    c.hold.count = script_items(copy, items);
    c.hold.ttl_s = seconds(script_option(l, "ttl"), 0);
    c.hold.attributes = script_text(script_option(l, "attributes"));
    c.hold.code = script_text(script_option(l, "code"));
    c.hold.commit = script_flag(l, "commit");
    c.hold.payment_ref = script_text(script_option(l, "ref"));
    c.hold.payment_method = script_text(script_option(l, "method"));
    c.hold.amount = script_amount(s);
    c.hold.if_match = match != NULL;
    c.hold.version = match && strcmp(match, "seen") != 0 ? (uint64_t)script_number(match) : s->seen_version;
    c.hold.ticket_key[0] = c.reservation.low;
    c.hold.ticket_key[1] = 7;
    if (gate)
        judge_by_copy(s, &c, out);
    else
        world_apply(&s->world, &c, out);
}

/* An item by its id, or by its resource. */
uint32_t script_item_id(struct script *s, struct id id, const char *word)
{
    struct reservation_image image;
    struct item_image items[ITEMS_MAX];
    struct buf text;
    uint32_t found = 0;
    if (!strpbrk(word, "/@"))
        return (uint32_t)script_number(word);
    buf_init(&text, 4096);
    if (script_image(s, id, &image, items))
        for (uint32_t i = 0; i < image.item_count && !found; i++) {
            buf_clear(&text);
            script_item(&text, &items[i]);
            size_t size = strlen(word); /* a pool's quantity can be left out, and attributes too */
            if (text.size >= size && memcmp(text.data, word, size) == 0 &&
                (text.size == size || strchr("*!~%^#", text.data[size])))
                found = items[i].item_id;
        }
    buf_release(&text);
    if (!found)
        script_wrong(s, "It has no item on %s.", word);
    return found;
}

static void verb_item(struct script *s, enum command_kind kind, struct outcome *out)
{
    struct command c = script_command(s, kind);
    const char *item = script_option(&s->line, "item");
    script_pass(s, &c);
    c.item.item_id = item ? script_item_id(s, c.reservation, item) : 0;
    const char *to = script_option(&s->line, "to");
    c.item.seat = script_text(to);
    if (kind == COMMAND_ITEM_QUANTITY)
        c.item.quantity = (uint32_t)script_number(to);
    c.item.attributes = script_text(script_option(&s->line, "set"));
    c.item.category = script_text(script_option(&s->line, "as"));
    const char *time = script_option(&s->line, "time");
    if (time) {
        char copy[128];
        snprintf(copy, sizeof(copy), "%s", time);
        c.item.has_end = script_interval(copy, &c.item.start_ms, &c.item.end_ms);
    }
    world_apply(&s->world, &c, out);
}

static void verb_desk(struct script *s, enum command_kind kind, struct outcome *out)
{
    const struct script_line *l = &s->line;
    struct command c = script_command(s, kind);
    if (kind == COMMAND_EXTEND) {
        c.ttl_s = seconds(script_option(l, "ttl"), 0);
    } else if (kind == COMMAND_ATTRIBUTES) {
        c.attributes = script_text(script_option(l, "set"));
    } else if (kind == COMMAND_COMMIT || kind == COMMAND_PAYMENT) {
        c.commit.payment_ref = script_text(script_option(l, "ref"));
        c.commit.payment_method = script_text(script_option(l, "method"));
        c.commit.amount = script_amount(s);
        c.commit.attributes = script_text(script_option(l, "attributes"));
        /* a different key each time: the first one must be kept */
        c.commit.ticket_key[0] = c.reservation.low + (uint64_t)s->line.number;
        c.commit.ticket_key[1] = 7;
    }
    script_submit(s, &c, out);
}

static void verb_transfer(struct script *s, struct outcome *out)
{
    struct command c = script_command(s, COMMAND_TRANSFER);
    script_idempotency(&s->line, &c);
    c.transfer.to = script_text(script_option(&s->line, "to"));
    c.transfer.ticket_key[0] = c.reservation.low + (uint64_t)s->line.number;
    c.transfer.ticket_key[1] = 8;
    c.transfer.keep_attributes = script_flag(&s->line, "keep");
    world_apply(&s->world, &c, out);
}

void script_see(struct script *s)
{
    char copy[128];
    snprintf(copy, sizeof(copy), "%s", s->line.words[1]);
    char *rest = copy;
    struct event *e = event_find(s->world.st, script_text(strsep(&rest, "/")));
    uint32_t position = e ? layout_find(e->layout, script_text(rest)) : LAYOUT_NONE;
    if (position == LAYOUT_NONE)
        script_wrong(s, "There is no such seat.");
    else
        s->seen_version = seat_at(e, position)->version;
}

static bool catalogue_verb(struct script *s, struct outcome *out)
{
    const char *verb = s->line.words[0];
    const char *price = script_option(&s->line, "price"), *capacity = script_option(&s->line, "capacity");
    struct command c = {.kind = COMMAND_EVENT_REMOVE, .actor = {.role = ROLE_ADMIN}};
    if (strcmp(verb, "event") == 0)
        verb_event(s, out);
    else if (strcmp(verb, "calendar") == 0)
        script_calendar(s, out);
    else if (strcmp(verb, "patch") == 0)
        script_patch(s, out);
    else if (strcmp(verb, "seats") == 0)
        verb_seats(s, s->line.words[1], s->line.words[2], out);
    else if (strcmp(verb, "pool") == 0)
        put_pool(s, s->line.words[1], s->line.words[2], (uint32_t)script_number(capacity),
                 price ? script_number(price) : 0, script_option(&s->line, "prices"), out);
    else if (strcmp(verb, "block") == 0 || strcmp(verb, "unblock") == 0)
        verb_block(s, verb[0] == 'b', out);
    else if (strcmp(verb, "allot") == 0)
        verb_allot(s, out);
    else if (strcmp(verb, "unseat") == 0)
        verb_unseat(s, out);
    else if (strcmp(verb, "key") == 0 || strcmp(verb, "unkey") == 0)
        verb_key(s, verb[0] == 'k' ? COMMAND_KEY_CREATE : COMMAND_KEY_REMOVE, out);
    else if (strcmp(verb, "rotate") == 0)
        verb_key(s, COMMAND_KEY_ROTATE, out);
    else if (strcmp(verb, "whose") == 0)
        verb_whose(s, out);
    else if (strcmp(verb, "remove") == 0) {
        if (script_flag(&s->line, "calendar")) {
            c.kind = COMMAND_CALENDAR_REMOVE;
            c.calendar = script_text(s->line.words[1]);
        } else
            c.event = script_text(s->line.words[1]);
        world_apply(&s->world, &c, out);
    } else
        return false;
    return true;
}

bool script_verb(struct script *s, struct outcome *out)
{
    static const struct {
        const char *name;
        enum command_kind kind;
    } verbs[] = {{"look", COMMAND_LOOK},
                 {"extend", COMMAND_EXTEND},
                 {"pay", COMMAND_PAYMENT},
                 {"commit", COMMAND_COMMIT},
                 {"release", COMMAND_RELEASE},
                 {"attributes", COMMAND_ATTRIBUTES},
                 {"drop", COMMAND_ITEM_DROP},
                 {"move", COMMAND_ITEM_MOVE},
                 {"hold", COMMAND_HOLD},
                 {"add", COMMAND_ITEMS_ADD},
                 {"gatehold", COMMAND_HOLD},
                 {"gateadd", COMMAND_ITEMS_ADD},
                 {"label", COMMAND_ITEM_ATTRIBUTES},
                 {"size", COMMAND_ITEM_QUANTITY},
                 {"revoke", COMMAND_TOKENS_REVOKE},
                 {"price", COMMAND_ITEM_CATEGORY}};
    *out = (struct outcome){0};
    for (size_t i = 0; i < sizeof(verbs) / sizeof(*verbs); i++) {
        if (strcmp(s->line.words[0], verbs[i].name) != 0)
            continue;
        enum command_kind kind = verbs[i].kind;
        if (kind == COMMAND_HOLD || kind == COMMAND_ITEMS_ADD)
            verb_hold(s, kind, verbs[i].name[0] == 'g', out);
        else if (kind == COMMAND_ITEM_DROP || kind == COMMAND_ITEM_MOVE || kind == COMMAND_ITEM_ATTRIBUTES ||
                 kind == COMMAND_ITEM_QUANTITY || kind == COMMAND_ITEM_CATEGORY)
            verb_item(s, kind, out);
        else
            verb_desk(s, kind, out);
        return true;
    }
    if (strcmp(s->line.words[0], "transfer") == 0) {
        verb_transfer(s, out);
        return true;
    }
    return catalogue_verb(s, out) || script_queue_verb(s, out) || script_list_verb(s, out) ||
           script_code_verb(s, out) || script_group_verb(s, out) || script_money_verb(s, out) ||
           script_hook_verb(s, out) || script_door_verb(s, out) || script_person_verb(s, out) ||
           script_dispatch_verb(s, out);
}
