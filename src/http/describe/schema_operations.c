/* SPDX-License-Identifier: Apache-2.0 */
/* schema_operations.c — of schema.h: keys, sessions, and how the server does. */
#include "http/record/encode.h"
#include "http/describe/schema_table.h"

const char *encode_key_role(unsigned index)
{
    static const enum role roles[] = {ROLE_APP, ROLE_DOOR};
    return index < sizeof(roles) / sizeof(*roles) ? role_name(roles[index]) : NULL;
}
/* clang-format off */
WORD_LIST(healthy, "ok")
WORD_LIST(conditions, "ready", "degraded")
WORD_LIST(causes, "stopping", "storage_full", "book_behind")

#define NAMED \
    MEMBER(name, TEXT, "shop", "What the key is called in the history."), \
    WORD(role, encode_key_role, "app", "What it may do.")

#define OLD_VALID_UNTIL \
    MEMBER(old_valid_until, TIME, "2030-06-04T09:00:00.000Z", \
           "Until when the value before the last rotation is good as well; null: it is not.", NULLABLE)

RECORD(key, "A key, without what it is.",
    NAMED,
    MEMBER(created_at, TIME, "2030-05-01T08:00:00.000Z", "When it was made."),
    OLD_VALID_UNTIL)

RECORD(key_made, "A new key; this is the only time that it is shown.",
    NAMED,
    MEMBER(key, TEXT, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The key itself."))

RECORD(key_rotated, "The new value of a key; this is the only time that it is shown.",
    NAMED,
    MEMBER(key, TEXT, "app_7h2k9d4m1q8z_5t3w6r0y2n4b_8c1v7x9j3f6g", "The new value."),
    OLD_VALID_UNTIL)

RECORD(session, "A guest's token.",
    MEMBER(token, TEXT, "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJndWVzdF8xIn0.c2lnbmF0dXJl", "What to send as Bearer."),
    MEMBER(user_id, TEXT, "guest_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "The guest."),
    MEMBER(expires_at, TIME, "2030-06-04T09:00:00.000Z", "Until when it is good."))

RECORD(health, "The process answers.",
    WORD(status, healthy, "ok", "Always `ok`."))

RECORD(readiness, "Whether new holds are taken, and if not, why.",
    WORD(status, conditions, "ready", "`degraded`: new holds are refused."),
    WORDS(degraded, causes, "book_behind", "Why, if they are.", .empty = true))

ANY_OBJECT(description, "A document of OpenAPI 3.1.", "{\"openapi\":\"3.1.0\"}")
/* clang-format on */
