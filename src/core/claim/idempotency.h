/* SPDX-License-Identifier: Apache-2.0 */
/* idempotency.h — Idempotency-Keys of the last 24 hours, and what each request created.
 *
 * The newest IDEMPOTENCY_EXACT entries are kept in full. For older ones that the book has, only a filter remains that
 * says "certainly not seen" or "perhaps", and "perhaps" means: look in the book. So memory is bounded at any rate of
 * requests; beyond the bound requests cost reads of the book, never a wrong answer.
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
    uint8_t *filters[2]; /* the current and the previous one */
    int64_t filter_since_ms;
};

enum idempotency_finding { IDEMPOTENCY_NEW, IDEMPOTENCY_FOUND, IDEMPOTENCY_PERHAPS };

void idempotency_init(struct idempotency *i);
void idempotency_release(struct idempotency *i);
enum idempotency_finding idempotency_find(struct idempotency *i, const uint64_t key[2], int64_t now_ms,
                                          struct idempotency_entry *out);
void idempotency_add(struct idempotency *i, const struct idempotency_image *image, uint64_t seq);
/* Drops entries that are too old, and those above the bound if the book has them, up to `most`. Returns how many. */
uint32_t idempotency_forget(struct idempotency *i, uint64_t book_seq, int64_t now_ms, uint32_t most);

/* ---- A repeated command: same answer, or refused if its body differs ---- */

struct state;
struct command;
struct outcome;

/* OK and !*seen: it is new. OK and *seen: the answer is the record with the id *made in its current state;
 * out->replayed and its status are set. FETCH, IDEMPOTENCY_KEY_REUSED: return that. */
enum outcome_code idempotency_seen(struct state *st, const struct command *c, struct outcome *out, bool *seen,
                                   struct id *made);
/* The command has created this record (201) or transferred it (200). Emits a change, if the command has a key. */
void idempotency_remember(struct state *st, const struct command *c, enum made_kind kind, struct id made);

#endif
