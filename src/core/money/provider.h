/* SPDX-License-Identifier: Apache-2.0 */
/* provider.h — the payment provider, and the secret that its events are verified with. There is at most one provider;
 * the previous secret stays valid for a day, so that it can be replaced while events are under way.
 */
#ifndef CORE_PROVIDER_H
#define CORE_PROVIDER_H

#include "core/types.h"

#define PROVIDER_SECRET_SIZE_MIN 16
#define PROVIDER_SECRET_SIZE_MAX 255
#define PROVIDER_OLD_MS (24LL * 3600 * 1000)

struct provider_image {
    uint64_t number;                              /* the seq of the change that made the first one; 0: none */
    enum payment_provider provider, old_provider; /* old: as valid as the other until old_until_ms */
    struct text secret, old_secret;               /* old: optional */
    int64_t old_until_ms;
    int64_t changed_at_ms;
};

struct state;
/* Texts are valid until the next command; number 0: none. */
const struct provider_image *state_provider(const struct state *st);

void provider_release(struct state *st);

#endif
