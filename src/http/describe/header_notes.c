/* SPDX-License-Identifier: Apache-2.0 */
#include "http/describe/header_notes.h"

#include <stdio.h>
#include <string.h>

#include "base/assertion.h"
#include "http/record/member.h"

static const struct note {
    const char *name;
    const char *type;
    bool always; /* of an answer: wherever it is told it is sent */
    const char *about;
    const char *example;
} notes[] = {
    [HEADER_NOTE_DATE] = {"Date", "string", true, "When the response was created.",
                          "Mon, 03 Jun 2030 08:00:00 GMT"},
    [HEADER_NOTE_REQUEST_ID] = {"Request-Id", "string", true,
                                "The id of the request: yours if you sent one, otherwise a new one.",
                                "order-4711"},
    [HEADER_NOTE_SEQ] = {"Holdfast-Seq", "integer", true,
                         "The last change this response reflects. Send it as Holdfast-Min-Seq to read your "
                         "own writes in lists.",
                         "1042"},
    [HEADER_NOTE_LOCATION] = {"Location", "string", true, "The path of the resource.",
                              "/v1/reservations/res_01JX5M0Q6H8Z3V7T2R9K4C1W0E"},
    [HEADER_NOTE_ETAG] = {"ETag", "string", false, "For If-None-Match; of a seat, also for If-Match.",
                          "\"1041\""},
    [HEADER_NOTE_REPLAYED] = {"Idempotent-Replayed", "string", false,
                              "`true` if this Idempotency-Key was seen before.", "true"},
    [HEADER_NOTE_LIMIT] = {"RateLimit", "string", false,
                           "For users and anonymous callers, unless limits are off: the quota of this call "
                           "with the least left. r: requests left; "
                           "t: seconds until it is full again.",
                           "\"hold-user\";r=499;t=1"},
    [HEADER_NOTE_LIMIT_POLICY] = {"RateLimit-Policy", "string", false,
                                  "The quotas of this call: q requests, refilled within w seconds.",
                                  "\"hold-user\";q=500;w=10"},
    [HEADER_NOTE_RETRY_AFTER] = {"Retry-After", "integer", true, "Seconds to wait before you try again.",
                                 "1"},
    [HEADER_NOTE_CHALLENGE] =
        {"WWW-Authenticate", "string", true,
         "Bearer, with error=\"invalid_token\" and error_description if the credentials "
         "are malformed, unknown or expired.",
         "Bearer"},
    [HEADER_NOTE_ALLOW] = {"Allow", "string", false, "With 405: the methods of this path.",
                           "GET, PUT, DELETE"},
    [HEADER_NOTE_OWN_REQUEST_ID] = {"Request-Id", "string", false,
                                    "Returned in the response and logged with failures. 1 to 128 "
                                    "printable characters.",
                                    "order-4711"},
    [HEADER_NOTE_IDEMPOTENCY_KEY] = {"Idempotency-Key", "string", false,
                                     "Makes it safe to retry: for 24 hours the same key and body take effect "
                                     "once. 1 to 255 printable characters.",
                                     "9f3c2a71-order-4711"},
    [HEADER_NOTE_PASS] = {"Holdfast-Pass", "string", false, "The pass of an admitted waiting room entry.",
                          "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"},
    [HEADER_NOTE_MIN_SEQ] = {"Holdfast-Min-Seq", "integer", false,
                             "Waits up to two seconds until the list reflects this Holdfast-Seq.", "1042"},
    [HEADER_NOTE_IF_MATCH] = {"If-Match", "string", false,
                              "With resource_id: the ETag the seat must still have.", "\"1041\""},
    [HEADER_NOTE_IF_NONE_MATCH] = {"If-None-Match", "string", false,
                                   "An ETag you have: 304 if nothing changed.", "\"9f3c2a\""},
    [HEADER_NOTE_LAST_EVENT_ID] =
        {"Last-Event-ID", "integer", false,
         "The id of the last event you saw. The stream continues after it, or starts with reset.", "1042"},
};
_Static_assert(sizeof(notes) / sizeof(*notes) == HEADER_NOTE_COUNT, "a note for each");

static void write_ref(struct json_writer *w, const char *kind, enum header_note note)
{
    char place[64];
    int size = snprintf(place, sizeof(place), "#/components/%s/%s", kind, notes[note].name);
    ASSERT(size > 0 && (size_t)size < sizeof(place));
    json_object_begin(w);
    member_string(w, "$ref", place);
    json_object_end(w);
}

void header_notes_answer(struct json_writer *w, enum header_note note)
{
    json_key(w, notes[note].name);
    write_ref(w, "headers", note);
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
    write_ref(w, "parameters", note);
}

static void write_rest(struct json_writer *w, const struct note *note)
{
    member_string(w, "description", note->about);
    member_bool(w, "required", note->always);
    json_key(w, "schema");
    json_object_begin(w);
    member_string(w, "type", note->type);
    json_object_end(w);
    json_key(w, "example");
    if (strcmp(note->type, "integer") == 0)
        json_raw(w, note->example, strlen(note->example));
    else
        json_string(w, note->example);
    json_object_end(w);
}

void header_notes_write_all(struct json_writer *w)
{
    json_key(w, "headers");
    json_object_begin(w);
    for (unsigned i = 0; i < HEADER_NOTE_OWN_REQUEST_ID; i++) {
        json_key(w, notes[i].name);
        json_object_begin(w);
        write_rest(w, &notes[i]);
    }
    json_object_end(w);
    json_key(w, "parameters");
    json_object_begin(w);
    for (unsigned i = HEADER_NOTE_OWN_REQUEST_ID; i < HEADER_NOTE_COUNT; i++) {
        json_key(w, notes[i].name);
        json_object_begin(w);
        member_string(w, "name", notes[i].name);
        member_string(w, "in", "header");
        write_rest(w, &notes[i]);
    }
    json_object_end(w);
}
