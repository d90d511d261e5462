/* SPDX-License-Identifier: Apache-2.0 */
/* What is loaded at start is what was written: everything live, and nothing that has ended. */
#include "../lib/book_fixture.h"

#include "book/record/load.h"

struct loaded {
    struct buf text; /* one line for each call */
    bool (*held)(const struct reservation_image *r);
    const struct booking *expected;
    int64_t refuse_after; /* calls; 0: never */
};

static bool take(struct loaded *l)
{
    return l->refuse_after == 0 || --l->refuse_after > 0;
}

static bool on_event(void *owner, const struct event_image *e, uint32_t seat_count)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "event %llu %.*s '%.*s' %s %u/%u/%u pay %d late %d limit %u start %lld seats %u%s\n",
               (unsigned long long)e->number, (int)e->id.size, e->id.at, (int)e->name.size, e->name.at,
               e->terms.currency, e->terms.hold_ttl_s, e->terms.max_hold_s, e->terms.payment_ttl_s,
               (int)e->terms.payment, (int)e->terms.late_payment, e->per_user_limit,
               (long long)e->starts_at_ms, seat_count, e->removed ? " removed" : "");
    return take(l);
}

static bool on_pool(void *owner, const struct pool_image *p, uint32_t sold)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "pool %llu/%u %.*s '%.*s' capacity %u price %lld available %u sold %u\n",
               (unsigned long long)p->event, p->position, (int)p->id.size, p->id.at, (int)p->name.size,
               p->name.at, p->capacity, (long long)p->price, p->available, sold);
    return take(l);
}

static bool on_seat(void *owner, uint64_t event, uint32_t position, const struct seat_image *s,
                    uint64_t version)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "seat %llu/%u %.*s section %.*s price %lld x %d %d%s%s version %llu\n",
               (unsigned long long)event, position, (int)s->id.size, s->id.at, (int)s->section.size,
               s->section.at ? s->section.at : "", (long long)s->price, s->has_x, s->x_milli,
               s->accessible ? " accessible" : "", s->blocked ? " blocked" : "", (unsigned long long)version);
    return take(l);
}

static bool on_seats_end(void *owner, uint64_t event)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "end of seats %llu\n", (unsigned long long)event);
    return take(l);
}

static bool on_calendar(struct loaded *l, const struct calendar_image *c, int64_t past_ms)
{
    buf_printf(
        &l->text,
        "calendar %llu %.*s '%.*s' %.*s capacity %u price %lld %s %u/%u/%u pay %d late %d slots %u "
        "buffer %u made %lld past %lld; before %u from %u to %u minutes per %s notice %u horizon %u limit %u "
        "change %u size %u guests %d\n",
        (unsigned long long)c->number, (int)c->id.size, c->id.at, (int)c->name.size, c->name.at,
        (int)c->timezone.size, c->timezone.at, c->capacity, (long long)c->price, c->terms.currency,
        c->terms.hold_ttl_s, c->terms.max_hold_s, c->terms.payment_ttl_s, (int)c->terms.payment,
        (int)c->terms.late_payment, c->slot_minutes, c->buffer_minutes,
        (long long)(c->created_at_ms - FIXTURE_START_MS), (long long)(past_ms - FIXTURE_START_MS),
        c->rules.buffer_before_minutes, c->rules.min_minutes, c->rules.max_minutes,
        price_per_name(c->rules.price_per), c->rules.notice_minutes, c->rules.horizon_days,
        c->rules.per_user_limit, c->rules.change_until_minutes, c->rules.size, c->rules.guests);
    for (uint32_t i = 0; i < c->hours_count; i++)
        buf_printf(&l->text, "  open %02x %u-%u\n", c->hours[i].days, c->hours[i].from_minute,
                   c->hours[i].to_minute);
    for (uint32_t i = 0; i < c->closed_count; i++)
        buf_printf(&l->text, "  closed %lld-%lld\n", (long long)(c->closed[i].start_ms - FIXTURE_START_MS),
                   (long long)(c->closed[i].end_ms - FIXTURE_START_MS));
    for (uint32_t i = 0; i < c->service_count; i++)
        buf_printf(&l->text, "  service %.*s %u min %lld%s\n", (int)c->services[i].id.size,
                   c->services[i].id.at, c->services[i].duration_minutes, (long long)c->services[i].price,
                   c->services[i].removed ? " removed" : "");
    return take(l);
}

