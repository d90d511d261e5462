/* SPDX-License-Identifier: Apache-2.0 */
/* Everything a client can send before it is authenticated: heads, chunked bodies, targets, queries, JSON bodies.
 *
 * The input is the bytes of one connection, read request by request. Reading each head again, byte by byte, must give
 * the same verdict; an accepted request must keep the promises of request.h.
 */
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/text/utf8.h"
#include "http/wire/chunks.h"
#include "http/wire/http_parse.h"
#include "http/api/text_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define BODY_MAX 65536

static enum http_scan scan_in_pieces(const char *bytes, size_t size, size_t *head_size)
{
    size_t checked = 0;
    enum http_scan verdict = HTTP_SCAN_MORE;
    for (size_t n = 1; n <= size && verdict == HTTP_SCAN_MORE; n++)
        verdict = http_scan(bytes, n, &checked, head_size);
    return verdict;
}

/* The size of the head, or 0 if there is none. */
static size_t head_of(const char *bytes, size_t size)
{
    size_t checked = 0, whole_size = 0, pieces_size = 0;
    enum http_scan whole = http_scan(bytes, size, &checked, &whole_size);
    if (size <= 4096) { /* the second reading takes quadratic time */
        enum http_scan pieces = scan_in_pieces(bytes, size, &pieces_size);
        ASSERT(whole == pieces);
        ASSERT(whole != HTTP_SCAN_READY || whole_size == pieces_size);
    }
    return whole == HTTP_SCAN_READY ? whole_size : 0;
}

/* The size of the body; SIZE_MAX if it is broken or incomplete. */
static size_t body_of(struct request *r, const char *bytes, size_t size)
{
    if (r->chunked) {
        struct chunks chunks = {0};
        size_t used;
        if (size == 0 || chunks_read(&chunks, bytes, size, &r->body_bytes, BODY_MAX, &used) != CHUNKS_READY)
            return SIZE_MAX;
        *buf_reserve(&r->body_bytes, 1) = '\0';
        r->body = (struct text){(const char *)r->body_bytes.data, r->body_bytes.size};
        return used;
    }
    if (r->content_length > size || r->content_length > BODY_MAX)
        return SIZE_MAX;
    r->body =
        (struct text){arena_copy(&r->arena, bytes, (size_t)r->content_length), (size_t)r->content_length};
    return (size_t)r->content_length;
}

static void check_parameters(const struct request *r)
{
    for (unsigned i = 0; i < ROUTE_PARAMETERS_MAX; i++)
        ASSERT(!r->parameters[i].at || text_check_id(r->parameters[i].at, r->parameters[i].size));
    for (unsigned i = 0; i < ROUTE_QUERY_MAX; i++)
        ASSERT(!r->query[i].at || utf8_valid(r->query[i].at, r->query[i].size));
}

static void read_body(struct request *r)
{
    static const struct json_field nothing[] = {JSON_END};
    const struct json_field *fields = r->route->fields ? r->route->fields : nothing;
    struct json_fault fault;
    if (r->route->body == BODY_JSON) {
        char out[4096] = {0};
        json_read(r->body.at, r->body.size, fields, out, &r->arena, &fault);
    } else if (r->route->body == BODY_IMPORT && !r->body_is_csv) {
        void *entries;
        size_t count;
        json_read_list(r->body.at, r->body.size, fields, 1024, 1000, &entries, &count, &r->arena, &fault);
    }
}

static void judge(struct request *r)
{
    struct fault fault;
    if (!request_find_route(r, &fault) || !request_check_type(r, &fault) ||
        !request_check_size(r, r->content_length, &fault) || !request_decode_parameters(r, &fault) ||
        !request_check_headers(r, &fault) || !request_check_body(r, &fault))
        return;
    check_parameters(r);
    r->actor = (struct actor){ROLE_USER, TEXT("ann")};
    uint64_t key[2], body[2];
    request_idempotency(r, key, body);
    request_etag_matches(r->headers.if_none_match, "\"1-2\"");
    read_body(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *bytes = (const char *)data;
    struct request r;
    struct fault fault;
    routes_init(false);
    request_init(&r, NULL);
    while (size > 0) {
        request_clear(&r);
        size_t head_size = head_of(bytes, size);
        if (head_size == 0)
            break;
        const char *head = arena_copy(&r.arena, bytes, head_size);
        if (!http_parse_head(head, head_size, &r, &fault))
            break;
        ASSERT(!(r.chunked && r.has_length) && r.target.size > 0);
        size_t body_size = body_of(&r, bytes + head_size, size - head_size);
        if (body_size == SIZE_MAX)
            break;
        r.content_length = r.body.size;
        judge(&r);
        bytes += head_size + body_size;
        size -= head_size + body_size;
    }
    request_release(&r);
    return 0;
}
