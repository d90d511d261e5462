/* SPDX-License-Identifier: Apache-2.0 */
/* following.h — the loop's half of a node that follows: applies the rows that cluster/follow.h reads, and becomes the owner.
 *
 *   a row ──► records it changes and memory lacks: read from this node's book   (store/row_records.h)
 *         ──► layouts it publishes: built by a worker                           (store/row_layouts.h)
 *         ──► applied whole, in one turn of the loop ──► shown, and passed to the recorder
 *
 * One row at a time: while something is read or built for it, nothing is applied, and nothing that was read is forgotten.
 * For the files of store/ only.
 */
#ifndef STORE_FOLLOWING_H
#define STORE_FOLLOWING_H

#include "cluster/follow.h"
#include "store/bell.h"
#include "store/row_layouts.h"
#include "store/row_records.h"

struct store;

struct following {
    struct store *store;
    struct follow follow;
    struct bell news; /* rung by the reading thread */
    struct follow_row *row; /* being prepared; NULL: none */
    struct row_records records;
    struct row_layouts layouts;
    bool prepared, busy; /* busy: a read or a worker is under way */
    struct change *ahead; /* RESTORE_AHEAD of them */
    char owner_url[LEASE_URL_SIZE];
};

/* The bell; before the threads. */
void following_open(struct following *f, struct store *s);
/* From here on rows arrive. */
void following_start(struct following *f);
/* Ends the reading thread. Nothing is applied any more. False: not done after limit_ms. */
bool following_stop(struct following *f, uint64_t limit_ms);
void following_close(struct following *f, void (*closed)(void *ctx)); /* the bell */
void following_release(struct following *f);
static inline bool following_busy(const struct following *f)
{
    return f->busy;
}

#endif
