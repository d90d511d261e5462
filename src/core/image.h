/* SPDX-License-Identifier: Apache-2.0 */
/* image.h — the whole content of one persistent record, free of pointers into core's state.
 *
 * The image of a kind of resource is in its module: catalogue/pool.h, calendar/calendar_image.h.
 *
 * Changes carry images, the book stores them, and replies are written from them. Texts are borrowed: from the state
 * (valid until the next command), from a decoded batch, or from a row of the book.
 *
 * Images refer to events, calendars, seats, pools and services by number: the `number` of an event or a calendar is
 * the seq of the change that created it, the `position` of a seat, pool or service is its place in the event or
 * calendar, and neither is ever reused. The ids beside them (resource_id, part_id) are for people; they are not
 * encoded, and the code that returns an image fills them in.
 */
#ifndef CORE_IMAGE_H
#define CORE_IMAGE_H

#include "core/money/payment.h"
#include "core/setting.h"
#include "core/types.h"

/* How an event's waiting room lets people in. */
struct queue_settings {
    int64_t open_at_ms;       /* no admissions before; 0: open from the start */
    uint32_t rate_per_second; /* admissions */
    uint32_t max_active;      /* people admitted and not finished; 0: no limit */
    uint32_t pass_ttl_s;
    bool shuffle_before_open; /* people who joined before the opening get random positions */
    bool by_inventory;        /* never more active people than the stock is enough for */
    const struct text *tiers; /* which tiers a pass is for, unless its entry has its own; none: all */
    uint32_t tier_count;
};

/* The terms of sale of an event or a calendar: how long holds last, and how payment works. New terms apply to new
 * holds only. */
struct terms {
    char currency[4]; /* three letters and a NUL */
    uint32_t hold_ttl_s, max_hold_s;
    uint32_t payment_ttl_s; /* 0: no payment window */
    enum payment_rule payment;
    enum late_payment_rule late_payment;
    uint32_t staff_hold_s; /* maximum for app and admin, if more than max_hold_s; 0: the same */
};

/* The longest hold that app and admin may have. */
static inline uint32_t terms_staff_hold_s(const struct terms *t)
{
    return t->staff_hold_s > t->max_hold_s ? t->staff_hold_s : t->max_hold_s;
}

/* A cancelled event, and how many of its sales have been reversed so far (money/event_cancel.h). */
struct event_cancelled {
    int64_t at_ms;      /* 0: not cancelled */
    struct text reason; /* in staff's own words */
    uint32_t refunded;  /* sales, so far */
    bool done;          /* nothing of it is claimed any more */
};

/* Its progress: what changes with each sale. */
struct cancelling_image {
    uint64_t event; /* number */
    uint32_t refunded;
    bool done;
};

/* The plain settings of an event: X(form, member, name in requests, column of the book, more), see setting.h. Their bytes are
 * in this order. */
/* clang-format off */
#define EVENT_SETTINGS(X) \
    X(TEXT,  description,    "description",    "description", DESCRIPTION_SIZE_MAX) /* for people, as the next two */ \
    X(TEXT,  venue,          "venue",          "venue", VENUE_SIZE_MAX) \
    X(TEXT,  image,          "image",          "image", IMAGE_SIZE_MAX) \
    X(TEXT,  timezone,       "timezone",       "timezone", ZONE_NAME_SIZE_MAX) /* an IANA name; none: UTC */ \
    X(TIME,  starts_at_ms,   "starts_at",      "starts_at") \
    X(TIME,  on_sale_at_ms,  "on_sale_at",     "on_sale_at") \
    X(TIME,  off_sale_at_ms, "off_sale_at",    "off_sale_at") \
    X(COUNT, per_user_limit, "per_user_limit", "per_user_limit", UINT32_MAX) /* 0: none */ \
    X(FLAG,  refuse_singles, "single_seats",   "refuse_singles") /* users must not leave single seats */ \
    X(WORD,  transfer,       "transfer",       "transfer", transfer_rule, TRANSFER_RULE) \
    X(FLAG,  no_guests,      "guests",         "no_guests") /* guest tokens are refused */ \
    X(WORD,  access,         "access",         "access", event_access, EVENT_ACCESS)
#define EVENT_SETTING_MEMBER(form, member, name, column, ...) SETTING_TYPE_##form(__VA_ARGS__) member;
/* clang-format on */

