/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/example.h"

#include <inttypes.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/buf.h"
#include "http/record/member.h"

#define TEXT_SIZE_MAX 65536
#define FIRST_SEQ 1041 /* of the events of a stream */

static void write_value(struct json_writer *w, const struct schema_member *m)
{
    if (m->kind == SCHEMA_RECORD) {
        example_write(w, m->record);
        return;
    }
    ASSERT(*m->example);
    json_raw(w, m->example, strlen(m->example));
}

static void write_member(struct json_writer *w, const struct schema_member *m)
{
    if (strcmp(m->example, "null") == 0 || strcmp(m->example, "[]") == 0) {
        member_raw(w, m->name, m->example);
        return;
    }
    json_key(w, m->name);
    switch (m->many) {
    case SCHEMA_ONE:
        write_value(w, m);
        break;
    case SCHEMA_LIST:
        json_array_begin(w);
        write_value(w, m);
        json_array_end(w);
        break;
    case SCHEMA_MAPS: /* null, above */
        ASSERT(false);
    case SCHEMA_MAP:
        json_object_begin(w);
        json_key(w, m->key);
        write_value(w, m);
        json_object_end(w);
        break;
    }
}

void example_write(struct json_writer *w, const struct schema *s)
{
    while (s->one_of)
        s = s->one_of[0];
    if (!s->members) {
        json_raw(w, s->example, strlen(s->example));
        return;
    }
    json_object_begin(w);
    for (const struct schema_member *m = s->members; m->kind != SCHEMA_END; m++)
        if (!(m->may_be & SCHEMA_OPTIONAL))
            write_member(w, m);
    json_object_end(w);
}

void example_write_page(struct json_writer *w, const struct schema *s)
{
    json_object_begin(w);
    member_array_begin(w, "data");
    example_write(w, s);
    json_array_end(w);
    json_key(w, "next_cursor");
    json_null(w);
    json_object_end(w);
}

void example_write_events(struct json_writer *w, const struct schema *stream)
{
    struct buf text;
    uint64_t seq = FIRST_SEQ;
    buf_init(&text, TEXT_SIZE_MAX);
    for (const struct schema_member *m = stream->members; m->kind != SCHEMA_END; m++) {
        buf_printf(&text, "event: %s\nid: %" PRIu64 "\ndata: ", m->name, seq++);
        struct json_writer data = json_writer_make(&text);
        example_write(&data, m->record);
        buf_append(&text, "\n\n", 2);
    }
    json_text(w, (const char *)text.data, text.size);
    buf_release(&text);
}
