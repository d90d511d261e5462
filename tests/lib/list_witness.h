/* SPDX-License-Identifier: Apache-2.0 */
/* list_witness.h — follows a waiting list through its changes alone, and reports unfair treatment.
 *
 * It knows one small event naively: which seats and units are free, the waiting wishes, how much each user has. It
 * checks for each change that an offer goes to the first entry whose whole wish fits and is exactly that wish; that
 * nobody else is granted anything while a wish fits or a lapsed hold has not been settled; and that nothing fits at the
 * end of a step.
 */
#ifndef TESTS_LIB_LIST_WITNESS_H
#define TESTS_LIB_LIST_WITNESS_H

#include "core/state.h"

#define WITNESS_SEATS 64
#define WITNESS_POOLS 4
#define WITNESS_HOLDS 4096
#define WITNESS_ENTRIES 4096

struct witness_hold {
    struct id id;
    char user[16];
    bool live, held;
    int64_t expires_at_ms;
    struct item_image items[ITEMS_MAX];
    uint32_t count;
};

struct witness_entry {
    char user[16];
    uint32_t quantity;
    bool adjacent;
    char section[8], tier[8], pool[8]; /* "": any */
    enum list_status status;
};

struct list_witness {
    uint64_t event;        /* number */
    struct layout *layout; /* its own reference */
    bool taken[WITNESS_SEATS], blocked[WITNESS_SEATS];
    struct {
        char id[8];
        uint32_t capacity, taken;
    } pools[WITNESS_POOLS];
    uint32_t limit;
    bool has_list;
    int64_t starts_at_ms, on_sale_at_ms, off_sale_at_ms;
    struct witness_hold holds[WITNESS_HOLDS];
    uint32_t hold_count;
    struct witness_entry entries[WITNESS_ENTRIES]; /* by number - 1 */
    uint32_t entry_count;
    uint64_t offers;
    char fault[256]; /* "": none yet */
};

/* The event as it is, with nothing claimed and an empty list. */
void list_witness_init(struct list_witness *w, const struct event *e);
void list_witness_release(struct list_witness *w);
void list_witness_see(struct list_witness *w, const struct change *c);
/* A step at this instant has ended. */
void list_witness_step(struct list_witness *w, int64_t now_ms);

#endif
