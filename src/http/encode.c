/* SPDX-License-Identifier: Apache-2.0 */
#include "http/encode.h"

#include <stdio.h>

#include "base/assertion.h"

static void key_text(struct json_writer *w, const char *key, struct text value)
{
    json_key(w, key);
    if (value.at)
        json_text(w, value.at, value.size);
    else
        json_null(w);
}

static void key_string(struct json_writer *w, const char *key, const char *value)
{
    json_key(w, key);
    json_string(w, value);
}

static void key_int(struct json_writer *w, const char *key, int64_t value)
{
    json_key(w, key);
    json_int(w, value);
}

static void key_uint(struct json_writer *w, const char *key, uint64_t value)
{
    json_key(w, key);
    json_uint(w, value);
}

static void key_time(struct json_writer *w, const char *key, int64_t at_ms)
{
    json_key(w, key);
    json_time(w, at_ms);
}

static void key_milli(struct json_writer *w, const char *key, bool given, int32_t milli)
{
    json_key(w, key);
    if (given)
        json_milli(w, milli);
    else
        json_null(w);
}

static void write_counts(struct json_writer *w, const struct event_counts *counts)
{
    json_object_begin(w);
    key_uint(w, "seats", counts->seats);
    key_uint(w, "available", counts->available);
    key_uint(w, "held", counts->held);
    key_uint(w, "sold", counts->sold);
    key_uint(w, "blocked", counts->blocked);
    json_object_end(w);
}

static const char *payment_name(enum payment_rule rule)
{
    return rule == PAYMENT_NONE ? "none" : "required";
}

static const char *late_payment_name(enum late_payment_rule rule)
{
    return rule == LATE_PAYMENT_REFUND ? "refund" : "accept_if_free";
}

void encode_event(struct json_writer *w, const struct event_image *event, const struct event_counts *counts)
{
    json_object_begin(w);
    key_text(w, "id", event->id);
    key_text(w, "name", event->name);
    key_time(w, "starts_at", event->starts_at_ms);
    key_time(w, "on_sale_at", event->on_sale_at_ms);
    key_time(w, "off_sale_at", event->off_sale_at_ms);
    key_string(w, "currency", event->currency);
    key_uint(w, "hold_ttl_seconds", event->hold_ttl_s);
    key_uint(w, "max_hold_seconds", event->max_hold_s);
    key_uint(w, "payment_ttl_seconds", event->payment_ttl_s);
    key_string(w, "payment", payment_name(event->payment));
    key_string(w, "late_payment", late_payment_name(event->late_payment));
    key_uint(w, "per_user_limit", event->per_user_limit);
    key_time(w, "created_at", event->created_at_ms);
    json_key(w, "counts");
    write_counts(w, counts);
    json_object_end(w);
}

void encode_pool(struct json_writer *w, const struct pool_image *pool)
{
    json_object_begin(w);
    key_text(w, "id", pool->id);
    key_text(w, "name", pool->name);
    key_uint(w, "capacity", pool->capacity);
    key_uint(w, "available", pool->available);
    key_int(w, "price", pool->price);
    json_object_end(w);
}

void encode_seat(struct json_writer *w, const struct seat_view *seat)
{
    const struct seat_image *s = &seat->image;
    json_object_begin(w);
    key_text(w, "id", s->id);
    key_string(w, "status", seat_status_name(seat->status));
    key_uint(w, "version", seat->version);
    key_text(w, "section", s->section);
    key_text(w, "row", s->row);
    key_text(w, "number", s->number);
    key_milli(w, "x", s->has_x, s->x_milli);
    key_milli(w, "y", s->has_y, s->y_milli);
    key_text(w, "tier", s->tier);
    key_int(w, "price", s->price);
    json_key(w, "accessible");
    json_bool(w, s->accessible);
    json_object_end(w);
}

static void prefixed_id(struct json_writer *w, const char *key, const char prefix[4], struct id id)
{
    char text[ENCODE_RESERVATION_ID_SIZE];
    memcpy(text, prefix, 4);
    id_write(id, text + 4);
    json_key(w, key);
    json_text(w, text, sizeof(text));
}

