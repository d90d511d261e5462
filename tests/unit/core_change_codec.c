/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of change is read back as it was written; a cut or damaged one is refused without reading past
 * its end. */
#include <stdlib.h>

#include "../lib/core_fixture.h"
#include "base/memory/memory.h"
#include "core/codec.h"

#define KINDS CHANGE_LAST

static struct buf rows, ids, positions, moves, hook_moves, before, refusals;
static struct change sample;

static void make_parts(void)
{
    struct seat_image seat = seat_of_every_column();
    buf_init(&rows, 4096);
    buf_init(&ids, 4096);
    buf_init(&positions, 4096);
    buf_init(&moves, 4096);
    buf_init(&hook_moves, 4096);
    buf_init(&before, 4096);
    buf_init(&refusals, 4096);
    refusal_put(&refusals, &(struct refusal_image){.day_ms = 1700006400000,
                                                   .event = TEXT("eras"),
                                                   .tier = TEXT("gold"),
                                                   .pool = TEXT("floor"),
                                                   .reason = TEXT("taken"),
                                                   .count = UINT32_MAX});
    refusal_put(&refusals,
                &(struct refusal_image){
                    .calendar = TEXT("c"), .service = TEXT("cut"), .reason = TEXT("closed"), .count = 1});
    queue_move_put(&moves, &(struct queue_move){1, QUEUE_ADMITTED, 1800000000000});
    queue_move_put(&moves, &(struct queue_move){QUEUE_ENTRIES_MAX, QUEUE_LEFT, 0});
    hook_move_put(&hook_moves, &(struct hook_move){HOOK_DEAD, {.seq = UINT64_MAX, .ordinal = UINT32_MAX}});
    hook_move_put(&hook_moves,
                  &(struct hook_move){HOOK_WAITING, {7, 1, HOOK_EVENT_LAST, {7, 8}, UINT64_MAX, -1, 1}});
    seat_row_put(&rows, SEAT_COLUMN_BLOCKED * 2 - 1, &seat);
    seat_row_put(&rows, 0, &(struct seat_image){.id = TEXT("A2")});
    for (uint64_t i = 0; i < 3; i++) {
        bytes_put_u64(&ids, i);
        bytes_put_u64(&ids, ~i);
        bytes_put_varint(&positions, i * 1000);
    }
}

static void release_parts(void)
{
    buf_release(&rows);
    buf_release(&ids);
    buf_release(&positions);
    buf_release(&moves);
    buf_release(&hook_moves);
    buf_release(&before);
    buf_release(&refusals);
}

static void sample_reservation(struct change *c)
{
    c->items[0] = (struct item_image){
        .item_id = 3, .kind = ITEM_SEAT, .resource = 1, .part = 77, .quantity = 1, .price = 500, .fence = 9};
    c->items[1] = (struct item_image){.item_id = 4,
                                      .kind = ITEM_POOL,
                                      .resource = 2,
                                      .part = 0,
                                      .quantity = QUANTITY_MAX,
                                      .price = 0,
                                      .fence = 12,
                                      .flags = ITEM_UNPAID | ITEM_CHOSEN,
                                      .attributes = TEXT("{\"wrist\":\"red\"}"),
                                      .category = TEXT("child"),
                                      .code = TEXT("PRE-SALE"),
                                      .allotment = TEXT("sponsors")};
    c->items[2] =
        (struct item_image){.item_id = 5,
                            .kind = ITEM_SLOT,
                            .resource = 3,
                            .part = SERVICES_EVER_MAX,
                            .quantity = 1,
                            .price = 7,
                            .fence = 12,
                            .start_ms = 1800000000000,
                            .end_ms = 1800000000000 + SLOT_LENGTH_MAX_MS,
                            .until_ms = 1800000000000 + SLOT_LENGTH_MAX_MS + 60000LL * BUFFER_MINUTES_MAX,
                            .after_minutes = BUFFER_MINUTES_MAX};
    c->reservation.action = ACTION_CONFIRMED;
    buf_clear(&before);
    item_before_put(&before, &c->items[1]);
    item_before_put(&before, &c->items[2]);
    c->reservation.image = (struct reservation_image){.id = {0x0123456789abcdef, 0xfedcba9876543210},
                                                      .number = 9,
                                                      .fence = 12,
                                                      .version = 4,
                                                      .status = RESERVATION_CONFIRMED,
                                                      .user_id = TEXT("user_xyz"),
                                                      .created_at_ms = 1700000000000,
                                                      .expires_at_ms = 1700000600000,
                                                      .max_expires_at_ms = 1700000900000,
                                                      .user_max_at_ms = 1700000800000,
                                                      .staff_max_at_ms = 1700001000000,
                                                      .payment_started_at_ms = 1700000001000,
                                                      .confirmed_at_ms = 1700000002000,
                                                      .hold_ttl_s = 600,
                                                      .payment_ttl_s = 300,
                                                      .payment_required = true,
                                                      .currency = "EUR",
                                                      .next_item_id = 5,
                                                      .attributes = TEXT("{\"a\":1}"),
                                                      .payment_method = TEXT(""),
                                                      .payment_ref = TEXT("pi_1"),
                                                      .payment_recorded_at_ms = 1700000001500,
                                                      .singles = TEXT("12 4 3 - 90;12 8 7 9 91"),
                                                      .ticket_key = {1, 2},
                                                      .manage_gen = UINT32_MAX,
                                                      .transferred = 11,
                                                      .items = c->items,
                                                      .item_count = 3};
    c->reservation.before = bytes_reader_make(before.data, before.size);
    c->reservation.before_count = 2;
    c->reservation.reason = TEXT("rained off");
}

