/* SPDX-License-Identifier: Apache-2.0 */
/* command.h — every request that core accepts. Time, ids and random numbers are part of the command; core makes
 * none.
 *
 * Texts are borrowed for the duration of state_apply. The edge has checked sizes and characters against
 * limits.h.
 */
#ifndef CORE_COMMAND_H
#define CORE_COMMAND_H

#include "core/calendar/calendar_patch.h"
#include "core/catalogue/event_patch.h"
#include "core/change.h"
#include "core/outcome.h"
#include "core/terms.h"

struct layout;        /* core/catalogue/layout.h */
struct layout_blocks; /* core/catalogue/layout.h */
struct zone;          /* base/time/zone.h */

/* One row per command: its name, what its handler gets, the handler, and its traits (enum command_trait). A command
 * that claims gets the step (core/step.h), one on an existing reservation also gets the reservation, the others get
 * only the state. state.h declares the handlers, command_apply calls them; each is in its module. */
/* clang-format off */
#define COMMANDS(X) \
    X(EVENT_PUT, STATE, event_put, 0) \
    X(EVENT_PATCH, STATE, event_patch, 0) \
    X(EVENT_REMOVE, STATE, event_remove, COMMAND_USES_RESERVE) \
    X(POOL_PUT, STATE, pool_put, 0) \
    X(SEATS_STAGE, STATE, event_seats_stage, 0) /* part of an import, before it is published */ \
    X(SEATS_PUBLISH, STEP, event_seats_publish, 0) \
    X(SEATS_BLOCK, STEP, event_seats_block, 0) \
    X(HOLD, STEP, hold_new, 0) \
    X(LOOK, RESERVATION, reservation_command_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY | COMMAND_BY_ORDER) /* one reservation, settled */ \
    X(ITEMS_ADD, STEP, hold_more, 0) \
    X(ITEM_DROP, RESERVATION, reservation_command_item_drop, COMMAND_USES_RESERVE) \
    X(ITEM_MOVE, RESERVATION, reservation_command_item_move, 0) \
    X(ATTRIBUTES, RESERVATION, reservation_command_attributes, 0) \
    X(EXTEND, RESERVATION, reservation_command_extend, 0) \
    X(PAYMENT, RESERVATION, reservation_command_payment, COMMAND_USES_RESERVE) \
    X(COMMIT, RESERVATION, reservation_command_commit, COMMAND_USES_RESERVE) \
    X(RELEASE, RESERVATION, reservation_command_release, COMMAND_USES_RESERVE) \
    X(KEY_CREATE, STATE, key_create, 0) \
    X(KEY_REMOVE, STATE, key_remove, COMMAND_USES_RESERVE) \
    X(KEY_ROTATE, STATE, key_rotate, 0) \
    X(CALENDAR_PUT, STATE, calendar_put, 0) \
    X(CALENDAR_PATCH, STATE, calendar_patch, 0) \
    X(QUEUE_JOIN, STATE, queue_join, 0) \
    X(QUEUE_LOOK, STATE, queue_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* looking counts as presence */ \
    X(QUEUE_LEAVE, STATE, queue_leave, COMMAND_USES_RESERVE) \
    X(QUEUE_PATCH, STATE, queue_patch, COMMAND_USES_RESERVE) /* rate, pause, opening time of a waiting room */ \
    X(LIST_JOIN, STATE, waiting_list_join, 0) \
    X(LIST_LOOK, STATE, waiting_list_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(LIST_LEAVE, STATE, waiting_list_leave, COMMAND_USES_RESERVE) \
    X(ITEM_ATTRIBUTES, RESERVATION, reservation_command_item_attributes, 0) \
    X(SEATS_REMOVE, STEP, event_seats_remove, 0) \
    X(ITEM_QUANTITY, RESERVATION, reservation_command_item_quantity, 0) \
    X(TRANSFER, STEP, transfer_reservation, COMMAND_BY_ORDER) \
    X(TOKENS_REVOKE, RESERVATION, transfer_revoke_tokens, COMMAND_USES_RESERVE) \
    X(ITEM_CATEGORY, RESERVATION, reservation_command_item_category, 0) \
    X(CODES_PUT, STATE, codes_put, 0) /* part of an import; the whole was checked before */ \
    X(CODE_REMOVE, STATE, code_remove, 0) \
    X(CALENDAR_REMOVE, STATE, calendar_remove, COMMAND_USES_RESERVE) \
    X(GROUP_PUT, STATE, group_put, 0) \
    X(GROUP_REMOVE, STATE, group_remove, 0) \
    X(REFUND_DONE, STATE, refund_done, COMMAND_USES_RESERVE) /* the money was paid back */ \
    X(REFUND, RESERVATION, sale_refund, COMMAND_USES_RESERVE) \
    X(CANCEL, RESERVATION, sale_cancel, COMMAND_USES_RESERVE | COMMAND_BY_ORDER) \
    X(HOOK_PUT, STATE, hook_put, 0) \
    X(HOOK_REMOVE, STATE, hook_remove, COMMAND_USES_RESERVE) \
    X(HOOK_TAKE, STATE, hook_take, COMMAND_USES_RESERVE | COMMAND_READ_ONLY | COMMAND_MOVES_MEMORY) /* messages to send now */ \
    X(HOOK_REPORT, STATE, hook_report, COMMAND_USES_RESERVE) /* their results */ \
    X(HOOK_RESEND, STATE, hook_resend, 0) \
    X(CHECK_IN, STATE, check_in_scan, COMMAND_USES_RESERVE) /* people are waiting at the door */ \
    X(TICKET_LOOK, STATE, check_in_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(PAYMENT_EVENT, STEP, payment_event_take, COMMAND_USES_RESERVE | COMMAND_PAYS) /* from the provider */ \
    X(PROVIDER_PUT, STATE, provider_put, 0) \
    X(REFUND_LOOK, STATE, refund_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(PAYMENT_LOOK, STATE, payment_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(EVENT_CANCEL, STATE, event_cancel, COMMAND_USES_RESERVE) /* the event will not take place */ \
    X(EVENT_CANCEL_LOOK, STATE, event_cancel_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* its progress */ \
    X(CANCEL_SALE, RESERVATION, sale_cancel_event, COMMAND_USES_RESERVE) /* reverses one sale of it; sent by the engine */ \
    X(ERASE, STATE, erase_user, 0) /* a user's personal data */ \
    X(FLEET_PUT, STATE, fleet_put, 0) \
    X(FLEET_REMOVE, STATE, fleet_remove, COMMAND_USES_RESERVE) \
    X(DRIVER_PUT, STATE, driver_put, 0) /* also marks the driver as present */ \
    X(DRIVER_REMOVE, STATE, driver_remove, COMMAND_USES_RESERVE) \
    X(DRIVER_LOOK, STATE, driver_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(POSITIONS, STATE, driver_positions, COMMAND_USES_RESERVE) /* positions of many drivers; no record changes */ \
    X(RIDE_NEW, STATE, ride_new, 0) \
    X(RIDE_LOOK, STATE, ride_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(RIDE_CANCEL, STATE, ride_cancel, COMMAND_USES_RESERVE) /* by its rider */ \
    X(RIDE_COMPLETE, STATE, ride_complete, COMMAND_USES_RESERVE) \
    X(RIDE_DRIVER_CANCEL, STATE, ride_driver_cancel, COMMAND_USES_RESERVE) /* the search continues */ \
    X(OFFER_ACCEPT, STATE, offer_accept, COMMAND_USES_RESERVE) \
    X(OFFER_DECLINE, STATE, offer_decline, COMMAND_USES_RESERVE) \
    X(OFFER_LOOK, STATE, offer_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* a driver's live offer */
/* clang-format on */

enum command_kind {
#define X(name, gets, handler, traits) COMMAND_##name,
    COMMANDS(X)
#undef X
        COMMAND_COUNT
};

enum command_trait {
    /* It finishes a sale or frees stock: still accepted when the disk is full or the book is behind. */
    COMMAND_USES_RESERVE = 1,
    /* It can be answered without writing anything (no_changes). */
    COMMAND_READ_ONLY = 2,
    /* A manage token is enough for it. */
    COMMAND_BY_ORDER = 4,
    /* It brings a payment, which is recorded even if there is no such reservation (reservation_checked). */
    COMMAND_PAYS = 8,
    /* It writes nothing, but changes memory that only the deciding process keeps: a follower refuses it. */
    COMMAND_MOVES_MEMORY = 16,
};
struct command;
/* Whether the actor may name this user. None is fine; a user may name only themselves. */
bool actor_may_name(struct actor actor, struct text user_id);
/* A user without an account: a user token whose subject begins with "guest_", no matter which key signed it. App and
 * admin never are guests, no matter for whom they act. */
bool actor_is_guest(struct actor actor);
/* Refusals that depend on the caller alone: OK, NOT_OWNER, FORBIDDEN; for a manage token of another reservation
 * NO_SUCH_RESERVATION. The edge asks this before it rejects a malformed request. */
enum outcome_code command_judge_caller(const struct command *c);
bool command_is(enum command_kind kind, enum command_trait trait);
struct step;
/* Calls the handler of the step's command. */
enum outcome_code command_apply(struct step *step, struct outcome *out);

/* What the edge found out about the pass sent with a request. Core judges the rest. */
enum pass_verdict { PASS_NONE, PASS_FALSE /* forged, or not a pass */, PASS_LAPSED, PASS_GENUINE };
struct pass_claim {
    enum pass_verdict verdict;
    struct text event, user; /* LAPSED, GENUINE: as signed */
    struct id entry;
};

/* The content of a manage token: the edge has verified its signature and its expiry. Core judges the rest. */
struct order_claim {
    struct id reservation;
    uint32_t gen;
};

struct item_request {
    enum item_kind kind;
    struct text resource;      /* slot: the calendar's id; group: its id */
    struct text part;          /* seat or pool id; not for best; slot, group: the service's id */
    uint32_t quantity;         /* pool, best; 1 for a seat or a slot */
    struct text section, tier; /* best; none: any */
    uint32_t accessible;       /* best: exactly this many of the quantity are accessible places */
    bool adjacent;             /* best */
    uint32_t party;            /* group: for how many people; at least 1 */
    int64_t start_ms;          /* slot, group */
    int64_t end_ms;            /* the same; ignored with a service, which determines the end */
    struct text attributes;    /* of the resulting items */
    struct text category;      /* none: the event's first, if it has any; not for slots */
    struct text code;          /* overrides the code of the whole request */
    struct text allotment;     /* to claim from, or "blocked" */
};

struct command {
    enum command_kind kind;
    struct actor actor;
    /* Reservation commands: the user named by the request. HOLD: the new owner; with a user token it can be left
     * out. */
    struct text user_id;
    struct id reservation; /* its id; for HOLD the id of the new one */
    /* COMMAND_READ_ONLY when nothing can be written: lapsed records are reported, not settled. */
    bool no_changes;
    /* New holds cannot be recorded: freed stock stays marked for the waiting list. */
    bool no_offers;
    /* An Idempotency-Key was given: HOLD, ITEMS_ADD, QUEUE_JOIN, LIST_JOIN, TRANSFER, RIDE_NEW. */
    bool idempotent;
    bool idempotency_checked; /* the book has no such key */
    bool payment_checked;     /* the book was asked for the payment, in this turn; the result is: */
    struct id payment_owner;  /* the reservation it belongs to; none: the book has no such payment */
    /* The book was asked for the payment event; if found, it is in memory. */
    bool payment_event_checked;
    bool reservation_checked; /* COMMAND_PAYS: the book does not have the reservation */
    uint64_t idempotency_key[2], idempotency_body[2];
    bool ticket_checked;      /* the book does not have the ticket code */
    bool ride_checked;        /* the book has no ride with this id, or with this offer */
    struct pass_claim pass;   /* HOLD, ITEMS_ADD, ITEM_MOVE, ITEM_QUANTITY */
    struct order_claim order; /* ROLE_ORDER */
    union {
        struct {
            struct event_image image; /* number, created_at_ms and removed are set by core */
            struct text copy_seats_from;
            /* For terms left out of image.terms (terms.h); 0: the defaults of events. */
            struct terms_defaults preset;
            uint8_t seed[32];  /* random, as is image.entry_key: used if the event has none yet */
            struct zone *zone; /* of image.timezone, if it has one; core takes its own reference */
        } event_put;
        struct event_patch event_patch;
        struct calendar_patch calendar_patch;
        struct text event;    /* EVENT_REMOVE */
        struct text calendar; /* CALENDAR_REMOVE */
        struct {
            struct text event, id, name;
            uint32_t capacity;
            int64_t price;
            struct text prices; /* JSON */
            struct text allotment;
        } pool_put;
        struct {
            struct text event;
            const struct code_image *codes; /* event, position and removed are set by core */
            uint32_t count;                 /* at most CODES_STEP_MAX; no code twice */
        } codes_put;
        struct {
            struct text event, code;
        } code_remove;
        struct {
            struct text code;
            struct text event; /* of the gate; none: any */
            struct text gate;
            struct text nonce; /* identifies one attempt */
            bool undo;         /* not with scanned_at_ms */
            bool printed;      /* in its signed form, verified by the edge, with this reissue number: */
            uint64_t reissue;
            int64_t scanned_at_ms; /* uploaded after an offline scan; 0: scanned now */
        } check_in;                /* TICKET_LOOK: code only */
        struct {
            struct text event;
            uint64_t import;     /* the seq that was next when it began: greater than the event's number */
            const uint8_t *rows; /* seat_row_put, `count` of them */
            size_t size;
            uint32_t count;
        } seats_stage;
        struct {
            struct text event;
            uint64_t import;
            /* The layout that the new one was made from; NULL: the event had no seats. */
            const struct layout *base;
            struct layout *layout;              /* taken when the outcome is OK */
            const struct layout_blocks *blocks; /* from layout_make */
        } seats_publish;
        struct {
            struct text event;
            const struct text *ids;
            uint32_t count;
            struct text in;     /* if given: all seats of this allotment, instead of ids */
            uint32_t from;      /* with `in`: from this position on, as far as one step goes */
            bool blocked;       /* the new state, unless keeps_blocked */
            bool keeps_blocked; /* do not change whether they are blocked */
            bool allots;        /* move them to this allotment; none: take them out of any */
            struct text allotment;
        } seats_block;
        struct {
            struct text event;
            const struct layout *base; /* the layout that the new one was made from */
            struct layout *layout;     /* by layout_without; taken when the outcome is OK */
            const uint32_t *positions; /* ascending, each once; obstacles name them by position */
            uint32_t count;
        } seats_remove;
        struct {
            const struct item_request *items;
            uint32_t count;
            uint32_t ttl_s; /* 0: the default */
            struct text attributes;
            bool commit; /* hold and commit in one step; uses ticket_key and payment_* */
            bool if_match;
            uint64_t version;
            uint64_t ticket_key[2];
            struct text payment_method, payment_ref;
            struct money amount; /* paid, with payment_ref */
            struct text code;    /* for items that need one and do not have their own */
        } hold;                  /* HOLD and ITEMS_ADD (items, count and code only) */
        struct {
            uint32_t item_id;
            struct text seat; /* MOVE of a seat: the new one, in the same event; none: MOVE of a slot */
            int64_t start_ms, end_ms; /* MOVE of a slot */
            bool has_end;             /* false: the duration of its service */
            struct text attributes;   /* ITEM_ATTRIBUTES */
            uint32_t quantity;        /* ITEM_QUANTITY: at least 1 */
            struct text category;     /* ITEM_CATEGORY */
        } item;
        struct text attributes; /* ATTRIBUTES */
        uint32_t ttl_s;         /* EXTEND; 0: the default */
        struct {
            uint64_t ticket_key[2];
            struct text payment_method, payment_ref;
            struct money amount;    /* paid, with payment_ref */
            struct text attributes; /* none: unchanged */
        } commit;                   /* COMMIT; PAYMENT uses payment_ref only */
        struct {
            struct text to;         /* the new owner */
            uint64_t ticket_key[2]; /* random; old ticket codes become void */
            bool keep_attributes;   /* app and admin only */
        } transfer;
        struct {
            uint64_t number;
            struct money amount; /* paid back; not given: all of it */
            bool outside;        /* not paid back through the provider */
        } refund_done;           /* REFUND_LOOK: number only */
        uint64_t payment_look;   /* PAYMENT_LOOK: number of the row */
        struct {
            struct text reason;
            const uint32_t *items; /* ids without duplicates; none: all items */
            uint32_t count;
            bool paid_back; /* the money was already paid back */
        } refund;
        struct {
            /* number, reservation, result, refund and received_at_ms are set by core. */
            struct payment_event_image image;
            enum payment_news news;
            bool named;             /* it names `reservation`, which might not exist */
            uint64_t ticket_key[2]; /* random */
        } payment_event;
        struct {
            struct text event;
            struct text reason;
        } event_cancel; /* EVENT_CANCEL_LOOK: event only */
        struct {
            uint64_t event; /* number */
        } cancel_sale;
        struct provider_image provider; /* PROVIDER_PUT: provider and secret */
        struct erasure_image erase;     /* number and segments are set by core; `to` is random */
        struct key_image key;           /* CREATE: name, role, hash; REMOVE: name */
        struct {
            struct text name;
            uint8_t hash[32];     /* of the new value */
            uint32_t old_valid_s; /* how long the old value stays valid; 0: not at all */
        } key_rotate;
        struct {
            /* number and created_at_ms are set by core; services are those offered, in any order, none `removed`:
             * core assigns their positions. */
            struct calendar_image image;
            /* Of image.timezone; core takes its own reference if the outcome is OK. */
            struct zone *zone;
        } calendar_put;
        struct group_image group_put; /* number, created_at_ms and removed are set by core; members by id */
        struct text group;            /* GROUP_REMOVE */
        struct {
            struct text event;
            struct id entry; /* LOOK, LEAVE */
            /* JOIN, by app or admin: which tiers the pass is for; none: the queue's. */
            const struct text *tiers;
            uint32_t tier_count;
            struct text code; /* JOIN */
        } queue;
        struct {
            struct text event;
            bool has_rate, has_max_active, has_paused, has_open_at; /* which are given */
            uint32_t rate_per_second, max_active;
            bool paused;
            int64_t open_at_ms; /* 0: from now on */
            uint8_t seed[32];   /* random: for an empty queue that was open and gets a later opening time */
        } queue_patch;
        struct {
            struct text event;
            struct id entry;       /* LOOK, LEAVE */
            struct list_wish wish; /* JOIN */
            struct text code;      /* JOIN */
        } list;
        struct hook_image hook; /* PUT: name, url, events, secret; REMOVE: name */
        struct {
            uint64_t hook;        /* number */
            uint64_t durable_seq; /* later changes are not sent yet */
            uint32_t most;
        } hook_take;
        struct {
            uint64_t hook; /* number; it is fine if it was removed */
            const struct hook_report *reports;
            uint32_t count;
            /* The receiver keeps failing: messages older than a day are dead, with or without another attempt. */
            bool failing;
        } hook_report;
        struct {
            struct text name;
            const struct hook_message *messages; /* dead ones, from the book; others are skipped */
            uint32_t count;
        } hook_resend;
        /* number, created_at_ms, removed are set by core; key is random, for a new one. */
        struct fleet_image fleet_put;
        struct text fleet; /* FLEET_REMOVE */
        struct {
            struct text fleet, id;
            struct geo_point point;
            uint64_t cell; /* of the fleet's resolution */
            bool available;
            /* Which are given; others stay as they are. A new driver has 5, none, false. */
            bool has_rating, has_types, has_surge;
            uint32_t rating_milli;
            const struct text *types; /* without duplicates */
            uint32_t type_count;
            bool surge;
        } driver_put;
        struct {
            struct text fleet, id;
        } driver; /* DRIVER_REMOVE, DRIVER_LOOK, OFFER_LOOK */
        struct {
            struct text fleet;
            const struct position *all; /* the last one of a driver counts */
            uint32_t count;             /* at most POSITIONS_MAX */
        } positions;
        struct {
            struct text fleet; /* none: any, for RIDE_LOOK of hooks */
            struct id id;
            /* The rest is for RIDE_NEW only; the rider is user_id, or the caller with a user token. */
            struct geo_point pickup, to;
            uint64_t cell; /* of the pickup, of the fleet's resolution */
            bool has_to;
            struct text type; /* none: any */
            uint32_t surge_milli;
        } ride; /* RIDE_*: user_id is whom an app acts for: the rider, or the driver (complete, cancel) */
        struct {
            struct text fleet;
            struct id id;
        } offer; /* OFFER_ACCEPT, OFFER_DECLINE: user_id is the driver, if an app names one */
    };
};

#endif
