/* SPDX-License-Identifier: Apache-2.0 */
/* place.h — the sequential model of one object, and the tasks that change it or look at it.
 *
 * A pool has a capacity; a seat is a pool of one unit. Each reservation has nothing of it, holds units until a deadline,
 * or has bought them:
 *
 *            commit           refund, move away
 *   held ────────────► sold ────────────────────► nothing
 *    ├── release, move away ─► nothing
 *    └── expiry, at its deadline and no other ─► nothing
 *
 * Owns the arithmetic taken <= capacity and the fence of the last grant. Knows no time but deadlines: in which order
 * tasks come is search.h.
 */
#ifndef LINEAR_PLACE_H
#define LINEAR_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define TASK_NONE UINT32_MAX
#define SEQ_UNKNOWN UINT64_MAX

enum task_kind {
    TASK_HOLD,
    TASK_BUY,
    TASK_COMMIT,
    TASK_RELEASE, /* what is held */
    TASK_REFUND,  /* what is sold */
    TASK_GIVE,    /* what is held or sold: the old item of a move */
    TASK_EXTEND,
    TASK_TRANSFER,
    TASK_EXPIRE,
    /* These only look. */
    TASK_IS_TAKEN, /* less than `units` are free */
    TASK_IS_GONE,  /* the holder has nothing */
    TASK_IS_SOLD,  /* the holder has bought it */
    TASK_SHOWS_FREE,
    TASK_SHOWS_HELD, /* by `holder`, or by anybody */
    TASK_SHOWS_SOLD,
    TASK_SHOWS_GONE,
    TASK_SHOWS_UNITS, /* this many are free */
};

/* Whom a look names. Others are indexes of holders. */
#define HOLDER_ANY UINT32_MAX
#define HOLDER_UNKNOWN (UINT32_MAX - 1) /* a reservation that no answer of a command named: a ghost's */

struct task {
    int64_t call_us, answer_us; /* takes effect between the two; NO_END: perhaps never */
    int64_t deadline_us;        /* HOLD, EXTEND, EXPIRE; 0: unknown */
    int64_t asked_us;           /* reads: by their clock, which was not before this, */
    int64_t shown_us;           /* nor after this; 0: the time of the state */
    uint64_t fence;             /* 0: none */
    uint64_t seq;               /* a state with this seq includes it; SEQ_UNKNOWN */
    uint64_t at_least;          /* looks: the state includes everything up to this seq */
    uint32_t holder, units;     /* units 0: all that the holder has */
    uint32_t after;             /* EXPIRE: the task that set the deadline comes first; or TASK_NONE */
    uint32_t source;            /* the call it stands for */
    bool ghost;                 /* HOLD, BUY: the reservation's id is unknown */
    enum task_kind kind;
};

/* The last three have no units. The same release or refund again is answered the same. A read may show a lapsed hold
 * until the server has swept it. */
enum has { HAS_NOTHING, HAS_HELD, HAS_SOLD, HAS_RELEASED, HAS_REFUNDED, HAS_LAPSED };

struct holder {
    int64_t deadline_us;
    uint32_t units; /* LAPSED: those it had */
    enum has has;
    bool ghost;
};

struct place {
    uint32_t capacity, taken;
    struct holder *holders;
    uint32_t holder_count;
    uint64_t fence;
    uint64_t print_a, print_b; /* of the holders, to compare states */
};

/* Whether it has units: held or sold. */
static inline bool holder_has_units(const struct holder *h)
{
    return h->has == HAS_HELD || h->has == HAS_SOLD;
}

enum effect { EFFECT_ILLEGAL, EFFECT_NONE, EFFECT_CHANGED };

/* What a task replaced. */
struct undo {
    struct holder holder;
    uint64_t fence;
};

void place_init(struct place *p, uint32_t capacity, struct holder *holders,
                uint32_t holder_count); /* all free */
/* Applies the task, or says that it is illegal here and changes nothing. */
enum effect place_apply(struct place *p, const struct task *t, struct undo *undo);
void place_undo(struct place *p, const struct task *t, const struct undo *undo);
/* 64 bits in which each bit depends on each of the input's. */
uint64_t place_mix(uint64_t x);

#endif
