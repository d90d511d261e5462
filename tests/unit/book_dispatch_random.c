/* SPDX-License-Identifier: Apache-2.0 */
/* Random rides through the real book: whatever core decided, the book made from its changes, and the journal after it,
 * restore the same fleets; an ended ride is read back complete; lists match a naive scan of the rows. */
#include "../lib/book_fixture.h"

#include "../lib/dispatch_carry.h"
#include "base/geo/h3.h"
#include "book/record/load.h"
#include "book/record/reader.h"
#include "core/dispatch/dispatch.h"
#include "core/state_check.h"

#define STEPS 2000
#define RIDES 400
#define OFFERS 400

struct run {
    struct fixture *f;
    struct state *st;
    struct buf batch, tail; /* changes of a step; those the book does not have yet */
    int64_t now_ms;
    uint64_t random;
    struct id rides[RIDES], offers[OFFERS];
    struct text of[RIDES], offer_of[OFFERS]; /* their fleets */
    uint32_t ride_count, offer_count;
    uint32_t outcomes[OUTCOME_COUNT], fetched, restarts, replayed, offered, assigned, drove_off;
};

static uint32_t roll(struct run *r, uint32_t sides)
{
    r->random = r->random * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)(r->random >> 33) % sides;
}

static const char *const fleets[] = {"north", "south", "west"};
static const char *const people[] = {"ann", "bob", "cid", "dan", "eve", "fay", "gus", "hal"};

static struct text some(struct run *r, const char *const *words, uint32_t count)
{
    return text_of(words[roll(r, count)]);
}
#define SOME(r, words) some(r, words, sizeof(words) / sizeof(*(words)))

/* ---- The book ---- */

static void record(struct run *r)
{
    struct fixture *f = r->f;
    struct bytes_reader in = bytes_reader_make(r->tail.data, r->tail.size);
    assert_ok(book_writer_begin(f->writer));
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, f->seq + 1, &f->change));
        assert_ok(book_writer_apply(f->writer, &f->change));
        f->seq++;
    }
    assert_ok(book_writer_commit(f->writer, f->seq, r->now_ms, 0));
    buf_clear(&r->tail);
    assert_int_equal(f->seq, r->st->seq);
}

static void step_end(struct run *r)
{
    buf_append(&r->tail, r->batch.data, r->batch.size);
    buf_clear(&r->batch);
}

static bool on_record(void *owner, const struct change *c)
{
    if (c->kind != CHANGE_IDEMPOTENCY)
        return state_load_record(owner, c);
    state_remember_idempotency(owner, &c->idempotency);
    return true;
}

/* What a new process would know. */
static struct state *rebuild(struct run *r)
{
    struct state *st = state_make();
    struct book_meta meta;
    struct book_load_sink sink = {.owner = st, .record = on_record};
    char sentence[400];
    assert_ok(book_load(r->f->path, r->now_ms - IDEMPOTENCY_KEEP_MS, &sink, &meta));
    state_load_end(st, meta.log.seq);
    struct bytes_reader in = bytes_reader_make(r->tail.data, r->tail.size);
    while (bytes_left(&in)) {
        assert_true(change_decode(&in, st->seq + 1, &r->f->change));
        assert_int_equal(state_restore(st, &r->f->change), RESTORE_OK);
    }
    assert_true(state_restore_end(st));
    assert_int_equal(st->seq, r->st->seq);
    if (!dispatch_compare(r->st, st, sentence, sizeof(sentence)) ||
        !dispatch_compare(st, r->st, sentence, sizeof(sentence)))
        fail_msg("at seq %llu: %s", (unsigned long long)st->seq, sentence);
    return st;
}

static void fetch(struct run *r, struct command *c, const struct outcome *out)
{
    struct book_reader *reader;
    struct arena arena;
    struct ride_image ride;
    struct idempotency_image key;
    bool found;
    record(r);
    arena_init(&arena, 4096);
    assert_ok(book_reader_open(&reader, r->f->path));
    assert_int_equal(out->lack_count, 1); /* a ride is found by its own id, or by a key's */
    const struct record_key *lacks = &out->lacks[0];
    if (lacks->kind == FETCH_RIDE) {
        assert_ok(book_reader_ride(reader, &lacks->ride, &arena, &ride, &found));
        assert_true(!found || state_remember_ride(r->st, &ride));
        r->fetched += found;
        c->ride_checked = true;
    } else {
        assert_int_equal(lacks->kind, FETCH_IDEMPOTENCY);
        assert_ok(book_reader_idempotency(reader, lacks->idempotency, &key, &found));
        if (found)
            state_remember_idempotency(r->st, &key);
        c->idempotency_checked = true;
    }
    book_reader_close(reader);
    arena_release(&arena);
}

