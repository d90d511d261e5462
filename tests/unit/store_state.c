/* SPDX-License-Identifier: Apache-2.0 */
/* Whatever core decided, the book made from its changes restores the same state, and is consistent. */
#include "../lib/book_fixture.h"

#include "../lib/state_compare.h"
#include "../lib/world.h"
#include "base/time/zone.h"
#include "book/record/load.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/catalogue/layout.h"
#include "core/entry_id.h"
#include "core/queue/queue.h"

#define STEPS 3200
#define CREATED_MAX 600

struct run {
    struct fixture *f;
    struct world world;
    uint64_t random;
    struct id created[CREATED_MAX];
    uint32_t created_count;
    uint32_t outcomes[OUTCOME_COUNT];
    uint32_t queue_joined, list_joined[3];
    int64_t queue_seen, list_seen; /* a bit for each status that the book has had */
    struct zone *zones[2];
    uint32_t refs;
    char ref[16]; /* of the last payment */
};

static uint32_t draw(struct run *r, uint32_t below)
{
    r->random = r->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(r->random >> 33) % below;
}

/* ---- Rebuilding ---- */

struct rebuilding {
    struct state *state;
    struct buf rows;
    uint64_t versions[256];
    uint32_t count;
};

static bool on_event(void *owner, const struct event_image *event, uint32_t seat_count)
{
    struct rebuilding *b = owner;
    if (!state_load_event(b->state, event))
        return false;
    buf_clear(&b->rows);
    b->count = 0;
    return seat_count <= 256;
}

static bool on_pool(void *owner, const struct pool_image *pool, uint32_t sold)
{
    return state_load_pool(((struct rebuilding *)owner)->state, pool, sold);
}

static bool on_seat(void *owner, uint64_t event, uint32_t position, const struct seat_image *seat,
                    uint64_t version)
{
    struct rebuilding *b = owner;
    (void)event;
    assert_int_equal(position, b->count);
    b->versions[b->count] = version;
    b->count++;
    seat_row_put(&b->rows, SEAT_COLUMNS_ALL, seat);
    return true;
}

static bool on_seats_end(void *owner, uint64_t event)
{
    struct rebuilding *b = owner;
    uint32_t created, updated;
    struct layout_blocks blocks;
    struct layout *layout = layout_make(NULL, bytes_reader_make(b->rows.data, b->rows.size), b->count,
                                        &created, &updated, &blocks);
    assert_non_null(layout);
    bool fits = state_load_seats(b->state, event, layout, b->versions, &blocks);
    layout_blocks_release(&blocks);
    return fits;
}

static bool on_queue(void *owner, const struct queue_image *queue, uint32_t entries)
{
    state_load_queue_begin(((struct rebuilding *)owner)->state, queue->event,
                           entries); /* too early: nothing happens */
    return state_load_queue(((struct rebuilding *)owner)->state, queue);
}

static bool on_queue_entry(void *owner, const struct queue_entry_image *entry)
{
    return state_load_queue_entry(((struct rebuilding *)owner)->state, entry);
}

static bool on_held(void *owner, const struct reservation_image *reservation)
{
    return state_load_reservation(((struct rebuilding *)owner)->state, reservation);
}

static bool on_sold(void *owner, const struct book_sold *s)
{
    struct rebuilding *b = owner;
    return state_load_bought(b->state, s->item, s->reservation, s->user_id) &&
           state_load_tickets(b->state, s->item, s->reservation, s->ticket_key);
}

static bool on_touched(void *owner, uint64_t number, uint64_t seq)
{
    state_load_touched(((struct rebuilding *)owner)->state, number, seq);
    return true;
}

static bool on_ledger(void *owner, uint64_t open, uint64_t discrepancies)
{
    state_load_ledger(((struct rebuilding *)owner)->state, open, discrepancies);
    return true;
}

static bool on_record(void *owner, const struct change *c)
{
    struct state *st = ((struct rebuilding *)owner)->state;
    if (c->kind == CHANGE_CALENDAR)
        return state_load_calendar(st, &c->calendar, c->at_ms);
    if (c->kind == CHANGE_LIST_ENTRY)
        return state_load_list_entry(st, &c->list_entry);
    if (c->kind != CHANGE_IDEMPOTENCY)
        return state_load_record(st, c);
    state_remember_idempotency(st, &c->idempotency);
    return true;
}

