/* SPDX-License-Identifier: Apache-2.0 */
/* image.h — the whole content of one persistent record, free of pointers into core's state.
 *
 * Those of a kind of resource are in its module: catalogue/pool.h, calendar/calendar_image.h.
 *
 * Images are what changes carry, what the book stores, and what replies are written from. Texts are borrowed:
 * from the state (valid until the next command), from a decoded batch, or from a row of the book.
 *
 * Events, calendars, seats, pools and services are named by number inside: the `number` of an event or a
 * calendar is the seq of the change that made it, the `position` of a seat, pool or service is its place in
 * the event or calendar, and neither is ever reused. The names beside them (resource_id, part_id) are
 * for people; they are not encoded and are filled in by whoever hands the image out.
 */
#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include "core/money/payment.h"
#include "core/types.h"

/* How an event's waiting room lets people in. */
struct queue_settings {
    int64_t open_at_ms;       /* nobody is admitted before; 0: open from the start */
    uint32_t rate_per_second; /* admissions */
    uint32_t max_active;      /* admitted who have not finished; 0: any number */
    uint32_t pass_ttl_s;
    bool shuffle_before_open; /* those who came before the opening are drawn at random */
    bool by_inventory;        /* never more active ones than could still get something */
    const struct text *tiers; /* what a pass is for, unless its entry says otherwise; none: everything */
    uint32_t tier_count;
};

/* On what terms an event or a calendar is sold: how long holds last, and what is paid. New terms touch new
 * holds only. */
struct terms {
    char currency[4]; /* three letters and a NUL */
    uint32_t hold_ttl_s, max_hold_s;
    uint32_t payment_ttl_s; /* 0: there is no payment window */
    enum payment_rule payment;
    enum late_payment_rule late_payment;
    uint32_t staff_hold_s; /* what app and admin may ask for, over max_hold_s; 0: no longer than that */
};

/* The longest that app and admin may hold it. */
static inline uint32_t terms_staff_hold_s(const struct terms *t)
{
    return t->staff_hold_s > t->max_hold_s ? t->staff_hold_s : t->max_hold_s;
}

/* An event that does not take place, and how far what was sold of it has been taken back (money/event_cancel.h). */
struct event_cancelled {
    int64_t at_ms;      /* 0: it takes place */
    struct text reason; /* in staff's own words; at == NULL: none were given */
    uint32_t refunded;  /* sales, so far */
    bool done;          /* nothing of it is claimed any more */
};

/* How that goes on: what changes with each sale. */
struct cancelling_image {
    uint64_t event; /* number */
    uint32_t refunded;
    bool done;
};

struct event_image {
    uint64_t number;
    struct text id;
    struct text name;
    int64_t starts_at_ms, on_sale_at_ms, off_sale_at_ms; /* 0: none */
    struct terms terms;
    uint32_t per_user_limit; /* 0: none */
    bool no_guests;          /* guest tokens are refused */
    enum event_access access;
    int64_t created_at_ms;
    bool removed;
    bool has_queue; /* a waiting room: a hold needs a pass */
    struct queue_settings queue;
    bool has_list;                         /* a waiting list */
    struct text description, venue, image; /* for people; at == NULL: none */
    struct text timezone;                  /* the IANA name of that of the place; at == NULL: UTC */
    struct text categories, prices;        /* JSON, see catalogue/price_list.h; at == NULL: none */
    bool refuse_singles;                   /* no user may leave a single seat alone */
    /* Secret, never shown: entry ids of queue and list, and ids of offered reservations, are made with it.
     * 0,0: an event that never had either. */
    uint64_t entry_key[2];
    struct text terms_before; /* see kept_terms.h; at == NULL: they were never others */
    enum transfer_rule transfer;
    bool cancels;            /* what was bought can be cancelled by its owner, */
    uint32_t cancel_until_s; /* until so long before the start */
    struct event_cancelled cancelled;
};

/* What a waiting room remembers beside its settings and its entries. */
struct queue_image {
    uint64_t event;   /* number */
    uint8_t seed[32]; /* of the draw; secret until the opening, its SHA-256 is not */
    bool paused;
    int64_t opened_at_ms; /* 0: not yet */
    uint32_t drawn;       /* the entries numbered 1..drawn were drawn at the opening; 0: none were */
};

