/* SPDX-License-Identifier: Apache-2.0 */
/* encode_catalogue.c — of encode.h: events, pools, seats, calendars and their slots. */
#include <stdio.h>

#include "http/api/calendar_body.h"
#include "http/record/encode.h"
#include "http/record/member.h"

static void write_counts(struct json_writer *w, const struct event_counts *counts)
{
    json_object_begin(w);
    member_uint(w, "seats", counts->seats);
    member_uint(w, "available", counts->available);
    member_uint(w, "held", counts->held);
    member_uint(w, "sold", counts->sold);
    member_uint(w, "blocked", counts->blocked);
    json_object_end(w);
}

/* Members of the object that is being written. */
static void write_terms(struct json_writer *w, const struct terms *terms)
{
    member_string(w, "currency", terms->currency);
    member_uint(w, "hold_ttl_seconds", terms->hold_ttl_s);
    member_uint(w, "max_hold_seconds", terms->max_hold_s);
    member_uint(w, "payment_ttl_seconds", terms->payment_ttl_s);
    member_string(w, "payment", payment_rule_name(terms->payment));
    member_string(w, "late_payment", late_payment_rule_name(terms->late_payment));
}

static void write_queue_settings(struct json_writer *w, const struct queue_settings *settings)
{
    if (!settings) {
        json_null(w);
        return;
    }
    json_object_begin(w);
    encode_queue_settings(w, settings);
    json_object_end(w);
}

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts)
{
    json_object_begin(w);
    member_text(w, "id", event->id);
    member_text(w, "name", event->name);
    member_time(w, "starts_at", event->starts_at_ms);
    member_time(w, "on_sale_at", event->on_sale_at_ms);
    member_time(w, "off_sale_at", event->off_sale_at_ms);
    write_terms(w, &event->terms);
    member_uint(w, "per_user_limit", event->per_user_limit);
    json_key(w, "waiting_room");
    write_queue_settings(w, event->has_queue ? &event->queue : NULL);
    member_bool(w, "waiting_list", event->has_list);
    member_time(w, "created_at", event->created_at_ms);
    json_key(w, "counts");
    write_counts(w, counts);
    json_object_end(w);
}

void encode_pool(struct json_writer *w, const struct pool_image *pool)
{
    json_object_begin(w);
    member_text(w, "id", pool->id);
    member_text(w, "name", pool->name);
    member_uint(w, "capacity", pool->capacity);
    member_uint(w, "available", pool->available);
    member_int(w, "price", pool->price);
    json_object_end(w);
}

static void member_clock(struct json_writer *w, const char *key, unsigned minute)
{
    char text[8];
    int size = snprintf(text, sizeof(text), "%02u:%02u", minute / 60 % 24, minute % 60);
    json_key(w, key);
    json_text(w, text, (size_t)size);
}

void encode_hours(struct json_writer *w, const struct calendar_image *calendar)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->hours_count; i++) {
        const struct hours_range *range = &calendar->hours[i];
        json_object_begin(w);
        json_key(w, "days");
        json_array_begin(w);
        for (unsigned day = 0; day < 7; day++)
            if (range->days & 1u << day)
                json_string(w, calendar_body_day(day));
        json_array_end(w);
        member_clock(w, "from", range->from_minute);
        member_clock(w, "to", range->to_minute);
        json_object_end(w);
    }
    json_array_end(w);
}

void encode_closed(struct json_writer *w, const struct calendar_image *calendar, int64_t start_ms,
                   int64_t end_ms)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->closed_count; i++) {
        const struct closed_interval *closed = &calendar->closed[i];
        if (closed->start_ms >= end_ms || closed->end_ms <= start_ms)
            continue;
        json_object_begin(w);
        member_instant(w, "start", closed->start_ms);
        member_instant(w, "end", closed->end_ms);
        json_object_end(w);
    }
    json_array_end(w);
}

static void write_services(struct json_writer *w, const struct calendar_image *calendar)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < calendar->service_count; i++) {
        const struct service_image *service = &calendar->services[i];
        if (service->removed)
            continue;
        json_object_begin(w);
        member_text(w, "id", service->id);
        member_uint(w, "duration_minutes", service->duration_minutes);
        member_int(w, "price", service->price);
        json_object_end(w);
    }
    json_array_end(w);
}

void encode_calendar(struct json_writer *w, const struct calendar_image *calendar)
{
    json_object_begin(w);
    member_text(w, "id", calendar->id);
    member_text(w, "name", calendar->name);
    member_text(w, "timezone", calendar->timezone);
    member_uint(w, "capacity", calendar->capacity);
    member_int(w, "price", calendar->price);
    write_terms(w, &calendar->terms);
    member_uint(w, "slot_minutes", calendar->slot_minutes);
    member_uint(w, "buffer_minutes", calendar->buffer_minutes);
    json_key(w, "hours");
    encode_hours(w, calendar);
    json_key(w, "closed");
    encode_closed(w, calendar, INT64_MIN, INT64_MAX);
    json_key(w, "services");
    write_services(w, calendar);
    member_time(w, "created_at", calendar->created_at_ms);
    json_object_end(w);
}

void encode_slot(struct json_writer *w, const struct slot *slot)
{
    json_object_begin(w);
    member_instant(w, "start", slot->start_ms);
    member_instant(w, "end", slot->end_ms);
    member_uint(w, "available", slot->available);
    json_object_end(w);
}

void encode_seat(struct json_writer *w, const struct seat_view *seat)
{
    const struct seat_image *s = &seat->image;
    json_object_begin(w);
    member_text(w, "id", s->id);
    member_string(w, "status", seat_status_name(seat->status));
    member_uint(w, "version", seat->version);
    member_text(w, "section", s->section);
    member_text(w, "row", s->row);
    member_text(w, "number", s->number);
    member_milli(w, "x", s->has_x, s->x_milli);
    member_milli(w, "y", s->has_y, s->y_milli);
    member_text(w, "tier", s->tier);
    member_int(w, "price", s->price);
    json_key(w, "accessible");
    json_bool(w, s->accessible);
    json_object_end(w);
}
