/* SPDX-License-Identifier: Apache-2.0 */
/* ask.h — one request of the simulator, in small numbers, for both core and the model.
 *
 * Events, seats, pools, calendars, services, tiers and users are named by number; translate.c turns it into core's
 * command. A number that names nothing is allowed: that is how the 404s are reached.
 */
#ifndef TESTS_SIM_ASK_H
#define TESTS_SIM_ASK_H

#include "core/command.h"
#include "core/outcome.h"

#define ASK_EVENTS 6 /* names; one more names nothing */
#define ASK_SEATS 28 /* of an event, at most */
#define ASK_POOLS 2
#define ASK_USERS 18
#define ASK_ERASED 40   /* more names of users: for those who were erased */
#define ASK_REGULARS 6  /* the users who hold and buy all the time */
#define ASK_TIERS 3     /* of passes; seats have the first two of them, or none */
#define ASK_CALENDARS 4 /* names; one more names nothing */
#define ASK_SERVICES 3  /* of a calendar; one more names nothing */
#define ASK_GROUPS 2    /* of calendars: names; one more names nothing */
#define ASK_CLOSED 2
#define ASK_KEYS 3
#define ASK_CODES 4      /* names, from 1; one more names nothing */
#define ASK_CATEGORIES 3 /* names, from 1; one more names nothing */
#define ASK_ALLOTMENTS 2 /* names, from 1; the next is of no seat, and the one after it means blocked seats */
#define ASK_HOUSE (ASK_ALLOTMENTS + 2)
#define ASK_ITEMS 6   /* of a request */
#define ASK_REFS 1000 /* payments: names, from 1 */
#define ASK_BACK 4    /* items that one refund names, at most */
#define ASK_ROWS 4    /* of a layout */

/* Waiting rooms and waiting lists; their numbers are consecutive. */
static inline bool ask_of_lines(enum command_kind kind)
{
    return kind >= COMMAND_QUEUE_JOIN && kind <= COMMAND_LIST_LEAVE;
}

/* About one item of a reservation. */
static inline bool ask_of_item(enum command_kind kind)
{
    return kind == COMMAND_ITEM_DROP || kind == COMMAND_ITEM_MOVE || kind == COMMAND_ITEM_ATTRIBUTES ||
           kind == COMMAND_ITEM_QUANTITY || kind == COMMAND_ITEM_CATEGORY;
}

/* A user without an account, by name. */
static inline bool ask_guest(int user)
{
    return user < ASK_USERS && user % 4 == 1;
}

/* Payments and returns. */
static inline bool ask_of_money(enum command_kind kind)
{
    return kind == COMMAND_REFUND || kind == COMMAND_CANCEL || kind == COMMAND_REFUND_DONE ||
           kind == COMMAND_REFUND_LOOK || kind == COMMAND_PAYMENT_LOOK || kind == COMMAND_PAYMENT_EVENT ||
           kind == COMMAND_EVENT_CANCEL || kind == COMMAND_EVENT_CANCEL_LOOK;
}

/* Tickets at the door. */
static inline bool ask_of_door(enum command_kind kind)
{
    return kind == COMMAND_CHECK_IN || kind == COMMAND_TICKET_LOOK;
}

/* Of time, and not of an event. */
static inline bool ask_timed(enum item_kind kind)
{
    return kind == ITEM_SLOT || kind == ITEM_GROUP;
}

struct ask_item {
    enum item_kind kind;
    int event, unit; /* unit: seat or pool; for a slot: its calendar, or group, and service, -1: none */
    uint32_t party;  /* of a group */
    uint32_t quantity;
    int section, tier; /* best; -1: any */
    uint32_t accessible;
    bool adjacent;
    int64_t start_ms, end_ms; /* slot; a service determines the end */
    int attributes;           /* its own; 0: none */
    int code, category;       /* the same */
    int allotment;            /* that it names; 0: none */
};

struct ask_settings {
    uint32_t hold_ttl_s, max_hold_s, payment_ttl_s, limit;
    uint32_t staff_hold_s; /* of an event; 0: as max_hold_s */
    int64_t on_sale_at_ms, off_sale_at_ms;
    int64_t starts_at_ms; /* of an event; 0: none */
    bool payment_required;
    bool no_guests, by_code;          /* by_code: of an event */
    bool no_transfer, refuse_singles; /* the same */
    bool late_refund;                 /* a late payment is refunded in any case */
    bool cancels;                     /* of an event: by its owner, */
    uint32_t cancel_s;                /* until this long before the start */
    /* Of an event: this many categories from the first (0 .. ASK_CATEGORIES - 1) on, wrapping around; and prices by
     * tier and category, 0: none, otherwise the price plus one. */
    uint8_t category_count, category_first;
    uint8_t prices[ASK_TIERS][ASK_CATEGORIES];
    char currency; /* 'E' or 'U' */
};

