/* SPDX-License-Identifier: Apache-2.0 */
/* change_codec.c — the bytes of a change. They are kept on disk for years.
 *
 * Layout: kind u8, size of the rest u32, then at_ms signed varint, actor role u8 and name text, then the
 * fields of the kind in the order written below. To change a kind: append fields at its end and let the
 * decoder give them a default when the bytes run out; never reorder, never reuse a kind's number. An older
 * program refuses kinds that it does not know, which is right: it cannot keep what it does not understand.
 */
#include "core/change.h"

#include "base/assertion.h"
#include "core/codec.h"

struct id expired_id_get(struct bytes_reader *in)
{
    return codec_get_id(in);
}

static void event_put(struct buf *out, const struct event_image *e)
{
    ASSERT(e->number >= 1 && e->id.size <= ID_SIZE_MAX);
    bytes_put_varint(out, e->number);
    codec_put_text(out, e->id);
    codec_put_text(out, e->name);
    bytes_put_signed(out, e->starts_at_ms);
    bytes_put_signed(out, e->on_sale_at_ms);
    bytes_put_signed(out, e->off_sale_at_ms);
    codec_put_terms(out, &e->terms);
    bytes_put_varint(out, e->per_user_limit);
    bytes_put_signed(out, e->created_at_ms);
    bytes_put_u8(out, e->removed);
    event_lines_encode(out, e);
}

static void event_get(struct bytes_reader *in, struct change *change)
{
    struct event_image *e = &change->event;
    e->number = bytes_get_varint(in);
    e->id = codec_get_text(in);
    e->name = codec_get_text(in);
    e->starts_at_ms = bytes_get_signed(in);
    e->on_sale_at_ms = bytes_get_signed(in);
    e->off_sale_at_ms = bytes_get_signed(in);
    codec_get_terms(in, &e->terms);
    e->per_user_limit = codec_get_u32(in, UINT32_MAX);
    e->created_at_ms = bytes_get_signed(in);
    e->removed = bytes_get_u8(in) != 0;
    event_lines_decode(in, change);
}

static void pool_put(struct buf *out, const struct pool_image *p)
{
    ASSERT(p->position < POOLS_MAX && p->capacity <= POOL_CAPACITY_MAX);
    bytes_put_varint(out, p->event);
    bytes_put_varint(out, p->position);
    codec_put_text(out, p->id);
    codec_put_optional(out, p->name);
    bytes_put_varint(out, p->capacity);
    bytes_put_signed(out, p->price);
}

static void pool_get(struct bytes_reader *in, struct pool_image *p)
{
    p->event = bytes_get_varint(in);
    p->position = codec_get_u32(in, POOLS_MAX);
    p->id = codec_get_text(in);
    p->name = codec_get_optional(in);
    p->capacity = codec_get_u32(in, POOL_CAPACITY_MAX);
    p->price = bytes_get_signed(in);
}

void seat_row_put(struct buf *out, uint32_t columns, const struct seat_image *s)
{
    ASSERT(columns < SEAT_COLUMN_BLOCKED * 2);
    bytes_put_varint(out, columns);
    codec_put_text(out, s->id);
    if (columns & SEAT_COLUMN_SECTION)
        codec_put_optional(out, s->section);
    if (columns & SEAT_COLUMN_ROW)
        codec_put_optional(out, s->row);
    if (columns & SEAT_COLUMN_NUMBER)
        codec_put_optional(out, s->number);
    if (columns & SEAT_COLUMN_X) {
        bytes_put_u8(out, s->has_x);
        bytes_put_signed(out, s->x_milli);
    }
    if (columns & SEAT_COLUMN_Y) {
        bytes_put_u8(out, s->has_y);
        bytes_put_signed(out, s->y_milli);
    }
    if (columns & SEAT_COLUMN_TIER)
        codec_put_optional(out, s->tier);
    if (columns & SEAT_COLUMN_PRICE)
        bytes_put_signed(out, s->price);
    if (columns & SEAT_COLUMN_ACCESSIBLE)
        bytes_put_u8(out, s->accessible);
    if (columns & SEAT_COLUMN_BLOCKED)
        bytes_put_u8(out, s->blocked);
}

