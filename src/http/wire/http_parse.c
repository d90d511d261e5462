/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/http_parse.h"

#include <strings.h>

#include "base/assertion.h"
#include "base/memory/bytes.h"
#include "base/text/digits.h"

/* ---- The scan ---- */

enum { IN_NAME = 1, IN_VALUE = 2, IN_TARGET = 4, IN_HOST = 8, IN_ADDRESS = 16 };

#define TOKEN (IN_NAME | IN_VALUE | IN_TARGET) /* a letter of a name */
#define MARK (IN_VALUE | IN_TARGET)            /* visible, but not part of a name */
#define HOST (TOKEN | IN_HOST)                 /* also part of a host: RFC 3986's reg-name */
#define ADDRESS (HOST | IN_ADDRESS)            /* also part of an address in brackets */
/* clang-format off */
static const uint8_t classes[256] = {
    ['!'] = HOST, ['#'] = TOKEN, ['$' ... '\''] = HOST, ['*' ... '+'] = HOST, ['-'] = HOST, ['.'] = ADDRESS,
    ['0' ... '9'] = ADDRESS, ['A' ... 'Z'] = ADDRESS, ['^'] = TOKEN, ['_'] = HOST, ['`'] = TOKEN, ['a' ... 'z'] = ADDRESS,
    ['|'] = TOKEN, ['~'] = HOST, [','] = MARK | IN_HOST, ['(' ... ')'] = MARK | IN_HOST, [':'] = MARK | IN_ADDRESS,
    [';'] = MARK | IN_HOST, ['<'] = MARK, ['='] = MARK | IN_HOST, ['>' ... '@'] = MARK, ['"'] = MARK, ['/'] = MARK,
    ['[' ... ']'] = MARK, ['{'] = MARK, ['}'] = MARK, ['\t'] = IN_VALUE, [' '] = IN_VALUE, [0x80 ... 0xff] = IN_VALUE,
};
/* clang-format on */

/* Whether these eight bytes are all from ' ' to '~', as in nearly every header value. */
static bool eight_plain(const uint8_t *in)
{
    const uint64_t ones = 0x0101010101010101;
    uint64_t w = bytes_load_u64(in);
    return !((w | (w + ones) | (w - ' ' * ones)) &
             0x80 * ones); /* above '~' the sum sets the high bit, below ' ' the difference does */
}

static size_t span(const char *at, size_t size, uint8_t class)
{
    const uint8_t *in = (const uint8_t *)at;
    size_t i = 0;
    while (class == IN_VALUE && i + 8 <= size && eight_plain(in + i))
        i += 8;
    /* Four at a time: this loop sees every byte of every head. */
    for (; i + 4 <= size; i += 4)
        if (!(classes[in[i]] & classes[in[i + 1]] & classes[in[i + 2]] & classes[in[i + 3]] & class))
            break;
    while (i < size && (classes[in[i]] & class))
        i++;
    return i;
}

/* `line` is without its CR LF. */
static bool request_line_valid(const char *line, size_t size)
{
    static const char version[] = " HTTP/1.";
    size_t method = span(line, size, IN_NAME);
    if (method == 0 || method == size || line[method] != ' ')
        return false;
    const char *target = line + method + 1;
    size_t left = size - method - 1;
    size_t target_size = span(target, left, IN_TARGET);
    const char *rest = target + target_size;
    return target_size > 0 && left - target_size == sizeof version &&
           memcmp(rest, version, sizeof version - 1) == 0 &&
           (rest[sizeof version - 1] == '0' || rest[sizeof version - 1] == '1');
}

static bool header_line_valid(const char *line, size_t size)
{
    size_t name = span(line, size, IN_NAME);
    if (name == 0 || name == size || line[name] != ':')
        return false;
    return span(line + name + 1, size - name - 1, IN_VALUE) == size - name - 1;
}

/* Whether an incomplete line can still become a valid one, so that clients that do not speak HTTP are refused at once
 * and not at the deadline. */
static bool beginning_valid(const char *line, size_t size, bool is_first)
{
    size_t name = span(line, size, IN_NAME);
    if (name == size)
        return true;
    if (is_first)
        return name > 0 && line[name] == ' ';
    return line[name] == '\r' || (name > 0 && line[name] == ':');
}

