/* SPDX-License-Identifier: Apache-2.0 */
/* history.h — what clients asked and were answered, read from JSON lines; README.md describes the format.
 *
 * Owns the lines as they were recorded and, made from them, the operations: all attempts with one key are one operation.
 * Judges nothing but the form of its input.
 */
#ifndef LINEAR_HISTORY_H
#define LINEAR_HISTORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "names.h"

#define LINE_SIZE_MAX ((size_t)1 << 20) /* bytes */
#define LINES_MAX 50000000u
#define ITEMS_MAX 1000 /* of one line */
#define NAME_SIZE_MAX 200
#define UNITS_MAX 1000000000
#define TIME_US_MAX (INT64_C(1) << 60)
#define NO_END INT64_MAX /* the answer of an operation that was never decided */

/* name, word in the history, outcome when it was done */
#define CALL_KINDS(X)                                                                                        \
    X(HOLD, "hold", "granted")                                                                               \
    X(BUY, "buy", "confirmed") /* sold in one step: without a hold before, or by a late payment */           \
    X(COMMIT, "commit", "confirmed")                                                                         \
    X(RELEASE, "release", "released")                                                                        \
    X(EXTEND, "extend", "extended")                                                                          \
    X(TRANSFER, "transfer", "transferred")                                                                   \
    X(REFUND, "refund", "refunded")                                                                          \
    X(MOVE, "move", "moved")                                                                                 \
    X(READ, "read", "shown")                                                                                 \
    X(POOL, "pool", "set") /* not a call: the capacity of a pool */

enum call_kind {
#define X(name, word, done) CALL_##name,
    CALL_KINDS(X)
#undef X
        CALL_KIND_COUNT
};

enum call_outcome { OUTCOME_UNDECIDED, OUTCOME_DONE, OUTCOME_REFUSED };

/* What a refusal says about its items; its code decides. */
enum refusal {
    REFUSAL_OTHER, /* nothing */
    REFUSAL_TAKEN, /* too little was free */
    REFUSAL_GONE,  /* the reservation did not have them any more */
    REFUSAL_SOLD   /* they were sold to the reservation */
};

/* What a read shows of an item. */
#define SHOWN(X)                                                                                             \
    X(NONE, "")                                                                                              \
    X(FREE, "free")                                                                                          \
    X(HELD, "held")                                                                                          \
    X(SOLD, "sold")                                                                                          \
    X(GONE, "gone") /* the reservation does not have it */                                                   \
    X(AVAILABLE, "available")

enum shown {
#define X(name, word) SHOWN_##name,
    SHOWN(X)
#undef X
        SHOWN_COUNT
};

struct item {
    uint32_t object, reservation; /* reservation: only in a read */
    uint32_t units;               /* 0: not given */
    enum shown shown;
    bool gives; /* of a move: the reservation gives this one up */
    bool asked; /* of a refusal: asked for, and not what it names */
};

struct call {
    int64_t call_us, answer_us;
    int64_t expires_us, ttl_us; /* 0: none, or unknown */
    int64_t began_us;           /* of an operation: the call of its first undecided attempt, or its own */
    uint64_t fence, seq, min_seq;
    uint32_t client, reservation, key, code;
    uint32_t first_item, item_count, line;
    enum call_kind kind;
    enum call_outcome outcome;
    enum refusal refusal;
    bool ghost; /* never decided, and the reservation's id is unknown: it is named after the key */
};

struct history {
    struct names clients, objects, reservations, keys, codes;
    struct item *items;
    uint32_t item_count, item_capacity;
    struct call *lines; /* as recorded */
    uint32_t line_count, line_capacity;
    struct call *operations; /* by attempts_join */
    uint32_t operation_count, operation_capacity;
    uint32_t *capacities; /* by object: 0 is a seat */
    uint32_t capacities_count;
    int64_t first_us; /* the first call, from which times are shown */
};

/* The struct must stay where it is until history_release. */
void history_init(struct history *h);
void history_release(struct history *h);
/* Adds the lines of a file. A fault names the line. */
struct status history_read(struct history *h, FILE *file);
/* history_line.c: one line without its newline. */
struct status history_add(struct history *h, const char *text, size_t size, uint32_t line,
                          struct arena *arena);

const char *call_kind_word(enum call_kind kind);
const char *call_done_word(enum call_kind kind);
const char *shown_word(enum shown shown);
uint32_t history_capacity(const struct history *h, uint32_t object); /* 1 for a seat */
bool history_is_pool(const struct history *h, uint32_t object);

#endif