static int32_t get_coordinate(struct bytes_reader *in, bool *has)
{
    *has = bytes_get_u8(in) != 0;
    int64_t v = bytes_get_signed(in);
    if (v < INT32_MIN || v > INT32_MAX) {
        in->bad = true;
        return 0;
    }
    return (int32_t)v;
}

bool seat_row_get(struct bytes_reader *in, uint32_t *columns, struct seat_image *s)
{
    memset(s, 0, sizeof(*s));
    *columns = codec_get_u32(in, SEAT_COLUMN_BLOCKED * 2 - 1);
    s->id = codec_get_text(in);
    if (*columns & SEAT_COLUMN_SECTION)
        s->section = codec_get_optional(in);
    if (*columns & SEAT_COLUMN_ROW)
        s->row = codec_get_optional(in);
    if (*columns & SEAT_COLUMN_NUMBER)
        s->number = codec_get_optional(in);
    if (*columns & SEAT_COLUMN_X)
        s->x_milli = get_coordinate(in, &s->has_x);
    if (*columns & SEAT_COLUMN_Y)
        s->y_milli = get_coordinate(in, &s->has_y);
    if (*columns & SEAT_COLUMN_TIER)
        s->tier = codec_get_optional(in);
    if (*columns & SEAT_COLUMN_PRICE)
        s->price = bytes_get_signed(in);
    if (*columns & SEAT_COLUMN_ACCESSIBLE)
        s->accessible = bytes_get_u8(in) != 0;
    if (*columns & SEAT_COLUMN_BLOCKED)
        s->blocked = bytes_get_u8(in) != 0;
    return !in->bad && s->id.size >= 1 && s->id.size <= ID_SIZE_MAX && s->section.size <= LABEL_SIZE_MAX &&
           s->row.size <= LABEL_SIZE_MAX && s->number.size <= LABEL_SIZE_MAX &&
           s->tier.size <= LABEL_SIZE_MAX;
}

static void item_put(struct buf *out, const struct item_image *item)
{
    ASSERT(item->part <= SEATS_MAX);
    bytes_put_varint(out, item->item_id);
    bytes_put_u8(out, (uint8_t)item->kind);
    bytes_put_varint(out, item->resource);
    bytes_put_varint(out, item->part);
    bytes_put_varint(out, item->quantity);
    bytes_put_signed(out, item->price);
    bytes_put_varint(out, item->fence);
    if (item_kind_timed(item->kind)) {
        ASSERT(item->start_ms <= item->end_ms);
        bytes_put_signed(out, item->start_ms);
        bytes_put_signed(out, item->end_ms - item->start_ms);
        bytes_put_signed(out, item->until_ms - item->end_ms);
    }
}

static void reservation_put(struct buf *out, enum action action, const struct reservation_image *r)
{
    ASSERT(action >= ACTION_HELD && action <= ACTION_EXPIRED);
    ASSERT(r->status >= RESERVATION_HELD && r->status <= RESERVATION_REFUNDED);
    ASSERT(r->item_count <= ITEMS_MAX && r->created_at_ms <= r->expires_at_ms);
    bytes_put_u8(out, (uint8_t)action);
    codec_put_id(out, r->id);
    bytes_put_varint(out, r->number);
    bytes_put_varint(out, r->fence);
    bytes_put_varint(out, r->version);
    bytes_put_u8(out, (uint8_t)r->status);
    codec_put_text(out, r->user_id);
    bytes_put_signed(out, r->created_at_ms);
    /* Relative, so that they take few bytes: most of the journal is reservations. */
    bytes_put_signed(out, r->expires_at_ms - r->created_at_ms);
    bytes_put_signed(out, r->max_expires_at_ms - r->created_at_ms);
    bytes_put_signed(out, r->payment_started_at_ms);
    bytes_put_signed(out, r->confirmed_at_ms);
    bytes_put_signed(out, r->ended_at_ms);
    bytes_put_varint(out, r->hold_ttl_s);
    bytes_put_varint(out, r->payment_ttl_s);
    bytes_put_u8(out, r->payment_required);
    codec_put_currency(out, r->currency);
    bytes_put_varint(out, r->next_item_id);
    codec_put_optional(out, r->attributes);
    codec_put_optional(out, r->payment_method);
    codec_put_optional(out, r->payment_ref);
    bool has_tickets = r->ticket_key[0] || r->ticket_key[1];
    bytes_put_u8(out, has_tickets);
    if (has_tickets) {
        bytes_put_u64(out, r->ticket_key[0]);
        bytes_put_u64(out, r->ticket_key[1]);
    }
    bytes_put_varint(out, r->item_count);
    for (uint32_t i = 0; i < r->item_count; i++)
        item_put(out, &r->items[i]);
    bytes_put_u8(out, r->from_list);
}

