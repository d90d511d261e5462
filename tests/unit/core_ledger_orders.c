/* SPDX-License-Identifier: Apache-2.0 */
/* The order of reports about a payment does not matter: every order, up to five steps, of what app, staff, provider and
 * clock can report about one and two payments for a reservation of two seats.
 *
 * A model written from the contract (docs/payments.md) keeps only facts, and computes the ledger from them. After every
 * step core must have the same rows and the same open refund due, under the same id until any of it is returned; and
 * wherever the facts are equal, whatever their order, core's ledger must be equal. Steps that change no fact in the
 * model are not continued. */
#include <stdio.h>

#include "base/crypto/hash.h"
#include "core/claim/reservation.h"
#include "core/money/ledger.h"
#include "core/money/refund.h"
#include "ledger_facts.h"

#define STEPS_MOST 5
#define AT_ONCE 500 /* reservations per state */

static const struct telling tellings[] = {
    {"one payment", 1, 5, false, {300}, {300}, {120}, {"EUR"}},
    {"one that is short", 1, 5, false, {300}, {100}, {300}, {"EUR"}},
    {"one that is more", 1, 5, true, {100}, {450}, {450}, {"EUR"}},
    {"one of another currency", 1, 5, false, {300}, {270}, {120}, {"USD"}},
    {"two payments", 2, 5, false, {300, 300}, {300, 300}, {120, 300}, {"EUR", "EUR"}},
    {"two that differ", 2, 4, false, {300, 250}, {100, 350}, {60, 350}, {"EUR", "EUR"}},
    {"two, one of another currency", 2, 4, true, {300, 50}, {300, 200}, {300, 200}, {"USD", "EUR"}},
};

/* ---- Core ---- */

static uint64_t reservations, events, sequences, steps_taken;
static struct id held;
static char refs[PAYMENTS][16];
static struct {
    uint64_t open;
    int64_t returned;
} due[PAYMENTS]; /* the open refund due, and what was returned when it was made */

static void make_state(void)
{
    struct buf rows;
    struct command put = event_put_command(TEXT("e"));
    core_set_up(NULL);
    put.event_put.image.terms.payment = PAYMENT_REQUIRED;
    put.event_put.image.terms.payment_ttl_s = 300;
    put.event_put.image.terms.late_payment =
        now->late_refund ? LATE_PAYMENT_REFUND : LATE_PAYMENT_ACCEPT_IF_FREE;
    core_must(put);
    buf_init(&rows, 4096);
    for (int i = 0; i < SEATS; i++)
        seat_row_put(&rows, SEAT_COLUMN_PRICE,
                     &(struct seat_image){.id = {&"ABCD"[i], 1}, .price = seat_prices[i]});
    assert_int_equal(core_import(TEXT("e"), &rows, SEATS), OUTCOME_OK);
    buf_release(&rows);
}

static struct command about(enum command_kind kind)
{
    struct command c = reservation_command(kind, held);
    c.payment_checked = c.payment_event_checked = c.reservation_checked = true; /* there is no book */
    c.actor.role = ROLE_APP;
    return c;
}

static struct text ref_of(int payment)
{
    return (struct text){refs[payment], strlen(refs[payment])};
}

static void hold(void)
{
    struct item_request items[] = {item_seat(TEXT("e"), TEXT("A")), item_seat(TEXT("e"), TEXT("B"))};
    held = (struct id){1, ++reservations};
    for (int i = 0; i < PAYMENTS; i++)
        numbered(refs[i], i ? "pb" : "pa", (uint32_t)reservations);
    memset(due, 0, sizeof(due));
    core_must(hold_command(held, TEXT("u"), items, 2));
}

static struct reservation *kept(void)
{
    uint32_t handle = reservation_find(core.st, held);
    assert_true(handle != TABLE_NONE);
    return reservation_at(core.st, handle);
}

/* The seats are free for the next. */
static void leave(void)
{
    struct command c = about(kept()->status == RESERVATION_HELD ? COMMAND_RELEASE : COMMAND_REFUND);
    if (kept()->status == RESERVATION_HELD || kept()->status == RESERVATION_CONFIRMED)
        core_apply(c); /* a hold could have lapsed */
}

static void tell_provider(const struct step_told *s)
{
    char name[16];
    struct command c = about(COMMAND_PAYMENT_EVENT);
    struct payment_event_image *e = &c.payment_event.image;
    c.actor.role = ROLE_PAYMENT;
    c.payment_event.named = true;
    c.payment_event.news = s->what == SUCCESS  ? NEWS_SUCCEEDED
                           : s->what == FAILED ? NEWS_FAILED
                                               : NEWS_REFUNDED;
    e->event_id = numbered(name, "ev", (uint32_t)++events);
    e->type = TEXT("t");
    e->payment_ref = ref_of(s->payment);
    e->amount =
        (struct money){true, s->what == SUCCESS ? now->success[s->payment] : now->back[s->payment], ""};
    memcpy(e->amount.currency, now->currency[s->payment], 4);
    core_must(c);
}

