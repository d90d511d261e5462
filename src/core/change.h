/* SPDX-License-Identifier: Apache-2.0 */
/* change.h — what happened, as the journal and the book see it: the new image of one record, or one compact
 * change of many records.
 *
 * The changes of one command are in one batch, in order. Each has the next seq. The encoding
 * is in change_codec.c and is kept on disk for years: see the note there before touching it.
 *
 * To add a kind: a row of CHANGES and a member of struct change here; the image in the module's header; the
 * fields and three functions in the record's module, with CHANGE_CODEC and CHANGE_RESTORE where these are
 * enough (catalogue/pool.c is the example). Nothing else in core names it. Then the book's table, writer and loader,
 * and a line in tests/unit/core_change_codec.c.
 */
#ifndef CORE_CHANGE_H
#define CORE_CHANGE_H

#include "base/memory/buf.h"
#include "base/memory/bytes.h"
#include "core/calendar/calendar_image.h"
#include "core/calendar/group_image.h"
#include "core/catalogue/code.h"
#include "core/catalogue/pool.h"
#include "core/claim/refusal.h"
#include "core/dispatch/dispatch_image.h"
#include "core/door/ticket.h"
#include "core/hook/hook.h"
#include "core/image.h"
#include "core/money/payment_event.h"
#include "core/money/provider.h"
#include "core/money/refund.h"
#include "core/owner.h"
#include "core/person/erasure.h"

/* X(constant, number, codec, restored), ordered by number without gaps; the numbers are persisted. Each row needs
 * three functions, declared in codec.h: codec_change_put, codec_change_get, restored_change_restore. */
/* clang-format off */
#define CHANGES(X) \
    X(CHANGE_EVENT,           1,  event,           event)           /* new, settings replaced, or image.removed */ \
    X(CHANGE_POOL,            2,  pool,            pool) \
    X(CHANGE_SEATS_STAGED,    3,  seats_staged,    seats_staged)    /* part of an import, invisible until published */ \
    X(CHANGE_SEATS_PUBLISHED, 4,  seats_published, seats_published) /* the event gets all that was staged for it */ \
    X(CHANGE_SEATS_COPIED,    5,  seats_copied,    seats_copied)    /* the seats of another event, unclaimed */ \
    X(CHANGE_SEATS_BLOCKED,   6,  seats_blocked,   seats_blocked)   /* taken off sale or put back */ \
    X(CHANGE_RESERVATION,     7,  reservation,     reservation) \
    X(CHANGE_EXPIRED,         8,  expired,         expired)         /* many reservations at one instant */ \
    X(CHANGE_IDEMPOTENCY,     9,  idempotency,     idempotency) \
    X(CHANGE_KEY,             10, key,             key) \
    X(CHANGE_KEY_REMOVED,     11, key,             key_removed) \
    X(CHANGE_CALENDAR,        12, calendar,        calendar)        /* new, or settings replaced */ \
    X(CHANGE_QUEUE,           13, queue,           queue)           /* new, paused, opened: the draw's seed and count */ \
    X(CHANGE_QUEUE_JOINED,    14, queue_joined,    queue_joined) \
    X(CHANGE_QUEUE_MOVED,     15, queue_moved,     queue_moved)     /* many entries of one queue at one instant */ \
    X(CHANGE_LIST_ENTRY,      16, list_entry,      list_entry) \
    X(CHANGE_SEATS_REMOVED,   17, seats_removed,   seats_removed) \
    X(CHANGE_CODE,            18, code,            code)            /* of an event: new, replaced, or image.removed */ \
    X(CHANGE_CALENDAR_REMOVED, 19, calendar_removed, calendar_removed) \
    X(CHANGE_SEATS_ALLOTTED,  20, seats_allotted,  seats_allotted)  /* put into an allotment, or taken out */ \
    X(CHANGE_GROUP,           21, group,           group)           /* of calendars: new, replaced or image.removed */ \
    X(CHANGE_PAYMENT,         22, payment,         payment)         /* a row of the ledger */ \
    X(CHANGE_HOOK,            23, hook,            hook)            /* new, replaced, or image.removed */ \
    X(CHANGE_HOOK_MOVED,      24, hook_moved,      hook_moved)      /* messages of one hook: ended, or sent again */ \
    X(CHANGE_HOOK_WARNING,    25, hook_warning,    hook_warning)    /* a hold is about to expire: sent to hooks */ \
    X(CHANGE_CHECK_IN,        26, check_in,        check_in)        /* a ticket scanned at the door, or undone */ \
    X(CHANGE_PAYMENT_EVENT,   27, payment_event,   payment_event)   /* from the payment provider, and its result */ \
    X(CHANGE_PROVIDER,        28, provider,        provider)        /* new or replaced */ \
    X(CHANGE_REFUSALS,        29, refusals,        refusals)        /* counts of refused holds, by reason */ \
    X(CHANGE_CANCELLING,      30, cancelling,      cancelling)      /* one more sale reversed, or none is left */ \
    X(CHANGE_ERASED,          31, erased,          erased)          /* a user; after that, new journal segments */ \
    X(CHANGE_FLEET,           32, fleet,           fleet)           /* new, settings replaced, or image.removed */ \
    X(CHANGE_DRIVER,          33, driver,          driver)          /* of a fleet: new, replaced, or image.removed */ \
    X(CHANGE_RIDE,            34, ride,            ride) \
    X(CHANGE_OFFER,           35, offer,           offer)           /* of a ride to a driver: made or ended */ \
    X(CHANGE_REFUND,          36, refund,          refund)          /* a refund due: new, changed, done or withdrawn */ \
    X(CHANGE_OWNER,           37, owner,           owner)           /* another process decides from here on */
