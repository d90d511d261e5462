/* SPDX-License-Identifier: Apache-2.0 */
#include "workload.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "signature.h"
#include "stop.h"

#define REQUEST_MAX 4096
#define KEY_DIGITS 10
#define TTL_DIGITS 6
#define TAIL_MAX 128 /* of the body: event number, seat number or instants, closing brackets */
#define ITEM_MAX 512
#define SLOT_EVERY_S 1800 /* so that slots are not adjacent */
#define SLOT_LENGTH_S 600
/* The place of an id in a template. */
#define SAMPLE "01JX5M0Q6H8Z3V7T2R9K4C1W0E"
#define SAMPLE_ID "res_" SAMPLE

static char *put_text(char *at, const char *text)
{
    size_t size = strlen(text);
    memcpy(at, text, size);
    return at + size;
}

static char *put_number(char *at, uint64_t value)
{
    char digits[20];
    int count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *at++ = digits[--count];
    return at;
}

/* Exactly `width` characters, filled from the left. */
static void put_padded(char *at, uint64_t value, int width, char fill)
{
    for (int i = width - 1; i >= 0; i--) {
        at[i] = value || i == width - 1 ? (char)('0' + value % 10) : fill;
        value /= 10;
    }
}

__attribute__((format(printf, 2, 3))) static void append(struct workload *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(w->bytes + w->size, REQUEST_MAX - w->size, format, arguments);
    va_end(arguments);
    if (size < 0 || (size_t)size >= REQUEST_MAX - w->size)
        stop("a request of more than %d bytes", REQUEST_MAX);
    w->size += (size_t)size;
}

/* 2031-01-31T12:00:00Z */
static char *put_instant(char *at, int64_t epoch_s)
{
    struct tm tm;
    time_t seconds = (time_t)epoch_s;
    gmtime_r(&seconds, &tm);
    const struct {
        int value, width;
        char after;
    } parts[] = {{tm.tm_year + 1900, 4, '-'}, {tm.tm_mon + 1, 2, '-'}, {tm.tm_mday, 2, 'T'},
                 {tm.tm_hour, 2, ':'},        {tm.tm_min, 2, ':'},     {tm.tm_sec, 2, 'Z'}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        put_padded(at, (uint64_t)parts[i].value, parts[i].width, '0');
        at[parts[i].width] = parts[i].after;
        at += parts[i].width + 1;
    }
    return at;
}

static char *put_slot(const struct workload *w, uint64_t number, char *at)
{
    int64_t start_s = w->settings.slots_from + (int64_t)number * SLOT_EVERY_S;
    at = put_instant(put_text(at, "\",\"start\":\""), start_s);
    at = put_instant(put_text(at, "\",\"end\":\""), start_s + SLOT_LENGTH_S);
    return put_text(at, "\"}]}");
}

/* Writes the end of a hold's body for one seat or slot, from after the event's name; returns where it ends. */
static char *put_seat(const struct workload *w, uint64_t place, char *at)
{
    uint64_t events = w->settings.events;
    if (events > 1) {
        *at++ = '-';
        at = put_number(at, place % events);
    }
    if (w->settings.kind == WORKLOAD_SLOT)
        return put_slot(w, place / events, at);
    at = put_text(at, w->settings.short_form ? "/s" : "\",\"seat\":\"s");
    at = put_number(at, place / events);
    return put_text(at, w->settings.short_form ? "\"}" : "\"}]}");
}

/* Where something changes in a hold's body; 0: it does not. */
struct hold_places {
    size_t user, sell, ttl, tail;
};

/* The body goes after the template's head; the length is known before it is written. */
static size_t build_hold_body(struct workload *w, char *body, struct hold_places *places)
{
    const struct workload_settings *s = &w->settings;
    char *at = put_text(body, "{");
    *places = (struct hold_places){0};
    if (s->key) {
        at = put_text(at, "\"user_id\":\"u");
        places->user = (size_t)(at - body);
        memset(at, '0', TOKENS_USER_DIGITS);
        at = put_text(at + TOKENS_USER_DIGITS, "\",");
    }
    if (s->commit)
        at = put_text(at, "\"commit\":true,");
    if (s->sell_every) {
        at = put_text(at, "\"commit\":");
        places->sell = (size_t)(at - body);
        at = put_text(at, "false,");
    }
    if (s->ttl_seconds || s->ends_at) {
        at = put_text(at, "\"ttl_seconds\":");
        places->ttl = (size_t)(at - body);
        put_padded(at, (uint64_t)s->ttl_seconds, TTL_DIGITS, ' ');
        at = put_text(at + TTL_DIGITS, ",");
    }
    if (!s->short_form)
        at = put_text(at, "\"items\":[{");
    if (s->item)
        at = put_text(put_text(at, s->item), ",");
    at = put_text(at, s->kind == WORKLOAD_SLOT ? "\"calendar\":\""
                      : s->short_form          ? "\"resource_id\":\""
                                               : "\"event\":\"");
    at = put_text(at, s->event);
    places->tail = (size_t)(at - body);
    char longest[TAIL_MAX];
    size_t tail = (size_t)(put_seat(w, s->events * s->seats - 1, longest) - longest);
    /* The last seat has the longest number, but the last event might not be the one with the longest. */
    tail += s->events > 1 ? 3 : 0;
    memset(at, ' ', tail);
    return places->tail + tail;
}

