/* SPDX-License-Identifier: Apache-2.0 */
#include "core/waitlist/wish_group.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/memory/memory.h"
#include "core/waitlist/waiting_list.h"

/* Names come from outside; see user.c about the key. */
static const struct hash_key text_key = {0x77616974696e6720, 0x686f6c6466617374};

static uint64_t mix(uint64_t hash, uint64_t more)
{
    hash = (hash ^ more) * 0x9e3779b97f4a7c15ULL;
    return hash ^ hash >> 29;
}

/* ---- The indexes ---- */

static uint64_t user_hash(struct text user)
{
    return hash_sip(text_key, user.at, user.size);
}

static uint64_t hash_of_live(void *owner, uint32_t number)
{
    return user_hash(list_entry_user(list_entry_at(owner, number)));
}

static bool same_user(void *owner, uint32_t number, const void *key)
{
    return text_equal(list_entry_user(list_entry_at(owner, number)), *(const struct text *)key);
}

static uint64_t label_hash(struct text label)
{
    return label.at ? hash_sip(text_key, label.at, label.size) : 1;
}

static bool label_same(struct text a, struct text b)
{
    return (a.at == NULL) == (b.at == NULL) && text_equal(a, b);
}

static uint64_t place_hash(const struct wish_stock *s)
{
    return mix(mix(s->pool, label_hash(s->section)), label_hash(s->tier));
}

static uint64_t hash_of_stock(void *owner, uint32_t stock)
{
    return place_hash(&((struct waiting_list *)owner)->stocks[stock]);
}

static bool same_place(void *owner, uint32_t stock, const void *key)
{
    const struct wish_stock *a = &((struct waiting_list *)owner)->stocks[stock], *b = key;
    return a->pool == b->pool && label_same(a->section, b->section) && label_same(a->tier, b->tier);
}

static uint64_t wish_hash(const struct wish_group *group)
{
    return mix(mix(mix(group->stock, group->quantity), group->adjacent), group->code);
}

static uint64_t hash_of_group(void *owner, uint32_t group)
{
    return wish_hash(&((struct waiting_list *)owner)->groups[group]);
}

static bool same_wish(void *owner, uint32_t group, const void *key)
{
    const struct wish_group *a = &((struct waiting_list *)owner)->groups[group], *b = key;
    return a->stock == b->stock && a->quantity == b->quantity && a->adjacent == b->adjacent &&
           a->code == b->code;
}

/* ---- Life ---- */

static void entry_placed(void *owner, uint64_t number, uint32_t place)
{
    list_entry_at(owner, (uint32_t)number)->place = place;
}

static void group_placed(void *owner, uint64_t group, uint32_t place)
{
    ((struct waiting_list *)owner)->groups[group].place = place;
}

struct waiting_list *list_make(uint64_t *all_by_status)
{
    struct waiting_list *l = memory_zeroed(1, sizeof(*l));
    l->all_by_status = all_by_status;
    slab_init(&l->entries, sizeof(struct list_entry));
    table_init(&l->live, hash_of_live, l);
    fenwick_init(&l->places);
    table_init(&l->groups_by_wish, hash_of_group, l);
    table_init(&l->stocks_by_place, hash_of_stock, l);
    heap_init(&l->tries, group_placed, l);
    heap_init(&l->barred, entry_placed, l);
    l->sweep = LIST_UNKNOWN;
    l->place = HEAP_NONE;
    return l;
}

void waiting_list_release(struct waiting_list *l)
{
    if (!l)
        return;
    for (uint32_t number = 1; number <= l->entries.used; number++)
        free(list_entry_at(l, number)->user);
    slab_release(&l->entries);
    table_release(&l->live);
    fenwick_release(&l->places);
    for (uint32_t i = 0; i < l->group_count; i++)
        heap_release(&l->groups[i].entries);
    for (uint32_t i = 0; i < l->stock_count; i++) {
        text_free(l->stocks[i].section);
        text_free(l->stocks[i].tier);
    }
    free(l->groups);
    free(l->stocks);
    table_release(&l->groups_by_wish);
    table_release(&l->stocks_by_place);
    heap_release(&l->tries);
    heap_release(&l->barred);
    free(l);
}

/* ---- Stocks and groups ---- */