/* A waiting room as requested. */
struct ask_queue {
    bool has;
    bool shuffle, by_inventory;
    uint8_t tiers; /* a bit each; 0: no bound */
    uint32_t rate, max_active, pass_ttl_s;
    int64_t open_at_ms; /* 0: from the start */
};

/* A wish on a waiting list; -1: any, and no pool. */
struct ask_wish {
    uint8_t quantity;
    bool adjacent;
    int8_t section, tier, pool;
};

struct ask_pass {
    enum pass_verdict verdict;
    int event, user; /* as signed */
    struct id entry;
};

/* The rest of a calendar: always open or in one range of the week, in UTC. */
struct ask_calendar {
    uint32_t size, capacity, slot_minutes, buffer_minutes, before_minutes;
    /* For users; min, max: 0: by default. */
    uint32_t min_minutes, max_minutes, notice_minutes, horizon_days, limit, change_minutes;
    bool cancels;            /* by its owner, */
    uint32_t cancel_minutes; /* until this long before it begins */
    bool per_slot;           /* the price */
    int64_t price;
    bool always;
    struct hours_range hours;
    struct closed_interval closed[ASK_CLOSED];
    uint32_t closed_count;
    struct ask_service {
        int service;
        uint32_t minutes;
        int64_t price;
    } services[ASK_SERVICES]; /* a duplicate is invalid */
    uint32_t service_count;
};

/* A report of the payment provider; payment and reservation are those of the request. */
struct ask_told {
    uint32_t number; /* its id is derived from it */
    uint32_t once;   /* its `once` key is derived from it; 0: only its id */
    enum payment_news news;
    bool named; /* it names the reservation */
    bool has_amount;
    int64_t amount;
    char currency;
};

/* The amount reported by app and staff. */
struct ask_amount {
    bool given;
    int64_t amount;
    char currency;
};

/* A ticket's code is derived from these. */
struct ask_code_of {
    uint64_t key[2];
    uint32_t item_id, unit;
};
struct ask_scan {
    struct ask_code_of code;
    int event; /* that the gate is for; -1: any */
    int gate;
    uint32_t nonce; /* 0: none */
    bool undo, printed;
    uint64_t reissue; /* with printed */
    int64_t at;       /* of an upload; 0: now */
};

/* A seat of an import. */
struct ask_seat {
    int seat;
    uint32_t columns;               /* enum seat_column */
    int section, row, number, tier; /* -1: none */
    int64_t price;
    bool blocked, accessible;
    int allotment; /* 0: none */
};

struct ask_code {
    int code;
    uint32_t units; /* 0: no bound */
    uint8_t tiers;  /* 0: any */
    int allotment;  /* that it carries; 0: none */
};

/* The fields named by a PATCH, a bit each: of an event, of its waiting room, of a calendar. In the order of the tables
 * in translate_patch.c. */
enum ask_event_field {
    ASK_EVENT_TTL,
    ASK_EVENT_MAX,
    ASK_EVENT_STAFF,
    ASK_EVENT_PAYMENT_TTL,
    ASK_EVENT_PAYMENT,
    ASK_EVENT_CURRENCY,
    ASK_EVENT_LIMIT,
    ASK_EVENT_ON_SALE,
    ASK_EVENT_OFF_SALE,
    ASK_EVENT_STARTS,
    ASK_EVENT_GUESTS,
    ASK_EVENT_ACCESS,
    ASK_EVENT_TRANSFER,
    ASK_EVENT_SINGLES,
    ASK_EVENT_CATEGORIES,
    ASK_EVENT_PRICES,
    ASK_EVENT_ROOM,
    ASK_EVENT_LIST,
    ASK_EVENT_FIELDS
};
enum ask_room_field {
    ASK_ROOM_OPEN_AT,
    ASK_ROOM_RATE,
    ASK_ROOM_ACTIVE,
    ASK_ROOM_PASS_TTL,
    ASK_ROOM_SHUFFLE,
    ASK_ROOM_INVENTORY,
    ASK_ROOM_TIERS,
    ASK_ROOM_FIELDS
};
enum ask_calendar_field {
    ASK_CALENDAR_TTL,
    ASK_CALENDAR_MAX,
    ASK_CALENDAR_CURRENCY,
    ASK_CALENDAR_PRICE,
    ASK_CALENDAR_CAPACITY,
    ASK_CALENDAR_SLOT,
    ASK_CALENDAR_BUFFER,
    ASK_CALENDAR_BEFORE,
    ASK_CALENDAR_MIN,
    ASK_CALENDAR_MAX_MINUTES,
    ASK_CALENDAR_LIMIT,
    ASK_CALENDAR_GUESTS,
    ASK_CALENDAR_SIZE,
    ASK_CALENDAR_HOURS,
    ASK_CALENDAR_CLOSED,
    ASK_CALENDAR_SERVICES,
    ASK_CALENDAR_FIELDS
};

