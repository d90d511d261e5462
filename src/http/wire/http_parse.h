/* SPDX-License-Identifier: Apache-2.0 */
/* http_parse.h — the head of a request: request line and headers, strictly.
 *
 * Lenient framing is how requests are smuggled past a proxy. So every line is checked as it arrives (http_scan); a
 * head that passed only has to be split at its spaces and colons, and the headers that frame the message are checked
 * once more. Refused: bare LF or CR, a space before a colon, folded lines, control bytes, a request line that is not
 * exactly "METHOD target HTTP/1.x", a target that is not a path, a URL or "*", no Host or two (HTTP/1.1), two lengths,
 * a length that is not plain digits, a length together with an encoding, an encoding other than "chunked".
 *
 * http-parser accepts every head that is accepted here, and reads it in the same way:
 * tests/unit/http_head_differential.c, which also lists the few exceptions.
 */
#ifndef HTTP_HTTP_PARSE_H
#define HTTP_HTTP_PARSE_H

#include "http/wire/request.h"

#define HTTP_HEAD_SIZE_MAX 16384

enum http_scan { HTTP_SCAN_MORE, HTTP_SCAN_READY, HTTP_SCAN_BAD, HTTP_SCAN_TOO_LARGE };

/* Looks for the end of the head that begins at `bytes` and checks its lines. *checked is 0 at first; keep it for the
 * next call with the same head and more bytes. READY: *head_size is set, including the empty line. */
enum http_scan http_scan(const char *bytes, size_t size, size_t *checked, size_t *head_size);

/* Parses a head that http_scan found READY into r: method, target, version, headers, framing. The texts point
 * into `head`. False: it cannot be framed. */
bool http_parse_head(const char *head, size_t size, struct request *r, struct fault *fault);

#endif