/* The book catches up, is checked, and is loaded into a new state, which must equal the old one. */
static void compare(struct run *r)
{
    struct book_meta meta;
    char sentence[STATE_COMPARE_SENTENCE];
    struct rebuilding b = {.state = state_make()};
    struct book_load_sink sink = {.owner = &b,
                                  .event = on_event,
                                  .pool = on_pool,
                                  .seat = on_seat,
                                  .seats_end = on_seats_end,
                                  .record = on_record,
                                  .ledger = on_ledger,
                                  .touched = on_touched,
                                  .queue = on_queue,
                                  .queue_entry = on_queue_entry,
                                  .held = on_held,
                                  .sold = on_sold};
    buf_init(&b.rows, 1 << 20);
    fixture_check(r->f);
    r->queue_seen |=
        fixture_ask(r->f, "SELECT sum(DISTINCT CASE status WHEN 'waiting' THEN 1 WHEN 'admitted' THEN 2 WHEN "
                          "'passed_over' THEN 4 WHEN 'finished' THEN 8 ELSE 16 END) FROM queue");
    r->list_seen |=
        fixture_ask(r->f, "SELECT sum(DISTINCT CASE status WHEN 'waiting' THEN 1 WHEN 'offered' THEN 2 WHEN "
                          "'finished' THEN 4 ELSE 8 END) FROM waiting_list");
    assert_ok(book_load(r->f->path, r->world.now_ms - IDEMPOTENCY_KEEP_MS, &sink, &meta));
    assert_int_equal(meta.log.seq, r->world.changes);
    state_load_end(b.state, meta.log.seq);
    if (!state_compare(r->world.st, b.state, sentence) || !state_compare(b.state, r->world.st, sentence))
        fail_msg("at seq %llu: %s", (unsigned long long)meta.log.seq, sentence);
    state_release(b.state);
    buf_release(&b.rows);
}

/* ---- Recording ---- */

static void record(struct run *r)
{
    struct fixture *f = r->f;
    uint64_t from = f->seq ? r->world.ends[f->seq - 1] : 0;
    struct bytes_reader in = bytes_reader_make(r->world.journal.data + from, r->world.journal.size - from);
    assert_ok(book_writer_begin(f->writer));
    while (f->seq < r->world.changes) {
        assert_true(change_decode(&in, f->seq + 1, &f->change));
        assert_ok(book_writer_apply(f->writer, &f->change));
        f->seq++;
    }
    assert_ok(book_writer_commit(f->writer, f->seq, r->world.now_ms, 0));
}

/* ---- Commands ---- */

static const char *const users[] = {"ann", "bob", "cid", "dan"};
static const char *const events[] = {"one", "two", "three"};

static enum outcome_code apply(struct run *r, struct command *c)
{
    struct outcome out;
    r->outcomes[world_apply(&r->world, c, &out)]++;
    if (out.code == OUTCOME_OK && c->kind == COMMAND_HOLD && !out.replayed)
        r->created[r->created_count++ % CREATED_MAX] = c->reservation;
    assert_string_equal(r->world.fault, "");
    return out.code;
}

static void import(struct run *r, const char *event, uint32_t first, uint32_t count)
{
    struct buf rows;
    struct outcome out;
    buf_init(&rows, 1 << 16);
    for (uint32_t i = 0; i < count; i++) {
        char id[16];
        snprintf(id, sizeof(id), "A%u", first + i);
        struct seat_image seat = {
            .id = text_of(id), .section = TEXT("A"), .price = draw(r, 3) * 100, .blocked = draw(r, 9) == 0};
        if (r->random >> 35 & 1)
            seat.allotment = TEXT("friends"); /* no random number is used */
        seat_row_put(&rows,
                     SEAT_COLUMN_SECTION | (draw(r, 2) ? SEAT_COLUMN_PRICE : 0) |
                         (draw(r, 4) ? 0 : SEAT_COLUMN_BLOCKED) |
                         (r->random >> 34 & 3 ? 0 : SEAT_COLUMN_ALLOTMENT),
                     &seat);
    }
    world_import(&r->world, text_of(event), &rows, count, &out);
    buf_release(&rows);
}

/* Mostly a payment of its own: another reservation's buys nothing. */
static struct text ref_drawn(struct run *r)
{
    r->refs += (r->random >> 30 & 15) != 0;
    return (struct text){r->ref, (size_t)snprintf(r->ref, sizeof(r->ref), "ref%u", r->refs)};
}

static struct terms terms_drawn(struct run *r, enum late_payment_rule late)
{
    return (struct terms){"EUR", 60, 120, draw(r, 2) * 30, draw(r, 2) ? PAYMENT_REQUIRED : PAYMENT_NONE,
                          late,  0};
}

static const struct text tiers[] = {TEXT("gold"), TEXT("\"silver\"")};

/* Only the last event has a queue: getting past it is covered by another test. */
/* Uses no random number. */
static void draw_prices(const struct run *r, struct event_image *e)
{
    if (r->random >> 33 & 1)
        e->categories = TEXT("[\"adult\",\"child\"]");
    e->refuse_singles = r->random >> 37 & 1;
    if (e->categories.at && r->random >> 34 & 1)
        e->prices = TEXT("{\"gold\":{\"adult\":70,\"child\":30}}");
}

