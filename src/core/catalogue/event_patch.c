/* SPDX-License-Identifier: Apache-2.0 */
#include "core/catalogue/event_patch.h"

#include <string.h>

#include "base/memory/arena.h"
#include "base/assertion.h"
#include "base/memory/buf.h"
#include "base/json/json_merge.h"
#include "base/json/json_scan.h"
#include "base/json/json_writer.h"
#include "core/catalogue/event.h"
#include "core/state.h"

#define PRICES_SIZE_MAX (8u << 20) /* the old prices and a request body */
#define BLOCK_SIZE 4096

#define FIELD(name, member) PATCH_FIELD(struct event_image, name, member)
#define SETTING(form, member, name, ...) FIELD(name, member),
const struct patch_field event_patch_fields[] = {
    FIELD("name", name),
    PATCH_TERMS(struct event_image),
    FIELD("staff_hold_seconds", terms.staff_hold_s),
    FIELD("waiting_room", has_queue), /* its members: queue_merge */
    FIELD("waiting_list", has_list),
    FIELD("cancel_until_seconds", cancels),
    FIELD("cancel_until_seconds", cancel_until_s),
    FIELD("categories", categories),
    FIELD("prices", prices), /* and then prices_merge */
    EVENT_SETTINGS(SETTING){0},
};
#undef SETTING
#undef FIELD

#define FIELD(name, member) PATCH_FIELD(struct queue_settings, name, member)
const struct patch_field queue_patch_fields[] = {
    FIELD("open_at", open_at_ms),
    FIELD("rate_per_second", rate_per_second),
    FIELD("max_active", max_active),
    FIELD("pass_ttl_seconds", pass_ttl_s),
    FIELD("shuffle_before_open", shuffle_before_open),
    FIELD("by_inventory", by_inventory),
    FIELD("tiers", tiers),
    FIELD("tiers", tier_count),
    {0},
};
#undef FIELD

/* Patches the event's waiting room, or creates one if it has none. */
static void queue_merge(const struct event_patch *p, const struct event_image *present,
                        struct event_image *image)
{
    if (!image->has_queue)
        image->queue = (struct queue_settings){0};
    else if (!present->has_queue)
        image->queue = p->values.queue;
    else
        patch_take(queue_patch_fields, p->queue_given, &p->values.queue, &image->queue);
}

/* Removes tiers without prices. */
static void tiers_drop_empty(struct buf *merged, struct arena *arena)
{
    struct json_scan scan;
    char *text = arena_take(arena, merged->size);
    memcpy(text, merged->data, merged->size);
    bool sound = json_scan(&scan, text, merged->size, arena);
    ASSERT(sound && scan.tokens->kind == JSON_TOKEN_OBJECT);
    merged->size = 0;
    struct json_writer w = json_writer_make(merged);
    const struct json_token *at = scan.tokens + 1;
    json_object_begin(&w);
    for (uint32_t i = 0; i < scan.tokens->count; i++, at += 1 + at[1].span) {
        size_t size;
        const char *name = json_scan_text(&scan, at, &size);
        ASSERT(at[1].kind == JSON_TOKEN_OBJECT); /* amounts by category */
        if (at[1].count == 0)
            continue;
        json_key_text(&w, name, size);
        json_raw(&w, text + at[1].at, at[1].size);
    }
    json_object_end(&w);
}

/* The merged prices are in `merged`. Their size is bounded by the limits of an event and of a body. */
static void prices_merge(const struct event_image *present, struct event_image *image, struct buf *merged)
{
    struct arena arena;
    struct text from = present->prices.at ? present->prices : TEXT("{}");
    if (!image->prices.at)
        return;
    arena_init(&arena, BLOCK_SIZE);
    json_merge(from.at, from.size, image->prices.at, image->prices.size, &arena, merged);
    tiers_drop_empty(merged, &arena);
    arena_release(&arena);
    ASSERT(merged->size >= 2);
    image->prices = merged->size > 2 ? (struct text){(const char *)merged->data, merged->size}
                                     : (struct text){0}; /* {}: none left */
}

enum outcome_code event_patch(struct state *st, const struct command *c, struct outcome *out)
{
    const struct event_patch *p = &c->event_patch;
    const struct event *e = event_find(st, p->id);
    if (!e)
        return OUTCOME_NO_SUCH_EVENT;
    struct command put = {.kind = COMMAND_EVENT_PUT, .actor = c->actor};
    struct event_image *image = &put.event_put.image;
    struct buf prices;
    *image = e->image;
    image->id = p->id; /* the old text is freed when the new image is applied */
    image->terms.staff_hold_s = terms_staff_hold_s(&e->image.terms); /* as shown to clients */
    patch_take(event_patch_fields, p->given, &p->values, image);
    if (p->given & patch_set(event_patch_fields, "waiting_room"))
        queue_merge(p, &e->image, image);
    buf_init(&prices, PRICES_SIZE_MAX);
    if (p->given & patch_set(event_patch_fields, "prices"))
        prices_merge(&e->image, image, &prices);
    bool keyed = image->has_queue || image->has_list;
    memcpy(image->entry_key, keyed ? p->values.entry_key : (uint64_t[2]){0}, sizeof(image->entry_key));
    memcpy(put.event_put.seed, p->seed, sizeof(put.event_put.seed));
    put.event_put.zone = p->given & patch_set(event_patch_fields, "timezone") ? p->zone : e->zone;
    enum outcome_code code = event_put(st, &put, out);
    buf_release(&prices);
    ASSERT(code != OUTCOME_OK || (!out->created && out->event.number == e->image.number));
    return code;
}
