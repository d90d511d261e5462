/* SPDX-License-Identifier: Apache-2.0 */
/* nonce.h — scans that came with a nonce: each nonce counts once per ticket, whatever the result.
 *
 * The ticket has the nonce of its last use (ticket.h). This index has all of them, including those of duplicates and
 * void tickets, for as long as an upload can be repeated: scanned_at is at most SCAN_AGE_MAX_MS old, and at most
 * SCAN_AHEAD_MAX_MS ahead when it is recorded. Each new nonce drops up to two that have expired.
 *
 * About 120 bytes each, with its place in the index, plus the gate's name.
 */
#ifndef CORE_NONCE_H
#define CORE_NONCE_H

#include "core/door/ticket.h"

#define NONCE_KEPT_MS (SCAN_AGE_MAX_MS + SCAN_AHEAD_MAX_MS)

struct nonce_key {
    uint64_t code[2]; /* the ticket's, in two halves */
    uint64_t nonce[2];
};

/* The scan recorded with it. */
struct nonce {
    struct nonce_key key;
    int64_t recorded_ms;
    int64_t at_ms;
    uint64_t seq;
    struct text gate;        /* owned */
    uint32_t later, earlier; /* by time of recording, handle + 1 */
    uint8_t result;          /* enum check_in_result; UNDONE: a check-in that was undone */
};

struct nonces {
    struct slab all;
    struct table by_key;
    uint32_t first, last; /* first and last recorded; handle + 1 */
};

void nonces_init(struct state *st);
void nonces_release(struct state *st);
/* NULL: no scan of this ticket came with it, or it has expired. */
const struct nonce *nonce_find(const struct state *st, struct text code, const uint64_t nonce[2]);
/* Records the scan of a ticket by the change of this seq. Ignores scans without a nonce. */
void nonce_note(struct state *st, const struct check_in_image *done, int64_t recorded_ms, uint64_t seq);

#endif