static void draw_lines(struct run *r, struct event_image *e)
{
    e->has_list = draw(r, 4) != 0;
    e->has_queue = text_equal(e->id, text_of(events[2])) && draw(r, 4) != 0;
    e->entry_key[0] = r->random;
    e->entry_key[1] = 1;
    if (!e->has_queue)
        return;
    e->queue = (struct queue_settings){.open_at_ms = draw(r, 2) ? r->world.now_ms + draw(r, 60000) : 0,
                                       .rate_per_second = 1 + draw(r, 20),
                                       .max_active = draw(r, 6),
                                       .pass_ttl_s = 5 + draw(r, 60),
                                       .shuffle_before_open = draw(r, 2),
                                       .by_inventory = draw(r, 2),
                                       .tiers = tiers,
                                       .tier_count = draw(r, 3)};
}

/* Uses no random number. */
static void draw_allotment(const struct run *r, struct command *c)
{
    c->seats_block.allots = r->random >> 33 & 1;
    c->seats_block.keeps_blocked = c->seats_block.allots && r->random >> 34 & 1;
    c->seats_block.allotment = r->random >> 35 & 1 ? TEXT("friends") : (struct text){0};
    if (r->random >> 36 & 1 && c->seats_block.allots) {
        c->seats_block.count = 0;
        c->seats_block.in = TEXT("friends");
    }
}

static void put_event(struct run *r, const char *id, const char *copy)
{
    struct command c = {.kind = COMMAND_EVENT_PUT, .actor = {.role = ROLE_ADMIN}};
    c.event_put.image = (struct event_image){.id = text_of(id),
                                             .name = TEXT("x"),
                                             .terms = terms_drawn(r, LATE_PAYMENT_ACCEPT_IF_FREE),
                                             .per_user_limit = draw(r, 3) * 10,
                                             .no_guests = r->random >> 33 & 1,
                                             .access = r->random >> 34 & 3 ? ACCESS_OPEN : ACCESS_CODE};
    c.event_put.image.terms.staff_hold_s = r->random >> 20 & 1 ? 600 : 0; /* no random number is used */
    draw_lines(r, &c.event_put.image);
    draw_prices(r, &c.event_put.image);
    c.event_put.seed[3] = (uint8_t)draw(r, 256);
    c.event_put.copy_seats_from = text_of(copy);
    apply(r, &c);
}

/* All of them, or at random others and one less; uses no random number. */
static void put_codes(struct run *r, const char *id)
{
    struct code_image codes[] = {{.code = TEXT("Code-A"), .units = (uint32_t)(r->random >> 20 & 3)},
                                 {.code = TEXT("code-b"), .tiers = tiers, .tier_count = 2},
                                 {.code = TEXT("CODE-C"), .allotment = TEXT("friends")}};
    struct command c = {.kind = COMMAND_CODES_PUT, .actor = {.role = ROLE_ADMIN}};
    c.codes_put.event = text_of(id);
    c.codes_put.codes = codes;
    c.codes_put.count = 3;
    apply(r, &c);
    if (r->random >> 25 & 1)
        return;
    c = (struct command){.kind = COMMAND_CODE_REMOVE, .actor = {.role = ROLE_ADMIN}};
    c.code_remove.event = text_of(id);
    c.code_remove.code = codes[r->random >> 26 & 1 ? 0 : 1].code;
    apply(r, &c);
}

static struct text code_drawn(const struct run *r)
{
    static const struct text codes[] = {TEXT("code-a"), TEXT("code-b"), TEXT("code-c"), TEXT("CODE-A")};
    return codes[r->random >> 37 & 3];
}

/* ---- Lines ---- */

static struct id line_entry(struct run *r, struct text event, enum entry_kind line, uint32_t most)
{
    const struct event *e = event_find(r->world.st, event);
    uint32_t lately = most < 8 ? most : 8;
    return entry_id(e->image.entry_key, line, draw(r, 4) ? most - draw(r, lately) : 1 + draw(r, most));
}

static void queue_step(struct run *r)
{
    struct command c = {.kind = COMMAND_QUEUE_JOIN, .actor = {.role = ROLE_APP, .name = TEXT("shop")}};
    char user[16];
    struct text event = text_of(events[2]);
    uint32_t joined = r->queue_joined ? r->queue_joined : 1;
    snprintf(user, sizeof(user), "q%u", draw(r, 60));
    c.user_id = text_of(user);
    c.queue.event = event;
    c.queue.tiers = tiers;
    c.queue.tier_count = draw(r, 8) < 6 ? 0 : 1 + draw(r, 2);
    switch (draw(r, 8)) {
    case 0:
        c = (struct command){.kind = COMMAND_QUEUE_PATCH, .actor = {.role = ROLE_ADMIN}};
        c.queue_patch.event = event;
        c.queue_patch.has_paused = c.queue_patch.has_rate = true;
        c.queue_patch.paused = draw(r, 4) == 0;
        c.queue_patch.rate_per_second = 1 + draw(r, 20);
        break;
    case 1:
    case 2:
    case 3:
        c.kind = draw(r, 3) ? COMMAND_QUEUE_LOOK : COMMAND_QUEUE_LEAVE;
        c.user_id = (struct text){0};
        c.queue.entry = line_entry(r, event, ENTRY_QUEUE, joined);
        break;
    default:
        if (draw(r, 4) == 0) {
            c.idempotent = true;
            c.idempotency_key[0] = r->random;
            c.idempotency_body[0] = r->random + 1;
        }
    }
    struct outcome out;
    r->outcomes[world_apply(&r->world, &c, &out)]++;
    if (c.kind == COMMAND_QUEUE_JOIN && out.code == OUTCOME_OK)
        r->queue_joined += out.created;
}

