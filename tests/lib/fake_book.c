/* SPDX-License-Identifier: Apache-2.0 */
#include "fake_book.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/calendar/calendar.h"
#include "core/calendar/group.h"
#include "core/catalogue/event.h"
#include "core/claim/kind.h"
#include "core/claim/reservation.h"
#include "core/door/nonce.h"
#include "core/key.h"
#include "core/queue/queue.h"
#include "core/queue/queue_line.h"
#include "core/waitlist/wish_group.h"
#include "dispatch_carry.h"
#include "state_compare.h"

void fake_book_init(struct fake_book *b)
{
    b->st = state_make();
}

void fake_book_release(struct fake_book *b)
{
    state_release(b->st);
    b->st = NULL;
}

bool fake_book_take(struct fake_book *b, const uint8_t *changes, size_t size, uint32_t count)
{
    struct bytes_reader in = bytes_reader_make(changes, size);
    for (uint32_t i = 0; i < count; i++) {
        bool read = change_decode(&in, b->st->seq + 1, &b->change);
        b->change.fetched = true; /* it has everything */
        if (!read || state_restore(b->st, &b->change) != RESTORE_OK)
            return false;
    }
    return bytes_left(&in) == 0;
}

bool fake_book_find(struct fake_book *b, struct id id, struct reservation_image *out,
                    struct item_image *items)
{
    uint32_t handle = reservation_find(b->st, id);
    if (handle == TABLE_NONE)
        return false;
    reservation_image_make(b->st, reservation_at(b->st, handle), out, items);
    return true;
}

/* A row and its refunds due, which are sorted by number. */
static void account_add(const struct state *st, struct fake_book_scratch *to, struct account *account,
                        const struct payment *p)
{
    ASSERT(account->payment_count < FAKE_BOOK_ROWS);
    account->payments = to->payments;
    account->refunds = to->refunds;
    to->payments[account->payment_count++] = *payment_image(p);
    for (const struct refund *r = refunds_first(st, p); r; r = refund_next(st, r)) {
        uint32_t at = account->refund_count++;
        ASSERT(at < FAKE_BOOK_ROWS);
        for (; at && to->refunds[at - 1].number > refund_image(r)->number; at--)
            to->refunds[at] = to->refunds[at - 1];
        to->refunds[at] = *refund_image(r);
    }
}

static void read_reservation(struct fake_book *b, const struct record_key *key, struct fake_book_scratch *to,
                             struct fetched *out)
{
    out->found = fake_book_find(b, key->id, &out->reservation, to->items);
    const struct payment *p = out->found ? payments_first(b->st, reservation_find(b->st, key->id)) : NULL;
    for (; p; p = payment_next(b->st, p))
        account_add(b->st, to, &out->account, p);
}

/* The reservation of the row, or the row itself, if it has none. */
static void read_payment(struct fake_book *b, const struct record_key *key, struct fake_book_scratch *to,
                         struct fetched *out)
{
    const struct payment *p = key->payment.ref.at ? payment_find(b->st, key->payment.ref) : NULL;
    const struct refund *r = key->payment.refund ? refund_find(b->st, key->payment.refund) : NULL;
    if (r)
        p = payment_find(b->st, refund_image(r)->payment_ref);
    for (uint32_t i = 0; key->payment.number && payment_at(b->st, i); i++)
        if (payment_at(b->st, i)->number == key->payment.number)
            p = payment_find(b->st, payment_at(b->st, i)->ref);
    out->found = p != NULL;
    if (p && payment_reservation(p) != TABLE_NONE)
        out->owner = payment_image(p)->reservation;
    else if (p)
        account_add(b->st, to, &out->account, p);
}

static void read_payment_event(struct fake_book *b, const struct record_key *key,
                               struct fake_book_scratch *to, struct fetched *out)
{
    (void)to;
    const struct payment_event_image *event = payment_event_find(b->st, key->event);
    event = event ? event : payment_event_find_once(b->st, key->once);
    out->found = event != NULL;
    if (event)
        out->payment_event = *event;
}

