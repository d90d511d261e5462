/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_codec.c — a calendar's change: its bytes, and how it is restored. What change_codec.c says about changing a kind holds
 * here too. */
#include "base/assertion.h"
#include "core/codec.h"
#include "core/state.h"

static void services_put(struct buf *out, const struct calendar_image *c)
{
    ASSERT(c->service_count <= SERVICES_EVER_MAX);
    bytes_put_varint(out, c->service_count);
    for (uint32_t i = 0; i < c->service_count; i++) {
        const struct service_image *s = &c->services[i];
        codec_put_text(out, s->id);
        bytes_put_varint(out, s->duration_minutes);
        bytes_put_signed(out, s->price);
        bytes_put_u8(out, s->removed);
    }
}

void calendar_change_put(struct buf *out, const struct change *change)
{
    const struct calendar_image *c = &change->calendar;
    /* What the decoder would refuse must not be written: the journal could not be read again. */
    ASSERT(c->number >= 1 && c->capacity <= CALENDAR_CAPACITY_MAX && c->slot_minutes <= SLOT_MINUTES_MAX);
    ASSERT(c->hours_count <= HOURS_MAX && c->closed_count <= CLOSED_MAX);
    bytes_put_varint(out, c->number);
    codec_put_text(out, c->id);
    codec_put_text(out, c->name);
    codec_put_text(out, c->timezone);
    bytes_put_varint(out, c->capacity);
    bytes_put_signed(out, c->price);
    codec_put_terms(out, &c->terms);
    bytes_put_varint(out, c->slot_minutes);
    bytes_put_varint(out, c->buffer_minutes);
    bytes_put_varint(out, c->hours_count);
    for (uint32_t i = 0; i < c->hours_count; i++) {
        ASSERT(c->hours[i].from_minute < HOURS_DAY_MINUTES && c->hours[i].to_minute < HOURS_DAY_MINUTES);
        bytes_put_u8(out, c->hours[i].days);
        bytes_put_varint(out, c->hours[i].from_minute);
        bytes_put_varint(out, c->hours[i].to_minute);
    }
    bytes_put_varint(out, c->closed_count);
    for (uint32_t i = 0; i < c->closed_count; i++) {
        bytes_put_signed(out, c->closed[i].start_ms);
        bytes_put_signed(out, c->closed[i].end_ms);
    }
    services_put(out, c);
    bytes_put_signed(out, c->created_at_ms);
}

static void lists_get(struct bytes_reader *in, struct change *change)
{
    struct calendar_image *c = &change->calendar;
    c->hours = change->hours;
    c->hours_count = codec_get_u32(in, HOURS_MAX);
    for (uint32_t i = 0; i < c->hours_count; i++) {
        change->hours[i].days = bytes_get_u8(in);
        change->hours[i].from_minute = (uint16_t)codec_get_u32(in, HOURS_DAY_MINUTES - 1);
        change->hours[i].to_minute = (uint16_t)codec_get_u32(in, HOURS_DAY_MINUTES - 1);
    }
    c->closed = change->closed;
    c->closed_count = codec_get_u32(in, CLOSED_MAX);
    for (uint32_t i = 0; i < c->closed_count; i++) {
        change->closed[i].start_ms = bytes_get_signed(in);
        change->closed[i].end_ms = bytes_get_signed(in);
    }
    c->services = change->services;
    c->service_count = codec_get_u32(in, SERVICES_EVER_MAX);
    for (uint32_t i = 0; i < c->service_count; i++) {
        struct service_image *s = &change->services[i];
        s->id = codec_get_text(in);
        s->duration_minutes = codec_get_u32(in, UINT32_MAX);
        s->price = bytes_get_signed(in);
        s->removed = bytes_get_u8(in) != 0;
    }
}

void calendar_change_get(struct bytes_reader *in, struct change *change)
{
    struct calendar_image *c = &change->calendar;
    c->number = bytes_get_varint(in);
    c->id = codec_get_text(in);
    c->name = codec_get_text(in);
    c->timezone = codec_get_text(in);
    c->capacity = codec_get_u32(in, CALENDAR_CAPACITY_MAX);
    c->price = bytes_get_signed(in);
    codec_get_terms(in, &c->terms);
    c->slot_minutes = codec_get_u32(in, SLOT_MINUTES_MAX);
    c->buffer_minutes = codec_get_u32(in, BUFFER_MINUTES_MAX);
    lists_get(in, change);
    c->created_at_ms = bytes_get_signed(in);
}

bool calendar_change_restore(struct state *st, const struct change *c)
{
    bool known = calendar_find_number(st, c->calendar.number) != NULL;
    return (known || c->calendar.number == c->seq) && calendar_restore(st, &c->calendar, NULL, c->seq);
}