static enum outcome_code apply(struct run *r, struct command *c, struct outcome *out)
{
    while (state_apply(r->st, c, r->now_ms, &r->batch, out) == OUTCOME_FETCH)
        fetch(r, c, out);
    step_end(r);
    r->outcomes[out->code]++;
    return out->code;
}

static void on_fault(void *ctx, const char *sentence)
{
    (void)ctx;
    fail_msg("%s", sentence);
}

/* Sometimes the book is behind, and the rest is in the journal. */
static void restart(struct run *r)
{
    struct state *st = rebuild(r);
    state_release(r->st);
    r->st = st;
    state_check(st, on_fault, NULL);
    r->restarts++;
    for (uint32_t i = 0; i < st->dispatch->count; i++) {
        r->offered += st->dispatch->by_name[i]->rides_by_status[RIDE_OFFERED] > 0;
        r->assigned += st->dispatch->by_name[i]->rides_by_status[RIDE_ASSIGNED] > 0;
    }
}

/* ---- Lists ---- */

struct listed {
    struct buf text;
    uint32_t offers;
};

static void on_row(void *ctx, const struct query_row *row)
{
    struct listed *l = ctx;
    buf_printf(&l->text, "%s%llu", l->text.size ? "," : "", (unsigned long long)row->ride->number);
    l->offers += row->ride->offer_count;
}

static void look_at_a_list(struct run *r)
{
    const struct fleet *f = state_fleet_named(r->st, SOME(r, fleets));
    struct query q = {.kind = QUERY_RIDES, .limit = 1 + roll(r, 9), .fleet = f ? f->image.number : 1};
    struct query_result result = {.more = true};
    struct book_reader *reader;
    struct listed all = {0};
    char question[400];
    q.rider_id = roll(r, 2) ? SOME(r, people) : (struct text){0};
    q.driver_id = roll(r, 2) ? SOME(r, people) : (struct text){0};
    q.has_ride_status = roll(r, 2);
    q.ride_status = (enum ride_status)(RIDE_STATUS_FIRST + roll(r, RIDE_STATUS_LAST));
    snprintf(
        question, sizeof(question),
        "SELECT ifnull(group_concat(number), '') FROM (SELECT number FROM rides WHERE fleet = %llu AND "
        "rider_id LIKE '%s' AND ifnull(driver_id, '') LIKE '%s' AND status LIKE '%s' ORDER BY number DESC)",
        (unsigned long long)q.fleet, q.rider_id.at ? q.rider_id.at : "%",
        q.driver_id.at ? q.driver_id.at : "%", q.has_ride_status ? ride_status_name(q.ride_status) : "%");
    record(r);
    buf_init(&all.text, 1 << 20);
    assert_ok(book_reader_open(&reader, r->f->path));
    while (result.more) {
        assert_ok(book_reader_query(reader, &q, on_row, &all, &result));
        q.after = result.last;
    }
    book_reader_close(reader);
    buf_append(&all.text, "", 1);
    fixture_says(r->f, question, (char *)all.text.data);
    buf_release(&all.text);
}

/* ---- Commands ---- */

static struct geo_point somewhere(struct run *r, uint64_t *cell)
{
    /* Across the equator and the meridian: signs. */
    struct geo_point p = {(int32_t)roll(r, 100000) - 50000, (int32_t)roll(r, 100000) - 50000};
    *cell = h3_from_point((struct h3_point){p.lat_e7 / 1e7, p.lng_e7 / 1e7}, 9);
    return p;
}

