/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/queue_line.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory.h"
#include "core/queue/queue.h"

_Static_assert(sizeof(struct queue_entry) == 32, "there are millions of them");

#define COUNT_GONE_COST 16    /* of one that is counted, beside one that is only looked at */
#define COUNT_CLEAR_COST 4096 /* of a chunk that is cleared */

static uint64_t user_hash(const struct queue *r, struct text user)
{
    return hash_sip(r->key, user.at, user.size);
}

static uint64_t hash_of_user(void *owner, uint32_t number)
{
    return user_hash(owner, queue_user(owner, number));
}

static bool same_user(void *owner, uint32_t number, const void *key)
{
    return text_equal(queue_user(owner, number), *(const struct text *)key);
}

struct queue *queue_make(const struct queue_image *image, const uint64_t entry_key[2],
                         uint64_t *all_by_status)
{
    struct queue *r = memory_zeroed(1, sizeof(*r));
    r->image = *image;
    r->all_by_status = all_by_status;
    r->key = (struct hash_key){entry_key[0], entry_key[1]};
    r->place = HEAP_NONE;
    r->cursor = 1;
    slab_init(&r->entries, sizeof(struct queue_entry));
    table_init(&r->by_user, hash_of_user, r);
    fenwick_init(&r->gone);
    heap_init(&r->untils, NULL, NULL);
    heap_init(&r->returned, NULL, NULL);
    return r;
}

void queue_release(struct queue *r)
{
    if (!r)
        return;
    slab_release(&r->entries);
    for (uint32_t i = 0; i < r->name_chunks; i++)
        free(r->names[i]);
    free(r->names);
    table_release(&r->by_user);
    for (uint32_t i = 0; i < r->tier_count; i++)
        free((void *)(uintptr_t)r->tier_names[i].at);
    draw_release(&r->draw);
    fenwick_release(&r->gone);
    heap_release(&r->untils);
    heap_release(&r->returned);
    free(r->coming);
    free(r);
}

/* ---- Users ---- */

struct text queue_user(const struct queue *r, uint32_t number)
{
    ASSERT(number >= 1 && number <= queue_joined(r));
    uint64_t name = queue_entry(r, number)->name;
    const char *at = r->names[name / QUEUE_NAMES_CHUNK] + name % QUEUE_NAMES_CHUNK;
    return (struct text){at + 1, (uint8_t)*at};
}

static uint64_t name_add(struct queue *r, struct text user)
{
    ASSERT(user.size >= 1 && user.size <= USER_SIZE_MAX);
    /* None crosses a border, so that a name is one piece of memory: the rest of the chunk stays empty. */
    if (r->names_end % QUEUE_NAMES_CHUNK + 1 + user.size > QUEUE_NAMES_CHUNK)
        r->names_end = (uint64_t)r->name_chunks * QUEUE_NAMES_CHUNK;
    if (r->names_end == (uint64_t)r->name_chunks * QUEUE_NAMES_CHUNK) {
        if ((r->name_chunks & (r->name_chunks - 1)) == 0)
            r->names = memory_grow(r->names, r->name_chunks ? r->name_chunks * 2u : 1u, sizeof(*r->names));
        r->names[r->name_chunks++] = memory_get(QUEUE_NAMES_CHUNK);
    }
    uint64_t name = r->names_end;
    char *at = r->names[name / QUEUE_NAMES_CHUNK] + name % QUEUE_NAMES_CHUNK;
    *at = (char)(uint8_t)user.size;
    memcpy(at + 1, user.at, user.size);
    r->names_end += 1 + user.size;
    ASSERT(r->names_end <= (uint64_t)r->name_chunks * QUEUE_NAMES_CHUNK);
    return name;
}

uint32_t queue_find_user(struct queue *r, struct text user)
{
    uint32_t number = table_find(&r->by_user, user_hash(r, user), same_user, &user);
    return number == TABLE_NONE ? 0 : number;
}

/* ---- Tiers ---- */

static uint32_t tier_find(const struct queue *r, struct text tier)
{
    uint32_t at = 0;
    while (at < r->tier_count && !text_equal(r->tier_names[at], tier))
        at++;
    return at;
}