static void item_get(struct bytes_reader *in, struct item_image *item)
{
    item->item_id = codec_get_u32(in, UINT32_MAX);
    item->kind = (enum item_kind)bytes_get_u8(in);
    if (!item_kind_claimed(item->kind))
        in->bad = true;
    item->resource = bytes_get_varint(in);
    item->part = codec_get_u32(in, SEATS_MAX);
    item->quantity = codec_get_u32(in, QUANTITY_MAX);
    item->price = bytes_get_signed(in);
    item->fence = bytes_get_varint(in);
    item->start_ms = item->end_ms = item->until_ms = 0;
    if (item_kind_timed(item->kind)) {
        item->start_ms = bytes_get_signed(in);
        item->end_ms = codec_get_later(in, item->start_ms, SLOT_LENGTH_MAX_MS);
        item->until_ms = codec_get_later(in, item->end_ms, BUFFER_MINUTES_MAX * 60000LL);
    }
    item->resource_id = item->part_id = (struct text){0};
}

static void reservation_get(struct bytes_reader *in, struct change *c)
{
    struct reservation_image *r = &c->reservation.image;
    c->reservation.action = (enum action)bytes_get_u8(in);
    if (c->reservation.action < ACTION_HELD || c->reservation.action > ACTION_EXPIRED)
        in->bad = true;
    r->id = codec_get_id(in);
    r->number = bytes_get_varint(in);
    r->fence = bytes_get_varint(in);
    r->version = codec_get_u32(in, UINT32_MAX);
    r->status = (enum reservation_status)bytes_get_u8(in);
    if (r->status < RESERVATION_HELD || r->status > RESERVATION_REFUNDED)
        in->bad = true;
    r->user_id = codec_get_text(in);
    r->created_at_ms = bytes_get_signed(in);
    r->expires_at_ms = r->created_at_ms + bytes_get_signed(in);
    r->max_expires_at_ms = r->created_at_ms + bytes_get_signed(in);
    r->payment_started_at_ms = bytes_get_signed(in);
    r->confirmed_at_ms = bytes_get_signed(in);
    r->ended_at_ms = bytes_get_signed(in);
    r->hold_ttl_s = codec_get_u32(in, TTL_SECONDS_MAX);
    r->payment_ttl_s = codec_get_u32(in, TTL_SECONDS_MAX);
    r->payment_required = bytes_get_u8(in) != 0;
    codec_get_currency(in, r->currency);
    r->next_item_id = codec_get_u32(in, UINT32_MAX);
    r->attributes = codec_get_optional(in);
    r->payment_method = codec_get_optional(in);
    r->payment_ref = codec_get_optional(in);
    r->ticket_key[0] = r->ticket_key[1] = 0;
    if (bytes_get_u8(in)) {
        r->ticket_key[0] = bytes_get_u64(in);
        r->ticket_key[1] = bytes_get_u64(in);
    }
    r->item_count = codec_get_u32(in, ITEMS_MAX);
    r->items = c->items;
    for (uint32_t i = 0; i < r->item_count; i++)
        item_get(in, &c->items[i]);
    r->from_list = bytes_left(in) && bytes_get_u8(in); /* not there: written before there were lists */
    if (r->user_id.size < 1 || r->user_id.size > USER_SIZE_MAX)
        in->bad = true;
}

static void idempotency_put(struct buf *out, const struct idempotency_image *i)
{
    ASSERT(i->http_status <= 599 && i->made_kind <= MADE_LIST_ENTRY);
    bytes_put_u64(out, i->key[0]);
    bytes_put_u64(out, i->key[1]);
    bytes_put_u64(out, i->body[0]);
    bytes_put_u64(out, i->body[1]);
    codec_put_id(out, i->made);
    bytes_put_varint(out, i->http_status);
    bytes_put_signed(out, i->at_ms);
    bytes_put_u8(out, (uint8_t)i->made_kind);
}