struct event_image {
    uint64_t number;
    struct text id;
    struct text name;
    struct terms terms;
    EVENT_SETTINGS(EVENT_SETTING_MEMBER)
    int64_t created_at_ms;
    bool removed;
    bool has_queue; /* a waiting room: a hold needs a pass */
    struct queue_settings queue;
    bool has_list;                  /* a waiting list */
    struct text categories, prices; /* JSON, see catalogue/price_list.h */
    /* Secret, never shown: entry ids of queue and list, and ids of offered reservations, are made with it.
     * 0,0: the event never had either. */
    uint64_t entry_key[2];
    struct text terms_before; /* see kept_terms.h; none: the terms never changed */
    bool cancels;             /* owners can cancel confirmed reservations, */
    uint32_t cancel_until_s;  /* until this long before the start */
    struct event_cancelled cancelled;
};

/* The state of a waiting room, apart from its settings and entries. */
struct queue_image {
    uint64_t event;   /* number */
    uint8_t seed[32]; /* of the draw; secret until the opening, except for its SHA-256 */
    bool paused;
    int64_t opened_at_ms; /* 0: not yet */
    uint32_t drawn;       /* the entries numbered 1..drawn were drawn at the opening; 0: none were */
};

/* One person in line. `position`, `ahead`, `eta_s` and `poll_after_s` are computed from the queue; they are not
 * encoded. */
struct queue_entry_image {
    uint64_t event;  /* number */
    uint32_t number; /* by arrival, from 1 */
    struct id id;    /* unguessable; computed from the number and the event's key */
    struct text user_id;
    enum queue_status status;
    int64_t joined_at_ms;
    /* Whole seconds. When the pass ends or ended, also if the entry has finished or left since. Passed over: when the
     * entry counts as left; 0: the person came back and is in line again. Otherwise 0. */
    int64_t until_ms;
    const struct text *tiers; /* its own; none: the queue's */
    uint32_t tier_count;
    struct text event_id;  /* not encoded */
    uint32_t position;     /* from 1; 0: not drawn yet */
    uint32_t ahead;        /* people admitted before; meaningful with a position, while still in line */
    int64_t eta_s;         /* -1: unknown */
    uint32_t poll_after_s; /* 1..60 */
};

/* A waiting room, as shown to the public and to admin. */
struct queue_view {
    struct queue_image image;
    struct queue_settings settings;
    bool has_queue;   /* false: closed permanently; people in line can still see that */
    uint32_t serving; /* the greatest position admitted so far */
    uint32_t waiting;
    uint32_t admitted_per_10_s; /* in the last ten seconds */
    uint32_t active;            /* live passes */
    uint32_t passed_over;
    uint32_t finished, left; /* in total */
    uint32_t joined;
    uint64_t seq; /* the last change that touched it */
};

/* What an entry of a waiting list asks for: units of a pool, or seats. */
struct list_wish {
    uint32_t quantity;
    bool adjacent;
    struct text tier, section, pool; /* none: any; a pool excludes the other two */
};

struct list_entry_image {
    uint64_t event;  /* number */
    uint32_t number; /* by arrival, from 1 */
    struct id id;    /* made like a queue entry's */
    struct text user_id;
    struct list_wish wish;
    struct text code; /* to claim with; none: not needed */
    enum list_status status;
    int64_t joined_at_ms;
    int64_t changed_at_ms;
    struct id reservation; /* the last one offered; id_none: none */
    uint32_t position;     /* among those waiting, from 1; 0: not waiting. Not encoded */
    struct text event_id;  /* not encoded */
};

struct event_counts {
    uint64_t seats, available, held, sold, blocked;
    uint64_t pool_capacity, pool_available; /* of all pools together; filled in by event_counts_shown */
};

/* The static facts of a seat. */
struct seat_image {
    struct text id, section, row, number, tier;
    int32_t x_milli, y_milli;
    bool has_x, has_y;
    int64_t price;
    bool accessible;
    bool removed; /* kept because old reservations refer to it; not encoded */
    bool blocked;
    struct text allotment;
};

/* Whether this kind can be claimed. Only such a kind is the kind of an item. */
bool item_kind_claimed(enum item_kind kind);
/* Whether items of this kind have times; false for kinds that cannot be claimed. */
bool item_kind_timed(enum item_kind kind);

