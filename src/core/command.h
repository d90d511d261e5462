/* SPDX-License-Identifier: Apache-2.0 */
/* command.h — everything that can be asked of core. Time, ids and random numbers arrive inside; core makes
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
struct layout_blocks; /* the same */
struct zone;          /* base/time/zone.h */

/* A command is a row: its name, what its handler gets, the handler, and what the store must know of it. One that
 * claims gets the step (core/step.h), one on a reservation that exists gets that as well, the others need the state
 * alone. state.h declares them, command_apply calls them; each is in its module. */
/* clang-format off */
#define COMMANDS(X) \
    X(EVENT_PUT, STATE, event_put, 0) \
    X(EVENT_PATCH, STATE, event_patch, 0) \
    X(EVENT_REMOVE, STATE, event_remove, COMMAND_USES_RESERVE) \
    X(POOL_PUT, STATE, pool_put, 0) \
    X(SEATS_STAGE, STATE, event_seats_stage, 0) /* a slice of an import, ahead of its publishing */ \
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
    X(QUEUE_LOOK, STATE, queue_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* whoever looks is present */ \
    X(QUEUE_LEAVE, STATE, queue_leave, COMMAND_USES_RESERVE) \
    X(QUEUE_PATCH, STATE, queue_patch, COMMAND_USES_RESERVE) /* change the running of a waiting room */ \
    X(LIST_JOIN, STATE, waiting_list_join, 0) \
    X(LIST_LOOK, STATE, waiting_list_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(LIST_LEAVE, STATE, waiting_list_leave, COMMAND_USES_RESERVE) \
    X(ITEM_ATTRIBUTES, RESERVATION, reservation_command_item_attributes, 0) \
    X(SEATS_REMOVE, STEP, event_seats_remove, 0) \
    X(ITEM_QUANTITY, RESERVATION, reservation_command_item_quantity, 0) \
    X(TRANSFER, STEP, transfer_reservation, COMMAND_BY_ORDER) \
    X(TOKENS_REVOKE, RESERVATION, transfer_revoke_tokens, COMMAND_USES_RESERVE) \
    X(ITEM_CATEGORY, RESERVATION, reservation_command_item_category, 0) \
    X(CODES_PUT, STATE, codes_put, 0) /* a slice of an import that was judged whole before */ \
    X(CODE_REMOVE, STATE, code_remove, 0) \
    X(CALENDAR_REMOVE, STATE, calendar_remove, COMMAND_USES_RESERVE) \
    X(GROUP_PUT, STATE, group_put, 0) \
    X(GROUP_REMOVE, STATE, group_remove, 0) \
    X(REFUND_DONE, STATE, refund_done, COMMAND_USES_RESERVE) /* somebody has paid it back */ \
    X(REFUND, RESERVATION, sale_refund, COMMAND_USES_RESERVE) \
    X(CANCEL, RESERVATION, sale_cancel, COMMAND_USES_RESERVE | COMMAND_BY_ORDER) \
    X(HOOK_PUT, STATE, hook_put, 0) \
    X(HOOK_REMOVE, STATE, hook_remove, COMMAND_USES_RESERVE) \
    X(HOOK_TAKE, STATE, hook_take, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* messages that are due, to be sent */ \
    X(HOOK_REPORT, STATE, hook_report, COMMAND_USES_RESERVE) /* what became of them */ \
    X(HOOK_RESEND, STATE, hook_resend, 0) \
    X(CHECK_IN, STATE, check_in_scan, COMMAND_USES_RESERVE) /* somebody stands at the door */ \
    X(TICKET_LOOK, STATE, check_in_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(PAYMENT_EVENT, STEP, payment_event_take, COMMAND_USES_RESERVE | COMMAND_PAYS) /* of the provider */ \
    X(PROVIDER_PUT, STATE, provider_put, 0) \
    X(REFUND_LOOK, STATE, refund_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(PAYMENT_LOOK, STATE, payment_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(EVENT_CANCEL, STATE, event_cancel, COMMAND_USES_RESERVE) /* the event does not take place */ \
    X(EVENT_CANCEL_LOOK, STATE, event_cancel_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* how far that is */ \
    X(CANCEL_SALE, RESERVATION, sale_cancel_event, COMMAND_USES_RESERVE) /* one sale of it goes back: the store's own */ \
    X(ERASE, STATE, erase_user, 0) /* a person */ \
    X(FLEET_PUT, STATE, fleet_put, 0) \
    X(FLEET_REMOVE, STATE, fleet_remove, COMMAND_USES_RESERVE) \
    X(DRIVER_PUT, STATE, driver_put, 0) /* whoever says where it is has been heard of */ \
    X(DRIVER_REMOVE, STATE, driver_remove, COMMAND_USES_RESERVE) \
    X(DRIVER_LOOK, STATE, driver_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(POSITIONS, STATE, driver_positions, COMMAND_USES_RESERVE) /* the same of many drivers; no record changes */ \
    X(RIDE_NEW, STATE, ride_new, 0) \
    X(RIDE_LOOK, STATE, ride_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) \
    X(RIDE_CANCEL, STATE, ride_cancel, COMMAND_USES_RESERVE) /* by its rider */ \
    X(RIDE_COMPLETE, STATE, ride_complete, COMMAND_USES_RESERVE) \
    X(RIDE_DRIVER_CANCEL, STATE, ride_driver_cancel, COMMAND_USES_RESERVE) /* the search goes on */ \
    X(OFFER_ACCEPT, STATE, offer_accept, COMMAND_USES_RESERVE) \
    X(OFFER_DECLINE, STATE, offer_decline, COMMAND_USES_RESERVE) \
    X(OFFER_LOOK, STATE, offer_look, COMMAND_USES_RESERVE | COMMAND_READ_ONLY) /* the live one of a driver */
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
    /* It only looks: can be answered without writing anything (no_changes). */
    COMMAND_READ_ONLY = 2,
    /* A manage token is enough for it. */
    COMMAND_BY_ORDER = 4,
    /* It brings a payment, which is recorded even if there is no such reservation (reservation_checked). */
    COMMAND_PAYS = 8,
};
struct command;
/* Whether the actor may name this user (at == NULL: none is named). A user may name only itself. */
bool actor_may_name(struct actor actor, struct text user_id);
/* A user without an account: a user token whose subject begins with "guest_", whoever has signed it. App and admin
 * are none, whoever they act for. */
bool actor_is_guest(struct actor actor);
/* What can be refused for the caller alone, whatever the request says: OK, NOT_OWNER, FORBIDDEN; for a
 * manage token of another reservation NO_SUCH_RESERVATION. The edge asks this before it rejects a malformed request. */
enum outcome_code command_judge_caller(const struct command *c);
bool command_is(enum command_kind kind, enum command_trait trait);
struct step;
/* Judges the step's command, by its row. */
enum outcome_code command_apply(struct step *step, struct outcome *out);

/* What the edge found out about the pass that came with a request. Core judges the rest. */
enum pass_verdict { PASS_NONE, PASS_FALSE /* forged, or no pass at all */, PASS_LAPSED, PASS_GENUINE };
struct pass_claim {
    enum pass_verdict verdict;
    struct text event, user; /* LAPSED, GENUINE: as signed */
    struct id entry;
};

/* What a manage token says: the edge has verified that it is genuine and in time. Core judges the rest. */
struct order_claim {
    struct id reservation;
    uint32_t gen;
};

struct item_request {
    enum item_kind kind;
    struct text resource; /* slot: the calendar's id; group: its id */
    struct text part;     /* seat or pool id; not for best; slot, group: the service's id, at == NULL: none */
    uint32_t quantity;    /* pool, best; 1 for a seat or a slot */
    struct text section, tier; /* best; at == NULL: any */
    uint32_t accessible; /* best: this many of the quantity are accessible places, and no others of those */
    bool adjacent;       /* best */
    uint32_t party;      /* group: for how many people; at least 1 */
    int64_t start_ms;    /* slot, group */
    int64_t end_ms;      /* the same; not looked at when there is a service: the end follows from it */
    struct text attributes; /* of the items it becomes; at == NULL: none */
    struct text category;   /* at == NULL: the event's first, if it has any; not for slots */
    struct text code;       /* in place of that of the whole request; at == NULL: none */
    struct text allotment;  /* that it is to be claimed from, or "blocked"; at == NULL: none is named */
};

struct command {
    enum command_kind kind;
    struct actor actor;
    /* Reservation commands: the user named by the request, at == NULL when none was. HOLD: the owner to be;
     * for a user token the edge may leave it out. */
    struct text user_id;
    struct id reservation; /* the one meant; for HOLD the id of the new one */
    bool no_changes; /* COMMAND_READ_ONLY when nothing can be written: what has lapsed is told, not settled */
    bool no_offers;  /* there is no room to record new holds: stock that comes free stays marked for the
                        waiting list */
    bool
        idempotent; /* an Idempotency-Key was given: HOLD, ITEMS_ADD, QUEUE_JOIN, LIST_JOIN, TRANSFER, RIDE_NEW */
    bool idempotency_checked; /* set by the store after looking in the book: the key is not there */
    bool payment_checked; /* the book was asked for the payment in this very turn: either it has none, or */
    struct id payment_owner;    /* the payment is of this reservation; none: there is no such payment */
    bool payment_event_checked; /* the book was asked for the payment event, and what it has is in memory */
    bool reservation_checked;   /* COMMAND_PAYS: the book does not have the reservation */
    uint64_t idempotency_key[2], idempotency_body[2];
    bool ticket_checked;      /* the same of a ticket: the book does not know the code */
    bool ride_checked;        /* the same of a ride: the book has none of this id, or with this offer */
    struct pass_claim pass;   /* HOLD, ITEMS_ADD, ITEM_MOVE, ITEM_QUANTITY */
    struct order_claim order; /* of an actor with ROLE_ORDER */
    union {
        struct {
            struct event_image image;     /* number, created_at_ms, removed are core's */
            struct text copy_seats_from;  /* at == NULL: none */
            struct terms_defaults preset; /* what image.terms leaves open (terms.h); 0: by that of events */
            uint8_t seed[32];  /* random, and image.entry_key too: taken when the event has none yet */
            struct zone *zone; /* that of image.timezone, if it has one; core takes a reference of its own */
        } event_put;
        struct event_patch event_patch;
        struct calendar_patch calendar_patch;
        struct text event;    /* EVENT_REMOVE */
        struct text calendar; /* CALENDAR_REMOVE */
        struct {
            struct text event, id, name;
            uint32_t capacity;
            int64_t price;
            struct text prices;    /* JSON; at == NULL: none */
            struct text allotment; /* at == NULL: none */
        } pool_put;
        struct {
            struct text event;
            const struct code_image *codes; /* event, position and removed are core's */
            uint32_t count;                 /* at most CODES_STEP_MAX; no code twice */
        } codes_put;
        struct {
            struct text event, code;
        } code_remove;
        struct {
            struct text code;
            struct text event; /* that the gate is for; at == NULL: any */
            struct text gate;  /* at == NULL: not said */
            struct text nonce; /* of one attempt; at == NULL: none */
            bool undo;         /* not with scanned_at_ms */
            bool printed;      /* it came in its signed form, which the edge has verified, with this: */
            uint64_t reissue;
            int64_t scanned_at_ms; /* an upload of what was scanned off line; 0: it is now */
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
            const struct layout *base; /* what the new layout was made from; NULL: the event had no seats */
            struct layout *layout;     /* taken when the outcome is OK */
            const struct layout_blocks *blocks; /* from layout_make */
        } seats_publish;
        struct {
            struct text event;
            const struct text *ids;
            uint32_t count;
            struct text in;        /* at != NULL: all of this allotment, in place of ids */
            uint32_t from;         /* with `in`: those at this position and behind, as far as one step goes */
            bool blocked;          /* to be, unless keeps_blocked */
            bool keeps_blocked;    /* whether they are blocked is not changed */
            bool allots;           /* they come to the next: */
            struct text allotment; /* at == NULL: none */
        } seats_block;
        struct {
            struct text event;
            const struct layout *base; /* what the new layout was made from */
            struct layout *layout;     /* by layout_without; taken when the outcome is OK */
            const uint32_t *positions; /* ascending, each once; obstacles name them by position */
            uint32_t count;
        } seats_remove;
        struct {
            const struct item_request *items;
            uint32_t count;
            uint32_t ttl_s;         /* 0: the default */
            struct text attributes; /* at == NULL: none */
            bool commit;            /* buy in one step; ticket_key and payment_* are used */
            bool if_match;
            uint64_t version;
            uint64_t ticket_key[2];
            struct text payment_method, payment_ref;
            struct money amount; /* with payment_ref: that was paid */
            struct text code;    /* for what needs one and has none of its own; at == NULL: none */
        } hold;                  /* HOLD and ITEMS_ADD (items, count and code only) */
        struct {
            uint32_t item_id;
            struct text seat; /* MOVE of a seat: the new one, in the item's own event; at == NULL: it is a
                                 slot's move */
            int64_t start_ms, end_ms; /* MOVE of a slot */
            bool has_end;             /* false: it is as long as its service takes */
            struct text attributes;   /* ITEM_ATTRIBUTES */
            uint32_t quantity;        /* ITEM_QUANTITY: at least 1 */
            struct text category;     /* ITEM_CATEGORY */
        } item;
        struct text attributes; /* ATTRIBUTES */
        uint32_t ttl_s;         /* EXTEND; 0: the default */
        struct {
            uint64_t ticket_key[2];
            struct text payment_method, payment_ref; /* at == NULL: none */
            struct money amount;                     /* with payment_ref: that was paid */
            struct text attributes;                  /* at == NULL: unchanged */
        } commit;                                    /* COMMIT; PAYMENT uses payment_ref only */
        struct {
            struct text to;         /* the user who gets it */
            uint64_t ticket_key[2]; /* random: the codes of before are void */
            bool keep_attributes;   /* app and admin only */
        } transfer;
        struct {
            uint64_t number;
            struct money amount; /* that was paid back; not given: all of it */
            bool outside;        /* not through the provider */
        } refund_done;           /* REFUND_LOOK: number only */
        uint64_t payment_look;   /* PAYMENT_LOOK: the number of the row */
        struct {
            struct text reason;    /* at == NULL: none is given */
            const uint32_t *items; /* ids, each once; none: all of them */
            uint32_t count;
            bool paid_back; /* what this makes owed went back already */
        } refund;
        struct {
            struct payment_event_image
                image; /* number, reservation, result, refund and received_at_ms are core's */
            enum payment_news news;
            bool named;             /* it names a reservation, which may be none of ours: `reservation` */
            uint64_t ticket_key[2]; /* random */
        } payment_event;
        struct {
            struct text event;
            struct text reason; /* at == NULL: none is given */
        } event_cancel;         /* EVENT_CANCEL_LOOK: event only */
        struct {
            uint64_t event; /* number */
        } cancel_sale;
        struct provider_image provider; /* PROVIDER_PUT: provider and secret */
        struct erasure_image erase;     /* number and segments are core's; `to` is random */
        struct key_image key;           /* CREATE: name, role, hash; REMOVE: name */
        struct {
            struct text name;
            uint8_t hash[32];     /* of the new value */
            uint32_t old_valid_s; /* for how long the present one is still good; 0: it ends at once */
        } key_rotate;
        struct {
            /* number and created_at_ms are core's; services are those offered, in any order, none `removed`:
             * core gives them their positions. */
            struct calendar_image image;
            /* That of image.timezone; core takes a reference of its own when the outcome is OK. */
            struct zone *zone;
        } calendar_put;
        struct group_image group_put; /* number, created_at_ms and removed are core's; members by id */
        struct text group;            /* GROUP_REMOVE */
        struct {
            struct text event;
            struct id entry;          /* LOOK, LEAVE */
            const struct text *tiers; /* JOIN, by app or admin: what its pass is for; none: the queue's */
            uint32_t tier_count;
            struct text code; /* JOIN; at == NULL: none */
        } queue;
        struct {
            struct text event;
            bool has_rate, has_max_active, has_paused, has_open_at; /* what is given */
            uint32_t rate_per_second, max_active;
            bool paused;
            int64_t open_at_ms; /* 0: from now on */
            uint8_t seed[32];   /* random: for an empty queue that opened and is to open later */
        } queue_patch;
        struct {
            struct text event;
            struct id entry;       /* LOOK, LEAVE */
            struct list_wish wish; /* JOIN */
            struct text code;      /* JOIN; at == NULL: none */
        } list;
        struct hook_image hook; /* PUT: name, url, events, secret; REMOVE: name */
        struct {
            uint64_t hook;        /* number */
            uint64_t durable_seq; /* nobody is told of what came after it */
            uint32_t most;
        } hook_take;
        struct {
            uint64_t hook; /* number; one that is gone is fine */
            const struct hook_report *reports;
            uint32_t count;
            bool failing; /* its receiver: what is older than a day is dead, tried once more or not */
        } hook_report;
        struct {
            struct text name;
            const struct hook_message
                *messages; /* dead, as the book has them; those that are not are passed over */
            uint32_t count;
        } hook_resend;
        struct fleet_image
            fleet_put;     /* number, created_at_ms and removed are core's; key is random, for a new one */
        struct text fleet; /* FLEET_REMOVE */
        struct {
            struct text fleet, id;
            struct geo_point point;
            uint64_t cell; /* of the fleet's resolution */
            bool available;
            bool has_rating, has_types, has_surge; /* what is given; otherwise as it was: 5, none, false */
            uint32_t rating_milli;
            const struct text *types; /* each once */
            uint32_t type_count;
            bool surge;
        } driver_put;
        struct {
            struct text fleet, id;
        } driver; /* DRIVER_REMOVE, DRIVER_LOOK, OFFER_LOOK */
        struct {
            struct text fleet;
            const struct position *all; /* of one driver twice the last counts */
            uint32_t count;             /* at most POSITIONS_MAX */
        } positions;
        struct {
            struct text fleet; /* at == NULL: whichever has it, for RIDE_LOOK of hooks */
            struct id id;
            /* The rest of RIDE_NEW only; the rider is user_id, for a user token who asks. */
            struct geo_point pickup, to;
            uint64_t cell; /* of the pickup, of the fleet's resolution */
            bool has_to;
            struct text type; /* at == NULL: any */
            uint32_t surge_milli;
        } ride; /* RIDE_*: for whom an app acts is user_id: the rider, or the driver who completes or cancels */
        struct {
            struct text fleet;
            struct id id;
        } offer; /* OFFER_ACCEPT, OFFER_DECLINE: user_id is the driver, if an app names one */
    };
};

#endif
