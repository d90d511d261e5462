/* SPDX-License-Identifier: Apache-2.0 */
#include "store/deferred.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/log.h"
#include "base/memory.h"
#include "core/dispatch/ride.h"
#include "store/last_word.h"

#define RETRY_AT_ONCE 64u /* commands that may all have waited for the same work, which is done now */

struct kept_command {
    struct kept_command *next;
    struct command command;
    store_done_fn done;
    void *ctx;
};

static void keep(struct kept_commands *list, const struct command *c, store_done_fn done, void *ctx)
{
    struct kept_command *k = memory_get(sizeof(*k));
    *k = (struct kept_command){.command = *c, .done = done, .ctx = ctx};
    k->command.payment_checked = false; /* that was in this turn */
    if (list->first)
        list->last->next = k;
    else
        list->first = k;
    list->last = k;
}

/* ---- Commands that have more to settle than one step does ---- */

void deferred_retry(struct store *s, const struct command *c, store_done_fn done, void *ctx)
{
    keep(&s->retries, c, done, ctx);
    store_more(s);
}

bool deferred_retry_step(struct store *s)
{
    struct kept_commands *list = &s->retries;
    for (uint32_t i = 0; i < RETRY_AT_ONCE && list->first; i++) {
        struct kept_command *k = list->first, *last = list->last;
        list->first = k->next;
        local_submit(s, &k->command, k->done, k->ctx);
        /* A command that needs another step has appended itself again. */
        bool came_back = list->first && list->last != last;
        free(k);
        if (came_back)
            break; /* that was a step's work */
    }
    return list->first != NULL;
}

/* ---- Commands that need a record from the book ---- */

/* What ended before is due to be pruned, and no longer handed out: see RECORDER_PRUNE_GRACE_MS. */
static int64_t ended_since(struct store *s)
{
    return s->options.history_days ? store_now(s) - (int64_t)s->options.history_days * 86400000 : 0;
}

/* One record that is being read, and the commands that wait for it. There is never a second read of the same
 * record under way, so an old image can never come in after a newer one was forgotten. */
struct fetch {
    struct fetch *next;
    struct store *store;
    struct record_key key;
    struct kept_commands waiting;
};

/* The book contradicts memory about a reservation or a ride: going on could give something away twice. */
static _Noreturn void end_damaged(const char *what, struct id id)
{
    char text[ID_TEXT_SIZE + 1] = {0};
    id_write(id, text);
    struct status fault = status_make(STATUS_CORRUPT, "%s %s", what, text);
    last_word("a record of the book does not match memory; ending the process", &fault);
}

static bool remember_ride(struct store *s, const struct ride_image *ride)
{
    /* Its fleet may have been removed, or made anew, while the book was read. */
    const struct fleet *f = state_fleet_named(s->state, ride->fleet_id);
    return !f || f->image.number != ride->fleet || state_remember_ride(s->state, ride);
}

static void fetch_done(void *ctx, const struct librarian_answer *answer)
{
    struct fetch *f = ctx;
    struct store *s = f->store;
    /* Out of the list first: a command applied below may ask for the same record again. */
    for (struct fetch **at = &s->fetches; *at; at = &(*at)->next)
        if (*at == f) {
            *at = f->next;
            break;
        }
    if (answer->reservation &&
        !(state_remember(s->state, answer->reservation) && state_remember_account(s->state, answer->account)))
        end_damaged("reservation", answer->reservation->id);
    if (answer->owner && !state_remember_account(s->state, &answer->owner->account))
        end_damaged("payment of reservation", answer->owner->reservation);
    if (answer->idempotency)
        state_remember_idempotency(s->state, answer->idempotency);
    if (answer->payment_event)
        state_remember_payment_event(s->state, answer->payment_event);
    if (answer->ticket && !state_remember_ticket(s->state, answer->ticket))
        end_damaged("reservation", answer->ticket->reservation);
    if (answer->ride && !remember_ride(s, answer->ride))
        end_damaged("ride", answer->ride->id);
    for (struct kept_command *w = f->waiting.first, *next; w; w = next) {
        next = w->next;
        bool found = answer->reservation || answer->idempotency || answer->owner || answer->ticket ||
                     answer->payment_event || answer->ride;
        enum fetch_kind kind = f->key.kind;
        /* The owner of a payment may have been pruned since it was found: then the payment is asked for again. */
        bool of_payment = !id_none(w->command.payment_owner) &&
                          id_equal(f->key.id, w->command.payment_owner) &&
                          !id_equal(f->key.id, w->command.reservation);
        bool goes_on = kind != FETCH_RESERVATION || command_is(w->command.kind, COMMAND_PAYS) || of_payment;
        if (answer->ok && (found || goes_on)) {
            /* The book has no such record. Without this the command would ask again for ever. */
            w->command.idempotency_checked |= !found && kind == FETCH_IDEMPOTENCY;
            /* In this very turn only: the payment may be made while another record is read. */
            w->command.payment_checked = kind == FETCH_PAYMENT;
            w->command.payment_owner = answer->owner ? answer->owner->reservation : (struct id){0};
            /* Found or not: it may be another event, which counted for the same. */
            w->command.payment_event_checked |= kind == FETCH_PAYMENT_EVENT;
            w->command.reservation_checked |= !found && kind == FETCH_RESERVATION && !of_payment;
            w->command.ticket_checked |= !found && kind == FETCH_TICKET;
            /* Found or not: it may be another fleet's. */
            w->command.ride_checked |= kind == FETCH_RIDE;
            local_submit(s, &w->command, w->done, w->ctx);
        } else {
            s->outcome =
                (struct outcome){.code = answer->ok ? OUTCOME_NO_SUCH_RESERVATION : OUTCOME_UNAVAILABLE};
            w->done(w->ctx, &s->outcome);
        }
        free(w);
    }
    free(f);
}

