/* SPDX-License-Identifier: Apache-2.0 */
/* record.h — describes a record once, by the list of its members; the code that writes it and its schema in
 * /openapi.json both follow from that list. For record_*.c, and for handlers with a record of their own.
 *
 *   #define SLOT(F) \
 *       F(INSTANT, start, "2030-06-03T09:00:00.000Z", "When it begins.", slot->start_ms) \
 *       F(UINT, available, 1, "How many more can claim it.", slot->available)
 *   RECORD(slot, "A time that can be claimed.", SLOT)
 *   void encode_slot(struct json_writer *w, const struct slot *slot)
 *   {
 *       WRITE_RECORD(SLOT);
 *   }
 *
 * A row has the kind of the member, its name, an example as JSON, a description, and the value as an expression
 * in the function that writes it (whose writer is called `w`). Lists may consist of lists. A record that view/
 * writes has rows without a value.
 *
 * An optional member has the prefix MAYBE_: it has no example, and its first value says whether it is written. A
 * member that can be null ends in _OR_NULL. The example of a list or a map is that of one value in it, unless it
 * is null or []; a record's example is made from those of its members.
 *
 * To add a member: a row. To add a record: its list; declare it in encode.h if other files refer to it. To add a
 * kind of member: its TYPE_ and its PUT_.
 */
#ifndef HTTP_RECORD_H
#define HTTP_RECORD_H

#include "core/types.h"
#include "http/record/encode.h"
#include "http/record/member.h"

/* clang-format off */

/* ---- The schema ---- */

#define RECORD(name_, about_, LIST) RECORD_ROWS(name_, about_, LIST(ROW))
#define RECORD_ROWS(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .members = (const struct schema_member[]){__VA_ARGS__ {0}}};
#define ANY_OBJECT(name_, about_, example_) \
    const struct schema schema_##name_ = {.name = #name_, .about = about_, .example = example_};
#define ONE_OF(name_, about_, ...) \
    const struct schema schema_##name_ = { \
        .name = #name_, .about = about_, .one_of = (const struct schema *const[]){__VA_ARGS__ NULL}};
#define OPTION(name_) &schema_##name_,

