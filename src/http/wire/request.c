/* SPDX-License-Identifier: Apache-2.0 */
#include "http/wire/request.h"

#include <stdio.h>
#include <strings.h>

#include "base/assertion.h"
#include "base/text/digits.h"
#include "base/crypto/hash.h"
#include "base/time/rfc3339.h"
#include "base/text/utf8.h"
#include "http/api/text_check.h"
#include "http/wire/large_body.h"
#include "http/wire/reply.h"

#define ARENA_BLOCK_SIZE 8192
#define SCRATCH_LIMIT ((size_t)1 << 30)
#define KEPT_CAPACITY_MAX 65536

void request_init(struct request *r, struct server *server)
{
    *r = (struct request){.server = server};
    arena_init(&r->arena, ARENA_BLOCK_SIZE);
    buf_init(&r->scratch, SCRATCH_LIMIT);
    buf_init(&r->body_bytes, BODY_IMPORT_CSV_SIZE_MAX + 1);
    buf_init(&r->extra_headers, 16384);
}

static void buf_recycle(struct buf *b)
{
    buf_clear(b);
    /* One large import must not keep its memory in a spare request for good. */
    if (b->capacity > KEPT_CAPACITY_MAX)
        buf_release(b);
}

void request_clear(struct request *r)
{
    buf_recycle(&r->scratch);
    buf_recycle(&r->body_bytes);
    buf_recycle(&r->extra_headers);
    arena_reset(&r->arena);
    *r = (struct request){
        .server = r->server,
        .arena = r->arena,
        .scratch = r->scratch,
        .body_bytes = r->body_bytes,
        .extra_headers = r->extra_headers,
    };
}

void request_release(struct request *r)
{
    buf_release(&r->scratch);
    buf_release(&r->body_bytes);
    buf_release(&r->extra_headers);
    arena_release(&r->arena);
}

/* ---- Characters ---- */

/* Percent-decodes into the arena; a text without anything to decode is left where it is. */
static bool percent_decode(struct arena *arena, struct text in, bool plus_is_space, struct text *out)
{
    *out = in;
    if (!memchr(in.at, '%', in.size) && !(plus_is_space && memchr(in.at, '+', in.size)))
        return true;
    char *decoded = arena_take(arena, in.size + 1);
    size_t size = 0;
    for (size_t i = 0; i < in.size; i++) {
        char ch = in.at[i];
        if (ch == '+' && plus_is_space) {
            ch = ' ';
        } else if (ch == '%') {
            int high = i + 2 < in.size ? digits_hex(in.at[i + 1]) : -1;
            int low = i + 2 < in.size ? digits_hex(in.at[i + 2]) : -1;
            if (high < 0 || low < 0)
                return false;
            ch = (char)(high * 16 + low);
            i += 2;
        }
        decoded[size++] = ch;
    }
    decoded[size] = '\0';
    *out = (struct text){decoded, size};
    return true;
}

/* ---- The target ---- */

size_t request_scheme_size(struct text target)
{
    if (target.size > 7 && strncasecmp(target.at, "http://", 7) == 0)
        return 7;
    if (target.size > 8 && strncasecmp(target.at, "https://", 8) == 0)
        return 8;
    return 0;
}

/* A proxy may send the absolute form; only its path and query matter. */
static bool target_to_origin_form(struct text *target)
{
    if (target->at[0] == '/')
        return true;
    size_t scheme = request_scheme_size(*target);
    if (scheme == 0)
        return false;
    size_t path = scheme;
    while (path < target->size && target->at[path] != '/' && target->at[path] != '?')
        path++;
    if (path == target->size || target->at[path] == '?') /* a slash inside the query does not start a path */
        *target = TEXT("/");
    else
        *target = (struct text){target->at + path, target->size - path};
    return true;
}

/* For an id that a PUT would create: "no such event" would not help. */
static bool fault_id(const struct request *r, unsigned index, struct fault *fault)
{
    char detail[sizeof fault->detail], shown[UTF8_SHOWN_SIZE];
    snprintf(detail, sizeof detail, "Invalid %s id: expected " FIELD_ID_FORM ", got \"%s\".",
             route_parameter(r->route, index)->name,
             utf8_shown(r->parameters[index].at, r->parameters[index].size, shown, sizeof shown));
    return fault_set_invalid(fault, "", detail);
}

