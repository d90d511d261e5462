/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/header_notes.h"

#include <string.h>

#include "http/describe/schema.h"
#include "http/record/member.h"

static const struct note {
    const char *name;
    const char *type;
    bool always;
    const char *about;
    const char *example;
} notes[] = {
#define X(name, ...) {__VA_ARGS__},
    RESPONSE_HEADERS(X) REQUEST_HEADERS(X)
#undef X
};

void header_notes_answer(struct json_writer *w, enum header_note note)
{
    json_key(w, notes[note].name);
    schema_write_component(w, "headers", notes[note].name);
}

void header_notes_every_answer(struct json_writer *w, bool counted)
{
    for (unsigned note = HEADER_NOTE_DATE; note <= HEADER_NOTE_SEQ; note++)
        header_notes_answer(w, (enum header_note)note);
    if (counted) {
        header_notes_answer(w, HEADER_NOTE_LIMIT);
        header_notes_answer(w, HEADER_NOTE_LIMIT_POLICY);
    }
}

void header_notes_parameter(struct json_writer *w, enum header_note note)
{
    schema_write_component(w, "parameters", notes[note].name);
}

static void write_rest(struct json_writer *w, const struct note *note)
{
    member_string(w, "description", note->about);
    member_bool(w, "required", note->always);
    member_object_begin(w, "schema");
    member_string(w, "type", note->type);
    json_object_end(w);
    if (strcmp(note->type, "integer") == 0)
        member_raw(w, "example", note->example);
    else
        member_string(w, "example", note->example);
    json_object_end(w);
}

void header_notes_write_all(struct json_writer *w)
{
    member_object_begin(w, "headers");
    for (unsigned i = 0; i < HEADER_NOTE_OWN_REQUEST_ID; i++) {
        member_object_begin(w, notes[i].name);
        write_rest(w, &notes[i]);
    }
    json_object_end(w);
    member_object_begin(w, "parameters");
    for (unsigned i = HEADER_NOTE_OWN_REQUEST_ID; i < HEADER_NOTE_COUNT; i++) {
        member_object_begin(w, notes[i].name);
        member_string(w, "name", notes[i].name);
        member_string(w, "in", "header");
        write_rest(w, &notes[i]);
    }
    json_object_end(w);
}
