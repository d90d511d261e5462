/* SPDX-License-Identifier: Apache-2.0 */
/* sold.h — the seats that are sold, by the sales that the engine has named: what a database would have that judges each of
 * them. It outlives the process, as the database does. */
#ifndef TESTS_LIB_SOLD_H
#define TESTS_LIB_SOLD_H

#include <stddef.h>

#include "core/claim/sale.h"

#define SOLD_SENTENCE 200

struct sold {
    struct sale *seats; /* by event and seat; fence 0: given back */
    uint32_t count, capacity;
};

void sold_release(struct sold *s);
/* False, and a sentence: the seat is not as the sale says. */
bool sold_take(struct sold *s, const struct sale *sale, char sentence[SOLD_SENTENCE]);
/* Whether exactly these are sold in the state. */
bool sold_matches(const struct sold *s, const struct state *st, char sentence[SOLD_SENTENCE]);

#endif
