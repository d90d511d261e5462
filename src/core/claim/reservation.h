/* SPDX-License-Identifier: Apache-2.0 */
/* reservation.h — the one record that carries a claim from hold to sale.
 *
 *            commit               refund
 *   held ────────────► confirmed ──────────► refunded
 *    │                     └──── cancel ───► cancelled
 *    ├──── release, last item dropped ──► released
 *    └──── now >= expires_at ───────────► expired ── paid late, all is free ──► confirmed
 *
 * `status` starts as held (reservation_add). From then on reservation_set_status is its only writer, and
 * asserts the legal pair; a forgotten record has status 0. A held reservation is in the heap of deadlines and
 * in its user's list; a held or confirmed one has a claim for each item; an ended one has none.
 */
#ifndef CORE_RESERVATION_H
#define CORE_RESERVATION_H

#include "core/claim/item.h"
#include "core/kept_terms.h"

struct state;

/* What most reservations never need. */
struct reservation_extra {
    int64_t user_max_at_ms, staff_max_at_ms; /* see image.h */
    int64_t payment_started_at_ms, confirmed_at_ms, ended_at_ms;
    uint64_t ticket_key[2];
    uint64_t transferred; /* the seq of its last transfer; 0: none */
    int64_t
        warned_for_ms; /* the deadline of which hooks were told before it came; 0: none. Not in the image */
    uint32_t manage_gen;
    int64_t payment_recorded_at_ms;
    uint32_t first_payment, last_payment;                /* money/payment.h, handle + 1. Not in the image */
    struct text attributes, payment_method, payment_ref; /* owned; at == NULL: none */
    struct text singles;                                 /* owned; see image.h. Of live ones only */
    char *names; /* owned, or NULL: for each item a byte of size and its name, when it came back after its
                    event had gone */
};

struct reservation {
    struct id id;
    uint64_t number;
    uint64_t fence;
    int64_t created_at_ms, expires_at_ms, max_expires_at_ms;
    struct reservation_extra *extra; /* or NULL */
    uint32_t user;                   /* handle */
    uint32_t version;
    uint32_t hold_ttl_s, payment_ttl_s;
    uint32_t next_item_id;
    char currency[3];
    uint8_t status; /* enum reservation_status */
    bool payment_required;
    bool from_list;
    uint8_t item_count;
    union {
        struct item one;
        struct item *many; /* when item_count > 1 */
    };

    /* derived */
    uint64_t seq;            /* of its last change */
    uint32_t place;          /* in the heap of deadlines */
    uint32_t next, previous; /* of the same user's held ones, handle + 1 */
    uint32_t warning_place;  /* in the heap of warnings; HEAP_NONE: no hook wants one, or it was given */
};

static inline struct item *reservation_items(struct reservation *r)
{
    return r->item_count > 1 ? r->many : &r->one;
}
static inline bool reservation_live(const struct reservation *r)
{
    return r->status == RESERVATION_HELD || r->status == RESERVATION_CONFIRMED;
}
static inline bool reservation_lapsed(const struct reservation *r, int64_t now_ms)
{
    return r->status == RESERVATION_HELD && now_ms >= r->expires_at_ms;
}

void reservations_init(struct state *st);
void reservations_release(struct state *st);
struct reservation *reservation_at(const struct state *st, uint32_t handle);
uint32_t reservation_find(struct state *st, struct id id);       /* handle or TABLE_NONE */
void reservation_prefetch(const struct state *st, struct id id); /* it is looked for soon */

/* A new record in the index, held, without items; its user gets a reference. */
uint32_t reservation_add(struct state *st, struct id id, struct text user);
/* The same for a new hold: starts now, on these terms, for ttl_s. Its number and fence are the seq of the
 * next change. */
uint32_t reservation_begin(struct state *st, struct id id, struct text user, const struct terms *terms,
                           uint32_t ttl_s);
/* What of its terms it keeps: the times of a hold and of a payment, whether it is paid for, the currency. */
struct terms reservation_terms(const struct reservation *r);
void reservation_set_terms(struct reservation *r, const struct terms *terms);
/* What it was promised about this item when it was held. */
struct kept_terms reservation_kept_terms(const struct state *st, const struct reservation *r,
                                         const struct item *item);
/* Drops the record from memory. Claims of a confirmed one turn into stubs; a held one must have been
 * settled. */
void reservation_forget(struct state *st, uint32_t handle);

