/* SPDX-License-Identifier: Apache-2.0 */
#include "store/row_records.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/money/payment.h"
#include "core/state.h"

void row_records_begin(struct row_records *r, const struct log_batch *batch)
{
    r->in = bytes_reader_make(batch->bytes, batch->size);
    r->next = 0;
    r->count = batch->count;
    r->first_seq = batch->first_seq;
    r->made_count = r->owner_count = 0;
    r->fetch.count = 0;
    if (!r->changes)
        r->changes = memory_zeroed(OUTCOME_LACKS_MAX, sizeof(*r->changes));
}

void row_records_release(struct row_records *r)
{
    free(r->changes);
    free(r->made);
    free(r->owners);
    *r = (struct row_records){0};
}

static bool made_here(const struct row_records *r, struct id id)
{
    for (uint32_t i = 0; i < r->made_count; i++)
        if (id_equal(r->made[i], id))
            return true;
    return false;
}

static bool reservation_missing(const struct row_records *r, struct state *st, struct id id)
{
    return !id_none(id) && reservation_find(st, id) == TABLE_NONE && !made_here(r, id);
}

static void want_owner(struct row_records *r, struct state *st, struct id id)
{
    if (!reservation_missing(r, st, id))
        return;
    r->owners = memory_room_counted(r->owners, r->owner_count, sizeof(*r->owners));
    r->owners[r->owner_count++] = id;
}

/* What this change needs from the book. True: *key is set. */
static bool change_lacks(struct row_records *r, struct state *st, const struct change *c, struct record_key *key)
{
    if (c->kind == CHANGE_RESERVATION && c->reservation.image.version == 1) {
        r->made = memory_room_counted(r->made, r->made_count, sizeof(*r->made));
        r->made[r->made_count++] = c->reservation.image.id;
    }
    if (!state_follow_lacks(st, c))
        return false;
    if (c->kind == CHANGE_RESERVATION) {
        *key = (struct record_key){.kind = FETCH_RESERVATION, .id = c->reservation.image.id};
        return !made_here(r, key->id);
    }
    ASSERT(c->kind == CHANGE_PAYMENT);
    *key = (struct record_key){.kind = FETCH_PAYMENT, .payment = {.ref = c->payment.ref}};
    want_owner(r, st, c->payment.reservation);
    return !payment_find(st, c->payment.ref);
}

static bool next_owner(struct row_records *r, struct state *st, struct record_key *key)
{
    while (r->owner_count) {
        *key = (struct record_key){.kind = FETCH_RESERVATION, .id = r->owners[--r->owner_count]};
        if (reservation_missing(r, st, key->id))
            return true;
    }
    return false;
}

static bool next_change(struct row_records *r, struct state *st, struct record_key *key)
{
    struct change *c = &r->changes[r->fetch.count];
    bool lacks = false;
    while (!lacks && r->next < r->count) {
        bool read = change_decode(&r->in, r->first_seq + r->next, c);
        ASSERT(read); /* the reading thread has decoded all of them */
        r->next++;
        lacks = change_lacks(r, st, c, key);
    }
    return lacks;
}

bool row_records_next(struct row_records *r, struct state *st)
{
    r->fetch.count = 0;
    while (r->fetch.count < OUTCOME_LACKS_MAX) {
        struct record_key *key = &r->fetch.keys[r->fetch.count];
        /* The last change may have named an owner. */
        if (!next_owner(r, st, key) && !next_change(r, st, key) && !next_owner(r, st, key))
            break;
        r->fetch.count++;
    }
    return r->fetch.count > 0;
}

static bool put_payment(struct row_records *r, struct state *st, const struct fetched *record)
{
    if (id_none(record->owner))
        return state_remember_account(st, &record->account);
    want_owner(r, st, record->owner); /* its payments come with it */
    return true;
}

bool row_records_put(struct row_records *r, struct state *st, const struct fetched *records)
{
    bool fits = true;
    for (uint32_t i = 0; i < r->fetch.count && fits; i++)
        if (records[i].found)
            fits = r->fetch.keys[i].kind == FETCH_PAYMENT
                       ? put_payment(r, st, &records[i])
                       : state_remember(st, &records[i].reservation) && state_remember_account(st, &records[i].account);
    return fits;
}