static bool on_key(struct loaded *l, const struct key_image *k)
{
    buf_printf(&l->text, "key %.*s %s %02x%02x at %lld, %02x%02x until %lld\n", (int)k->name.size, k->name.at,
               role_name(k->role), k->hash[0], k->hash[31], (long long)k->created_at_ms, k->old_hash[0],
               k->old_hash[31], (long long)k->old_until_ms);
    return take(l);
}

static bool on_staged(void *owner, uint64_t event, uint64_t import, uint32_t columns,
                      const struct seat_image *s)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "staged %llu/%llu %.*s columns %u price %lld\n", (unsigned long long)event,
               (unsigned long long)import, (int)s->id.size, s->id.at, columns, (long long)s->price);
    return take(l);
}

static bool on_held(void *owner, const struct reservation_image *r)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "held %llu by %.*s items", (unsigned long long)r->number, (int)r->user_id.size,
               r->user_id.at);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item_image *item = &r->items[i];
        buf_printf(&l->text, " %u:%d/%llu/%ux%u", item->item_id, (int)item->kind,
                   (unsigned long long)item->resource, item->part, item->quantity);
        if (item->kind == ITEM_SLOT)
            buf_printf(&l->text, " %lld-%lld-%lld",
                       (long long)((item->start_ms - FIXTURE_START_MS) / MINUTE_MS),
                       (long long)((item->end_ms - FIXTURE_START_MS) / MINUTE_MS),
                       (long long)((item->until_ms - FIXTURE_START_MS) / MINUTE_MS));
    }
    buf_append_text(&l->text, "\n");
    return take(l);
}

static bool on_sold(void *owner, const struct book_sold *s)
{
    struct loaded *l = owner;
    if (s->item->kind == ITEM_SLOT)
        buf_printf(&l->text, "slot %lld-%lld ",
                   (long long)((s->item->start_ms - FIXTURE_START_MS) / MINUTE_MS),
                   (long long)((s->item->until_ms - FIXTURE_START_MS) / MINUTE_MS));
    buf_printf(&l->text, "sold %llu/%u x%u kind %d to %.*s fence %llu\n",
               (unsigned long long)s->item->resource, s->item->part, s->item->quantity, (int)s->item->kind,
               (int)s->user_id.size, s->user_id.at, (unsigned long long)s->item->fence);
    return take(l);
}

static bool on_idempotency(struct loaded *l, const struct idempotency_image *i, uint64_t seq)
{
    buf_printf(&l->text, "idempotency %llu-%llu body %llu of %llu-%llu status %u at %lld seq %llu\n",
               (unsigned long long)i->key[0], (unsigned long long)i->key[1], (unsigned long long)i->body[1],
               (unsigned long long)i->made.high, (unsigned long long)i->made.low, i->http_status,
               (long long)(i->at_ms - FIXTURE_START_MS), (unsigned long long)seq);
    return take(l);
}

static bool on_record(void *owner, const struct change *c)
{
    struct loaded *l = owner;
    return c->kind == CHANGE_CALENDAR      ? on_calendar(l, &c->calendar, c->at_ms)
           : c->kind == CHANGE_KEY         ? on_key(l, &c->key)
           : c->kind == CHANGE_IDEMPOTENCY ? on_idempotency(l, &c->idempotency, c->seq)
                                           : true;
}