static void build_hold(struct workload *w)
{
    const struct workload_settings *s = &w->settings;
    char body[REQUEST_MAX / 2];
    struct hold_places places;
    if (strlen(s->event) > 64)
        stop("the name of the event is longer than 64 characters");
    if (s->item && (s->short_form || strlen(s->item) > ITEM_MAX))
        stop("fields of an item: at most %d bytes, and not with the short form", ITEM_MAX);
    size_t body_size = build_hold_body(w, body, &places);
    append(w, "POST /v1/reservations HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n", s->host);
    append(w, "Content-Length: %zu\r\nAuthorization: Bearer ", body_size);
    if (s->key) {
        append(w, "%s", s->key);
    } else {
        tokens_sign(&w->tokens, 0, s->users, s->secret, s->tokens_end);
        w->token_at = w->size;
        append(w, "%.*s", (int)w->tokens.size, tokens_at(&w->tokens, 0));
    }
    append(w, "\r\n\r\n");
    w->user_at = places.user ? w->size + places.user : 0;
    w->sell_at = places.sell ? w->size + places.sell : 0;
    w->ttl_at = places.ttl ? w->size + places.ttl : 0;
    w->tail_at = w->size + places.tail;
    append(w, "%.*s", (int)body_size, body);
}

/* Only the user is given: by the token, or with the key in the body. */
static void build_join(struct workload *w)
{
    const struct workload_settings *s = &w->settings;
    char body[64];
    int body_size = s->key ? snprintf(body, sizeof(body), "{\"user_id\":\"u%0*d\"}", TOKENS_USER_DIGITS, 0)
                           : snprintf(body, sizeof(body), "{}");
    append(w, "POST /v1/events/%s/queue HTTP/1.1\r\nHost: %s\r\n", s->event, s->host);
    append(w, "Content-Type: application/json\r\nContent-Length: %d\r\nAuthorization: Bearer ", body_size);
    if (s->key) {
        append(w, "%s\r\n\r\n%s", s->key, body);
        w->user_at = w->size - strlen("\"}") - TOKENS_USER_DIGITS;
        return;
    }
    tokens_sign(&w->tokens, s->first, s->users, s->secret, s->tokens_end);
    w->token_at = w->size;
    append(w, "%.*s\r\n\r\n%s", (int)w->tokens.size, w->tokens.bytes, body);
}

/* As a scanner sends it: a gate, and a new nonce for each. */
static void build_check_in(struct workload *w)
{
    const struct workload_settings *s = &w->settings;
    char body[160];
    int body_size = snprintf(body, sizeof(body), "{\"gate\":\"north\",\"nonce\":\"%0*d\",\"code\":\"%0*d\"}",
                             TOKENS_USER_DIGITS, 0, CODES_TICKET_SIZE, 0);
    codes_read(&w->codes, s->codes, CODES_TICKET_SIZE);
    append(w, "POST /v1/check-ins HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n", s->host);
    append(w, "Content-Length: %d\r\nAuthorization: Bearer %s\r\n\r\n%s", body_size, s->key, body);
    w->tail_at = w->size - strlen("\"}") - CODES_TICKET_SIZE;
    w->user_at = w->tail_at - strlen("\",\"code\":\"") - TOKENS_USER_DIGITS;
    w->limit = s->first < w->codes.count ? w->codes.count - s->first : 0;
}

/* Where `text` is in the template. */
static size_t place_of(const struct workload *w, const char *text, size_t after)
{
    const char *found = strstr(w->bytes + after, text);
    if (!found)
        stop("'%s' is not in the request", text);
    return (size_t)(found - w->bytes);
}

