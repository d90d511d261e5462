/* SPDX-License-Identifier: Apache-2.0 */
/* column.h — macros for tables of columns, for the files that define some. Files that use a record include
 * book/record/columns.h.
 */
#ifndef BOOK_COLUMN_H
#define BOOK_COLUMN_H

#include <stddef.h>

#include "book/record/record.h"

/* Columns are in the order of parameters and results; those that are not read come last.
 *
 * COLUMN checks that the field of the row's struct has the type of its kind. */
#define COLUMN_TYPE(kind, type) typedef __typeof__(type) type_of_##kind;
COLUMN_KINDS(COLUMN_TYPE)
/* clang-format off */
#define AT(row, field, type)                                                                                 \
    (offsetof(struct row, field) + 0 * sizeof(char[_Generic(&((struct row *)0)->field, type *: 1, default: -1)]))
#define COLUMN(row, name_, kind_, field, ...)                                                                \
    {.name = name_, .kind = COLUMN_##kind_, .offset = AT(row, field, type_of_##kind_), __VA_ARGS__}
/* An enum, by its names in `<type>_words`. */
#define WORD(row, name_, type, field, ...)                                                                   \
    {.name = name_, .kind = COLUMN_WORD, .offset = AT(row, field, enum type), .words = &type##_words, __VA_ARGS__}
/* The same; 0 is stored as NULL. */
#define WORD_OR_NULL(row, name_, type, field, ...)                                                           \
    {.name = name_, .kind = COLUMN_WORD_OR_NULL, .offset = AT(row, field, enum type), .words = &type##_words, \
     __VA_ARGS__}
/* A plain setting by its form (core/setting.h). */
#define SETTING_COLUMN_TIME(row, name_, field, ...) COLUMN(row, name_, TIME, field)
#define SETTING_COLUMN_COUNT(row, name_, field, ...) COLUMN(row, name_, U32, field)
#define SETTING_COLUMN_FLAG(row, name_, field, ...) COLUMN(row, name_, BOOL, field)
#define SETTING_COLUMN_TEXT(row, name_, field, ...) COLUMN(row, name_, TEXT, field)
#define SETTING_COLUMN_WORD(row, name_, field, type, ...) WORD(row, name_, type, field)
#define BESIDE(row, field) .beside = offsetof(struct row, field)
#define KEY .flags = COLUMN_KEY
#define FIXED .flags = COLUMN_FIXED

#define APART .flags = COLUMN_APART
#define FRESH .flags = COLUMN_FRESH

#define COUNT(columns_) (sizeof(columns_) / sizeof((columns_)[0]))
/* `unread`: the number of columns at the end that are written but not read. */
#define RECORD(name, table_, row, unread) RECORD_OF(name, table_, name##_columns, sizeof(struct row), unread, 0)
#define RECORD_OF(name, table_, columns_, size_, unread, kind_at_)                                           \
    _Static_assert(COUNT(columns_) < 64, "?64 has another use");                                             \
    const struct book_record name##_record = {                                                               \
        .table = table_, .columns = columns_, .count = COUNT(columns_), .read = COUNT(columns_) - (unread),  \
        .size = size_, .kind_at = kind_at_}

/* The names of an enum, for WORD. */
#define WORDS(type, what_, first_, last_, scope)                                                             \
    _Static_assert(sizeof(enum type) == sizeof(int), "COLUMN_WORD is an int");                               \
    static const char *type##_text(int value)                                                                \
    {                                                                                                        \
        return type##_name((enum type)value);                                                                \
    }                                                                                                        \
    scope const struct book_words type##_words = {what_, first_, last_, type##_text};
/* clang-format on */

#endif