void encode_reservation_id(struct id id, char out[ENCODE_RESERVATION_ID_SIZE])
{
    memcpy(out, "res_", 4);
    id_write(id, out + 4);
}

bool encode_reservation_id_read(struct text text, struct id *out)
{
    return text.size == ENCODE_RESERVATION_ID_SIZE && memcmp(text.at, "res_", 4) == 0 &&
           id_read(text.at + 4, text.size - 4, out);
}

static void item_id_member(struct json_writer *w, uint32_t item_id)
{
    char digits[16];
    int size = snprintf(digits, sizeof(digits), "%u", item_id);
    json_key(w, "item_id");
    json_text(w, digits, (size_t)size);
}

static void unit_member(struct json_writer *w, const struct item_image *item)
{
    key_text(w, "event", item->event_id);
    key_text(w, item->kind == ITEM_SEAT ? "seat" : "pool", item->unit_id);
}

static void write_item(struct json_writer *w, const struct item_image *item)
{
    json_object_begin(w);
    item_id_member(w, item->item_id);
    unit_member(w, item);
    if (item->kind == ITEM_POOL)
        key_uint(w, "quantity", item->quantity);
    key_int(w, "price", item->price);
    json_object_end(w);
}

static void write_tickets(struct json_writer *w, const struct reservation_image *r)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < r->item_count; i++) {
        const struct item_image *item = &r->items[i];
        for (uint32_t unit = 0; unit < item->quantity; unit++) {
            char code[TICKET_CODE_SIZE];
            ticket_code_write(r->ticket_key, item->item_id, unit, code);
            json_object_begin(w);
            json_key(w, "code");
            json_text(w, code, sizeof(code));
            item_id_member(w, item->item_id);
            unit_member(w, item);
            json_object_end(w);
        }
    }
    json_array_end(w);
}

static bool committed(const struct reservation_image *r)
{
    return r->ticket_key[0] || r->ticket_key[1];
}

static void write_times(struct json_writer *w, const struct reservation_image *r, int64_t now_ms)
{
    int64_t left_ms =
        r->status == RESERVATION_HELD && r->expires_at_ms > now_ms ? r->expires_at_ms - now_ms : 0;
    key_time(w, "created_at", r->created_at_ms);
    key_time(w, "expires_at", r->expires_at_ms);
    key_int(w, "expires_in", (left_ms + 999) / 1000);
    key_int(w, "expires_in_ms", left_ms);
    key_time(w, "max_expires_at", r->max_expires_at_ms);
    key_time(w, "payment_started_at", r->payment_started_at_ms);
    key_time(w, "confirmed_at", r->confirmed_at_ms);
    key_time(w, "ended_at", r->ended_at_ms);
}

static void write_total(struct json_writer *w, const struct reservation_image *r)
{
    json_object_begin(w);
    key_int(w, "amount", reservation_image_total(r));
    key_string(w, "currency", r->currency);
    json_object_end(w);
}

void encode_reservation(struct json_writer *w, const struct reservation_image *r, int64_t now_ms)
{
    char pnr[PNR_SIZE];
    pnr_write(r->number, pnr);
    json_object_begin(w);
    prefixed_id(w, "reservation_id", "res_", r->id);
    json_key(w, "pnr");
    json_text(w, pnr, sizeof(pnr));
    key_string(w, "status", reservation_status_name(r->status));
    key_text(w, "user_id", r->user_id);
    write_times(w, r, now_ms);
    key_uint(w, "fence", r->fence);
    key_uint(w, "version", r->version);
    json_key(w, "total");
    write_total(w, r);
    json_key(w, "attributes");
    if (r->attributes.at)
        json_raw(w, r->attributes.at, r->attributes.size);
    else
        json_raw(w, "{}", 2);
    json_key(w, "items");
    json_array_begin(w);
    for (uint32_t i = 0; i < r->item_count; i++)
        write_item(w, &r->items[i]);
    json_array_end(w);
    if (committed(r)) {
        prefixed_id(w, "order_id", "ord_", r->id);
        json_key(w, "tickets");
        write_tickets(w, r);
    }
    json_object_end(w);
}