static void sample_catalogue(struct change *c)
{
    if (c->kind == CHANGE_EVENT) {
        c->event = (struct event_image){
            .number = 5,
            .id = TEXT("eras"),
            .name = TEXT("The Eras Tour \xe2\x80\x94 night 3"),
            .starts_at_ms = 1800000000000,
            .on_sale_at_ms = -1,
            .off_sale_at_ms = INT64_MAX,
            .terms = {"USD", 600, TTL_SECONDS_MAX, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, TTL_SECONDS_MAX},
            .per_user_limit = UINT32_MAX,
            .created_at_ms = 1700000000000,
            .categories = TEXT("[\"adult\",\"child\"]"),
            .prices = TEXT("{\"gold\":{\"child\":7}}"),
            .removed = true,
            .transfer = TRANSFER_OFF,
            .refuse_singles = true,
            .timezone = TEXT("Europe/London"),
            .cancels = true,
            .cancel_until_s = CANCEL_SECONDS_MAX,
            .terms_before = TEXT("4 refund 3600;7 accept_if_free -"),
            .cancelled = {1700000000001, TEXT("The hall has burnt down."), UINT32_MAX, true},
            .no_guests = true,
            .access = ACCESS_CODE};
    } else {
        c->pool = (struct pool_image){.event = 5,
                                      .position = 3,
                                      .id = TEXT("floor"),
                                      .name = TEXT(""),
                                      .capacity = POOL_CAPACITY_MAX,
                                      .price = 1,
                                      .prices = TEXT("{\"child\":5}"),
                                      .allotment = TEXT("club")};
    }
}

static void sample_calendar(struct change *c)
{
    c->hours[0] = (struct hours_range){0x1f, 540, 750};
    c->hours[1] = (struct hours_range){0x40, 1320, 120};
    c->closed[0] = (struct closed_interval){-1, 1800000000000};
    c->services[0] = (struct service_image){.id = TEXT("cut"), .duration_minutes = 30, .price = 2500};
    c->services[1] = (struct service_image){.id = TEXT("dye"), .duration_minutes = 527040, .removed = true};
    c->calendar = (struct calendar_image){
        .number = 5,
        .id = TEXT("dr_smith"),
        .name = TEXT("Dr. Smith"),
        .timezone = TEXT("America/Argentina/ComodRivadavia"),
        .capacity = CALENDAR_CAPACITY_MAX,
        .price = 100,
        .terms = {"USD", 300, TTL_SECONDS_MAX, 0, PAYMENT_NONE, LATE_PAYMENT_REFUND, 0},
        .slot_minutes = SLOT_MINUTES_MAX,
        .buffer_minutes = BUFFER_MINUTES_MAX,
        .rules = {.buffer_before_minutes = BUFFER_MINUTES_MAX,
                  .min_minutes = 60,
                  .max_minutes = LENGTH_MINUTES_MAX,
                  .price_per = PRICE_PER_SLOT,
                  .notice_minutes = NOTICE_MINUTES_MAX,
                  .horizon_days = HORIZON_DAYS_MAX,
                  .per_user_limit = CALENDAR_LIMIT_MAX,
                  .change_until_minutes = 1440,
                  .size = CALENDAR_SIZE_MAX},
        .hours = c->hours,
        .hours_count = 2,
        .closed = c->closed,
        .closed_count = 1,
        .services = c->services,
        .service_count = 2,
        .terms_before = TEXT("9 refund -"),
        .created_at_ms = 1700000000000};
}

