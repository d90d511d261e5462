/* SPDX-License-Identifier: Apache-2.0 */
/* schema_operations.c — of schema.h: keys, sessions, and how the server does. */
#include "core/types.h"
#include "http/schema_table.h"

static const char *key_roles(unsigned index)
{
    static const enum role roles[] = {ROLE_APP, ROLE_DOOR};
    return index < sizeof(roles) / sizeof(*roles) ? role_name(roles[index]) : NULL;
}
static WORDS_OF_OURS(healthy, "ok") static WORDS_OF_OURS(conditions, "ready",
                                                         "degraded") static WORDS_OF_OURS(causes, "stopping",
                                                                                          "storage_full",
                                                                                          "book_behind")

    /* clang-format off */
RECORD(key, "A key, without what it is.",
    MEMBER(name, TEXT),
    WORD(role, key_roles),
    MEMBER(created_at, TIME),
    MEMBER(old_valid_until, TIME, NULLABLE))

RECORD(key_made, "A new key; this is the only time that it is shown.",
    MEMBER(name, TEXT),
    WORD(role, key_roles),
    MEMBER(key, TEXT))

RECORD(key_rotated, "The new value of a key; this is the only time that it is shown.",
    MEMBER(name, TEXT),
    WORD(role, key_roles),
    MEMBER(key, TEXT),
    MEMBER(old_valid_until, TIME, NULLABLE))

RECORD(session, "A guest's token.",
    MEMBER(token, TEXT),
    MEMBER(user_id, TEXT),
    MEMBER(expires_at, TIME))

RECORD(health, "The process answers.",
    WORD(status, healthy))

RECORD(readiness, "Whether new holds are taken, and if not, why.",
    WORD(status, conditions),
    WORDS(degraded, causes))

    /* clang-format on */

    const struct schema schema_description = {.name = "description", .about = "A document of OpenAPI 3.1."};
