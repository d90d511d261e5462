/* SPDX-License-Identifier: Apache-2.0 */
/* header_notes.h — the headers of requests and responses that have a meaning here, for /openapi.json.
 *
 * Those of HTTP itself (Content-Type, Vary, Cache-Control …) are not described.
 */
#ifndef HTTP_HEADER_NOTES_H
#define HTTP_HEADER_NOTES_H

#include "base/json/json_writer.h"

/* Constant, name, type, whether it is always sent where it is listed, description, example. */
/* clang-format off */
#define RESPONSE_HEADERS(X) \
    X(DATE, "Date", "string", true, "When the response was created.", "Mon, 03 Jun 2030 08:00:00 GMT") \
    X(REQUEST_ID, "Request-Id", "string", true, \
      "The id of the request: yours if you sent one, otherwise a new one.", "order-4711") \
    X(SEQ, "Holdfast-Seq", "integer", true, \
      "The last change this response reflects. Send it as Holdfast-Min-Seq to read your own writes in lists.", \
      "1042") \
    X(LOCATION, "Location", "string", true, "The path of the resource.", \
      "/v1/reservations/res_01JX5M0Q6H8Z3V7T2R9K4C1W0E") \
    X(NEXT_CURSOR, "Holdfast-Next-Cursor", "string", false, \
      "With CSV: the `cursor` of the next page; absent on the last one.", "01JX5M0Q6H8Z3V7T2R9K4C1W0E") \
    X(ETAG, "ETag", "string", false, "For If-None-Match; of a seat, also for If-Match.", "\"1041\"") \
    X(REPLAYED, "Idempotent-Replayed", "string", false, \
      "`true` if this Idempotency-Key was seen before.", "true") \
    X(LIMIT, "RateLimit", "string", false, \
      "For users and anonymous callers, unless limits are off: the quota of this call with the least left. " \
      "r: requests left; t: seconds until it is full again.", "\"hold-user\";r=499;t=1") \
    X(LIMIT_POLICY, "RateLimit-Policy", "string", false, \
      "The quotas of this call: q requests, refilled within w seconds.", "\"hold-user\";q=500;w=10") \
    X(RETRY_AFTER, "Retry-After", "integer", true, "Seconds to wait before you try again.", "1") \
    X(CHALLENGE, "WWW-Authenticate", "string", true, \
      "Bearer, with error=\"invalid_token\" and error_description if the credentials are malformed, unknown " \
      "or expired.", "Bearer") \
    X(ALLOW, "Allow", "string", false, "With 405: the methods of this path.", "GET, PUT, DELETE")
#define REQUEST_HEADERS(X) \
    X(OWN_REQUEST_ID, "Request-Id", "string", false, \
      "Returned in the response and logged with failures. 1 to 128 printable characters.", "order-4711") \
    X(IDEMPOTENCY_KEY, "Idempotency-Key", "string", false, \
      "Makes it safe to retry: for 24 hours the same key and body take effect once. 1 to 255 printable " \
      "characters.", "9f3c2a71-order-4711") \
    X(PASS, "Holdfast-Pass", "string", false, "The pass of an admitted waiting room entry.", \
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl") \
    X(MIN_SEQ, "Holdfast-Min-Seq", "integer", false, \
      "Waits up to two seconds until the response reflects this Holdfast-Seq.", "1042") \
    X(IF_MATCH, "If-Match", "string", false, \
      "With resource_id: the ETag the seat must still have.", "\"1041\"") \
    X(IF_NONE_MATCH, "If-None-Match", "string", false, \
      "An ETag you have: 304 if nothing changed.", "\"9f3c2a\"") \
    X(LAST_EVENT_ID, "Last-Event-ID", "integer", false, \
      "The id of the last event you saw. The stream continues after it, or starts with reset.", "1042")
/* clang-format on */

enum header_note {
#define X(name, ...) HEADER_NOTE_##name,
    RESPONSE_HEADERS(X) REQUEST_HEADERS(X)
#undef X
        HEADER_NOTE_COUNT
};

/* Members of a response's headers object, which the caller has begun: those of every response, and with
 * `counted` the rate limits. */
void header_notes_every_answer(struct json_writer *w, bool counted);
/* One more member of it. */
void header_notes_answer(struct json_writer *w, enum header_note note);
/* An element of an operation's parameters. */
void header_notes_parameter(struct json_writer *w, enum header_note note);
/* Two members of the components: headers and parameters. */
void header_notes_write_all(struct json_writer *w);

#endif
