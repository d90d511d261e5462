/* SPDX-License-Identifier: Apache-2.0 */
/* ticket.h — the tickets: one for each seat, slot and unit sold, found by its code, and checked in at most once at a
 * time.
 *
 *   claim begins, sold ──► good ──check-in──► used ──undo──► good (it keeps the undone check-in)
 *                            └──── claim ends, or another ticket key (transfer) ────► void
 *
 * Owns the index from codes to tickets, and what is known about each: created and voided where claims begin and end
 * (reservation.c), used by check_in.c. A ticket of an event is in memory as long as its claim is. Tickets of calendars,
 * void tickets and those read from the book are dropped once the book has their last change; a code that is not in
 * memory is looked up in the book (FETCH_TICKET), so a ticket voided long ago is still distinguished from an unknown
 * code.
 *
 * About 90 bytes a ticket with its place in the index, plus 60 and the gate's name for one that was used.
 *
 * Bounds and image are public: changes and outcomes include this header.
 */
#ifndef CORE_TICKET_H
#define CORE_TICKET_H

#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/image.h"

#define GATE_SIZE_MAX 64
#define NONCE_SIZE_MAX 64
#define SCAN_AGE_MAX_MS (48LL * 3600 * 1000) /* of an uploaded scan */
#define SCAN_AHEAD_MAX_MS (5LL * 60 * 1000)  /* how far a scanner's clock can be ahead */

/* A ticket, and the last thing done with it. */
struct check_in_image {
    struct text code; /* TICKET_CODE_SIZE characters */
    struct id reservation;
    enum item_kind kind;
    uint64_t resource; /* number of the event or calendar */
    uint32_t part;     /* as the item's */
    uint32_t item_id, unit;
    uint64_t reissue;            /* the fence of its item: a move raises it, which voids earlier prints */
    enum check_in_result result; /* 0: not used yet */
    int64_t at_ms;               /* when it was scanned, or undone */
    struct text gate;
    uint64_t nonce[2];      /* its hash; 0,0: none */
    bool is_void;           /* not encoded */
    int64_t recorded_at_ms; /* not encoded; from the book: when this scan was recorded; 0: the last use */
    struct text resource_id, part_id; /* not encoded; none: the event is gone, or the slot has no service */
};

struct state;
struct reservation;
struct item;
struct command;
struct outcome;
struct check;
struct ticket; /* one of them */

struct tickets {
    struct slab all, uses;
    struct table by_code;
    /* Tickets that memory does not have to keep, in the order of their changes: a ring. */
    struct ticket_past {
        uint64_t seq;
        uint32_t ticket;
    } * past;
    uint64_t past_first, past_end;
    uint32_t past_capacity;
};

void tickets_init(struct state *st);
void tickets_release(struct state *st);

/* The claim of a sold item begins: creates its tickets, or makes them good again with what is known of them. */
void tickets_begin(struct state *st, struct reservation *r, const struct item *item);
/* The claim ends by the change of this seq: its tickets are void. */
void tickets_end(struct state *st, struct reservation *r, const struct item *item, uint64_t seq);
/* Whether a ticket of a confirmed reservation's item is checked in: CHECKED_IN, or OK. FETCH: answer with that. */
enum outcome_code tickets_used(struct state *st, struct reservation *r, const struct item *item,
                               const struct command *c, struct outcome *out);

/* Creates or updates a ticket from an image, from the book or decoded. */
struct ticket *ticket_take(struct state *st, const struct check_in_image *image);
struct ticket *ticket_find(struct state *st, struct text code); /* or NULL */
/* By slot, from 0 up to tickets.all.used; NULL: the slot is free. */
const struct ticket *ticket_at(const struct state *st, uint32_t place);
/* Whether the ticket in this slot is good and for this event (by number); then *reservation is its reservation. */
bool ticket_sold_at(const struct state *st, uint32_t place, uint64_t event, struct id *reservation);
/* As ticket_find, or OUTCOME_FETCH for the book, and then NO_SUCH_TICKET. */
enum outcome_code ticket_fetch(struct state *st, const struct command *c, struct text code,
                               struct outcome *out, struct ticket **ticket);
/* With names. Texts are valid until the next command. */
void ticket_show(struct state *st, const struct ticket *t, struct check_in_image *out);
/* Records its last use, by the change of this seq; a result of 0: none. */
void ticket_use(struct state *st, struct ticket *t, const struct check_in_image *use, uint64_t seq);
bool ticket_unread(const struct ticket *t); /* its last use is only in the book */
uint64_t ticket_use_seq(const struct state *st,
                        const struct ticket *t); /* of the last use; 0: none, or from the book */
/* Memory does not have to keep it once the book has this seq. */
void ticket_changed(struct state *st, struct ticket *t, uint64_t seq);

/* Drops up to `most` tickets that the book has. Returns how many were checked. */
uint32_t tickets_forget(struct state *st, uint64_t book_seq, uint32_t most);
void check_reservation_tickets(struct check *c, struct reservation *r); /* of a confirmed one */

#endif