/* What belongs to waiting rooms and lists. */
static void sample_lines(struct change *c)
{
    c->tiers[0] = TEXT("gold");
    c->tiers[1] = TEXT("silver");
    if (c->kind == CHANGE_EVENT) {
        c->event.has_queue = c->event.has_list = true;
        c->event.queue = (struct queue_settings){1800000000000, ADMISSION_RATE_MAX, UINT32_MAX, 900, true,
                                                 true,          c->tiers,           2};
        c->event.entry_key[0] = UINT64_MAX;
    } else if (c->kind == CHANGE_QUEUE) {
        c->queue =
            (struct queue_image){.event = 5, .paused = true, .opened_at_ms = 7, .drawn = QUEUE_ENTRIES_MAX};
        memset(c->queue.seed, 0xcd, sizeof(c->queue.seed));
    } else if (c->kind == CHANGE_QUEUE_JOINED) {
        c->joined.event = 5;
        c->joined.number = QUEUE_ENTRIES_MAX;
        c->joined.user_id = TEXT("ann");
        c->joined.tiers = c->tiers;
        c->joined.tier_count = 2;
    } else if (c->kind == CHANGE_QUEUE_MOVED) {
        c->moved.event = 5;
        c->moved.moves = bytes_reader_make(moves.data, moves.size);
        c->moved.count = 2;
    } else if (c->kind == CHANGE_LIST_ENTRY) {
        c->list_entry = (struct list_entry_image){.event = 5,
                                                  .number = 9,
                                                  .user_id = TEXT("ann"),
                                                  .wish = {4, true, TEXT("gold"), TEXT("L"), {0}},
                                                  .status = LIST_OFFERED,
                                                  .joined_at_ms = 1700000000000,
                                                  .changed_at_ms = 1700000000001,
                                                  .reservation = {7, 8},
                                                  .code = TEXT("PRE-SALE")};
    } else if (c->kind == CHANGE_CODE) {
        c->code = (struct code_image){.event = 5,
                                      .position = CODES_MAX,
                                      .code = TEXT("Pre~Sale"),
                                      .units = CODE_UNITS_MAX,
                                      .tiers = c->tiers,
                                      .tier_count = 2,
                                      .allotment = TEXT("sponsors"),
                                      .removed = true};
    } else if (c->kind == CHANGE_GROUP) {
        c->members[0] = (struct group_member){.calendar = 4};
        c->members[1] = (struct group_member){.calendar = 1u << 31};
        c->group = (struct group_image){.number = 6,
                                        .id = TEXT("tables"),
                                        .name = TEXT("Tables"),
                                        .pick = PICK_IN_ORDER,
                                        .members = c->members,
                                        .member_count = 2,
                                        .created_at_ms = 1700000000000,
                                        .removed = true};
    } else if (c->kind == CHANGE_PAYMENT_EVENT) {
        c->payment_event = (struct payment_event_image){.number = 9,
                                                        .event_id = TEXT("evt_1"),
                                                        .type = TEXT("payment_intent.succeeded"),
                                                        .payment_ref = TEXT("pi_1"),
                                                        .reservation = {7, 8},
                                                        .once = TEXT("re_1"),
                                                        .amount = {true, -PRICE_MAX, "CHF"},
                                                        .result = PAYMENT_RESULT_LAST,
                                                        .refund = 8,
                                                        .received_at_ms = 1700000000000};
    } else if (c->kind == CHANGE_PROVIDER) {
        c->provider = (struct provider_image){.number = 3,
                                              .provider = PROVIDER_STRIPE,
                                              .old_provider = PROVIDER_STANDARD,
                                              .secret = TEXT("whsec_0123456789"),
                                              .old_secret = TEXT("whsec_9876543210"),
                                              .old_until_ms = 1700000000001,
                                              .changed_at_ms = 1700000000000};
    } else if (c->kind == CHANGE_OWNER) {
        c->owner = (struct owner_image){.epoch = UINT64_MAX, .node = TEXT("10.0.0.1:8080"), .since_ms = 1};
    } else if (c->kind == CHANGE_CANCELLING) {
        c->cancelling.event = 5;
        c->cancelling.refunded = UINT32_MAX;
        c->cancelling.done = true;
    } else if (c->kind == CHANGE_ERASED) {
        c->erased = (struct erasure_image){.number = UINT64_MAX,
                                           .segments = ERASURE_SEGMENTS,
                                           .from = TEXT("ann@example.com"),
                                           .to = TEXT("erased_1"),
                                           .mark = {1, 2, 3}};
    } else if (c->kind == CHANGE_REFUND) {
        c->refund = (struct refund_image){.number = 7,
                                          .reservation = {7, 8},
                                          .payment_ref = TEXT("pi_1"),
                                          .amount = PRICE_MAX * ITEMS_MAX,
                                          .currency = "CHF",
                                          .reason = TEXT("expired"),
                                          .created_at_ms = 1700000000000,
                                          .done_at_ms = 1700000000001,
                                          .status = REFUND_DONE,
                                          .told_seq = UINT64_MAX,
                                          .returned_before = 9};
    } else if (c->kind == CHANGE_PAYMENT) {
        c->payment = (struct payment_image){.number = 7,
                                            .ref = TEXT("pi_1"),
                                            .reservation = {7, 8},
                                            .unknown = true,
                                            .app = {true, AMOUNT_MAX, "EUR"},
                                            .assumed = true,
                                            .paid = {true, 90, "CHF"},
                                            .failed = true,
                                            .returned_currency = "USD",
                                            .refunded = 11,
                                            .refund_failed = 1,
                                            .disputed = 3,
                                            .reinstated = 2,
                                            .disputes = UINT32_MAX,
                                            .disputes_over = 4,
                                            .staff_returned = 5,
                                            .outside = 6,
                                            .money_seq = UINT64_MAX,
                                            .first_at_ms = 1700000000000,
                                            .last_at_ms = 1700000000001,
                                            .currency = "CHF",
                                            .received = 90,
                                            .kept = 60,
                                            .returned = 17,
                                            .owed = 13,
                                            .discrepancy = DISCREPANCY_LAST,
                                            .discrepancy_seq = 8};
    } else if (c->kind == CHANGE_HOOK) {
        c->hook = (struct hook_image){.number = UINT64_MAX,
                                      .name = TEXT("shop"),
                                      .url = TEXT("https://example.com/x"),
                                      .events = HOOK_EVENTS_ALL,
                                      .secret = TEXT("whsec_MDEyMzQ1Njc4OWFiY2RlZg=="),
                                      .old_secret = TEXT("whsec_before"),
                                      .old_until_ms = 1700086400000,
                                      .created_at_ms = 1700000000000,
                                      .removed = true};
    } else if (c->kind == CHANGE_HOOK_MOVED) {
        c->hook_moved.hook = 5;
        c->hook_moved.moves = bytes_reader_make(hook_moves.data, hook_moves.size);
        c->hook_moved.count = 2;
    } else if (c->kind == CHANGE_REFUSALS) {
        c->refusals.rows = bytes_reader_make(refusals.data, refusals.size);
        c->refusals.count = 2;
    } else if (c->kind == CHANGE_HOOK_WARNING) {
        c->hook_warning = (struct hook_warning_image){{7, 8}, 1700000600000};
    } else if (c->kind == CHANGE_FLEET) {
        c->fleet = (struct fleet_image){.number = 6,
                                        .id = TEXT("city"),
                                        .offer_s = OFFER_SECONDS_MAX,
                                        .resolution = FLEET_RESOLUTION_MAX,
                                        .max_rings = FLEET_RINGS_MAX,
                                        .presence_s = PRESENCE_SECONDS_MAX,
                                        .search_s = SEARCH_SECONDS_MAX,
                                        .speed_kmh = SPEED_KMH_MAX,
                                        .batch_ms = BATCH_MS_MAX,
                                        .guests = true,
                                        .rides_per_rider = RIDES_PER_RIDER_MAX,
                                        .weights = {WEIGHT_MILLI_MAX, 2, 3, WEIGHT_MILLI_MAX},
                                        .key = {UINT64_MAX, 7},
                                        .created_at_ms = 1700000000000,
                                        .removed = true};
    } else if (c->kind == CHANGE_DRIVER) {
        c->driver = (struct driver_image){.fleet = 6,
                                          .id = TEXT("dee"),
                                          .rating_milli = RATING_MILLI_MAX,
                                          .surge = true,
                                          .types = c->tiers,
                                          .type_count = 2,
                                          .removed = true};
    } else if (c->kind == CHANGE_RIDE) {
        c->ride = (struct ride_image){.fleet = 6,
                                      .id = {7, 8},
                                      .number = 9,
                                      .rider_id = TEXT("ann"),
                                      .pickup = {-900000000, 1800000000},
                                      .to = {900000000, -1800000000},
                                      .cell = 0x89283082803ffffu,
                                      .has_to = true,
                                      .type = TEXT("xl"),
                                      .surge_milli = SURGE_MILLI_MAX,
                                      .status = RIDE_COMPLETED,
                                      .created_at_ms = 1700000000000,
                                      .search_until_ms = 1700000180000,
                                      .assigned_at_ms = 1700000000001,
                                      .ended_at_ms = 1700000000002,
                                      .driver_id = TEXT("dee"),
                                      .offer = 10};
    } else if (c->kind == CHANGE_OFFER) {
        c->offer = (struct offer_image){.fleet = 6,
                                        .number = 10,
                                        .ride = {7, 8},
                                        .driver_id = TEXT("dee"),
                                        .score_ms = -1,
                                        .eta_ms = 72000000000,
                                        .made_at_ms = 1700000000000,
                                        .expires_at_ms = 1700000015000,
                                        .ended_at_ms = 1700000000001,
                                        .end = OFFER_WITHDRAWN};
    } else if (c->kind == CHANGE_CHECK_IN) {
        c->check_in = (struct check_in_image){.code = TEXT("0123456789ABCDEFGHJK"),
                                              .reservation = {7, 8},
                                              .kind = ITEM_POOL,
                                              .resource = 5,
                                              .part = 3,
                                              .item_id = 2,
                                              .unit = UNITS_MAX - 1,
                                              .reissue = 300,
                                              .result = CHECK_IN_DUPLICATE,
                                              .at_ms = 1700000000000,
                                              .gate = TEXT("north~"),
                                              .nonce = {9, 10}};
    }
}

