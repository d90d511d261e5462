/* SPDX-License-Identifier: Apache-2.0 */
#include "core/queue/queue_line.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "core/queue/queue.h"

_Static_assert(sizeof(struct queue_entry) == 32, "there are millions of them");

#define COUNT_GONE_COST 16    /* to count an entry; to look at one costs 1 */
#define COUNT_CLEAR_COST 4096 /* to clear a chunk */

static uint64_t user_hash(const struct queue *q, struct text user)
{
    return hash_sip(q->key, user.at, user.size);
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
    struct queue *q = memory_zeroed(1, sizeof(*q));
    q->image = *image;
    q->all_by_status = all_by_status;
    q->key = (struct hash_key){entry_key[0], entry_key[1]};
    q->place = HEAP_NONE;
    q->cursor = 1;
    slab_init(&q->entries, sizeof(struct queue_entry));
    table_init(&q->by_user, hash_of_user, q);
    fenwick_init(&q->gone);
    heap_init(&q->untils, NULL, NULL);
    heap_init(&q->returned, NULL, NULL);
    return q;
}

void queue_release(struct queue *q)
{
    if (!q)
        return;
    slab_release(&q->entries);
    for (uint32_t i = 0; i < q->name_chunks; i++)
        free(q->names[i]);
    free(q->names);
    table_release(&q->by_user);
    for (uint32_t i = 0; i < q->tier_count; i++)
        text_free(q->tier_names[i]);
    draw_release(&q->draw);
    fenwick_release(&q->gone);
    heap_release(&q->untils);
    heap_release(&q->returned);
    free(q->returning);
    free(q);
}

/* ---- Users ---- */

struct text queue_user(const struct queue *q, uint32_t number)
{
    ASSERT(number >= 1 && number <= queue_joined(q));
    uint64_t name = queue_entry(q, number)->name;
    const char *at = q->names[name / QUEUE_NAMES_CHUNK] + name % QUEUE_NAMES_CHUNK;
    return (struct text){at + 1, (uint8_t)*at};
}

static uint64_t name_add(struct queue *q, struct text user)
{
    ASSERT(user.size >= 1 && user.size <= USER_SIZE_MAX);
    /* No name crosses a chunk boundary, so that it is contiguous: the rest of the chunk stays empty. */
    if (q->names_end % QUEUE_NAMES_CHUNK + 1 + user.size > QUEUE_NAMES_CHUNK)
        q->names_end = (uint64_t)q->name_chunks * QUEUE_NAMES_CHUNK;
    if (q->names_end == (uint64_t)q->name_chunks * QUEUE_NAMES_CHUNK) {
        q->names = memory_room_counted(q->names, q->name_chunks, sizeof(*q->names));
        q->names[q->name_chunks++] = memory_get(QUEUE_NAMES_CHUNK);
    }
    uint64_t name = q->names_end;
    char *at = q->names[name / QUEUE_NAMES_CHUNK] + name % QUEUE_NAMES_CHUNK;
    *at = (char)(uint8_t)user.size;
    memcpy(at + 1, user.at, user.size);
    q->names_end += 1 + user.size;
    ASSERT(q->names_end <= (uint64_t)q->name_chunks * QUEUE_NAMES_CHUNK);
    return name;
}

uint32_t queue_find_user(struct queue *q, struct text user)
{
    uint32_t number = table_find(&q->by_user, user_hash(q, user), same_user, &user);
    return number == TABLE_NONE ? 0 : number;
}

void queue_rename_user(struct queue *q, struct text from, struct text to)
{
    uint32_t newest = queue_find_user(q, from);
    if (!newest)
        return;
    ASSERT(!queue_entry_live(queue_entry(q, newest)) && !queue_find_user(q, to));
    table_remove(&q->by_user, user_hash(q, from), newest);
    uint64_t name = name_add(q, to), cleared = UINT64_MAX;
    /* Only the newest can be looked up, so the older ones are searched for. Entries that were renamed before share a
     * name, and come one after the other. */
    for (uint32_t number = newest; number; number--) {
        struct queue_entry *entry = queue_entry(q, number);
        struct text user = queue_user(q, number);
        if (entry->name != cleared && !text_equal(user, from))
            continue;
        if (entry->name != cleared)
            memset(q->names[entry->name / QUEUE_NAMES_CHUNK] + entry->name % QUEUE_NAMES_CHUNK, 0,
                   1 + user.size);
        cleared = entry->name;
        entry->name = name;
    }
    table_insert(&q->by_user, user_hash(q, to), newest);
}

