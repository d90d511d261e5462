/* SPDX-License-Identifier: Apache-2.0 */
/* queue_line.h — the line of a waiting room: its entries, their users, their positions, and how many are
 * ahead. Only for the modules of the waiting room, their check, and entry.c.
 *
 * Uses no time and emits nothing: it carries out decisions made elsewhere. queue_set_status is the only
 * writer of an entry's status and keeps the counts, the tree, the cursor and the heaps in sync. queue_time.h lists the
 * functions that move entries.
 *
 *   order       position of entry n                       when
 *   hidden      not known                                 not opened, and will shuffle or is closed
 *   by number   n                                         otherwise
 *   by lot      draw_position(n) for n <= drawn, else n   after an opening with a draw
 *
 * While the order is hidden the tree is empty. When it becomes known, or changes, the tree is filled in slices
 * (queue_count_gone): until then `ahead` is not known.
 */
#ifndef CORE_QUEUE_LINE_H
#define CORE_QUEUE_LINE_H

#include "base/memory/fenwick.h"
#include "base/crypto/hash.h"
#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/image.h"
#include "core/queue/draw.h"

#define QUEUE_NAMES_CHUNK 16384u
#ifndef QUEUE_COUNT_MAX
#define QUEUE_COUNT_MAX 32768u /* work of one queue_count_gone */
#endif
#define QUEUE_JOINED_AT_MAX_MS ((1LL << 48) - 1) /* 48 bits in an entry */
#define QUEUE_PACES 20
#define QUEUE_PACE_MS 500

struct queue_entry {
    uint64_t joined_at_ms : 48;
    uint64_t status : 8; /* enum queue_status */
    uint64_t told_s : 8; /* derived: the last poll_after_s sent; 0: none in this process */
    uint64_t name;       /* offset of its user's id in `names` */
    uint64_t tiers;      /* its own, a bit for each of tier_names; 0: the queue's */
    uint32_t until_s;
    uint32_t asked_s; /* derived: the last sign of presence */
};

/* The turns of half a second, from the first of them on: see queue_pace.h. */
struct queue_pace {
    int64_t at_ms;
    uint32_t admitted, turns; /* turns include people passed over */
    bool full;                /* no place was free after the last one */
};

enum queue_order { QUEUE_HIDDEN, QUEUE_BY_NUMBER, QUEUE_BY_LOT };

struct queue {
    struct queue_image image;

    /* The line. */
    struct slab entries; /* struct queue_entry; the handle is the number - 1 */
    char **names;        /* chunks of users' ids: a size byte, then the id; none crosses a chunk boundary */
    uint32_t name_chunks;
    uint64_t names_end;
    struct table by_user; /* number of each user's newest entry */
    struct hash_key key;
    struct text tier_names[QUEUE_TIERS_MAX]; /* owned */
    uint32_t tier_count;

    /* derived */
    enum queue_order order;
    struct draw draw;
    struct fenwick gone; /* by position: 1 for each entry among 1..gone_done that is not in line */
    uint32_t gone_done;
    uint32_t gone_clear; /* chunks of the tree that were cleared of an earlier order */
    uint32_t by_status[QUEUE_STATUS_LAST + 1];
    uint64_t *all_by_status; /* of all queues together; owned by the state */
    uint32_t in_line;        /* waiting, or passed over and back */
    uint32_t cursor;         /* the next position to get a turn */
    uint32_t serving;        /* the greatest position admitted */
    struct heap untils;      /* deadlines of entries admitted or passed over; stale ones are skipped */
    /* Entries passed over and back, by position; stale ones and duplicates are skipped. */
    struct heap returned;
    uint64_t seq;       /* of the last change */
    uint64_t moved_seq; /* of the last change that was not a join */

