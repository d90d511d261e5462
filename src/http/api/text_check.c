/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/text_check.h"

#include "base/utf8.h"

static bool letter_of_id(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
}

static bool plain_text(const char *text, size_t size, size_t least, size_t most)
{
    return size >= least && size <= most && utf8_valid(text, size) && !utf8_has_control(text, size);
}

bool text_check_id(const char *text, size_t size)
{
    if (size < 1 || size > ID_SIZE_MAX)
        return false;
    for (size_t i = 0; i < size; i++)
        if (!letter_of_id((unsigned char)text[i]))
            return false;
    return true;
}

bool text_check_user_id(const char *text, size_t size)
{
    return plain_text(text, size, 1, USER_SIZE_MAX);
}

/* Spreadsheets have cells of several lines. */
bool text_check_label(const char *text, size_t size)
{
    if (size > LABEL_SIZE_MAX)
        return false;
    for (size_t from = 0, at = 0; at <= size; at++) {
        if (at < size && text[at] != '\t' && text[at] != '\r' && text[at] != '\n')
            continue;
        if (!plain_text(text + from, at - from, 0, LABEL_SIZE_MAX))
            return false;
        from = at + 1;
    }
    return true;
}

bool text_check_name(const char *text, size_t size)
{
    return plain_text(text, size, 1, NAME_SIZE_MAX);
}

bool text_check_payment(const char *text, size_t size)
{
    return plain_text(text, size, 1, PAYMENT_TEXT_SIZE_MAX);
}

bool text_check_currency(const char *text, size_t size)
{
    if (size != 3)
        return false;
    for (size_t i = 0; i < size; i++)
        if (text[i] < 'A' || text[i] > 'Z')
            return false;
    return true;
}
