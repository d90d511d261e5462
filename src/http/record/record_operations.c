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
    F(TEXT, name, "shop", "The name of the key, as shown in the history.", key->name) \
    F(WORD, role, "app", "The role of the key.", key_roles, role_name(key->role))
#define OLD_VALID_UNTIL(F) \
    F(TIME_OR_NULL, old_valid_until, "2030-06-04T09:00:00.000Z", \
      "Until when the previous value is still valid; null: it is not.", \
      now_ms < key->old_until_ms ? key->old_until_ms : 0)

#define KEY(F) \
    NAMED(F) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", key->created_at_ms) \
    OLD_VALID_UNTIL(F)
RECORD(key, "A key, without its value.", KEY)

#define KEY_MADE(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The value of the key.", value)
RECORD(key_made, "A new key. Its value is shown only once.", KEY_MADE)

#define KEY_ROTATED(F) \
    NAMED(F) \
    F(STRING, key, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The new value of the key.", value) \
    OLD_VALID_UNTIL(F)
RECORD(key_rotated, "A rotated key. Its new value is shown only once.", KEY_ROTATED)

/* ---- Others ---- */

#define SESSION(F) \
    F(TEXT, token, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdF8xIn0.c2lnbmF0dXJl", \
      "The token to send as Bearer.", guest->token) \
    F(TEXT, user_id, "guest_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The user id of the guest.", guest->user_id) \
    F(TIME, expires_at, "2030-06-04T09:00:00.000Z", "When the token expires.", guest->expires_at_ms)
RECORD(session, "A guest's token.", SESSION)

#define HEALTH(F) F(WORD, status, "ok", "Always `ok`.", healthy, "ok")
RECORD(health, "The process is up.", HEALTH)

#define READINESS(F) \
    F(WORD, status, "ready", "`degraded`: new holds are refused.", conditions, cause ? "degraded" : "ready") \
    F(WORDS, degraded, [], "Why new holds are refused; empty if they are not.", causes, write_causes(w, cause))
RECORD(readiness, "Whether new holds are accepted, and if not, why.", READINESS)

ANY_OBJECT(description, "An OpenAPI 3.1 document.", "{\"openapi\":\"3.1.0\"}")
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
