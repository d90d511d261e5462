/* SPDX-License-Identifier: Apache-2.0 */
/* change_codec.c — the bytes of a change. They are kept on disk for years.
 *
 * Layout: kind u8, size of the rest u32, then at_ms signed varint, actor role u8 and name text, then the
 * fields of the kind in the order of its list, here or in the record's module; codec.h has the forms. Every field is
 * always encoded; optional ones have a bit or a size that says whether they are set. The journal's version covers these
 * bytes as well: to change those of a kind after a release, or to add a kind, raise it (journal/README.md). A kind's
 * number is never used again.
 */
#include "core/change.h"

#include "base/assertion.h"
#include "base/time/zone.h"
#include "core/codec.h"

struct id expired_id_get(struct bytes_reader *in)
{
    return codec_get_id(in);
}

/* ---- The fields of each kind, in order ---- */

/* clang-format off */
#define EVENT_FIELDS(X) /* and EVENT_SETTINGS */ \
    X(number, number) X(text, id) X(text, name) X(terms, terms) X(optional, categories) X(optional, prices) \
    X(flag, cancels) X(u32, cancel_until_s, CANCEL_SECONDS_MAX) X(optional, terms_before) \
    X(signed, created_at_ms) X(flag, removed) \
    X(signed, cancelled.at_ms) X(bounded, cancelled.reason, REFUND_REASON_SIZE_MAX) X(u32, cancelled.refunded, UINT32_MAX) \
    X(flag, cancelled.done)
#define SETTING_PUT(form, member, name, column, ...) CODEC_PUT_ROW(SETTING_BYTES_##form(member, __VA_ARGS__))
#define SETTING_GET(form, member, name, column, ...) CODEC_GET_ROW(SETTING_BYTES_##form(member, __VA_ARGS__))
#define STAGED_FIELDS(X)    X(number, event) X(number, import) X(list, rows, SEATS_MAX, 0)
#define PUBLISHED_FIELDS(X) X(number, event) X(number, import)
#define COPIED_FIELDS(X)    X(number, event) X(number, from) X(flag, blocks)
#define BLOCKED_FIELDS(X)   X(number, event) X(flag, blocked) X(list, positions, SEATS_MAX, 0)
#define ALLOTTED_FIELDS(X)  X(number, event) X(optional, allotment) X(list, positions, SEATS_MAX, 0)
#define REMOVED_FIELDS(X)   X(number, event) X(list, positions, SEATS_MAX, 0)
#define EXPIRED_FIELDS(X)   X(list, ids, EXPIRED_IDS_MAX, 16)
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
CHANGE_CODEC(seats_copied, copied, COPIED_FIELDS)
CHANGE_CODEC(seats_blocked, blocked, BLOCKED_FIELDS)
CHANGE_CODEC(seats_allotted, allotted, ALLOTTED_FIELDS)
CHANGE_CODEC(seats_removed, removed, REMOVED_FIELDS)
CHANGE_CODEC(expired, expired, EXPIRED_FIELDS)

void event_change_put(struct buf *out, const struct change *c)
{
    const struct event_image *r = &c->event;
    ASSERT(r->number >= 1 && r->id.size <= ID_SIZE_MAX);
    EVENT_FIELDS(CODEC_PUT)
    EVENT_SETTINGS(SETTING_PUT)
    event_entries_encode(out, r);
}

void event_change_get(struct bytes_reader *in, struct change *c)
{
    struct event_image *r = &c->event;
    EVENT_FIELDS(CODEC_GET)
    EVENT_SETTINGS(SETTING_GET)
    event_entries_decode(in, c);
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
    memset(&c->made, 0, sizeof(c->made));
    c->at_ms = bytes_get_signed(&body);
    c->actor.role = (enum role)bytes_get_u8(&body);
    c->actor.name = codec_get_text(&body);
    change_rows[c->kind].get(&body, c);
    return !body.bad && !bytes_left(&body) && c->actor.role <= ROLE_LAST;
}
