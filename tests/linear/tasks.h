/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.h — the tasks of one object, made from the calls that name it. */
#ifndef LINEAR_TASKS_H
#define LINEAR_TASKS_H

#include "check.h"
#include "place.h"

/* An item of an operation or of a read. */
struct mention {
    const struct call *call;
    const struct item *item;
};

/* A change and the seq from which it is shown; then the latest call of all changes up to it. */
struct known_seq {
    uint64_t seq;
    int64_t call_us;
};

struct tasks {
    const struct history *history;
    const struct check_rules *rules;
    /* of one object, replaced by tasks_make */
    struct task *list;
    const struct call **sources; /* by task.source */
    uint32_t count, capacity, source_count, source_capacity;
    uint32_t holder_count, open_count;
    uint32_t *names; /* reservations by holder */
    uint32_t name_capacity;
    /* memory */
    uint32_t *holder_of; /* by reservation, valid where `stamps` has the object's stamp */
    uint32_t *stamps;
    uint32_t stamp;
    struct known_seq *seqs;
    uint32_t seq_count, seq_capacity;
};

void tasks_init(struct tasks *t, const struct history *h, const struct check_rules *rules);
void tasks_release(struct tasks *t);
void tasks_make(struct tasks *t, const struct mention *mentions, uint32_t count);

#endif
