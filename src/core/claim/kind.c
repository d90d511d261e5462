/* SPDX-License-Identifier: Apache-2.0 */
#include "core/claim/kind.h"

#include "base/assertion.h"

#define REQUEST_ROW(constant, number, word, module) [constant] = &module##_request,
static const struct request_kind *const requests[] = {REQUEST_KINDS(REQUEST_ROW)};

#define CLAIM_ROW(constant, number, word, module) [constant] = &module##_claims,
const struct claim_kind *const claim_kinds[] = {REQUEST_KINDS(CLAIM_ROW)};

const struct request_kind *request_kind(enum item_kind kind)
{
    ASSERT(kind <= ITEM_KIND_LAST && requests[kind]);
    return requests[kind];
}

bool item_kind_claimed(enum item_kind kind)
{
    return kind >= ITEM_KIND_FIRST && kind <= ITEM_KIND_LAST && claim_kinds[kind]->claim;
}

bool item_kind_timed(enum item_kind kind)
{
    return item_kind_claimed(kind) && claim_kinds[kind]->timed;
}