static struct status load(struct fixture *f, struct loaded *l, int64_t since_ms, struct book_meta *meta)
{
    buf_init(&l->text, 1 << 24);
    struct book_load_sink sink = {.owner = l,
                                  .event = on_event,
                                  .pool = on_pool,
                                  .seat = on_seat,
                                  .seats_end = on_seats_end,
                                  .record = on_record,
                                  .staged = on_staged,
                                  .held = on_held,
                                  .sold = on_sold};
    struct status status = book_load(f->path, since_ms, &sink, meta);
    buf_append(&l->text, "", 1);
    return status;
}

/* Changes 25 to 28. One of eve's slots has been over for so long that no day has it, 26 hours before the last change,
 * and another for a minute less. */
static void write_calendar(struct fixture *f)
{
    struct booking dan, eve;
    uint64_t calendar = fixture_calendar(f, "dr_smith", 2);
    booking_begin(f, &eve, "eve");
    booking_slot(f, &eve, calendar, -26 * 60, -26 * 60 + 30, -26 * 60 + 40);
    booking_slot(f, &eve, calendar, -26 * 60, -26 * 60 + 40, -26 * 60 + 41);
    booking_slot(f, &eve, calendar, 40, 80, 90);
    eve.items[1].part = 2;
    fixture_confirm(f, &eve);
    f->at_ms += 40 * MINUTE_MS;
    booking_begin(f, &dan, "dan");
    booking_slot(f, &dan, calendar, 60, 90, 100);
    booking_slot(f, &dan, calendar, 100, 130, 140);
    dan.items[1].part = 2;
    fixture_write(f, &dan, ACTION_HELD);
}

/* Something of every kind. */
static void write_everything(struct fixture *f)
{
    struct booking ann, bob, cid, dan;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 4);
    fixture_pool(f, event, 0, "floor", 50);
    uint64_t gone = fixture_event(f, "gone"), referred = fixture_event(f, "referred");
    fixture_seats(f, referred, 1);
    fixture_hold(f, &ann, "ann", event, 3); /* 9 */
    fixture_hold(f, &bob, "bob", event, 0);
    booking_add(f, &bob, ITEM_POOL, event, 0, 5);
    fixture_write(f, &bob, ACTION_ITEM_ADDED);
    fixture_confirm(f, &bob);
    fixture_hold(f, &cid, "cid", event, 1); /* 13 */
    fixture_end(f, &cid);
    fixture_hold(f, &dan, "dan", referred, 0);
    fixture_end(f, &dan);
    booking_add(f, &ann, ITEM_POOL, event, 0, 2); /* 17 */
    fixture_write(f, &ann, ACTION_ITEM_ADDED);
    fixture_event_remove(f, gone, "gone");
    fixture_event_remove(f, referred, "referred");
    struct seat_image seats[] = {{.id = TEXT("Z1"), .price = 3}, {.id = TEXT("Z2"), .price = 4}};
    fixture_stage(f, event, 12, SEAT_COLUMN_PRICE, seats, 2); /* 20 */
    struct key_image key = {.name = TEXT("door 1"), .role = ROLE_DOOR, .created_at_ms = 5};
    memset(key.hash, 0xab, sizeof(key.hash));
    key.old_until_ms = 9;
    memset(key.old_hash, 0xcd, sizeof(key.old_hash));
    fixture_change(f, CHANGE_KEY)->key = key;
    fixture_put(f);
    for (uint64_t i = 0; i < 3; i++) {
        fixture_change(f, CHANGE_IDEMPOTENCY)->idempotency =
            (struct idempotency_image){.key = {i, UINT64_MAX},
                                       .body = {0, i},
                                       .made = {i, 8},
                                       .http_status = 201,
                                       .at_ms = FIXTURE_START_MS + (int64_t)i};
        fixture_put(f);
    }
    write_calendar(f);
    fixture_commit(f);
}