    /* For queue_time.c and queue_admit.c; starts over with a new process. */
    uint32_t place;                     /* in st->queues_due */
    int64_t credit_milli, credit_at_ms; /* thousandths of an admission, at that time; 0: not started */
    int64_t stepped_at_ms;
    bool full;                            /* the last step stopped for lack of places or stock */
    bool rested;                          /* the last step left an empty line, or no place */
    int64_t measured_from_ms;             /* since then there was always a line, by the same settings */
    struct queue_pace paces[QUEUE_PACES]; /* a ring; pace_count of all since the start */
    uint32_t pace_count;
    uint32_t *returning; /* entries passed over whose stream is back; the next step emits that */
    uint32_t returning_count, returning_capacity;

    /* Scratch: the tiers of the last view and the last pass. */
    struct text view_tiers[TIERS_MAX], pass_tiers[TIERS_MAX];
};

/* Its entries are also counted in all_by_status, until queue_count_out. */
struct queue *queue_make(const struct queue_image *image, const uint64_t entry_key[2],
                         uint64_t *all_by_status);
void queue_count_out(struct queue *q);

static inline uint32_t queue_joined(const struct queue *q)
{
    return q->entries.used;
}
static inline struct queue_entry *queue_entry(const struct queue *q, uint32_t number)
{
    return slab_at(&q->entries, number - 1);
}
static inline int64_t queue_until_ms(const struct queue_entry *e)
{
    return (int64_t)e->until_s * 1000;
}
static inline bool queue_entry_live(const struct queue_entry *e)
{
    return queue_status_live((enum queue_status)e->status);
}
/* The until_ms of an entry after its end: the end of its pass, or 0. */
static inline int64_t queue_kept_until_ms(const struct queue_entry *e)
{
    return e->status == QUEUE_ADMITTED ? queue_until_ms(e) : 0;
}
/* Waiting, or passed over and back (no until). */
static inline bool queue_in_line(const struct queue_entry *e)
{
    return e->status == QUEUE_WAITING || (e->status == QUEUE_PASSED_OVER && !e->until_s);
}
struct text queue_user(const struct queue *q, uint32_t number);
uint32_t queue_find_user(struct queue *q, struct text user); /* the number of the newest entry, or 0 */

/* Gives the entries of this user, none of them live, to another user, who has none. */
void queue_rename_user(struct queue *q, struct text from, struct text to);

/* Adds an entry at the end, waiting; older ones of its user must not be live. Returns its number. */
uint32_t queue_append(struct queue *q, struct text user, int64_t joined_at_ms, uint64_t tiers);
/* Whether this change of status is legal. */
bool queue_may_move(const struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms);
/* The only writer of the status, in memory only; asserts queue_may_move. until_ms: see image.h. */
void queue_set_status(struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms);
/* The same without the assertion, for an entry loaded from the book: it was appended as waiting, and can have any
 * status. */
void queue_restore_status(struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms);

/* The bits of these names; adds new ones. False: there would be too many, and none was added. */
bool queue_tiers_learn(struct queue *q, const struct text *tiers, uint32_t count, uint64_t *bits);
uint32_t queue_tiers_name(const struct queue *q, uint64_t bits, struct text out[TIERS_MAX]); /* how many */

/* Sets the order after a change of the settings or the image. */
void queue_set_order(struct queue *q, bool has_queue, bool shuffle_before_open);
uint32_t queue_position(const struct queue *q, uint32_t number); /* 0: hidden */
/* The number of the entry at this position; the order must not be hidden. */
uint32_t queue_number(const struct queue *q, uint32_t position);
/* Continues to fill the tree, QUEUE_COUNT_MAX at a time. True: all is counted, or the order is hidden. */
bool queue_count_gone(struct queue *q);
static inline bool queue_tree_cleared(const struct queue *q)
{
    return q->gone_clear == q->gone.chunk_count;
}
static inline bool queue_counted(const struct queue *q)
{
    return q->order == QUEUE_HIDDEN || (q->gone_done == queue_joined(q) && queue_tree_cleared(q));
}
/* How many entries at earlier positions are still in line; too many while not all is counted. */
uint32_t queue_ahead(const struct queue *q, uint32_t number);

#endif
