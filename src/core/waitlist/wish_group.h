/* SPDX-License-Identifier: Apache-2.0 */
/* wish_group.h — the wishes on an event's waiting list, and their order.
 *
 *   stock   what a wish is on: a pool, or the seats of a section and a tier (or any)
 *   group   entries with the same wish: stock, quantity, whether side by side, and code; first come, first
 *           served
 *   entry   one person, numbered by arrival
 *
 * Only the first entry of a group can be next, so the service checks groups, not entries. A group that could fit is in
 * `tries`, by the number of its first entry; one that did not fit leaves it until relevant stock comes free. For that
 * each stock has two upper bounds, on its free seats and on the longest run of them. Freed seats raise them, an
 * unsuccessful search makes them exact, and claims leave them as they are: too high costs a search, too low would cost
 * an entry its offer. They are about what is on sale; for allotments there is one number for the whole event.
 *
 * An entry whose user has reached the event's limit, or whose code is used up or removed, is `barred` until that could
 * have changed.
 *
 * Owns its memory and nothing else: no claims, no changes. Only for the modules of the waiting list, their check and
 * entry.c.
 */
#ifndef CORE_WISH_GROUP_H
#define CORE_WISH_GROUP_H

#include "base/memory/fenwick.h"
#include "base/memory/heap.h"
#include "base/memory/slab.h"
#include "base/memory/table.h"
#include "core/image.h"

struct event;

#define LIST_UNKNOWN UINT32_MAX

struct wish_stock {
    uint32_t pool;             /* position + 1; 0: seats */
    struct text section, tier; /* owned; none: any */
    uint32_t first_group;      /* index + 1; 0: none */

    uint32_t most, run;  /* upper bounds: free seats, free seats side by side; or LIST_UNKNOWN */
    bool fresh;          /* stock came free: its groups are to be checked */
    uint32_t next_fresh; /* index + 1 */
};

struct wish_group {
    uint32_t stock;
    uint32_t quantity;
    bool adjacent;
    uint32_t code;       /* to claim with: position + 1; 0: none */
    uint32_t next;       /* of the same stock, index + 1 */
    struct heap entries; /* waiting, by number, without the barred ones */
    uint32_t place;      /* in `tries` */
};

struct list_entry {
    char *user; /* owned */
    int64_t joined_at_ms, changed_at_ms;
    struct id reservation;
    uint32_t group;
    uint32_t place; /* waiting: in its group's entries, or in `barred` */
    uint8_t user_size;
    uint8_t status; /* enum list_status */
    bool adjacent;  /* as requested, even for a single seat */
    bool barred;
};

struct waiting_list {
    struct slab entries;   /* by number - 1; none is ever freed */
    struct table live;     /* numbers of live entries, by user */
    struct fenwick places; /* by number: 1 if it waits */
    uint32_t by_status[LIST_STATUS_LAST + 1];
    uint64_t *all_by_status; /* the same for all lists together; owned by the state */
    struct wish_group *groups;
    uint32_t group_count, group_capacity;
    struct wish_stock *stocks;
    uint32_t stock_count, stock_capacity;
    struct table groups_by_wish, stocks_by_place; /* indexes */
    uint64_t seq;                                 /* of the last change of an entry */
    uint32_t offers; /* the last of its live offers, handle + 1; 0: none. See list_offer.h */

    /* Pending work. */
    struct heap tries;  /* groups that could fit, by the number of their first entry */
    struct heap barred; /* entries, by number */
    uint32_t fresh;     /* the first fresh stock, index + 1 */
    uint32_t sweep;     /* anything could fit: groups from here on are to be checked; LIST_UNKNOWN: no */
    bool unbar;         /* limits could have changed: barred entries are to be put back */
    uint32_t place;     /* in the heap of services */
    bool due;           /* to be served at once: its free stock looks held */
    bool shown_busy;    /* due, and shown as such to readers */
};

/* Entries are also counted in all_by_status, until list_count_out. */
struct waiting_list *list_make(uint64_t *all_by_status);
void list_count_out(struct waiting_list *l);
static inline struct list_entry *list_entry_at(const struct waiting_list *l, uint32_t number)
{
    return slab_at(&l->entries, number - 1);
}
static inline struct text list_entry_user(const struct list_entry *entry)
{
    return (struct text){entry->user, entry->user_size};
}
static inline uint32_t list_waiting(const struct waiting_list *l)
{
    return l->by_status[LIST_WAITING];
}
/* The live entry of this user, or 0. */
uint32_t list_live(struct waiting_list *l, struct text user);
/* Its position among the waiting entries, from 1. */
uint32_t list_position(const struct waiting_list *l, uint32_t number);

/* Adds an entry at the end, with this wish and status. pool, code: as in a stock and a group. Returns its number. */
uint32_t list_entry_add(struct waiting_list *l, struct text user, const struct list_wish *wish, uint32_t pool,
                        uint32_t code, enum list_status status);
/* The one writer of a status; asserts the legal pair. */
void list_entry_set_status(struct waiting_list *l, uint32_t number, enum list_status status);
/* Gives the entries of this user, none of them live, to another user id. */
void list_rename_user(struct waiting_list *l, struct text from, struct text to);
/* Bars a waiting entry, or puts it back in its group. */
void list_entry_bar(struct waiting_list *l, uint32_t number);
void list_entry_unbar(struct waiting_list *l, const struct event *e, uint32_t number);

/* The index of a wish's stock, or TABLE_NONE. */
uint32_t wish_stock_find(struct waiting_list *l, uint32_t pool, struct text section, struct text tier);
/* An unsuccessful search has seen everything: sets exact bounds. */
void wish_stock_searched(struct wish_stock *s, uint32_t usable, uint32_t longest);

/* ---- What may fit ---- */
/* Anything could: drops the bounds, and every group is to be checked. */
void list_sweep(struct waiting_list *l);
/* This seat, or units of the pool at this position, came free. */
void list_freed_seat(struct waiting_list *l, const struct event *e, uint32_t position);
void list_freed_pool(struct waiting_list *l, uint32_t position);
/* Continues adding groups that could fit to the tries, charged to *work. True: all are added. */
bool list_gather(struct waiting_list *l, const struct event *e, uint32_t *work);
/* The allotment that the group can be offered besides what is on sale, because its code carries it; or none. */
struct text wish_group_allotment(const struct event *e, const struct wish_group *group);
/* Units of the pool at this position that the group can be offered. */
uint32_t wish_group_units(const struct event *e, const struct wish_group *group, uint32_t pool);
/* Whether the bounds allow it. */
bool wish_group_may_fit(const struct waiting_list *l, const struct event *e, const struct wish_group *group);
/* Takes the group out of the tries: it does not fit. */
void wish_group_pass(struct waiting_list *l, uint32_t group);
/* Puts the group among the tries if it has a waiting entry and the bounds allow it. */
void wish_group_try(struct waiting_list *l, const struct event *e, uint32_t group);
/* Whether anything is left to do. */
static inline bool list_idle(const struct waiting_list *l)
{
    return !l->tries.count && !l->fresh && l->sweep == LIST_UNKNOWN && !l->unbar;
}

#endif
