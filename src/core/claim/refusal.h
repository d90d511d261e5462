/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.h — counts of refused holds and additions of items: by reason, day, event or calendar, and tier, pool or
 * service.
 *
 * A refusal changes nothing and so writes nothing. It is counted in memory, and the counts are written together as one
 * change: a minute after the first of them, and when the server stops. A crash loses at most a minute of statistics,
 * and never a sale. A request counts once, for the item that was refused, where it was refused.
 */
#ifndef CORE_REFUSAL_H
#define CORE_REFUSAL_H

#include "base/memory/buf.h"
#include "base/memory/bytes.h"
#include "core/types.h"

/* Of one change. When they are used up, refusals are counted without event or calendar. */
#define REFUSAL_ROWS_MAX 512
#define REFUSAL_ROWS_SIZE (REFUSAL_ROWS_MAX * 256u) /* bytes that they take at most */
#define REFUSALS_EVERY_MS 60000

/* One count, as it is stored. */
struct refusal_image {
    int64_t day_ms;    /* midnight of the local day of the event, else of the UTC day, as if it were UTC */
    struct text event; /* these five are ids; the ones that do not apply are none */
    struct text calendar;
    struct text tier, pool, service;
    struct text reason; /* the name of the outcome */
    uint32_t count;     /* since the last change */
};
void refusal_put(struct buf *out, const struct refusal_image *r);
bool refusal_get(struct bytes_reader *in, struct refusal_image *r);

struct state;
struct step;
struct outcome;
struct refusals;

struct refusals *refusals_make(void);
void refusals_release(struct refusals *f);

/* Counts the refusal of the step's command, if it is a HOLD or ITEMS_ADD. */
void refusal_note(struct step *step, const struct outcome *out);

/* When the counts must be written, or INT64_MAX. */
int64_t state_next_refusals(const struct state *st);
/* Writes them, if there are any. */
void state_write_refusals(struct state *st, int64_t now_ms, struct buf *changes);

/* A copy has counts, too (gate.h), and writes none: they travel to the process that decides, which writes them with its
 * own. */
/* Appends the counts, a refusal_image each, and forgets them. Returns how many. */
uint32_t state_take_refusals(struct state *st, struct buf *rows);
/* Adds counts that a copy has taken. False: they cannot be read; those before are added. */
bool state_add_refusals(struct state *st, int64_t now_ms, struct bytes_reader rows);

#endif