static void list_step(struct run *r)
{
    uint32_t which = draw(r, 3);
    struct command c = {.kind = COMMAND_LIST_JOIN, .actor = {.role = ROLE_APP, .name = TEXT("shop")}};
    uint32_t joined = r->list_joined[which] ? r->list_joined[which] : 1;
    char user[16];
    snprintf(user, sizeof(user), "w%u", draw(r, 20));
    c.user_id = text_of(user);
    c.list.event = text_of(events[which]);
    c.list.wish.quantity = 1 + draw(r, 10);
    if (draw(r, 3) == 0)
        c.list.wish.pool = TEXT("floor");
    else
        c.list.wish.adjacent = draw(r, 2);
    c.list.code = code_drawn(r);
    if (draw(r, 3) == 0) {
        c.kind = draw(r, 2) ? COMMAND_LIST_LOOK : COMMAND_LIST_LEAVE;
        c.user_id = (struct text){0};
        c.list.entry = line_entry(r, c.list.event, ENTRY_LIST, joined);
    }
    struct outcome out;
    r->outcomes[world_apply(&r->world, &c, &out)]++;
    if (c.kind == COMMAND_LIST_JOIN && out.code == OUTCOME_OK)
        r->list_joined[which] += out.created;
    if (c.kind != COMMAND_LIST_LOOK || out.code != OUTCOME_OK || out.list_entry.status != LIST_OFFERED)
        return;
    c = (struct command){.kind = COMMAND_COMMIT, .actor = c.actor, .reservation = out.list_entry.reservation};
    c.commit.ticket_key[0] = r->random;
    c.commit.payment_ref = ref_drawn(r);
    apply(r, &c);
}

static void put_pool(struct run *r, const char *event, const char *id)
{
    struct command c = {.kind = COMMAND_POOL_PUT, .actor = {.role = ROLE_ADMIN}};
    c.pool_put.event = text_of(event);
    c.pool_put.id = text_of(id);
    c.pool_put.capacity = 5 + draw(r, 10);
    c.pool_put.allotment = r->random >> 38 & 3 ? (struct text){0} : TEXT("friends");
    if (r->random >> 35 & 1)
        c.pool_put.prices = TEXT("{\"adult\":9,\"child\":4}");
    apply(r, &c);
}

static const char *const zone_names[] = {"UTC", "Europe/Berlin"};
static const char *const calendars[] = {"doctor", "room"};

static void put_calendar(struct run *r, uint32_t which)
{
    static const struct hours_range always[] = {{0x7f, 0, 720}, {0x7f, 720, 0}};
    struct service_image services[] = {
        {TEXT("short"), 1, 100, false}, {TEXT("long"), 3, 300, false}, {TEXT("other"), 2, 50, false}};
    uint32_t zone = draw(r, 2), first = draw(r, 3);
    services[0].duration_minutes += draw(r, 2);
    struct closed_interval closed = {r->world.now_ms + draw(r, 600000), 0};
    closed.end_ms = closed.start_ms + 1 + draw(r, 100000);
    struct command c = {.kind = COMMAND_CALENDAR_PUT, .actor = {.role = ROLE_ADMIN}};
    c.calendar_put.zone = r->zones[zone];
    c.calendar_put.image = (struct calendar_image){.id = text_of(calendars[which]),
                                                   .name = TEXT("time"),
                                                   .timezone = text_of(zone_names[zone]),
                                                   .capacity = which ? 1 + draw(r, 4) : 1,
                                                   .price = draw(r, 3) * 100,
                                                   .terms = terms_drawn(r, LATE_PAYMENT_REFUND),
                                                   .slot_minutes = 1 + draw(r, 30),
                                                   .buffer_minutes = draw(r, 2),
                                                   .rules = CALENDAR_RULES_PLAIN,
                                                   .hours = always,
                                                   .hours_count = draw(r, 2) * 2,
                                                   .closed = &closed,
                                                   .closed_count = draw(r, 2),
                                                   .services = services + first,
                                                   .service_count = 3 - first};
    apply(r, &c);
}

