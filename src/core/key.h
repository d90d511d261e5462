/* SPDX-License-Identifier: Apache-2.0 */
/* key.h — the keys of trusted back ends and doors. Only a hash is stored; the key itself is shown once.
 *
 * A rotation gives a key a new value. The old one stays valid for a while, so that its users can switch: at
 * most two are valid at any time, and the older one expires at old_until_ms.
 */
#ifndef CORE_KEY_H
#define CORE_KEY_H

#include "core/image.h"

struct state;

struct key {
    struct key_image image; /* name is owned */
    uint64_t seq;
};

/* For authentication: the key with this value, if it is valid now, or NULL. */
const struct key *state_key_find(const struct state *st, const uint8_t hash[32], int64_t now_ms);
const struct key *state_key_named(const struct state *st, struct text name); /* or NULL */
const struct key *state_key_after(const struct state *st, struct text name); /* the next by name, or NULL */

void keys_release(struct state *st);

#endif
