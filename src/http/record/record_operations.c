/* SPDX-License-Identifier: Apache-2.0 */
/* record_operations.c — of encode.h and schema.h: keys, sessions, and how the server does. */
#include "http/access/auth.h"
#include "http/record/encode.h"
#include "http/record/record.h"

/* clang-format off */
WORD_LIST(healthy, "ok")
WORD_LIST(conditions, "ready", "degraded")
WORD_LIST(causes, "stopping", "storage_full", "book_behind")
WORDS_OF_ENUM(key_roles, role, ROLE_APP, ROLE_DOOR)

/* ---- Keys ---- */

#define NAMED(F) \
    F(TEXT, name, "shop", "What the key is called in the history.", key->name) \
    F(WORD, role, "app", "What it may do.", key_roles, role_name(key->role))
#define OLD_VALID_UNTIL(F) \
    F(TIME_OR_NULL, old_valid_until, "2030-06-04T09:00:00.000Z", \
      "Until when the value before the last rotation is good as well; null: it is not.", \
      now_ms < key->old_until_ms ? key->old_until_ms : 0)

#define KEY(F) \
    NAMED(F) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was made.", key->created_at_ms) \
    OLD_VALID_UNTIL(F)
RECORD(key, "A key, without what it is.", KEY)

#define KEY_MADE(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The key itself.", value)
RECORD(key_made, "A new key; this is the only time that it is shown.", KEY_MADE)

#define KEY_ROTATED(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The new value.", value) \
    OLD_VALID_UNTIL(F)
RECORD(key_rotated, "The new value of a key; this is the only time that it is shown.", KEY_ROTATED)

/* ---- Others ---- */

#define SESSION(F) \
    F(TEXT, token, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdF8xIn0.c2lnbmF0dXJl", "What to send as Bearer.", guest->token) \
    F(TEXT, user_id, "guest_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The guest.", guest->user_id) \
    F(TIME, expires_at, "2030-06-04T09:00:00.000Z", "Until when it is good.", guest->expires_at_ms)
RECORD(session, "A guest's token.", SESSION)

#define HEALTH(F) F(WORD, status, "ok", "Always `ok`.", healthy, "ok")
RECORD(health, "The process answers.", HEALTH)

#define READINESS(F) \
    F(WORD, status, "ready", "`degraded`: new holds are refused.", conditions, cause ? "degraded" : "ready") \
    F(WORDS, degraded, [], "Why, if they are.", causes, write_causes(w, cause))
RECORD(readiness, "Whether new holds are taken, and if not, why.", READINESS)

ANY_OBJECT(description, "A document of OpenAPI 3.1.", "{\"openapi\":\"3.1.0\"}")
/* clang-format on */

const char *encode_key_role(unsigned index)
{
    return key_roles(index);
}

void encode_key(struct json_writer *w, const struct key_image *key, int64_t now_ms)
{
    WRITE_RECORD(KEY);
}

void encode_key_made(struct json_writer *w, const struct key_image *key, const char *value)
{
    WRITE_RECORD(KEY_MADE);
}

void encode_key_rotated(struct json_writer *w, const struct key_image *key, const char *value, int64_t now_ms)
{
    WRITE_RECORD(KEY_ROTATED);
}

void encode_session(struct json_writer *w, const struct auth_guest *guest)
{
    WRITE_RECORD(SESSION);
}

void encode_health(struct json_writer *w)
{
    WRITE_RECORD(HEALTH);
}

static void write_causes(struct json_writer *w, const char *cause)
{
    json_array_begin(w);
    if (cause)
        json_string(w, cause);
    json_array_end(w);
}

void encode_readiness(struct json_writer *w, const char *cause)
{
    WRITE_RECORD(READINESS);
}
