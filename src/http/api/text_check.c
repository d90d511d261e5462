/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/text_check.h"

#include <string.h>

#include "base/text/utf8.h"
#include "http/wire/url_check.h"

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

bool text_check_allotment(const char *text, size_t size)
{
    return text_check_id(text, size) && !(size == 7 && memcmp(text, "blocked", 7) == 0);
}

bool text_check_user_id(const char *text, size_t size)
{
    return plain_text(text, size, 1, USER_SIZE_MAX);
}

/* Tab, CR and LF are the only control characters in it. */
static bool text_of_lines(const char *text, size_t size, size_t least, size_t most)
{
    if (size < least || size > most)
        return false;
    for (size_t from = 0, at = 0; at <= size; at++) {
        if (at < size && text[at] != '\t' && text[at] != '\r' && text[at] != '\n')
            continue;
        if (!plain_text(text + from, at - from, 0, most))
            return false;
        from = at + 1;
    }
    return true;
}

/* Spreadsheets may have several lines in a cell. */
bool text_check_label(const char *text, size_t size)
{
    return text_of_lines(text, size, 0, LABEL_SIZE_MAX);
}

bool text_check_description(const char *text, size_t size)
{
    return text_of_lines(text, size, 1, DESCRIPTION_SIZE_MAX);
}

bool text_check_venue(const char *text, size_t size)
{
    return plain_text(text, size, 1, VENUE_SIZE_MAX);
}

/* Two slashes at the start would mean another host. Characters that could end an attribute or a URL are refused. */
bool text_check_image(const char *text, size_t size)
{
    if (!plain_text(text, size, 1, IMAGE_SIZE_MAX))
        return false;
    for (size_t i = 0; i < size; i++)
        if (strchr(" \"'<>\\^`{|}", text[i]))
            return false;
    if (text[0] == '/')
        return size == 1 || text[1] != '/';
    return url_check(text, size, "https://");
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
