/* SPDX-License-Identifier: Apache-2.0 */
/* entry_codec.c — the bytes of what belongs to waiting rooms and waiting lists. See change_codec.c before
 * touching any. */
#include "base/assertion.h"
#include "core/codec.h"

static void tiers_put(struct buf *out, const struct text *tiers, uint32_t count)
{
    ASSERT(count <= TIERS_MAX);
    bytes_put_varint(out, count);
    for (uint32_t i = 0; i < count; i++)
        codec_put_text(out, tiers[i]);
}

static uint32_t tiers_get(struct bytes_reader *in, struct text tiers[TIERS_MAX])
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

void event_lines_encode(struct buf *out, const struct event_image *e)
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
    ASSERT(r->pass_ttl_s <= TTL_SECONDS_MAX);
    bytes_put_signed(out, r->open_at_ms);
    bytes_put_varint(out, r->rate_per_second);
    bytes_put_varint(out, r->max_active);
    bytes_put_varint(out, r->pass_ttl_s);
    bytes_put_u8(out, r->shuffle_before_open);
    bytes_put_u8(out, r->by_inventory);
    tiers_put(out, r->tiers, r->tier_count);
}

void event_lines_decode(struct bytes_reader *in, struct change *change)
{
    struct event_image *e = &change->event;
    uint8_t has = bytes_left(in) ? bytes_get_u8(in) : 0; /* none: written before there were lines */
    e->has_queue = has & HAS_QUEUE;
    e->has_list = has & HAS_LIST;
    e->queue = (struct queue_settings){0};
    e->entry_key[0] = e->entry_key[1] = 0;
    if (has & HAS_KEY) {
        e->entry_key[0] = bytes_get_u64(in);
        e->entry_key[1] = bytes_get_u64(in);
    }
    if (!e->has_queue)
        return;
    struct queue_settings *r = &e->queue;
    r->open_at_ms = bytes_get_signed(in);
    r->rate_per_second = codec_get_u32(in, ADMISSION_RATE_MAX);
    in->bad = in->bad || !r->rate_per_second;
    r->max_active = codec_get_u32(in, UINT32_MAX);
    r->pass_ttl_s = codec_get_u32(in, TTL_SECONDS_MAX);
    r->shuffle_before_open = bytes_get_u8(in) != 0;
    r->by_inventory = bytes_get_u8(in) != 0;
    r->tier_count = tiers_get(in, change->tiers);
    r->tiers = change->tiers;
}

void queue_encode(struct buf *out, const struct queue_image *r)
{
    ASSERT(!r->drawn || r->opened_at_ms);
    bytes_put_varint(out, r->event);
    buf_append(out, r->seed, sizeof(r->seed));
    bytes_put_u8(out, r->paused);
    bytes_put_signed(out, r->opened_at_ms);
    bytes_put_varint(out, r->drawn);
}

void queue_decode(struct bytes_reader *in, struct queue_image *r)
{
    r->event = bytes_get_varint(in);
    const uint8_t *seed = bytes_get_raw(in, sizeof(r->seed));
    if (seed)
        memcpy(r->seed, seed, sizeof(r->seed));
    r->paused = bytes_get_u8(in) != 0;
    r->opened_at_ms = bytes_get_signed(in);
    r->drawn = codec_get_u32(in, QUEUE_ENTRIES_MAX);
}

/* Most people join for themselves: then the actor's name is theirs. */
void queue_joined_encode(struct buf *out, const struct change *c)
{
    bool self = c->actor.role == ROLE_USER && text_equal(c->actor.name, c->joined.user_id);
    bytes_put_varint(out, c->joined.event);
    bytes_put_varint(out, c->joined.number);
    codec_put_optional(out, self ? (struct text){0} : c->joined.user_id);
    tiers_put(out, c->joined.tiers, c->joined.tier_count);
}

void queue_joined_decode(struct bytes_reader *in, struct change *c)
{
    c->joined.event = bytes_get_varint(in);
    c->joined.number = codec_get_u32(in, QUEUE_ENTRIES_MAX);
    c->joined.user_id = codec_get_optional(in);
    if (!c->joined.user_id.at)
        c->joined.user_id = c->actor.name;
    c->joined.tier_count = tiers_get(in, c->tiers);
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
    return !in->bad && move->number >= 1 && move->status > QUEUE_WAITING && move->status <= QUEUE_LEFT;
}

void list_entry_encode(struct buf *out, const struct list_entry_image *e)
{
    ASSERT(e->number >= 1 && e->number <= LIST_ENTRIES_MAX);
    ASSERT(e->wish.quantity >= 1 && e->wish.quantity <= QUANTITY_MAX);
    ASSERT(e->status >= LIST_WAITING && e->status <= LIST_LEFT);
    bytes_put_varint(out, e->event);
    bytes_put_varint(out, e->number);
    codec_put_text(out, e->user_id);
    bytes_put_varint(out, e->wish.quantity);
    bytes_put_u8(out, e->wish.adjacent);
    codec_put_optional(out, e->wish.tier);
    codec_put_optional(out, e->wish.section);
    codec_put_optional(out, e->wish.pool);
    bytes_put_u8(out, (uint8_t)e->status);
    bytes_put_signed(out, e->joined_at_ms);
    bytes_put_signed(out, e->changed_at_ms - e->joined_at_ms);
    codec_put_id(out, e->reservation);
}

void list_entry_decode(struct bytes_reader *in, struct list_entry_image *e)
{
    *e = (struct list_entry_image){0};
    e->event = bytes_get_varint(in);
    e->number = codec_get_u32(in, LIST_ENTRIES_MAX);
    e->user_id = codec_get_text(in);
    e->wish.quantity = codec_get_u32(in, QUANTITY_MAX);
    e->wish.adjacent = bytes_get_u8(in) != 0;
    e->wish.tier = codec_get_optional(in);
    e->wish.section = codec_get_optional(in);
    e->wish.pool = codec_get_optional(in);
    e->status = (enum list_status)bytes_get_u8(in);
    e->joined_at_ms = bytes_get_signed(in);
    e->changed_at_ms = e->joined_at_ms + bytes_get_signed(in);
    e->reservation = codec_get_id(in);
    if (e->number < 1 || e->user_id.size < 1 || e->user_id.size > USER_SIZE_MAX || e->wish.quantity < 1 ||
        e->status < LIST_WAITING || e->status > LIST_LEFT)
        in->bad = true;
}