struct ask {
    enum command_kind kind;
    uint32_t given, room_given; /* EVENT_PATCH, CALENDAR_PATCH */
    enum role role;
    int actor;    /* user, when the role is ROLE_USER */
    int named;    /* the user_id given, or -1 */
    struct id id; /* the reservation */
    struct ask_item items[ASK_ITEMS];
    uint32_t count;
    uint32_t ttl_s; /* 0: left out */
    bool commit, if_match;
    uint64_t version; /* with if_match: the version seen, and the model's own view at that moment */
    uint32_t seen_claims;
    int key; /* number of the Idempotency-Key, or -1 */
    uint64_t key_text, body;
    int attributes;           /* -1: left out, 0: {} */
    bool keep_attributes;     /* TRANSFER */
    int ref;                  /* payment_ref, 0: none */
    struct ask_amount amount; /* COMMIT, HOLD, REFUND_DONE */
    bool outside;             /* REFUND_DONE */
    struct ask_told told;     /* PAYMENT_EVENT */
    uint32_t back[ASK_BACK];  /* REFUND: items; none: all */
    uint32_t back_count;
    bool paid_back;
    uint64_t refund;       /* REFUND_DONE, REFUND_LOOK; PAYMENT_LOOK: of the row */
    int reason;            /* EVENT_CANCEL; 0: none */
    struct ask_scan scan;  /* CHECK_IN, TICKET_LOOK */
    uint32_t item_id;      /* DROP, MOVE, and others about one item */
    uint32_t quantity;     /* ITEM_QUANTITY */
    int seat;              /* MOVE of a seat */
    bool in_time, has_end; /* MOVE of a slot, to these instants */
    int64_t start_ms, end_ms;
    int event, pool, copy; /* catalogue; event: or calendar; copy: -1 none */
    struct ask_settings settings;
    struct ask_calendar calendar;
    uint32_t capacity;
    int64_t price;
    uint8_t prices[ASK_CATEGORIES]; /* POOL_PUT, as those of a tier */
    int category;                   /* ITEM_CATEGORY */
    struct ask_seat seats[ASK_SEATS];
    uint32_t seat_count;
    bool blocked, keeps_blocked, allots; /* SEATS_BLOCK: the change */
    int in;                 /* the same: all of this allotment, in place of seats; 0: the seats */
    int allotment;          /* the same, and POOL_PUT; 0: none */
    struct ask_queue queue; /* EVENT_PUT; QUEUE_PATCH: the change */
    bool has_list;
    uint64_t secret;                /* EVENT_PUT, QUEUE_PATCH: seed and key are derived from it */
    int members[ASK_CALENDARS + 1]; /* GROUP_PUT, whose number is `event` */
    uint32_t member_count;
    bool in_order;
    int to;          /* TRANSFER; ERASE: the name that replaces the `named` one */
    uint64_t ticket; /* the same: the new ticket key is derived from it */
    struct id order; /* of a manage token, with its generation */
    uint32_t gen;
    int code;  /* 0: none */
    bool loud; /* codes are written in capital letters */
    struct ask_code codes[ASK_CODES];
    uint32_t code_count;
    struct ask_pass pass;
    struct id entry; /* of a queue or a list */
    uint8_t tiers;   /* QUEUE_JOIN */
    struct ask_wish wish;
    bool has_rate, has_max_active, has_paused, has_open_at, paused; /* QUEUE_PATCH */
};

#endif
