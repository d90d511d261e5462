/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/hash.h"
#include "base/memory.h"
#include "core/catalogue/event_index.h"
#include "core/queue/queue_time.h"
#include "core/claim/kind.h"
#include "core/claim/expiry.h"
#include "core/step.h"
#include "core/state.h"

static const struct hash_key id_key = {0x6576656e74206964, 0x686f6c6466617374};

uint64_t event_id_hash(struct text id)
{
    return hash_sip(id_key, id.at, id.size);
}

uint64_t event_number_hash(uint64_t number)
{
    uint64_t v = number * 0x9e3779b97f4a7c15ULL;
    return v ^ v >> 32;
}

static bool event_same_id(void *owner, uint32_t index, const void *key)
{
    struct state *st = owner;
    return text_equal(st->events[index]->image.id, *(const struct text *)key);
}

static bool event_same_number(void *owner, uint32_t index, const void *key)
{
    struct state *st = owner;
    return st->events[index]->image.number == *(const uint64_t *)key;
}

struct event *event_find(const struct state *st, struct text id)
{
    uint32_t index = table_find(&st->events_by_id, event_id_hash(id), event_same_id, &id);
    return index == TABLE_NONE ? NULL : st->events[index];
}

struct event *event_find_number(const struct state *st, uint64_t number)
{
    uint32_t index = table_find(&st->events_by_number, event_number_hash(number), event_same_number, &number);
    return index == TABLE_NONE ? NULL : st->events[index];
}

bool event_on_sale(const struct event *e, enum role role, int64_t now_ms)
{
    if (e->image.on_sale_at_ms && now_ms < e->image.on_sale_at_ms && role != ROLE_ADMIN)
        return false;
    return !e->image.off_sale_at_ms || now_ms < e->image.off_sale_at_ms;
}

/* A list of texts in one piece of memory: the texts, and behind them their bytes. */
static struct text *tiers_own(const struct text *tiers, uint32_t count)
{
    size_t size = count * sizeof(*tiers);
    for (uint32_t i = 0; i < count; i++)
        size += tiers[i].size;
    struct text *own = count ? memory_get(size) : NULL;
    char *at = (char *)(own + count);
    for (uint32_t i = 0; i < count; i++) {
        memcpy(at, tiers[i].at, tiers[i].size);
        own[i] = (struct text){at, tiers[i].size};
        at += tiers[i].size;
    }
    return own;
}

static void image_free(struct event_image *image)
{
    free((void *)(uintptr_t)image->id.at);
    free((void *)(uintptr_t)image->name.at);
    free((void *)(uintptr_t)image->queue.tiers);
}

static void image_own(struct event *e, const struct event_image *image)
{
    /* Copied before anything is freed: the new image may borrow texts from the present one. */
    char *id = memory_copy(image->id.at, image->id.size);
    char *name = memory_copy(image->name.at, image->name.size);
    struct text *tiers = tiers_own(image->queue.tiers, image->queue.tier_count);
    image_free(&e->image);
    e->image = *image;
    e->image.id.at = id;
    e->image.name.at = name;
    e->image.queue.tiers = tiers;
}

static void forget_rows(struct event *e)
{
    free(e->row_taken);
    e->row_taken = NULL;
    e->rows_counted = 0;
}

/* Of a removed event nothing is claimed any more. */
static void event_drop_seats(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->counts.held && !e->counts.sold);
    if (e->seats) {
        struct detached *r = detached_add(st);
        r->seats = e->seats;
        r->seat_chunks = e->seat_chunks;
    }
    e->seats = NULL;
    e->seat_chunks = 0;
    e->counts = (struct event_counts){0};
    bitset_release(&e->claimed);
    bitset_release(&e->blocked);
    forget_rows(e);
}

/* The names were kept for the reservations that speak of them. */
static void event_drop_layout(struct state *st, struct event *e)
{
    if (e->layout)
        detached_add(st)->layout = e->layout;
    e->layout = NULL;
}

