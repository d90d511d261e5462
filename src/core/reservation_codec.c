/* SPDX-License-Identifier: Apache-2.0 */
/* reservation_codec.c — the bytes of a reservation and its items inside a change; see change_codec.c for the rules. */
#include "base/assertion.h"
#include "core/claim/single.h"
#include "core/change.h"
#include "core/codec.h"

#define MINUTE_MS 60000LL

/* clang-format off */
#define ITEM_FIELDS(X) \
    X(u32, item_id, UINT32_MAX) X(word, kind, 0, UINT8_MAX) X(number, resource) X(u32, part, SEATS_MAX) \
    X(u32, quantity, QUANTITY_MAX) X(signed, price) X(number, fence)
#define ITEM_TIMES(X) \
    X(signed, start_ms) \
    X(later, end_ms, start_ms, SLOT_LENGTH_MAX_MS) \
    X(later, until_ms, end_ms, BUFFER_MINUTES_MAX * 60000LL)
/* X(tag, when it is written, form and field). Tags are never reused. */
#define ITEM_EXTRA_FIELDS(X) \
    X(1, r->attributes.at, text, attributes) \
    X(2, r->flags, u32, flags, UINT8_MAX) \
    X(3, r->code.at, text, code) \
    X(4, r->allotment.at, text, allotment) \
    X(5, r->group, number, group) \
    X(6, r->category.at, text, category)
/* Sections. */
#define CAPS_FIELDS(X) \
    X(since, user_max_at_ms, created_at_ms) X(since, staff_max_at_ms, created_at_ms)
#define RESERVATION_FIELDS(X) \
    X(id, id) X(number, number) X(number, fence) X(u32, version, UINT32_MAX) \
    X(word, status, RESERVATION_STATUS_FIRST, RESERVATION_STATUS_LAST) X(text, user_id) \
    X(signed, created_at_ms) X(since, expires_at_ms, created_at_ms) X(since, max_expires_at_ms, created_at_ms) \
    X(signed, payment_started_at_ms) X(signed, confirmed_at_ms) X(signed, ended_at_ms) \
    X(u32, hold_ttl_s, TTL_SECONDS_MAX) X(u32, payment_ttl_s, TTL_SECONDS_MAX) X(flag, payment_required) \
    X(raw, currency, 3) X(u32, next_item_id, UINT32_MAX) \
    X(optional, attributes) X(optional, payment_method) X(optional, payment_ref) \
    X(key, ticket_key) X(u32, item_count, ITEMS_MAX)
/* X(tag, when it is written, form and field). */
#define RESERVATION_SECTIONS(X) \
    X(2, r->payment_recorded_at_ms, signed, payment_recorded_at_ms) \
    X(3, r->manage_gen, u32, manage_gen, UINT32_MAX) \
    X(6, r->transferred, number, transferred) \
    X(20, r->singles.at, text, singles)
/* clang-format on */

static void item_put(struct buf *out, const struct item_image *r)
{
    ITEM_FIELDS(CODEC_PUT)
    if (item_kind_timed(r->kind)) {
        ITEM_TIMES(CODEC_PUT)
    }
}

static void item_get(struct bytes_reader *in, struct item_image *r)
{
    *r = (struct item_image){0};
    ITEM_FIELDS(CODEC_GET)
    if (!item_kind_claimed(r->kind))
        in->bad = true;
    if (item_kind_timed(r->kind)) {
        ITEM_TIMES(CODEC_GET)
        r->after_minutes =
            (uint16_t)((r->until_ms - r->end_ms) / MINUTE_MS); /* unless a section says otherwise */
    }
}

/* ---- Sections of a reservation; tags are never reused ---- */

enum reservation_section {
    SECTION_BEFORE = 4, /* how many, and item_before_put of each */
    SECTION_CAPS = 1,
    SECTION_ITEM_EXTRAS = 5, /* by field: the index of the item, and a section of its own */
    SECTION_BUFFERS = 7,     /* of slots: the index of the item, and BUFFER_FIELDS */
    SECTION_REASON = 8,      /* of the change, in the caller's words */
};

/* Section 7 of a reservation: items that keep time free before them, or less after them than they may. Those not
 * named have what `until_ms` says. */
/* clang-format off */
#define BUFFER_FIELDS(X) \
    X(u32, lead_ms, BUFFER_MINUTES_MAX * MINUTE_MS) \
    X(u32, before_minutes, BUFFER_MINUTES_MAX) X(u32, after_minutes, BUFFER_MINUTES_MAX)