/* Of one calendar or, if both have the same zone and currency, of both; removed at random. Uses no random number. */
static void put_group(struct run *r)
{
    struct group_member members[] = {{.id = text_of(calendars[r->random >> 21 & 1])},
                                     {.id = text_of(calendars[~r->random >> 21 & 1])}};
    struct command c = {.kind = COMMAND_GROUP_PUT, .actor = {.role = ROLE_ADMIN}};
    c.group_put = (struct group_image){.id = TEXT("any"),
                                       .name = TEXT("Any"),
                                       .pick = r->random >> 22 & 1 ? PICK_LEAST_BUSY : PICK_IN_ORDER,
                                       .members = members,
                                       .member_count = 1 + (r->random >> 23 & 1)};
    if ((r->random >> 24 & 7) == 0) {
        c.kind = COMMAND_GROUP_REMOVE;
        c.group = TEXT("any");
    }
    apply(r, &c);
}

/* To the millisecond, and close enough together to overlap. */
static struct item_request draw_slot(struct run *r)
{
    static const struct text services[] = {TEXT("short"), TEXT("long"), TEXT("other")};
    int64_t start_ms = r->world.now_ms + draw(r, 600000);
    struct item_request item = {.kind = ITEM_SLOT,
                                .resource = text_of(calendars[draw(r, 2)]),
                                .part = draw(r, 2) ? services[draw(r, 3)] : (struct text){0},
                                .quantity = 1,
                                .start_ms = start_ms,
                                .end_ms = start_ms + 1 + draw(r, 200000)};
    if ((r->random >> 31 & 3) == 0 && group_find(r->world.st, TEXT("any"))) {
        item.kind = ITEM_GROUP;
        item.resource = TEXT("any");
        item.party = 1;
    }
    return item;
}

static void hold(struct run *r, enum command_kind kind, struct id id)
{
    char ids[3][16];
    struct item_request items[3];
    struct command c = {.kind = kind,
                        .actor = {.role = ROLE_APP, .name = TEXT("shop")},
                        .user_id = text_of(users[draw(r, 4)])};
    c.reservation = id;
    if (kind == COMMAND_ITEMS_ADD)
        c.user_id = (struct text){0};
    c.hold.count = 1 + draw(r, 3);
    for (uint32_t i = 0; i < c.hold.count; i++) {
        bool pool = draw(r, 4) == 0;
        snprintf(ids[i], sizeof(ids[i]), "A%u", i * 5 + draw(r, 5));
        items[i] = (struct item_request){.kind = pool ? ITEM_POOL : ITEM_SEAT,
                                         .resource = text_of(events[draw(r, 3)]),
                                         .part = pool ? TEXT("floor") : text_of(ids[i]),
                                         .quantity = pool ? 1 + draw(r, 3) : 1};
        if (draw(r, 2))
            items[i] = draw_slot(r);
        if (items[i].kind == ITEM_SEAT && r->random >> 31 & 1)
            items[i].allotment = TEXT("friends");
        if (r->random >> 30 & 1)
            items[i].attributes = TEXT("{\"seat\":\"mine\"}");
        if (pool && items[i].kind == ITEM_POOL && r->random >> 36 & 1)
            items[i].category = TEXT("child");
    }
    c.hold.items = items;
    c.hold.code = code_drawn(r);
    c.hold.commit = kind == COMMAND_HOLD && draw(r, 40) == 0;
    c.hold.ticket_key[0] = r->random;
    c.hold.attributes = draw(r, 2) ? TEXT("{\"k\":1}") : (struct text){0};
    if (draw(r, 3) == 0) {
        c.idempotent = true;
        c.idempotency_key[0] = r->random;
        c.idempotency_body[0] = r->random + 1;
    }
    apply(r, &c);
}

/* Checks in a ticket of it, or undoes that. */
static void scan(struct run *r, struct id id, bool undo)
{
    struct outcome out;
    char code[TICKET_CODE_SIZE];
    struct command c = {.kind = COMMAND_LOOK, .actor = {.role = ROLE_ADMIN}, .reservation = id};
    if (world_apply(&r->world, &c, &out) != OUTCOME_OK || out.reservation.status != RESERVATION_CONFIRMED)
        return;
    const struct item_image *item = &out.reservation.items[(r->random >> 46) % out.reservation.item_count];
    ticket_code_write(out.reservation.ticket_key, item->item_id, (uint32_t)(r->random >> 48) % item->quantity,
                      code);
    c = (struct command){.kind = COMMAND_CHECK_IN, .actor = {.role = ROLE_DOOR, .name = TEXT("gates")}};
    c.check_in.code = (struct text){code, sizeof(code)};
    c.check_in.gate = r->random >> 50 & 1 ? TEXT("north") : (struct text){0};
    c.check_in.nonce = r->random >> 51 & 1 ? TEXT("nonce") : (struct text){0};
    c.check_in.undo = undo;
    c.check_in.scanned_at_ms = !undo && r->random >> 53 & 1 ? r->world.now_ms - 1000 : 0;
    apply(r, &c);
}

