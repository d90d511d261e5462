/* SPDX-License-Identifier: Apache-2.0 */
/* schema_table.h — how the tables of schema.h are written; for schema_*.c alone.
 *
 *   RECORD(slot, "A time that can be claimed, and how often.",
 *       MEMBER(start, TIME), MEMBER(end, TIME), MEMBER(available, INT))
 */
#ifndef HTTP_SCHEMA_TABLE_H
#define HTTP_SCHEMA_TABLE_H

#include "http/schema.h"
#include "http/words.h"

/* clang-format off */
#define RECORD(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .members = (const struct schema_member[]){__VA_ARGS__, {0}}};
#define ONE_OF(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .one_of = (const struct schema *const[]){__VA_ARGS__, NULL}};

/* Rows; what may be missing or empty says so behind. */
#define MEMBER(name_, kind_, ...) {.name = #name_, .kind = SCHEMA_##kind_, __VA_ARGS__}
#define WORD(name_, words_, ...) MEMBER(name_, WORD, .word = words_, __VA_ARGS__)
#define WORDS(name_, words_, ...) WORD(name_, words_, .many = SCHEMA_LIST, __VA_ARGS__)
#define TEXTS(name_, ...) MEMBER(name_, TEXT, .many = SCHEMA_LIST, __VA_ARGS__)
#define ONE(name_, record_, ...) MEMBER(name_, RECORD, .record = &schema_##record_, __VA_ARGS__)
#define LIST(name_, record_, ...) ONE(name_, record_, .many = SCHEMA_LIST, __VA_ARGS__)
#define NULLABLE .may_be = SCHEMA_NULLABLE
#define OPTIONAL .may_be = SCHEMA_OPTIONAL
/* clang-format on */

#endif
