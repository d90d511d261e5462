/* SPDX-License-Identifier: Apache-2.0 */
/* entry_codec.c — the bytes of what belongs to waiting rooms and waiting lists. See change_codec.c before
 * touching any. */
#include "base/assertion.h"
#include "core/codec.h"

void codec_put_tiers(struct buf *out, const struct text *tiers, uint32_t count)
{
    ASSERT(count <= TIERS_MAX);
    bytes_put_varint(out, count);
    for (uint32_t i = 0; i < count; i++)
        codec_put_text(out, tiers[i]);
}

uint32_t codec_get_tiers(struct bytes_reader *in, struct text tiers[TIERS_MAX])
{
    uint32_t count = codec_get_u32(in, TIERS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        tiers[i] = codec_get_text(in);
        if (tiers[i].size < 1 || tiers[i].size > LABEL_SIZE_MAX)
            in->bad = true;
    }
    return count;
}

enum { HAS_QUEUE = 1, HAS_LIST = 2, HAS_KEY = 4 };

/* clang-format off */
#define QUEUE_SETTINGS_FIELDS(X) \
    X(signed, open_at_ms) X(u32, rate_per_second, ADMISSION_RATE_MAX) X(u32, max_active, UINT32_MAX) \
    X(u32, pass_ttl_s, TTL_SECONDS_MAX) X(flag, shuffle_before_open) X(flag, by_inventory)
#define QUEUE_FIELDS(X) \
    X(number, event) X(raw, seed, sizeof(r->seed)) X(flag, paused) X(signed, opened_at_ms) \
    X(u32, drawn, QUEUE_ENTRIES_MAX)
#define MOVED_FIELDS(X) X(number, event) X(list, moves, MOVES_MAX, 0)
#define LIST_ENTRY_FIELDS(X) \
    X(number, event) X(u32, number, LIST_ENTRIES_MAX) X(text, user_id) \
    X(u32, wish.quantity, QUANTITY_MAX) X(flag, wish.adjacent) \
    X(optional, wish.tier) X(optional, wish.section) X(optional, wish.pool) \
    X(word, status, LIST_STATUS_FIRST, LIST_STATUS_LAST) X(signed, joined_at_ms) X(since, changed_at_ms, joined_at_ms) \
    X(id, reservation) X(optional, code)
/* clang-format on */

void event_entries_encode(struct buf *out, const struct event_image *e)
{
    const struct queue_settings *r = &e->queue;
    bool key = e->entry_key[0] || e->entry_key[1];
    bytes_put_u8(
        out, (uint8_t)((e->has_queue ? HAS_QUEUE : 0) | (e->has_list ? HAS_LIST : 0) | (key ? HAS_KEY : 0)));
    if (key) {
        bytes_put_u64(out, e->entry_key[0]);
        bytes_put_u64(out, e->entry_key[1]);
    }
    if (!e->has_queue)
        return;
    ASSERT(r->rate_per_second);
    QUEUE_SETTINGS_FIELDS(CODEC_PUT)
    codec_put_tiers(out, r->tiers, r->tier_count);
}

void event_entries_decode(struct bytes_reader *in, struct change *change)
{
    struct event_image *e = &change->event;
    struct queue_settings *r = &e->queue;
    uint8_t has = codec_get_word(in, 0, HAS_QUEUE | HAS_LIST | HAS_KEY);
    e->has_queue = has & HAS_QUEUE;
    e->has_list = has & HAS_LIST;
    *r = (struct queue_settings){0};
    e->entry_key[0] = has & HAS_KEY ? bytes_get_u64(in) : 0;
    e->entry_key[1] = has & HAS_KEY ? bytes_get_u64(in) : 0;
    if (!e->has_queue)
        return;
    QUEUE_SETTINGS_FIELDS(CODEC_GET)
    in->bad = in->bad || !r->rate_per_second;
    r->tier_count = codec_get_tiers(in, change->tiers);
    r->tiers = change->tiers;
}

CHANGE_CODEC(queue, queue, QUEUE_FIELDS)
CHANGE_CODEC(queue_moved, moved, MOVED_FIELDS)

/* Most people join for themselves: then the actor's name is theirs. */
void queue_joined_change_put(struct buf *out, const struct change *c)
{
    bool self = c->actor.role == ROLE_USER && text_equal(c->actor.name, c->joined.user_id);
    bytes_put_varint(out, c->joined.event);
    bytes_put_varint(out, c->joined.number);
    codec_put_optional(out, self ? (struct text){0} : c->joined.user_id);
    codec_put_tiers(out, c->joined.tiers, c->joined.tier_count);
}

void queue_joined_change_get(struct bytes_reader *in, struct change *c)
{
    c->joined.event = bytes_get_varint(in);
    c->joined.number = codec_get_u32(in, QUEUE_ENTRIES_MAX);
    c->joined.user_id = codec_get_optional(in);
    if (!c->joined.user_id.at)
        c->joined.user_id = c->actor.name;
    c->joined.tier_count = codec_get_tiers(in, c->tiers);
    c->joined.tiers = c->tiers;
    if (c->joined.number < 1 || c->joined.user_id.size < 1 || c->joined.user_id.size > USER_SIZE_MAX)
        in->bad = true;
}

void queue_move_put(struct buf *out, const struct queue_move *move)
{
    ASSERT(move->until_ms >= 0 && move->until_ms % 1000 == 0);
    bytes_put_varint(out, move->number);
    bytes_put_u8(out, (uint8_t)move->status);
    bytes_put_varint(out, (uint64_t)(move->until_ms / 1000)); /* there are millions of moves */
}

bool queue_move_get(struct bytes_reader *in, struct queue_move *move)
{
    move->number = codec_get_u32(in, QUEUE_ENTRIES_MAX);
    move->status = (enum queue_status)bytes_get_u8(in);
    move->until_ms = (int64_t)codec_get_u32(in, UINT32_MAX) * 1000;
    return !in->bad && move->number >= 1 && move->status > QUEUE_WAITING && move->status <= QUEUE_STATUS_LAST;
}

void list_entry_change_put(struct buf *out, const struct change *c)
{
    const struct list_entry_image *r = &c->list_entry;
    ASSERT(r->number >= 1 && r->wish.quantity >= 1);
    LIST_ENTRY_FIELDS(CODEC_PUT)
}

void list_entry_change_get(struct bytes_reader *in, struct change *c)
{
    struct list_entry_image *r = &c->list_entry;
    *r = (struct list_entry_image){0};
    LIST_ENTRY_FIELDS(CODEC_GET)
    if (r->number < 1 || r->user_id.size < 1 || r->user_id.size > USER_SIZE_MAX || r->wish.quantity < 1 ||
        r->code.size > CODE_SIZE_MAX)
        in->bad = true;
}
