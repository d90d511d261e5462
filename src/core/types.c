/* SPDX-License-Identifier: Apache-2.0 */
#include "core/types.h"

#include "base/assertion.h"
#include "core/outcome.h"

const char *role_name(enum role role)
{
    static const char *const names[] = {"none", "user", "app", "admin", "door", "server"};
    ASSERT(role <= ROLE_SERVER);
    return names[role];
}

static const char *const status_names[] = {NULL,      "held",      "confirmed", "released",
                                           "expired", "cancelled", "refunded"};

const char *reservation_status_name(enum reservation_status status)
{
    ASSERT(status >= RESERVATION_HELD && status <= RESERVATION_REFUNDED);
    return status_names[status];
}

bool reservation_status_read(struct text name, enum reservation_status *out)
{
    for (int i = RESERVATION_HELD; i <= RESERVATION_REFUNDED; i++)
        if (text_equal(name, (struct text){status_names[i], strlen(status_names[i])})) {
            *out = (enum reservation_status)i;
            return true;
        }
    return false;
}

const char *seat_status_name(enum seat_status status)
{
    static const char *const names[] = {NULL, "available", "held", "sold", "blocked"};
    ASSERT(status >= SEAT_AVAILABLE && status <= SEAT_BLOCKED);
    return names[status];
}

char seat_status_letter(enum seat_status status)
{
    ASSERT(status >= SEAT_AVAILABLE && status <= SEAT_BLOCKED);
    return "?ahsb"[status];
}

const char *action_name(enum action action)
{
    static const char *const names[] = {NULL,         "held",
                                        "item_added", "item_dropped",
                                        "item_moved", "attributes_changed",
                                        "extended",   "payment_started",
                                        "confirmed",  "released",
                                        "expired"};
    ASSERT(action >= ACTION_HELD && action <= ACTION_EXPIRED);
    return names[action];
}

const char *queue_status_name(enum queue_status status)
{
    static const char *const names[] = {NULL, "waiting", "admitted", "passed_over", "finished", "left"};
    ASSERT(status >= QUEUE_WAITING && status <= QUEUE_LEFT);
    return names[status];
}

const char *list_status_name(enum list_status status)
{
    static const char *const names[] = {NULL, "waiting", "offered", "finished", "left"};
    ASSERT(status >= LIST_WAITING && status <= LIST_LEFT);
    return names[status];
}

static const struct {
    const char *name;
    int status;
    const char *sentence;
} outcomes[] = {
#define X(name, code, status, text) {code, status, text},
    OUTCOMES(X)
#undef X
};

const char *outcome_name(enum outcome_code code)
{
    ASSERT(code < OUTCOME_COUNT);
    return outcomes[code].name;
}

int outcome_http_status(enum outcome_code code)
{
    ASSERT(code < OUTCOME_COUNT);
    return outcomes[code].status;
}

const char *outcome_sentence(enum outcome_code code)
{
    ASSERT(code < OUTCOME_COUNT);
    return outcomes[code].sentence;
}

const char *payment_rule_name(enum payment_rule rule)
{
    return rule == PAYMENT_NONE ? "none" : "required";
}

const char *late_payment_rule_name(enum late_payment_rule rule)
{
    return rule == LATE_PAYMENT_REFUND ? "refund" : "accept_if_free";
}