static bool decode_path(struct request *r, struct fault *fault)
{
    for (unsigned i = 0; i < ROUTE_PARAMETERS_MAX && r->parameters[i].at; i++) {
        struct text *text = &r->parameters[i];
        const struct route_parameter *parameter = route_parameter(r->route, i);
        bool user = route_parameter_user(parameter);
        bool payment = parameter->refusal == OUTCOME_NO_SUCH_PAYMENT;
        if (percent_decode(&r->arena, *text, false, text) &&
            (user      ? text_check_user_id
             : payment ? text_check_payment
                       : text_check_id)(text->at, text->size))
            continue;
        if (user)
            return fault_set_invalid(fault, "",
                                     "Invalid user id: expected " FIELD_USER_ID_FORM ", percent-encoded.");
        bool last = i + 1 == ROUTE_PARAMETERS_MAX || !r->parameters[i + 1].at;
        if (r->method == METHOD_PUT && last)
            return fault_id(r, i, fault);
        return fault_set_refusal(fault, route_parameter(r->route, i)->refusal);
    }
    return true;
}

static bool fault_query(struct fault *fault, struct text name, const char *what, const char *why)
{
    char pointer[80], detail[128], shown[UTF8_SHOWN_SIZE];
    int size = name.size > 64 ? 64 : (int)name.size;
    snprintf(pointer, sizeof pointer, "?%.*s", utf8_valid(name.at, (size_t)size) ? size : 0, name.at);
    snprintf(detail, sizeof detail, "%s query parameter \"%s\"%s.", what,
             utf8_shown(name.at, name.size, shown, sizeof shown), why);
    return fault_set_invalid(fault, pointer, detail);
}

static bool decode_query_pair(struct request *r, struct text name, struct text value, struct fault *fault)
{
    if (!percent_decode(&r->arena, name, true, &name) || !percent_decode(&r->arena, value, true, &value))
        return fault_set_invalid(fault, "", "Invalid query: bad percent-encoding.");
    if (!utf8_valid(value.at, value.size) || utf8_has_control(value.at, value.size))
        return fault_query(fault, name, "Invalid", ": UTF-8, no control characters");
    for (unsigned i = 0; i < ROUTE_QUERY_MAX && r->route->query[i].name; i++) {
        const char *known = r->route->query[i].name;
        if (strlen(known) != name.size || memcmp(known, name.at, name.size) != 0)
            continue;
        if (r->query[i].at)
            return fault_query(fault, name, "Duplicate", "");
        r->query[i] = value;
        return true;
    }
    return fault_query(fault, name, "Unknown", "");
}

static bool decode_query(struct request *r, struct text query, struct fault *fault)
{
    const char *at = query.at, *end = query.at + query.size;
    while (at < end) {
        const char *stop = memchr(at, '&', (size_t)(end - at));
        if (!stop)
            stop = end;
        const char *equals = memchr(at, '=', (size_t)(stop - at));
        struct text name = {at, (size_t)((equals ? equals : stop) - at)};
        struct text value = {equals ? equals + 1 : stop, equals ? (size_t)(stop - equals - 1) : 0};
        if (stop > at && !decode_query_pair(r, name, value, fault))
            return false;
        at = stop + 1;
    }
    return true;
}

static bool fault_route(const struct request *r, struct fault *fault)
{
    char detail[sizeof fault->detail], path[100];
    if (r->method == METHOD_OTHER)
        return fault_set(fault, FAULT_NO_SUCH_ROUTE, NULL);
    snprintf(detail, sizeof detail, "No such route: %s \"%s\".", method_name(r->method),
             utf8_shown(r->path.at, r->path.size, path, sizeof path));
    return fault_set(fault, FAULT_NO_SUCH_ROUTE, detail);
}

static bool fault_method(const struct request *r, unsigned allow, struct fault *fault)
{
    char detail[sizeof fault->detail], methods[METHODS_SIZE];
    struct text end = {r->path.at + r->path.size - 4, 4};
    methods_write(allow, methods);
    snprintf(detail, sizeof detail, "%s is not allowed here. Allowed: %s.",
             r->method == METHOD_OTHER ? "This method" : method_name(r->method), methods);
    bool ics = r->method == METHOD_PUT && r->path.size > 4 && text_equal(end, TEXT(".ics"));
    fault_set(fault, FAULT_METHOD_NOT_ALLOWED, ics ? "A calendar id must not end in \".ics\"." : detail);
    fault->allow = allow;
    return false;
}

