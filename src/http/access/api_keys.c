/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/assertion.h"
#include "base/crypto/hash.h"
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

#define SECRET_PARTS 3
#define SECRET_PART_SIZE 12 /* 60 bits */
#define SECRET_SIZE (SECRET_PARTS * SECRET_PART_SIZE)
#define KEY_SIZE_MAX 64
#define OLD_VALID_SECONDS 86400 /* the default for a rotation */

/* ---- Records ---- */

/* clang-format off */
WORDS_OF_ENUM(key_roles, role, ROLE_APP, ROLE_DOOR)

#define NAMED(F) \
    F(TEXT, name, "shop", "The name of the key, as shown in the history.", key->name) \
    F(WORD, role, "app", "The role of the key.", key_roles, role_name(key->role))
#define OLD_VALID_UNTIL(F) \
    F(TIME_OR_NULL, old_valid_until, "2030-06-04T09:00:00.000Z", \
      "Until when the previous value is still valid; null: it no longer is.", \
      now_ms < key->old_until_ms ? key->old_until_ms : 0)

#define KEY(F) \
    NAMED(F) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", key->created_at_ms) \
    OLD_VALID_UNTIL(F)
RECORD(key, "A key, without its value.", KEY)

#define NEW_KEY(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The value of the key.", value)
RECORD(new_key, "A new key. Its value is shown only once.", NEW_KEY)

#define ROTATED_KEY(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The new value of the key.", value) \
    OLD_VALID_UNTIL(F)
RECORD(rotated_key, "A rotated key. Its new value is shown only once.", ROTATED_KEY)
/* clang-format on */

/* ---- Calls ---- */

struct key_body {
    struct json_text_value name, role;
};

const struct json_field api_key_fields[] = {
    FIELD_ID(struct key_body, name, JSON_REQUIRED, "The name of the key, as shown in the history."),
    FIELD_WORD(struct key_body, role, JSON_REQUIRED, key_roles,
               "`app`: a trusted back end that acts for any user. `door`: checks tickets in."),
    JSON_END,
};

/* hf_app_… or hf_door_…, so that scanners can recognise a leaked key. */
static char *draw_key(struct arena *arena, enum role role)
{
    char secret[SECRET_SIZE];
    char key[KEY_SIZE_MAX];
    for (size_t i = 0; i < SECRET_PARTS; i++)
        id_base32(random_u64(), secret + i * SECRET_PART_SIZE, SECRET_PART_SIZE);
    int size = snprintf(key, sizeof(key), "hf_%s_%.*s", role_name(role), SECRET_SIZE, secret);
    ASSERT(size > 0 && (size_t)size < sizeof(key));
    return arena_copy(arena, key, (size_t)size);
}

/* In both, call->data is the value of the key. */
static void created(struct call *call, const struct outcome *outcome)
{
    (void)outcome;
    const struct key_image *key = &call->command.key;
    const char *value = call->data;
    struct json_writer *w = reply_json(call->request, 201);
    WRITE_RECORD(NEW_KEY);
    reply_finish(call->request);
}

static void rotated(struct call *call, const struct outcome *outcome)
{
    const struct key_image *key = &outcome->key;
    const char *value = call->data;
    int64_t now_ms = call->request->now_ms;
    struct json_writer *w = reply_json(call->request, 201);
    WRITE_RECORD(ROTATED_KEY);
    reply_finish(call->request);
}

HANDLER(api_key_create)
{
    struct key_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_KEY_CREATE);
    struct key_image *image = &call->command.key;
    image->name = text_given(body.name);
    role_read(text_given(body.role), &image->role);
    char *key = draw_key(&r->arena, image->role);
    hash_sha256(key, strlen(key), image->hash);
    call->data = key;
    call_submit(call, created);
}

struct rotate_body {
    struct json_int_value old_valid_seconds;
};

const struct json_field api_key_rotate_fields[] = {
    JSON_INT(struct rotate_body, old_valid_seconds, 0, OLD_KEY_SECONDS_MAX, JSON_OPTIONAL,
             .about =
                 "How long the old value stays valid, in seconds. Defaults to a day; 0 ends it at once."),
    JSON_END,
};

HANDLER(api_key_rotate)
{
    struct rotate_body body;
    struct key_view view;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_KEY_ROTATE);
    bool exists = view_key_named(r->view, r->parameters[0], &view);
    char *key = draw_key(&r->arena, exists ? view.image.role : ROLE_APP);
    call->command.key_rotate.name = r->parameters[0];
    call->command.key_rotate.old_valid_s =
        body.old_valid_seconds.given ? (uint32_t)body.old_valid_seconds.value : OLD_VALID_SECONDS;
    hash_sha256(key, strlen(key), call->command.key_rotate.hash);
    call->data = key;
    call_submit(call, rotated);
}

HANDLER(api_key_list)
{
    uint32_t limit;
    struct text after;
    struct key_view view;
    int64_t now_ms = r->now_ms;
    if (!page_limit(r, 0, &limit) || !page_cursor_name(r, 1, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_key_after(r->view, after, &view); limit--) {
        const struct key_image *key = &view.image;
        WRITE_RECORD(KEY);
        reply_wait(r, view.seq);
        after = view.image.name;
    }
    page_end_name(w, limit == 0 && view_key_after(r->view, after, &view), after);
    reply_finish(r);
}

HANDLER(api_key_remove)
{
    struct call *call = call_make(r, COMMAND_KEY_REMOVE);
    call->command.key.name = r->parameters[0];
    call_submit(call, call_reply_empty);
}
