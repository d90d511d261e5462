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

/* Persisted numbers: never renumber, never reuse. */
enum role { ROLE_NONE = 0, ROLE_USER = 1, ROLE_APP = 2, ROLE_ADMIN = 3, ROLE_DOOR = 4, ROLE_SERVER = 5 };
const char *role_name(enum role role); /* "user", "app", "admin", "door", "server" */

/* Who asks. For a user the name is the user id, for app and door the key's name, otherwise empty. */
struct actor {
    enum role role;
    struct text name;
};

enum reservation_status {
    RESERVATION_HELD = 1,
    RESERVATION_CONFIRMED = 2,
    RESERVATION_RELEASED = 3,
    RESERVATION_EXPIRED = 4,
    RESERVATION_CANCELLED = 5,
    RESERVATION_REFUNDED = 6,
};
const char *reservation_status_name(enum reservation_status status);
bool reservation_status_read(struct text name, enum reservation_status *out);

enum seat_status { SEAT_AVAILABLE = 1, SEAT_HELD = 2, SEAT_SOLD = 3, SEAT_BLOCKED = 4 };
const char *seat_status_name(enum seat_status status);
char seat_status_letter(enum seat_status status); /* a h s b */

enum item_kind {
    ITEM_SEAT = 1,
    ITEM_POOL = 2,
    ITEM_BEST = 3, /* in requests only */
    ITEM_SLOT = 4, /* an interval of a calendar */
};
enum payment_rule { PAYMENT_REQUIRED = 1, PAYMENT_NONE = 2 };
enum late_payment_rule { LATE_PAYMENT_ACCEPT_IF_FREE = 1, LATE_PAYMENT_REFUND = 2 };
const char *payment_rule_name(enum payment_rule rule);           /* "required", "none" */
const char *late_payment_rule_name(enum late_payment_rule rule); /* "accept_if_free", "refund" */

/* What was done to a reservation: the `action` of its history. */
enum action {
    ACTION_HELD = 1,
    ACTION_ITEM_ADDED = 2,
    ACTION_ITEM_DROPPED = 3,
    ACTION_ITEM_MOVED = 4,
    ACTION_ATTRIBUTES_CHANGED = 5,
    ACTION_EXTENDED = 6,
    ACTION_PAYMENT_STARTED = 7,
    ACTION_CONFIRMED = 8,
    ACTION_RELEASED = 9,
    ACTION_EXPIRED = 10,
};
const char *action_name(enum action action);

/* What a creating request has made: persisted numbers, too. */
enum made_kind { MADE_RESERVATION = 0, MADE_QUEUE_ENTRY = 1, MADE_LIST_ENTRY = 2 };

/* How somebody in line for an event's waiting room stands. Live: the first three. */
enum queue_status {
    QUEUE_WAITING = 1,
    QUEUE_ADMITTED = 2,
    QUEUE_PASSED_OVER = 3, /* absent when its turn came */
    QUEUE_FINISHED = 4,    /* committed, or its pass has lapsed */
    QUEUE_LEFT = 5,
};
const char *queue_status_name(enum queue_status status);
static inline bool queue_status_live(enum queue_status status)
{
    return status >= QUEUE_WAITING && status <= QUEUE_PASSED_OVER;
}

/* How somebody on an event's waiting list stands. Live: the first two. */
enum list_status {
    LIST_WAITING = 1,
    LIST_OFFERED = 2,  /* there is a reservation for it to commit */
    LIST_FINISHED = 3, /* committed */
    LIST_LEFT = 4,     /* left, or declined what it was offered, or let it lapse */
};
const char *list_status_name(enum list_status status);
static inline bool list_status_live(enum list_status status)
{
    return status == LIST_WAITING || status == LIST_OFFERED;
}

#endif