static void pay_back(int payment)
{
    struct command c = about(COMMAND_REFUND_DONE);
    const struct payment *p = payment_find(core.st, ref_of(payment));
    const struct refund *open = p ? refund_open(core.st, p) : NULL;
    if (!open)
        return;
    c.refund_done.number = refund_image(open)->number;
    if (refund_image(open)->told_seq != refund_image(open)->number) {
        assert_int_equal(core_apply(c), OUTCOME_REFUND_CHANGED);
        c.refund_done.amount = (struct money){true, refund_image(open)->amount, ""};
        memcpy(c.refund_done.amount.currency, refund_image(open)->currency, 4);
    }
    core_must(c);
}

static void tell_core(const struct step_told *s, int seat_next)
{
    static const enum command_kind kinds[] = {
        [BEGUN] = COMMAND_PAYMENT,   [COMMIT_AMOUNT] = COMMAND_COMMIT, [COMMIT] = COMMAND_COMMIT,
        [RELEASE] = COMMAND_RELEASE, [ITEM_BACK] = COMMAND_REFUND,     [MOVE] = COMMAND_ITEM_MOVE};
    if (s->what == DONE) {
        pay_back(s->payment);
    } else if (s->what == EXPIRY) { /* the next command finds it lapsed */
        if (kept()->status == RESERVATION_HELD)
            core.now_ms = kept()->expires_at_ms;
    } else if (s->what == SUCCESS || s->what == FAILED || s->what == GONE_BACK) {
        tell_provider(s);
    } else {
        struct command c = about(kinds[s->what]);
        uint32_t item = kept()->item_count;
        if (s->what < OF_PAYMENTS)
            c.commit.payment_ref = ref_of(s->payment);
        if (s->what == COMMIT_AMOUNT)
            c.commit.amount = (struct money){true, now->app[s->payment], "EUR"};
        if (s->what == MOVE) {
            c.item.item_id = 1;
            c.item.seat = (struct text){&"ABCD"[seat_next], 1};
        }
        if (s->what == ITEM_BACK) {
            c.refund.items = &item;
            c.refund.count = 1;
        }
        core_apply(c); /* a refusal that matters shows in the ledger */
    }
}

/* ---- Compared ---- */

static const struct step_told *under_way;
static uint32_t under_way_count;

static void expect(bool holds, const char *said)
{
    char line[256] = "";
    if (holds)
        return;
    for (uint32_t i = 0; i < under_way_count; i++)
        snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s%s%s", i ? ", " : "",
                 names[under_way[i].what],
                 under_way[i].what >= OF_PAYMENTS ? ""
                 : under_way[i].payment           ? " b"
                                                  : " a");
    fail_msg("%s, after %s: %s", now->title, line, said);
}

/* The open refund due has the owed amount; its id stays until any of it is returned. */
static void compare_due(int payment, const struct row *r)
{
    const struct payment *p = payment_find(core.st, ref_of(payment));
    uint32_t open = 0;
    const struct refund_image *d = NULL;
    for (const struct refund *all = refunds_first(core.st, p); all; all = refund_next(core.st, all))
        if (refund_image(all)->status == REFUND_OPEN) {
            d = refund_image(all);
            open++;
        }
    expect(open == (r->owed > 0), "there is not exactly one refund due for what is owed");
    expect(!d || d->amount == r->owed, "the refund due has another amount");
    const struct refund *before = due[payment].open ? refund_find(core.st, due[payment].open) : NULL;
    if (before) {
        bool went_back = r->returned > due[payment].returned;
        enum refund_status status = refund_image(before)->status;
        expect(status == (went_back ? REFUND_DONE
                          : r->owed ? REFUND_OPEN
                                    : REFUND_WITHDRAWN),
               "a refund due has not ended as it should");
    }
    if (!d || d->number != due[payment].open) {
        due[payment].open = d ? d->number : 0;
        due[payment].returned = r->returned;
    }
}

static void row_of_core(int payment, struct row *out)
{
    const struct payment *p = payment_find(core.st, ref_of(payment));
    memset(out, 0, sizeof(*out));
    if (!p)
        return;
    const struct payment_image *i = payment_image(p);
    out->status = payment_status(i);
    out->sourced = payment_source(i, &out->source);
    out->received = i->received;
    out->kept = i->kept;
    out->returned = i->returned;
    out->owed = i->owed;
    out->discrepancy = i->discrepancy;
    out->foreign = (i->paid.given || i->refunded) && memcmp(i->currency, "EUR", 3) != 0;
}

