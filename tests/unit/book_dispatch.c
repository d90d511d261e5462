/* SPDX-License-Identifier: Apache-2.0 */
/* Fleets, drivers, rides and offers in the book: every column comes back, live rides are loaded, ended ones are read
 * one by one and pruned with the history; no driver or ride is assigned twice; every inconsistency is found. */
#include "../lib/book_fixture.h"

#include "book/file/export.h"
#include "book/record/load.h"
#include "book/record/reader.h"
#include "core/entry_id.h"

#define DAY_MS (24 * 60 * MINUTE_MS)
#define KEY 0x6b65792d6f66666cULL, 0x65657473206f6b21ULL

static uint64_t put_fleet(struct fixture *f, const char *id)
{
    fixture_change(f, CHANGE_FLEET)->fleet = (struct fleet_image){.number = f->seq + 1,
                                                                  .id = text_of(id),
                                                                  .offer_s = 15,
                                                                  .resolution = 9,
                                                                  .max_rings = 6,
                                                                  .presence_s = 30,
                                                                  .search_s = 180,
                                                                  .speed_kmh = 31,
                                                                  .batch_ms = 250,
                                                                  .guests = true,
                                                                  .rides_per_rider = 7,
                                                                  .weights = {1000, 20, 300, 4},
                                                                  .key = {KEY},
                                                                  .created_at_ms = f->at_ms};
    fixture_put(f);
    return f->seq;
}

static void remove_fleet(struct fixture *f, uint64_t number, const char *id)
{
    fixture_change(f, CHANGE_FLEET)->fleet =
        (struct fleet_image){.number = number, .id = text_of(id), .removed = true};
    fixture_put(f);
}

static struct status try_driver(struct fixture *f, uint64_t fleet, const char *id, bool removed)
{
    static const struct text types[] = {TEXT("xl"), TEXT("\"quiet\"")};
    fixture_change(f, CHANGE_DRIVER)->driver = (struct driver_image){.fleet = fleet,
                                                                     .id = text_of(id),
                                                                     .rating_milli = 4321,
                                                                     .surge = true,
                                                                     .types = types,
                                                                     .type_count = 2,
                                                                     .removed = removed};
    return fixture_try(f);
}

static struct status try_ride(struct fixture *f, const struct ride_image *r)
{
    fixture_change(f, CHANGE_RIDE)->ride = *r;
    return fixture_try(f);
}

static struct ride_image new_ride(struct fixture *f, uint64_t fleet, const char *rider)
{
    struct ride_image r = {.fleet = fleet,
                           .id = id_make(f->at_ms, f->seq + 1, 77),
                           .number = f->seq + 1,
                           .rider_id = text_of(rider),
                           .pickup = {-525000001, 1134000002},
                           .to = {525000003, -1134000004},
                           .has_to = true,
                           .cell = 0x891f1d48863ffffULL,
                           .type = TEXT("xl"),
                           .surge_milli = 1250,
                           .status = RIDE_SEARCHING,
                           .created_at_ms = f->at_ms,
                           .search_until_ms = f->at_ms + 180000};
    assert_ok(try_ride(f, &r));
    return r;
}

static struct status try_offer(struct fixture *f, struct offer_image *o, struct ride_image *r,
                               const char *driver)
{
    *o = (struct offer_image){.fleet = r->fleet,
                              .number = f->seq + 1,
                              .ride = r->id,
                              .driver_id = text_of(driver),
                              .score_ms = -123456,
                              .eta_ms = 65432,
                              .made_at_ms = f->at_ms,
                              .expires_at_ms = f->at_ms + 15000};
    fixture_change(f, CHANGE_OFFER)->offer = *o;
    struct status status = fixture_try(f);
    if (!status_ok(&status))
        return status;
    r->status = RIDE_OFFERED;
    r->offer = o->number;
    return try_ride(f, r);
}