uint32_t wish_stock_find(struct waiting_list *l, uint32_t pool, struct text section, struct text tier)
{
    struct wish_stock key = {.pool = pool, .section = section, .tier = tier};
    return table_find(&l->stocks_by_place, place_hash(&key), same_place, &key);
}

static uint32_t stock_get(struct waiting_list *l, uint32_t pool, struct text section, struct text tier)
{
    ASSERT(!pool || (!section.at && !tier.at));
    uint32_t found = wish_stock_find(l, pool, section, tier);
    if (found != TABLE_NONE)
        return found;
    l->stocks = memory_room(l->stocks, l->stock_count, &l->stock_capacity, 4, sizeof(*l->stocks));
    /* Nothing is known about it yet, so anything could fit. */
    struct wish_stock *s = &l->stocks[l->stock_count];
    *s = (struct wish_stock){.pool = pool,
                             .section = text_own(section),
                             .tier = text_own(tier),
                             .most = LIST_UNKNOWN,
                             .run = LIST_UNKNOWN};
    table_insert(&l->stocks_by_place, place_hash(s), l->stock_count);
    return l->stock_count++;
}

static uint32_t group_get(struct waiting_list *l, uint32_t stock, uint32_t quantity, bool adjacent,
                          uint32_t code)
{
    ASSERT(stock < l->stock_count);
    struct wish_group key = {.stock = stock, .quantity = quantity, .adjacent = adjacent, .code = code};
    uint32_t found = table_find(&l->groups_by_wish, wish_hash(&key), same_wish, &key);
    if (found != TABLE_NONE)
        return found;
    l->groups = memory_room(l->groups, l->group_count, &l->group_capacity, 4, sizeof(*l->groups));
    struct wish_group *group = &l->groups[l->group_count];
    *group = key;
    /* The heap's owner is the list: groups move when their array grows. */
    heap_init(&group->entries, entry_placed, l);
    group->place = HEAP_NONE;
    group->next = l->stocks[stock].first_group;
    l->stocks[stock].first_group = l->group_count + 1;
    table_insert(&l->groups_by_wish, wish_hash(group), l->group_count);
    return l->group_count++;
}

/* Its entries have changed: updates its place among the tries by the first of them. */
static void group_changed(struct waiting_list *l, uint32_t index)
{
    struct wish_group *group = &l->groups[index];
    const struct heap_entry *first = heap_first(&group->entries);
    if (group->place == HEAP_NONE)
        return;
    if (!first)
        heap_remove(&l->tries, group->place);
    /* Groups are tried in the order their first entries joined. */
    else if (first->at_ms != l->tries.entries[group->place].at_ms)
        heap_change(&l->tries, group->place, first->at_ms);
    ASSERT(group->place == HEAP_NONE || l->tries.entries[group->place].handle == index);
}

void wish_group_pass(struct waiting_list *l, uint32_t group)
{
    if (l->groups[group].place != HEAP_NONE)
        heap_remove(&l->tries, l->groups[group].place);
}

void wish_group_try(struct waiting_list *l, const struct event *e, uint32_t group)
{
    const struct heap_entry *first = heap_first(&l->groups[group].entries);
    if (first && l->groups[group].place == HEAP_NONE && wish_group_may_fit(l, e, &l->groups[group]))
        heap_push(&l->tries, first->at_ms, group);
}

/* ---- Entries ---- */

uint32_t list_live(struct waiting_list *l, struct text user)
{
    uint32_t number = table_find(&l->live, user_hash(user), same_user, &user);
    return number == TABLE_NONE ? 0 : number;
}

uint32_t list_position(const struct waiting_list *l, uint32_t number)
{
    uint32_t position = fenwick_sum(&l->places, number - 1) + 1;
    ASSERT(position <= list_waiting(l) + 1); /* one more if it does not wait itself */
    return position;
}

/* The one place where entries are counted. */
static void count(struct waiting_list *l, enum list_status status, int by)
{
    ASSERT(by > 0 || l->by_status[status] > 0);
    l->by_status[status] += (uint32_t)by;
    l->all_by_status[status] += (uint64_t)by;
    ASSERT(l->all_by_status[status] >= l->by_status[status]);
}

void list_count_out(struct waiting_list *l)
{
    for (int status = LIST_STATUS_FIRST; status <= LIST_STATUS_LAST; status++) {
        ASSERT(l->all_by_status[status] >= l->by_status[status]);
        l->all_by_status[status] -= l->by_status[status];
    }
}

