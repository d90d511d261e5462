/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/fetch.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/dispatch/ride.h"

struct kept_command {
    struct kept_command *next;
    struct command command;
    struct record_key keys[OUTCOME_LACKS_MAX]; /* what it lacks; none: it has more to settle */
    uint32_t count;
    bool
        missing; /* its reservation does not exist, and it brings no money that must be recorded all the same */
    engine_done_fn done;
    void *ctx;
};

static struct kept_command *kept_add(struct kept_commands *list, const struct command *c, engine_done_fn done,
                                     void *ctx)
{
    struct kept_command *k = memory_zeroed(1, sizeof(*k));
    *k = (struct kept_command){.command = *c, .done = done, .ctx = ctx};
    k->command.payment_checked = false; /* valid in this turn only */
    if (list->first) {
        ASSERT(!list->last->next); /* commands are answered in the order in which they came */
        list->last->next = k;
    } else {
        list->first = k;
    }
    list->last = k;
    return k;
}

/* ---- Commands that have more to settle than one step does ---- */

void fetch_retry_later(struct engine *e, const struct command *c, engine_done_fn done, void *ctx)
{
    kept_add(&e->retries, c, done, ctx);
    e->host.more(e->host.owner);
}

bool engine_retry(struct engine *e, int64_t now_ms)
{
    struct kept_commands *list = &e->retries;
    ASSERT(e->limits.retry > 0); /* otherwise a kept command would wait forever */
    for (uint32_t i = 0; i < e->limits.retry && list->first; i++) {
        struct kept_command *k = list->first, *last = list->last;
        list->first = k->next;
        engine_judge(e, now_ms, &k->command, k->done, k->ctx);
        /* A command that needs another step was appended again. */
        bool requeued = list->first && list->last != last;
        free(k);
        if (requeued)
            break; /* it used up the work of one step */
    }
    return list->first != NULL;
}

/* ---- The kinds of records ---- */

static bool same_reservation(const struct record_key *a, const struct record_key *b)
{
    return id_equal(a->id, b->id);
}

/* If it is in memory by now, memory is newer and wins. */
static bool restore_reservation(struct state *st, const struct fetched *r)
{
    return state_remember(st, &r->reservation) && state_remember_account(st, &r->account);
}

static void checked_reservation(struct command *c, const struct fetched *r)
{
    c->reservation_checked |= !r->found;
}

static bool same_idempotency(const struct record_key *a, const struct record_key *b)
{
    return memcmp(a->idempotency, b->idempotency, sizeof(a->idempotency)) == 0;
}

static bool restore_idempotency(struct state *st, const struct fetched *r)
{
    state_remember_idempotency(st, &r->idempotency);
    return true;
}

static void checked_idempotency(struct command *c, const struct fetched *r)
{
    c->idempotency_checked |= !r->found;
}

static bool same_payment(const struct record_key *a, const struct record_key *b)
{
    return text_equal(a->payment.ref, b->payment.ref) && a->payment.refund == b->payment.refund &&
           a->payment.number == b->payment.number;
}

static bool restore_payment(struct state *st, const struct fetched *r)
{
    return state_remember_account(st, &r->account);
}

static void checked_payment(struct command *c, const struct fetched *r)
{
    /* In this turn only: the payment may be created while another record is read. */
    c->payment_checked = true;
    c->payment_owner = r->found ? r->owner : (struct id){0};
}

static bool same_ticket(const struct record_key *a, const struct record_key *b)
{
    return memcmp(a->code, b->code, sizeof(a->code)) == 0;
}

static bool restore_ticket(struct state *st, const struct fetched *r)
{
    return state_remember_ticket(st, &r->ticket);
}

static void checked_ticket(struct command *c, const struct fetched *r)
{
    c->ticket_checked |= !r->found;
}

static bool same_payment_event(const struct record_key *a, const struct record_key *b)
{
    return text_equal(a->event, b->event) && text_equal(a->once, b->once);
}

static bool restore_payment_event(struct state *st, const struct fetched *r)
{
    state_remember_payment_event(st, &r->payment_event);
    return true;
}

static void checked_payment_event(struct command *c, const struct fetched *r)
{
    (void)r;
    c->payment_event_checked = true; /* found or not: it may be another event that counts as the same one */
}

static bool same_ride(const struct record_key *a, const struct record_key *b)
{
    return id_equal(a->ride.id, b->ride.id) && a->ride.offer == b->ride.offer;
}

static bool restore_ride(struct state *st, const struct fetched *r)
{
    /* Its fleet may have been removed, or created again, while the book was read. */
    const struct fleet *f = state_fleet_named(st, r->ride.fleet_id);
    return !f || f->image.number != r->ride.fleet || state_remember_ride(st, &r->ride);
}

static void checked_ride(struct command *c, const struct fetched *r)
{
    (void)r;
    c->ride_checked = true; /* found or not: it may belong to another fleet */
}

static const struct fetch_row {
    const char *name;
    bool (*same)(const struct record_key *a, const struct record_key *b);
    bool (*restore)(struct state *st, const struct fetched *r);
    void (*checked)(struct command *c, const struct fetched *r);
} rows[] = {
#define X(kind, name) [FETCH_##kind] = {#name, same_##name, restore_##name, checked_##name},
    FETCHES(X)
#undef X
};
#define ROW_COUNT (sizeof(rows) / sizeof(rows[0]))
_Static_assert(ROW_COUNT == FETCH_RIDE + 1, "a row for each kind of record");