static void loading_returns_what_was_written(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    struct book_meta meta;
    write_everything(f);
    assert_ok(load(f, &l, FIXTURE_START_MS + 1, &meta));
    assert_int_equal(meta.log.seq, f->seq);
    assert_int_equal(meta.last_at_ms, f->at_ms);
    assert_string_equal(
        (char *)l.text.data,
        "event 1 eras 'An evening' EUR 600/900/300 pay 1 late 1 limit 0 start 0 seats 4\n"
        "pool 1/0 floor 'A pool' capacity 50 price 500 available 43 sold 5\n"
        "seat 1/0 A1 section A price 1200 x 0 0 version 0\n"
        "seat 1/1 A2 section A price 1200 x 0 0 version 14\n"
        "seat 1/2 A3 section A price 1200 x 0 0 version 0\n"
        "seat 1/3 A4 section A price 1200 x 0 0 version 0\n"
        "end of seats 1\n"
        "key door 1 door abab at 5, cdcd until 9\n"
        "calendar 25 dr_smith 'A doctor' Europe/Berlin capacity 2 price 2500 EUR 300/900/200 pay 2 late 2 "
        "slots 30 "
        "buffer 10 made 0 past 2400000; before 5 from 60 to 90 minutes per slot notice 120 horizon 90 limit "
        "3 "
        "change 1440 size 4 guests 0\n"
        "  open 1f 540-1020\n"
        "  open 20 1320-120\n"
        "  closed 86400000-172800000\n"
        "  service check_up 30 min 4000\n"
        "  service x_ray 45 min 9000\n"
        "staged 1/12 Z1 columns 64 price 3\n"
        "staged 1/12 Z2 columns 64 price 4\n"
        "held 9 by ann items 1:1/1/3x1 2:2/1/0x2\n"
        "held 27 by dan items 1:4/25/0x1 60-90-100 2:4/25/2x1 100-130-140\n"
        "sold 1/0 x1 kind 1 to bob fence 10\n"
        "sold 1/0 x5 kind 2 to bob fence 11\n"
        "slot -1560--1519 sold 25/2 x1 kind 4 to eve fence 26\n"
        "slot 40-90 sold 25/0 x1 kind 4 to eve fence 26\n"
        "idempotency 1-18446744073709551615 body 1 of 1-8 status 201 at 1 seq 23\n"
        "idempotency 2-18446744073709551615 body 2 of 2-8 status 201 at 2 seq 24\n");
    buf_release(&l.text);
}

static bool leave_seats(void *owner, uint64_t event, uint32_t seat_count)
{
    struct loaded *l = owner;
    buf_printf(&l->text, "leave %llu with %u\n", (unsigned long long)event, seat_count);
    return true;
}

static void seats_can_be_loaded_later(void **state)
{
    struct fixture *f = *state;
    struct loaded l = {0};
    struct book_meta meta;
    write_everything(f);
    buf_init(&l.text, 1 << 24);
    struct book_load_sink sink = {
        .owner = &l, .seat = on_seat, .seats_end = on_seats_end, .seats_later = leave_seats};
    assert_ok(book_load(f->path, 0, &sink, &meta));
    struct book_seats_later later = {1, 4};
    assert_ok(book_load_seats(f->path, &later, 1, &sink));
    buf_append(&l.text, "", 1);
    assert_string_equal((char *)l.text.data, "leave 1 with 4\n"
                                             "seat 1/0 A1 section A price 1200 x 0 0 version 0\n"
                                             "seat 1/1 A2 section A price 1200 x 0 0 version 14\n"
                                             "seat 1/2 A3 section A price 1200 x 0 0 version 0\n"
                                             "seat 1/3 A4 section A price 1200 x 0 0 version 0\n"
                                             "end of seats 1\n");
    later.seat_count = 5;
    assert_int_equal(book_load_seats(f->path, &later, 1, &sink).kind, STATUS_CORRUPT);
    buf_release(&l.text);
}