static struct status try_end(struct fixture *f, struct offer_image *o, struct ride_image *r,
                             enum offer_end end)
{
    o->end = end;
    o->ended_at_ms = f->at_ms < o->expires_at_ms ? f->at_ms : o->expires_at_ms;
    fixture_change(f, CHANGE_OFFER)->offer = *o;
    struct status status = fixture_try(f);
    if (!status_ok(&status))
        return status;
    r->status = end == OFFER_ACCEPTED ? RIDE_ASSIGNED : RIDE_SEARCHING;
    r->offer = end == OFFER_ACCEPTED ? o->number : 0;
    r->assigned_at_ms = end == OFFER_ACCEPTED ? f->at_ms : 0;
    r->driver_id = end == OFFER_ACCEPTED ? o->driver_id : (struct text){0};
    return try_ride(f, r);
}

static void finish(struct fixture *f, struct ride_image *r, enum ride_status status)
{
    r->status = status;
    r->ended_at_ms = f->at_ms;
    assert_ok(try_ride(f, r));
}

/* Fleet 1 with dan and eve; a ride of ann, which dan declined and eve completed; one of bob that is offered to dan; one
 * of cid that eve drives. All within a minute. */
struct day {
    struct ride_image ann, bob, cid;
    struct offer_image declined, driven, live, taken;
};

static void write_day(struct fixture *f, struct day *d)
{
    uint64_t fleet = put_fleet(f, "city");
    assert_ok(try_driver(f, fleet, "dan", false));
    assert_ok(try_driver(f, fleet, "eve", false));
    d->ann = new_ride(f, fleet, "ann");
    assert_ok(try_offer(f, &d->declined, &d->ann, "dan"));
    f->at_ms += 1000;
    assert_ok(try_end(f, &d->declined, &d->ann, OFFER_DECLINED));
    assert_ok(try_offer(f, &d->driven, &d->ann, "eve"));
    f->at_ms += 2000;
    assert_ok(try_end(f, &d->driven, &d->ann, OFFER_ACCEPTED));
    f->at_ms += 30000;
    finish(f, &d->ann, RIDE_COMPLETED);
    d->bob = new_ride(f, fleet, "bob");
    assert_ok(try_offer(f, &d->live, &d->bob, "dan"));
    d->cid = new_ride(f, fleet, "cid");
    assert_ok(try_offer(f, &d->taken, &d->cid, "eve"));
    assert_ok(try_end(f, &d->taken, &d->cid, OFFER_ACCEPTED));
    fixture_commit(f);
}

/* ---- Coming back ---- */

static void expect_ride(const struct ride_image *a, const struct ride_image *b)
{
    assert_true(id_equal(a->id, b->id) && a->fleet == b->fleet && a->number == b->number);
    assert_true(text_equal(a->rider_id, b->rider_id) && text_equal(a->type, b->type));
    assert_true(text_equal(a->driver_id, b->driver_id) && !a->driver_id.at == !b->driver_id.at);
    assert_memory_equal(&a->pickup, &b->pickup, sizeof(a->pickup));
    assert_memory_equal(&a->to, &b->to, sizeof(a->to));
    assert_true(a->has_to == b->has_to && a->cell == b->cell && a->surge_milli == b->surge_milli);
    assert_true(a->status == b->status && a->offer == b->offer);
    assert_true(a->created_at_ms == b->created_at_ms && a->search_until_ms == b->search_until_ms &&
                a->assigned_at_ms == b->assigned_at_ms && a->ended_at_ms == b->ended_at_ms);
}

static void expect_offer(const struct offer_image *a, const struct offer_image *b)
{
    assert_true(a->fleet == b->fleet && a->number == b->number && id_equal(a->ride, b->ride));
    assert_true(text_equal(a->driver_id, b->driver_id) && a->score_ms == b->score_ms &&
                a->eta_ms == b->eta_ms);
    assert_true(a->made_at_ms == b->made_at_ms && a->expires_at_ms == b->expires_at_ms &&
                a->ended_at_ms == b->ended_at_ms && a->end == b->end);
}

struct loaded {
    const struct day *day;
    int fleets, drivers, rides, offers;
};