static void read_idempotency(struct fake_book *b, const struct record_key *key, struct fake_book_scratch *to,
                             struct fetched *out)
{
    (void)to;
    struct idempotency_entry entry;
    out->found =
        idempotency_find(&b->st->idempotency, key->idempotency, b->now_ms, &entry) == IDEMPOTENCY_FOUND;
    if (out->found)
        out->idempotency = entry.image;
}

static void read_ticket(struct fake_book *b, const struct record_key *key, struct fake_book_scratch *to,
                        struct fetched *out)
{
    (void)to;
    struct ticket *t = ticket_find(b->st, (struct text){key->code, TICKET_CODE_SIZE});
    out->found = t != NULL;
    if (t)
        ticket_show(b->st, t, &out->ticket);
}

static void read_ride(struct fake_book *b, const struct record_key *key, struct fake_book_scratch *to,
                      struct fetched *out)
{
    (void)to;
    out->found = dispatch_fetch(b->st, &key->ride, &out->ride);
}

static void (*const readers[])(struct fake_book *b, const struct record_key *key,
                               struct fake_book_scratch *to, struct fetched *out) = {
#define X(kind, name) [FETCH_##kind] = read_##name,
    FETCHES(X)
#undef X
};

void fake_book_read(struct fake_book *b, int64_t now_ms, const struct fetch *fetch,
                    struct fetched records[OUTCOME_LACKS_MAX])
{
    b->now_ms = now_ms;
    for (uint32_t i = 0; i < fetch->count; i++) {
        records[i] = (struct fetched){0};
        readers[fetch->keys[i].kind](b, &fetch->keys[i], &b->scratch[i], &records[i]);
    }
}

/* ---- Loading ---- */

static bool load_seats(struct state *from, struct event *e, struct state *to)
{
    uint32_t count = e->layout->count;
    uint64_t *versions = memory_zeroed(count, sizeof(*versions));
    struct layout_blocks blocks;
    struct buf rows;
    buf_init(&rows, (size_t)1 << 30);
    for (uint32_t i = 0; i < count; i++) {
        struct seat_image seat;
        versions[i] = seat_at(e, i)->version;
        layout_seat_image(e->layout, i, &seat);
        seat.blocked = seat_blocked(e, i);
        seat.allotment = allotment_of(e, i);
        seat_row_put(&rows, SEAT_COLUMNS_ALL, &seat);
    }
    /* Made from rows, as in the real book, to include the blocks. */
    struct layout *layout = layout_load(bytes_reader_make(rows.data, rows.size), count, e->layout->gone,
                                        e->layout->gone_count, &blocks);
    ASSERT(layout);
    layout_release(layout);
    bool fine = state_load_seats(to, e->image.number, layout_share(e->layout), versions, &blocks);
    layout_blocks_release(&blocks);
    buf_release(&rows);
    free(versions);
    for (uint32_t i = 0; fine && i < count; i++)
        if (seat_status(from, e, i) == UNIT_SOLD)
            fine = seat_claims.load(
                to,
                &(struct item_image){.resource = e->image.number, .part = i, .fence = seat_at(e, i)->version},
                state_compare_holder(from, e, i));
    return fine;
}

static bool load_queue(struct state *from, const struct event *e, struct state *to)
{
    struct queue_entry_image entry;
    bool fine = state_load_queue(to, &e->queue->image);
    for (uint32_t i = 1; fine && i <= queue_joined(e->queue); i++) {
        queue_entry_view(from, e, i, &entry);
        fine = state_load_queue_entry(to, &entry);
    }
    return fine;
}

