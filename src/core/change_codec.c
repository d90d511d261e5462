/* SPDX-License-Identifier: Apache-2.0 */
/* change_codec.c — the bytes of a change. They are kept on disk for years.
 *
 * Layout: kind u8, size of the rest u32, then at_ms signed varint, actor role u8 and name text, then the
 * fields of the kind in the order of its list, here or in the record's module; codec.h has the forms. To
 * change a kind: append fields behind its list and let the decoder give them a default when the bytes run out;
 * never reorder, never reuse a kind's number. An older program refuses kinds that it does not know, which is
 * right: it cannot keep what it does not understand.
 */
#include "core/change.h"

#include "base/assertion.h"
#include "core/codec.h"

#define MINUTE_MS 60000LL

struct id expired_id_get(struct bytes_reader *in)
{
    return codec_get_id(in);
}

/* ---- The fields of each kind, in order ---- */

/* clang-format off */
#define EVENT_FIELDS(X) \
    X(number, number) X(text, id) X(text, name) \
    X(signed, starts_at_ms) X(signed, on_sale_at_ms) X(signed, off_sale_at_ms) \
    X(terms, terms) X(u32, per_user_limit, UINT32_MAX) \
    X(signed, created_at_ms) X(flag, removed)
#define STAGED_FIELDS(X)    X(number, event) X(number, import) X(list, rows, SEATS_MAX, 0)
#define PUBLISHED_FIELDS(X) X(number, event) X(number, import)
#define COPIED_FIELDS(X)    X(number, event) X(number, from)
#define BLOCKED_FIELDS(X)   X(number, event) X(flag, blocked) X(list, positions, SEATS_MAX, 0)
#define ALLOTTED_FIELDS(X)  X(number, event) X(optional, allotment) X(list, positions, SEATS_MAX, 0)
#define REMOVED_FIELDS(X)   X(number, event) X(list, positions, SEATS_MAX, 0)
#define EXPIRED_FIELDS(X)   X(list, ids, EXPIRED_IDS_MAX, 16)
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
/* Sections of a reservation, and of an event. */
#define CAPS_FIELDS(X) \
    X(since, user_max_at_ms, created_at_ms) X(since, staff_max_at_ms, created_at_ms)
#define STAFF_HOLD_FIELDS(X) X(u32, terms.staff_hold_s, TTL_SECONDS_MAX)
#define PRICES_FIELDS(X) X(text, categories) X(optional, prices)
#define RESERVATION_FIELDS(X) \
    X(id, id) X(number, number) X(number, fence) X(u32, version, UINT32_MAX) \
    X(word, status, RESERVATION_STATUS_FIRST, RESERVATION_STATUS_LAST) X(text, user_id) \
    X(signed, created_at_ms) X(since, expires_at_ms, created_at_ms) X(since, max_expires_at_ms, created_at_ms) \
    X(signed, payment_started_at_ms) X(signed, confirmed_at_ms) X(signed, ended_at_ms) \
    X(u32, hold_ttl_s, TTL_SECONDS_MAX) X(u32, payment_ttl_s, TTL_SECONDS_MAX) X(flag, payment_required) \
    X(raw, currency, 3) X(u32, next_item_id, UINT32_MAX) \
    X(optional, attributes) X(optional, payment_method) X(optional, payment_ref) \
    X(key, ticket_key) X(u32, item_count, ITEMS_MAX)
#define SEAT_FIELDS(X) /* each is there if its column was given */ \
    X(SECTION, optional, section) X(ROW, optional, row) X(NUMBER, optional, number) \
    X(X, coordinate, x) X(Y, coordinate, y) X(TIER, optional, tier) X(PRICE, signed, price) \
    X(ACCESSIBLE, flag, accessible) X(BLOCKED, flag, blocked) \
    X(ALLOTMENT, optional, allotment)
#define CODEC_PUT_coordinate(axis) put_coordinate(out, r->has_##axis, r->axis##_milli)
#define CODEC_GET_coordinate(axis) r->axis##_milli = get_coordinate(in, &r->has_##axis)

/* clang-format on */

CHANGE_CODEC(seats_staged, staged, STAGED_FIELDS)
CHANGE_CODEC(seats_published, published, PUBLISHED_FIELDS)
CHANGE_CODEC(seats_blocked, blocked, BLOCKED_FIELDS)
CHANGE_CODEC(seats_allotted, allotted, ALLOTTED_FIELDS)
CHANGE_CODEC(seats_removed, removed, REMOVED_FIELDS)
CHANGE_CODEC(expired, expired, EXPIRED_FIELDS)

/* Written before blocks were copied, and where there are none, it ends here. */
void seats_copied_change_put(struct buf *out, const struct change *c)
{
    const __typeof__(c->copied) *r = &c->copied;
    COPIED_FIELDS(CODEC_PUT)
    if (r->blocks)
        bytes_put_u8(out, true);
}