static bool on_record(void *owner, const struct change *c)
{
    struct loaded *l = owner;
    const struct day *d = l->day;
    if (c->kind == CHANGE_FLEET) {
        const struct fleet_image *x = &c->fleet;
        assert_true(++l->fleets == 1 && x->number == 1 && text_equal(x->id, TEXT("city")) && !x->removed);
        assert_true(x->offer_s == 15 && x->resolution == 9 && x->max_rings == 6 && x->presence_s == 30 &&
                    x->search_s == 180 && x->speed_kmh == 31 && x->batch_ms == 250 &&
                    x->rides_per_rider == 7 && x->guests);
        assert_true(x->weights.eta_milli == 1000 && x->weights.rating_milli == 20 &&
                    x->weights.waiting_milli == 300 && x->weights.surge_milli == 4);
        const uint64_t key[] = {KEY};
        assert_memory_equal(x->key, key, sizeof(key));
        assert_int_equal(x->created_at_ms, FIXTURE_START_MS);
    } else if (c->kind == CHANGE_DRIVER) {
        const struct driver_image *x = &c->driver;
        assert_true(x->fleet == 1 && text_equal(x->id, l->drivers++ ? TEXT("eve") : TEXT("dan")));
        assert_true(x->rating_milli == 4321 && x->surge && !x->removed && x->type_count == 2);
        assert_true(text_equal(x->types[0], TEXT("xl")) && text_equal(x->types[1], TEXT("\"quiet\"")));
    } else if (c->kind == CHANGE_RIDE) {
        expect_ride(&c->ride, l->rides++ ? &d->cid : &d->bob);
    } else if (c->kind == CHANGE_OFFER) {
        expect_offer(&c->offer, l->offers++ ? &d->taken : &d->live);
        assert_true(l->rides == 2); /* in this order */
    }
    return true;
}

static void live_rides_are_loaded(void **state)
{
    struct fixture *f = *state;
    struct day day;
    struct book_meta meta;
    write_day(f, &day);
    uint64_t gone = put_fleet(f, "gone");
    assert_ok(try_driver(f, gone, "hal", false));
    remove_fleet(f, gone, "gone");
    assert_ok(try_driver(f, 1, "ida", false));
    assert_ok(try_driver(f, 1, "ida", true));
    fixture_commit(f);
    struct loaded loaded = {.day = &day};
    struct book_load_sink sink = {.owner = &loaded, .record = on_record};
    assert_ok(book_load(f->path, 0, &sink, &meta));
    assert_true(loaded.fleets == 1 && loaded.drivers == 2 && loaded.rides == 2 && loaded.offers == 2);
    put_fleet(f, "gone"); /* its id is free */
    assert_fault(try_driver(f, 1, "ida", true), STATUS_CORRUPT,
                 "removes a driver that the book does not have");
    fixture_rollback(f);
}

static void an_ended_ride_is_read_back_complete(void **state)
{
    struct fixture *f = *state;
    struct day day;
    struct book_reader *reader;
    struct arena arena;
    struct ride_image ride;
    const uint64_t key[] = {KEY};
    bool found;
    write_day(f, &day);
    assert_ok(book_reader_open(&reader, f->path));
    arena_init(&arena, 256);
    const struct ride_key keys[] = {
        {.id = day.ann.id}, {.offer = day.declined.number}, {.offer = day.driven.number}};
    for (int i = 0; i < 3; i++) {
        assert_ok(book_reader_ride(reader, &keys[i], &arena, &ride, &found));
        assert_true(found && ride.offer_count == 2 && text_equal(ride.fleet_id, TEXT("city")));
        expect_ride(&ride, &day.ann);
        expect_offer(&ride.offers[0], &day.declined);
        expect_offer(&ride.offers[1], &day.driven);
        assert_true(id_equal(ride.offers[1].id, entry_id(key, ENTRY_RIDE_OFFER, day.driven.number)));
    }
    assert_ok(book_reader_ride(reader, &(struct ride_key){.id = {1, 2}}, &arena, &ride, &found));
    assert_false(found);
    assert_ok(book_reader_ride(reader, &(struct ride_key){.offer = 4}, &arena, &ride, &found));
    assert_false(found); /* a ride's number is not an offer's */
    finish(f, &day.cid, RIDE_COMPLETED);
    assert_ok(try_end(f, &day.live, &day.bob, OFFER_WITHDRAWN));
    finish(f, &day.bob, RIDE_CANCELLED);
    remove_fleet(f, 1, "city");
    fixture_commit(f);
    assert_ok(book_reader_ride(reader, &keys[0], &arena, &ride, &found));
    assert_false(found); /* removed with its fleet */
    arena_release(&arena);
    book_reader_close(reader);
    fixture_check(f);
}