/* Puts the entry into its group, or takes it out. */
static void entry_wait(struct waiting_list *l, uint32_t number, bool waits)
{
    struct list_entry *entry = list_entry_at(l, number);
    ASSERT(waits == (entry->place == HEAP_NONE));
    /* Barred entries keep their position: they wait like the others, and are only skipped. */
    fenwick_add(&l->places, number, waits ? 1 : -1);
    if (waits)
        heap_push(&l->groups[entry->group].entries, number, number);
    else
        heap_remove(entry->barred ? &l->barred : &l->groups[entry->group].entries, entry->place);
    ASSERT(waits == (entry->place != HEAP_NONE));
    entry->barred = false;
    group_changed(l, entry->group);
}

uint32_t list_entry_add(struct waiting_list *l, struct text user, const struct list_wish *wish, uint32_t pool,
                        uint32_t code, enum list_status status)
{
    ASSERT(user.size >= 1 && user.size <= USER_SIZE_MAX && wish->quantity >= 1);
    /* One seat has no neighbours, and neither have units of a pool: the same group as without `adjacent`. */
    bool together = wish->adjacent && !pool && wish->quantity > 1;
    uint32_t stock = stock_get(l, pool, wish->section, wish->tier);
    uint32_t number = slab_take(&l->entries) + 1;
    ASSERT(number == l->entries.used && number <= LIST_ENTRIES_MAX); /* by arrival, without gaps */
    struct list_entry *entry = list_entry_at(l, number);
    *entry = (struct list_entry){.user = memory_copy(user.at, user.size),
                                 .user_size = (uint8_t)user.size,
                                 .group = group_get(l, stock, wish->quantity, together, code),
                                 .place = HEAP_NONE,
                                 .status = (uint8_t)status,
                                 .adjacent = wish->adjacent};
    fenwick_append(&l->places);
    ASSERT(l->places.count == number);
    count(l, status, 1);
    if (list_status_live(status))
        table_insert(&l->live, user_hash(user), number);
    if (status == LIST_WAITING)
        entry_wait(l, number, true);
    return number;
}

void list_entry_set_status(struct waiting_list *l, uint32_t number, enum list_status status)
{
    struct list_entry *entry = list_entry_at(l, number);
    enum list_status was = (enum list_status)entry->status;
    ASSERT(was == LIST_WAITING ? status == LIST_OFFERED || status == LIST_LEFT
                               : was == LIST_OFFERED && (status == LIST_FINISHED || status == LIST_LEFT));
    if (was == LIST_WAITING)
        entry_wait(l, number, false);
    if (!list_status_live(status)) /* its user can join again */
        table_remove(&l->live, user_hash(list_entry_user(entry)), number);
    count(l, was, -1);
    count(l, status, 1);
    entry->status = (uint8_t)status;
}

void list_rename_user(struct waiting_list *l, struct text from, struct text to)
{
    ASSERT(!list_live(l, from) && to.size >= 1 && to.size <= USER_SIZE_MAX);
    for (uint32_t number = 1; number <= l->entries.used; number++) {
        struct list_entry *entry = list_entry_at(l, number);
        if (!text_equal(list_entry_user(entry), from))
            continue;
        free(entry->user);
        entry->user = memory_copy(to.at, to.size);
        entry->user_size = (uint8_t)to.size;
    }
}

void list_entry_bar(struct waiting_list *l, uint32_t number)
{
    struct list_entry *entry = list_entry_at(l, number);
    ASSERT(entry->status == LIST_WAITING && !entry->barred);
    ASSERT(l->groups[entry->group].entries.entries[entry->place].handle == number);
    heap_remove(&l->groups[entry->group].entries, entry->place);
    heap_push(&l->barred, number, number);
    entry->barred = true;
    group_changed(l, entry->group);
}

void list_entry_unbar(struct waiting_list *l, const struct event *e, uint32_t number)
{
    struct list_entry *entry = list_entry_at(l, number);
    ASSERT(entry->status == LIST_WAITING && entry->barred);
    ASSERT(l->barred.entries[entry->place].handle == number);
    heap_remove(&l->barred, entry->place);
    heap_push(&l->groups[entry->group].entries, number, number);
    entry->barred = false;
    group_changed(l, entry->group);
    wish_group_try(l, e, entry->group);
}
