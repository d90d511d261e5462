/* SPDX-License-Identifier: Apache-2.0 */
/* record_queue.c — part of encode.h: waiting rooms, and the entries of waiting rooms and waiting lists. */
#include "base/crypto/hash.h"
#include "http/describe/about.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* clang-format off */

/* ---- A waiting room ---- */

#define OPEN_AT(F) F(TIME_OR_NULL, open_at, "2030-06-01T10:00:00.000Z", ABOUT_QUEUE_OPEN_AT, settings->open_at_ms)
#define PACE(F) \
    F(UINT, rate_per_second, 200, ABOUT_QUEUE_RATE, settings->rate_per_second) \
    F(UINT, max_active, 5000, ABOUT_QUEUE_MAX_ACTIVE, settings->max_active) \
    F(UINT, pass_ttl_seconds, 900, ABOUT_QUEUE_PASS_TTL, settings->pass_ttl_s) \
    F(BOOL, shuffle_before_open, false, ABOUT_QUEUE_SHUFFLE, settings->shuffle_before_open) \
    F(BOOL, by_inventory, true, ABOUT_QUEUE_BY_INVENTORY, settings->by_inventory) \
    F(TEXTS_OR_NULL, tiers, null, ABOUT_QUEUE_TIERS, settings->tiers, settings->tier_count)
#define WAITING_ROOM(F) OPEN_AT(F) PACE(F)
RECORD(waiting_room, "The settings of an event's waiting room.", WAITING_ROOM)

/* The hash commits us to the seed before the opening; with the seed anyone can repeat the draw afterwards. */
#define DRAW(F) \
    F(CHARS, commitment, "5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef", \
      "The SHA-256 of the seed, published before the opening.", commitment) \
    F(TEXT_OR_NULL, seed, null, "The seed, in hex; null before the opening.", \
      opened ? ((struct text){seed, sizeof(seed)}) : (struct text){0}) \
    F(UINT_OR_NULL, entries, null, "How many entries were drawn; null before the opening.", opened, image->drawn)
RECORD(draw, "Data to verify a draw. The seed and the number of entries are published at the opening.", DRAW)

#define QUEUE_PUBLIC(F) \
    F(UINT, serving, 4200, "The highest position admitted so far.", queue->serving) \
    F(UINT, waiting, 180000, "How many people are waiting.", queue->waiting) \
    F(MILLI, admitted_per_second, 199.8, "People admitted per second, over the last ten seconds.", \
      (int64_t)queue->admitted_per_10_s * 100) \
    OPEN_AT(F) \
    F(BOOL, paused, false, "Whether admission is paused.", queue->image.paused) \
    F(TIME_OR_NULL, opened_at, "2030-06-01T10:00:00.000Z", "When it opened; null: not yet.", \
      queue->image.opened_at_ms) \
    F(ONE_OR_NULL, draw, null, "Data to verify the draw; null: no draw.", draw, \
      is_drawn(queue) ? write_draw(w, &queue->image) : json_null(w))
RECORD(queue_public, "The public state of a waiting room.", QUEUE_PUBLIC)

#define QUEUE_ADMIN(F) \
    QUEUE_PUBLIC(F) \
    PACE(F) \
    F(UINT, active, 830, "How many passes are active.", queue->active) \
    F(UINT, passed_over, 12, "How many missed their turn and may come back.", queue->passed_over) \
    F(UINT, finished, 3350, "How many used their pass or let it expire.", queue->finished) \
    F(UINT, left, 40, "How many left.", queue->left) \
    F(UINT, joined, 184232, "How many joined in total.", queue->joined)
RECORD(queue_admin, "A waiting room, as an admin sees it.", QUEUE_ADMIN)

ONE_OF(queue, "A waiting room, as the caller may see it.", OPTION(queue_public) OPTION(queue_admin))

/* ---- Entries ---- */