/* ---- Backstops ---- */

static void no_driver_or_ride_is_assigned_twice(void **state)
{
    struct fixture *f = *state;
    struct day day;
    struct offer_image offer;
    write_day(f, &day);
    assert_fault(try_offer(f, &offer, &day.bob, "eve"), STATUS_CORRUPT, "offers"); /* one ride, two offers */
    fixture_rollback(f);
    struct ride_image fay = new_ride(f, 1, "fay");
    fixture_commit(f);
    assert_fault(try_offer(f, &offer, &fay, "dan"), STATUS_CORRUPT, "offers"); /* one driver, two offers */
    fixture_rollback(f);
    assert_ok(try_offer(f, &offer, &fay,
                        "eve")); /* who drives it: the check finds that, and the next step is impossible */
    assert_fault(try_end(f, &offer, &fay, OFFER_ACCEPTED), STATUS_CORRUPT,
                 "rides"); /* one driver, two rides */
    fixture_rollback(f);
    fixture_check(f);
}

/* ---- Pruning ---- */

static uint32_t prune_all(struct fixture *f, int64_t before_ms, uint32_t limit)
{
    uint32_t all = 0;
    bool done = false;
    fixture_commit(f);
    for (int slices = 0; !done && slices < 100; slices++) {
        uint32_t pruned;
        assert_ok(book_writer_prune(f->writer, before_ms, 0, limit, &pruned, &done));
        all += pruned;
    }
    assert_true(done);
    return all;
}

static void rides_are_pruned_with_the_history(void **state)
{
    struct fixture *f = *state;
    struct day day;
    write_day(f, &day);
    int64_t ended_ms = day.ann.ended_at_ms;
    assert_int_equal(prune_all(f, 0, 1), 0);
    assert_int_equal(prune_all(f, ended_ms, 1), 3); /* the changes that made the fleet and two drivers */
    assert_int_equal(prune_all(f, ended_ms + 1, 1), 3);
    fixture_says(f, "SELECT group_concat(rider_id) FROM rides", "bob,cid");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM offers"), 2);
    f->at_ms += DAY_MS;
    assert_int_equal(prune_all(f, f->at_ms, 1), 0); /* live rides stay, however old */
    fixture_check(f);
    for (int i = 0; i < 5; i++)
        assert_ok(try_driver(f, 1, (const char *[]){"ida", "jim", "kit", "lou", "mia"}[i], false));
    finish(f, &day.cid, RIDE_COMPLETED);
    f->at_ms += 1000;
    assert_ok(try_end(f, &day.live, &day.bob, OFFER_WITHDRAWN));
    finish(f, &day.bob, RIDE_CANCELLED);
    remove_fleet(f, 1, "city");
    put_fleet(f, "city");
    assert_int_equal(prune_all(f, f->at_ms, 2), 5 + 2); /* five driver changes; cid's ride, with its offer */
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM fleets"), 2);
    fixture_check(f);
    /* bob's ride with its offer, seven drivers, the fleet; the changes that removed and made it. */
    assert_int_equal(prune_all(f, f->at_ms + 1, 2), 2 + 7 + 1 + 2);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM fleets WHERE removed_at IS NULL"), 1);
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM drivers"), 0);
    fixture_check(f);
}

/* ---- What people see ---- */