static struct change *sample_of(enum change_kind kind)
{
    struct change *c = &sample;
    memset(c, 0, sizeof(*c));
    c->kind = kind;
    c->at_ms = 1700000000123;
    c->actor = (struct actor){.role = ROLE_APP, .name = TEXT("shop")};
    if (kind == CHANGE_EVENT || kind == CHANGE_POOL)
        sample_catalogue(c);
    if (kind == CHANGE_SEATS_STAGED) {
        c->staged.event = 5;
        c->staged.import = UINT64_MAX;
        c->staged.rows = bytes_reader_make(rows.data, rows.size);
        c->staged.count = 2;
    }
    if (kind == CHANGE_SEATS_PUBLISHED || kind == CHANGE_SEATS_COPIED) {
        c->published.event = 5;
        c->published.import = 77;
    }
    if (kind == CHANGE_SEATS_COPIED)
        c->copied.blocks = true;
    if (kind == CHANGE_SEATS_REMOVED) {
        c->removed.event = 5;
        c->removed.positions = bytes_reader_make(positions.data, positions.size);
        c->removed.count = 3;
    }
    if (kind == CHANGE_SEATS_BLOCKED) {
        c->blocked.event = 5;
        c->blocked.blocked = true;
        c->blocked.positions = bytes_reader_make(positions.data, positions.size);
        c->blocked.count = 3;
    }
    if (kind == CHANGE_SEATS_ALLOTTED) {
        c->allotted.event = 5;
        c->allotted.allotment = TEXT("sponsors");
        c->allotted.positions = bytes_reader_make(positions.data, positions.size);
        c->allotted.count = 3;
    }
    if (kind == CHANGE_RESERVATION)
        sample_reservation(c);
    if (kind == CHANGE_EXPIRED) {
        c->expired.ids = bytes_reader_make(ids.data, ids.size);
        c->expired.count = 3;
    }
    if (kind == CHANGE_IDEMPOTENCY)
        c->idempotency = (struct idempotency_image){
            .key = {1, 2}, .body = {3, 4}, .made = {5, 6}, .http_status = 201, .at_ms = 1700000000123};
    if (kind == CHANGE_KEY || kind == CHANGE_KEY_REMOVED) {
        c->key = (struct key_image){.name = TEXT("till"), .role = ROLE_DOOR, .created_at_ms = 7};
        memset(c->key.hash, 0xab, sizeof(c->key.hash));
        c->key.old_until_ms = 1700000000123;
        memset(c->key.old_hash, 0xcd, sizeof(c->key.old_hash));
    }
    if (kind == CHANGE_CALENDAR)
        sample_calendar(c);
    if (kind == CHANGE_CALENDAR_REMOVED)
        c->calendar_removed.number = 5;
    sample_lines(c);
    return c;
}