static bool key_same(const struct record_key *a, const struct record_key *b)
{
    ASSERT(a->kind < ROW_COUNT && b->kind < ROW_COUNT);
    return a->kind == b->kind && rows[a->kind].same(a, b);
}

static const struct record_key *key_among(const struct record_key *keys, uint32_t count,
                                          const struct record_key *key)
{
    for (uint32_t i = 0; i < count; i++)
        if (key_same(&keys[i], key))
            return &keys[i];
    return NULL;
}

/* ---- Commands that need records from the book ---- */

/* The read in flight that includes one of these keys, if there is one. */
static struct fetch *fetch_of_any(struct engine *e, const struct record_key *keys, uint32_t count)
{
    for (struct fetch *f = e->fetches; f; f = f->next)
        for (uint32_t i = 0; i < f->count; i++)
            if (key_among(keys, count, &f->keys[i]))
                return f;
    return NULL;
}

void fetch_begin(struct engine *e, const struct command *c, const struct outcome *out, engine_done_fn done,
                 void *ctx)
{
    ASSERT(out->code == OUTCOME_FETCH);
    ASSERT(out->lack_count >= 1 && out->lack_count <= OUTCOME_LACKS_MAX);
    _Static_assert(sizeof(((struct fetch *)0)->keys) == sizeof(out->lacks) &&
                       sizeof(((struct kept_command *)0)->keys) == sizeof(out->lacks),
                   "all keys are copied");
    struct fetch *f = fetch_of_any(e, out->lacks, out->lack_count);
    bool in_flight = f != NULL;
    if (!in_flight) {
        f = memory_zeroed(1, sizeof(*f));
        f->next = e->fetches;
        e->fetches = f;
        memcpy(f->keys, out->lacks, sizeof(f->keys));
        f->count = out->lack_count;
        f->book_seq = e->host.book_seq(e->host.owner);
    }
    struct kept_command *k = kept_add(&f->waiting, c, done, ctx);
    memcpy(k->keys, out->lacks, sizeof(k->keys));
    k->count = out->lack_count;
    if (!in_flight)
        e->host.read(e->host.owner, f);
}

static void fetch_unlink(struct engine *e, const struct fetch *f)
{
    struct fetch **at = &e->fetches;
    while (*at != f) {
        ASSERT(*at); /* a read is answered once */
        at = &(*at)->next;
    }
    *at = f->next;
}

static void restore(struct engine *e, const struct fetch *f, const struct fetched *records)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct fetch_row *row = &rows[f->keys[i].kind];
        if (records[i].found && !row->restore(e->state, &records[i]))
            e->host.damaged(e->host.owner, row->name,
                            f->keys[i].kind == FETCH_RESERVATION ? f->keys[i].id : (struct id){0});
    }
}

/* It was not in the book; on a node that follows, a row that was applied during the read may have brought it. */
static bool in_memory(struct engine *e, const struct record_key *key)
{
    return reservation_find(e->state, key->id) != TABLE_NONE;
}

static void mark_checked(struct engine *e, struct kept_command *w, const struct fetch *f, const struct fetched *records)
{
    struct command *c = &w->command;
    struct id owner = c->payment_owner;
    uint32_t learned = 0;
    c->payment_checked = false;
    c->payment_owner = (struct id){0};
    for (uint32_t i = 0; i < f->count; i++) {
        const struct record_key *key = &f->keys[i];
        if (!key_among(w->keys, w->count, key))
            continue; /* another command asked for it */
        learned++;
        /* The owner of a payment may have been pruned since it was found: then the payment is read again. */
        bool of_payment = key->kind == FETCH_RESERVATION && !id_none(owner) && id_equal(key->id, owner) &&
                          !id_equal(key->id, c->reservation);
        if (of_payment)
            continue;
        w->missing = w->missing || (key->kind == FETCH_RESERVATION && !records[i].found &&
                                    !command_is(c->kind, COMMAND_PAYS) && !in_memory(e, key));
        rows[key->kind].checked(c, &records[i]);
    }
    ASSERT(learned > 0); /* it waited for this read, and would ask for the same records again */
}

void engine_fetched(struct engine *e, int64_t now_ms, struct fetch *f, const struct fetched *records)
{
    ASSERT(f->waiting.first); /* a read without a command that waits for it */
    /* Removed from the list first: a command applied below may ask for the same record again. */
    fetch_unlink(e, f);
    if (records)
        restore(e, f, records);
    /* All of them before the first is answered: the keys point to texts of that command, which is then freed. */
    for (struct kept_command *w = f->waiting.first; records && w; w = w->next)
        mark_checked(e, w, f, records);
    for (struct kept_command *w = f->waiting.first, *next; w; w = next) {
        next = w->next;
        if (records && !w->missing) {
            engine_judge(e, now_ms, &w->command, w->done, w->ctx);
        } else {
            e->outcome =
                (struct outcome){.code = w->missing ? OUTCOME_NO_SUCH_RESERVATION : OUTCOME_UNAVAILABLE};
            w->done(w->ctx, &e->outcome);
        }
        free(w);
    }
    free(f);
}