static void views_show_names_and_actors(void **state)
{
    struct fixture *f = *state;
    struct day day;
    write_day(f, &day);
    fixture_says(f,
                 "SELECT group_concat(offered_to || ' ' || \"end\" || ' ' || seconds, ', ') FROM "
                 "(SELECT * FROM ride_offers WHERE rider_id = 'ann' ORDER BY offered_at)",
                 "dan declined 1.0, eve accepted 2.0");
    fixture_says(
        f,
        "SELECT fleet || ' ' || status || ' ' || \"end\" || ' ' || score_seconds || ' ' || eta_seconds "
        "FROM ride_offers WHERE rider_id = 'bob'",
        "city offered live -123.456 65.432");
    fixture_says(
        f,
        "SELECT group_concat(driver_id || ' ' || offers || ' ' || accepted || ' ' || declined || ' ' || "
        "rides || ' ' || completed || ' ' || busy_seconds, ', ') FROM utilisation",
        "dan 2 0 1 0 0 0.0, eve 2 2 0 2 1 30.0");
    remove_fleet(f, put_fleet(f, "gone"), "gone");
    assert_ok(try_driver(f, 1, "dan", true));
    f->change.actor.role = ROLE_USER; /* its own record */
    f->change.driver.removed = false;
    assert_ok(fixture_try(f));
    fixture_commit(f);
    fixture_says(f,
                 "SELECT group_concat(kind || ' ' || action || ' ' || id || ' ' || ifnull(fleet, '-'), ', ') "
                 "FROM audit_log",
                 "fleet put city -, driver put dan city, driver put eve city, fleet put gone -, "
                 "fleet removed gone -, driver removed dan city");
}

static void the_key_of_offers_stays_behind(void **state)
{
    struct fixture *f = *state;
    struct day day;
    uint64_t seq;
    char copy[SCRATCH_FILE];
    write_day(f, &day);
    snprintf(copy, sizeof(copy), "%s/report.sqlite", f->folder);
    assert_ok(book_export(f->path, copy, 0640, &seq));
    struct fixture other = *f;
    snprintf(other.path, sizeof(other.path), "%s/report.sqlite", f->folder);
    assert_int_equal(fixture_ask(&other, "SELECT count(*) FROM fleets WHERE offer_key IS NULL"), 1);
    assert_int_equal(fixture_ask(&other, "SELECT count(*) FROM ride_offers"), 4);
}

/* ---- Checking ---- */

static const struct {
    const char *damage, *sentence;
} cases[] = {
    {"UPDATE rides SET status = 'cancelled' WHERE rider_id = 'bob'",
     "is cancelled, but its other columns do not match that."},
    {"UPDATE rides SET driver_id = NULL WHERE rider_id = 'ann'", "is completed, but its other columns"},
    {"UPDATE rides SET driver_id = 'dan' WHERE rider_id = 'bob'", "is offered, but its other columns"},
    {"UPDATE rides SET ended_at = assigned_at - 1 WHERE rider_id = 'ann'", "has times in the wrong order."},
    {"UPDATE rides SET offer = 99 WHERE rider_id = 'cid'", "is assigned, but offer 99 does not match that."},
    {"UPDATE rides SET driver_id = 'dan' WHERE rider_id = 'cid'", "is assigned, but offer"},
    {"UPDATE rides SET offer = (SELECT min(number) FROM offers) WHERE rider_id = 'ann'",
     "is completed, but offer"},
    {"UPDATE rides SET status = 'searching', offer = NULL WHERE rider_id = 'bob'",
     "is live, but the ride is not offered by it."},
    {"UPDATE offers SET fleet = 2", "does not match its ride, or its times"},
    {"UPDATE offers SET ended_at = expires_at + 1 WHERE \"end\" = 'accepted'",
     "does not match its ride, or its times"},
    {"UPDATE offers SET driver_id = 'eve' WHERE \"end\" IS NULL",
     "Driver eve of fleet 1 has 2 rides and live offers at once."},
    {"UPDATE offers SET driver_id = 'eve' WHERE \"end\" = 'declined'", "Driver eve was offered ride rid_"},
    {"UPDATE fleets SET removed_at = 1800000000000", "Fleet 1 (city) was removed, but ride"},
    {"UPDATE fleets SET offer_key = NULL", "Fleet 1 (city) has no key for the ids of its offers."},
    {"UPDATE fleets SET number = 7000", "Something has seq 7000, but the book ends at"},
    {"UPDATE rides SET number = 7000 WHERE rider_id = 'bob'", "Something has seq 7000, but the book ends at"},
    {"DELETE FROM rides WHERE rider_id = 'ann'", "that does not exist."},
    {"UPDATE drivers SET fleet = 9", "that does not exist."},
};