static void encode(struct buf *out, enum change_kind kind)
{
    buf_init(out, 1 << 16);
    change_encode(out, sample_of(kind));
}

/* Encoding what was decoded gives the same bytes: so nothing was lost. */
static void every_kind_comes_back(void **state)
{
    (void)state;
    make_parts();
    struct change *decoded = memory_zeroed(1, sizeof(*decoded));
    for (int kind = 1; kind <= KINDS; kind++) {
        struct buf out, again;
        encode(&out, (enum change_kind)kind);
        struct bytes_reader in = bytes_reader_make(out.data, out.size);
        assert_true(change_decode(&in, 42, decoded));
        assert_int_equal(bytes_left(&in), 0);
        assert_int_equal(decoded->kind, kind);
        assert_int_equal(decoded->seq, 42);
        assert_int_equal(decoded->at_ms, 1700000000123);
        assert_int_equal(decoded->actor.role, ROLE_APP);
        assert_true(text_equal(decoded->actor.name, TEXT("shop")));
        buf_init(&again, 1 << 16);
        change_encode(&again, decoded);
        assert_int_equal(again.size, out.size);
        assert_memory_equal(again.data, out.data, out.size);
        buf_release(&again);
        buf_release(&out);
    }
    free(decoded);
    release_parts();
}

