/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json/json_merge.h"

#include <string.h>

#include "base/assertion.h"
#include "base/json/json_scan.h"
#include "base/json/json_writer.h"

/* A value of one of the two documents. */
struct part {
    const struct json_scan *scan;
    const struct json_token *token; /* NULL: there is none */
};

static bool is_object(struct part part)
{
    return part.token && part.token->kind == JSON_TOKEN_OBJECT;
}

/* The member of this name; token NULL: there is none. */
static struct part member_find(struct part object, const char *name, size_t size)
{
    const struct json_token *at = is_object(object) ? object.token + 1 : NULL;
    for (uint32_t i = 0; at && i < object.token->count; i++, at += 1 + at[1].span) {
        size_t own_size;
        const char *own = json_scan_text(object.scan, at, &own_size);
        if (own_size == size && memcmp(own, name, size) == 0)
            return (struct part){object.scan, at + 1};
    }
    return (struct part){object.scan, NULL};
}

static void write_as_is(struct json_writer *w, struct part value)
{
    uint32_t quote = value.token->kind == JSON_TOKEN_TEXT; /* a text token excludes its quotes */
    json_raw(w, value.scan->body + value.token->at - quote, (size_t)value.token->size + 2 * quote);
}

/* As deep as the patch at most, which json_scan bounds. */
static void merge(struct json_writer *w, struct part target, struct part patch)
{
    if (!is_object(patch)) {
        write_as_is(w, patch);
        return;
    }
    json_object_begin(w);
    const struct json_token *at = is_object(target) ? target.token + 1 : NULL;
    for (uint32_t i = 0; at && i < target.token->count; i++, at += 1 + at[1].span) {
        size_t size;
        const char *name = json_scan_text(target.scan, at, &size);
        struct part change = member_find(patch, name, size), present = {target.scan, at + 1};
        if (change.token && change.token->kind == JSON_TOKEN_NULL)
            continue;
        json_key_text(w, name, size);
        if (change.token)
            merge(w, present, change);
        else
            write_as_is(w, present);
    }
    at = patch.token + 1;
    for (uint32_t i = 0; i < patch.token->count; i++, at += 1 + at[1].span) {
        size_t size;
        const char *name = json_scan_text(patch.scan, at, &size);
        if (at[1].kind == JSON_TOKEN_NULL || member_find(target, name, size).token)
            continue;
        json_key_text(w, name, size);
        merge(w, (struct part){target.scan, NULL}, (struct part){patch.scan, at + 1});
    }
    json_object_end(w);
}

void json_merge(const char *target, size_t target_size, const char *patch, size_t patch_size,
                struct arena *arena, struct buf *out)
{
    struct json_scan targets, patches;
    bool sound = json_scan(&targets, target, target_size, arena) &&
                 json_scan(&patches, patch_size ? patch : "{}", patch_size ? patch_size : 2, arena);
    ASSERT(sound);
    struct part from = {&targets, targets.tokens}, change = {&patches, patches.tokens};
    ASSERT(is_object(from) && is_object(change));
    struct json_writer w = json_writer_make(out);
    merge(&w, from, change);
}
