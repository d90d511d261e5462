/* SPDX-License-Identifier: Apache-2.0 */
/* idempotency.h — which creating requests have been answered already.
 *
 * The entries of the last 24 hours. The newest IDEMPOTENCY_EXACT are kept whole; of older ones that the book
 * has, only a filter remains that says "certainly not seen" or "perhaps", and perhaps means: look in the
 * book. So memory is bounded whatever the rate, and what grows beyond the bound costs reads of the book,
 * never a wrong answer.
 */
#ifndef CORE_IDEMPOTENCY_H
#define CORE_IDEMPOTENCY_H

#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/outcome.h"

#define IDEMPOTENCY_EXACT 1000000u
#define IDEMPOTENCY_FILTER_BITS 23 /* two filters of 1 MiB each, of 24 hours each */

struct idempotency_entry {
    struct idempotency_image image;
    uint64_t seq;
};

struct idempotency {
    struct slab entries;
    struct table by_key;
    uint32_t *queue; /* handles, oldest first: a ring */
    uint32_t queue_capacity, queue_first, queue_count;
    uint8_t *filters[2]; /* the present one and the one before */
    int64_t filter_since_ms;
};

enum idempotency_finding { IDEMPOTENCY_NEW, IDEMPOTENCY_FOUND, IDEMPOTENCY_PERHAPS };

void idempotency_init(struct idempotency *i);
void idempotency_release(struct idempotency *i);
enum idempotency_finding idempotency_find(struct idempotency *i, const uint64_t key[2], int64_t now_ms,
                                          struct idempotency_entry *out);
void idempotency_add(struct idempotency *i, const struct idempotency_image *image, uint64_t seq);
/* Drops what is too old, and what is over the bound if the book has it, up to `most`. Returns how many. */
uint32_t idempotency_forget(struct idempotency *i, uint64_t book_seq, int64_t now_ms, uint32_t most);

/* ---- A creating command: answered as it was, or refused when its body differs ---- */

struct state;
struct command;
struct outcome;

/* OK and !*seen: it is new. OK and *seen: the answer is the record with the id *made as it is now;
 * out->replayed and its status are set. FETCH, IDEMPOTENCY_KEY_REUSED: answer with that. */
enum outcome_code idempotency_seen(struct state *st, const struct command *c, struct outcome *out, bool *seen,
                                   struct id *made);
/* The command has made this, which is answered with 201, or transferred it, with 200. Emits, if it came with a key. */
void idempotency_remember(struct state *st, const struct command *c, enum made_kind kind, struct id made);

#endif