void reservation_set_status(struct state *st, uint32_t handle, enum reservation_status status);
/* Whoever of this role may extend it up to then. */
int64_t reservation_cap(const struct reservation *r, enum role role);
/* What its items cost, without this one of them (NULL: all); INT64_MAX: more than there are numbers. */
int64_t reservation_total(struct reservation *r, const struct item *but);
/* What the actor says of a payment, at == NULL: nothing. The buyer's own reference never counts, so it is not kept; how
 * it says that it pays is. True: there is a reference that was not recorded before. */
bool reservation_record_payment(struct state *st, struct reservation *r, struct text method, struct text ref);
/* More items on these terms: deadline and caps become earlier, if anything. */
void reservation_shorten(struct state *st, uint32_t handle, const struct terms *more);
/* Whether it must be paid for follows from its items. Before items come and go each is told what it needs; afterwards
 * only those of a mixed reservation are. */
void reservation_payment_split(struct reservation *r);
void reservation_payment_join(struct reservation *r);
void reservation_set_deadline(struct state *st, uint32_t handle, int64_t expires_at_ms);
/* Held to confirmed; the caller emits. */
void reservation_confirm(struct state *st, uint32_t handle, const uint64_t ticket_key[2]);
/* Gives it to another user: what counts for one of them counts for the other from now on. Not of a held one,
 * which is in its user's list. */
void reservation_set_owner(struct state *st, uint32_t handle, struct text user);
/* It is confirmed, and that is emitted: its user's queue entries for what it has are finished. Emits. */
void reservation_finish_entries(struct state *st, uint32_t handle);
/* Expired to confirmed, under the fence of the next change: everything in it is free. The caller emits. */
void reservation_confirm_late(struct state *st, uint32_t handle, const uint64_t ticket_key[2]);
void reservation_release(struct state *st, uint32_t handle);                     /* held to released. Emits */
struct reservation_extra *reservation_extra(struct reservation *r);             /* made when there is none */
void reservation_set_attributes(struct reservation *r, struct text attributes); /* {} is kept as none */
void reservation_set_singles(struct reservation *r, struct text singles);       /* empty: none */
void reservation_clear_payment(struct reservation *r); /* nothing is on record any more */
void reservation_set_payment(struct reservation *r, struct text method,
                             struct text ref); /* at == NULL: unchanged */

/* Adds an item, with a copy of its extra, and makes its claim (free or planned seats, pools and calendars with
 * room). item.fence must be set. */
void reservation_item_add(struct state *st, uint32_t handle, const struct item *item);
/* Ends the claim of the item at this index and takes it out; seq is that of the change. */
void reservation_item_remove(struct state *st, uint32_t handle, uint32_t index, uint64_t seq);
/* Moves the item at this index within its event or calendar, or makes it more or fewer units: the new claim, under
 * moved->fence, and the end of the old one together, by the next change. It keeps its extra and flags. */
void reservation_item_shift(struct state *st, uint32_t handle, uint32_t index, const struct item *moved);
/* Drops its items, which have no claims any more. */
void reservation_items_drop(struct state *st, struct reservation *r);
/* Ends the claims of all items; the items stay as the record of what was asked for. */
void reservation_end_claims(struct state *st, uint32_t handle, uint64_t seq);

/* The next change of this reservation, which must follow before any other, changes or ends this item: its history tells
 * what it was. */
void reservation_note_before(struct state *st, struct reservation *r, uint32_t index);
/* Names are filled in. The items go to `items`, which has room for ITEMS_MAX. */
void reservation_image_make(struct state *st, struct reservation *r, struct reservation_image *out,
                            struct item_image *items);
/* Recovery: makes memory agree with the image, whatever it held before. TABLE_NONE: the image does not
 * fit. */
uint32_t reservation_restore(struct state *st, const struct reservation_image *image, uint64_t seq);
#define PUT_BACK_MS 1000 /* so long it stays, at least */
/* Puts a forgotten record back in memory; its counts never left. False: the image does not fit. */
bool reservation_put_back(struct state *st, const struct reservation_image *image);
/* The callback of a heap of lapses, whose handles are (reservation << 8 | index of the item); owner is the
 * state. */
void reservation_item_placed(void *owner, uint64_t handle, uint32_t place);
/* The change of this seq is the last one that touched the events and calendars of its items. Claims that
 * begin or end say so themselves. */
void reservation_mark(struct state *st, uint32_t handle, uint64_t seq);

#endif
