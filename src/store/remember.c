/* SPDX-License-Identifier: Apache-2.0 */
#include "store/remember.h"

#include "base/assertion.h"
#include "base/memory/arena.h"
#include "book/record/reader.h"
#include "core/money/payment.h"

/* Loads a reservation that is only in the book, with its payments. */
static struct status remember_reservation(struct remembering *r, struct id id, struct arena *arena,
                                          bool *there)
{
    struct reservation_image image;
    struct account account = {0};
    struct status fault = book_reader_reservation(r->reader, id, arena, &image, &account, there);
    if (status_ok(&fault) && *there &&
        (!state_remember(r->state, &image) || !state_remember_account(r->state, &account)))
        fault =
            status_make(STATUS_CORRUPT, "a reservation of the book does not match what was loaded before it");
    return fault;
}

/* Loads what a change of a payment builds on: its row, which belongs to a reservation or to none (until money arrives it can
 * move to another one), and the reservation that it is for now. */
static struct status remember_payment(struct remembering *r, const struct payment_image *payment,
                                      struct arena *arena)
{
    struct book_owner owner = {0};
    bool found = false;
    struct status fault = status_none();
    if (!payment_find(r->state, payment->ref))
        fault =
            book_reader_payment(r->reader, &(struct payment_key){.ref = payment->ref}, arena, &owner, &found);
    if (status_ok(&fault) && !id_none(owner.reservation))
        fault = remember_reservation(r, owner.reservation, arena, &found);
    else if (status_ok(&fault) && !state_remember_account(r->state, &owner.account))
        fault = status_make(STATUS_CORRUPT, "a payment of the book does not match what was loaded before it");
    if (status_ok(&fault) && !id_none(payment->reservation) &&
        !id_equal(owner.reservation, payment->reservation))
        fault = remember_reservation(r, payment->reservation, arena, &found);
    return fault;
}

struct status remember(struct remembering *r, struct change *c)
{
    struct arena arena;
    bool there = false;
    struct status fault = status_none();
    /* Opened on demand: most recoveries do not need it. */
    if (!r->reader)
        fault = book_reader_open(&r->reader, r->book);
    arena_init(&arena, 4096);
    ASSERT(!c->fetched && (c->kind == CHANGE_PAYMENT || c->kind == CHANGE_RESERVATION));
    c->fetched = true;
    if (status_ok(&fault) && c->kind == CHANGE_PAYMENT) {
        fault = remember_payment(r, &c->payment, &arena);
    } else if (status_ok(&fault)) {
        fault = remember_reservation(r, c->reservation.image.id, &arena, &there);
        if (status_ok(&fault) && !there)
            fault =
                status_make(STATUS_CORRUPT, "the journal changes a reservation that the book does not have");
    }
    arena_release(&arena);
    return fault;
}

void remembering_close(struct remembering *r)
{
    book_reader_close(r->reader);
    r->reader = NULL;
}
