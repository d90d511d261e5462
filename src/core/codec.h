/* SPDX-License-Identifier: Apache-2.0 */
/* codec.h — the building blocks of the encodings of all kinds of change, on top of base/memory/bytes.h. See change_codec.c
 * before touching any. */
#ifndef CORE_CODEC_H
#define CORE_CODEC_H

#include "core/change.h"

void codec_put_text(struct buf *out, struct text t);
void codec_put_optional(struct buf *out, struct text t); /* one that may be missing: size + 1, or 0 */
void codec_put_id(struct buf *out, struct id id);
void codec_put_terms(struct buf *out, const struct terms *t);
/* What the decoder would refuse is a bug where it is written: the journal could not be read again. */
void codec_put_u32(struct buf *out, uint64_t v, uint64_t most);
void codec_put_word(struct buf *out, unsigned v, unsigned least, unsigned most);
void codec_put_later(struct buf *out, int64_t after_ms, int64_t most_ms);
/* A list that is encoded already: how many, then its bytes up to the end of the change, of which each element
 * takes `size`; 0: at least one. */
void codec_put_list(struct buf *out, const struct bytes_reader *list, uint32_t count, uint32_t most,
                    uint32_t size);
/* A key of two numbers, which may be missing (0,0): 1 and the key, or 0. */
void codec_put_key(struct buf *out, const uint64_t key[2]);

struct text codec_get_text(struct bytes_reader *in);
struct text codec_get_optional(struct bytes_reader *in);
struct text codec_get_bounded(struct bytes_reader *in, size_t most); /* an optional; too long: bad */
struct id codec_get_id(struct bytes_reader *in);
void codec_get_terms(struct bytes_reader *in, struct terms *t);
/* A number that must fit; anything else marks the reader bad. */
uint32_t codec_get_u32(struct bytes_reader *in, uint64_t most);
uint8_t codec_get_word(struct bytes_reader *in, unsigned least, unsigned most);
struct bytes_reader codec_get_list(struct bytes_reader *in, uint32_t *count, uint32_t most, uint32_t size);
void codec_get_key(struct bytes_reader *in, uint64_t key[2]);
/* `size` bytes as they are; zeros if they are missing. */
void codec_get_raw(struct bytes_reader *in, void *to, size_t size);
/* An instant, written as what it is after another, that must lie so near; anything else marks the reader
 * bad. */
int64_t codec_get_later(struct bytes_reader *in, int64_t than_ms, int64_t most_ms);

/* ---- Records, field by field ----
 *
 * A list of X(form, field, ...) says a record's bytes once, for both directions: FIELDS(CODEC_PUT) writes
 * those of `r` to `out`, FIELDS(CODEC_GET) reads them from `in`. Bounds hold both ways.
 */
/* clang-format off */
#define CODEC_PUT(form, ...) CODEC_PUT_##form(__VA_ARGS__);
#define CODEC_GET(form, ...) CODEC_GET_##form(__VA_ARGS__);
/* The same with a row that another macro makes. */
#define CODEC_PUT_ROW(...) CODEC_PUT(__VA_ARGS__)
#define CODEC_GET_ROW(...) CODEC_GET(__VA_ARGS__)
#define CODEC_PUT_number(field)             bytes_put_varint(out, r->field)
#define CODEC_GET_number(field)             r->field = bytes_get_varint(in)
#define CODEC_PUT_fixed(field)              bytes_put_u64(out, r->field)
#define CODEC_GET_fixed(field)              r->field = bytes_get_u64(in)
#define CODEC_PUT_u32(field, most)          codec_put_u32(out, r->field, most)
#define CODEC_GET_u32(field, most)          r->field = (__typeof__(r->field))codec_get_u32(in, most)
#define CODEC_PUT_signed(field)             bytes_put_signed(out, r->field)
#define CODEC_GET_signed(field)             r->field = bytes_get_signed(in)
/* Instants near another take fewer bytes. */
#define CODEC_PUT_since(field, other)       bytes_put_signed(out, r->field - r->other)
#define CODEC_GET_since(field, other)       r->field = r->other + bytes_get_signed(in)
#define CODEC_PUT_later(field, other, most) codec_put_later(out, r->field - r->other, most)
#define CODEC_GET_later(field, other, most) r->field = codec_get_later(in, r->other, most)
/* Of a part: there or not, without bytes. */
#define CODEC_PUT_mark(field)
#define CODEC_GET_mark(field)               r->field = true
#define CODEC_PUT_flag(field)               bytes_put_u8(out, r->field)
#define CODEC_GET_flag(field)               r->field = bytes_get_u8(in) != 0
#define CODEC_PUT_word(field, least, most)  codec_put_word(out, (unsigned)r->field, least, most)
#define CODEC_GET_word(field, least, most)  r->field = (__typeof__(r->field))codec_get_word(in, least, most)
#define CODEC_PUT_text(field)               codec_put_text(out, r->field)
#define CODEC_GET_text(field)               r->field = codec_get_text(in)
#define CODEC_PUT_optional(field)           codec_put_optional(out, r->field)
#define CODEC_GET_optional(field)           r->field = codec_get_optional(in)
#define CODEC_PUT_bounded(field, most)      codec_put_optional(out, r->field)
#define CODEC_GET_bounded(field, most)      r->field = codec_get_bounded(in, most)
#define CODEC_PUT_id(field)                 codec_put_id(out, r->field)
#define CODEC_GET_id(field)                 r->field = codec_get_id(in)
#define CODEC_PUT_terms(field)              codec_put_terms(out, &r->field)
#define CODEC_GET_terms(field)              codec_get_terms(in, &r->field)
#define CODEC_PUT_key(field)                codec_put_key(out, r->field)
#define CODEC_GET_key(field)                codec_get_key(in, r->field)
#define CODEC_PUT_raw(field, size)          buf_append(out, r->field, size)
#define CODEC_GET_raw(field, size)          codec_get_raw(in, r->field, size)
#define CODEC_PUT_list(field, most, size)   codec_put_list(out, &r->field, r->count, most, size)
#define CODEC_GET_list(field, most, size)   r->field = codec_get_list(in, &r->count, most, size)
/* clang-format on */

