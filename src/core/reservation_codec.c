/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_codec.c — the bytes of a reservation and its items inside a change; see change_codec.c for the rules. */
#include "base/assertion.h"
#include "core/claim/single.h"
#include "core/change.h"
#include "core/codec.h"

/* clang-format off */
#define ITEM_FIELDS(X) \
    X(u32, item_id, UINT32_MAX) X(word, kind, 0, UINT8_MAX) X(number, resource) X(u32, part, SEATS_MAX) \
    X(u32, quantity, QUANTITY_MAX) X(signed, price) X(number, fence)
#define ITEM_TIMES(X) \
    X(signed, start_ms) \
    X(later, end_ms, start_ms, SLOT_LENGTH_MAX_MS) \
    X(later, until_ms, end_ms, BUFFER_MINUTES_MAX * 60000LL) \
    X(u32, lead_ms, BUFFER_MINUTES_MAX * 60000LL) \
    X(u32, before_minutes, BUFFER_MINUTES_MAX) X(u32, after_minutes, BUFFER_MINUTES_MAX)
#define ITEM_PARTS(X) \
    X(0, r->attributes.at, text, attributes) \
    X(1, r->flags, u32, flags, UINT8_MAX) \
    X(2, r->code.at, text, code) \
    X(3, r->allotment.at, text, allotment) \
    X(4, r->group, number, group) \
    X(5, r->category.at, text, category)
#define RESERVATION_FIELDS(X) \
    X(id, id) X(number, number) X(number, fence) X(u32, version, UINT32_MAX) \
    X(word, status, RESERVATION_STATUS_FIRST, RESERVATION_STATUS_LAST) X(text, user_id) \
    X(signed, created_at_ms) X(since, expires_at_ms, created_at_ms) X(since, max_expires_at_ms, created_at_ms) \
    X(signed, payment_started_at_ms) X(signed, confirmed_at_ms) X(signed, ended_at_ms) \
    X(u32, hold_ttl_s, TTL_SECONDS_MAX) X(u32, payment_ttl_s, TTL_SECONDS_MAX) X(flag, payment_required) \
    X(raw, currency, 3) X(u32, next_item_id, UINT32_MAX) \
    X(optional, attributes) X(optional, payment_method) X(optional, payment_ref) \
    X(key, ticket_key) X(u32, item_count, ITEMS_MAX)
/* What the items were before goes up to the end of the change, so it comes last. */
#define RESERVATION_PARTS(X) \
    X(0, r->from_list, mark, from_list) \
    X(1, r->user_max_at_ms, since, user_max_at_ms, created_at_ms) \
    X(2, r->staff_max_at_ms, since, staff_max_at_ms, created_at_ms) \
    X(3, r->payment_recorded_at_ms, signed, payment_recorded_at_ms) \
    X(4, r->manage_gen, u32, manage_gen, UINT32_MAX) \
    X(5, r->transferred, number, transferred) \
    X(6, r->singles.at, text, singles) \
    X(7, c->reservation.reason.at, reason) \
    X(8, c->reservation.before_count, before)
#define CODEC_PUT_reason() codec_put_text(out, c->reservation.reason)
#define CODEC_GET_reason() c->reservation.reason = codec_get_text(in)
#define CODEC_PUT_before() codec_put_list(out, &c->reservation.before, c->reservation.before_count, ITEMS_MAX, 0)
#define CODEC_GET_before() before_get(in, c)
/* clang-format on */

static void item_put(struct buf *out, const struct item_image *r)
{
    ITEM_FIELDS(CODEC_PUT)
    if (item_kind_timed(r->kind)) {
        ITEM_TIMES(CODEC_PUT)
    }
    CODEC_PARTS_PUT(ITEM_PARTS)
}

static void item_get(struct bytes_reader *in, struct item_image *r)
{
    *r = (struct item_image){0};
    ITEM_FIELDS(CODEC_GET)
    if (item_kind_timed(r->kind)) {
        ITEM_TIMES(CODEC_GET)
    }
    CODEC_PARTS_GET(ITEM_PARTS)
    in->bad = in->bad || !item_kind_claimed(r->kind) || r->attributes.size > ITEM_ATTRIBUTES_SIZE_MAX ||
              r->category.size > LABEL_SIZE_MAX || r->code.size > CODE_SIZE_MAX ||
              r->allotment.size > ID_SIZE_MAX;
}

void item_before_put(struct buf *out, const struct item_image *item)
{
    ASSERT(item_kind_claimed(item->kind) && item->quantity >= 1);
    item_put(out, item);
}

bool item_before_get(struct bytes_reader *in, struct item_image *item)
{
    item_get(in, item);
    return !in->bad;
}

/* Read once here, so that later readers find no damage. */
static void before_get(struct bytes_reader *in, struct change *c)
{
    struct item_image item;
    c->reservation.before = codec_get_list(in, &c->reservation.before_count, ITEMS_MAX, 0);
    struct bytes_reader items = c->reservation.before;
    for (uint32_t i = 0; i < c->reservation.before_count && !in->bad; i++)
        in->bad = !item_before_get(&items, &item);
    in->bad = in->bad || !c->reservation.before_count || bytes_left(&items);
}

void reservation_change_put(struct buf *out, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    ASSERT(r->item_count >= 1 && r->created_at_ms <= r->expires_at_ms);
    codec_put_word(out, c->reservation.action, ACTION_FIRST, ACTION_LAST);
    RESERVATION_FIELDS(CODEC_PUT)
    for (uint32_t i = 0; i < r->item_count; i++)
        item_put(out, &r->items[i]);
    CODEC_PARTS_PUT(RESERVATION_PARTS)
}

void reservation_change_get(struct bytes_reader *in, struct change *c)
{
    struct reservation_image *r = &c->reservation.image;
    memset(&c->reservation, 0, sizeof(c->reservation));
    c->reservation.action = (enum action)codec_get_word(in, ACTION_FIRST, ACTION_LAST);
    RESERVATION_FIELDS(CODEC_GET)
    r->items = c->items;
    for (uint32_t i = 0; i < r->item_count; i++)
        item_get(in, &c->items[i]);
    CODEC_PARTS_GET(RESERVATION_PARTS)
    in->bad = in->bad || r->user_id.size < 1 || r->user_id.size > USER_SIZE_MAX || r->item_count < 1 ||
              c->reservation.reason.size > REFUND_REASON_SIZE_MAX || !singles_sound(r->singles);
}