/* clang-format on */
static bool buffer_told(const struct item_image *r)
{
    return r->before_minutes || r->lead_ms || r->until_ms - r->end_ms != r->after_minutes * MINUTE_MS;
}

static void buffers_put(struct buf *out, const struct reservation_image *image)
{
    size_t begun = 0;
    for (uint32_t i = 0; i < image->item_count; i++) {
        const struct item_image *r = &image->items[i];
        if (!item_kind_timed(r->kind) || !buffer_told(r))
            continue;
        if (!begun)
            begun = codec_section_begin(out, SECTION_BUFFERS);
        codec_put_u32(out, i, ITEMS_MAX - 1);
        BUFFER_FIELDS(CODEC_PUT)
    }
    if (begun)
        codec_section_end(out, begun);
}

static void buffers_get(struct bytes_reader *in, struct change *c)
{
    while (bytes_left(in) && !in->bad) {
        uint32_t index = codec_get_u32(in, ITEMS_MAX - 1);
        if (index >= c->reservation.image.item_count || !item_kind_timed(c->items[index].kind)) {
            in->bad = true;
            return;
        }
        struct item_image *r = &c->items[index];
        BUFFER_FIELDS(CODEC_GET)
    }
}

static void extra_put(struct buf *out, uint32_t index, const struct item_image *r)
{
#define X(tag, says, ...)                                                                                    \
    if (says) {                                                                                              \
        bytes_put_varint(out, index);                                                                        \
        size_t begun = codec_section_begin(out, tag);                                                        \
        CODEC_PUT(__VA_ARGS__)                                                                               \
        codec_section_end(out, begun);                                                                       \
    }
    ITEM_EXTRA_FIELDS(X)
#undef X
}

static void extras_put(struct buf *out, const struct reservation_image *r)
{
    size_t before = out->size, begun = codec_section_begin(out, SECTION_ITEM_EXTRAS);
    for (uint32_t i = 0; i < r->item_count; i++)
        extra_put(out, i, &r->items[i]);
    if (out->size > begun)
        codec_section_end(out, begun);
    else
        out->size = before; /* none has any */
}

static void extra_get(struct bytes_reader *in, uint8_t tag, struct item_image *r)
{
    switch (tag) {
#define X(tag_, says, ...)                                                                                   \
    case tag_:                                                                                               \
        CODEC_GET(__VA_ARGS__)                                                                               \
        break;
        ITEM_EXTRA_FIELDS(X)
#undef X
    default:
        break; /* of a newer program */
    }
}

static void extras_get(struct bytes_reader *in, struct item_image *items, uint32_t count)
{
    uint8_t tag;
    struct bytes_reader field;
    ASSERT(count >= 1); /* a reservation without items is damage, and was found */
    while (bytes_left(in) && !in->bad) {
        uint32_t index = codec_get_u32(in, count - 1);
        if (!codec_section_next(in, &tag, &field))
            in->bad = true;
        if (in->bad)
            return;
        extra_get(&field, tag, &items[index]);
        in->bad = in->bad || field.bad || items[index].attributes.size > ITEM_ATTRIBUTES_SIZE_MAX ||
                  items[index].category.size > LABEL_SIZE_MAX || items[index].code.size > CODE_SIZE_MAX ||
                  items[index].allotment.size > ID_SIZE_MAX;
    }
}

#define BEFORE_EXTRAS_END UINT8_MAX /* in place of an index */

void item_before_put(struct buf *out, const struct item_image *item)
{
    ASSERT(item_kind_claimed(item->kind) && item->quantity >= 1);
    item_put(out, item);
    extra_put(out, 0, item);
    bytes_put_varint(out, BEFORE_EXTRAS_END);
}

bool item_before_get(struct bytes_reader *in, struct item_image *item)
{
    uint8_t tag;
    struct bytes_reader field;
    item_get(in, item);
    while (!in->bad && bytes_get_varint(in) == 0 && codec_section_next(in, &tag, &field)) {
        extra_get(&field, tag, item);
        in->bad = in->bad || field.bad || item->attributes.size > ITEM_ATTRIBUTES_SIZE_MAX;
    }
    return !in->bad;
}

static void before_put(struct buf *out, const struct change *c)
{
    if (!c->reservation.before_count)
        return;
    size_t begun = codec_section_begin(out, SECTION_BEFORE);
    codec_put_list(out, &c->reservation.before, c->reservation.before_count, ITEMS_MAX, 0);
    codec_section_end(out, begun);
}

