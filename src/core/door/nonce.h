/* SPDX-License-Identifier: Apache-2.0 */
/* nonce.h — scans that came with a nonce: each nonce counts once per ticket, whatever came of it.
 *
 * The ticket knows the nonce of its last use (ticket.h). Here are all of them, those of duplicates and of void tickets too,
 * for as long as an upload may be repeated: scanned_at is at most SCAN_AGE_MAX_MS old, and at most SCAN_AHEAD_MAX_MS
 * ahead when it is recorded. With each new one up to two go whose time is over.
 *
 * About 120 bytes each with its place in the index, and the gate's name.
 */
#ifndef CORE_NONCE_H
#define CORE_NONCE_H

#include "core/door/ticket.h"

#define NONCE_KEPT_MS (SCAN_AGE_MAX_MS + SCAN_AHEAD_MAX_MS)

struct nonce_key {
    uint64_t code[2]; /* the ticket's, its two halves */
    uint64_t nonce[2];
};

/* The scan that was recorded with it. */
struct nonce {
    struct nonce_key key;
    int64_t recorded_ms;
    int64_t at_ms;
    uint64_t seq;
    struct text gate;        /* owned; at == NULL: not said */
    uint32_t later, earlier; /* recorded, handle + 1 */
    uint8_t result;          /* enum check_in_result; UNDONE: it was a check-in */
};

struct nonces {
    struct slab all;
    struct table by_key;
    uint32_t first, last; /* recorded longest ago, and latest; handle + 1 */
};

void nonces_init(struct state *st);
void nonces_release(struct state *st);
/* Or NULL: no scan of this ticket came with it, or long ago. */
const struct nonce *nonce_find(const struct state *st, struct text code, const uint64_t nonce[2]);
/* This was recorded then, by the change of this seq. Without a nonce there is nothing to remember. */
void nonce_note(struct state *st, const struct check_in_image *done, int64_t recorded_ms, uint64_t seq);

#endif
