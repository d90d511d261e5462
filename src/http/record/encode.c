/* SPDX-License-Identifier: Apache-2.0 */
#include "http/record/encode.h"

#include <stdio.h>

#include "base/assertion.h"
#include "book/query.h"
#include "http/record/member.h"

void encode_id(const char of[4], struct id id, char out[ENCODE_ID_SIZE])
{
    memcpy(out, of, 4);
    id_write(id, out + 4);
}

bool encode_id_read(const char of[4], struct text text, struct id *out)
{
    return text.size == ENCODE_ID_SIZE && memcmp(text.at, of, 4) == 0 &&
           id_read(text.at + 4, text.size - 4, out);
}

void encode_id_member(struct json_writer *w, const char *key, const char of[4], struct id id)
{
    char text[ENCODE_ID_SIZE];
    encode_id(of, id, text);
    member_text(w, key, id_none(id) ? (struct text){0} : (struct text){text, sizeof(text)});
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
    if (item->kind == ITEM_SLOT) {
        member_text(w, "calendar", item->event_id);
        member_instant(w, "start", item->start_ms);
        member_instant(w, "end", item->end_ms);
        if (item->unit_id.at)
            member_text(w, "service", item->unit_id);
        return;
    }
    member_text(w, "event", item->event_id);
    member_text(w, item->kind == ITEM_SEAT ? "seat" : "pool", item->unit_id);
}

static void write_item(struct json_writer *w, const struct item_image *item)
{
    json_object_begin(w);
    item_id_member(w, item->item_id);
    unit_member(w, item);
    if (item->kind == ITEM_POOL)
        member_uint(w, "quantity", item->quantity);
    member_int(w, "price", item->price);
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
    member_time(w, "created_at", r->created_at_ms);
    member_time(w, "expires_at", r->expires_at_ms);
    member_int(w, "expires_in", (left_ms + 999) / 1000);
    member_int(w, "expires_in_ms", left_ms);
    member_time(w, "max_expires_at", r->max_expires_at_ms);
    member_time(w, "payment_started_at", r->payment_started_at_ms);
    member_time(w, "confirmed_at", r->confirmed_at_ms);
    member_time(w, "ended_at", r->ended_at_ms);
}

static void write_total(struct json_writer *w, const struct reservation_image *r)
{
    json_object_begin(w);
    member_int(w, "amount", reservation_image_total(r));
    member_string(w, "currency", r->currency);
    json_object_end(w);
}

void encode_reservation(struct json_writer *w, const struct reservation_image *r, int64_t now_ms)
{
    char pnr[PNR_SIZE];
    pnr_write(r->number, pnr);
    json_object_begin(w);
    encode_id_member(w, "reservation_id", ENCODE_RESERVATION, r->id);
    json_key(w, "pnr");
    json_text(w, pnr, sizeof(pnr));
    member_string(w, "status", reservation_status_name(r->status));
    if (r->from_list)
        member_string(w, "reason", "list");
    member_text(w, "user_id", r->user_id);
    write_times(w, r, now_ms);
    member_uint(w, "fence", r->fence);
    member_uint(w, "version", r->version);
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
        encode_id_member(w, "order_id", ENCODE_ORDER, r->id);
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
        if (r->items[i].kind == ITEM_SLOT)
            names += 96; /* start and end */
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

/* The server holds of its own accord for those on a waiting list only. */
static const char *reason_of(const struct history_view *history)
{
    if (history->action == ACTION_EXPIRED)
        return "deadline";
    return history->action == ACTION_HELD && history->actor.role == ROLE_SERVER ? "list" : NULL;
}

void encode_history(struct json_writer *w, const struct history_view *history)
{
    json_object_begin(w);
    member_uint(w, "seq", history->seq);
    member_time(w, "at", history->at_ms);
    actor_member(w, &history->actor);
    member_string(w, "action", action_name(history->action));
    member_string(w, "reason", reason_of(history));
    member_string(w, "status", reservation_status_name(history->status));
    member_time(w, "expires_at", history->expires_at_ms);
    member_uint(w, "version", history->version);
    json_object_end(w);
}

static void write_best(struct json_writer *w, const struct item_request *item)
{
    json_object_begin(w);
    member_uint(w, "quantity", item->quantity);
    if (item->section.at)
        member_text(w, "section", item->section);
    if (item->tier.at)
        member_text(w, "tier", item->tier);
    json_key(w, "adjacent");
    json_bool(w, item->adjacent);
    json_object_end(w);
}

static void slot_members(struct json_writer *w, const struct item_request *item)
{
    member_text(w, "calendar", item->event);
    member_instant(w, "start", item->start_ms);
    if (item->unit.at)
        member_text(w, "service", item->unit);
    else
        member_instant(w, "end", item->end_ms);
}

static void moved_members(struct json_writer *w, const struct command *command)
{
    if (command->item.seat.at) {
        member_text(w, "seat", command->item.seat);
        return;
    }
    member_instant(w, "start", command->item.start_ms);
    if (command->item.has_end)
        member_instant(w, "end", command->item.end_ms);
}

/* The members of the item that the request named, by the kind of command. */
static void asked_members(struct json_writer *w, const struct command *command, uint32_t index)
{
    if (command->kind == COMMAND_SEATS_BLOCK) {
        ASSERT(index < command->seats_block.count);
        member_text(w, "event", command->seats_block.event);
        member_text(w, "seat", command->seats_block.ids[index]);
        return;
    }
    if (command->kind == COMMAND_ITEM_MOVE) {
        moved_members(w, command);
        return;
    }
    ASSERT(command->kind == COMMAND_HOLD || command->kind == COMMAND_ITEMS_ADD);
    ASSERT(index < command->hold.count);
    const struct item_request *item = &command->hold.items[index];
    if (item->kind == ITEM_SLOT) {
        slot_members(w, item);
        return;
    }
    member_text(w, "event", item->event);
    if (item->kind == ITEM_BEST) {
        json_key(w, "best");
        write_best(w, item);
        return;
    }
    member_text(w, item->kind == ITEM_SEAT ? "seat" : "pool", item->unit);
    if (item->kind == ITEM_POOL)
        member_uint(w, "quantity", item->quantity);
}

void encode_obstacles(struct json_writer *w, const struct outcome *outcome, const struct command *command)
{
    json_array_begin(w);
    for (uint32_t i = 0; i < outcome->obstacle_count; i++) {
        const struct obstacle *obstacle = &outcome->obstacles[i];
        json_object_begin(w);
        member_uint(w, "item", obstacle->item);
        asked_members(w, command, obstacle->item);
        if (obstacle->kind == ITEM_SEAT || obstacle->kind == ITEM_SLOT)
            member_string(w, "status", seat_status_name(obstacle->status));
        else
            member_uint(w, "available", obstacle->available);
        json_object_end(w);
    }
    json_array_end(w);
}