#define ROW(kind_, name_, example_, about_, ...) \
    {.name = #name_, .about = about_, .example = #example_, TYPE_##kind_(__VA_ARGS__)},

/* ---- The writer ---- */

#define WRITE_RECORD(LIST) WRITE_ROWS(LIST(WRITE))
#define WRITE_ROWS(...) do { json_object_begin(w); __VA_ARGS__ json_object_end(w); } while (0)

#define WRITE(kind_, name_, example_, about_, ...) PUT_##kind_(#name_, __VA_ARGS__);

/* ---- The kinds of members: TYPE_ for /openapi.json, PUT_ for the writer ---- */

#define OR_NULL .may_be = SCHEMA_NULLABLE
#define MAYBE .may_be = SCHEMA_OPTIONAL

/* struct text; a NUL-terminated string; a char array without NUL; a number in quotes; minutes of a day as HH:MM. */
#define TYPE_TEXT(...) .kind = SCHEMA_TEXT
#define PUT_TEXT(key_, text_) member_text(w, key_, text_)
#define TYPE_TEXT_OR_NULL(...) TYPE_TEXT(), OR_NULL
#define PUT_TEXT_OR_NULL PUT_TEXT
#define TYPE_MAYBE_TEXT(...) TYPE_TEXT(), MAYBE
#define PUT_MAYBE_TEXT(key_, text_) if ((text_).at) member_text(w, key_, text_)
#define TYPE_MAYBE_TEXT_OR_NULL(...) TYPE_TEXT(), .may_be = SCHEMA_NULLABLE | SCHEMA_OPTIONAL
#define PUT_MAYBE_TEXT_OR_NULL(key_, given_, text_) if (given_) member_text(w, key_, text_)
#define TYPE_STRING TYPE_TEXT
#define PUT_STRING(key_, string_) member_string(w, key_, string_)
#define TYPE_MAYBE_STRING TYPE_MAYBE_TEXT
#define PUT_MAYBE_STRING(key_, string_) if (string_) member_string(w, key_, string_)
#define TYPE_CHARS TYPE_TEXT
#define PUT_CHARS(key_, array_) (json_key(w, key_), json_text(w, array_, sizeof(array_)))
#define TYPE_DECIMAL TYPE_TEXT
#define PUT_DECIMAL(key_, number_) member_decimal(w, key_, number_)
#define TYPE_CLOCK TYPE_TEXT
#define PUT_CLOCK(key_, minute_) member_clock(w, key_, minute_)

/* The prefix (encode.h), and the id. */
#define TYPE_ID TYPE_TEXT
#define PUT_ID(key_, of_, id_) encode_id_member(w, key_, of_, id_)
#define TYPE_ID_OR_NULL TYPE_TEXT_OR_NULL
#define PUT_ID_OR_NULL PUT_ID

/* A list of words (core/types.h), and the word. */
#define TYPE_WORD(words_, ...) .kind = SCHEMA_WORD, .word = words_
#define PUT_WORD(key_, words_, word_) member_string(w, key_, word_)
#define TYPE_WORD_OR_NULL(words_, ...) TYPE_WORD(words_), OR_NULL
#define PUT_WORD_OR_NULL PUT_WORD
#define TYPE_MAYBE_WORD(words_, ...) TYPE_WORD(words_), MAYBE
#define PUT_MAYBE_WORD(key_, words_, given_, word_) if (given_) member_string(w, key_, word_)

/* Milliseconds, where 0 is null; for an INSTANT 0 is a valid time. NO_TIME is always null. */
#define TYPE_TIME(...) .kind = SCHEMA_TIME
#define PUT_TIME(key_, ms_) member_time(w, key_, ms_)
#define TYPE_TIME_OR_NULL(...) TYPE_TIME(), OR_NULL
#define PUT_TIME_OR_NULL PUT_TIME
#define TYPE_MAYBE_TIME(...) TYPE_TIME(), MAYBE
#define PUT_MAYBE_TIME(key_, given_, ms_) if (given_) member_time(w, key_, ms_)
#define TYPE_MAYBE_TIME_OR_NULL(...) TYPE_TIME(), .may_be = SCHEMA_NULLABLE | SCHEMA_OPTIONAL
#define PUT_MAYBE_TIME_OR_NULL PUT_MAYBE_TIME
#define TYPE_NO_TIME(...) .kind = SCHEMA_NOTHING
#define PUT_NO_TIME PUT_TIME
#define TYPE_INSTANT TYPE_TIME
#define PUT_INSTANT(key_, ms_) member_instant(w, key_, ms_)
#define TYPE_MAYBE_INSTANT TYPE_MAYBE_TIME
#define PUT_MAYBE_INSTANT(key_, given_, ms_) if (given_) member_instant(w, key_, ms_)

#define TYPE_INT(...) .kind = SCHEMA_INT
#define PUT_INT(key_, number_) member_int(w, key_, number_)
#define TYPE_UINT TYPE_INT
#define PUT_UINT(key_, number_) member_uint(w, key_, number_)
#define TYPE_UINT_OR_NULL(...) TYPE_INT(), OR_NULL
#define PUT_UINT_OR_NULL(key_, known_, number_) \
    ((known_) ? member_uint(w, key_, number_) : member_string(w, key_, NULL))
#define TYPE_MAYBE_UINT(...) TYPE_INT(), MAYBE
#define PUT_MAYBE_UINT(key_, given_, number_) if (given_) member_uint(w, key_, number_)
/* Thousandths, as a number. */
#define TYPE_MILLI(...) .kind = SCHEMA_NUMBER
#define PUT_MILLI(key_, thousandths_) member_milli(w, key_, true, thousandths_)
#define TYPE_MILLI_OR_NULL(...) TYPE_MILLI(), OR_NULL
#define PUT_MILLI_OR_NULL(key_, given_, thousandths_) member_milli(w, key_, given_, thousandths_)
/* 1e-7 degrees, as a number of degrees. */
#define TYPE_DEGREES(...) .kind = SCHEMA_NUMBER
#define PUT_DEGREES(key_, e7_) member_degrees(w, key_, true, e7_)
#define TYPE_DEGREES_OR_NULL(...) TYPE_DEGREES(), OR_NULL
#define PUT_DEGREES_OR_NULL(key_, given_, e7_) member_degrees(w, key_, given_, e7_)
#define TYPE_BOOL(...) .kind = SCHEMA_BOOL
#define PUT_BOOL(key_, truth_) member_bool(w, key_, truth_)
#define TYPE_MAYBE_BOOL(...) TYPE_BOOL(), MAYBE
#define PUT_MAYBE_BOOL(key_, given_, is_) if (given_) member_bool(w, key_, is_)
/* An object of the caller's own: struct text, already JSON. */
#define TYPE_OBJECT(...) .kind = SCHEMA_OBJECT
#define TYPE_MAYBE_OBJECT(...) TYPE_OBJECT(), MAYBE
#define PUT_MAYBE_OBJECT(key_, json_) if ((json_).at) PUT_OBJECT(key_, json_)
#define PUT_OBJECT(key_, json_) (json_key(w, key_), json_raw(w, (json_).at, (json_).size))

/* Another record, or an array of them: its name, and an expression that writes the whole value. */
#define TYPE_ONE(record_, ...) .kind = SCHEMA_RECORD, .record = &schema_##record_
#define PUT_ONE(key_, record_, write_) (json_key(w, key_), (write_))
#define TYPE_ONE_OR_NULL(record_, ...) TYPE_ONE(record_), OR_NULL
#define PUT_ONE_OR_NULL PUT_ONE
#define TYPE_MAYBE_ONE(record_, ...) TYPE_ONE(record_), MAYBE
#define PUT_MAYBE_ONE(key_, record_, given_, write_) if (given_) PUT_ONE(key_, record_, write_)
#define TYPE_MAYBE_ONE_OR_NULL(record_, ...) TYPE_ONE(record_), .may_be = SCHEMA_NULLABLE | SCHEMA_OPTIONAL
#define PUT_MAYBE_ONE_OR_NULL PUT_MAYBE_ONE
#define TYPE_LIST(record_, ...) TYPE_ONE(record_), .many = SCHEMA_LIST
#define PUT_LIST PUT_ONE
#define TYPE_MAYBE_LIST(record_, ...) TYPE_MAYBE_ONE(record_), .many = SCHEMA_LIST
#define PUT_MAYBE_LIST PUT_MAYBE_ONE
/* An array of texts: the first, and how many. */
#define TYPE_TEXTS_OR_NULL(...) TYPE_TEXT_OR_NULL(), .many = SCHEMA_LIST
#define PUT_TEXTS_OR_NULL(key_, texts_, count_) \
    ((count_) ? member_texts(w, key_, texts_, count_) : member_string(w, key_, NULL))
#define TYPE_TEXTS(...) TYPE_TEXT(), .many = SCHEMA_LIST
#define PUT_TEXTS(key_, texts_, count_) member_texts(w, key_, texts_, count_)
#define TYPE_MAYBE_TEXTS(...) TYPE_MAYBE_TEXT(), .many = SCHEMA_LIST
#define PUT_MAYBE_TEXTS(key_, texts_, count_) if (count_) member_texts(w, key_, texts_, count_)
/* Values that core keeps as JSON: an array of texts, an object of integers by name, an object of such objects. */
#define TYPE_JSON_TEXTS_OR_NULL TYPE_TEXTS_OR_NULL
#define TYPE_INTS_OR_NULL(...) TYPE_INT(), .many = SCHEMA_MAP, OR_NULL
#define TYPE_INT_MAPS_OR_NULL(...) TYPE_INT(), .many = SCHEMA_MAPS, OR_NULL
#define PUT_JSON_TEXTS_OR_NULL(key_, json_) \
    ((json_).at ? PUT_OBJECT(key_, json_) : member_string(w, key_, NULL))
#define PUT_INTS_OR_NULL PUT_JSON_TEXTS_OR_NULL
#define PUT_INT_MAPS_OR_NULL PUT_JSON_TEXTS_OR_NULL
/* An array of words: the list of possible words, and an expression that writes the whole value. */
#define TYPE_WORDS(words_, ...) TYPE_WORD(words_), .many = SCHEMA_LIST
#define PUT_WORDS PUT_ONE
/* An object with a value for each id: an example id, and the kind of the values. */
#define TYPE_ONE_MAP(id_, record_) TYPE_ONE(record_), .many = SCHEMA_MAP, .key = id_
#define TYPE_WORD_MAP(id_, words_) TYPE_WORD(words_), .many = SCHEMA_MAP, .key = id_
/* clang-format on */

#endif