/* All of it is read once, so that whoever reads it later finds no damage. */
static void before_get(struct bytes_reader *in, struct change *c)
{
    struct item_image item;
    c->reservation.before = codec_get_list(in, &c->reservation.before_count, ITEMS_MAX, 0);
    struct bytes_reader items = c->reservation.before;
    for (uint32_t i = 0; i < c->reservation.before_count && !in->bad; i++)
        in->bad = !item_before_get(&items, &item);
    in->bad = in->bad || bytes_left(&items);
}

static void caps_put(struct buf *out, const struct reservation_image *r)
{
    if (!r->user_max_at_ms)
        return;
    size_t begun = codec_section_begin(out, SECTION_CAPS);
    CAPS_FIELDS(CODEC_PUT)
    codec_section_end(out, begun);
}

static void caps_get(struct bytes_reader *in, struct reservation_image *r)
{
    CAPS_FIELDS(CODEC_GET)
}

static void reason_put(struct buf *out, struct text reason)
{
    if (!reason.at)
        return;
    size_t begun = codec_section_begin(out, SECTION_REASON);
    codec_put_text(out, reason);
    codec_section_end(out, begun);
}

static void reason_get(struct bytes_reader *in, struct text *reason)
{
    *reason = codec_get_text(in);
    in->bad = in->bad || reason->size > REFUND_REASON_SIZE_MAX;
}

static void section_get(struct bytes_reader *in, uint8_t tag, struct reservation_image *r)
{
    switch (tag) {
        RESERVATION_SECTIONS(SECTION_GET)
    default:
        break; /* of a newer program */
    }
}

static void sections_get(struct bytes_reader *in, struct change *c)
{
    uint8_t tag;
    struct bytes_reader section;
    while (codec_section_next(in, &tag, &section)) {
        if (tag == SECTION_CAPS)
            caps_get(&section, &c->reservation.image);
        if (tag == SECTION_BEFORE)
            before_get(&section, c);
        if (tag == SECTION_ITEM_EXTRAS)
            extras_get(&section, c->items, c->reservation.image.item_count);
        if (tag == SECTION_BUFFERS)
            buffers_get(&section, c);
        if (tag == SECTION_REASON)
            reason_get(&section, &c->reservation.reason);
        section_get(&section, tag, &c->reservation.image);
        in->bad = in->bad || section.bad || !singles_sound(c->reservation.image.singles);
    }
}

void reservation_change_put(struct buf *out, const struct change *c)
{
    const struct reservation_image *r = &c->reservation.image;
    ASSERT(r->item_count >= 1 && r->created_at_ms <= r->expires_at_ms);
    codec_put_word(out, c->reservation.action, ACTION_FIRST, ACTION_LAST);
    RESERVATION_FIELDS(CODEC_PUT)
    for (uint32_t i = 0; i < r->item_count; i++)
        item_put(out, &r->items[i]);
    bytes_put_u8(out, r->from_list);
    caps_put(out, r);
    before_put(out, c);
    extras_put(out, r);
    RESERVATION_SECTIONS(SECTION_PUT)
    buffers_put(out, r);
    reason_put(out, c->reservation.reason);
}

void reservation_change_get(struct bytes_reader *in, struct change *c)
{
    struct reservation_image *r = &c->reservation.image;
    c->reservation.action = (enum action)codec_get_word(in, ACTION_FIRST, ACTION_LAST);
    r->currency[3] = '\0';
    r->payment_recorded_at_ms = 0;
    r->manage_gen = 0;
    r->transferred = 0;
    r->singles = (struct text){0};
    r->leaves_single_count = 0;
    RESERVATION_FIELDS(CODEC_GET)
    r->items = c->items;
    for (uint32_t i = 0; i < r->item_count; i++)
        item_get(in, &c->items[i]);
    r->from_list = bytes_left(in) && bytes_get_u8(in); /* not there: written before there were lists */
    if (r->user_id.size < 1 || r->user_id.size > USER_SIZE_MAX || r->item_count < 1)
        in->bad = true;
    r->user_max_at_ms = r->staff_max_at_ms = 0; /* what no section says */
    c->reservation.before_count = 0;
    c->reservation.before = (struct bytes_reader){0};
    c->reservation.reason = (struct text){0};
    if (!in->bad)
        sections_get(in, c);
}