static void a_refusal_stops_the_loading(void **state)
{
    struct fixture *f = *state;
    struct book_meta meta;
    write_everything(f);
    int64_t calls = 1;
    for (;; calls++) {
        struct loaded l = {.refuse_after = calls};
        struct status status = load(f, &l, 0, &meta);
        size_t lines = 0;
        for (size_t i = 0; i + 1 < l.text.size; i++)
            lines += l.text.data[i] == '\n' && l.text.data[i + 1] != ' ';
        buf_release(&l.text);
        if (status_ok(&status))
            break;
        assert_int_equal(status.kind, STATUS_CORRUPT);
        assert_int_equal(lines, calls);
    }
    assert_int_equal(calls, 21);
}

static bool held_equals(void *owner, const struct reservation_image *r)
{
    const struct reservation_image *e = &((const struct booking *)owner)->image;
    assert_true(id_equal(r->id, e->id));
    assert_int_equal(r->number, e->number);
    assert_int_equal(r->fence, e->fence);
    assert_int_equal(r->version, e->version);
    assert_int_equal(r->status, e->status);
    assert_true(text_equal(r->user_id, e->user_id));
    assert_int_equal(r->created_at_ms, e->created_at_ms);
    assert_int_equal(r->expires_at_ms, e->expires_at_ms);
    assert_int_equal(r->max_expires_at_ms, e->max_expires_at_ms);
    assert_int_equal(r->payment_started_at_ms, e->payment_started_at_ms);
    assert_int_equal(r->confirmed_at_ms, 0);
    assert_int_equal(r->ended_at_ms, 0);
    assert_int_equal(r->hold_ttl_s, e->hold_ttl_s);
    assert_int_equal(r->payment_ttl_s, e->payment_ttl_s);
    assert_int_equal(r->payment_required, e->payment_required);
    assert_string_equal(r->currency, e->currency);
    assert_int_equal(r->next_item_id, e->next_item_id);
    assert_true(text_equal(r->attributes, e->attributes));
    assert_true(text_equal(r->payment_ref, e->payment_ref));
    assert_null(r->payment_method.at);
    assert_int_equal(r->ticket_key[0] | r->ticket_key[1], 0);
    assert_int_equal(r->item_count, e->item_count);
    assert_int_equal(r->items[0].price, e->items[0].price);
    assert_int_equal(r->items[0].fence, e->items[0].fence);
    return true;
}

static void a_held_reservation_comes_back_whole(void **state)
{
    struct fixture *f = *state;
    struct booking ann;
    struct book_meta meta;
    uint64_t event = fixture_event(f, "eras");
    fixture_seats(f, event, 4);
    fixture_hold(f, &ann, "ann \xc3\xa9", event, 3);
    ann.image.payment_started_at_ms = f->at_ms;
    ann.image.expires_at_ms = ann.image.max_expires_at_ms = f->at_ms + 1;
    ann.image.payment_ref = TEXT("");
    ann.image.attributes = TEXT("{\"a\":1}");
    fixture_write(f, &ann, ACTION_PAYMENT_STARTED);
    fixture_commit(f);
    struct book_load_sink sink = {.owner = &ann, .held = held_equals};
    assert_ok(book_load(f->path, 0, &sink, &meta));
}

static bool count_items(void *owner, const struct reservation_image *r)
{
    uint64_t *sum = owner;
    *sum += r->item_count * r->number;
    return r->item_count == 1 && r->items[0].fence == r->number;
}

