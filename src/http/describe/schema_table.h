/* SPDX-License-Identifier: Apache-2.0 */
/* schema_table.h — how the tables of schema.h are written; for schema_*.c alone.
 *
 *   RECORD(slot, "A time that can be claimed, and how often.",
 *       MEMBER(start, TIME, "2030-06-03T09:00:00.000Z", "When it begins."),
 *       MEMBER(available, INT, 1, "How many more could have it."),
 *       MAYBE(service, TEXT, "The service, if it has one."))
 *
 * No row compiles without what it is about, nor one that is always there without an example, which is JSON.
 */
#ifndef HTTP_SCHEMA_TABLE_H
#define HTTP_SCHEMA_TABLE_H

#include "core/types.h"
#include "http/describe/schema.h"

/* clang-format off */
#define RECORD(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .members = (const struct schema_member[]){__VA_ARGS__, {0}}};
#define ANY_OBJECT(name_, about_, example_) \
    const struct schema schema_##name_ = {.name = #name_, .about = about_, .example = example_};
#define ONE_OF(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .one_of = (const struct schema *const[]){__VA_ARGS__, NULL}};

/* Rows of what is always there; what may be null says so behind. The example of a list or map is that of one
 * value in it, a record's is made from its own members. */
#define ROW(name_, kind_, about_, ...) {.name = #name_, .kind = SCHEMA_##kind_, .about = about_, __VA_ARGS__}
#define MEMBER(name_, kind_, example_, about_, ...) ROW(name_, kind_, about_, .example = #example_, __VA_ARGS__)
#define WORD(name_, words_, example_, about_, ...) MEMBER(name_, WORD, example_, about_, .word = words_, __VA_ARGS__)
#define WORDS(name_, words_, example_, about_, ...) \
    WORD(name_, words_, example_, about_, .many = SCHEMA_LIST, __VA_ARGS__)
#define TEXTS(name_, example_, about_, ...) MEMBER(name_, TEXT, example_, about_, .many = SCHEMA_LIST, __VA_ARGS__)
#define ONE(name_, record_, about_, ...) ROW(name_, RECORD, about_, .record = &schema_##record_, __VA_ARGS__)
#define LIST(name_, record_, about_, ...) ONE(name_, record_, about_, .many = SCHEMA_LIST, __VA_ARGS__)
#define NULLABLE .may_be = SCHEMA_NULLABLE
/* Rows of what may be missing, and is in no example. */
#define MAYBE(name_, kind_, about_, ...) ROW(name_, kind_, about_, OPTIONAL, __VA_ARGS__)
#define MAYBE_WORD(name_, words_, about_) MAYBE(name_, WORD, about_, .word = words_)
#define MAYBE_ONE(name_, record_, about_, ...) MAYBE(name_, RECORD, about_, .record = &schema_##record_, __VA_ARGS__)
#define MAYBE_LIST(name_, record_, about_) MAYBE_ONE(name_, record_, about_, .many = SCHEMA_LIST)
#define OPTIONAL .may_be = SCHEMA_OPTIONAL
/* clang-format on */

#endif