size_t encode_reservation_bound(const struct reservation_image *r)
{
    /* Everything with fixed texts is under 1 KiB; a user id may grow sixfold by escaping. Ids never do. */
    size_t bound = 1024 + 6 * r->user_id.size + r->attributes.size;
    for (uint32_t i = 0; i < r->item_count; i++) {
        size_t names = r->items[i].event_id.size + r->items[i].unit_id.size;
        bound += 128 + names;
        if (committed(r))
            bound += (size_t)r->items[i].quantity * (96 + names);
    }
    return bound;
}

static void actor_member(struct json_writer *w, const struct actor *actor)
{
    char text[8 + USER_SIZE_MAX];
    const char *role = role_name(actor->role);
    size_t size = strlen(role);
    ASSERT(size + 1 + actor->name.size <= sizeof(text));
    memcpy(text, role, size);
    if (actor->name.size) {
        text[size++] = ':';
        memcpy(text + size, actor->name.at, actor->name.size);
        size += actor->name.size;
    }
    json_key(w, "actor");
    json_text(w, text, size);
}

void encode_history(struct json_writer *w, const struct history_view *history)
{
    json_object_begin(w);
    key_uint(w, "seq", history->seq);
    key_time(w, "at", history->at_ms);
    actor_member(w, &history->actor);
    key_string(w, "action", action_name(history->action));
    key_string(w, "reason", history->action == ACTION_EXPIRED ? "deadline" : NULL);
    key_string(w, "status", reservation_status_name(history->status));
    key_time(w, "expires_at", history->expires_at_ms);
    key_uint(w, "version", history->version);
    json_object_end(w);
}

void encode_key(struct json_writer *w, const struct key_image *key)
{
    json_object_begin(w);
    key_text(w, "name", key->name);
    key_string(w, "role", role_name(key->role));
    key_time(w, "created_at", key->created_at_ms);
    json_object_end(w);
}

static void write_best(struct json_writer *w, const struct item_request *item)
{
    json_object_begin(w);
    key_uint(w, "quantity", item->quantity);
    if (item->section.at)
        key_text(w, "section", item->section);
    if (item->tier.at)
        key_text(w, "tier", item->tier);
    json_key(w, "adjacent");
    json_bool(w, item->adjacent);
    json_object_end(w);
}

/* The members of the item that the request named, by the kind of command. */
static void asked_members(struct json_writer *w, const struct command *command, uint32_t index)
{
    if (command->kind == COMMAND_SEATS_BLOCK) {
        ASSERT(index < command->seats_block.count);
        key_text(w, "event", command->seats_block.event);
        key_text(w, "seat", command->seats_block.ids[index]);
        return;
    }
    if (command->kind == COMMAND_ITEM_MOVE) {
        key_text(w, "seat", command->item.seat);
        return;
    }
    ASSERT(command->kind == COMMAND_HOLD || command->kind == COMMAND_ITEMS_ADD);
    ASSERT(index < command->hold.count);
    const struct item_request *item = &command->hold.items[index];
    key_text(w, "event", item->event);
    if (item->kind == ITEM_BEST) {
        json_key(w, "best");
        write_best(w, item);
        return;
    }
    key_text(w, item->kind == ITEM_SEAT ? "seat" : "pool", item->unit);
    if (item->kind == ITEM_POOL)
        key_uint(w, "quantity", item->quantity);
}

void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < outcome->obstacle_count; i++) {
        const struct obstacle *obstacle = &outcome->obstacles[i];
        json_object_begin(w);
        key_uint(w, "item", obstacle->item);
        asked_members(w, command, obstacle->item);
        if (obstacle->kind == ITEM_SEAT)
            key_string(w, "status", seat_status_name(obstacle->status));
        else
            key_uint(w, "available", obstacle->available);
        json_object_end(w);
    }
    json_array_end(w);
}