/* Held ones far apart and close together among others: the walk through the items both steps and searches. */
static void items_are_found_over_gaps_of_any_size(void **state)
{
    struct fixture *f = *state;
    struct booking b;
    struct book_meta meta;
    uint64_t event = fixture_event(f, "eras"), expected = 0, sum = 0;
    fixture_pool(f, event, 0, "floor", 1000000);
    for (uint32_t gap = 0; gap < 60; gap++) {
        for (uint32_t i = 0; i <= gap; i++) {
            booking_begin(f, &b, "ann");
            booking_add(f, &b, ITEM_POOL, event, 0, 1);
            fixture_write(f, &b, ACTION_HELD);
            if (i == gap)
                expected += b.image.number;
            else
                fixture_end(f, &b);
        }
    }
    fixture_commit(f);
    struct book_load_sink sink = {.owner = &sum, .held = count_items};
    assert_ok(book_load(f->path, 0, &sink, &meta));
    assert_int_equal(sum, expected);
}

static void seats_that_are_missing_are_noticed(void **state)
{
    struct fixture *f = *state;
    struct book_meta meta;
    struct loaded l = {0};
    fixture_seats(f, fixture_event(f, "eras"), 4);
    fixture_commit(f);
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "DELETE FROM seats WHERE position = 2");
    assert_ok(sql_status(s));
    sql_close(s);
    assert_fault(load(f, &l, 0, &meta), STATUS_CORRUPT, "a seat of event 1");
    buf_release(&l.text);
}

/* The damage to the calendar, and part of what must be reported. */
static void a_damaged_calendar_is_noticed(void **state)
{
    struct fixture *f = *state;
    static const struct {
        const char *damage, *sentence;
    } cases[] = {
        {"UPDATE calendar_hours SET days = 'mon day'", "invalid set of days: 'mon day'"},
        {"UPDATE calendar_hours SET days = 'tue mon'", "invalid set of days: 'tue mon'"},
        {"UPDATE calendar_hours SET opens = '24:00'", "invalid time of day: '24:00'"},
        {"UPDATE calendar_hours SET closes = '09:60'", "invalid time of day: '09:60'"},
        {"UPDATE calendar_hours SET closes = '9:00'", "invalid time of day: '9:00'"},
        {"DELETE FROM calendar_hours WHERE position = 0", "too many or too few rows"},
        {"DELETE FROM services WHERE position = 0", "too many or too few rows"},
        {"UPDATE calendar_closed SET position = 1", "too many or too few rows"},
        {"UPDATE calendars SET payment = 'maybe'", "rule of payment"},
        {"UPDATE calendars SET late_payment = 'maybe'", "rule of late payment"},
    };
    fixture_calendar(f, "dr_smith", 2);
    fixture_commit(f);
    struct sql *s;
    assert_ok(sql_open(&s, f->path, SQL_WRITE));
    sql_run(s, "PRAGMA ignore_check_constraints = ON; CREATE TEMP TABLE h AS SELECT * FROM calendar_hours; "
               "CREATE TEMP "
               "TABLE c AS SELECT * FROM calendar_closed; CREATE TEMP TABLE v AS SELECT * FROM services");
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct book_meta meta;
        struct loaded l = {0};
        sql_run(s, cases[i].damage);
        assert_ok(sql_status(s));
        assert_fault(load(f, &l, 0, &meta), STATUS_CORRUPT, cases[i].sentence);
        buf_release(&l.text);
        sql_run(s, "DELETE FROM calendar_hours; DELETE FROM calendar_closed; DELETE FROM services; "
                   "INSERT INTO calendar_hours SELECT * FROM h; INSERT INTO calendar_closed SELECT * FROM c; "
                   "INSERT INTO services SELECT * FROM v; "
                   "UPDATE calendars SET payment = 'none', late_payment = 'refund'");
    }
    struct book_meta meta;
    struct loaded l = {0};
    assert_ok(load(f, &l, 0, &meta)); /* everything is repaired: it was each damage that was noticed */
    buf_release(&l.text);
    sql_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(loading_returns_what_was_written),      book_test(seats_can_be_loaded_later),
        book_test(a_refusal_stops_the_loading),           book_test(a_held_reservation_comes_back_whole),
        book_test(items_are_found_over_gaps_of_any_size), book_test(seats_that_are_missing_are_noticed),
        book_test(a_damaged_calendar_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