static void a_reservation_keeps_its_fields(void **state)
{
    (void)state;
    make_parts();
    struct change *c = memory_zeroed(1, sizeof(*c));
    struct buf out;
    encode(&out, CHANGE_RESERVATION);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    assert_true(change_decode(&in, 1, c));
    const struct reservation_image *r = &c->reservation.image, *s = &sample.reservation.image;
    assert_int_equal(c->reservation.action, ACTION_CONFIRMED);
    assert_true(id_equal(r->id, s->id));
    assert_int_equal(r->expires_at_ms, s->expires_at_ms);
    assert_int_equal(r->max_expires_at_ms, s->max_expires_at_ms);
    assert_int_equal(r->ended_at_ms, 0);
    assert_int_equal(r->payment_recorded_at_ms, 1700000001500);
    assert_int_equal(r->manage_gen, UINT32_MAX);
    assert_int_equal(r->transferred, 11);
    assert_string_equal(r->currency, "EUR");
    assert_non_null(r->payment_method.at); /* empty, but given */
    assert_int_equal(r->payment_method.size, 0);
    assert_int_equal(reservation_image_total(r), 507);
    assert_int_equal(r->items[1].quantity, QUANTITY_MAX);
    assert_int_equal(r->items[1].fence, 12);
    assert_int_equal(r->items[1].start_ms, 0);
    struct item_image was;
    struct bytes_reader items_before = c->reservation.before;
    assert_int_equal(c->reservation.before_count, 2);
    assert_true(item_before_get(&items_before, &was));
    assert_int_equal(was.quantity, QUANTITY_MAX);
    assert_int_equal(was.flags, ITEM_UNPAID | ITEM_CHOSEN);
    assert_true(text_equal(was.attributes, TEXT("{\"wrist\":\"red\"}")));
    assert_true(item_before_get(&items_before, &was));
    assert_true(was.until_ms == sample.items[2].until_ms && !was.attributes.at);
    assert_int_equal(r->user_max_at_ms, s->user_max_at_ms);
    assert_int_equal(r->staff_max_at_ms, s->staff_max_at_ms);
    assert_true(r->items[0].flags == 0 && r->items[1].flags == (ITEM_UNPAID | ITEM_CHOSEN));
    assert_null(r->items[0].attributes.at);
    assert_true(text_equal(r->items[1].attributes, TEXT("{\"wrist\":\"red\"}")));
    assert_true(text_equal(r->items[1].category, TEXT("child")));
    assert_true(text_equal(r->items[1].allotment, TEXT("sponsors")));
    assert_int_equal(r->items[2].start_ms, sample.items[2].start_ms);
    assert_int_equal(r->items[2].end_ms, sample.items[2].end_ms);
    assert_int_equal(r->items[2].until_ms, sample.items[2].until_ms);
    buf_release(&out);
    free(c);
    release_parts();
}

static void a_calendar_keeps_its_lists(void **state)
{
    (void)state;
    struct change *c = memory_zeroed(1, sizeof(*c));
    struct buf out;
    encode(&out, CHANGE_CALENDAR);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    assert_true(change_decode(&in, 1, c));
    const struct calendar_image *k = &c->calendar;
    assert_int_equal(k->capacity, CALENDAR_CAPACITY_MAX);
    assert_true(text_equal(k->timezone, sample.calendar.timezone));
    assert_int_equal(k->buffer_minutes, BUFFER_MINUTES_MAX);
    assert_int_equal(k->rules.buffer_before_minutes, BUFFER_MINUTES_MAX);
    assert_int_equal(k->rules.min_minutes, 60);
    assert_int_equal(k->rules.max_minutes, LENGTH_MINUTES_MAX);
    assert_int_equal(k->rules.price_per, PRICE_PER_SLOT);
    assert_int_equal(k->rules.notice_minutes, NOTICE_MINUTES_MAX);
    assert_int_equal(k->rules.horizon_days, HORIZON_DAYS_MAX);
    assert_int_equal(k->rules.per_user_limit, CALENDAR_LIMIT_MAX);
    assert_int_equal(k->rules.change_until_minutes, 1440);
    assert_int_equal(k->rules.size, CALENDAR_SIZE_MAX);
    assert_false(k->rules.guests);
    assert_int_equal(k->hours_count, 2);
    assert_int_equal(k->hours[1].days, 0x40);
    assert_int_equal(k->hours[1].from_minute, 1320);
    assert_int_equal(k->hours[1].to_minute, 120);
    assert_int_equal(k->closed_count, 1);
    assert_int_equal(k->closed[0].start_ms, -1);
    assert_int_equal(k->closed[0].end_ms, 1800000000000);
    assert_int_equal(k->service_count, 2);
    assert_true(text_equal(k->services[1].id, TEXT("dye")) && k->services[1].removed);
    assert_int_equal(k->services[1].duration_minutes, 527040);
    assert_int_equal(k->services[0].price, 2500);
    buf_release(&out);
    free(c);
}

/* In a block of exactly its size, so that a sanitizer sees the first byte too many. */
static bool decodes(const uint8_t *bytes, size_t size)
{
    struct change *c = memory_zeroed(1, sizeof(*c));
    uint8_t *block = memory_get(size);
    memcpy(block, bytes, size);
    struct bytes_reader in = bytes_reader_make(block, size);
    bool fine = change_decode(&in, 1, c);
    free(block);
    free(c);
    return fine;
}

#define ZIGZAG(n) ((uint64_t)(n)*2) /* how a signed number that is not negative is written */

/* Whether it is read with another number in the last place where the bytes of this one are. */
static bool decodes_with(struct buf *out, uint64_t written, uint64_t other)
{
    struct buf from, to;
    buf_init(&from, 16);
    buf_init(&to, 16);
    bytes_put_varint(&from, written);
    bytes_put_varint(&to, other);
    assert_int_equal(from.size, to.size);
    size_t at = out->size - from.size;
    while (memcmp(out->data + at, from.data, from.size) != 0)
        assert_true(at-- > 0);
    memcpy(out->data + at, to.data, to.size);
    buf_release(&from);
    buf_release(&to);
    return decodes(out->data, out->size);
}

