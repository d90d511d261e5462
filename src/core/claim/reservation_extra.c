/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_extra.c — part of reservation.h: the fields that most reservations never need. */
#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/claim/reservation.h"
#include "core/state.h"

struct reservation_extra *reservation_extra(struct reservation *r)
{
    if (!r->extra)
        r->extra = memory_zeroed(1, sizeof(*r->extra));
    return r->extra;
}

static void own(struct text *field, struct text value)
{
    text_free(*field);
    *field = text_own(value);
}

void reservation_set_attributes(struct reservation *r, struct text attributes)
{
    if (text_equal(attributes, TEXT("{}")))
        attributes = (struct text){0};
    ASSERT(!attributes.at || attributes.size >= 2); /* a JSON object */
    /* Most reservations have none: do not allocate the extra for that. */
    if (attributes.at || r->extra)
        own(&reservation_extra(r)->attributes, attributes);
}

void reservation_set_singles(struct reservation *r, struct text singles)
{
    if (!singles.size)
        singles = (struct text){0};
    if (singles.at || r->extra)
        own(&reservation_extra(r)->singles, singles);
}

void reservation_clear_payment(struct reservation *r)
{
    ASSERT(r->extra);
    own(&r->extra->payment_method, (struct text){0});
    own(&r->extra->payment_ref, (struct text){0});
    r->extra->payment_recorded_at_ms = 0;
}

void reservation_set_payment(struct reservation *r, struct text method, struct text ref)
{
    ASSERT(method.size <= PAYMENT_TEXT_SIZE_MAX && ref.size <= PAYMENT_TEXT_SIZE_MAX);
    if (method.at)
        own(&reservation_extra(r)->payment_method, method);
    if (ref.at)
        own(&reservation_extra(r)->payment_ref, ref);
}