static void change(struct run *r, struct id id)
{
    static const enum command_kind kinds[] = {COMMAND_ITEM_DROP, COMMAND_ITEM_MOVE, COMMAND_ATTRIBUTES,
                                              COMMAND_EXTEND,    COMMAND_PAYMENT,   COMMAND_COMMIT,
                                              COMMAND_RELEASE};
    struct command c = {.kind = kinds[draw(r, 7)], .actor = {.role = ROLE_APP, .name = TEXT("shop")}};
    if (c.kind == COMMAND_COMMIT && draw(r, 3))
        c.kind = COMMAND_RELEASE; /* so that not everything is sold soon */
    char seat[16];
    c.reservation = id;
    snprintf(seat, sizeof(seat), "A%u", draw(r, 15));
    if (c.kind == COMMAND_ITEM_DROP || c.kind == COMMAND_ITEM_MOVE) {
        c.item.item_id = 1 + draw(r, 3);
        c.item.seat = draw(r, 2) ? text_of(seat) : (struct text){0};
        c.item.start_ms = r->world.now_ms + draw(r, 600000);
        c.item.end_ms = c.item.start_ms + 1 + draw(r, 200000);
        c.item.has_end = draw(r, 4) != 0;
    } else if (c.kind == COMMAND_ATTRIBUTES && r->random >> 20 & 1) { /* no random number is used */
        c.kind = COMMAND_ITEM_ATTRIBUTES;
        c.item.item_id = 1 + (uint32_t)(r->random >> 21 & 1);
        c.item.attributes = r->random >> 22 & 3 ? TEXT("{\"name\":\"Ann\"}") : TEXT("{}");
    } else if (c.kind == COMMAND_ATTRIBUTES && r->random >> 23 & 1) {
        c.kind = COMMAND_ITEM_CATEGORY;
        c.item.item_id = 1 + (uint32_t)(r->random >> 24 & 1);
        c.item.category = r->random >> 25 & 1 ? TEXT("adult") : TEXT("child");
    } else if (c.kind == COMMAND_ATTRIBUTES) {
        c.attributes = TEXT("{\"changed\":true}");
    } else if (c.kind == COMMAND_COMMIT) {
        c.commit.ticket_key[0] = r->random;
        c.commit.payment_method = TEXT("card");
        c.commit.payment_ref = draw(r, 2) ? ref_drawn(r) : (struct text){0};
    }
    if (apply(r, &c) != OUTCOME_ALREADY_CONFIRMED)
        return;
    c.kind = r->random >> 24 & 3 ? COMMAND_TRANSFER : COMMAND_TOKENS_REVOKE; /* nor for this */
    memset(&c.transfer, 0, sizeof(c.transfer)); /* another member of the union was there */
    c.transfer.to = text_of(users[r->random >> 27 & 3]);
    c.transfer.ticket_key[0] = r->random;
    c.transfer.ticket_key[1] = 1;
    apply(r, &c);
    scan(r, id, false);
    scan(r, id, false);
    if (r->random >> 44 & 7) /* or else it can never move again */
        scan(r, id, true);
}

static void rotate_instead(struct command *c)
{
    struct key_image key = c->key;
    c->kind = COMMAND_KEY_ROTATE;
    c->key_rotate.name = key.name;
    c->key_rotate.old_valid_s = key.hash[0] % 4;
    memcpy(c->key_rotate.hash, key.hash, sizeof(key.hash));
}