/* What became of those who stood in line is no longer shown. */
static void event_drop_lines(struct state *st, struct event *e)
{
    if (e->queue)
        detached_add(st)->queue = queue_take(st, e);
    if (e->list)
        detached_add(st)->list = waiting_list_take(st, e);
}

static void pools_release(struct event *e)
{
    for (uint32_t i = 0; i < e->pool_count; i++) {
        free((void *)(uintptr_t)e->pools[i].image.id.at);
        free((void *)(uintptr_t)e->pools[i].image.name.at);
        heap_release(&e->pools[i].lapses);
    }
    free(e->pools);
    e->pools = NULL;
    e->pool_count = 0;
}

/* No reservation in memory refers to the removed event any more. Its number stays until the index is taken
 * again, so that this step can still name it. */
static void event_let_go(struct state *st, struct event *e)
{
    ASSERT(e->image.removed && !e->seats && !e->queue && !e->list);
    event_drop_layout(st, e);
    pools_release(e);
    table_remove(&st->events_by_number, event_number_hash(e->image.number), e->index);
    image_free(&e->image);
    e->image = (struct event_image){.number = e->image.number, .removed = true};
    event_index_give(st, e);
}

bool event_item_find(struct state *st, uint64_t number, uint32_t *place)
{
    const struct event *e = event_find_number(st, number);
    *place = e ? e->index : 0;
    return e;
}

uint64_t *event_item_seq(struct state *st, const struct item *item)
{
    return &st->events[item->resource]->seq;
}

void event_item_name(const struct event *e, struct item_image *out)
{
    out->resource = e->image.number;
    out->resource_id = e->image.id;
}

void event_item_added(struct state *st, const struct item *item)
{
    struct event *e = item_event(st, item);
    if (e)
        e->items++;
}

void event_item_gone(struct state *st, const struct item *item)
{
    struct event *e = item_event(st, item);
    if (!e)
        return;
    ASSERT(e->items > 0);
    if (--e->items == 0 && e->image.removed)
        event_let_go(st, e);
}

static struct event *event_add(struct state *st, const struct event_image *image)
{
    struct event *e = event_index_take(st);
    image_own(e, image);
    table_insert(&st->events_by_number, event_number_hash(image->number), e->index);
    return e;
}

struct event *event_recall(struct state *st, uint64_t number, struct text id)
{
    ASSERT(!event_find_number(st, number));
    /* Not by id: another event may have the name by now. */
    return event_add(st, &(struct event_image){.number = number, .id = id, .removed = true});
}

struct event *event_restore(struct state *st, const struct event_image *image, uint64_t seq)
{
    struct event *e = event_find_number(st, image->number);
    if (!e) {
        ASSERT(!image->removed);
        e = event_add(st, image);
        table_insert(&st->events_by_id, event_id_hash(image->id), e->index);
        event_list_add(st, e);
    } else {
        ASSERT(!e->image.removed && text_equal(e->image.id, image->id));
        if (image->removed) { /* while the old name is there: the tables look it up */
            table_remove(&st->events_by_id, event_id_hash(e->image.id), e->index);
            event_list_remove(st, e);
        }
        image_own(e, image);
    }
    e->seq = seq;
    if (image->removed) {
        ASSERT(e->live_units == 0);
        event_drop_seats(st, e);
        event_drop_lines(st, e);
        if (!e->items)
            event_let_go(st, e);
    } else if (e->queue) {
        queue_refit(st, e);
    }
    return e;
}

void event_release(struct event *e)
{
    image_free(&e->image);
    seats_release(e->seats, e->seat_chunks);
    bitset_release(&e->claimed);
    bitset_release(&e->blocked);
    forget_rows(e);
    layout_release(e->layout);
    pools_release(e);
    queue_release(e->queue);
    waiting_list_release(e->list);
    free(e);
}

