/* SPDX-License-Identifier: Apache-2.0 */
/* generate.h — what the people of the simulation want next, from what they know (the model) and chance. */
#ifndef TESTS_SIM_GENERATE_H
#define TESTS_SIM_GENERATE_H

#include "dice.h"
#include "model.h"

/* What a client remembers between requests. */
struct generator {
    struct dice *dice;
    struct model *model;
    uint64_t next_id;
    uint64_t next_key;
    struct ask keyed[MODEL_KEYS]; /* the last request sent under each key */
    bool keyed_used[MODEL_KEYS];
    struct { /* a version that was read, for If-Match */
        bool known;
        int event, seat;
        uint64_t version;
        uint32_t claims;
    } seen;
};

/* The next request; false: there is nothing left to ask for. */
bool generate(struct generator *g, struct ask *out);
/* The request that makes an event, its seats or its pool, for the beginning. */
void generate_event(struct generator *g, int event, struct ask *out);
void generate_import(struct generator *g, int event, struct ask *out);
void generate_pool(struct generator *g, int event, int pool, struct ask *out);
/* How far the clock goes until the next request: often nothing, sometimes to the very millisecond of a
 * deadline. */
int64_t generate_pause(struct generator *g);

#endif