static void every_truncation_is_refused(void **state)
{
    (void)state;
    make_parts();
    for (int kind = 1; kind <= KINDS; kind++) {
        struct buf out;
        encode(&out, (enum change_kind)kind);
        for (size_t size = 0; size < out.size; size++)
            assert_false(decodes(out.data, size));
        buf_release(&out);
    }
    release_parts();
}

static void texts_of_an_event_are_read_back(void **state)
{
    (void)state;
    struct buf out;
    struct change *c = memory_zeroed(1, sizeof(*c));
    make_parts();
    buf_init(&out, 1 << 16);
    sample_of(CHANGE_EVENT)->event.venue = TEXT("The arena");
    sample.event.image = TEXT("/a.jpg");
    change_encode(&out, &sample);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    memset(c, 0xff, sizeof(*c));
    assert_true(change_decode(&in, 1, c));
    assert_true(text_equal(c->event.venue, TEXT("The arena")) && text_equal(c->event.image, TEXT("/a.jpg")));
    assert_null(c->event.description.at);
    sample.event.description =
        (struct text){memory_zeroed(1, DESCRIPTION_SIZE_MAX + 1), DESCRIPTION_SIZE_MAX + 1};
    buf_clear(&out);
    change_encode(&out, &sample);
    assert_false(decodes(out.data, out.size));
    free((void *)(uintptr_t)sample.event.description.at);
    buf_release(&out);
    free(c);
    release_parts();
}

/* What a slot keeps free before it, and less after it than it may, now and before the change. */
static void buffers_are_read_back(void **state)
{
    (void)state;
    make_parts();
    struct buf out;
    struct change *c = memory_zeroed(1, sizeof(*c));
    buf_init(&out, 1 << 20);
    sample_of(CHANGE_RESERVATION);
    sample.items[2].until_ms = sample.items[2].end_ms + 63;
    sample.items[2].lead_ms = 61;
    sample.items[2].before_minutes = 30;
    buf_clear(&before);
    item_before_put(&before, &sample.items[2]);
    sample.reservation.before = bytes_reader_make(before.data, before.size);
    sample.reservation.before_count = 1;
    change_encode(&out, &sample);
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    assert_true(change_decode(&in, 1, c));
    const struct item_image *slot = &c->reservation.image.items[2];
    assert_int_equal(slot->until_ms - slot->end_ms, 63);
    assert_int_equal(slot->lead_ms, 61);
    assert_int_equal(slot->before_minutes, 30);
    assert_int_equal(slot->after_minutes, BUFFER_MINUTES_MAX);
    assert_int_equal(c->reservation.image.items[1].after_minutes, 0);
    struct item_image was;
    assert_true(item_before_get(&c->reservation.before, &was));
    assert_true(was.lead_ms == 61 && was.before_minutes == 30 && was.after_minutes == BUFFER_MINUTES_MAX);
    buf_release(&out);
    free(c);
    release_parts();
}

/* Rows, positions and moves are opaque here; layout_make and state_restore judge them. */
static bool has_opaque_tail(int kind)
{
    return kind == CHANGE_SEATS_STAGED || kind == CHANGE_SEATS_BLOCKED || kind == CHANGE_SEATS_REMOVED ||
           kind == CHANGE_SEATS_ALLOTTED || kind == CHANGE_QUEUE_MOVED || kind == CHANGE_HOOK_MOVED ||
           kind == CHANGE_REFUSALS;
}

/* The size is right but the fields are not: we did not write this. */
static void every_short_body_is_refused(void **state)
{
    (void)state;
    make_parts();
    for (int kind = 1; kind <= KINDS; kind++) {
        struct buf out;
        encode(&out, (enum change_kind)kind);
        for (size_t size = 5; size < (has_opaque_tail(kind) ? 5 + 14 : out.size); size++) {
            bytes_store_u32(out.data + 1, (uint32_t)(size - 5));
            assert_false(decodes(out.data, size));
        }
        buf_release(&out);
    }
    release_parts();
}