bool request_find_route(struct request *r, struct fault *fault)
{
    struct text target = r->target;
    if (!target_to_origin_form(&target))
        return fault_set(fault, FAULT_NO_SUCH_ROUTE, NULL);
    const char *mark = memchr(target.at, '?', target.size);
    r->path = (struct text){target.at, mark ? (size_t)(mark - target.at) : target.size};
    if (mark)
        r->query_sent = (struct text){mark + 1, target.size - r->path.size - 1};
    struct route_match match;
    const struct text internal = TEXT(ROUTE_INTERNAL);
    if (!r->from_node && r->path.size >= internal.size && memcmp(r->path.at, internal.at, internal.size) == 0)
        return fault_route(r, fault);
    routes_match(r->method, r->path, &match);
    r->route = match.route;
    memcpy(r->parameters, match.parameters, sizeof r->parameters);
    if (r->route)
        return true;
    if (!match.allow)
        return fault_route(r, fault);
    return fault_method(r, match.allow, fault);
}

static bool has_required(const struct request *r, struct fault *fault)
{
    for (unsigned i = 0; i < ROUTE_QUERY_MAX && r->route->query[i].name; i++)
        if (r->route->query[i].required && !r->query[i].at) {
            const char *name = r->route->query[i].name;
            return fault_query(fault, (struct text){name, strlen(name)}, "Missing", "");
        }
    return true;
}

bool request_decode_parameters(struct request *r, struct fault *fault)
{
    if (!r->route->summary &&
        !r->route->query[0].name) /* a page: other sites may add parameters to its links */
        return decode_path(r, fault);
    return decode_path(r, fault) && (!r->query_sent.at || decode_query(r, r->query_sent, fault)) &&
           has_required(r, fault);
}

/* ---- Judging the rest of the head ---- */

/* Whether the header names this type, without a parameter that would change how the bytes are read. */
static bool type_is(struct text header, const char *type)
{
    if (!request_word_is(request_next_part(&header, ';'), type))
        return false;
    while (header.size) {
        struct text part = request_next_part(&header, ';');
        if (part.size && !request_word_is(part, "charset=utf-8") &&
            !request_word_is(part, "charset=\"utf-8\"") && !request_word_is(part, "header=present"))
            return false;
    }
    return true;
}

uint64_t request_body_size_max(const struct request *r)
{
    if (r->route && r->route->body == BODY_FOREIGN)
        return BODY_FOREIGN_SIZE_MAX;
    if (!r->route || r->route->body != BODY_IMPORT)
        return BODY_JSON_SIZE_MAX;
    return r->body_is_csv ? BODY_IMPORT_CSV_SIZE_MAX : BODY_IMPORT_JSON_SIZE_MAX;
}

bool request_check_size(const struct request *r, uint64_t size, struct fault *fault)
{
    uint64_t most = request_body_size_max(r);
    if (size <= most)
        return true;
    char detail[80];
    snprintf(detail, sizeof detail, "The body is too large: at most %llu bytes.", (unsigned long long)most);
    return fault_set(fault, FAULT_TOO_LARGE, detail);
}

static bool fault_type(const struct request *r, const char *expected, struct fault *fault)
{
    char detail[sizeof fault->detail], shown[UTF8_SHOWN_SIZE];
    struct text type = r->headers.content_type;
    snprintf(detail, sizeof detail, "Unsupported content type: expected %s, in UTF-8, got \"%s\".", expected,
             utf8_shown(type.at, type.size, shown, sizeof shown));
    return fault_set(fault, FAULT_UNSUPPORTED_TYPE, detail);
}

/* Bodies are never decompressed: a small one could expand without bound. */
static bool check_encoding(const struct request *r, struct fault *fault)
{
    char detail[sizeof fault->detail], shown[UTF8_SHOWN_SIZE];
    struct text codings = r->headers.content_encoding;
    while (codings.size) {
        struct text coding = request_next_part(&codings, ',');
        if (!coding.size || request_word_is(coding, "identity"))
            continue;
        snprintf(detail, sizeof detail, "Unsupported content encoding: expected identity, got \"%s\".",
                 utf8_shown(coding.at, coding.size, shown, sizeof shown));
        return fault_set(fault, FAULT_UNSUPPORTED_TYPE, detail);
    }
    return true;
}

bool request_check_type(struct request *r, struct fault *fault)
{
    struct text type = r->headers.content_type;
    bool has_body = r->chunked || r->content_length > 0;
    if (!has_body || r->route->body == BODY_NONE)
        return true;
    if (!check_encoding(r, fault))
        return false;
    if (!type.at || type_is(type, "application/json"))
        return true;
    if (r->route->body == BODY_PATCH)
        return type_is(type, "application/merge-patch+json") ||
               fault_set(
                   fault, FAULT_UNSUPPORTED_TYPE,
                   "Unsupported content type: expected application/merge-patch+json or application/json, "
                   "in UTF-8.");
    if (r->route->body == BODY_IMPORT) {
        r->body_is_csv = type_is(type, "text/csv");
        return r->body_is_csv || fault_type(r, "application/json or text/csv", fault);
    }
    return fault_type(r, "application/json", fault);
}