static bool load_event(struct state *from, struct event *e, struct state *to)
{
    bool fine = state_load_event(to, &e->image);
    for (uint32_t i = 0; fine && i < e->pool_count; i++)
        fine = state_load_pool(to, &e->pools[i].image, e->pools[i].sold);
    to->change.kind = CHANGE_CODE;
    for (uint32_t i = 0; fine && i < codes_count(e); i++) {
        to->change.code = *code_view(code_at(e, i));
        to->change.code.used = 0;
        fine = state_load_record(to, &to->change);
    }
    if (fine && e->queue)
        fine = load_queue(from, e, to);
    return fine && (!e->layout || load_seats(from, e, to));
}

/* As the book does: loads the last use of each ticket. */
static bool load_uses(struct state *from, const struct reservation_image *r, const struct item_image *item,
                      struct state *to)
{
    bool fine = true;
    for (uint32_t unit = 0; fine && unit < item->quantity; unit++) {
        char code[TICKET_CODE_SIZE];
        ticket_code_write(r->ticket_key, item->item_id, unit, code);
        const struct ticket *t = ticket_find(from, (struct text){code, sizeof(code)});
        if (!t)
            continue; /* sold without a key */
        ticket_show(from, t, &to->change.check_in);
        to->change.kind = CHANGE_CHECK_IN;
        fine = !to->change.check_in.result || state_load_record(to, &to->change);
    }
    return fine;
}

/* And the scans with a nonce. */
static bool load_nonces(struct state *from, struct state *to)
{
    bool fine = true;
    char code[TICKET_CODE_SIZE];
    for (uint32_t i = from->nonces->first; fine && i;) {
        const struct nonce *n = slab_at(&from->nonces->all, i - 1);
        ticket_code_halves(n->key.code, code);
        to->change.kind = CHANGE_CHECK_IN;
        to->change.check_in = (struct check_in_image){.code = {code, sizeof(code)},
                                                      .nonce = {n->key.nonce[0], n->key.nonce[1]},
                                                      .result = (enum check_in_result)n->result,
                                                      .at_ms = n->at_ms,
                                                      .gate = n->gate,
                                                      .recorded_at_ms = n->recorded_ms};
        if (n->result == CHECK_IN_UNDONE) { /* it has a row for the check-in too */
            to->change.check_in.result = CHECK_IN_OK;
            fine = state_load_record(to, &to->change);
            to->change.check_in.result = CHECK_IN_UNDONE;
        }
        fine = fine && state_load_record(to, &to->change);
        i = n->later;
    }
    return fine;
}

static bool load_reservation(struct state *from, struct reservation *r, struct state *to)
{
    struct reservation_image image;
    struct item_image items[ITEMS_MAX];
    bool fine = true;
    reservation_image_make(from, r, &image, items);
    if (r->status == RESERVATION_HELD)
        return state_load_reservation(to, &image);
    for (uint32_t i = 0; fine && r->status == RESERVATION_CONFIRMED && i < image.item_count; i++) {
        if (items[i].kind != ITEM_SLOT) {
            if (items[i].code.at)
                code_count(event_find_number(to, items[i].resource), items[i].code, items[i].quantity);
            fine = state_load_count(to, items[i].resource, image.user_id, items[i].quantity) &&
                   state_load_tickets(to, &items[i], image.id, image.ticket_key) &&
                   load_uses(from, &image, &items[i], to);
        } else if (items[i].until_ms > from->now_ms - STARTS_KEPT_MS)
            fine = state_load_bought(to, &items[i], image.id, image.user_id);
    }
    return fine;
}

static bool load_staged(const struct staged *s, struct state *to)
{
    struct bytes_reader in = bytes_reader_make(s->rows.data, s->rows.size);
    struct seat_image seat;
    uint32_t columns;
    bool fine = true;
    for (uint32_t i = 0; fine && i < s->count; i++)
        fine =
            seat_row_get(&in, &columns, &seat) && state_load_staged(to, s->event, s->import, columns, &seat);
    return fine;
}

