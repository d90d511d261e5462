/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/page.h"

#include "http/wire/reply.h"
#include "http/api/text_check.h"

static bool refuse_cursor(struct request *r)
{
    reply_invalid(r, "?cursor", "Invalid cursor: not from this list.");
    return false;
}

bool page_limit(struct request *r, unsigned index, uint32_t *limit)
{
    uint64_t number;
    if (!request_query_number(r, index, &number))
        return false;
    *limit = (uint32_t)number;
    return true;
}

bool page_cursor(struct request *r, unsigned index, struct id *after)
{
    struct text cursor = r->query[index];
    *after = (struct id){0};
    return !cursor.at || id_read(cursor.at, cursor.size, after) || refuse_cursor(r);
}

bool page_cursor_name(struct request *r, unsigned index, struct text *after)
{
    struct text cursor = r->query[index];
    *after = cursor.at ? cursor : TEXT("");
    return !cursor.at || text_check_id(cursor.at, cursor.size) || refuse_cursor(r);
}

void page_begin(struct json_writer *w)
{
    json_object_begin(w);
    json_key(w, "data");
    json_array_begin(w);
}

static void end_data(struct json_writer *w)
{
    json_array_end(w);
    json_key(w, "next_cursor");
}

void page_end(struct json_writer *w)
{
    end_data(w);
    json_null(w);
    json_object_end(w);
}

void page_end_more(struct json_writer *w, struct id last)
{
    char cursor[ID_TEXT_SIZE];
    id_write(last, cursor);
    page_end_more_name(w, (struct text){cursor, sizeof(cursor)});
}

void page_end_more_name(struct json_writer *w, struct text last)
{
    end_data(w);
    json_text(w, last.at, last.size);
    json_object_end(w);
}