enum http_scan http_scan(const char *bytes, size_t size, size_t *checked, size_t *head_size)
{
    while (*checked < size) {
        const char *line = bytes + *checked;
        const char *end = memchr(line, '\n', size - *checked);
        if (!end) {
            if (!beginning_valid(line, size - *checked, *checked == 0))
                return HTTP_SCAN_BAD;
            break;
        }
        if (end == line || end[-1] != '\r')
            return HTTP_SCAN_BAD;
        size_t line_size = (size_t)(end - line) - 1;
        size_t next = (size_t)(end - bytes) + 1;
        if (next > HTTP_HEAD_SIZE_MAX)
            return HTTP_SCAN_TOO_LARGE;
        if (*checked == 0) {
            if (!request_line_valid(line, line_size))
                return HTTP_SCAN_BAD;
        } else if (line_size == 0) {
            *head_size = next;
            return HTTP_SCAN_READY;
        } else if (!header_line_valid(line, line_size)) {
            return HTTP_SCAN_BAD;
        }
        *checked = next;
    }
    return size > HTTP_HEAD_SIZE_MAX ? HTTP_SCAN_TOO_LARGE : HTTP_SCAN_MORE;
}

/* ---- The headers that are used ---- */

/* How to treat a second header of the same name. */
enum repeated { REPEATED_BAD, REPEATED_FIRST, REPEATED_LAST };

/* Headers that are checked here and then dropped. */
struct framing {
    struct text host, content_length, transfer_encoding;
};

struct head {
    struct request *request;
    struct framing framing;
    bool close, keep_alive; /* options of Connection */
    bool bad;
};

struct wanted {
    const char *name;
    size_t size;
    enum repeated repeated;
    bool is_framing;
    size_t offset;
};

/* clang-format off */
#define HEADER(name_, member, repeated_) \
    {name_, sizeof(name_) - 1, repeated_, false, offsetof(struct request_headers, member)}
#define FRAMING(name_, member) {name_, sizeof(name_) - 1, REPEATED_BAD, true, offsetof(struct framing, member)}
/* clang-format on */

static const struct wanted wanted[] = {
    FRAMING("Host", host),
    FRAMING("Content-Length", content_length),
    FRAMING("Transfer-Encoding", transfer_encoding),
    HEADER("Authorization", authorization, REPEATED_BAD),
    HEADER("Content-Type", content_type, REPEATED_BAD),
    HEADER("Content-Encoding", content_encoding, REPEATED_BAD),
    HEADER("Accept", accept, REPEATED_FIRST),
    HEADER("Accept-Encoding", accept_encoding, REPEATED_FIRST),
    HEADER("Idempotency-Key", idempotency_key, REPEATED_BAD),
    HEADER("If-Match", if_match, REPEATED_BAD),
    HEADER("If-None-Match", if_none_match, REPEATED_FIRST),
    HEADER("Last-Event-ID", last_event_id, REPEATED_BAD),
    HEADER("Holdfast-Min-Seq", min_seq, REPEATED_BAD),
    HEADER("Holdfast-Pass", pass, REPEATED_BAD),
    HEADER("Holdfast-Node", node, REPEATED_BAD),
    HEADER("Origin", origin, REPEATED_BAD),
    HEADER("Expect", expect, REPEATED_BAD),
    HEADER("X-Forwarded-For", forwarded_for, REPEATED_LAST),
    HEADER("Request-Id", request_id, REPEATED_FIRST),
    HEADER("Access-Control-Request-Method", request_method, REPEATED_BAD),
};

static const struct wanted *wanted_find(struct text name)
{
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (wanted[i].size == name.size && strncasecmp(wanted[i].name, name.at, name.size) == 0)
            return &wanted[i];
    return NULL;
}

/* A head may have several of these. */
static void read_connection(struct head *head, struct text list)
{
    while (list.size) {
        struct text option = request_next_part(&list, ',');
        head->close = head->close || request_word_is(option, "close");
        head->keep_alive = head->keep_alive || request_word_is(option, "keep-alive");
    }
}

static void read_header(struct head *head, struct text name, struct text value)
{
    if (request_word_is(name, "Connection")) {
        read_connection(head, value);
        return;
    }
    const struct wanted *header = wanted_find(name);
    if (!header)
        return;
    char *base = header->is_framing ? (char *)&head->framing : (char *)&head->request->headers;
    struct text *field = (struct text *)(void *)(base + header->offset);
    if (field->at && header->repeated == REPEATED_BAD)
        head->bad = true;
    if (!field->at || header->repeated == REPEATED_LAST)
        *field = value;
}

/* ---- The parse ---- */

/* Finds a byte that http_scan has seen in this line. */
static const char *find(const char *at, const char *end, char byte)
{
    const char *found = memchr(at, byte, (size_t)(end - at));
    ASSERT(found);
    return found;
}

static enum method method_of(struct text method)
{
    static const struct {
        struct text name;
        enum method method;
    } known[] = {
        {TEXT("GET"), METHOD_GET},         {TEXT("POST"), METHOD_POST},   {TEXT("HEAD"), METHOD_GET},
        {TEXT("PUT"), METHOD_PUT},         {TEXT("PATCH"), METHOD_PATCH}, {TEXT("DELETE"), METHOD_DELETE},
        {TEXT("OPTIONS"), METHOD_OPTIONS},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_equal(method, known[i].name))
            return known[i].method;
    return METHOD_OTHER;
}