/* A reservation of which nothing is said that most do not have: an absent part is zero, whatever was there before. */
static void absent_parts_are_zero(void **state)
{
    (void)state;
    make_parts();
    struct buf out;
    struct change *c = memory_zeroed(1, sizeof(*c));
    buf_init(&out, 1 << 16);
    struct reservation_image *s = &sample_of(CHANGE_RESERVATION)->reservation.image;
    s->user_max_at_ms = s->staff_max_at_ms = s->payment_recorded_at_ms = 0;
    s->manage_gen = 0;
    s->transferred = 0;
    s->singles = sample.reservation.reason = (struct text){0};
    s->item_count = 1; /* the first is a plain seat */
    sample.reservation.before_count = 0;
    change_encode(&out, &sample);
    memset(c, 0xff, sizeof(*c));
    struct bytes_reader in = bytes_reader_make(out.data, out.size);
    assert_true(change_decode(&in, 1, c));
    const struct reservation_image *r = &c->reservation.image;
    assert_true(!r->user_max_at_ms && !r->staff_max_at_ms && !r->payment_recorded_at_ms && !r->from_list);
    assert_true(!r->manage_gen && !r->transferred && !r->singles.at && !c->reservation.reason.at);
    assert_int_equal(c->reservation.before_count, 0);
    assert_true(!r->items[0].attributes.at && !r->items[0].category.at && !r->items[0].flags);
    assert_true(!r->items[0].code.at && !r->items[0].allotment.at && !r->items[0].group);
    assert_int_equal(out.data[out.size - 1], 0); /* which parts of the reservation there are */
    out.data[out.size - 1] = 1;
    assert_true(decodes(out.data, out.size)); /* from_list, which has no bytes */
    bytes_store_u32(out.data + 1, (uint32_t)(out.size + 1 - 5));
    out.data[out.size - 1] = 0x80;
    bytes_put_u8(&out, 4); /* a part that there is none of */
    assert_false(decodes(out.data, out.size));
    buf_release(&out);
    free(c);
    release_parts();
}

/* Nothing is behind the last field: what nobody reads, nobody wrote. Lists go up to the end and are judged by others. */
static void every_long_body_is_refused(void **state)
{
    (void)state;
    make_parts();
    for (int kind = 1; kind <= KINDS; kind++) {
        struct buf out;
        encode(&out, (enum change_kind)kind);
        bytes_put_u8(&out, 0);
        bytes_store_u32(out.data + 1, (uint32_t)(out.size - 5));
        assert_int_equal(decodes(out.data, out.size), has_opaque_tail(kind));
        buf_release(&out);
    }
    release_parts();
}

/* Any byte changed to anything: refused or read, never a crash. */
static void every_damaged_byte_is_survived(void **state)
{
    (void)state;
    make_parts();
    for (int kind = 1; kind <= KINDS; kind++) {
        struct buf out;
        encode(&out, (enum change_kind)kind);
        for (size_t at = 0; at < out.size; at++) {
            uint8_t was = out.data[at];
            for (int bit = 0; bit < 8; bit++) {
                out.data[at] = was ^ (uint8_t)(1 << bit);
                decodes(out.data, out.size);
            }
            out.data[at] = 0xff;
            decodes(out.data, out.size);
            out.data[at] = was;
        }
        buf_release(&out);
    }
    release_parts();
}

static void unknown_kinds_and_values_are_refused(void **state)
{
    (void)state;
    make_parts();
    struct buf out;
    encode(&out, CHANGE_SEATS_COPIED);
    out.data[0] = KINDS + 1;
    assert_false(decodes(out.data, out.size));
    out.data[0] = 0;
    assert_false(decodes(out.data, out.size));
    buf_release(&out);

    buf_init(&out, 1 << 16);
    sample_of(CHANGE_RESERVATION)->reservation.image.user_id = TEXT("");
    change_encode(&out, &sample);
    assert_false(decodes(out.data, out.size));
    buf_clear(&out);
    sample_of(CHANGE_RESERVATION)->items[0].kind = ITEM_BEST;
    change_encode(&out, &sample);
    assert_false(decodes(out.data, out.size));
    buf_clear(&out);
    sample_of(CHANGE_RESERVATION)->items[1].quantity = 777; /* nothing else has these bytes */
    change_encode(&out, &sample);
    assert_true(decodes(out.data, out.size));
    assert_false(decodes_with(&out, 777, QUANTITY_MAX + 1));
    assert_true(decodes_with(&out, QUANTITY_MAX + 1, 777));
    assert_false(decodes_with(&out, ZIGZAG(SLOT_LENGTH_MAX_MS), ZIGZAG(SLOT_LENGTH_MAX_MS + 1)));
    assert_true(decodes_with(&out, ZIGZAG(SLOT_LENGTH_MAX_MS + 1), ZIGZAG(SLOT_LENGTH_MAX_MS)));
    buf_clear(&out);
    sample_of(CHANGE_RESERVATION);
    sample.items[2].until_ms = sample.items[2].end_ms + 63;
    change_encode(&out, &sample);
    assert_true(decodes(out.data, out.size));
    assert_false(decodes_with(&out, ZIGZAG(63), 1)); /* -1: free before its end */
    buf_release(&out);
    release_parts();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_comes_back),
        cmocka_unit_test(a_reservation_keeps_its_fields),
        cmocka_unit_test(a_calendar_keeps_its_lists),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(texts_of_an_event_are_read_back),
        cmocka_unit_test(every_short_body_is_refused),
        cmocka_unit_test(buffers_are_read_back),
        cmocka_unit_test(absent_parts_are_zero),
        cmocka_unit_test(every_long_body_is_refused),
        cmocka_unit_test(every_damaged_byte_is_survived),
        cmocka_unit_test(unknown_kinds_and_values_are_refused),
    };
    return cmocka_run_group_tests_name("core_change_codec", tests, NULL, NULL);
}
