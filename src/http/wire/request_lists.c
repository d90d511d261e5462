/* SPDX-License-Identifier: Apache-2.0 */
/* request_lists.c — part of request.h: headers that are lists, some with weights. */
#include <strings.h>

#include "http/wire/request.h"

struct text request_next_part(struct text *rest, char separator)
{
    const char *stop = memchr(rest->at, separator, rest->size);
    struct text part = {rest->at, stop ? (size_t)(stop - rest->at) : rest->size};
    size_t taken = part.size + (stop != NULL);
    *rest = (struct text){rest->at + taken, rest->size - taken};
    while (part.size && (part.at[0] == ' ' || part.at[0] == '\t'))
        part = (struct text){part.at + 1, part.size - 1};
    while (part.size && (part.at[part.size - 1] == ' ' || part.at[part.size - 1] == '\t'))
        part.size--;
    return part;
}

bool request_word_is(struct text text, const char *word)
{
    return text.size == strlen(word) && strncasecmp(text.at, word, text.size) == 0;
}

/* 0..1000, from a weight such as "q=0.5"; 1000 by default. */
static unsigned weight_read(struct text rest)
{
    while (rest.at && rest.size) {
        struct text part = request_next_part(&rest, ';');
        if (part.size < 3 || strncasecmp(part.at, "q=", 2) != 0)
            continue;
        unsigned weight = part.at[2] == '1' ? 1000 : 0, unit = 100;
        for (size_t i = 4; i < part.size && unit && part.at[i] >= '0' && part.at[i] <= '9'; i++, unit /= 10)
            weight += (unsigned)(part.at[i] - '0') * unit;
        return weight < 1000 ? weight : 1000;
    }
    return 1000;
}

bool request_wants_csv(const struct request *r)
{
    struct text rest = r->headers.accept;
    unsigned csv = 0, json = 0, any = 0;
    while (rest.at && rest.size) {
        struct text part = request_next_part(&rest, ',');
        struct text type = request_next_part(&part, ';');
        unsigned weight = weight_read(part);
        unsigned *of = request_word_is(type, "text/csv")           ? &csv
                       : request_word_is(type, "application/json") ? &json
                                                                   : &any;
        if (of != &any || request_word_is(type, "*/*") || request_word_is(type, "application/*"))
            *of = weight > *of ? weight : *of;
    }
    return csv > json && csv >= any;
}

bool request_accepts(struct text header, const char *word)
{
    while (header.size) {
        struct text part = request_next_part(&header, ',');
        if (request_word_is(request_next_part(&part, ';'), word))
            return weight_read(part) > 0;
    }
    return false;
}

bool request_etag_matches(struct text header, const char *etag)
{
    while (header.size) {
        struct text part = request_next_part(&header, ',');
        if (part.size > 2 && part.at[0] == 'W' && part.at[1] == '/')
            part = (struct text){part.at + 2, part.size - 2};
        if (text_equal(part, (struct text){etag, strlen(etag)}) || text_equal(part, TEXT("*")))
            return true;
    }
    return false;
}