/* ---- Parts ----
 *
 * Fields that most records of a kind do not have: X(bit, when it is there, form, field, ...), the bits from 0 on
 * without gaps. A number with the bits of those that are there comes first, then their fields in order. What is not
 * there stays as it is in `r`: zero.
 */
/* clang-format off */
#define CODEC_PART_BIT(bit, there, ...)      | ((there) ? 1u << (bit) : 0u)
#define CODEC_PART_ANY(bit, there, ...)      | 1u << (bit)
#define CODEC_PART_PUT(bit, there, form, ...) if (parts & 1u << (bit)) { CODEC_PUT_##form(__VA_ARGS__); }
#define CODEC_PART_GET(bit, there, form, ...) if (parts & 1u << (bit)) { CODEC_GET_##form(__VA_ARGS__); }
#define CODEC_PARTS_PUT(PARTS) \
    uint32_t parts = 0u PARTS(CODEC_PART_BIT); \
    bytes_put_varint(out, parts); \
    PARTS(CODEC_PART_PUT)
#define CODEC_PARTS_GET(PARTS) \
    _Static_assert(((0u PARTS(CODEC_PART_ANY)) & ((0u PARTS(CODEC_PART_ANY)) + 1)) == 0, "bits without gaps"); \
    uint32_t parts = codec_get_u32(in, 0u PARTS(CODEC_PART_ANY)); \
    PARTS(CODEC_PART_GET)
/* clang-format on */

/* ---- The three functions of each kind of change: rows of CHANGES ----
 *
 * Lists of what is decoded go to the change's own. Restoring does what the change says without judging; false:
 * it does not fit what is known.
 */
struct state;
#define CHANGE_FUNCTIONS(constant, number, codec, restored)                                                  \
    void codec##_change_put(struct buf *out, const struct change *c);                                        \
    void codec##_change_get(struct bytes_reader *in, struct change *c);                                      \
    bool restored##_change_restore(struct state *st, const struct change *c);
CHANGES(CHANGE_FUNCTIONS)
struct change_row {
    void (*put)(struct buf *out, const struct change *c);
    void (*get)(struct bytes_reader *in, struct change *c);
    bool (*restore)(struct state *st, const struct change *c);
};
extern const struct change_row change_rows[CHANGE_LAST + 1]; /* by kind; see change_known */

/* Both directions of a change that is nothing but the fields of its member. */
#define CHANGE_CODEC(codec, member, FIELDS)                                                                  \
    void codec##_change_put(struct buf *out, const struct change *c)                                         \
    {                                                                                                        \
        const __typeof__(c->member) *r = &c->member;                                                         \
        FIELDS(CODEC_PUT)                                                                                    \
    }                                                                                                        \
    void codec##_change_get(struct bytes_reader *in, struct change *c)                                       \
    {                                                                                                        \
        __typeof__(c->member) *r = &c->member;                                                               \
        FIELDS(CODEC_GET)                                                                                    \
    }

#define CHANGE_RESTORE(restored, effect)                                                                     \
    bool restored##_change_restore(struct state *st, const struct change *c)                                 \
    {                                                                                                        \
        return effect;                                                                                       \
    }

/* entry_codec.c: a list of tiers. */
void codec_put_tiers(struct buf *out, const struct text *tiers, uint32_t count);
uint32_t codec_get_tiers(struct bytes_reader *in, struct text tiers[TIERS_MAX]);
/* entry_codec.c: what belongs to an event's waiting room and list. */
void event_entries_encode(struct buf *out, const struct event_image *e);
void event_entries_decode(struct bytes_reader *in, struct change *change);

#endif