void event_set_layout(struct state *st, struct event *e, struct layout *layout)
{
    uint32_t before = e->layout ? e->layout->count : 0;
    ASSERT(layout->count >= before && layout->count <= SEATS_MAX);
    if (layout->count == 0) { /* an import of no seats into an event without any */
        layout_release(layout);
        return;
    }
    layout_release(e->layout);
    e->layout = layout;
    uint32_t chunks = (layout->count + SEAT_CHUNK - 1) / SEAT_CHUNK;
    ASSERT(!e->image.removed);
    if (chunks > e->seat_chunks) {
        e->seats = memory_grow(e->seats, chunks, sizeof(*e->seats));
        while (e->seat_chunks < chunks)
            e->seats[e->seat_chunks++] = memory_zeroed(SEAT_CHUNK, sizeof(struct seat));
    }
    bitset_grow(&e->claimed, layout->count);
    bitset_grow(&e->blocked, layout->count);
    e->counts.seats = layout->count;
    e->counts.available += layout->count - before;
    ASSERT(event_counts_add_up(e));
    forget_rows(e); /* they may be others now */
    state_touch(st, e->index, 0, 0, NULL);
    queue_stock_grew(st, e);
    waiting_list_freed(st, e);
}

void event_set_blocked(struct state *st, struct event *e, uint32_t position, bool blocked)
{
    if (seat_blocked(e, position) == blocked)
        return;
    ASSERT(seat_at(e, position)->claim == CLAIM_NONE);
    bitset_put(&e->blocked, position, blocked);
    e->counts.available += blocked ? UINT64_MAX : 1;
    e->counts.blocked += blocked ? 1 : UINT64_MAX;
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
    event_count_seat(e, position, blocked);
    seat_touch(st, e, position);
    if (blocked)
        return;
    queue_stock_grew(st, e);
    waiting_list_seat_freed(st, e, position);
}

void event_set_blocks(struct event *e, const struct layout_blocks *blocks)
{
    ASSERT(e->rows_counted == 0 && blocks->off.size == blocks->back.size);
    for (uint32_t i = 0; i < blocks->off.size && i < e->blocked.size; i++) {
        uint64_t was = e->blocked.words[i], is = (was & ~blocks->back.words[i]) | blocks->off.words[i];
        ASSERT((is & e->claimed.words[i]) == 0);
        ASSERT((blocks->off.words[i] & blocks->back.words[i]) == 0);
        if (is == was)
            continue;
        uint64_t more = (uint64_t)__builtin_popcountll(is) - (uint64_t)__builtin_popcountll(was);
        e->counts.blocked += more;
        e->counts.available -= more;
        e->blocked.words[i] = is;
    }
    ASSERT(event_counts_add_up(e) && e->counts.blocked <= e->counts.seats);
}

/* ---- Rows ---- */

struct event_counts event_counts_shown(const struct event *e)
{
    struct event_counts counts = e->counts;
    if (waiting_list_busy(e)) {
        counts.held += counts.available;
        counts.available = 0;
    }
    return counts;
}

void event_count_seat(struct event *e, uint32_t position, bool taken)
{
    if (position >= e->rows_counted)
        return;
    uint32_t row = layout_row_of(e->layout, position);
    e->row_taken[row] += taken ? 1 : UINT32_MAX;
    ASSERT(e->row_taken[row] <= e->layout->rows[row].count);
}

static void count_rows_of(struct event *e, const struct bitset *taken, uint32_t from, uint32_t below)
{
    while ((from = bitset_next(taken, from, below)) != BITSET_NONE)
        e->row_taken[layout_row_of(e->layout, from++)]++;
}

bool event_count_rows(struct event *e)
{
    uint32_t count = e->layout->count, from = e->rows_counted;
    ASSERT(from <= count);
    if (from == count)
        return true;
    if (!e->row_taken)
        e->row_taken = memory_zeroed(e->layout->row_count, sizeof(*e->row_taken));
    e->rows_counted = count - from > EVENT_COUNT_MAX ? from + EVENT_COUNT_MAX : count;
    /* No seat is in both sets: the sums are right. */
    count_rows_of(e, &e->claimed, from, e->rows_counted);
    count_rows_of(e, &e->blocked, from, e->rows_counted);
    return e->rows_counted == count;
}