/* Persisted: never reuse a bit. */
enum item_flag {
    /* No payment required for it; set only in a reservation where other items require payment. */
    ITEM_UNPAID = 2,
    ITEM_CHOSEN =
        4, /* a seat chosen with a user token, where single seats are refused (claim/single_seats.h) */
};

struct item_image {
    uint32_t item_id;
    enum item_kind kind;      /* a kind that can be claimed */
    uint64_t resource;        /* number of the event; slot: of the calendar */
    uint32_t part;            /* position of the seat or pool; slot: of the service + 1, 0 without one */
    uint32_t quantity;        /* 1 for a seat or a slot */
    int64_t price;            /* of the whole item */
    uint64_t fence;           /* seq of the change that granted this item */
    int64_t start_ms, end_ms; /* slot: [start, end) */
    /* slot: [start - lead, until) is blocked: start and end extended by the buffers at the time of the claim
     * (before_minutes, after_minutes), up to the next other item of the reservation. */
    int64_t until_ms;
    uint32_t lead_ms;
    uint16_t before_minutes, after_minutes;
    uint32_t flags;                   /* enum item_flag */
    struct text attributes;           /* a JSON object; none: {} */
    struct text category;             /* of prices; none: the event had no categories */
    struct text code;                 /* it was claimed with */
    struct text allotment;            /* it was claimed from, or "blocked" */
    uint64_t group;                   /* slot: number of the group in the request; 0: none */
    struct text group_id;             /* not encoded */
    struct text resource_id, part_id; /* not encoded; slot: calendar and service */
};

struct reservation_image {
    struct id id;
    uint64_t number; /* the seq of its first grant; the PNR is computed from it */
    uint64_t fence;
    uint32_t version;
    enum reservation_status status;
    struct text user_id;
    int64_t created_at_ms, expires_at_ms, max_expires_at_ms;
    /* How far it can be extended by its user, and by app and admin; 0: to max_expires_at. */
    int64_t user_max_at_ms, staff_max_at_ms;
    int64_t payment_started_at_ms, confirmed_at_ms, ended_at_ms; /* 0: none */
    uint32_t hold_ttl_s, payment_ttl_s;                          /* at the time of the hold */
    bool payment_required;
    bool from_list; /* an offer from a waiting list */
    char currency[4];
    uint32_t next_item_id;
    struct text attributes; /* a JSON object; none: {} */
    struct text payment_method, payment_ref;
    int64_t payment_recorded_at_ms; /* 0: no payment */
    uint64_t ticket_key[2];         /* 0,0 until committed */
    uint32_t manage_gen;            /* manage tokens of another generation are void */
    uint64_t transferred; /* seq of the last transfer: the owner sees no history before it; 0: none */
    struct text singles;  /* single seats that its choice of seats left (claim/single.h) */
    const struct text *leaves_single; /* ids of those that still count; not encoded */
    uint32_t leaves_single_count;
    const struct item_image *items;
    uint32_t item_count;
    /* Not encoded: separate records (money/payment.h), in the order in which money was first received. */
    const struct payment_image *payments;
    uint32_t payment_count;
};

/* The sum of the item prices. */
int64_t reservation_image_total(const struct reservation_image *r);
/* What is kept of its payments in its own currency; and what is still owed for it, while it is confirmed. */
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
/* A code as two 50-bit numbers, and back. Upper or lower case; false: not a code. */
bool ticket_code_read(struct text code, uint64_t out[2]);
void ticket_code_halves(const uint64_t halves[2], char out[TICKET_CODE_SIZE]);

struct key_image {
    struct text name;
    enum role role; /* ROLE_APP or ROLE_DOOR */
    uint8_t hash[32];
    int64_t created_at_ms;
    int64_t old_until_ms; /* when the value before the last rotation ends or ended; 0: there is none */
    uint8_t old_hash[32]; /* zeros if there is none */
};

struct idempotency_image {
    uint64_t key[2];  /* SHA-256 of caller, path and key, truncated */
    uint64_t body[2]; /* SHA-256 of the body, truncated */
    enum made_kind made_kind;
    struct id made;       /* the id of the reservation or entry */
    uint16_t http_status; /* of the first answer: 200 or 201 */
    int64_t at_ms;
};

#endif