static void put_fleet(struct run *r, const char *id)
{
    struct command c = {.kind = COMMAND_FLEET_PUT, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    c.fleet_put = (struct fleet_image){.id = text_of(id),
                                       .offer_s = 5 + roll(r, 11),
                                       .resolution = 9,
                                       .max_rings = 9,
                                       .presence_s = 30,
                                       .search_s = 20 + roll(r, 40),
                                       .speed_kmh = 20 + roll(r, 20),
                                       .batch_ms = roll(r, 2) * 300,
                                       .guests = roll(r, 2),
                                       .rides_per_rider = roll(r, 4),
                                       .weights = {1000, roll(r, 2) * 500, roll(r, 2) * 300, 700},
                                       .key = {r->random, r->random * 31}};
    apply(r, &c, &out);
}

static void driver_command(struct run *r)
{
    static const struct text types[] = {TEXT("xl"), TEXT("elektrisch, groß")};
    struct command c = {.kind = COMMAND_DRIVER_PUT, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    if (roll(r, 12) == 0) {
        c.kind = COMMAND_DRIVER_REMOVE;
        c.driver.fleet = SOME(r, fleets);
        c.driver.id = SOME(r, people);
    } else {
        c.driver_put.fleet = SOME(r, fleets);
        c.driver_put.id = SOME(r, people);
        c.driver_put.point = somewhere(r, &c.driver_put.cell);
        c.driver_put.available = roll(r, 8) != 0;
        c.driver_put.has_rating = c.driver_put.has_types = c.driver_put.has_surge = roll(r, 2);
        c.driver_put.rating_milli = roll(r, 5001);
        c.driver_put.types = types;
        c.driver_put.type_count = roll(r, 3);
        c.driver_put.surge = roll(r, 2);
    }
    apply(r, &c, &out);
}

static void new_ride(struct run *r)
{
    struct command c = {.kind = COMMAND_RIDE_NEW, .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    uint64_t cell;
    c.user_id = SOME(r, people);
    c.ride.fleet = SOME(r, fleets);
    c.ride.id = id_make(r->now_ms, r->random, r->random * 31);
    c.ride.has_to = roll(r, 2);
    c.ride.to = c.ride.has_to ? somewhere(r, &cell) : (struct geo_point){0};
    c.ride.pickup = somewhere(r, &c.ride.cell);
    c.ride.type = roll(r, 4) ? (struct text){0} : TEXT("xl");
    c.ride.surge_milli = 1000 + roll(r, 2) * 1234;
    if (roll(r, 4) == 0) {
        c.idempotent = true;
        c.idempotency_key[0] = 1 + roll(r, 40);
        c.idempotency_key[1] = 7;
    }
    if (apply(r, &c, &out) == OUTCOME_OK) {
        r->of[r->ride_count % RIDES] = c.ride.fleet;
        r->rides[r->ride_count++ % RIDES] = out.ride.id;
    }
    r->replayed += out.code == OUTCOME_OK && out.replayed;
}

/* One of the last few, or any. */
static uint32_t drawn(struct run *r, uint32_t count, uint32_t kept)
{
    uint32_t most = count < kept ? count : kept;
    return roll(r, 3) ? (count - 1 - roll(r, most < 8 ? most : 8)) % kept : roll(r, most);
}

static void ride_command(struct run *r)
{
    static const enum command_kind kinds[] = {COMMAND_RIDE_LOOK,          COMMAND_RIDE_COMPLETE,
                                              COMMAND_RIDE_COMPLETE,      COMMAND_RIDE_CANCEL,
                                              COMMAND_RIDE_DRIVER_CANCEL, COMMAND_RIDE_DRIVER_CANCEL};
    struct command c = {.kind = kinds[roll(r, 6)], .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    if (!r->ride_count)
        return;
    uint32_t which = drawn(r, r->ride_count, RIDES);
    c.ride.fleet = roll(r, 6) ? r->of[which] : SOME(r, fleets); /* sometimes another fleet */
    c.ride.id = r->rides[which];
    if (apply(r, &c, &out) == OUTCOME_OK && c.kind == COMMAND_RIDE_DRIVER_CANCEL) {
        /* The search restarts, also right after a restart. */
        record(r);
        restart(r);
        r->drove_off++;
    }
}

static void offer_command(struct run *r)
{
    struct command c = {.kind = roll(r, 4) ? COMMAND_OFFER_ACCEPT : COMMAND_OFFER_DECLINE,
                        .actor = {.role = ROLE_APP, .name = TEXT("app")}};
    struct outcome out;
    for (uint32_t i = 0; i < 3; i++) {
        const struct fleet *f = state_fleet_named(r->st, text_of(fleets[i]));
        uint32_t handle = 0;
        struct offer_image offer;
        while (f && handle < f->offers.used && (!offer_at(f, handle)->number || offer_at(f, handle)->end))
            handle++;
        if (!f || handle == f->offers.used)
            continue;
        offer_view(f, offer_at(f, handle), &offer);
        r->offer_of[r->offer_count % OFFERS] = text_of(fleets[i]);
        r->offers[r->offer_count++ % OFFERS] = offer.id;
    }
    if (!r->offer_count)
        return;
    uint32_t which = drawn(r, r->offer_count, OFFERS);
    c.offer.fleet = roll(r, 6) ? r->offer_of[which] : SOME(r, fleets);
    c.offer.id = r->offers[which];
    apply(r, &c, &out);
}

static void remove_fleet(struct run *r)
{
    struct command c = {.kind = COMMAND_FLEET_REMOVE, .actor = {.role = ROLE_ADMIN}};
    struct outcome out;
    const struct fleet *f = state_fleet_named(r->st, text_of("west"));
    if (!f) {
        put_fleet(r, "west");
        return;
    }
    for (uint32_t i = 0; i < f->rides.used; i++)
        if (ride_live(ride_at(f, i))) {
            struct command cancel = {.kind = COMMAND_RIDE_CANCEL, .actor = {.role = ROLE_APP}};
            cancel.ride.fleet = text_of("west");
            cancel.ride.id = ride_at(f, i)->id;
            apply(r, &cancel, &out);
            assert_true(out.code == OUTCOME_OK || out.code == OUTCOME_NO_DRIVER); /* its time was over */
        }
    c.fleet = text_of("west");
    assert_int_equal(apply(r, &c, &out), OUTCOME_OK);
}

static void step(struct run *r)
{
    bool more = true;
    uint32_t what = roll(r, 20);
    r->now_ms += roll(r, 1500) + (roll(r, 200) ? 0 : 10 * MINUTE_MS);
    if (what < 7)
        driver_command(r);
    else if (what < 10)
        new_ride(r);
    else if (what < 13)
        ride_command(r);
    else if (what < 18)
        offer_command(r);
    else if (what < 19)
        put_fleet(r, fleets[roll(r, 2)]);
    else
        remove_fleet(r);
    while (more) {
        more = state_dispatch(r->st, r->now_ms, &r->batch);
        step_end(r);
    }
}

static void run(struct fixture *f, uint64_t seed)
{
    struct run r = {.f = f, .random = seed, .now_ms = FIXTURE_START_MS, .st = state_make()};
    buf_init(&r.batch, 1 << 20);
    buf_init(&r.tail, 1 << 26);
    for (int i = 0; i < 3; i++)
        put_fleet(&r, fleets[i]);
    for (uint32_t i = 0; i < STEPS; i++) {
        step(&r);
        if (roll(&r, 30) == 0)
            record(&r);
        if (roll(&r, 60) == 0)
            restart(&r);
        if (roll(&r, 60) == 0)
            look_at_a_list(&r);
        if (i % 500 == 499) {
            record(&r);
            fixture_check(f);
            state_forget(r.st, f->seq, 1000);
        }
    }
    record(&r);
    print_message("# %u restarts, %u fetched, %u offered, %u assigned, %u drove off\n", r.restarts, r.fetched,
                  r.offered, r.assigned, r.drove_off);
    /* A run in which nothing happens proves nothing. */
    assert_int_equal(fixture_ask(f, "SELECT count(DISTINCT status) FROM rides WHERE ended_at IS NOT NULL"),
                     3);
    assert_int_equal(fixture_ask(f, "SELECT count(DISTINCT \"end\") FROM offers"), 4);
    assert_true(fixture_ask(f, "SELECT count(*) FROM fleets WHERE removed_at IS NOT NULL") > 3);
    assert_true(fixture_ask(f, "SELECT max(json_array_length(types)) FROM drivers") == 2);
    assert_true(fixture_ask(f, "SELECT count(*) FROM idempotency WHERE made LIKE 'rid_%'") > 3);
    assert_true(r.offered > 5 && r.assigned > 5 && r.drove_off > 3);
    assert_true(r.restarts > 20 && r.fetched > 20 && r.replayed > 3);
    assert_true(r.outcomes[OUTCOME_OK] > STEPS / 4 && r.outcomes[OUTCOME_NO_SUCH_RIDE] > 3);
    state_release(r.st);
    buf_release(&r.batch);
    buf_release(&r.tail);
}

static void the_book_restores_the_fleets_1(void **state)
{
    run(*state, 13);
}

static void the_book_restores_the_fleets_2(void **state)
{
    run(*state, 77);
}

int main(void)
{
    const struct CMUnitTest tests[] = {book_test(the_book_restores_the_fleets_1),
                                       book_test(the_book_restores_the_fleets_2)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