/* clang-format on */
enum change_kind { CHANGES(ENUM_CONSTANT) CHANGE_LAST = sizeof(union {CHANGES(ENUM_SIZE)}) - 1 };
static inline bool change_known(enum change_kind kind)
{
    return kind >= 1 && kind <= CHANGE_LAST;
}

/* Each staged seat says which columns were given, so that an update leaves the others unchanged. */
enum seat_column {
    SEAT_COLUMN_SECTION = 1 << 0,
    SEAT_COLUMN_ROW = 1 << 1,
    SEAT_COLUMN_NUMBER = 1 << 2,
    SEAT_COLUMN_X = 1 << 3,
    SEAT_COLUMN_Y = 1 << 4,
    SEAT_COLUMN_TIER = 1 << 5,
    SEAT_COLUMN_PRICE = 1 << 6,
    SEAT_COLUMN_ACCESSIBLE = 1 << 7,
    SEAT_COLUMN_BLOCKED = 1 << 8,
    SEAT_COLUMN_ALLOTMENT = 1 << 9,
};
#define SEAT_COLUMNS_ALL (SEAT_COLUMN_ALLOTMENT * 2 - 1)

struct zone;
struct layout;
struct layout_blocks;

struct change {
    enum change_kind kind;
    uint64_t seq;
    int64_t at_ms; /* the instant of the command */
    struct actor actor;
    bool fetched; /* not encoded; recovery: the record it changes was looked up in the book */
    /* Not encoded: prepared on another thread, so that applying the change is quick. NULL: not prepared. */
    struct {
        struct zone *zone; /* of the event or calendar */
        /* PUBLISHED, REMOVED: the seats after the change; the event takes it. */
        struct layout *layout;
        const struct layout_blocks *blocks; /* PUBLISHED: with the layout */
    } made;
    union {
        struct event_image event;
        struct pool_image pool;
        struct code_image code; /* decoded: its tiers point to `tiers` below */
        struct {
            uint64_t event, import;   /* import: any number unique to the import */
            struct bytes_reader rows; /* encoded rows: see seat_row_get */
            uint32_t count;
        } staged;
        struct {
            uint64_t event, import;
        } published;
        struct {
            uint64_t event, from;
            bool blocks; /* blocks and allotments are copied, too */
        } copied;
        struct {
            uint64_t event;
            bool blocked;
            struct bytes_reader positions; /* varints */
            uint32_t count;
        } blocked;
        struct {
            uint64_t event;
            struct text allotment;         /* none: taken out of any */
            struct bytes_reader positions; /* varints */
            uint32_t count;
        } allotted;
        struct {
            uint64_t event;
            struct bytes_reader positions; /* varints, ascending */
            uint32_t count;
        } removed;
        struct {
            enum action action;
            struct reservation_image image; /* image.items points to `items` */
            /* Items that the change changes or ends, as they were before: see item_before_get. */
            struct bytes_reader before;
            uint32_t before_count;
            struct text reason; /* in the caller's words */
        } reservation;
        struct {
            struct bytes_reader ids; /* 16 bytes each: see expired_id_get */
            uint32_t count;
        } expired;
        struct idempotency_image idempotency;
        struct check_in_image check_in;
        struct key_image key;           /* CHANGE_KEY_REMOVED: the name only */
        struct calendar_image calendar; /* its lists point to those below */
        struct {
            uint64_t number;
        } calendar_removed;
        struct group_image group; /* decoded: its members point to those below */
        struct queue_image queue;
        struct {
            uint64_t event;
            uint32_t number;
            struct text user_id;      /* encoded only if it is not the actor */
            const struct text *tiers; /* decoded: point to `tiers` below */
            uint32_t tier_count;
        } joined;
        struct {
            uint64_t event;
            struct bytes_reader moves; /* see queue_move_get */
            uint32_t count;
        } moved;
        struct list_entry_image list_entry;
        struct payment_image payment;
        struct refund_image refund;
        struct payment_event_image payment_event;
        struct provider_image provider;
        struct cancelling_image cancelling;
        struct erasure_image erased;
        struct hook_image hook;
        struct {
            uint64_t hook;             /* number */
            struct bytes_reader moves; /* see hook_move_get */
            uint32_t count;
        } hook_moved;
        struct hook_warning_image hook_warning;
        struct {
            struct bytes_reader rows; /* see refusal_get */
            uint32_t count;
        } refusals;
        struct fleet_image fleet;
        struct driver_image driver; /* decoded: its types point to `tiers` below */
        struct ride_image ride;     /* without its offers: each is its own change */
        struct offer_image offer;
        struct owner_image owner;
    };
    struct item_image items[ITEMS_MAX];  /* of the decoded reservation */
    struct hours_range hours[HOURS_MAX]; /* of the decoded calendar */
    struct closed_interval closed[CLOSED_MAX];
    struct service_image services[SERVICES_EVER_MAX];
    struct group_member members[GROUP_CALENDARS_MAX]; /* of the decoded group */
    struct text tiers[TIERS_MAX];                     /* of the decoded event, queue entry, code or driver */
};

/* Appends the encoding of one change. seq is not encoded: it follows from the batch. */
void change_encode(struct buf *out, const struct change *c);
/* Decodes the next change of a batch. Texts and readers point into the batch. False: damaged. */
bool change_decode(struct bytes_reader *in, uint64_t seq, struct change *out);

/* One seat of an import: the columns given, and their values. */
void seat_row_put(struct buf *out, uint32_t columns, const struct seat_image *seat);
bool seat_row_get(struct bytes_reader *in, uint32_t *columns, struct seat_image *seat);

struct id expired_id_get(struct bytes_reader *in);

/* One item before the change, with its extras and without names. */
void item_before_put(struct buf *out, const struct item_image *item);
bool item_before_get(struct bytes_reader *in, struct item_image *item);

/* One move of a queue entry: its new status and until_ms. */
struct queue_move {
    uint32_t number;
    enum queue_status status;
    int64_t until_ms; /* whole seconds */
};
void queue_move_put(struct buf *out, const struct queue_move *move);
bool queue_move_get(struct bytes_reader *in, struct queue_move *move);

#endif
