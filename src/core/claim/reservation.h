/* SPDX-License-Identifier: Apache-2.0 */
/* reservation.h — the one record that carries a claim from hold to sale.
 *
 *            commit               refund
 *   held ────────────► confirmed ──────────► refunded
 *    │                     └──── cancel ───► cancelled
 *    ├──── release, last item dropped ──► released
 *    └──── now >= expires_at ───────────► expired ── late payment, still free ──► confirmed
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

/* Fields that most reservations never need. */
struct reservation_extra {
    int64_t user_max_at_ms, staff_max_at_ms; /* see image.h */
    int64_t payment_started_at_ms, confirmed_at_ms, ended_at_ms;
    uint64_t ticket_key[2];
    uint64_t transferred;  /* seq of its last transfer; 0: none */
    int64_t warned_for_ms; /* the deadline that hooks were warned about; 0: none. Not in the image */
    uint32_t manage_gen;
    int64_t payment_recorded_at_ms;
    uint32_t first_payment, last_payment;                /* money/payment.h, handle + 1. Not in the image */
    struct text attributes, payment_method, payment_ref; /* owned */
    struct text singles;                                 /* owned; see image.h. Live reservations only */
    /* Owned, or NULL. A size byte and the name of each item, for a record that was put back after its event was
     * freed. */
    char *names;
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
    uint32_t next, previous; /* in the user's list of held ones, handle + 1 */
    uint32_t warning_place;  /* in the heap of warnings; HEAP_NONE: no hook wants it, or it was sent */
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
void reservation_prefetch(const struct state *st, struct id id); /* for a reservation_find soon */

/* Adds a record to the index, held, without items; takes a reference to its user. */
uint32_t reservation_add(struct state *st, struct id id, struct text user);
/* The same for a new hold: starts now, on these terms, for ttl_s. Its number and fence are the seq of the
 * next change. */
uint32_t reservation_begin(struct state *st, struct id id, struct text user, const struct terms *terms,
                           uint32_t ttl_s);
/* The terms stored with it: TTLs of hold and payment, whether payment is required, the currency. */
struct terms reservation_terms(const struct reservation *r);
void reservation_set_terms(struct reservation *r, const struct terms *terms);
/* The terms that applied to this item when it was held. */
struct kept_terms reservation_kept_terms(const struct state *st, const struct reservation *r,
                                         const struct item *item);
/* Drops the record from memory. Claims of a confirmed one stay (seats point to a stub). Not for a held one. */
void reservation_forget(struct state *st, uint32_t handle);

void reservation_set_status(struct state *st, uint32_t handle, enum reservation_status status);
/* The latest deadline that this role can extend it to. */
int64_t reservation_cap(const struct reservation *r, enum role role);
/* The total price of its items, except this one (NULL: all); INT64_MAX on overflow. */
int64_t reservation_total(struct reservation *r, const struct item *but);
/* Records what the actor says about a payment. A reference given by the buyer is not trusted, so it is not stored; the
 * method is. True: there is a reference that was not recorded before. */
bool reservation_record_payment(struct state *st, struct reservation *r, struct text method, struct text ref);
/* Applies the terms of added items: deadline and caps can only become earlier. */
void reservation_shorten(struct state *st, uint32_t handle, const struct terms *more);
/* Whether it requires payment depends on its items. Before items are added or removed, `split` marks each item
 * (ITEM_UNPAID); afterwards `join` sets payment_required, and keeps the marks only in a mixed reservation. */
void reservation_payment_split(struct reservation *r);
void reservation_payment_join(struct reservation *r);
void reservation_set_deadline(struct state *st, uint32_t handle, int64_t expires_at_ms);
/* Held to confirmed; the caller emits. */
void reservation_confirm(struct state *st, uint32_t handle, const uint64_t ticket_key[2]);
/* Gives it to another user, and moves everything that is counted per user. Not for a held one, which is in its user's
 * list. */
void reservation_set_owner(struct state *st, uint32_t handle, struct text user);
/* After its confirmation was emitted: finishes its user's queue entries for the events of its items. Emits. */
void reservation_finish_entries(struct state *st, uint32_t handle);
/* Expired to confirmed, with the seq of the next change as its fence; all its items must be free. The caller emits. */
void reservation_confirm_late(struct state *st, uint32_t handle, const uint64_t ticket_key[2]);
void reservation_release(struct state *st, uint32_t handle);                    /* held to released. Emits */
struct reservation_extra *reservation_extra(struct reservation *r);             /* created if there is none */
void reservation_set_attributes(struct reservation *r, struct text attributes); /* {} is stored as none */
void reservation_set_singles(struct reservation *r, struct text singles);       /* empty: none */
void reservation_clear_payment(struct reservation *r);
/* Method or ref none: unchanged. */
void reservation_set_payment(struct reservation *r, struct text method, struct text ref);

/* Adds an item with a copy of its extra, and makes its claim (a free or planned seat, a pool or calendar with room).
 * item.fence must be set. */
void reservation_item_add(struct state *st, uint32_t handle, const struct item *item);
/* Ends the claim of the item at this index and removes it; seq is that of the change. */
void reservation_item_remove(struct state *st, uint32_t handle, uint32_t index, uint64_t seq);
/* Moves the item at this index within its event or calendar, or changes its quantity: ends the old claim and makes the
 * new one, with moved->fence, both in the next change. The item keeps its extra and flags. */
void reservation_item_shift(struct state *st, uint32_t handle, uint32_t index, const struct item *moved);
/* Drops its items, whose claims have ended. */
void reservation_items_drop(struct state *st, struct reservation *r);
/* Ends the claim of one item, or of all; the items stay, as a record of what was claimed. */
void reservation_end_claim(struct state *st, uint32_t handle, uint32_t index, uint64_t seq);
void reservation_end_claims(struct state *st, uint32_t handle, uint64_t seq);

/* Call before an item is changed or ended: the next change, which must be one of this reservation, then carries the
 * item as it was, for the history. */
void reservation_note_before(struct state *st, struct reservation *r, uint32_t index);
/* Fills in names. The items go to `items`, which has room for ITEMS_MAX. */
void reservation_image_make(struct state *st, struct reservation *r, struct reservation_image *out,
                            struct item_image *items);
/* Recovery: makes the record match the image. TABLE_NONE: the image does not fit. */
uint32_t reservation_restore(struct state *st, const struct reservation_image *image, uint64_t seq);
#define PUT_BACK_MS 1000 /* a record that was put back stays at least this long */
/* Puts a forgotten record back in memory; its counts were kept. False: the image does not fit. */
bool reservation_put_back(struct state *st, const struct reservation_image *image);
/* Callback of the heaps of lapses, whose handles are (reservation << 8 | index of the item); owner is the state. */
void reservation_item_placed(void *owner, uint64_t handle, uint32_t place);
/* Sets the seq of the events and calendars of its items. Claims that begin or end do this on their own. */
void reservation_mark(struct state *st, uint32_t handle, uint64_t seq);

#endif
