/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/kind.h"

#include "base/assertion.h"

static const struct request_kind *const requests[] = {[ITEM_SEAT] = &seat_request,
                                                      [ITEM_POOL] = &pool_request,
                                                      [ITEM_BEST] = &best_request,
                                                      [ITEM_SLOT] = &slot_request};
const struct claim_kind *const claim_kinds[CLAIM_KINDS] = {
    [ITEM_SEAT] = &seat_claims, [ITEM_POOL] = &pool_claims, [ITEM_SLOT] = &slot_claims};

const struct request_kind *request_kind(enum item_kind kind)
{
    ASSERT(kind < sizeof(requests) / sizeof(requests[0]) && requests[kind]);
    return requests[kind];
}

bool item_kind_claimed(enum item_kind kind)
{
    return kind < CLAIM_KINDS && claim_kinds[kind];
}

bool item_kind_timed(enum item_kind kind)
{
    return item_kind_claimed(kind) && claim_kinds[kind]->timed;
}
