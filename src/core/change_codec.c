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
/* Sections of an event. */
#define STAFF_HOLD_FIELDS(X) X(u32, terms.staff_hold_s, TTL_SECONDS_MAX)
#define PRICES_FIELDS(X) X(text, categories) X(optional, prices)
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
    X(6, r->transfer != TRANSFER_ON, word, transfer, TRANSFER_RULE_FIRST, TRANSFER_RULE_LAST) \
    X(20, r->timezone.at, text, timezone)
/* clang-format on */

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
    EVENT_SECTION_CANCEL = 9,
    EVENT_SECTION_CANCELLED = 10,
    EVENT_SECTION_TERMS_BEFORE = 11
};
#define WHO_MAY_BUY_FIELDS(X) X(flag, no_guests) X(word, access, EVENT_ACCESS_FIRST, EVENT_ACCESS_LAST)
#define CANCEL_FIELDS(X) X(flag, cancels) X(u32, cancel_until_s, CANCEL_SECONDS_MAX)
#define CANCELLED_FIELDS(X)                                                                                  \
    X(signed, cancelled.at_ms)                                                                               \
    X(optional, cancelled.reason) X(u32, cancelled.refunded, UINT32_MAX) X(flag, cancelled.done)
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
    if (r->cancelled.at_ms) {
        size_t section = codec_section_begin(out, EVENT_SECTION_CANCELLED);
        CANCELLED_FIELDS(CODEC_PUT)
        codec_section_end(out, section);
    }
    EVENT_SECTIONS(SECTION_PUT)
    SECTION_PUT(EVENT_SECTION_TERMS_BEFORE, r->terms_before.at, text, terms_before)
}

static void event_cancel_get(struct bytes_reader *in, struct event_image *r)
{
    CANCEL_FIELDS(CODEC_GET)
}

static void event_cancelled_get(struct bytes_reader *in, struct event_image *r)
{
    CANCELLED_FIELDS(CODEC_GET)
    in->bad = in->bad || r->cancelled.reason.size > REFUND_REASON_SIZE_MAX;
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
    r->description = r->venue = r->image = r->timezone = (struct text){0};
    r->categories = r->prices = (struct text){0};
    r->terms_before = (struct text){0};
    r->transfer = TRANSFER_ON;
    r->cancels = false;
    r->cancel_until_s = 0;
    r->cancelled = (struct event_cancelled){0};
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
        else if (tag == EVENT_SECTION_TERMS_BEFORE)
            r->terms_before = codec_get_text(&section);
        else if (tag == EVENT_SECTION_CANCELLED)
            event_cancelled_get(&section, r);
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
    c->fetched = false;
    c->at_ms = bytes_get_signed(&body);
    c->actor.role = (enum role)bytes_get_u8(&body);
    c->actor.name = codec_get_text(&body);
    change_rows[c->kind].get(&body, c);
    /* Bytes that are left are fields that a newer program has appended. */
    return !body.bad && c->actor.role <= ROLE_LAST;
}
