/* SPDX-License-Identifier: Apache-2.0 */
/* wish_group.h — who waits for what on an event's waiting list, and in which order.
 *
 *   stock   what a wish is for: a pool, or the seats of a section and a tier (or any)
 *   group   those with the same wish: a stock, a quantity, whether side by side, and with which code; first come, first
 *           served
 *   entry   one person, numbered by arrival
 *
 * Of a group only the first can be next, so whether the list has anything to do is asked of groups, not of
 * entries. A group that is worth a look stands in `tries`, by the number of its first entry; one that did not
 * fit leaves it until stock that could matter comes free. For that each stock keeps two bounds from above,
 * on its free seats and on the longest run of them. Freed seats raise them, a search in vain makes them
 * exact, and claims by others leave them as they are: too high costs a search, too low would lose somebody an
 * offer. They are about what is on sale; of what is in allotments there is one number for the whole event.
 *
 * An entry whose user has as much of the event as the limit allows, or whose code is used up or removed, stands aside
 * (`barred`) until there may be less, or more is allowed.
 *
 * Owns its memory and nothing else: no claims, no changes. For the modules of the waiting list, their check
 * and entry.c alone.
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
    struct text section, tier; /* owned; at == NULL: any */
    uint32_t first_group;      /* index + 1; 0: none */

    uint32_t most, run;  /* bounds from above: free seats, free seats side by side. LIST_UNKNOWN: not known */
    bool fresh;          /* stock came free: its groups are to be looked at */
    uint32_t next_fresh; /* index + 1 */
};

struct wish_group {
    uint32_t stock;
    uint32_t quantity;
    bool adjacent;
    uint32_t code;       /* with which it is to be claimed: position + 1; 0: none */
    uint32_t next;       /* of the same stock, index + 1 */
    struct heap entries; /* those who wait, by number, without the barred */
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
    bool adjacent;  /* as it was asked for: a single seat has no neighbour to want */
    bool barred;
};

struct waiting_list {
    struct slab entries;   /* by number - 1; none is ever given back */
    struct table live;     /* numbers of live entries, by user */
    struct fenwick places; /* by number: 1 when it waits */
    uint32_t by_status[LIST_STATUS_LAST + 1];
    uint64_t *all_by_status; /* the same of all lists together; the state's */
    struct wish_group *groups;
    uint32_t group_count, group_capacity;
    struct wish_stock *stocks;
    uint32_t stock_count, stock_capacity;
    struct table groups_by_wish, stocks_by_place; /* indexes */
    uint64_t seq;                                 /* of the last change of an entry */
    uint32_t offers; /* the last of its live ones, handle + 1; 0: none. See list_offer.h */

    /* What is to be done. */
    struct heap tries;  /* groups worth a look, by the number of their first entry */
    struct heap barred; /* entries, by number */
    uint32_t fresh;     /* the first fresh stock, index + 1 */
    uint32_t sweep;     /* everything may fit: groups from here on are to be looked at; LIST_UNKNOWN: no */
    bool unbar;         /* limits may have changed: the barred are to be put back */
    uint32_t place;     /* in the heap of services */
    bool due;           /* to be served at once: its free stock looks held */
    bool shown_busy;    /* and readers were told so */
};

/* Its entries are counted in all_by_status as well, until list_count_out. */
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
/* Its position among those who wait, from 1. */
uint32_t list_position(const struct waiting_list *l, uint32_t number);

/* One more at the end, with this wish and status. pool, code: as a stock's and a group's. Returns its number. */
uint32_t list_entry_add(struct waiting_list *l, struct text user, const struct list_wish *wish, uint32_t pool,
                        uint32_t code, enum list_status status);
/* The one writer of a status; asserts the legal pair. */
void list_entry_set_status(struct waiting_list *l, uint32_t number, enum list_status status);
/* The entries of this user, none of them live, are those of another from now on. */
void list_rename_user(struct waiting_list *l, struct text from, struct text to);
/* Sets a waiting entry aside, or puts it back in its group. */
void list_entry_bar(struct waiting_list *l, uint32_t number);
void list_entry_unbar(struct waiting_list *l, const struct event *e, uint32_t number);

/* The index of a wish's stock, or TABLE_NONE. */
uint32_t wish_stock_find(struct waiting_list *l, uint32_t pool, struct text section, struct text tier);
/* A search that found nothing saw everything: the bounds are exact now. */
void wish_stock_searched(struct wish_stock *s, uint32_t usable, uint32_t longest);

/* ---- What may fit ---- */
/* Everything: the bounds are forgotten, and each group is looked at. */
void list_sweep(struct waiting_list *l);
/* This seat, or units of the pool at this position. */
void list_freed_seat(struct waiting_list *l, const struct event *e, uint32_t position);
void list_freed_pool(struct waiting_list *l, uint32_t position);
/* Continues adding the groups that may fit to the tries, at the expense of *work. True: all are there. */
bool list_gather(struct waiting_list *l, const struct event *e, uint32_t *work);
/* The allotment that the group may be offered besides what is on sale: its code carries it; at == NULL: none. */
struct text wish_group_allotment(const struct event *e, const struct wish_group *group);
/* Units of the pool at this position that the group may be offered. */
uint32_t wish_group_units(const struct event *e, const struct wish_group *group, uint32_t pool);
/* Whether the bounds allow it. */
bool wish_group_may_fit(const struct waiting_list *l, const struct event *e, const struct wish_group *group);
/* Takes the group out of the tries: it does not fit. */
void wish_group_pass(struct waiting_list *l, uint32_t group);
/* Puts the group among the tries if somebody waits in it and the bounds allow it. */
void wish_group_try(struct waiting_list *l, const struct event *e, uint32_t group);
/* Whether anything is left to do. */
static inline bool list_idle(const struct waiting_list *l)
{
    return !l->tries.count && !l->fresh && l->sweep == LIST_UNKNOWN && !l->unbar;
}

#endif
