/* SPDX-License-Identifier: Apache-2.0 */
/* encode_entries.c — of encode.h: waiting rooms, and those who stand in them or on a waiting list. */
#include "base/hash.h"
#include "http/record/encode.h"
#include "http/record/member.h"

/* ---- A waiting room ---- */

static void write_pace(struct json_writer *w, const struct queue_settings *settings)
{
    member_uint(w, "rate_per_second", settings->rate_per_second);
    member_uint(w, "max_active", settings->max_active);
    member_uint(w, "pass_ttl_seconds", settings->pass_ttl_s);
    member_bool(w, "shuffle_before_open", settings->shuffle_before_open);
    member_bool(w, "by_inventory", settings->by_inventory);
    if (settings->tier_count) {
        member_texts(w, "tiers", settings->tiers, settings->tier_count);
    } else {
        json_key(w, "tiers");
        json_null(w);
    }
}

void encode_queue_settings(struct json_writer *w, const struct queue_settings *settings)
{
    member_time(w, "open_at", settings->open_at_ms);
    write_pace(w, settings);
}

static void member_hex(struct json_writer *w, const char *key, const uint8_t bytes[32])
{
    static const char digits[] = "0123456789abcdef";
    char text[64];
    for (size_t i = 0; i < 32; i++) {
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    json_key(w, key);
    json_text(w, text, sizeof(text));
}

/* The hash of the seed binds us before the opening; with the seed anybody can draw again after it. */
static void write_draw(struct json_writer *w, const struct queue_view *queue)
{
    const struct queue_image *image = &queue->image;
    uint8_t commitment[32];
    if (!image->drawn && !queue->settings.shuffle_before_open) {
        json_null(w);
        return;
    }
    hash_sha256(image->seed, sizeof(image->seed), commitment);
    json_object_begin(w);
    member_hex(w, "commitment", commitment);
    if (image->opened_at_ms) {
        member_hex(w, "seed", image->seed);
        member_uint(w, "entries", image->drawn);
    } else {
        member_string(w, "seed", NULL);
        member_text(w, "entries", (struct text){0});
    }
    json_object_end(w);
}

void encode_queue(struct json_writer *w, const struct queue_view *queue, bool all)
{
    json_object_begin(w);
    member_uint(w, "serving", queue->serving);
    member_uint(w, "waiting", queue->waiting);
    json_key(w, "admitted_per_second");
    json_milli(w, (int64_t)queue->admitted_per_10_s * 100);
    member_time(w, "open_at", queue->settings.open_at_ms);
    member_bool(w, "paused", queue->image.paused);
    member_time(w, "opened_at", queue->image.opened_at_ms);
    json_key(w, "draw");
    write_draw(w, queue);
    if (all) {
        write_pace(w, &queue->settings);
        member_uint(w, "active", queue->active);
        member_uint(w, "passed_over", queue->passed_over);
        member_uint(w, "finished", queue->finished);
        member_uint(w, "left", queue->left);
        member_uint(w, "joined", queue->joined);
    }
    json_object_end(w);
}

/* ---- Entries ---- */

static void member_or_null(struct json_writer *w, const char *key, bool known, uint64_t value)
{
    json_key(w, key);
    if (known)
        json_uint(w, value);
    else
        json_null(w);
}

/* What goes with the status. */
static void write_standing(struct json_writer *w, const struct queue_entry_image *entry, struct text pass)
{
    if (entry->status == QUEUE_PASSED_OVER)
        member_time(w, "returns_until", entry->until_ms);
    if (entry->status != QUEUE_ADMITTED)
        return;
    if (pass.at)
        member_text(w, "pass", pass);
    member_time(w, "pass_expires_at", entry->until_ms);
}

void encode_queue_entry(struct json_writer *w, const struct queue_entry_image *entry,
                        const struct text *tiers, uint32_t tier_count, struct text pass)
{
    bool live = queue_status_live(entry->status);
    json_object_begin(w);
    encode_id_member(w, "entry_id", ENCODE_QUEUE_ENTRY, entry->id);
    member_text(w, "event", entry->event_id);
    member_text(w, "user_id", entry->user_id);
    member_uint(w, "number", entry->number);
    member_or_null(w, "position", entry->position > 0, entry->position);
    member_or_null(w, "ahead", live && entry->position > 0, entry->ahead);
    member_string(w, "status", queue_status_name(entry->status));
    member_or_null(w, "eta_seconds", live && entry->eta_s >= 0, (uint64_t)entry->eta_s);
    member_or_null(w, "poll_after_seconds", live, entry->poll_after_s);
    member_time(w, "joined_at", entry->joined_at_ms);
    write_standing(w, entry, pass);
    if (tier_count)
        member_texts(w, "tiers", tiers, tier_count);
    json_object_end(w);
}

void encode_list_entry(struct json_writer *w, const struct list_entry_image *entry)
{
    json_object_begin(w);
    encode_id_member(w, "entry_id", ENCODE_LIST_ENTRY, entry->id);
    member_text(w, "event", entry->event_id);
    member_text(w, "user_id", entry->user_id);
    member_or_null(w, "position", entry->position > 0, entry->position);
    member_string(w, "status", list_status_name(entry->status));
    member_uint(w, "quantity", entry->wish.quantity);
    member_bool(w, "adjacent", entry->wish.adjacent);
    member_text(w, "tier", entry->wish.tier);
    member_text(w, "section", entry->wish.section);
    member_text(w, "pool", entry->wish.pool);
    member_time(w, "joined_at", entry->joined_at_ms);
    encode_id_member(w, "reservation_id", ENCODE_RESERVATION, entry->reservation);
    json_object_end(w);
}