/* Sends some due messages, with some result; uses no random number, so that the run stays the same. */
static void hook_step(struct run *r, uint32_t i)
{
    static const char *const names[] = {"hook-a", "hook-b"};
    const char *name = names[i & 1];
    const struct hook_image *h = state_hook_named(r->world.st, text_of(name));
    struct command c = {.kind = COMMAND_HOOK_PUT, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    struct hook_report reports[8];
    world_warn(&r->world);
    if (!h || i % 97 == 0) {
        if (h && i % 3 == 0)
            c.kind = COMMAND_HOOK_REMOVE;
        c.hook =
            (struct hook_image){.name = text_of(name),
                                .url = text_of("http://127.0.0.1/"),
                                .events = i & 1 ? HOOK_EVENTS_ALL : HOOK_BIT(HOOK_CONFIRMED),
                                .secret = text_of(i & 2 ? "whsec_0123456789abc" : "whsec_abc0123456789")};
        world_apply(&r->world, &c, &out);
        assert_int_equal(out.code, OUTCOME_OK);
        return;
    }
    c = (struct command){.kind = COMMAND_HOOK_TAKE, .actor = {.role = ROLE_SERVER}};
    c.hook_take.hook = h->number;
    c.hook_take.durable_seq = UINT64_MAX;
    c.hook_take.most = 3;
    world_apply(&r->world, &c, &out);
    uint32_t count = out.message_count;
    struct hook_message again = count ? out.messages[0] : (struct hook_message){0};
    for (uint32_t k = 0; k < count; k++)
        reports[k] = (struct hook_report){out.messages[k].seq, out.messages[k].ordinal, (i + k) % 3, i};
    c.kind = COMMAND_HOOK_REPORT;
    c.hook_report.hook = h->number;
    c.hook_report.reports = reports;
    c.hook_report.count = count;
    world_apply(&r->world, &c, &out);
    if (!count || i % 3 != HOOK_RESULT_GONE || i % 5)
        return;
    c.kind = COMMAND_HOOK_RESEND;
    c.hook_resend.name = text_of(name);
    c.hook_resend.messages = &again;
    c.hook_resend.count = 1;
    world_apply(&r->world, &c, &out);
    assert_int_equal(out.message_count, 1);
}

/* Erases a user, and moves the journal on for earlier erasures; uses no random number either. */
static void erase_step(struct run *r, uint32_t i)
{
    char from[16], to[24];
    struct command c = {.kind = COMMAND_ERASE, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    snprintf(from, sizeof(from), "q%u", i % 60);
    snprintf(to, sizeof(to), "erased_%u", i);
    c.erase.from = i % 3 ? text_of(from) : text_of(users[i / 3 % 4]);
    c.erase.to = text_of(to);
    world_apply(&r->world, &c, &out);
    assert_true(out.code == OUTCOME_OK || out.code == OUTCOME_IN_USE);
    if (i % 2)
        world_segment(&r->world);
}

static void administer(struct run *r)
{
    char seat[16];
    struct command c = {.kind = COMMAND_SEATS_BLOCK, .actor = {.role = ROLE_ADMIN}};
    snprintf(seat, sizeof(seat), "A%u", draw(r, 15));
    struct text id = text_of(seat);
    switch (draw(r, 8)) {
    case 6:
    case 7:
        put_calendar(r, draw(r, 2));
        put_group(r);
        return;
    case 0:
        put_event(r, events[draw(r, 3)], NULL);
        return;
    case 1:
        put_pool(r, events[draw(r, 3)], "floor");
        put_codes(r, events[r->random >> 40 & 1]);
        return;
    case 2:
        import(r, events[draw(r, 2)], draw(r, 14), 1 + draw(r, 3));
        return;
    case 3:
        c.kind = draw(r, 2) ? COMMAND_KEY_CREATE : COMMAND_KEY_REMOVE;
        c.key = (struct key_image){
            .name = text_of(users[draw(r, 4)]), .role = ROLE_APP, .hash = {(uint8_t)draw(r, 250)}};
        if (c.key.hash[0] % 3 == 0)
            rotate_instead(&c);
        break;
    default:
        c.seats_block.event = text_of(events[draw(r, 3)]);
        c.seats_block.ids = &id;
        c.seats_block.count = 1;
        c.seats_block.blocked = draw(r, 3) == 0;
        draw_allotment(r, &c);
    }
    apply(r, &c);
}

static void step(struct run *r)
{
    struct id some =
        r->created_count
            ? r->created[draw(r, r->created_count < CREATED_MAX ? r->created_count : CREATED_MAX)]
            : (struct id){1, 1};
    if (r->created_count && draw(r, 2))
        some = r->created[(r->created_count - 1 - draw(r, r->created_count < 4 ? r->created_count : 4)) %
                          CREATED_MAX];
    r->world.now_ms += draw(r, 4000);
    switch (draw(r, 16)) {
    case 0:
        administer(r);
        return;
    case 1:
        world_expire(&r->world, 1 + draw(r, 100));
        return;
    case 12:
        world_admit(&r->world, 1 + draw(r, 50));
        return;
    case 13:
    case 14:
        queue_step(r);
        return;
    case 15:
        list_step(r);
        return;
    case 2:
        hold(r, COMMAND_ITEMS_ADD, some);
        return;
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
        hold(r, COMMAND_HOLD, id_make(r->world.now_ms, r->random >> 20, r->random * 31 + r->created_count));
        return;
    default:
        change(r, some);
    }
}

/* Cancels an event: at the beginning, on the way and when it is done the book has all of it. */
static void cancel_event(struct run *r, const char *id)
{
    struct command c = {.kind = COMMAND_EVENT_CANCEL, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    c.event_cancel.event = text_of(id);
    c.event_cancel.reason = TEXT("flooded");
    if (apply(r, &c) == OUTCOME_NO_SUCH_EVENT) /* it was removed on the way */
        return;
    for (int round = 0; round < 100; round++) {
        record(r);
        if (round < 3)
            compare(r);
        world_forget(&r->world);
        world_cancel(&r->world);
        world_apply(&r->world, &c, &out);
        assert_string_equal(r->world.fault, "");
        if (out.cancel_state == CANCEL_DONE)
            break;
        r->world.now_ms += 3600 * 1000; /* a hold that is paid with other items is left to lapse */
        world_expire(&r->world, UINT32_MAX);
    }
    assert_int_equal(out.cancel_state, CANCEL_DONE);
    assert_int_equal(out.cancel_left, 0);
    world_restart(&r->world, r->world.changes * 2 / 3);
    record(r);
    compare(r);
    assert_true(
        fixture_ask(r->f,
                    "SELECT count(*) FROM events WHERE cancel_reason = 'flooded' AND cancel_done = 1 AND "
                    "cancelled_at > 0") >= 1);
}

static void run(struct fixture *f, uint64_t seed)
{
    struct run r = {.f = f, .random = seed};
    world_init(&r.world);
    for (int i = 0; i < 2; i++)
        assert_non_null(r.zones[i] = zone_load(zone_names[i]));
    put_event(&r, "one", NULL);
    put_event(&r, "two", NULL);
    import(&r, "one", 0, 15);
    import(&r, "two", 0, 12);
    put_event(&r, "three", "one");
    for (int i = 0; i < 3; i++)
        put_pool(&r, events[i], "floor");
    for (int i = 0; i < 3; i++)
        put_codes(&r, events[i]);
    put_calendar(&r, 0);
    put_calendar(&r, 1);
    put_group(&r);
    for (uint32_t i = 0; i < STEPS; i++) {
        step(&r);
        if (i % 7 == 0)
            hook_step(&r, i / 7);
        if (i % 160 == 100)
            erase_step(&r, i / 160);
        if (draw(&r, 20) == 0)
            record(&r);
        if (draw(&r, 50) == 0) {
            record(&r);
            world_forget(&r.world);
        }
        if (i % 200 == 199) {
            record(&r);
            compare(&r);
        }
    }
    assert_string_equal(r.world.fault, "");
    assert_true(r.outcomes[OUTCOME_OK] > STEPS / 8);
    assert_true(fixture_ask(r.f, "SELECT count(DISTINCT action) FROM history") >= 12);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM history WHERE action = 'transferred'") > 3);
    assert_int_equal(fixture_ask(r.f, "SELECT count(DISTINCT result) FROM check_ins WHERE result != 'void'"),
                     3);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM ticket_marks WHERE is_void = 1") > 3);
    assert_true(fixture_ask(r.f, "SELECT count(DISTINCT status) FROM history") == 4);
    assert_true(r.outcomes[OUTCOME_TAKEN] > 20 && r.outcomes[OUTCOME_CLOSED] > 2);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM items WHERE kind = 'slot'") > 100);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM calendar_claims") > 3);
    assert_true(fixture_ask(r.f, "SELECT max(claims) FROM calendar_counts") > 1);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM items WHERE group_number IS NOT NULL") > 3);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM history_items WHERE group_number IS NOT NULL") > 0);
    assert_true(fixture_ask(r.f, "SELECT count(DISTINCT attributes) FROM items") == 2);
    assert_true(fixture_ask(r.f, "SELECT count(DISTINCT category) FROM items") == 2);
    assert_true(fixture_ask(r.f, "SELECT count(DISTINCT code) FROM items") >= 2);
    assert_true(fixture_ask(r.f, "SELECT count(code) FROM waiting_list") > 0);
    assert_true(fixture_ask(r.f, "SELECT count(allotment) FROM seats") > 0);
    assert_true(fixture_ask(r.f, "SELECT count(allotment) FROM items") > 3);
    assert_true(r.outcomes[OUTCOME_CODE_USED] > 0 && r.outcomes[OUTCOME_CODE_INVALID] > 0);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM outbox WHERE dead_at IS NOT NULL") > 5);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM messages WHERE status = 'waiting'") > 0);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM history WHERE action = 'erased'") > 3);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM queue WHERE user_id LIKE 'erased%'") > 0);
    assert_int_equal(r.queue_seen, 31);
    assert_int_equal(r.list_seen, 15);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM history WHERE reason = 'list'") > 10);
    assert_true(fixture_ask(r.f, "SELECT count(*) FROM idempotency WHERE made LIKE 'ent%'") > 2);
    assert_true(
        fixture_ask(r.f,
                    "SELECT count(DISTINCT i.reservation) FROM items i JOIN history h ON h.reservation = "
                    "i.reservation WHERE i.kind = 'slot' AND h.action = 'item_moved'") > 0);
    for (int i = 0; i < 2; i++)
        cancel_event(&r, events[i]);
    assert_true(fixture_ask(r.f, "SELECT sum(cancel_refunded) FROM events") >= 1);
    assert_true(
        fixture_ask(r.f, "SELECT count(*) FROM history WHERE reason = 'flooded' AND actor = 'server'") > 1);
    world_release(&r.world);
    for (int i = 0; i < 2; i++)
        zone_release(r.zones[i]);
}

static void the_book_restores_the_state_1(void **state)
{
    run(*state, 210);
}

static void the_book_restores_the_state_2(void **state)
{
    run(*state, 216);
}

static void the_book_restores_the_state_3(void **state)
{
    run(*state, 229);
}

int main(void)
{
    const struct CMUnitTest tests[] = {book_test(the_book_restores_the_state_1),
                                       book_test(the_book_restores_the_state_2),
                                       book_test(the_book_restores_the_state_3)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