static void read_ids(struct workload *w)
{
    codes_read(&w->codes, w->settings.codes, CODES_RESERVATION_SIZE);
    w->limit = w->settings.first < w->codes.count ? w->codes.count - w->settings.first : 0;
}

/* The payment's name is derived from the reservation's. */
static void build_commit(struct workload *w)
{
    const struct workload_settings *s = &w->settings;
    append(w, "POST /v1/reservations/%s/commit HTTP/1.1\r\nHost: %s\r\n", SAMPLE_ID, s->host);
    append(w, "Content-Type: application/json\r\nContent-Length: %zu\r\nAuthorization: Bearer %s\r\n\r\n",
           sizeof("{\"payment_ref\":\"pi_" SAMPLE "\"}") - 1, s->key);
    append(w, "{\"payment_ref\":\"pi_" SAMPLE "\"}");
    w->tail_at = place_of(w, SAMPLE_ID, 0);
    w->again_at[0] = place_of(w, "pi_" SAMPLE, 0) + strlen("pi_");
    read_ids(w);
}

static const char event_body[] =
    "{\"id\":\"evt_" SAMPLE "\",\"object\":\"event\",\"api_version\":\"2024-06-20\",\"type\":"
    "\"payment_intent.succeeded\",\"data\":{\"object\":{\"id\":\"pi_" SAMPLE
    "\",\"object\":\"payment_intent\","
    "\"amount\":1000,\"amount_received\":1000,\"currency\":\"eur\",\"metadata\":{\"reservation_id\":"
    "\"" SAMPLE_ID "\"}}}}";

/* As Stripe sends it. */
static void build_pay(struct workload *w)
{
    const struct workload_settings *s = &w->settings;
    char signature[SIGNATURE_HEX_SIZE + 1] = {0};
    int64_t now_s = (int64_t)time(NULL);
    memset(signature, '0', SIGNATURE_HEX_SIZE);
    append(w, "POST /v1/webhooks/payments HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n",
           s->host);
    append(w, "Content-Length: %zu\r\nStripe-Signature: t=%lld,v1=%s\r\n\r\n", sizeof(event_body) - 1,
           (long long)now_s, signature);
    w->body_at = w->size;
    append(w, "%s", event_body);
    w->tail_at = place_of(w, SAMPLE_ID, w->body_at);
    w->again_at[0] = place_of(w, "evt_" SAMPLE, w->body_at) + strlen("evt_");
    w->again_at[1] = place_of(w, "pi_" SAMPLE, w->body_at) + strlen("pi_");
    read_ids(w);
    char *signatures = stop_or_zeroed(w->codes.count, SIGNATURE_HEX_SIZE);
    for (uint64_t n = 0; n < w->limit; n++) {
        workload_fill(w, n, w->bytes);
        signature_write(s->provider_secret, now_s, w->bytes + w->body_at, w->size - w->body_at,
                        signatures + n * SIGNATURE_HEX_SIZE);
    }
    w->signatures = signatures;
    w->signature_at = place_of(w, signature, 0);
}

static void build_set(struct workload *w)
{
    append(w, "*6\r\n$3\r\nSET\r\n$%d\r\nseat:", KEY_DIGITS + 5);
    w->tail_at = w->size;
    append(w, "%0*d\r\n$%d\r\nu", KEY_DIGITS, 0, TOKENS_USER_DIGITS + 1);
    w->user_at = w->size;
    append(w, "%0*d\r\n$2\r\nNX\r\n$2\r\nEX\r\n", TOKENS_USER_DIGITS, 0);
    char ttl[24];
    int ttl_size = snprintf(ttl, sizeof(ttl), "%lld",
                            (long long)(w->settings.ttl_seconds ? w->settings.ttl_seconds : 600));
    append(w, "$%d\r\n%s\r\n", ttl_size, ttl);
}

/* A fixed answer to a head like that of a hold: the upper limit of the edge for such requests. */
static void build_fixed(struct workload *w)
{
    append(w, "GET /healthz HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n", w->settings.host);
    if (w->settings.secret) {
        tokens_sign(&w->tokens, 0, 1, w->settings.secret, w->settings.tokens_end);
        append(w, "Authorization: Bearer %.*s\r\n", (int)w->tokens.size, tokens_at(&w->tokens, 0));
    }
    append(w, "\r\n");
}