/* Returns where the next line begins. */
static const char *read_request_line(struct request *r, const char *at, const char *end)
{
    const char *space = find(at, end, ' ');
    struct text method = {at, (size_t)(space - at)};
    const char *target = space + 1;
    space = find(target, end, ' ');
    const char *line_end = find(space, end, '\r');
    r->method = method_of(method);
    r->head = text_equal(method, TEXT("HEAD"));
    r->target = (struct text){target, (size_t)(space - target)};
    r->http_1_0 = line_end[-1] == '0';
    return line_end + 2;
}

/* Returns where the next line begins. */
static const char *read_header_line(const char *at, const char *end, struct text *name, struct text *value)
{
    const char *colon = find(at, end, ':'), *line_end = find(colon, end, '\r');
    const char *from = colon + 1, *to = line_end;
    while (from < to && (*from == ' ' || *from == '\t'))
        from++;
    while (from < to && (to[-1] == ' ' || to[-1] == '\t'))
        to--;
    *name = (struct text){at, (size_t)(colon - at)};
    *value = (struct text){from, (size_t)(to - from)};
    return line_end + 2;
}

struct text request_header(const struct request *r, const char *name)
{
    const char *at = r->head_bytes.at, *end = at + r->head_bytes.size;
    struct text found = {0}, here, value;
    if (at)
        at = find(at, end, '\n') + 1;
    while (end - at > 2) {
        at = read_header_line(at, end, &here, &value);
        if (!request_word_is(here, name))
            continue;
        if (found.at)
            return (struct text){0};
        found = value;
    }
    return found;
}

/* A name or an address, optionally with a port; empty if the target has no authority. */
static bool host_valid(struct text host)
{
    bool bracket = host.size && host.at[0] == '[';
    size_t at =
        bracket ? 1 + span(host.at + 1, host.size - 1, IN_ADDRESS) : span(host.at, host.size, IN_HOST);
    if (bracket && (at == 1 || at == host.size || host.at[at++] != ']'))
        return false;
    if (at < host.size && host.at[at++] != ':')
        return false;
    while (at < host.size && host.at[at] >= '0' && host.at[at] <= '9')
        at++;
    return at == host.size;
}

/* A path, a URL or "*": three of the four forms of RFC 9112, 3.2. The fourth is for CONNECT only. */
static bool target_valid(struct text target)
{
    if (target.at[0] == '/' || text_equal(target, TEXT("*")))
        return true;
    size_t scheme = request_scheme_size(target), host = scheme;
    while (host < target.size && target.at[host] != '/' && target.at[host] != '?')
        host++;
    return scheme && host > scheme && host_valid((struct text){target.at + scheme, host - scheme});
}

static bool framing_check(const struct framing *f, struct request *r, struct fault *fault)
{
    if (!f->host.at && !r->http_1_0)
        return fault_set_invalid(fault, "", "Missing Host header.");
    if (!host_valid(f->host))
        return fault_set_invalid(fault, "",
                                 "Invalid Host header: expected a name or an address, and a port.");
    if (f->content_length.at && f->transfer_encoding.at)
        return fault_set_invalid(fault, "", "Content-Length and Transfer-Encoding cannot be combined.");
    if (f->content_length.at) {
        if (!digits_read(f->content_length.at, f->content_length.size, &r->content_length))
            return fault_set_invalid(fault, "", "Invalid Content-Length: expected a number of bytes.");
        r->has_length = true;
    }
    if (f->transfer_encoding.at) {
        struct text te = f->transfer_encoding;
        if (r->http_1_0 || te.size != 7 || strncasecmp(te.at, "chunked", 7) != 0)
            return fault_set_invalid(fault, "",
                                     "Invalid Transfer-Encoding: only chunked, and only in HTTP/1.1.");
        r->chunked = true;
    }
    return true;
}

bool http_parse_head(const char *bytes, size_t size, struct request *r, struct fault *fault)
{
    ASSERT(size <= HTTP_HEAD_SIZE_MAX);
    struct head head = {.request = r};
    struct text name, value;
    const char *end = bytes + size;
    const char *at = read_request_line(r, bytes, end);
    while (end - at > 2) {
        at = read_header_line(at, end, &name, &value);
        read_header(&head, name, value);
    }
    r->head_bytes = (struct text){bytes, size};
    ASSERT(at + 2 == end);
    if (!target_valid(r->target))
        return fault_set_invalid(fault, "", "Malformed request head.");
    if (head.bad)
        return fault_set_invalid(fault, "", "Duplicate header.");
    r->keep_alive = !head.close && (head.keep_alive || !r->http_1_0);
    return framing_check(&head.framing, r, fault);
}