/* ---- Commands ---- */

static void emit_event(struct state *st, const struct event_image *image)
{
    st->change.kind = CHANGE_EVENT;
    st->change.event = *image;
    uint64_t seq = state_emit(st);
    ASSERT(image->number && image->number <= seq);
}

/* OK when the seats may be copied, or are the same already (*from is NULL then). */
static enum outcome_code copy_judge(struct state *st, const struct command *c, const struct event *e,
                                    struct event **from, struct outcome *out)
{
    *from = NULL;
    if (!c->event_put.copy_seats_from.at)
        return OUTCOME_OK;
    struct event *source = event_find(st, c->event_put.copy_seats_from);
    if (!source)
        return state_invalid(out, "Invalid copy_seats_from: no such event.", "/copy_seats_from");
    /* The same seats are accepted: this may be a retry. */
    if (e && e->layout && (!source->layout || e->layout->digest != source->layout->digest))
        return state_invalid(out, "Invalid copy_seats_from: this event already has seats.",
                             "/copy_seats_from");
    if (source->layout && (!e || !e->layout))
        *from = source;
    return OUTCOME_OK;
}

enum outcome_code event_put(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->event_put.image.id), *from;
    enum outcome_code code = copy_judge(st, c, e, &from, out);
    if (code != OUTCOME_OK)
        return code;
    struct event_image image = c->event_put.image;
    image.number = e ? e->image.number : 0;
    image.created_at_ms = e ? e->image.created_at_ms : st->now_ms;
    image.removed = false;
    /* A key stays for ever: the ids of those in line are made with it. */
    if (e && (e->image.entry_key[0] || e->image.entry_key[1]))
        memcpy(image.entry_key, e->image.entry_key, sizeof(image.entry_key));
    out->created = !e;
    if (e && e->queue) { /* by the settings it had */
        queue_open_due(st, e);
        queue_earn(st, e, QUEUE_IDLE_MILLI);
    }
    if (!e)
        image.number = state_next_seq(st);
    emit_event(st, &image);
    e = event_restore(st, &image, st->seq);
    ASSERT(out->created == (e->image.number == st->seq));
    queue_put(st, e, c->event_put.seed);
    waiting_list_freed(st, e);
    if (from) {
        st->change.kind = CHANGE_SEATS_COPIED;
        st->change.copied.event = e->image.number;
        st->change.copied.from = from->image.number;
        e->seq = state_emit(st);
        event_set_layout(st, e, layout_share(from->layout));
    }
    out->event = e->image;
    out->seq = st->seq;
    return OUTCOME_OK;
}

/* Lapsed holds do not count: settles those of the event, up to the first seat whose claim stands. */
static void settle_event(struct state *st, struct event *e)
{
    uint32_t at = 0;
    while ((at = bitset_next(&e->claimed, at, UINT32_MAX)) != BITSET_NONE) {
        settle_seat(st, e, at);
        if (bitset_has(&e->claimed, at)) /* one that stands is enough to refuse */
            return;
    }
    for (uint32_t i = 0; i < e->pool_count && !st->settle_short; i++)
        settle_pool(st, &e->pools[i], e->pools[i].image.capacity);
}