static bool load_list(const struct event *e, struct state *to)
{
    struct list_entry_image entry;
    bool fine = true;
    for (uint32_t i = 1; fine && i <= e->list->entries.used; i++) {
        waiting_list_image(e, i, &entry);
        fine = state_load_list_entry(to, &entry);
    }
    return fine;
}

/* The rows of holds, and the total counts of open refunds due and discrepancies. */
static bool load_ledger(struct state *from, struct state *to)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < from->reservations.used; i++) {
        if (reservation_at(from, i)->status != RESERVATION_HELD)
            continue;
        for (const struct payment *p = payments_first(from, i); fine && p; p = payment_next(from, p)) {
            to->change.kind = CHANGE_PAYMENT;
            to->change.payment = *payment_image(p);
            fine = state_load_record(to, &to->change);
            for (const struct refund *r = refunds_first(from, p); fine && r; r = refund_next(from, r)) {
                to->change.kind = CHANGE_REFUND;
                to->change.refund = *refund_image(r);
                fine = state_load_record(to, &to->change);
            }
        }
    }
    state_load_ledger(to, ledger_open(from), ledger_discrepancies(from));
    return fine;
}

/* As the book does: loads each hook, each waiting message, and the deadlines that hooks were warned of. */
static bool load_hooks(struct state *from, struct state *to)
{
    bool fine = true;
    struct change *c = &to->change;
    struct buf move;
    buf_init(&move, 256);
    for (uint32_t i = 0; fine && i < from->hooks.count; i++) {
        const struct hook *h = from->hooks.all[i];
        c->kind = CHANGE_HOOK;
        c->hook = h->image;
        fine = state_load_record(to, c);
        for (uint32_t at = h->oldest; fine && at; at = hook_waiting_at(from, at - 1)->newer) {
            buf_clear(&move);
            hook_move_put(&move, &(struct hook_move){HOOK_WAITING, hook_waiting_at(from, at - 1)->message});
            c->kind = CHANGE_HOOK_MOVED;
            c->hook_moved.hook = h->image.number;
            c->hook_moved.moves = bytes_reader_make(move.data, move.size);
            c->hook_moved.count = 1;
            fine = state_load_record(to, c);
        }
    }
    c->kind = CHANGE_HOOK_WARNING;
    for (uint32_t i = 0; fine && i < from->reservations.used; i++) {
        const struct reservation *r = reservation_at(from, i);
        if (r->status != RESERVATION_HELD || !r->extra || !r->extra->warned_for_ms)
            continue;
        c->hook_warning = (struct hook_warning_image){r->id, r->extra->warned_for_ms};
        fine = state_load_record(to, c);
    }
    buf_release(&move);
    return fine;
}

/* By number: slots are reused. */
static bool load_calendars(const struct state *from, struct state *to)
{
    uint64_t last = 0;
    for (;;) {
        const struct calendar *next = NULL;
        for (uint32_t i = 0; i < from->calendar_count; i++) {
            const struct calendar *c = from->calendars[i];
            if (!c->gone && !c->recalled && c->image.number > last &&
                (!next || c->image.number < next->image.number))
                next = c;
        }
        if (!next)
            return true;
        last = next->image.number;
        if (!state_load_calendar(to, &next->image, from->now_ms))
            return false;
    }
}

static void load_touched(const struct state *from, struct state *to)
{
    for (uint32_t i = 0; i < from->event_listed; i++) {
        const struct event *e = from->events[from->event_list[i]];
        state_load_touched(to, e->image.number, e->seq);
    }
    for (uint32_t i = 0; i < from->calendar_listed; i++)
        state_load_touched(to, calendar_listed(from, i)->image.number, calendar_listed(from, i)->seq);
    for (uint32_t i = 0; i < from->group_count; i++)
        state_load_touched(to, from->groups[i]->image.number, from->groups[i]->seq);
}