#define QUEUE_ENTRY(F) \
    F(ID, entry_id, "ent_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the entry.", ENCODE_QUEUE_ENTRY, entry->id) \
    F(TEXT, event, "premiere", "The event.", entry->event_id) \
    F(TEXT, user_id, "ann", "The owner of the entry.", entry->user_id) \
    F(UINT, number, 4711, "The number by arrival; the draw is made from it.", entry->number) \
    F(UINT_OR_NULL, position, 4711, "The position in line, which never changes; null before a draw.", \
      entry->position, entry->position) \
    F(UINT_OR_NULL, ahead, 511, "How many people are ahead; null before a draw and at the end.", \
      live && entry->position, entry->ahead) \
    F(WORD, status, "waiting", "The status of the entry.", queue_status_word, queue_status_name(entry->status)) \
    F(UINT_OR_NULL, eta_seconds, 3, "Estimated wait, in seconds; null: unknown.", \
      live && entry->eta_s >= 0, (uint64_t)entry->eta_s) \
    F(UINT_OR_NULL, poll_after_seconds, 2, "When to poll again, in seconds; null at the end.", \
      live, entry->poll_after_s) \
    F(TIME, joined_at, "2030-06-01T10:00:20.000Z", "When the user joined.", entry->joined_at_ms) \
    F(MAYBE_TIME_OR_NULL, returns_until, , \
      "If passed over: the time limit to come back; null once back in line.", \
      entry->status == QUEUE_PASSED_OVER, entry->until_ms) \
    F(MAYBE_TEXT, pass, , "If admitted: the pass to send as Holdfast-Pass.", pass) \
    F(MAYBE_TIME, pass_expires_at, , "If admitted: when the pass expires.", \
      entry->status == QUEUE_ADMITTED, entry->until_ms) \
    F(MAYBE_TEXTS, tiers, , "The tiers that the pass is valid for, if not all.", tiers, tier_count)
RECORD(queue_entry, "An entry in a waiting room.", QUEUE_ENTRY)

#define ENTRY_STREAM(F) F(ONE, entry, , "The whole current entry.", queue_entry)
RECORD(entry_stream, "Changes of an entry in a waiting room.", ENTRY_STREAM)

#define LIST_ENTRY(F) \
    F(ID, entry_id, "lst_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The id of the entry.", ENCODE_LIST_ENTRY, entry->id) \
    F(TEXT, event, "arena", "The event.", entry->event_id) \
    F(TEXT, user_id, "ann", "The owner of the entry.", entry->user_id) \
    F(UINT_OR_NULL, position, 12, "The position on the list; null if it is no longer waiting.", \
      entry->position, entry->position) \
    F(WORD, status, "waiting", "The status of the entry.", list_status_word, list_status_name(entry->status)) \
    F(UINT, quantity, 2, ABOUT_WISH_QUANTITY, entry->wish.quantity) \
    F(BOOL, adjacent, true, ABOUT_WISH_ADJACENT, entry->wish.adjacent) \
    F(TEXT_OR_NULL, tier, "gold", ABOUT_WISH_TIER, entry->wish.tier) \
    F(TEXT_OR_NULL, section, null, ABOUT_WISH_SECTION, entry->wish.section) \
    F(TEXT_OR_NULL, pool, null, ABOUT_WISH_POOL, entry->wish.pool) \
    F(TIME, joined_at, "2030-06-01T10:00:20.000Z", "When the user joined.", entry->joined_at_ms) \
    F(ID_OR_NULL, reservation_id, null, "If offered: the id of the hold; null: none was offered.", \
      ENCODE_RESERVATION, entry->reservation)
RECORD(list_entry, "An entry on a waiting list.", LIST_ENTRY)
/* clang-format on */

void encode_queue_settings(struct json_writer *w, const struct queue_settings *settings)
{
    WRITE_RECORD(WAITING_ROOM);
}

static bool is_drawn(const struct queue_view *queue)
{
    return queue->image.drawn || queue->settings.shuffle_before_open;
}

static void hex_write(const uint8_t bytes[32], char out[64])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 32; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
}

static void write_draw(struct json_writer *w, const struct queue_image *image)
{
    uint8_t hash[32];
    char commitment[64], seed[64];
    bool opened = image->opened_at_ms != 0;
    hash_sha256(image->seed, sizeof(image->seed), hash);
    hex_write(hash, commitment);
    hex_write(image->seed, seed);
    WRITE_RECORD(DRAW);
}

void encode_queue(struct json_writer *w, const struct queue_view *queue, bool all)
{
    const struct queue_settings *settings = &queue->settings;
    if (all)
        WRITE_RECORD(QUEUE_ADMIN);
    else
        WRITE_RECORD(QUEUE_PUBLIC);
}

void encode_queue_entry(struct json_writer *w, const struct queue_entry_image *entry,
                        const struct text *tiers, uint32_t tier_count, struct text pass)
{
    bool live = queue_status_live(entry->status);
    WRITE_RECORD(QUEUE_ENTRY);
}

void encode_list_entry(struct json_writer *w, const struct list_entry_image *entry)
{
    WRITE_RECORD(LIST_ENTRY);
}
