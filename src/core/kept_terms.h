/* SPDX-License-Identifier: Apache-2.0 */
/* kept_terms.h — the terms that applied when a hold was made: whether a late payment is accepted, and until when its
 * owner can cancel after the purchase. A changed setting applies to new holds only.
 *
 * A hold does not store these terms: an event or calendar remembers its former terms, each with the seq of the change
 * that replaced them, and a reservation's number is the seq of its hold. So a hold needs no extra bytes, no matter what
 * happens to it later (a move, a transfer, a late payment). Items added later get the terms of their hold.
 */
#ifndef CORE_KEPT_TERMS_H
#define CORE_KEPT_TERMS_H

#include "base/memory/buf.h"
#include "core/image.h"

#define KEPT_TERMS_MAX 64        /* of one event or calendar; still older holds get the oldest of them */
#define KEPT_TERMS_SIZE_MAX 4096 /* of the text */

struct kept_terms {
    enum late_payment_rule late_payment;
    bool cancels;
    uint32_t cancel_until; /* seconds for an event, minutes for a calendar; 0 without `cancels` */
};

/* Former terms as text, such as "120 refund 3600;845 accept_if_free -": the seq that ended them, the rule for late
 * payments, and until when it could be cancelled (-: never). None: the terms never changed. */

/* The rule of the current terms; if not set, late payments are not accepted. */
static inline enum late_payment_rule kept_late(const struct terms *terms)
{
    bool accepts = terms->late_payment == LATE_PAYMENT_ACCEPT_IF_FREE;
    return accepts ? LATE_PAYMENT_ACCEPT_IF_FREE : LATE_PAYMENT_REFUND;
}
/* The terms of a hold made by the change with this seq; `now` are the current ones. */
struct kept_terms kept_terms_of(struct text before, struct kept_terms now, uint64_t seq);
/* The text after the change with this seq replaces `old`: `before` if the terms stay the same, otherwise a new text in
 * `out`. */
struct text kept_terms_replace(struct text before, struct kept_terms old, struct kept_terms replaced_by,
                               uint64_t seq, struct buf *out);
/* Whether the text can be read. */
bool kept_terms_sound(struct text before);

#endif
