/* SPDX-License-Identifier: Apache-2.0 */
/* header_notes.h — the headers that requests and answers have a meaning in, told in /openapi.json.
 *
 * Those of HTTP itself (Content-Type, Vary, Cache-Control …) are not told.
 */
#ifndef HTTP_HEADER_NOTES_H
#define HTTP_HEADER_NOTES_H

#include "base/json_writer.h"

enum header_note {
    /* of answers */
    HEADER_NOTE_DATE,
    HEADER_NOTE_REQUEST_ID,
    HEADER_NOTE_SEQ,
    HEADER_NOTE_LOCATION,
    HEADER_NOTE_ETAG,
    HEADER_NOTE_REPLAYED,
    HEADER_NOTE_LIMIT,
    HEADER_NOTE_LIMIT_POLICY,
    HEADER_NOTE_RETRY_AFTER,
    HEADER_NOTE_CHALLENGE,
    HEADER_NOTE_ALLOW,
    /* of requests */
    HEADER_NOTE_OWN_REQUEST_ID,
    HEADER_NOTE_IDEMPOTENCY_KEY,
    HEADER_NOTE_PASS,
    HEADER_NOTE_MIN_SEQ,
    HEADER_NOTE_IF_MATCH,
    HEADER_NOTE_IF_NONE_MATCH,
    HEADER_NOTE_LAST_EVENT_ID,
    HEADER_NOTE_COUNT
};

/* Those that every answer has, and where the callers of a route are counted how they stand: members of its
 * headers, which the caller has begun. */
void header_notes_every_answer(struct json_writer *w, bool counted);
/* One member of them. */
void header_notes_answer(struct json_writer *w, enum header_note note);
/* An element of an operation's parameters. */
void header_notes_parameter(struct json_writer *w, enum header_note note);
/* Two members of the components: headers and parameters. */
void header_notes_write_all(struct json_writer *w);

#endif