/* ---- Tiers ---- */

static uint32_t tier_find(const struct queue *q, struct text tier)
{
    uint32_t at = 0;
    while (at < q->tier_count && !text_equal(q->tier_names[at], tier))
        at++;
    return at;
}

bool queue_tiers_learn(struct queue *q, const struct text *tiers, uint32_t count, uint64_t *bits)
{
    uint32_t known = q->tier_count;
    ASSERT(count <= TIERS_MAX);
    *bits = 0;
    /* Count before adding: a refusal must change nothing. */
    for (uint32_t i = 0; i < count; i++)
        known += tier_find(q, tiers[i]) == q->tier_count;
    if (known > QUEUE_TIERS_MAX)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = tier_find(q, tiers[i]);
        if (at == q->tier_count)
            q->tier_names[q->tier_count++] = text_own(tiers[i]);
        *bits |= 1ULL << at;
    }
    ASSERT(q->tier_count <= known); /* duplicates were counted twice */
    return true;
}

uint32_t queue_tiers_name(const struct queue *q, uint64_t bits, struct text out[TIERS_MAX])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < q->tier_count && count < TIERS_MAX; i++)
        if (bits >> i & 1)
            out[count++] = q->tier_names[i];
    return count;
}

/* ---- Order ---- */

void queue_set_order(struct queue *q, bool has_queue, bool shuffle_before_open)
{
    enum queue_order order = QUEUE_BY_NUMBER;
    ASSERT(!q->image.drawn || q->image.opened_at_ms);
    if (!q->image.opened_at_ms)
        order = !has_queue || shuffle_before_open ? QUEUE_HIDDEN : QUEUE_BY_NUMBER;
    else if (q->image.drawn)
        order = QUEUE_BY_LOT;
    if (order == QUEUE_BY_LOT && !q->draw.table)
        draw_make(&q->draw, q->image.seed, q->image.drawn);
    if (order == q->order)
        return;
    /* Before the opening no one is admitted or passed over, and after it the order does not change. */
    ASSERT(q->order != QUEUE_BY_LOT && q->cursor == 1);
    if (q->order != QUEUE_HIDDEN) /* while it was hidden the tree was empty */
        q->gone_clear = 0;
    q->order = order;
    q->gone_done = 0;
    if (q->gone.count < q->image.drawn) { /* loading from the book, the draw comes before its entries */
        ASSERT(queue_joined(q) == 0);
        fenwick_release(&q->gone);
        fenwick_begin(&q->gone, q->image.drawn);
        q->gone_clear = q->gone.chunk_count;
    }
}

uint32_t queue_position(const struct queue *q, uint32_t number)
{
    if (q->order == QUEUE_HIDDEN)
        return 0;
    return number <= q->draw.count ? draw_position(&q->draw, number) : number;
}

uint32_t queue_number(const struct queue *q, uint32_t position)
{
    ASSERT(q->order != QUEUE_HIDDEN && position >= 1 && position <= queue_joined(q));
    uint32_t number = position <= q->draw.count ? draw_number(&q->draw, position) : position;
    ASSERT(number <= queue_joined(q));
    return number;
}

bool queue_count_gone(struct queue *q)
{
    uint32_t left = QUEUE_COUNT_MAX;
    while (!queue_counted(q) && left) {
        if (!queue_tree_cleared(q)) {
            fenwick_clear(&q->gone, q->gone_clear++);
            left -= left < COUNT_CLEAR_COST ? left : COUNT_CLEAR_COST;
            continue;
        }
        uint32_t number = ++q->gone_done;
        ASSERT(number <= queue_joined(q) && number <= q->gone.count);
        left--;
        if (queue_in_line(queue_entry(q, number)))
            continue;
        fenwick_add(&q->gone, queue_position(q, number), 1);
        left -= left < COUNT_GONE_COST ? left : COUNT_GONE_COST;
    }
    return queue_counted(q);
}

uint32_t queue_ahead(const struct queue *q, uint32_t number)
{
    uint32_t position = queue_position(q, number), before = position ? position - 1 : 0;
    uint32_t gone = queue_tree_cleared(q) ? fenwick_sum(&q->gone, before) : 0;
    ASSERT(gone <= before);
    return before - gone;
}

/* ---- Entries ---- */

