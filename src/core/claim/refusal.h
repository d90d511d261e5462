/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.h — how many holds and additions of items were refused: by reason, day, event or calendar, and tier, pool or
 * service.
 *
 * A refusal changes nothing and so writes nothing. It is counted in memory, and the counts go out together as one change:
 * a minute after the first of them, and when the server stops. What a crash takes are statistics of at most a minute, and
 * never a sale. A request counts once, for the item that was refused.
 */
#ifndef CORE_REFUSAL_H
#define CORE_REFUSAL_H

#include "base/memory/buf.h"
#include "base/memory/bytes.h"
#include "core/types.h"

#define REFUSAL_ROWS_MAX                                                                                     \
    512 /* of one change; what there is no row for is counted without event or calendar */
#define REFUSALS_EVERY_MS 60000

/* One count, as it is written down. */
struct refusal_image {
    int64_t day_ms;    /* midnight, UTC */
    struct text event; /* ids; at == NULL: none, and the same of the next four */
    struct text calendar;
    struct text tier, pool, service;
    struct text reason; /* the name of the outcome */
    uint32_t count;     /* of what came since the last change */
};
void refusal_put(struct buf *out, const struct refusal_image *r);
bool refusal_get(struct bytes_reader *in, struct refusal_image *r);

struct state;
struct step;
struct outcome;
struct refusals;

struct refusals *refusals_make(void);
void refusals_release(struct refusals *f);

/* Counts the refusal of the step's command, if it is one that is counted. */
void refusal_note(struct step *step, const struct outcome *out);

/* When the counts are to go out, or INT64_MAX. */
int64_t state_next_refusals(const struct state *st);
/* Sends them out, if there are any. */
void state_tell_refusals(struct state *st, int64_t now_ms, struct buf *changes);

#endif