bool request_check_headers(struct request *r, struct fault *fault)
{
    struct text key = r->headers.idempotency_key;
    if (r->route->idempotent && key.at) {
        bool printable = key.size >= 1 && key.size <= 255;
        for (size_t i = 0; printable && i < key.size; i++)
            printable = key.at[i] >= 0x20 && key.at[i] < 0x7f;
        if (!printable)
            return fault_set_invalid(
                fault, "", "Invalid Idempotency-Key: expected 1 to 255 printable ASCII characters.");
    }
    if (r->headers.min_seq.at && !digits_read(r->headers.min_seq.at, r->headers.min_seq.size, &r->min_seq))
        return fault_set_invalid(fault, "", "Invalid Holdfast-Min-Seq: expected an integer.");
    return true;
}

bool request_check_body(const struct request *r, struct fault *fault)
{
    if (r->route->body == BODY_NONE && r->body.size > 0)
        return fault_set_invalid(fault, "", "This call takes no body.");
    return true;
}

/* ---- For handlers ---- */

bool request_refuse_query(struct request *r, unsigned index, const char *expected)
{
    char pointer[80], detail[384], shown[UTF8_SHOWN_SIZE], words[JSON_WORDS_SIZE];
    const struct route_query *query = &r->route->query[index];
    if (!expected)
        json_words_write(query->word, words);
    snprintf(pointer, sizeof pointer, "?%s", query->name);
    snprintf(detail, sizeof detail, "Invalid %s: expected %s, got \"%s\".", query->name,
             expected ? expected : words,
             utf8_shown(r->query[index].at, r->query[index].size, shown, sizeof shown));
    return reply_invalid(r, pointer, detail);
}

bool request_query_number(struct request *r, unsigned index, uint64_t *out)
{
    const struct route_query *query = &r->route->query[index];
    ASSERT(index < ROUTE_QUERY_MAX && query->kind == ROUTE_QUERY_NUMBER);
    struct text text = r->query[index];
    *out = query->default_value;
    if (!text.at)
        return true;
    if (digits_read_u64(text.at, text.size, out) && *out >= query->least && *out <= query->most)
        return true;
    char expected[64];
    unsigned long long least = query->least, most = query->most;
    if (least == most)
        snprintf(expected, sizeof expected, "%llu", least);
    else
        snprintf(expected, sizeof expected, "an integer from %llu to %llu", least, most);
    return request_refuse_query(r, index, expected);
}

bool request_query_time(struct request *r, unsigned index, int64_t default_ms, int64_t *out)
{
    ASSERT(index < ROUTE_QUERY_MAX && r->route->query[index].kind == ROUTE_QUERY_TIME);
    struct text given = r->query[index];
    *out = default_ms;
    if (!given.at)
        return true;
    char *text = arena_copy(&r->arena, given.at, given.size);
    size_t sign = strlen("+00:00");
    if (given.size > sign && text[given.size - sign] == ' ')
        text[given.size - sign] = '+';
    if (rfc3339_read(text, given.size, out))
        return true;
    return request_refuse_query(r, index, "a time such as 2026-12-03T14:00:00Z");
}

void request_hash(struct text bytes, uint64_t out[2])
{
    uint8_t hash[32];
    hash_sha256(bytes.at, bytes.size, hash);
    memcpy(out, hash, 16);
}

struct text request_keep(struct request *r, struct text text)
{
    return text.at ? (struct text){arena_copy(&r->arena, text.at, text.size), text.size} : text;
}

bool request_idempotency(struct request *r, uint64_t key[2], uint64_t body[2])
{
    struct text given = r->headers.idempotency_key;
    if (!r->route->idempotent || !given.at)
        return false;
    struct text path = r->path;
    if (path.size > 3 && memcmp(path.at, "/v1/", 4) == 0)
        path = (struct text){path.at + 3, path.size - 3};
    /* With the sizes of name and path, so that no two combinations have the same bytes. */
    struct buf *scope = &r->scratch;
    size_t before = scope->size;
    buf_printf(scope, "%d %zu %.*s %zu ", (int)r->actor.role, r->actor.name.size, (int)r->actor.name.size,
               r->actor.name.size ? r->actor.name.at : "", path.size);
    buf_append(scope, path.at, path.size);
    buf_append(scope, given.at, given.size);
    request_hash((struct text){(const char *)scope->data + before, scope->size - before}, key);
    scope->size = before;
    if (r->large)
        memcpy(body, r->large->hash, sizeof r->large->hash);
    else
        request_hash(r->body, body);
    return true;
}