/* The only place where entries are counted. */
static void count(struct queue *q, enum queue_status status, int by)
{
    ASSERT(by > 0 || q->by_status[status] > 0);
    q->by_status[status] += (uint32_t)by;
    q->all_by_status[status] += (uint64_t)by;
    ASSERT(q->all_by_status[status] >= q->by_status[status]);
}

void queue_count_out(struct queue *q)
{
    for (int status = QUEUE_STATUS_FIRST; status <= QUEUE_STATUS_LAST; status++) {
        ASSERT(q->all_by_status[status] >= q->by_status[status]);
        q->all_by_status[status] -= q->by_status[status];
    }
}

uint32_t queue_append(struct queue *q, struct text user, int64_t joined_at_ms, uint64_t tiers)
{
    uint32_t older = queue_find_user(q, user);
    ASSERT(!older || !queue_entry_live(queue_entry(q, older)));
    if (older)
        table_remove(&q->by_user, user_hash(q, user), older);
    ASSERT(joined_at_ms >= 0 && joined_at_ms <= QUEUE_JOINED_AT_MAX_MS);
    /* Checked before adding: a new entry in line does not change a complete sum. */
    bool clear = queue_tree_cleared(q), counted = q->order != QUEUE_HIDDEN && queue_counted(q);
    uint32_t number = slab_take(&q->entries) + 1;
    ASSERT(number == queue_joined(q) && number <= QUEUE_ENTRIES_MAX); /* by arrival, without gaps */
    *queue_entry(q, number) = (struct queue_entry){.joined_at_ms = (uint64_t)joined_at_ms & 0xffffffffffffULL,
                                                   .status = QUEUE_WAITING,
                                                   .name = name_add(q, user),
                                                   .tiers = tiers};
    table_insert(&q->by_user, user_hash(q, user), number);
    if (q->gone.count < number) /* a draw from the book has already made room for its entries */
        fenwick_append(&q->gone);
    if (clear)
        q->gone_clear = q->gone.chunk_count;
    if (counted)
        q->gone_done = number;
    count(q, QUEUE_WAITING, 1);
    q->in_line++;
    ASSERT(q->gone_done <= number && q->gone.count >= number);
    return number;
}

/* Whether it was ever admitted: then it has the end of its pass. */
static bool was_admitted(enum queue_status status, int64_t until_ms)
{
    return until_ms && status != QUEUE_PASSED_OVER;
}

bool queue_may_move(const struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms)
{
    const struct queue_entry *e = queue_entry(q, number);
    if (status == QUEUE_ADMITTED && !until_ms)
        return false;
    if (!q->image.opened_at_ms && status != QUEUE_LEFT)
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

void queue_restore_status(struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms)
{
    struct queue_entry *e = queue_entry(q, number);
    uint32_t position = queue_position(q, number);
    bool was = queue_in_line(e);
    count(q, (enum queue_status)e->status, -1);
    count(q, status, 1);
    if (e->status == QUEUE_ADMITTED) /* frees a place */
        q->full = false;
    e->status = (uint8_t)status;
    e->until_s = (uint32_t)(until_ms / 1000);
    bool is = queue_in_line(e);
    q->in_line += (uint32_t)is - (uint32_t)was;
    ASSERT(q->in_line >= q->by_status[QUEUE_WAITING] &&
           q->in_line - q->by_status[QUEUE_WAITING] <= q->by_status[QUEUE_PASSED_OVER]);
    /* Entries that are not counted yet will be counted later. */
    if (is != was && number <= q->gone_done)
        fenwick_add(&q->gone, position, is ? -1 : 1);
    bool admitted = was_admitted(status, until_ms);
    if (admitted && position > q->serving)
        q->serving = position;
    if ((admitted || status == QUEUE_PASSED_OVER) && position >= q->cursor)
        q->cursor = position + 1;
    ASSERT(q->serving < q->cursor);
    /* Stale elements stay in these heaps: they are checked when removed. */
    if (until_ms && queue_status_live(status))
        heap_push(&q->untils, until_ms, number);
    if (status == QUEUE_PASSED_OVER && !until_ms)
        heap_push(&q->returned, position, number);
}

void queue_set_status(struct queue *q, uint32_t number, enum queue_status status, int64_t until_ms)
{
    ASSERT(number >= 1 && number <= queue_joined(q));
    ASSERT(until_ms >= 0 && until_ms % 1000 == 0 && until_ms / 1000 <= UINT32_MAX);
    ASSERT(queue_may_move(q, number, status, until_ms));
    queue_restore_status(q, number, status, until_ms);
}
