/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/kind.h"

#include "base/assertion.h"

static const struct request_kind *const requests[] = {[ITEM_SEAT] = &seat_request,
                                                      [ITEM_POOL] = &pool_request,
                                                      [ITEM_BEST] = &best_request,
                                                      [ITEM_SLOT] = &slot_request};
static const struct claim_kind *const claims[] = {
    [ITEM_SEAT] = &seat_claims, [ITEM_POOL] = &pool_claims, [ITEM_SLOT] = &slot_claims};

const struct request_kind *request_kind(enum item_kind kind)
{
    ASSERT(kind < sizeof(requests) / sizeof(requests[0]) && requests[kind]);
    return requests[kind];
}

const struct claim_kind *claim_kind(enum item_kind kind)
{
    ASSERT(kind < sizeof(claims) / sizeof(claims[0]) && claims[kind]);
    return claims[kind];
}
