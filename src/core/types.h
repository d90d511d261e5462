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

/* Borrowed bytes, not NUL-terminated unless stated. at == NULL: none, or not given; comments on members of this type
 * say "none: …" only where that needs explaining. */
struct text {
    const char *at;
    size_t size;
};
#define TEXT(literal) ((struct text){(literal), sizeof(literal) - 1})
static inline bool text_equal(struct text a, struct text b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.at, b.at, a.size) == 0);
}

/* Compares bytes; a prefix comes before the longer text. */
static inline int text_compare(struct text a, struct text b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

struct text text_own(struct text t); /* a NUL-terminated copy, for text_free; none stays none */
void text_free(struct text own);
/* A list of texts in one allocation, for free: the texts, followed by their bytes. NULL: the list is empty. */
struct text *texts_own(const struct text *texts, uint32_t count);

/* ---- Enums with names ----
 *
 * One list defines everything: X(constant, number, word), ordered by number without gaps; a list can have more columns.
 * From it follow the enum, its bounds PREFIX_FIRST and PREFIX_LAST, the three functions below, and with them the values
 * that requests accept, that are stored, and that /openapi.json lists. Many of the numbers and words are persisted:
 * never renumber, never reuse.
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
    const char *type##_word(unsigned index);            /* from 0; NULL after the last one */
/* Like type##_word, for some of the names, and for words without an enum. */
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
    X(ROLE_ORDER, 6, "order")     /* the holder of a reservation's manage token: not a login */              \
    X(ROLE_PAYMENT, 7, "payment") /* the payment provider, by a signed event */
ENUM_OF(role, ROLE, ROLES)

/* The caller. For a user the name is the user id, for app and door the key's name, otherwise empty. */
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

/* The status of one seat or slot. Only seats can be blocked. */
#define UNIT_STATUSES(X)                                                                                     \
    X(UNIT_AVAILABLE, 1, "available")                                                                        \
    X(UNIT_HELD, 2, "held")                                                                                  \
    X(UNIT_SOLD, 3, "sold")                                                                                  \
    X(UNIT_BLOCKED, 4, "blocked")
ENUM_OF(unit_status, UNIT_STATUS, UNIT_STATUSES)
char unit_status_letter(enum unit_status status); /* a h s b */

/* What a request item can ask for. `module` has two rows, module_request and module_claims (core/claim/kind.h). */
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

/* Who may claim from an event: everyone, or only with a code. */
#define EVENT_ACCESSES(X)                                                                                    \
    X(ACCESS_OPEN, 0, "open")                                                                                \
    X(ACCESS_CODE, 1, "code")
ENUM_OF(event_access, EVENT_ACCESS, EVENT_ACCESSES)

#define LATE_PAYMENT_RULES(X)                                                                                \
    X(LATE_PAYMENT_ACCEPT_IF_FREE, 1, "accept_if_free")                                                      \
    X(LATE_PAYMENT_REFUND, 2, "refund")
ENUM_OF(late_payment_rule, LATE_PAYMENT_RULE, LATE_PAYMENT_RULES)

/* What a calendar's price is for: the whole claim, or each slot begun. */
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

/* Which of the suitable calendars a group picks: the one with the fewest claims that day, or the first. */
#define GROUP_PICKS(X)                                                                                       \
    X(PICK_LEAST_BUSY, 1, "least_busy")                                                                      \
    X(PICK_IN_ORDER, 2, "in_order")
ENUM_OF(group_pick, GROUP_PICK, GROUP_PICKS)

/* Whether confirmed reservations can be transferred to another user. */
#define TRANSFER_RULES(X)                                                                                    \
    X(TRANSFER_ON, 0, "on")                                                                                  \
    X(TRANSFER_OFF, 1, "off")
ENUM_OF(transfer_rule, TRANSFER_RULE, TRANSFER_RULES)

/* The setting of an event or a calendar that limits how late owners can cancel: the `rule` of a refusal. */
#define CANCEL_RULES(X)                                                                                      \
    X(CANCEL_UNTIL_SECONDS, 1, "cancel_until_seconds")                                                       \
    X(CANCEL_UNTIL_MINUTES, 2, "cancel_until_minutes")
ENUM_OF(cancel_rule, CANCEL_RULE, CANCEL_RULES)

/* Progress of reversing the sales of a cancelled event. */
#define CANCEL_STATES(X)                                                                                     \
    X(CANCEL_NONE, 0, "none") /* not cancelled */                                                            \
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
    X(ACTION_PAYMENT_RECEIVED, 16, "payment_received") /* after it was confirmed without one */              \
    X(ACTION_ITEM_REFUNDED, 17, "item_refunded")                                                             \
    X(ACTION_CHECKED_IN, 18, "checked_in")                                                                   \
    X(ACTION_CHECK_IN_UNDONE, 19, "check_in_undone")                                                         \
    X(ACTION_PAYMENT_FAILED, 20, "payment_failed") /* the payment recorded for a hold was never made */      \
    X(ACTION_ERASED, 21, "erased")                 /* its owner's personal data */                           \
    X(ACTION_REFUND_DUE, 22, "refund_due")                                                                   \
    X(ACTION_REFUND_DONE, 23, "refund_done") /* the money was paid back */                                   \
    X(ACTION_REFUND_WITHDRAWN, 24, "refund_withdrawn")
ENUM_OF(action, ACTION, ACTIONS)
/* Why it was done: "deadline", "list" (the server makes holds only for waiting lists), or NULL. */
const char *action_reason(enum action action, enum role by);

/* Why money is owed back, unless staff gave a reason: the `reason` of a refund due. */
#define REFUND_CAUSES(X)                                                                                     \
    X(REFUND_EXPIRED, 1, "expired")                                                                          \
    X(REFUND_RELEASED, 2, "released")                                                                        \
    X(REFUND_CANCELLED, 3, "cancelled")                                                                      \
    X(REFUND_REFUNDED, 4, "refunded")                                                                        \
    X(REFUND_PAID_TWICE, 5, "paid_twice") /* another payment covers the sale */                              \
    X(REFUND_REPLACED, 6, "replaced")     /* another payment now covers what this one did */                 \
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
    X(REFUND_DONE, 2, "done")           /* some of it was paid back */                                       \
    X(REFUND_WITHDRAWN, 3, "withdrawn") /* no longer owed, and nothing was paid back */
ENUM_OF(refund_status, REFUND_STATUS, REFUND_STATUSES)

/* The result of an event from the payment provider, or of a payment sent with a refused hold. */
#define PAYMENT_RESULTS(X)                                                                                   \
    X(PAYMENT_CONFIRMED, 1, "confirmed")                                                                     \
    X(PAYMENT_REFUND_DUE, 2, "refund_due")                                                                   \
    X(PAYMENT_REPEATED, 3, "repeated") /* already known */                                                   \
    X(PAYMENT_IGNORED, 4, "ignored")   /* not about our payments */                                          \
    X(PAYMENT_UNKNOWN, 5, "unknown_reservation")                                                             \
    X(PAYMENT_AMOUNT, 6, "amount_mismatch")                                                                  \
    X(PAYMENT_CURRENCY, 7, "currency_mismatch")                                                              \
    X(PAYMENT_REJECTED, 8, "rejected") /* sent with a hold that was refused */                               \
    X(PAYMENT_RECORDED, 9, "recorded") /* covers a balance, or confirms what the app reported */             \
    X(PAYMENT_FAILED, 10, "failed")                                                                          \
    X(PAYMENT_RETURNED, 11, "returned")                                                                      \
    X(PAYMENT_USED, 12, "payment_used") /* it belongs to another reservation */
ENUM_OF(payment_result, PAYMENT_RESULT, PAYMENT_RESULTS)

/* What an event of a payment provider reports; the edge translates each provider's events to these. */
#define PAYMENT_NEWS_ITEMS(X)                                                                                \
    X(NEWS_NONE, 0, "none") /* not about money */                                                            \
    X(NEWS_SUCCEEDED, 1, "succeeded")                                                                        \
    X(NEWS_FAILED, 2, "failed")               /* or cancelled */                                             \
    X(NEWS_REFUNDED, 3, "refunded")           /* the amount is the total paid back so far */                 \
    X(NEWS_REFUND_FAILED, 4, "refund_failed") /* of one refund */                                            \
    X(NEWS_DISPUTED, 5, "disputed")                                                                          \
    X(NEWS_DISPUTE_OVER, 6, "dispute_over") /* no money moved */                                             \
    X(NEWS_FUNDS_WITHDRAWN, 7, "funds_withdrawn")                                                            \
    X(NEWS_FUNDS_REINSTATED, 8, "funds_reinstated")
ENUM_OF(payment_news, PAYMENT_NEWS, PAYMENT_NEWS_ITEMS)

/* The state of a payment; and the source of its `received` amount. */
#define PAYMENT_STATUSES(X)                                                                                  \
    X(PAYMENT_ROW_BEGUN, 1, "begun")                                                                         \
    X(PAYMENT_ROW_FAILED, 2, "failed")                                                                       \
    X(PAYMENT_ROW_RECEIVED, 3, "received")
ENUM_OF(payment_status, PAYMENT_STATUS, PAYMENT_STATUSES)
#define PAYMENT_SOURCES(X)                                                                                   \
    X(PAYMENT_BY_PROVIDER, 1, "provider")                                                                    \
    X(PAYMENT_BY_APP, 2, "app")                                                                              \
    X(PAYMENT_ASSUMED, 3, "assumed") /* app gave no amount: the balance at that time */
ENUM_OF(payment_source, PAYMENT_SOURCE, PAYMENT_SOURCES)

/* Problems of a payment, in order of precedence. */
#define DISCREPANCIES(X)                                                                                     \
    X(DISCREPANCY_NONE, 0, "none")                                                                           \
    X(DISCREPANCY_UNKNOWN, 1, "unknown_reservation")                                                         \
    X(DISCREPANCY_OVER_RETURNED, 2, "over_returned")                                                         \
    X(DISCREPANCY_DISPUTED, 3, "disputed")                                                                   \
    X(DISCREPANCY_CURRENCY, 4, "currency")                                                                   \
    X(DISCREPANCY_SHORT, 5, "short") /* app reported more than the provider */                               \
    X(DISCREPANCY_GONE_BACK, 6, "gone_back")
ENUM_OF(discrepancy, DISCREPANCY, DISCREPANCIES)

/* `module`: its events are read by payment_edge_module (http/money/payment_edge.h). */
#define PAYMENT_PROVIDERS(X)                                                                                 \
    X(PROVIDER_STRIPE, 1, "stripe", stripe)                                                                  \
    X(PROVIDER_STANDARD, 2, "standard", standard) /* Standard Webhooks */
ENUM_OF(payment_provider, PAYMENT_PROVIDER, PAYMENT_PROVIDERS)

/* What a hook can subscribe to. At most 31. */
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

/* The result of a scan. Persisted. */
#define CHECK_IN_RESULTS(X)                                                                                  \
    X(CHECK_IN_OK, 1, "ok")                                                                                  \
    X(CHECK_IN_UNDONE, 2, "undone")                                                                          \
    X(CHECK_IN_DUPLICATE, 3, "duplicate") /* uploaded; another scan was accepted before */                   \
    X(CHECK_IN_VOID, 4, "void")           /* uploaded; the ticket is void or for another event */
ENUM_OF(check_in_result, CHECK_IN_RESULT, CHECK_IN_RESULTS)

/* What a request with an Idempotency-Key created. Persisted. */
enum made_kind { MADE_RESERVATION = 0, MADE_QUEUE_ENTRY = 1, MADE_LIST_ENTRY = 2, MADE_RIDE = 3 };

/* The status of an entry of a waiting room. Live: the first three. */
#define QUEUE_STATUSES(X)                                                                                    \
    X(QUEUE_WAITING, 1, "waiting")                                                                           \
    X(QUEUE_ADMITTED, 2, "admitted")                                                                         \
    X(QUEUE_PASSED_OVER, 3, "passed_over") /* absent at their turn */                                        \
    X(QUEUE_FINISHED, 4, "finished")       /* committed, or its pass has lapsed */                           \
    X(QUEUE_LEFT, 5, "left")
ENUM_OF(queue_status, QUEUE_STATUS, QUEUE_STATUSES)
static inline bool queue_status_live(enum queue_status status)
{
    return status >= QUEUE_WAITING && status <= QUEUE_PASSED_OVER;
}

/* The status of an entry of a waiting list. Live: the first two. */
#define LIST_STATUSES(X)                                                                                     \
    X(LIST_WAITING, 1, "waiting")                                                                            \
    X(LIST_OFFERED, 2, "offered")   /* there is a reservation for it to commit */                            \
    X(LIST_FINISHED, 3, "finished") /* committed */                                                          \
    X(LIST_LEFT, 4, "left")         /* left, declined the offer, or let it lapse */
ENUM_OF(list_status, LIST_STATUS, LIST_STATUSES)
static inline bool list_status_live(enum list_status status)
{
    return status == LIST_WAITING || status == LIST_OFFERED;
}

/* The status of a ride. Active: the first three. */
#define RIDE_STATUSES(X)                                                                                     \
    X(RIDE_SEARCHING, 1, "searching")                                                                        \
    X(RIDE_OFFERED, 2, "offered") /* to one driver */                                                        \
    X(RIDE_ASSIGNED, 3, "assigned")                                                                          \
    X(RIDE_NO_DRIVER, 4, "no_driver")                                                                        \
    X(RIDE_CANCELLED, 5, "cancelled")                                                                        \
    X(RIDE_COMPLETED, 6, "completed")
ENUM_OF(ride_status, RIDE_STATUS, RIDE_STATUSES)

/* How an offer to a driver ended. */
#define OFFER_ENDS(X)                                                                                        \
    X(OFFER_ACCEPTED, 1, "accepted")                                                                         \
    X(OFFER_DECLINED, 2, "declined")                                                                         \
    X(OFFER_TIMED_OUT, 3, "timed_out")                                                                       \
    X(OFFER_WITHDRAWN, 4, "withdrawn") /* the driver became unavailable, or the ride was cancelled */
ENUM_OF(offer_end, OFFER_END, OFFER_ENDS)

/* The status of a driver. Not persisted. */
#define DRIVER_STATUSES(X)                                                                                   \
    X(DRIVER_FREE, 1, "free")                                                                                \
    X(DRIVER_OFFERED, 2, "offered")                                                                          \
    X(DRIVER_BUSY, 3, "busy")                                                                                \
    X(DRIVER_AWAY, 4, "away") /* unavailable, or no recent position */
ENUM_OF(driver_status, DRIVER_STATUS, DRIVER_STATUSES)

#endif
