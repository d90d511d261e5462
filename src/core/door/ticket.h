/* SPDX-License-Identifier: Apache-2.0 */
/* ticket.h — one for each seat, slot and unit that is sold; found by its code, and used at most once at a time.
 *
 *   claim begins, sold ──► good ──check-in──► used ──undo──► good (it knows what was undone)
 *                            └──── claim ends, or another ticket key (transfer) ────► void
 *
 * Owns the index from codes to tickets, and what is known of each: begun and ended where claims are (reservation.c),
 * used by check_in.c. A ticket of an event is in memory as long as its claim is. One of a calendar, one that is void
 * and one that was read from the book are let go of once the book has their last change; a code that memory does not know
 * is asked of the book (FETCH_TICKET), so what was void long ago is still told from what never was.
 *
 * About 90 bytes a ticket with its place in the index, and 60 more and the gate's name for one that was used.
 *
 * Bounds and image are everybody's: changes and outcomes include this.
 */
#ifndef CORE_TICKET_H
#define CORE_TICKET_H

#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/image.h"

#define GATE_SIZE_MAX 64
#define NONCE_SIZE_MAX 64
#define SCAN_AGE_MAX_MS (48LL * 3600 * 1000) /* of a scan that is uploaded */
#define SCAN_AHEAD_MAX_MS (5LL * 60 * 1000)  /* a scanner's clock may be fast by so much */

/* A ticket, and the last that was done with it. */
struct check_in_image {
    struct text code; /* TICKET_CODE_SIZE characters */
    struct id reservation;
    enum item_kind kind;
    uint64_t resource; /* number of the event or calendar */
    uint32_t part;     /* as the item's */
    uint32_t item_id, unit;
    uint64_t reissue; /* the fence of its item: a move raises it, and what was printed before is void */
    enum check_in_result result; /* 0: nothing was done with it yet */
    int64_t at_ms;               /* when it was scanned, or undone */
    struct text gate;            /* at == NULL: not said */
    uint64_t nonce[2];           /* a hash of it; 0,0: none */
    bool is_void;                /* not encoded */
    int64_t recorded_at_ms; /* not encoded; from the book: a scan that was recorded then; 0: the last use */
    struct text resource_id,
        part_id; /* not encoded; at == NULL: the event is gone, or the slot has no service */
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
    /* Those that memory need not keep, in the order of their changes: a ring. */
    struct ticket_past {
        uint64_t seq;
        uint32_t ticket;
    } * past;
    uint64_t past_first, past_end;
    uint32_t past_capacity;
};

void tickets_init(struct state *st);
void tickets_release(struct state *st);

/* The claim of a sold item begins: its tickets are good, as they were if they have been before. */
void tickets_begin(struct state *st, struct reservation *r, const struct item *item);
/* It ends by the change of this seq: they are void. */
void tickets_end(struct state *st, struct reservation *r, const struct item *item, uint64_t seq);
/* Whether a ticket of a confirmed reservation's item is in use: CHECKED_IN, or OK. FETCH: answer with that. */
enum outcome_code tickets_used(struct state *st, struct reservation *r, const struct item *item,
                               const struct command *c, struct outcome *out);

/* What begins by this image: of a ticket in the book's own words, or decoded. */
struct ticket *ticket_take(struct state *st, const struct check_in_image *image);
struct ticket *ticket_find(struct state *st, struct text code); /* or NULL */
/* By place, from 0 up to tickets.all.used; NULL: there is none. */
const struct ticket *ticket_at(const struct state *st, uint32_t place);
/* Whether the ticket at this place is good, and for this event, by number: then whose it is. */
bool ticket_sold_at(const struct state *st, uint32_t place, uint64_t event, struct id *reservation);
/* The same, or else OUTCOME_FETCH for the book, and then NO_SUCH_TICKET. */
enum outcome_code ticket_fetch(struct state *st, const struct command *c, struct text code,
                               struct outcome *out, struct ticket **ticket);
/* With names. Texts are good until the next command. */
void ticket_show(struct state *st, const struct ticket *t, struct check_in_image *out);
/* Its last use is this one, by the change of this seq; a result of 0: it has none. */
void ticket_use(struct state *st, struct ticket *t, const struct check_in_image *use, uint64_t seq);
bool ticket_unread(const struct ticket *t); /* its last use is with the book alone */
uint64_t ticket_use_seq(const struct state *st,
                        const struct ticket *t); /* of the last use; 0: none, or of the book */
/* Whatever it is, memory need not keep it once the book has this seq. */
void ticket_changed(struct state *st, struct ticket *t, uint64_t seq);

/* Lets go of up to `most` that the book has. Returns how many were looked at. */
uint32_t tickets_forget(struct state *st, uint64_t book_seq, uint32_t most);
void check_reservation_tickets(struct check *c, struct reservation *r); /* of one that is confirmed */

#endif