enum outcome_code event_remove(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = event_find(st, c->event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    settle_event(st, e);
    out->seq = e->seq;
    if (e->live_units)
        return OUTCOME_IN_USE;
    struct event_image image = e->image;
    image.removed = true;
    emit_event(st, &image);
    event_restore(st, &image, st->seq);
    state_touch(st, e->index, 0, 0, NULL);
    out->seq = st->removed_seq = st->seq;
    return OUTCOME_OK;
}

/* The event an import is for; an event made later under the same name is another one. */
static struct event *import_event(struct state *st, struct text id, uint64_t import)
{
    struct event *e = event_find(st, id);
    return e && e->image.number < import ? e : NULL;
}

enum outcome_code event_seats_stage(struct state *st, const struct command *c, struct outcome *out)
{
    struct event *e = import_event(st, c->seats_stage.event, c->seats_stage.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    st->change.kind = CHANGE_SEATS_STAGED;
    st->change.staged.event = e->image.number;
    st->change.staged.import = c->seats_stage.import;
    st->change.staged.count = c->seats_stage.count;
    st->change.staged.rows = bytes_reader_make(c->seats_stage.rows, c->seats_stage.size);
    out->seq = state_emit(st);
    return OUTCOME_OK;
}

/* A claimed seat cannot be blocked: every one asked for is named. */
static enum outcome_code block_judge(struct step *step, struct event *e, uint32_t position, uint32_t index,
                                     struct outcome *out)
{
    struct state *st = step->state;
    settle_seat(st, e, position);
    ASSERT(seat_at(e, position)->claim != CLAIM_PLANNED);
    if (seat_at(e, position)->claim == CLAIM_NONE)
        return OUTCOME_OK;
    if (out->obstacle_count < ITEMS_MAX)
        step->obstacles[out->obstacle_count++] = seat_obstacle(st, e, position, index);
    out->obstacles = step->obstacles;
    out->seq = e->seq;
    return OUTCOME_TAKEN;
}

enum outcome_code event_seats_publish(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = import_event(st, c->seats_publish.event, c->seats_publish.import);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    ASSERT(e->layout == c->seats_publish.base);
    const struct layout_blocks *blocks = c->seats_publish.blocks;
    enum outcome_code code = OUTCOME_OK;
    uint32_t at = 0;
    while (out->obstacle_count < ITEMS_MAX &&
           (at = bitset_next_common(&blocks->off, &e->claimed, at, UINT32_MAX)) != BITSET_NONE) {
        if (block_judge(step, e, at, at, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
        at++;
    }
    if (code != OUTCOME_OK)
        return code;
    st->change.kind = CHANGE_SEATS_PUBLISHED;
    st->change.published.event = e->image.number;
    st->change.published.import = c->seats_publish.import;
    e->seq = state_emit(st);
    event_set_layout(st, e, c->seats_publish.layout);
    event_set_blocks(e, blocks);
    out->seq = st->seq;
    return OUTCOME_OK;
}

enum outcome_code event_seats_block(struct step *step, struct outcome *out)
{
    struct state *st = step->state;
    const struct command *c = step->command;
    struct event *e = event_find(st, c->seats_block.event);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    enum outcome_code code = OUTCOME_OK;
    struct buf positions;
    buf_init(&positions, (size_t)c->seats_block.count * 5 + 16);
    for (uint32_t i = 0; i < c->seats_block.count && code != OUTCOME_NO_SUCH_SEAT; i++) {
        uint32_t position = layout_find(e->layout, c->seats_block.ids[i]);
        if (position == LAYOUT_NONE) {
            code = OUTCOME_NO_SUCH_SEAT;
            break;
        }
        bytes_put_varint(&positions, position);
        if (c->seats_block.blocked && block_judge(step, e, position, i, out) != OUTCOME_OK)
            code = OUTCOME_TAKEN;
    }
    if (code == OUTCOME_OK) {
        st->change.kind = CHANGE_SEATS_BLOCKED;
        st->change.blocked.event = e->image.number;
        st->change.blocked.blocked = c->seats_block.blocked;
        st->change.blocked.count = c->seats_block.count;
        st->change.blocked.positions = bytes_reader_make(positions.data, positions.size);
        e->seq = out->seq = state_emit(st);
        /* Read back rather than looked up again: a name costs a hash, and there may be many. */
        struct bytes_reader reader = bytes_reader_make(positions.data, positions.size);
        for (uint32_t i = 0; i < c->seats_block.count; i++)
            event_set_blocked(st, e, (uint32_t)bytes_get_varint(&reader), c->seats_block.blocked);
    }
    buf_release(&positions);
    return code;
}
