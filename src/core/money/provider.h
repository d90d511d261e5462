/* SPDX-License-Identifier: Apache-2.0 */
/* provider.h — who tells of payments, and the secret by which its events are known. There is at most one provider; the
 * secret before it stays good for a day, so that it can be replaced while events are on their way.
 */
#ifndef CORE_PROVIDER_H
#define CORE_PROVIDER_H

#include "core/types.h"

#define PROVIDER_SECRET_SIZE_MIN 16
#define PROVIDER_SECRET_SIZE_MAX 255
#define PROVIDER_OLD_MS (24LL * 3600 * 1000)

struct provider_image {
    uint64_t number; /* the seq of the change that made the first one; 0: there is none */
    enum payment_provider provider, old_provider; /* old: as good as the other until old_until_ms */
    struct text secret, old_secret;               /* old: at == NULL: none */
    int64_t old_until_ms;
    int64_t changed_at_ms;
};

struct state;
/* Texts are good until the next command; number 0: there is none. */
const struct provider_image *state_provider(const struct state *st);

void provider_release(struct state *st);

#endif
