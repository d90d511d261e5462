/* SPDX-License-Identifier: Apache-2.0 */
/* kept_terms.h — what was promised when a hold was made: whether a late payment is accepted, and until when its owner may
 * cancel what was bought. A changed setting touches new holds only.
 *
 * A hold does not carry these terms: an event or calendar remembers those it had before, each with the seq of the change
 * that replaced them, and a reservation's number is the seq of its hold. So plain holds cost no byte, whatever becomes of
 * them later (a move, a transfer, a late payment), and what was held before this was kept has the terms that were in force
 * when it began to be. Items that are added later come under the terms of their hold.
 */
#ifndef CORE_KEPT_TERMS_H
#define CORE_KEPT_TERMS_H

#include "base/memory/buf.h"
#include "core/image.h"

#define KEPT_TERMS_MAX 64 /* of one event or calendar; what was held before goes by the oldest of them */
#define KEPT_TERMS_SIZE_MAX 4096 /* of the text */

struct kept_terms {
    enum late_payment_rule late_payment;
    bool cancels;
    uint32_t cancel_until; /* seconds of an event, minutes of a calendar; 0 if it does not cancel */
};

/* The text of what was before: "120 refund 3600;845 accept_if_free -", which is the seq that ended it, the rule of late
 * payments, and until when it could be cancelled (-: not at all); at == NULL: nothing was. */

/* Of the present terms; what says nothing does not accept. */
static inline enum late_payment_rule kept_late(const struct terms *terms)
{
    bool accepts = terms->late_payment == LATE_PAYMENT_ACCEPT_IF_FREE;
    return accepts ? LATE_PAYMENT_ACCEPT_IF_FREE : LATE_PAYMENT_REFUND;
}
/* The terms under which something was held by the change of this seq; `now` are the present ones. */
struct kept_terms kept_terms_of(struct text before, struct kept_terms now, uint64_t seq);
/* The text once the change of this seq replaces `old`: `before`, if that changes none of them, or it is made in `out`. */
struct text kept_terms_replace(struct text before, struct kept_terms old, struct kept_terms replaced_by,
                               uint64_t seq, struct buf *out);
/* Whether the text can be read. */
bool kept_terms_sound(struct text before);

#endif