/* One person in line. `position`, `ahead`, `eta_s` and `poll_after_s` follow from the queue; they are not
 * encoded. */
struct queue_entry_image {
    uint64_t event;  /* number */
    uint32_t number; /* by arrival, from 1 */
    struct id id;    /* unguessable; follows from the number and the event's key */
    struct text user_id;
    enum queue_status status;
    int64_t joined_at_ms;
    /* Whole seconds. The pass's end, also of one that has finished or left since; passed over: when it counts
     * as left, 0: it has come back and is in line again; else 0. */
    int64_t until_ms;
    const struct text *tiers; /* of its own; none: the queue's */
    uint32_t tier_count;
    struct text event_id; /* not encoded */
    uint32_t position;    /* from 1; 0: not drawn yet */
    uint32_t ahead; /* who will be admitted before; meaningful when position is, and it is still in line */
    int64_t eta_s;  /* -1: not known */
    uint32_t poll_after_s; /* 1..60 */
};

/* A waiting room as anybody may see it, and as its admin does. */
struct queue_view {
    struct queue_image image;
    struct queue_settings settings;
    bool has_queue;   /* false: it was closed for good; who is in line is still told so */
    uint32_t serving; /* the greatest position admitted so far */
    uint32_t waiting;
    uint32_t admitted_per_10_s; /* in the last ten seconds */
    uint32_t active;            /* passes that are live */
    uint32_t passed_over;
    uint32_t finished, left; /* since the first */
    uint32_t joined;
    uint64_t seq; /* the last change that touched it */
};

/* What somebody on a waiting list wants: units of a pool, or seats. */
struct list_wish {
    uint32_t quantity;
    bool adjacent;
    struct text tier, section, pool; /* at == NULL: any; with a pool neither of the others */
};

struct list_entry_image {
    uint64_t event;  /* number */
    uint32_t number; /* by arrival, from 1 */
    struct id id;    /* as a queue entry's */
    struct text user_id;
    struct list_wish wish;
    struct text code; /* with which it is to be claimed; at == NULL: none was needed */
    enum list_status status;
    int64_t joined_at_ms;
    int64_t changed_at_ms;
    struct id reservation; /* the last that was offered; id_none: none was */
    uint32_t position;     /* 1: the first of those who wait; 0: it does not. Not encoded */
    struct text event_id;  /* not encoded */
};

struct event_counts {
    uint64_t seats, available, held, sold, blocked;
    uint64_t pool_capacity, pool_available; /* of all pools together; filled in by event_counts_shown */
};

/* The static facts of a seat. */
struct seat_image {
    struct text id, section, row, number, tier; /* at == NULL: none */
    int32_t x_milli, y_milli;
    bool has_x, has_y;
    int64_t price;
    bool accessible;
    bool removed; /* it is there for those who once had it; not encoded */
    bool blocked;
    struct text allotment; /* at == NULL: none */
};

/* Whether this can be claimed: only then is it the kind of an item. */
bool item_kind_claimed(enum item_kind kind);
/* Whether items of this kind have times; false of what cannot be claimed. */
bool item_kind_timed(enum item_kind kind);

/* Persisted: never reuse a bit. */
enum item_flag {
    ITEM_UNPAID =
        2, /* payment is not required for it; set only in a reservation of which others require it */
    ITEM_CHOSEN = 4, /* a seat, by a user token, where single seats are refused (claim/single_seats.h) */
};

struct item_image {
    uint32_t item_id;
    enum item_kind kind;      /* one that can be claimed */
    uint64_t resource;        /* number of the event; slot: of the calendar */
    uint32_t part;            /* position of the seat or pool; slot: of the service + 1, 0 without one */
    uint32_t quantity;        /* 1 for a seat or a slot */
    int64_t price;            /* of the whole item */
    uint64_t fence;           /* seq of the change that granted this item */
    int64_t start_ms, end_ms; /* slot: [start, end) */
    /* slot: [start - lead, until) is not free. That is the start and the end with the buffers as they were when
     * claimed, which are below, as far as no other item of the reservation is in between. */
    int64_t until_ms;
    uint32_t lead_ms;
    uint16_t before_minutes, after_minutes;
    uint32_t flags;                   /* of enum item_flag */
    struct text attributes;           /* a JSON object; at == NULL: {} */
    struct text category;             /* of prices; at == NULL: the event had none */
    struct text code;                 /* with which it was claimed; at == NULL: none */
    struct text allotment;            /* from which it was claimed, or "blocked"; at == NULL: none */
    uint64_t group;                   /* slot: number of the group that was asked for it; 0: none */
    struct text group_id;             /* not encoded; at == NULL: none */
    struct text resource_id, part_id; /* not encoded; slot: calendar and service (at == NULL: none) */
};

