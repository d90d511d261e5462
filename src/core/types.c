/* SPDX-License-Identifier: Apache-2.0 */
#include "core/types.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"

struct text text_own(struct text t)
{
    return t.at ? (struct text){memory_copy(t.at, t.size), t.size} : t;
}

void text_free(struct text own)
{
    free((void *)(uintptr_t)own.at);
}

struct text *texts_own(const struct text *texts, uint32_t count)
{
    size_t size = count * sizeof(*texts);
    for (uint32_t i = 0; i < count; i++)
        size += texts[i].size;
    struct text *own = count ? memory_get(size) : NULL;
    char *at = (char *)(own + count);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(at, texts[i].at, texts[i].size);
        own[i] = (struct text){at, texts[i].size};
        at += texts[i].size;
    }
    return own;
}

struct enum_name {
    int number;
    struct text name; /* NUL-terminated */
};

static const char *name_of(const struct enum_name *names, size_t count, int number)
{
    size_t at = (size_t)(number - names[0].number);
    ASSERT(at < count && names[at].number == number);
    return names[at].name.at;
}

static bool number_of(const struct enum_name *names, size_t count, struct text name, int *number)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal(name, names[i].name)) {
            *number = names[i].number;
            return true;
        }
    return false;
}

/* clang-format off */
#define ENUM_NAME(constant, number, word, ...) {(number), {(word), sizeof(word) - 1}},
#define ENUM_FUNCTIONS(type, LIST) \
    static const struct enum_name type##_names[] = {LIST(ENUM_NAME)}; \
    enum { type##_count = sizeof(type##_names) / sizeof(*type##_names) }; \
    const char *type##_name(enum type value) \
    { \
        return name_of(type##_names, type##_count, (int)value); \
    } \
    bool type##_read(struct text name, enum type *out) \
    { \
        int number; \
        if (!number_of(type##_names, type##_count, name, &number)) \
            return false; \
        *out = (enum type)number; \
        return true; \
    } \
    const char *type##_word(unsigned index) \
    { \
        return index < type##_count ? type##_names[index].name.at : NULL; \
    }
ENUM_FUNCTIONS(role, ROLES)
ENUM_FUNCTIONS(reservation_status, RESERVATION_STATUSES)
ENUM_FUNCTIONS(unit_status, UNIT_STATUSES)
ENUM_FUNCTIONS(item_kind, REQUEST_KINDS)
ENUM_FUNCTIONS(payment_rule, PAYMENT_RULES)
ENUM_FUNCTIONS(late_payment_rule, LATE_PAYMENT_RULES)
ENUM_FUNCTIONS(price_per, PRICE_PERS)
ENUM_FUNCTIONS(group_pick, GROUP_PICKS)
ENUM_FUNCTIONS(booking_rule, BOOKING_RULES)
ENUM_FUNCTIONS(transfer_rule, TRANSFER_RULES)
ENUM_FUNCTIONS(event_access, EVENT_ACCESSES)
ENUM_FUNCTIONS(action, ACTIONS)
ENUM_FUNCTIONS(cancel_rule, CANCEL_RULES)
ENUM_FUNCTIONS(cancel_state, CANCEL_STATES)
ENUM_FUNCTIONS(refund_cause, REFUND_CAUSES)
ENUM_FUNCTIONS(refund_status, REFUND_STATUSES)
ENUM_FUNCTIONS(payment_result, PAYMENT_RESULTS)
ENUM_FUNCTIONS(payment_news, PAYMENT_NEWS_ITEMS)
ENUM_FUNCTIONS(payment_status, PAYMENT_STATUSES)
ENUM_FUNCTIONS(payment_source, PAYMENT_SOURCES)
ENUM_FUNCTIONS(discrepancy, DISCREPANCIES)
ENUM_FUNCTIONS(payment_provider, PAYMENT_PROVIDERS)
ENUM_FUNCTIONS(hook_event, HOOK_EVENTS)
ENUM_FUNCTIONS(check_in_result, CHECK_IN_RESULTS)
ENUM_FUNCTIONS(queue_status, QUEUE_STATUSES)
ENUM_FUNCTIONS(list_status, LIST_STATUSES)
ENUM_FUNCTIONS(ride_status, RIDE_STATUSES)
ENUM_FUNCTIONS(offer_end, OFFER_ENDS)
ENUM_FUNCTIONS(driver_status, DRIVER_STATUSES)
/* clang-format on */

char unit_status_letter(enum unit_status status)
{
    return unit_status_name(status)[0];
}

const char *action_reason(enum action action, enum role by)
{
    if (action == ACTION_EXPIRED)
        return "deadline";
    return action == ACTION_HELD && by == ROLE_SERVER ? "list" : NULL;
}