static void idempotency_get(struct bytes_reader *in, struct idempotency_image *i)
{
    i->key[0] = bytes_get_u64(in);
    i->key[1] = bytes_get_u64(in);
    i->body[0] = bytes_get_u64(in);
    i->body[1] = bytes_get_u64(in);
    i->made = codec_get_id(in);
    i->http_status = (uint16_t)codec_get_u32(in, 599);
    i->at_ms = bytes_get_signed(in);
    /* Not there: written when only reservations were made. */
    i->made_kind = bytes_left(in) ? (enum made_kind)bytes_get_u8(in) : MADE_RESERVATION;
    if (i->made_kind > MADE_LIST_ENTRY)
        in->bad = true;
}

static void key_put(struct buf *out, const struct key_image *k)
{
    ASSERT(k->name.size >= 1 && k->name.size <= ID_SIZE_MAX);
    codec_put_text(out, k->name);
    bytes_put_u8(out, (uint8_t)k->role);
    buf_append(out, k->hash, sizeof(k->hash));
    bytes_put_signed(out, k->created_at_ms);
    bytes_put_signed(out, k->old_until_ms);
    if (k->old_until_ms)
        buf_append(out, k->old_hash, sizeof(k->old_hash));
}

static void key_get(struct bytes_reader *in, struct key_image *k)
{
    k->name = codec_get_text(in);
    k->role = (enum role)bytes_get_u8(in);
    const uint8_t *hash = bytes_get_raw(in, sizeof(k->hash));
    if (hash)
        memcpy(k->hash, hash, sizeof(k->hash));
    k->created_at_ms = bytes_get_signed(in);
    k->old_until_ms = bytes_left(in) ? bytes_get_signed(in) : 0; /* not there: before keys were rotated */
    hash = k->old_until_ms ? bytes_get_raw(in, sizeof(k->old_hash)) : NULL;
    memset(k->old_hash, 0, sizeof(k->old_hash));
    if (hash)
        memcpy(k->old_hash, hash, sizeof(k->old_hash));
}

static void reader_put(struct buf *out, const struct bytes_reader *r, uint32_t count)
{
    ASSERT(count <= SEATS_MAX && bytes_left(r) >= count); /* no element is empty */
    bytes_put_varint(out, count);
    buf_append(out, r->at, bytes_left(r));
}

static struct bytes_reader reader_rest(struct bytes_reader *in)
{
    struct bytes_reader rest = *in;
    in->at = in->end;
    return rest;
}

static void body_put(struct buf *out, const struct change *c)
{
    switch (c->kind) {
    case CHANGE_EVENT:
        event_put(out, &c->event);
        break;
    case CHANGE_POOL:
        pool_put(out, &c->pool);
        break;
    case CHANGE_SEATS_STAGED:
        bytes_put_varint(out, c->staged.event);
        bytes_put_varint(out, c->staged.import);
        reader_put(out, &c->staged.rows, c->staged.count);
        break;
    case CHANGE_SEATS_PUBLISHED:
        bytes_put_varint(out, c->published.event);
        bytes_put_varint(out, c->published.import);
        break;
    case CHANGE_SEATS_COPIED:
        bytes_put_varint(out, c->copied.event);
        bytes_put_varint(out, c->copied.from);
        break;
    case CHANGE_SEATS_BLOCKED:
        bytes_put_varint(out, c->blocked.event);
        bytes_put_u8(out, c->blocked.blocked);
        reader_put(out, &c->blocked.positions, c->blocked.count);
        break;
    case CHANGE_RESERVATION:
        reservation_put(out, c->reservation.action, &c->reservation.image);
        break;
    case CHANGE_EXPIRED:
        ASSERT(c->expired.count <= EXPIRED_IDS_MAX);
        ASSERT(bytes_left(&c->expired.ids) == (size_t)c->expired.count * 16);
        reader_put(out, &c->expired.ids, c->expired.count);
        break;
    case CHANGE_IDEMPOTENCY:
        idempotency_put(out, &c->idempotency);
        break;
    case CHANGE_KEY:
    case CHANGE_KEY_REMOVED:
        key_put(out, &c->key);
        break;
    case CHANGE_CALENDAR:
        calendar_encode(out, &c->calendar);
        break;
    case CHANGE_QUEUE:
        queue_encode(out, &c->queue);
        break;
    case CHANGE_QUEUE_JOINED:
        queue_joined_encode(out, c);
        break;
    case CHANGE_QUEUE_MOVED:
        ASSERT(c->moved.count <= MOVES_MAX);
        bytes_put_varint(out, c->moved.event);
        reader_put(out, &c->moved.moves, c->moved.count);
        break;
    case CHANGE_LIST_ENTRY:
        list_entry_encode(out, &c->list_entry);
        break;
    }
}