struct reservation_image {
    struct id id;
    uint64_t number; /* the seq of its first grant; the PNR is made from it */
    uint64_t fence;
    uint32_t version;
    enum reservation_status status;
    struct text user_id;
    int64_t created_at_ms, expires_at_ms, max_expires_at_ms;
    /* How far it may be extended by its user, and by app and admin; 0: to max_expires_at. */
    int64_t user_max_at_ms, staff_max_at_ms;
    int64_t payment_started_at_ms, confirmed_at_ms, ended_at_ms; /* 0: none */
    uint32_t hold_ttl_s, payment_ttl_s;                          /* as they were when it was held */
    bool payment_required;
    bool from_list; /* offered to somebody on a waiting list */
    char currency[4];
    uint32_t next_item_id;
    struct text attributes;                  /* a JSON object; at == NULL: {} */
    struct text payment_method, payment_ref; /* at == NULL: none */
    int64_t payment_recorded_at_ms;          /* 0: there is none, or from before this was kept */
    uint64_t ticket_key[2];                  /* 0,0 until committed */
    uint32_t manage_gen;                     /* manage tokens of another one are void */
    uint64_t transferred; /* the seq of its last transfer: its owner sees no history before; 0: none */
    struct text
        singles; /* seats that it left alone when they were chosen (claim/single.h); at == NULL: none */
    const struct text *leaves_single; /* ids of those that still count; not encoded */
    uint32_t leaves_single_count;
    const struct item_image *items;
    uint32_t item_count;
    const struct payment_image
        *payments; /* not encoded: records of their own (money/payment.h), by first money */
    uint32_t payment_count;
};

/* The sum of the item prices. */
int64_t reservation_image_total(const struct reservation_image *r);
/* What is kept of its payments in its own currency, and what is missing while it is confirmed. */
int64_t reservation_image_kept(const struct reservation_image *r);
int64_t reservation_image_balance(const struct reservation_image *r);

#define PNR_SIZE 6
#define TICKET_CODE_SIZE 20
/* Six letters and digits without 0, 1, I, L, O; distinct for 887,503,681 reservations in a row. */
void pnr_write(uint64_t number, char out[PNR_SIZE]);
bool pnr_read(struct text pnr, uint64_t *number_modulo); /* the number modulo 887,503,681 */
#define PNR_MODULUS 887503681ULL
/* The code of the unit-th ticket (from 0) of an item: one for each seat, each slot and each unit of a
 * pool. */
void ticket_code_write(const uint64_t ticket_key[2], uint32_t item_id, uint32_t unit,
                       char out[TICKET_CODE_SIZE]);
/* A code as two numbers of 50 bits, and back. In either case; false: it is no code at all. */
bool ticket_code_read(struct text code, uint64_t out[2]);
void ticket_code_halves(const uint64_t halves[2], char out[TICKET_CODE_SIZE]);

struct key_image {
    struct text name;
    enum role role; /* ROLE_APP or ROLE_DOOR */
    uint8_t hash[32];
    int64_t created_at_ms;
    int64_t old_until_ms; /* when the value before the last rotation ends, or ended; 0: there is none */
    uint8_t old_hash[32]; /* zeroed when there is none */
};

struct idempotency_image {
    uint64_t key[2];  /* SHA-256 of caller, path and key, cut */
    uint64_t body[2]; /* SHA-256 of the body, cut */
    enum made_kind made_kind;
    struct id made;       /* the id of the reservation or entry */
    uint16_t http_status; /* of the first answer: 200 or 201 */
    int64_t at_ms;
};

#endif
