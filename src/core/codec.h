/* SPDX-License-Identifier: Apache-2.0 */
/* codec.h — what the encodings of all kinds of change are made of, above base/bytes.h. See change_codec.c
 * before touching any. */
#ifndef CORE_CODEC_H
#define CORE_CODEC_H

#include "core/change.h"

void codec_put_text(struct buf *out, struct text t);
void codec_put_optional(struct buf *out, struct text t); /* one that may be missing: size + 1, or 0 */
void codec_put_id(struct buf *out, struct id id);
void codec_put_currency(struct buf *out, const char currency[4]);
void codec_put_terms(struct buf *out, const struct terms *t);

struct text codec_get_text(struct bytes_reader *in);
struct text codec_get_optional(struct bytes_reader *in);
struct id codec_get_id(struct bytes_reader *in);
void codec_get_currency(struct bytes_reader *in, char currency[4]);
void codec_get_terms(struct bytes_reader *in, struct terms *t);
/* A number that must fit; anything larger marks the reader bad. */
uint32_t codec_get_u32(struct bytes_reader *in, uint64_t most);
/* An instant, written as what it is after another, that must lie so near; anything else marks the reader
 * bad. */
int64_t codec_get_later(struct bytes_reader *in, int64_t than_ms, int64_t most_ms);

/* calendar_codec.c. The lists of what is decoded go to the change's own. */
void calendar_encode(struct buf *out, const struct calendar_image *c);
void calendar_decode(struct bytes_reader *in, struct change *change);

/* entry_codec.c: what belongs to waiting rooms and lists. Tiers of what is decoded go to the change's own. */
void event_lines_encode(struct buf *out, const struct event_image *e);
void event_lines_decode(struct bytes_reader *in,
                        struct change *change); /* none in what an older program wrote */
void queue_encode(struct buf *out, const struct queue_image *r);
void queue_decode(struct bytes_reader *in, struct queue_image *r);
void queue_joined_encode(struct buf *out, const struct change *c);
void queue_joined_decode(struct bytes_reader *in, struct change *c);
void list_entry_encode(struct buf *out, const struct list_entry_image *e);
void list_entry_decode(struct bytes_reader *in, struct list_entry_image *e);

#endif