bool queue_tiers_learn(struct queue *r, const struct text *tiers, uint32_t count, uint64_t *bits)
{
    uint32_t known = r->tier_count;
    ASSERT(count <= TIERS_MAX);
    *bits = 0;
    for (uint32_t i = 0; i < count; i++)
        known += tier_find(r, tiers[i]) == r->tier_count;
    if (known > QUEUE_TIERS_MAX)
        return false; /* and nothing is learnt */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = tier_find(r, tiers[i]);
        if (at == r->tier_count)
            r->tier_names[r->tier_count++] =
                (struct text){memory_copy(tiers[i].at, tiers[i].size), tiers[i].size};
        *bits |= 1ULL << at;
    }
    ASSERT(r->tier_count <= known); /* one that is named twice was counted twice */
    return true;
}

uint32_t queue_tiers_name(const struct queue *r, uint64_t bits, struct text out[TIERS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->tier_count && count < TIERS_MAX; i++)
        if (bits >> i & 1)
            out[count++] = r->tier_names[i];
    return count;
}

/* ---- Order ---- */

void queue_set_order(struct queue *r, bool has_queue, bool shuffle_before_open)
{
    enum queue_order order = QUEUE_BY_NUMBER;
    ASSERT(!r->image.drawn || r->image.opened_at_ms);
    if (!r->image.opened_at_ms)
        order = !has_queue || shuffle_before_open ? QUEUE_HIDDEN : QUEUE_BY_NUMBER;
    else if (r->image.drawn)
        order = QUEUE_BY_LOT;
    if (order == QUEUE_BY_LOT && !r->draw.table)
        draw_make(&r->draw, r->image.seed, r->image.drawn);
    if (order == r->order)
        return;
    /* Before the opening nobody is ever admitted or passed over, and after it the order stays. */
    ASSERT(r->order != QUEUE_BY_LOT && r->cursor == 1);
    if (r->order != QUEUE_HIDDEN) /* while it is hidden nobody is counted: there is nothing to clear */
        r->gone_clear = 0;
    r->order = order;
    r->gone_done = 0;
    if (r->gone.count < r->image.drawn) { /* from the book the draw comes before its entries */
        ASSERT(queue_joined(r) == 0);
        fenwick_release(&r->gone);
        fenwick_begin(&r->gone, r->image.drawn);
        r->gone_clear = r->gone.chunk_count;
    }
}

uint32_t queue_position(const struct queue *r, uint32_t number)
{
    if (r->order == QUEUE_HIDDEN)
        return 0;
    return number <= r->draw.count ? draw_position(&r->draw, number) : number;
}

uint32_t queue_number(const struct queue *r, uint32_t position)
{
    ASSERT(r->order != QUEUE_HIDDEN && position >= 1 && position <= queue_joined(r));
    uint32_t number = position <= r->draw.count ? draw_number(&r->draw, position) : position;
    ASSERT(number <= queue_joined(r));
    return number;
}

bool queue_count_gone(struct queue *r)
{
    uint32_t left = QUEUE_COUNT_MAX;
    while (!queue_counted(r) && left) {
        if (!queue_clear(r)) {
            fenwick_clear(&r->gone, r->gone_clear++);
            left -= left < COUNT_CLEAR_COST ? left : COUNT_CLEAR_COST;
            continue;
        }
        uint32_t number = ++r->gone_done;
        ASSERT(number <= queue_joined(r) && number <= r->gone.count);
        left--;
        if (queue_in_line(queue_entry(r, number)))
            continue;
        fenwick_add(&r->gone, queue_position(r, number), 1);
        left -= left < COUNT_GONE_COST ? left : COUNT_GONE_COST;
    }
    return queue_counted(r);
}

uint32_t queue_ahead(const struct queue *r, uint32_t number)
{
    uint32_t position = queue_position(r, number), before = position ? position - 1 : 0;
    uint32_t gone = queue_clear(r) ? fenwick_sum(&r->gone, before) : 0;
    ASSERT(gone <= before);
    return before - gone;
}

/* ---- Entries ---- */

/* The one place where entries are counted. */
static void count(struct queue *r, enum queue_status status, int by)
{
    ASSERT(by > 0 || r->by_status[status] > 0);
    r->by_status[status] += (uint32_t)by;
    r->all_by_status[status] += (uint64_t)by;
    ASSERT(r->all_by_status[status] >= r->by_status[status]);
}

void queue_count_out(struct queue *r)
{
    for (int status = QUEUE_WAITING; status <= QUEUE_LEFT; status++) {
        ASSERT(r->all_by_status[status] >= r->by_status[status]);
        r->all_by_status[status] -= r->by_status[status];
    }
}