void change_encode(struct buf *out, const struct change *c)
{
    ASSERT(c->kind >= CHANGE_EVENT && c->kind <= CHANGE_LIST_ENTRY && c->actor.role <= ROLE_SERVER);
    bytes_put_u8(out, (uint8_t)c->kind);
    size_t size_at = out->size;
    bytes_put_u32(out, 0); /* the size, once it is known */
    bytes_put_signed(out, c->at_ms);
    bytes_put_u8(out, (uint8_t)c->actor.role);
    codec_put_text(out, c->actor.name);
    body_put(out, c);
    ASSERT(out->size - size_at - 4 <= UINT32_MAX);
    bytes_store_u32(out->data + size_at, (uint32_t)(out->size - size_at - 4));
}

static bool body_get(struct bytes_reader *in, struct change *c)
{
    switch (c->kind) {
    case CHANGE_EVENT:
        event_get(in, c);
        return true;
    case CHANGE_POOL:
        pool_get(in, &c->pool);
        return true;
    case CHANGE_SEATS_STAGED:
        c->staged.event = bytes_get_varint(in);
        c->staged.import = bytes_get_varint(in);
        c->staged.count = codec_get_u32(in, SEATS_MAX);
        c->staged.rows = reader_rest(in);
        return true;
    case CHANGE_SEATS_PUBLISHED:
        c->published.event = bytes_get_varint(in);
        c->published.import = bytes_get_varint(in);
        return true;
    case CHANGE_SEATS_COPIED:
        c->copied.event = bytes_get_varint(in);
        c->copied.from = bytes_get_varint(in);
        return true;
    case CHANGE_SEATS_BLOCKED:
        c->blocked.event = bytes_get_varint(in);
        c->blocked.blocked = bytes_get_u8(in) != 0;
        c->blocked.count = codec_get_u32(in, SEATS_MAX);
        c->blocked.positions = reader_rest(in);
        return true;
    case CHANGE_RESERVATION:
        reservation_get(in, c);
        return true;
    case CHANGE_EXPIRED:
        c->expired.count = codec_get_u32(in, EXPIRED_IDS_MAX);
        c->expired.ids = reader_rest(in);
        return bytes_left(&c->expired.ids) == (size_t)c->expired.count * 16;
    case CHANGE_IDEMPOTENCY:
        idempotency_get(in, &c->idempotency);
        return true;
    case CHANGE_KEY:
    case CHANGE_KEY_REMOVED:
        key_get(in, &c->key);
        return true;
    case CHANGE_CALENDAR:
        calendar_decode(in, c);
        return true;
    case CHANGE_QUEUE:
        queue_decode(in, &c->queue);
        return true;
    case CHANGE_QUEUE_JOINED:
        queue_joined_decode(in, c);
        return true;
    case CHANGE_QUEUE_MOVED:
        c->moved.event = bytes_get_varint(in);
        c->moved.count = codec_get_u32(in, MOVES_MAX);
        c->moved.moves = reader_rest(in);
        return true;
    case CHANGE_LIST_ENTRY:
        list_entry_decode(in, &c->list_entry);
        return true;
    }
    return false;
}

bool change_decode(struct bytes_reader *in, uint64_t seq, struct change *c)
{
    c->kind = (enum change_kind)bytes_get_u8(in);
    uint32_t size = bytes_get_u32(in);
    const uint8_t *raw = bytes_get_raw(in, size);
    if (!raw)
        return false;
    struct bytes_reader body = bytes_reader_make(raw, size);
    c->seq = seq;
    c->at_ms = bytes_get_signed(&body);
    c->actor.role = (enum role)bytes_get_u8(&body);
    c->actor.name = codec_get_text(&body);
    /* Bytes that are left are fields that a newer program has appended. */
    return body_get(&body, c) && !body.bad && c->actor.role <= ROLE_SERVER;
}