void seats_copied_change_get(struct bytes_reader *in, struct change *c)
{
    __typeof__(c->copied) *r = &c->copied;
    COPIED_FIELDS(CODEC_GET)
    r->blocks = bytes_left(in) && bytes_get_u8(in);
}

/* ---- Sections of an event; tags are never reused ---- */

/* X(tag, when it is written, form and field). */
/* clang-format off */
#define EVENT_SECTIONS(X) \
    X(5, r->refuse_singles, flag, refuse_singles) \
    X(6, r->transfer != TRANSFER_ON, word, transfer, TRANSFER_RULE_FIRST, TRANSFER_RULE_LAST)
#define RESERVATION_SECTIONS(X) \
    X(2, r->payment_recorded_at_ms, signed, payment_recorded_at_ms) \
    X(3, r->manage_gen, u32, manage_gen, UINT32_MAX) \
    X(6, r->transferred, number, transferred)
/* clang-format on */

#define SECTION_PUT(tag, says, ...)                                                                          \
    if (says) {                                                                                              \
        size_t begun = codec_section_begin(out, tag);                                                        \
        CODEC_PUT(__VA_ARGS__)                                                                               \
        codec_section_end(out, begun);                                                                       \
    }
#define SECTION_GET(tag, says, ...)                                                                          \
    case tag:                                                                                                \
        CODEC_GET(__VA_ARGS__)                                                                               \
        break;

static void event_field_get(struct bytes_reader *in, uint8_t tag, struct event_image *r)
{
    switch (tag) {
        EVENT_SECTIONS(SECTION_GET)
    default:
        break; /* of a newer program */
    }
}

/* Of several fields; tags are persisted, and never reused. */
enum event_section {
    EVENT_SECTION_TEXTS = 1,
    EVENT_SECTION_STAFF_HOLD = 2,
    EVENT_SECTION_WHO_MAY_BUY = 3,
    EVENT_SECTION_PRICES = 4,
    EVENT_SECTION_CANCEL = 9
};
#define WHO_MAY_BUY_FIELDS(X) X(flag, no_guests) X(word, access, EVENT_ACCESS_FIRST, EVENT_ACCESS_LAST)
#define CANCEL_FIELDS(X) X(flag, cancels) X(u32, cancel_until_s, CANCEL_SECONDS_MAX)
#define EVENT_TEXTS(X) X(optional, description) X(optional, venue) X(optional, image)

static void event_sections_put(struct buf *out, const struct event_image *r)
{
    if (r->description.at || r->venue.at || r->image.at) {
        size_t section = codec_section_begin(out, EVENT_SECTION_TEXTS);
        EVENT_TEXTS(CODEC_PUT)
        codec_section_end(out, section);
    }
    if (r->terms.staff_hold_s) {
        size_t section = codec_section_begin(out, EVENT_SECTION_STAFF_HOLD);
        STAFF_HOLD_FIELDS(CODEC_PUT)
        codec_section_end(out, section);
    }
    if (r->no_guests || r->access != ACCESS_OPEN) {
        size_t section = codec_section_begin(out, EVENT_SECTION_WHO_MAY_BUY);
        WHO_MAY_BUY_FIELDS(CODEC_PUT)
        codec_section_end(out, section);
    }
    if (r->categories.at) {
        size_t section = codec_section_begin(out, EVENT_SECTION_PRICES);
        PRICES_FIELDS(CODEC_PUT)
        codec_section_end(out, section);
    }
    if (r->cancels) {
        size_t section = codec_section_begin(out, EVENT_SECTION_CANCEL);
        CANCEL_FIELDS(CODEC_PUT)
        codec_section_end(out, section);
    }
    EVENT_SECTIONS(SECTION_PUT)
}

static void event_cancel_get(struct bytes_reader *in, struct event_image *r)
{
    CANCEL_FIELDS(CODEC_GET)
}

static void event_texts_get(struct bytes_reader *in, struct event_image *r)
{
    EVENT_TEXTS(CODEC_GET)
    if (r->description.size > DESCRIPTION_SIZE_MAX || r->venue.size > VENUE_SIZE_MAX ||
        r->image.size > IMAGE_SIZE_MAX)
        in->bad = true;
}

static void event_staff_hold_get(struct bytes_reader *in, struct event_image *r)
{
    STAFF_HOLD_FIELDS(CODEC_GET)
}

static void event_who_may_buy_get(struct bytes_reader *in, struct event_image *r)
{
    WHO_MAY_BUY_FIELDS(CODEC_GET)
}

static void event_prices_get(struct bytes_reader *in, struct event_image *r)
{
    PRICES_FIELDS(CODEC_GET)
}

