/* SPDX-License-Identifier: Apache-2.0 */
#include "http/api/page.h"

#include "http/api/text_check.h"
#include "http/record/member.h"
#include "http/wire/reply.h"

static bool refuse_cursor(struct request *r)
{
    return reply_invalid(r, "?cursor", "Invalid cursor: not from this list.");
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

bool page_times(struct request *r, unsigned from, unsigned to, struct query *query)
{
    if (!request_query_time(r, from, 0, &query->from_ms) || !request_query_time(r, to, 0, &query->to_ms))
        return false;
    if (r->query[to].at && query->to_ms <= 0)
        query->to_ms = 1;
    if (query->from_ms < 0)
        query->from_ms = 0;
    if (query->to_ms && query->to_ms <= query->from_ms)
        return reply_invalid(r, "?to", "Invalid to: must be after from.");
    return true;
}

void page_begin(struct json_writer *w)
{
    json_object_begin(w);
    member_array_begin(w, "data");
}

void page_end(struct json_writer *w, bool more, struct id last)
{
    char cursor[ID_TEXT_SIZE];
    id_write(last, cursor);
    page_end_name(w, more, (struct text){cursor, sizeof(cursor)});
}

void page_end_name(struct json_writer *w, bool more, struct text last)
{
    json_array_end(w);
    member_text(w, "next_cursor", more ? last : (struct text){0});
    json_object_end(w);
}