/* By what names a record of its kind: dozens may be under way, and each that comes is held against all of them. */
static bool same_record(const struct record_key *a, const struct record_key *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case FETCH_RESERVATION:
        return id_equal(a->id, b->id);
    case FETCH_IDEMPOTENCY:
        return memcmp(a->idempotency, b->idempotency, sizeof(a->idempotency)) == 0;
    case FETCH_PAYMENT:
        return text_equal(a->payment.ref, b->payment.ref) && a->payment.refund == b->payment.refund &&
               a->payment.number == b->payment.number;
    case FETCH_PAYMENT_EVENT:
        return text_equal(a->event, b->event) && text_equal(a->once, b->once);
    case FETCH_TICKET:
        return memcmp(a->code, b->code, sizeof(a->code)) == 0;
    case FETCH_RIDE:
        return id_equal(a->ride.id, b->ride.id) && a->ride.offer == b->ride.offer;
    }
    return false;
}

void deferred_fetch(struct store *s, const struct command *c, const struct outcome *out, store_done_fn done,
                    void *ctx)
{
    struct record_key key = {.kind = out->fetch};
    key.ended_since_ms = ended_since(s);
    if (key.kind == FETCH_RESERVATION)
        key.id = out->fetch_id;
    else if (key.kind == FETCH_PAYMENT)
        key.payment = out->fetch_payment;
    else if (key.kind == FETCH_PAYMENT_EVENT) {
        key.event = out->fetch_event;
        key.once = out->fetch_once;
    } else if (key.kind == FETCH_TICKET)
        memcpy(key.code, out->fetch_code, sizeof(key.code));
    else if (key.kind == FETCH_RIDE)
        key.ride = (struct ride_key){out->fetch_offer ? (struct id){0} : out->fetch_id, out->fetch_offer};
    else
        memcpy(key.idempotency, c->idempotency_key, sizeof(key.idempotency));
    struct fetch *f = s->fetches;
    while (f && !same_record(&f->key, &key))
        f = f->next;
    bool new = !f;
    if (new) {
        f = memory_zeroed(1, sizeof(*f));
        *f = (struct fetch){.next = s->fetches, .store = s, .key = key};
        s->fetches = f;
    }
    keep(&f->waiting, c, done, ctx);
    if (new)
        librarian_fetch(&s->librarian, &key, fetch_done, f);
}

/* ---- Queries that wait for the book ---- */

struct waiting {
    struct waiting *next;
    const struct query *query;
    store_row_fn row;
    void (*done)(void *ctx, const struct query_result *result);
    void *ctx;
    int64_t until_ms;
};

void store_query(struct store *s, const struct query *query, store_row_fn row,
                 void (*done)(void *ctx, const struct query_result *result), void *ctx)
{
    if (query->min_seq <= recorder_seq(&s->recorder)) {
        librarian_query(&s->librarian, query, ended_since(s), row, done, ctx);
        return;
    }
    /* The recorder may be resting for most of a second. */
    recorder_hurry(&s->recorder);
    struct waiting *w = memory_zeroed(1, sizeof(*w));
    *w = (struct waiting){s->waiting, query, row, done, ctx, (int64_t)uv_now(s->loop) + 2000};
    s->waiting = w;
}

void deferred_queries(struct store *s)
{
    uint64_t book_seq = recorder_seq(&s->recorder);
    struct waiting **at = &s->waiting;
    while (*at) {
        struct waiting *w = *at;
        if (w->query->min_seq > book_seq && (int64_t)uv_now(s->loop) < w->until_ms && !s->closing) {
            at = &w->next;
            continue;
        }
        *at = w->next;
        /* Also when the wait is over: the answer says how far the book was. */
        librarian_query(&s->librarian, w->query, ended_since(s), w->row, w->done, w->ctx);
        free(w);
    }
}
