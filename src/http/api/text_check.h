/* SPDX-License-Identifier: Apache-2.0 */
/* text_check.h — checks of texts from outside, before core sees them.
 *
 * Sizes and characters only (core/limits.h); whether a name exists is core's business. The functions
 * fit json_field.check.
 */
#ifndef HTTP_TEXT_CHECK_H
#define HTTP_TEXT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json/json_reader.h"
#include "core/types.h"
#include "http/describe/about.h"

bool text_check_id(const char *text, size_t size); /* [A-Za-z0-9._~-]{1,64}: events, seats, pools, keys */
bool text_check_user_id(const char *text, size_t size); /* 1..128 bytes of UTF-8, no control characters */
bool text_check_label(const char *text, size_t size);   /* 0..64 bytes of UTF-8; tab, CR and LF are fine */
bool text_check_name(const char *text, size_t size);    /* 1..256 bytes of UTF-8, no control characters */
bool text_check_payment(const char *text, size_t size); /* 1..255 bytes of UTF-8, no control characters */
bool text_check_venue(const char *text, size_t size);   /* as a name */
/* 1 to 16 KiB of UTF-8; tab, CR and LF are fine. */
bool text_check_description(const char *text, size_t size);
/* A path that begins with one /, or an https URL (url_check.h); no spaces. */
bool text_check_image(const char *text, size_t size);
bool text_check_allotment(const char *text, size_t size); /* as an id, but not "blocked" */
bool text_check_currency(const char *text, size_t size);  /* three capital letters */

static inline struct text text_given(struct json_text_value value) /* the text in core's form */
{
    return (struct text){value.text, value.size};
}

/* Rows of a json_field table. The last argument is the description of the field (json_field.about). */
/* clang-format off */
/* A text of a certain form; `form_` describes it in errors. */
#define FIELD_FORM(type, member, least_, most_, need_, check_, form_, about_) \
    {JSON_FIELD(JSON_KIND_TEXT, type, member, need_), .least = least_, .most = most_, .check = check_, \
     .form = form_, .about = about_}
#define FIELD_BYTES(least_, most_) JSON_STRINGIFY(least_) " to " JSON_STRINGIFY(most_) " bytes, no control characters"
#define FIELD_TEXT(type, member, least_, most_, need_, check_, about_) \
    FIELD_FORM(type, member, least_, most_, need_, check_, FIELD_BYTES(least_, most_), about_)
#define FIELD_LABEL_FORM(least_) FIELD_BYTES(least_, LABEL_SIZE_MAX) " except tab and line breaks"
#define FIELD_LABEL(type, member, least_, need_, about_) \
    FIELD_FORM(type, member, least_, LABEL_SIZE_MAX, need_, text_check_label, FIELD_LABEL_FORM(least_), about_)
/* One of the words of a list (core/types.h). */
#define FIELD_WORD(type, member, need_, words_, about_) \
    {JSON_FIELD(JSON_KIND_TEXT, type, member, need_), .word = words_, .about = about_}
#define FIELD_ID_FORM "1 to 64 letters, digits or . _ ~ -"
#define FIELD_ID(type, member, need_, about_) \
    FIELD_FORM(type, member, 1, ID_SIZE_MAX, need_, text_check_id, FIELD_ID_FORM, about_)
#define FIELD_ALLOTMENT_FORM FIELD_ID_FORM ", not blocked"
#define FIELD_ALLOTMENT(type, member, need_, about_) \
    FIELD_FORM(type, member, 1, ID_SIZE_MAX, need_, text_check_allotment, FIELD_ALLOTMENT_FORM, about_)
/* Read-only: the `id` that is also in the path (call_check_id), and fields that are shown but cannot be set. */
#define FIELD_SAME_ID(type) \
    {JSON_FIELD(JSON_KIND_TEXT, type, id, JSON_OPTIONAL), .least = 1, .most = ID_SIZE_MAX, .read_only = true, \
     .check = text_check_id, .form = FIELD_ID_FORM, .about = "If sent, the id in the path."}
/* A text that says how to create the record, but is not part of it. */
#define FIELD_PUT_ONLY(type, member, need_, ...) \
    {JSON_FIELD(JSON_KIND_TEXT, type, member, need_), .put_only = true, __VA_ARGS__}
#define FIELD_SHOWN(name_) JSON_IGNORED(name_, .about = "Ignored if sent.")
/* A code of an event. */
#define FIELD_CODE_FORM "4 to 64 letters, digits or . _ ~ -"
#define FIELD_CODE(type, member, need_, about_) \
    FIELD_FORM(type, member, CODE_SIZE_MIN, CODE_SIZE_MAX, need_, text_check_id, FIELD_CODE_FORM, about_)
#define FIELD_USER_ID_FORM FIELD_BYTES(1, USER_SIZE_MAX)
#define FIELD_USER_ID(type, member, about_) \
    FIELD_TEXT(type, member, 1, USER_SIZE_MAX, JSON_OPTIONAL, text_check_user_id, about_)
/* clang-format on */

#endif