static void event_sections_get(struct bytes_reader *in, struct event_image *r)
{
    uint8_t tag;
    struct bytes_reader section;
    r->description = r->venue = r->image = (struct text){0};
    r->categories = r->prices = (struct text){0};
    r->transfer = TRANSFER_ON;
    r->cancels = false;
    r->cancel_until_s = 0;
    r->refuse_singles = false;
    r->no_guests = false;
    r->access = ACCESS_OPEN;
    while (codec_section_next(in, &tag, &section)) {
        if (tag == EVENT_SECTION_TEXTS)
            event_texts_get(&section, r);
        else if (tag == EVENT_SECTION_STAFF_HOLD)
            event_staff_hold_get(&section, r);
        else if (tag == EVENT_SECTION_WHO_MAY_BUY)
            event_who_may_buy_get(&section, r);
        else if (tag == EVENT_SECTION_PRICES)
            event_prices_get(&section, r);
        else if (tag == EVENT_SECTION_CANCEL)
            event_cancel_get(&section, r);
        else
            event_field_get(&section, tag, r);
        in->bad = in->bad || section.bad;
    }
}

void event_change_put(struct buf *out, const struct change *c)
{
    const struct event_image *r = &c->event;
    ASSERT(r->number >= 1 && r->id.size <= ID_SIZE_MAX);
    EVENT_FIELDS(CODEC_PUT)
    event_entries_encode(out, r);
    event_sections_put(out, r);
}

void event_change_get(struct bytes_reader *in, struct change *c)
{
    struct event_image *r = &c->event;
    EVENT_FIELDS(CODEC_GET)
    event_entries_decode(in, c);
    event_sections_get(in, r);
}

static void put_coordinate(struct buf *out, bool has, int32_t milli)
{
    bytes_put_u8(out, has);
    bytes_put_signed(out, milli);
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

void seat_row_put(struct buf *out, uint32_t columns, const struct seat_image *r)
{
    codec_put_u32(out, columns, SEAT_COLUMNS_ALL);
    codec_put_text(out, r->id);
#define X(column, ...)                                                                                       \
    if (columns & SEAT_COLUMN_##column)                                                                      \
    CODEC_PUT(__VA_ARGS__)
    SEAT_FIELDS(X)
#undef X
}

bool seat_row_get(struct bytes_reader *in, uint32_t *columns, struct seat_image *r)
{
    memset(r, 0, sizeof(*r));
    *columns = codec_get_u32(in, SEAT_COLUMNS_ALL);
    r->id = codec_get_text(in);
#define X(column, ...)                                                                                       \
    if (*columns & SEAT_COLUMN_##column)                                                                     \
    CODEC_GET(__VA_ARGS__)
    SEAT_FIELDS(X)
#undef X
    return !in->bad && r->id.size >= 1 && r->id.size <= ID_SIZE_MAX && r->section.size <= LABEL_SIZE_MAX &&
           r->row.size <= LABEL_SIZE_MAX && r->number.size <= LABEL_SIZE_MAX &&
           r->tier.size <= LABEL_SIZE_MAX && r->allotment.size <= ID_SIZE_MAX;
}

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
        in->bad = in->bad || section.bad;
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

/* ---- Changes ---- */

#define CHANGE_ROW(constant, number, codec, restored)                                                        \
    [constant] = {codec##_change_put, codec##_change_get, restored##_change_restore},
const struct change_row change_rows[] = {CHANGES(CHANGE_ROW)};

void change_encode(struct buf *out, const struct change *c)
{
    ASSERT(change_known(c->kind) && c->actor.role <= ROLE_LAST);
    bytes_put_u8(out, (uint8_t)c->kind);
    size_t size_at = out->size;
    bytes_put_u32(out, 0); /* the size, once it is known */
    bytes_put_signed(out, c->at_ms);
    bytes_put_u8(out, (uint8_t)c->actor.role);
    codec_put_text(out, c->actor.name);
    change_rows[c->kind].put(out, c);
    ASSERT(out->size - size_at - 4 <= UINT32_MAX);
    bytes_store_u32(out->data + size_at, (uint32_t)(out->size - size_at - 4));
}

bool change_decode(struct bytes_reader *in, uint64_t seq, struct change *c)
{
    c->kind = (enum change_kind)bytes_get_u8(in);
    uint32_t size = bytes_get_u32(in);
    const uint8_t *raw = bytes_get_raw(in, size);
    if (!raw || !change_known(c->kind))
        return false;
    struct bytes_reader body = bytes_reader_make(raw, size);
    c->seq = seq;
    c->at_ms = bytes_get_signed(&body);
    c->actor.role = (enum role)bytes_get_u8(&body);
    c->actor.name = codec_get_text(&body);
    change_rows[c->kind].get(&body, c);
    /* Bytes that are left are fields that a newer program has appended. */
    return !body.bad && c->actor.role <= ROLE_LAST;
}