struct findings {
    char text[8192];
};

static void on_finding(void *ctx, const char *sentence)
{
    struct findings *found = ctx;
    size_t used = strlen(found->text);
    snprintf(found->text + used, sizeof(found->text) - used, "%s\n", sentence);
}

static void every_disagreement_is_found(void **state)
{
    struct fixture *f = *state;
    struct day day;
    write_day(f, &day);
    fixture_check(f);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char copy[SCRATCH_FILE];
        struct sql *s;
        struct findings found = {""};
        snprintf(copy, sizeof(copy), "%s.copy", f->path);
        unlink(copy);
        assert_ok(sql_open(&s, f->path, SQL_READ));
        sql_run(s, "BEGIN");
        sql_copy(s, copy);
        assert_ok(sql_status(s));
        sql_close(s);
        assert_ok(sql_open(&s, copy, SQL_WRITE));
        sql_run(s, "PRAGMA ignore_check_constraints = ON");
        sql_run(s, cases[i].damage);
        assert_ok(sql_status(s));
        sql_close(s);
        assert_ok(book_check(copy, on_finding, &found));
        if (!strstr(found.text, cases[i].sentence))
            fail_msg("after \"%s\" the check says:\n%s", cases[i].damage, found.text);
    }
}

static void erase(struct fixture *f, const char *from, const char *to)
{
    fixture_change(f, CHANGE_ERASED)->erased =
        (struct erasure_image){.number = f->seq + 1, .from = text_of(from), .to = text_of(to), .mark = {7}};
    fixture_put(f);
    fixture_commit(f);
}

/* The fleet of one of them was removed: its drivers stay until it is pruned. */
static void an_erased_user_is_gone_from_every_row(void **state)
{
    struct fixture *f = *state;
    struct day day;
    write_day(f, &day);
    assert_ok(try_end(f, &day.live, &day.bob, OFFER_DECLINED));
    finish(f, &day.cid, RIDE_COMPLETED);
    uint64_t fleet = put_fleet(f, "gone");
    fixture_change(f, CHANGE_DRIVER)->driver = (struct driver_image){.fleet = fleet, .id = TEXT("eve")};
    fixture_put(f);
    remove_fleet(f, fleet, "gone");
    assert_ok(try_driver(f, 1, "eve", true));
    fixture_commit(f);
    assert_true(fixture_ask(f, "SELECT count(*) FROM audit WHERE id = 'eve'") > 0);
    erase(f, "eve", "erased_1");
    erase(f, "ann", "erased_2");
    assert_int_equal(fixture_ask(f, "SELECT count(*) FROM audit WHERE id = 'eve'"), 0);
    assert_true(fixture_ask(f, "SELECT count(*) FROM audit WHERE id = 'erased_1' AND kind = 'driver'") > 0);
    fixture_says(f, "SELECT group_concat(rider_id || ' ' || coalesce(driver_id, '-')) FROM rides",
                 "erased_2 erased_1,bob -,cid erased_1");
    fixture_says(f, "SELECT group_concat(driver_id) FROM (SELECT driver_id FROM offers ORDER BY number)",
                 "dan,erased_1,dan,erased_1");
    fixture_says(f, "SELECT group_concat(id) FROM drivers", "dan");
    fixture_check(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        book_test(live_rides_are_loaded),
        book_test(an_ended_ride_is_read_back_complete),
        book_test(no_driver_or_ride_is_assigned_twice),
        book_test(rides_are_pruned_with_the_history),
        book_test(views_show_names_and_actors),
        book_test(the_key_of_offers_stays_behind),
        book_test(every_disagreement_is_found),
        book_test(an_erased_user_is_gone_from_every_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