static bool load(struct state *from, struct state *to)
{
    bool fine = true;
    for (uint32_t i = 0; fine && i < from->event_listed; i++)
        fine = load_event(from, from->events[from->event_list[i]], to);
    fine = fine && load_calendars(from, to);
    to->change.kind = CHANGE_GROUP;
    for (uint32_t i = 0; fine && i < from->group_count; i++) {
        to->change.group = from->groups[i]->image;
        fine = state_load_record(to, &to->change);
    }
    load_touched(from, to);
    fine = fine && load_staged(&from->staged, to);
    for (uint32_t i = 0; fine && i < from->reservations.used; i++)
        if (reservation_at(from, i)->status)
            fine = load_reservation(from, reservation_at(from, i), to);
    fine = fine && load_nonces(from, to);
    for (uint32_t i = 0; fine && i < from->event_count; i++)
        fine = !from->events[i]->list || load_list(from->events[i], to);
    to->change.kind = CHANGE_KEY;
    for (uint32_t i = 0; fine && i < from->key_count; i++) {
        to->change.key = from->keys[i].image;
        fine = state_load_record(to, &to->change);
    }
    fine = fine && load_hooks(from, to);
    const struct idempotency *keys = &from->idempotency;
    for (uint32_t i = 0; i < keys->queue_count; i++) {
        uint32_t handle = keys->queue[(keys->queue_first + i) & (keys->queue_capacity - 1)];
        state_remember_idempotency(to, &((struct idempotency_entry *)slab_at(&keys->entries, handle))->image);
    }
    to->change.kind = CHANGE_PROVIDER;
    to->change.provider = from->provider;
    fine = fine && (!from->provider.number || state_load_record(to, &to->change));
    to->change.kind = CHANGE_OWNER;
    to->change.owner = (struct owner_image){.epoch = from->epoch, .node = {"n1", 2}};
    fine = fine && (!from->epoch || state_load_record(to, &to->change));
    fine = fine && load_ledger(from, to) && dispatch_load(from, to);
    to->change.kind = CHANGE_ERASED;
    for (uint32_t i = 0; fine && i < from->erasures.count; i++) {
        const struct erasure *e = &from->erasures.all[i];
        to->change.erased = (struct erasure_image){.number = e->number, .segments = e->segments};
        fine = e->segments == ERASURE_SEGMENTS || state_load_record(to, &to->change);
    }
    state_load_end(to, from->seq);
    return fine;
}

/* Restores a reservation with its account to memory. */
static bool put_back(struct fake_book *b, struct state *to, struct id id)
{
    struct fetched r = {0};
    read_reservation(b, &(struct record_key){.kind = FETCH_RESERVATION, .id = id}, &b->scratch[0], &r);
    return r.found && state_remember(to, &r.reservation) && state_remember_account(to, &r.account);
}

bool fake_book_recall(struct fake_book *b, struct state *to)
{
    struct change *c = &b->change;
    if (c->kind != CHANGE_PAYMENT)
        return put_back(b, to, c->reservation.image.id);
    c->fetched = true;
    /* As the store does: with the account of its reservation, even if it is not in it, or alone. */
    if (reservation_find(b->st, c->payment.reservation) != TABLE_NONE)
        return put_back(b, to, c->payment.reservation);
    const struct payment *p = payment_find(b->st, c->payment.ref);
    struct account alone = {0};
    if (p)
        account_add(b->st, &b->scratch[0], &alone, p);
    return state_remember_account(to, &alone);
}

bool fake_book_recover(struct fake_book *b, struct state *to, const uint8_t *changes, size_t size,
                       uint32_t count)
{
    struct bytes_reader in = bytes_reader_make(changes, size);
    if (!load(b->st, to))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!change_decode(&in, to->seq + 1, &b->change))
            return false;
        enum restore_result result = state_restore(to, &b->change);
        if (result == RESTORE_FETCH && fake_book_recall(b, to))
            result = state_restore(to, &b->change);
        if (result != RESTORE_OK)
            return false;
    }
    return bytes_left(&in) == 0;
}