static void compare(const struct facts *f, struct ledger *is)
{
    struct ledger should;
    int64_t balance = add_up(f, &should);
    for (int i = 0; i < PAYMENTS; i++) {
        const struct row *s = &should.rows[i];
        struct row *r = &is->rows[i];
        row_of_core(i, r);
        if (!r->status || !r->sourced)
            r->source = s->source; /* of none */
        expect(r->status == s->status, "the status is another");
        expect(r->sourced == s->sourced && r->source == s->source, "it is received by another");
        expect(r->received == s->received, "another amount is received");
        expect(r->returned == s->returned, "another amount is returned");
        expect(r->kept == s->kept, "another amount is kept");
        expect(r->owed == s->owed, "another amount is owed");
        expect(r->discrepancy == s->discrepancy, "the discrepancy is another");
        expect(r->foreign == s->foreign, "the currency is another");
        expect(r->kept + r->returned + r->owed == more(r->received, r->returned), "it does not add up");
        if (r->status)
            compare_due(i, r);
    }
    enum reservation_status status = kept()->status;
    bool lapsed = status == RESERVATION_HELD && core.now_ms >= kept()->expires_at_ms;
    expect((lapsed ? RESERVATION_EXPIRED : status) == f->status, "the reservation's status is another");
    expect(ledger_balance(core.st, reservation_find(core.st, held)) == balance, "the balance is another");
}

/* ---- Equal facts, equal ledgers ---- */

#define SEEN_SIZE (1u << 20)
static struct {
    uint64_t facts, ledger;
} seen[SEEN_SIZE];
static uint64_t kinds_of_facts;

static void equal_facts(const struct facts *f, const struct ledger *l)
{
    uint64_t facts = hash_sip((struct hash_key){1, 2}, f, sizeof(*f)) | 1,
             ledger = hash_sip((struct hash_key){3, 4}, l, sizeof(*l));
    uint32_t at = (uint32_t)(facts >> 32) % SEEN_SIZE;
    while (seen[at].facts && seen[at].facts != facts)
        at = (at + 1) % SEEN_SIZE;
    expect(!seen[at].facts || seen[at].ledger == ledger, "equal facts gave another ledger before");
    kinds_of_facts += !seen[at].facts;
    assert_true(kinds_of_facts < SEEN_SIZE / 2);
    seen[at].facts = facts;
    seen[at].ledger = ledger;
}

/* ---- Every order ---- */

static void try_one(const struct step_told *steps, uint32_t count)
{
    static struct tried t;
    static struct ledger is;
    if (sequences++ % AT_ONCE == 0) {
        if (core.st) {
            core_check();
            core_tear_down(NULL);
        }
        make_state();
    }
    memset(&t, 0, sizeof(t));
    t.facts.status = RESERVATION_HELD;
    t.facts.items = 2;
    t.facts.confirmed_by = NOBODY;
    hold();
    under_way = steps;
    for (under_way_count = 1; under_way_count <= count; under_way_count++, steps_taken++) {
        tell_model(&t, &steps[under_way_count - 1]);
        tell_core(&steps[under_way_count - 1], t.facts.seat);
        compare(&t.facts, &is);
        equal_facts(&t.facts, &is);
    }
    leave();
}

/* All sequences that begin with these steps. Payments not named yet are interchangeable: the first comes first, if they
 * are reported alike. */
static void try_all(struct step_told *steps, uint32_t count, const struct tried *t)
{
    bool further = false;
    for (enum what what = BEGUN; count < now->steps && what <= MOVE; what++)
        for (int payment = 0; payment < (what < OF_PAYMENTS ? (int)now->payments : 1); payment++) {
            struct tried next;
            memcpy(&next, t, sizeof(next));
            steps[count] = (struct step_told){what, payment};
            tell_model(&next, &steps[count]);
            if (memcmp(&next, t, sizeof(next)) == 0)
                continue;
            further = true;
            try_all(steps, count + 1, &next);
        }
    if (!further)
        try_one(steps, count);
}

static void any_order_gives_the_ledger_of_the_facts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(tellings) / sizeof(tellings[0]); i++) {
        struct step_told steps[STEPS_MOST];
        static struct tried begin;
        now = &tellings[i];
        begin.facts = (struct facts){.status = RESERVATION_HELD, .items = 2, .confirmed_by = NOBODY};
        memset(seen, 0, sizeof(seen));
        kinds_of_facts = sequences = steps_taken = 0;
        core.st = NULL;
        try_all(steps, 0, &begin);
        print_message("# %s: %llu orders, %llu steps, %llu kinds of facts\n", now->title,
                      (unsigned long long)sequences, (unsigned long long)steps_taken,
                      (unsigned long long)kinds_of_facts);
        core_check();
        core_tear_down(NULL);
        assert_true(sequences > 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_order_gives_the_ledger_of_the_facts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