static void build_get(struct workload *w, const char *path)
{
    append(w, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n", path, w->settings.host);
}

static bool every_seat_once(enum workload_kind kind)
{
    return kind == WORKLOAD_HOLD || kind == WORKLOAD_SLOT || kind == WORKLOAD_REDIS_SET;
}

void workload_init(struct workload *w, const struct workload_settings *settings)
{
    uint64_t places = settings->events * settings->seats;
    *w = (struct workload){.settings = *settings, .expected = 200, .limit = UINT64_MAX};
    w->bytes = stop_or_zeroed(1, REQUEST_MAX);
    if (!places || !settings->users)
        stop("seats, events and users must be at least 1");
    w->order = permutation_make(places, settings->seed);
    if (every_seat_once(settings->kind))
        w->limit = settings->first < places ? places - settings->first : 0;
    if (settings->kind == WORKLOAD_JOIN)
        w->limit = settings->users;
    switch (settings->kind) {
    case WORKLOAD_HOLD:
    case WORKLOAD_SLOT:
    case WORKLOAD_REFUSE:
        w->expected = settings->kind == WORKLOAD_REFUSE ? 409 : 201;
        build_hold(w);
        return;
    case WORKLOAD_JOIN:
        w->expected = 201;
        build_join(w);
        return;
    case WORKLOAD_CHECK_IN:
        build_check_in(w);
        return;
    case WORKLOAD_COMMIT:
        build_commit(w);
        return;
    case WORKLOAD_PAY:
        build_pay(w);
        return;
    case WORKLOAD_FIXED:
        build_fixed(w);
        return;
    case WORKLOAD_GET:
        build_get(w, settings->path);
        return;
    case WORKLOAD_REDIS_SET:
    case WORKLOAD_REDIS_HOT:
        w->protocol = ANSWER_RESP;
        w->expected = settings->kind == WORKLOAD_REDIS_SET ? ANSWER_RESP_OK : ANSWER_RESP_NIL;
        build_set(w);
        return;
    }
}

void workload_release(struct workload *w)
{
    tokens_release(&w->tokens);
    codes_release(&w->codes);
    free(w->signatures);
    free(w->bytes);
    w->bytes = NULL;
}

/* A hold made now with this TTL ends in the wanted second, at the same fraction of it as now. The request takes a
 * moment to arrive: those sent in the last 50 ms of a second count for the next one, otherwise they would end a second
 * late. */
static uint64_t ttl_until(int64_t ends_at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t left = ends_at - (int64_t)now.tv_sec - (now.tv_nsec >= 950000000);
    return left > 1 ? (uint64_t)left : 1;
}

/* A code or an id, and the other places of an id. */
static void fill_name(const struct workload *w, uint64_t n, char *out)
{
    const char *name = codes_at(&w->codes, w->settings.first + n);
    memcpy(out + w->tail_at, name, w->codes.size);
    for (int i = 0; i < 2; i++)
        if (w->again_at[i])
            memcpy(out + w->again_at[i], name + strlen("res_"), strlen(SAMPLE));
    if (w->signatures)
        memcpy(out + w->signature_at, w->signatures + n * SIGNATURE_HEX_SIZE, SIGNATURE_HEX_SIZE);
}

void workload_fill(const struct workload *w, uint64_t n, char *out)
{
    uint64_t user = n % w->settings.users;
    uint64_t place = w->settings.first;
    if (w->settings.kind == WORKLOAD_JOIN)
        user += w->settings.first;
    if (every_seat_once(w->settings.kind)) {
        place += n;
        user = place % w->settings.users;
        if (w->settings.random)
            place = permutation_at(&w->order, place);
    }
    if (w->token_at)
        memcpy(out + w->token_at, tokens_at(&w->tokens, user), w->tokens.size);
    if (w->user_at)
        put_padded(out + w->user_at, user, TOKENS_USER_DIGITS, '0');
    if (w->sell_at)
        memcpy(out + w->sell_at, (n + 1) % w->settings.sell_every ? "false" : "true ", strlen("false"));
    if (w->ttl_at && w->settings.ends_at)
        put_padded(out + w->ttl_at, ttl_until(w->settings.ends_at), TTL_DIGITS, ' ');
    if (!w->tail_at)
        return;
    if (w->codes.bytes) {
        fill_name(w, n, out);
        return;
    }
    if (w->protocol == ANSWER_RESP) {
        put_padded(out + w->tail_at, place, KEY_DIGITS, '0');
        return;
    }
    char *end = put_seat(w, place, out + w->tail_at);
    memset(end, ' ', (size_t)(out + w->size - end));
}
