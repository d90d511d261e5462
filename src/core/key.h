/* SPDX-License-Identifier: Apache-2.0 */
/* key.h — the keys of trusted back ends and doors. Only a hash is kept; the key itself is shown once and
 * forgotten.
 *
 * A rotation gives a key a new value. The old one stays valid for a while, so that its users can switch: at
 * most two are valid at any time, and the older one ends by itself, at old_until_ms.
 */
#ifndef CORE_KEY_H
#define CORE_KEY_H

#include "core/state.h"

void keys_release(struct state *st);

#endif
