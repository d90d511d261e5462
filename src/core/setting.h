/* SPDX-License-Identifier: Apache-2.0 */
/* setting.h — plain settings of a record as rows of a list, and what follows from a row in core.
 *
 * EVENT_SETTINGS (image.h) and CALENDAR_RULES (calendar/calendar_image.h) are such lists. From a row follow the member of
 * the image, what a merge patch may name (patch.h), the bytes in the journal (codec.h) and, in the book, the column
 * (book/record/column.h). The effect of a setting, and its form in requests and answers, are elsewhere.
 *
 *   form    more        member
 *   TIME                int64_t, ms; 0: none
 *   COUNT   most        uint32_t
 *   FLAG                bool
 *   TEXT    most bytes  struct text; none: none
 *   WORD    type, TYPE  enum type, with TYPE_FIRST and TYPE_LAST
 */
#ifndef CORE_SETTING_H
#define CORE_SETTING_H

/* clang-format off */
#define SETTING_TYPE_TIME(...) int64_t
#define SETTING_TYPE_COUNT(...) uint32_t
#define SETTING_TYPE_FLAG(...) bool
#define SETTING_TYPE_TEXT(...) struct text
#define SETTING_TYPE_WORD(type, ...) enum type

/* Its bytes, as a row of codec.h. */
#define SETTING_BYTES_TIME(member, ...) signed, member
#define SETTING_BYTES_COUNT(member, most) u32, member, most
#define SETTING_BYTES_FLAG(member, ...) flag, member
#define SETTING_BYTES_TEXT(member, most) bounded, member, most
#define SETTING_BYTES_WORD(member, type, TYPE) word, member, TYPE##_FIRST, TYPE##_LAST

/* What is memory and not a value: copied, and given back. */
#define SETTING_OWN_TIME(value)
#define SETTING_OWN_COUNT(value)
#define SETTING_OWN_FLAG(value)
#define SETTING_OWN_TEXT(value) (value) = text_own(value);
#define SETTING_OWN_WORD(value)
#define SETTING_FREE_TIME(value)
#define SETTING_FREE_COUNT(value)
#define SETTING_FREE_FLAG(value)
#define SETTING_FREE_TEXT(value) text_free(value);
#define SETTING_FREE_WORD(value)
/* clang-format on */

#endif
