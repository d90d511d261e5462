/* SPDX-License-Identifier: Apache-2.0 */
/* types.h — the small values that commands, outcomes and changes share. */
#ifndef CORE_TYPES_H
#define CORE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/id.h"
#include "core/limits.h"

/* Borrowed bytes, not NUL-terminated unless said otherwise. at == NULL: not given. */
struct text {
    const char *at;
    size_t size;
};
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})
static inline bool text_equal(struct text a, struct text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

/* By bytes; of two that begin alike the shorter one is first. */
static inline int text_compare(struct text a, struct text b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

struct text text_own(struct text t); /* a copy, NUL-terminated, for text_free; what is not given stays so */
void text_free(struct text own);
/* A list of texts in one piece of memory, for free: the texts, and behind them their bytes. NULL: there are none. */
struct text *texts_own(const struct text *texts, uint32_t count);

/* ---- Enums with names ----
 *
 * One list says it all: X(constant, number, word), by number and without gaps; a list may say more in each
 * row. The enum, its bounds PREFIX_FIRST and PREFIX_LAST, the three functions below, and with them what
 * requests may say, what is kept and what /openapi.json tells, follow from it. Many of the numbers and words
 * are persisted: never renumber, never reuse.
 */
#define ENUM_CONSTANT(constant, number, ...) constant = (number),
#define ENUM_ROW(...) +1
#define ENUM_SIZE(constant, number, ...) char constant##_size[(number) + 1];
#define ENUM_OF(type, PREFIX, LIST)                                                                          \
    enum type {                                                                                              \
        LIST(ENUM_CONSTANT) PREFIX##_LAST = sizeof(union {LIST(ENUM_SIZE)}) - 1,                             \
        PREFIX##_FIRST = PREFIX##_LAST + 1 - (0 LIST(ENUM_ROW)),                                             \
    };                                                                                                       \
    const char *type##_name(enum type value);                                                                \
    bool type##_read(struct text name, enum type *out); /* false: none has this name */                      \
    const char *type##_word(unsigned index);            /* from 0 on; NULL behind the last one */
/* The same as type##_word for some of the names, and for words that are no enum's. */
#define WORDS_OF_ENUM(function, type, ...)                                                                   \
    static const char *function(unsigned index)                                                              \
    {                                                                                                        \
        static const enum type some[] = {__VA_ARGS__};                                                       \
        return index < sizeof(some) / sizeof(*some) ? type##_name(some[index]) : NULL;                       \
    }
#define WORD_LIST(function, ...)                                                                             \
    static const char *function(unsigned index)                                                              \
    {                                                                                                        \
        static const char *const words[] = {__VA_ARGS__, NULL};                                              \
        return words[index];                                                                                 \
    }

#define ROLES(X)                                                                                             \
    X(ROLE_NONE, 0, "none")                                                                                  \
    X(ROLE_USER, 1, "user")                                                                                  \
    X(ROLE_APP, 2, "app")                                                                                    \
    X(ROLE_ADMIN, 3, "admin")                                                                                \
    X(ROLE_DOOR, 4, "door")                                                                                  \
    X(ROLE_SERVER, 5, "server")                                                                              \
    X(ROLE_ORDER, 6, "order")     /* whoever has the manage token of one reservation: no login */            \
    X(ROLE_PAYMENT, 7, "payment") /* the payment provider, by a signed event */
ENUM_OF(role, ROLE, ROLES)

/* Who asks. For a user the name is the user id, for app and door the key's name, otherwise empty. */
struct actor {
    enum role role;
    struct text name;
};

#define RESERVATION_STATUSES(X)                                                                              \
    X(RESERVATION_HELD, 1, "held")                                                                           \
    X(RESERVATION_CONFIRMED, 2, "confirmed")                                                                 \
    X(RESERVATION_RELEASED, 3, "released")                                                                   \
    X(RESERVATION_EXPIRED, 4, "expired")                                                                     \
    X(RESERVATION_CANCELLED, 5, "cancelled")                                                                 \
    X(RESERVATION_REFUNDED, 6, "refunded")
ENUM_OF(reservation_status, RESERVATION_STATUS, RESERVATION_STATUSES)

/* How one seat, or one slot, stands. Only seats are blocked. */
#define UNIT_STATUSES(X)                                                                                     \
    X(UNIT_AVAILABLE, 1, "available")                                                                        \
    X(UNIT_HELD, 2, "held")                                                                                  \
    X(UNIT_SOLD, 3, "sold")                                                                                  \
    X(UNIT_BLOCKED, 4, "blocked")
ENUM_OF(unit_status, UNIT_STATUS, UNIT_STATUSES)
char unit_status_letter(enum unit_status status); /* a h s b */

/* What can be asked for. `module` has its two rows, module_request and module_claims (core/claim/kind.h). */
#define REQUEST_KINDS(X)                                                                                     \
    X(ITEM_SEAT, 1, "seat", seat)                                                                            \
    X(ITEM_POOL, 2, "pool", pool)                                                                            \
    X(ITEM_BEST, 3, "best", best)    /* in requests only */                                                  \
    X(ITEM_SLOT, 4, "slot", slot)    /* an interval of a calendar */                                         \
    X(ITEM_GROUP, 5, "group", group) /* in requests only: any calendar of a group */
ENUM_OF(item_kind, ITEM_KIND, REQUEST_KINDS)

#define PAYMENT_RULES(X)                                                                                     \
    X(PAYMENT_REQUIRED, 1, "required")                                                                       \
    X(PAYMENT_NONE, 2, "none")
ENUM_OF(payment_rule, PAYMENT_RULE, PAYMENT_RULES)

/* Who may claim what an event has: anybody, or who has a code. */
#define EVENT_ACCESSES(X)                                                                                    \
    X(ACCESS_OPEN, 0, "open")                                                                                \
    X(ACCESS_CODE, 1, "code")
ENUM_OF(event_access, EVENT_ACCESS, EVENT_ACCESSES)

#define LATE_PAYMENT_RULES(X)                                                                                \
    X(LATE_PAYMENT_ACCEPT_IF_FREE, 1, "accept_if_free")                                                      \
    X(LATE_PAYMENT_REFUND, 2, "refund")
ENUM_OF(late_payment_rule, LATE_PAYMENT_RULE, LATE_PAYMENT_RULES)

/* What a calendar's price is of: a whole claim, or each slot that it begins. */
#define PRICE_PERS(X)                                                                                        \
    X(PRICE_PER_CLAIM, 1, "claim")                                                                           \
    X(PRICE_PER_SLOT, 2, "slot")
ENUM_OF(price_per, PRICE_PER, PRICE_PERS)

/* The rules of a calendar for user tokens, in the order in which they are judged: the `rule` of a refusal. */
#define BOOKING_RULES(X)                                                                                     \
    X(BOOKING_CHANGE, 1, "change") /* moved too late */                                                      \
    X(BOOKING_SERVICE, 2, "service")                                                                         \
    X(BOOKING_GRID, 3, "grid")                                                                               \
    X(BOOKING_LENGTH, 4, "length")                                                                           \
    X(BOOKING_NOTICE, 5, "notice")                                                                           \
    X(BOOKING_HORIZON, 6, "horizon")
ENUM_OF(booking_rule, BOOKING_RULE, BOOKING_RULES)

/* Which of the calendars that a group could give it gives: the one with the fewest claims that day, or the first. */
#define GROUP_PICKS(X)                                                                                       \
    X(PICK_LEAST_BUSY, 1, "least_busy")                                                                      \
    X(PICK_IN_ORDER, 2, "in_order")
ENUM_OF(group_pick, GROUP_PICK, GROUP_PICKS)

/* Whether what was bought may be given to somebody else. */
#define TRANSFER_RULES(X)                                                                                    \
    X(TRANSFER_ON, 0, "on")                                                                                  \
    X(TRANSFER_OFF, 1, "off")
ENUM_OF(transfer_rule, TRANSFER_RULE, TRANSFER_RULES)

/* Which setting of an event or a calendar says until when what was bought can be cancelled: the `rule` of a refusal. */
#define CANCEL_RULES(X)                                                                                      \
    X(CANCEL_UNTIL_SECONDS, 1, "cancel_until_seconds")                                                       \
    X(CANCEL_UNTIL_MINUTES, 2, "cancel_until_minutes")
ENUM_OF(cancel_rule, CANCEL_RULE, CANCEL_RULES)

/* How far the sales of a cancelled event have been taken back. */
#define CANCEL_STATES(X)                                                                                     \
    X(CANCEL_NONE, 0, "none") /* it is not cancelled */                                                      \
    X(CANCEL_RUNNING, 1, "running")                                                                          \
    X(CANCEL_DONE, 2, "done")
ENUM_OF(cancel_state, CANCEL_STATE, CANCEL_STATES)

/* What was done to a reservation: the `action` of its history. */
#define ACTIONS(X)                                                                                           \
    X(ACTION_HELD, 1, "held")                                                                                \
    X(ACTION_ITEM_ADDED, 2, "item_added")                                                                    \
    X(ACTION_ITEM_DROPPED, 3, "item_dropped")                                                                \
    X(ACTION_ITEM_MOVED, 4, "item_moved")                                                                    \
    X(ACTION_ATTRIBUTES_CHANGED, 5, "attributes_changed")                                                    \
    X(ACTION_EXTENDED, 6, "extended")                                                                        \
    X(ACTION_PAYMENT_STARTED, 7, "payment_started")                                                          \
    X(ACTION_CONFIRMED, 8, "confirmed")                                                                      \
    X(ACTION_RELEASED, 9, "released")                                                                        \
    X(ACTION_EXPIRED, 10, "expired")                                                                         \
    X(ACTION_ITEM_CHANGED, 11, "item_changed") /* its quantity or category */                                \
    X(ACTION_TRANSFERRED, 12, "transferred")                                                                 \
    X(ACTION_TOKENS_REVOKED, 13, "manage_tokens_revoked")                                                    \
    X(ACTION_REFUNDED, 14, "refunded")                                                                       \
    X(ACTION_CANCELLED, 15, "cancelled")                                                                     \
    X(ACTION_PAYMENT_RECEIVED, 16, "payment_received") /* of one that was confirmed without */               \
    X(ACTION_ITEM_REFUNDED, 17, "item_refunded")                                                             \
    X(ACTION_CHECKED_IN, 18, "checked_in")                                                                   \
    X(ACTION_CHECK_IN_UNDONE, 19, "check_in_undone")                                                         \
    X(ACTION_PAYMENT_FAILED, 20, "payment_failed") /* what was on record of a hold was never paid */         \
    X(ACTION_ERASED, 21, "erased")                 /* its owner, and what it says of them */                 \
    X(ACTION_REFUND_DUE, 22, "refund_due")                                                                   \
    X(ACTION_REFUND_DONE, 23, "refund_done") /* somebody has paid it back */                                 \
    X(ACTION_REFUND_WITHDRAWN, 24, "refund_withdrawn")
ENUM_OF(action, ACTION, ACTIONS)
/* Why it was done, by whom: "deadline", "list" (the server holds of its own accord for those on a waiting
 * list only), or NULL. */
const char *action_reason(enum action action, enum role by);

/* Why money has to go back, where staff gave no words of their own: the `reason` of a refund due. */
#define REFUND_CAUSES(X)                                                                                     \
    X(REFUND_EXPIRED, 1, "expired")                                                                          \
    X(REFUND_RELEASED, 2, "released")                                                                        \
    X(REFUND_CANCELLED, 3, "cancelled")                                                                      \
    X(REFUND_REFUNDED, 4, "refunded")                                                                        \
    X(REFUND_PAID_TWICE, 5, "paid_twice") /* another payment covers the sale */                              \
    X(REFUND_REPLACED, 6, "replaced")     /* another payment covers what this one did */                     \
    X(REFUND_AMOUNT, 7, "amount_mismatch")                                                                   \
    X(REFUND_CURRENCY, 8, "currency_mismatch")                                                               \
    X(REFUND_EVENT_CANCELLED, 9, "event_cancelled")                                                          \
    X(REFUND_OVERPAID, 10, "overpaid") /* more than the total of the sale */                                 \
    X(REFUND_MOVED, 11, "moved")       /* staff moved it to something cheaper */                             \
    X(REFUND_UNKNOWN, 12, "unknown_reservation")
ENUM_OF(refund_cause, REFUND_CAUSE, REFUND_CAUSES)

/* The state of a refund due. */
#define REFUND_STATUSES(X)                                                                                   \
    X(REFUND_OPEN, 1, "open")                                                                                \
    X(REFUND_DONE, 2, "done")           /* some of it went back */                                           \
    X(REFUND_WITHDRAWN, 3, "withdrawn") /* nothing is owed any more, and nothing went back */
ENUM_OF(refund_status, REFUND_STATUS, REFUND_STATUSES)

/* What became of an event of the payment provider, or of a payment that came with a refused hold. */
#define PAYMENT_RESULTS(X)                                                                                   \
    X(PAYMENT_CONFIRMED, 1, "confirmed")                                                                     \
    X(PAYMENT_REFUND_DUE, 2, "refund_due")                                                                   \
    X(PAYMENT_REPEATED, 3, "repeated") /* known before */                                                    \
    X(PAYMENT_IGNORED, 4, "ignored")   /* it says nothing of our money */                                    \
    X(PAYMENT_UNKNOWN, 5, "unknown_reservation")                                                             \
    X(PAYMENT_AMOUNT, 6, "amount_mismatch")                                                                  \
    X(PAYMENT_CURRENCY, 7, "currency_mismatch")                                                              \
    X(PAYMENT_REJECTED, 8, "rejected") /* it came with a hold that was refused */                            \
    X(PAYMENT_RECORDED, 9, "recorded") /* fills a balance, or is the provider's word for the app's */        \
    X(PAYMENT_FAILED, 10, "failed")                                                                          \
    X(PAYMENT_RETURNED, 11, "returned")                                                                      \
    X(PAYMENT_USED, 12, "payment_used") /* it belongs to another reservation */
ENUM_OF(payment_result, PAYMENT_RESULT, PAYMENT_RESULTS)

/* What an event of a payment provider says; the edge reads each provider's own words into these. */
#define PAYMENT_NEWS_ITEMS(X)                                                                                \
    X(NEWS_NONE, 0, "none") /* nothing of money */                                                           \
    X(NEWS_SUCCEEDED, 1, "succeeded")                                                                        \
    X(NEWS_FAILED, 2, "failed")               /* or was cancelled */                                         \
    X(NEWS_REFUNDED, 3, "refunded")           /* the amount is all that has gone back so far */              \
    X(NEWS_REFUND_FAILED, 4, "refund_failed") /* of one refund */                                            \
    X(NEWS_DISPUTED, 5, "disputed")                                                                          \
    X(NEWS_DISPUTE_OVER, 6, "dispute_over") /* without any money having moved */                             \
    X(NEWS_FUNDS_WITHDRAWN, 7, "funds_withdrawn")                                                            \
    X(NEWS_FUNDS_REINSTATED, 8, "funds_reinstated")
ENUM_OF(payment_news, PAYMENT_NEWS, PAYMENT_NEWS_ITEMS)

/* The state of a payment, and whose word `received` is. */
#define PAYMENT_STATUSES(X)                                                                                  \
    X(PAYMENT_ROW_BEGUN, 1, "begun")                                                                         \
    X(PAYMENT_ROW_FAILED, 2, "failed")                                                                       \
    X(PAYMENT_ROW_RECEIVED, 3, "received")
ENUM_OF(payment_status, PAYMENT_STATUS, PAYMENT_STATUSES)
#define PAYMENT_SOURCES(X)                                                                                   \
    X(PAYMENT_BY_PROVIDER, 1, "provider")                                                                    \
    X(PAYMENT_BY_APP, 2, "app")                                                                              \
    X(PAYMENT_ASSUMED, 3, "assumed") /* app named no amount: what was missing then */
ENUM_OF(payment_source, PAYMENT_SOURCE, PAYMENT_SOURCES)

/* What does not add up about a payment, in order of precedence. */
#define DISCREPANCIES(X)                                                                                     \
    X(DISCREPANCY_NONE, 0, "none")                                                                           \
    X(DISCREPANCY_UNKNOWN, 1, "unknown_reservation")                                                         \
    X(DISCREPANCY_OVER_RETURNED, 2, "over_returned")                                                         \
    X(DISCREPANCY_DISPUTED, 3, "disputed")                                                                   \
    X(DISCREPANCY_CURRENCY, 4, "currency")                                                                   \
    X(DISCREPANCY_SHORT, 5, "short") /* app said more than the provider */                                   \
    X(DISCREPANCY_GONE_BACK, 6, "gone_back")
ENUM_OF(discrepancy, DISCREPANCY, DISCREPANCIES)

#define PAYMENT_PROVIDERS(X)                                                                                 \
    X(PROVIDER_STRIPE, 1, "stripe")                                                                          \
    X(PROVIDER_STANDARD, 2, "standard") /* Standard Webhooks */
ENUM_OF(payment_provider, PAYMENT_PROVIDER, PAYMENT_PROVIDERS)

/* What a hook can ask to be told of. At most 31. */
#define HOOK_EVENTS(X)                                                                                       \
    X(HOOK_HELD, 1, "reservation.held")                                                                      \
    X(HOOK_EXPIRING, 2, "reservation.expiring") /* a minute before its deadline */                           \
    X(HOOK_CONFIRMED, 3, "reservation.confirmed")                                                            \
    X(HOOK_RELEASED, 4, "reservation.released")                                                              \
    X(HOOK_EXPIRED, 5, "reservation.expired")                                                                \
    X(HOOK_CANCELLED, 6, "reservation.cancelled")                                                            \
    X(HOOK_REFUNDED, 7, "reservation.refunded")                                                              \
    X(HOOK_TRANSFERRED, 8, "reservation.transferred")                                                        \
    X(HOOK_REFUND_DUE, 9, "refund.due")                                                                      \
    X(HOOK_LIST_OFFERED, 10, "list.offered")                                                                 \
    X(HOOK_RIDE_ASSIGNED, 11, "ride.assigned")                                                               \
    X(HOOK_REFUND_WITHDRAWN, 12, "refund.withdrawn")                                                         \
    X(HOOK_PAYMENT_DISCREPANCY, 13, "payment.discrepancy")
ENUM_OF(hook_event, HOOK_EVENT, HOOK_EVENTS)

/* What became of a scan. Persisted. */
#define CHECK_IN_RESULTS(X)                                                                                  \
    X(CHECK_IN_OK, 1, "ok")                                                                                  \
    X(CHECK_IN_UNDONE, 2, "undone")                                                                          \
    X(CHECK_IN_DUPLICATE, 3, "duplicate") /* uploaded, after another scan had let somebody in */             \
    X(CHECK_IN_VOID, 4, "void")           /* uploaded, of a ticket that is void or for another event */
ENUM_OF(check_in_result, CHECK_IN_RESULT, CHECK_IN_RESULTS)

/* What a creating request has made: persisted numbers, too. */
enum made_kind { MADE_RESERVATION = 0, MADE_QUEUE_ENTRY = 1, MADE_LIST_ENTRY = 2, MADE_RIDE = 3 };

/* How somebody in line for an event's waiting room stands. Live: the first three. */
#define QUEUE_STATUSES(X)                                                                                    \
    X(QUEUE_WAITING, 1, "waiting")                                                                           \
    X(QUEUE_ADMITTED, 2, "admitted")                                                                         \
    X(QUEUE_PASSED_OVER, 3, "passed_over") /* absent when its turn came */                                   \
    X(QUEUE_FINISHED, 4, "finished")       /* committed, or its pass has lapsed */                           \
    X(QUEUE_LEFT, 5, "left")
ENUM_OF(queue_status, QUEUE_STATUS, QUEUE_STATUSES)
static inline bool queue_status_live(enum queue_status status)
{
    return status >= QUEUE_WAITING && status <= QUEUE_PASSED_OVER;
}

/* How somebody on an event's waiting list stands. Live: the first two. */
#define LIST_STATUSES(X)                                                                                     \
    X(LIST_WAITING, 1, "waiting")                                                                            \
    X(LIST_OFFERED, 2, "offered")   /* there is a reservation for it to commit */                            \
    X(LIST_FINISHED, 3, "finished") /* committed */                                                          \
    X(LIST_LEFT, 4, "left")         /* left, or declined what it was offered, or let it lapse */
ENUM_OF(list_status, LIST_STATUS, LIST_STATUSES)
static inline bool list_status_live(enum list_status status)
{
    return status == LIST_WAITING || status == LIST_OFFERED;
}

/* How a ride stands. Under way: the first three. */
#define RIDE_STATUSES(X)                                                                                     \
    X(RIDE_SEARCHING, 1, "searching")                                                                        \
    X(RIDE_OFFERED, 2, "offered") /* to one driver */                                                        \
    X(RIDE_ASSIGNED, 3, "assigned")                                                                          \
    X(RIDE_NO_DRIVER, 4, "no_driver")                                                                        \
    X(RIDE_CANCELLED, 5, "cancelled")                                                                        \
    X(RIDE_COMPLETED, 6, "completed")
ENUM_OF(ride_status, RIDE_STATUS, RIDE_STATUSES)

/* What became of an offer to a driver. */
#define OFFER_ENDS(X)                                                                                        \
    X(OFFER_ACCEPTED, 1, "accepted")                                                                         \
    X(OFFER_DECLINED, 2, "declined")                                                                         \
    X(OFFER_TIMED_OUT, 3, "timed_out")                                                                       \
    X(OFFER_WITHDRAWN, 4, "withdrawn") /* the driver went away, or the ride was cancelled */
ENUM_OF(offer_end, OFFER_END, OFFER_ENDS)

/* How a driver stands. Not persisted. */
#define DRIVER_STATUSES(X)                                                                                   \
    X(DRIVER_FREE, 1, "free")                                                                                \
    X(DRIVER_OFFERED, 2, "offered")                                                                          \
    X(DRIVER_BUSY, 3, "busy")                                                                                \
    X(DRIVER_AWAY, 4, "away") /* not available, or not heard of lately */
ENUM_OF(driver_status, DRIVER_STATUS, DRIVER_STATUSES)

#endif