uint32_t queue_append(struct queue *r, struct text user, int64_t joined_at_ms, uint64_t tiers)
{
    uint32_t older = queue_find_user(r, user);
    ASSERT(!older || !queue_entry_live(queue_entry(r, older)));
    if (older)
        table_remove(&r->by_user, user_hash(r, user), older);
    ASSERT(joined_at_ms >= 0 && joined_at_ms <= QUEUE_JOINED_AT_MAX_MS);
    bool clear = queue_clear(r), counted = r->order != QUEUE_HIDDEN && queue_counted(r);
    uint32_t number = slab_take(&r->entries) + 1;
    ASSERT(number == queue_joined(r) && number <= QUEUE_ENTRIES_MAX); /* by arrival, without gaps */
    *queue_entry(r, number) = (struct queue_entry){.joined_at_ms = (uint64_t)joined_at_ms & 0xffffffffffffULL,
                                                   .status = QUEUE_WAITING,
                                                   .name = name_add(r, user),
                                                   .tiers = tiers};
    table_insert(&r->by_user, user_hash(r, user), number);
    if (r->gone.count < number) /* a draw from the book made room for its entries before they came */
        fenwick_append(&r->gone);
    if (clear)
        r->gone_clear = r->gone.chunk_count;
    if (counted)
        r->gone_done = number;
    count(r, QUEUE_WAITING, 1);
    r->in_line++;
    ASSERT(r->gone_done <= number && r->gone.count >= number);
    return number;
}

/* Whether it was admitted at some time: then it has the end of its pass. */
static bool was_admitted(enum queue_status status, int64_t until_ms)
{
    return until_ms && status != QUEUE_PASSED_OVER;
}

bool queue_may_move(const struct queue *r, uint32_t number, enum queue_status status, int64_t until_ms)
{
    const struct queue_entry *e = queue_entry(r, number);
    if (status == QUEUE_ADMITTED && !until_ms)
        return false;
    if (!r->image.opened_at_ms && status != QUEUE_LEFT)
        return false;
    switch ((enum queue_status)e->status) {
    case QUEUE_WAITING:
        return status == QUEUE_ADMITTED || (status == QUEUE_PASSED_OVER && until_ms) ||
               (status == QUEUE_LEFT && !until_ms);
    case QUEUE_PASSED_OVER: /* away, back, away again */
        return status == QUEUE_ADMITTED || (status == QUEUE_PASSED_OVER && !until_ms == !!e->until_s) ||
               (status == QUEUE_LEFT && !until_ms);
    case QUEUE_ADMITTED:
        return (status == QUEUE_FINISHED || status == QUEUE_LEFT) && until_ms == queue_until_ms(e);
    case QUEUE_FINISHED:
    case QUEUE_LEFT:
        return false;
    }
    return false;
}

void queue_restore_status(struct queue *r, uint32_t number, enum queue_status status, int64_t until_ms)
{
    struct queue_entry *e = queue_entry(r, number);
    uint32_t position = queue_position(r, number);
    bool was = queue_in_line(e);
    count(r, (enum queue_status)e->status, -1);
    count(r, status, 1);
    if (e->status == QUEUE_ADMITTED) /* a place comes free */
        r->full = false;
    e->status = (uint8_t)status;
    e->until_s = (uint32_t)(until_ms / 1000);
    bool is = queue_in_line(e);
    r->in_line += (uint32_t)is - (uint32_t)was;
    ASSERT(r->in_line >= r->by_status[QUEUE_WAITING] &&
           r->in_line - r->by_status[QUEUE_WAITING] <= r->by_status[QUEUE_PASSED_OVER]);
    if (is != was && number <= r->gone_done)
        fenwick_add(&r->gone, position, is ? -1 : 1);
    bool admitted = was_admitted(status, until_ms);
    if (admitted && position > r->serving)
        r->serving = position;
    if ((admitted || status == QUEUE_PASSED_OVER) && position >= r->cursor)
        r->cursor = position + 1;
    ASSERT(r->serving < r->cursor);
    /* What stands in these heaps already is left there, out of date: whoever takes it out looks. */
    if (until_ms && queue_status_live(status))
        heap_push(&r->untils, until_ms, number);
    if (status == QUEUE_PASSED_OVER && !until_ms)
        heap_push(&r->returned, position, number);
}

void queue_set_status(struct queue *r, uint32_t number, enum queue_status status, int64_t until_ms)
{
    ASSERT(number >= 1 && number <= queue_joined(r));
    ASSERT(until_ms >= 0 && until_ms % 1000 == 0 && until_ms / 1000 <= UINT32_MAX);
    ASSERT(queue_may_move(r, number, status, until_ms));
    queue_restore_status(r, number, status, until_ms);
}
