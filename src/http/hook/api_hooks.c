/* SPDX-License-Identifier: Apache-2.0 */
/* api_hooks.c — outgoing webhooks: setting, reading and removing them; undeliverable messages, and resending them. */
#include "base/assertion.h"
#include "http/api/call.h"
#include "http/api/listing.h"
#include "http/api/page.h"
#include "http/api/text_check.h"
#include "http/wire/url_check.h"
#include "http/hook/hook_sender.h"
#include "http/hook/hook_signature.h"
#include "http/record/encode.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/wire/reply.h"

enum { QUERY_LIMIT, QUERY_CURSOR };

/* ---- Records ---- */

static void write_events(struct json_writer *w, uint32_t events)
{
    json_array_begin(w);
    for (enum hook_event event = HOOK_EVENT_FIRST; event <= HOOK_EVENT_LAST; event++)
        if (events & HOOK_BIT(event))
            json_string(w, hook_event_name(event));
    json_array_end(w);
}

/* clang-format off */
#define HOOK(F) \
    F(TEXT, id, "shop", "The name of the hook.", hook->name) \
    F(TEXT, url, "https://shop.example/holdfast", "The URL to send messages to.", hook->url) \
    F(WORDS, events, "reservation.confirmed", "The types of messages it gets.", hook_event_word, write_events(w, hook->events)) \
    F(TIME, created_at, "2030-05-01T08:00:00.000Z", "When it was created.", hook->created_at_ms) \
    F(TIME_OR_NULL, old_secret_until, null, "Until when the previous secret also signs; null: it no longer does.", \
      now_ms < hook->old_until_ms ? hook->old_until_ms : 0) \
    F(UINT, waiting, 0, "How many messages are waiting to be delivered.", waiting)
RECORD(hook, "An outgoing webhook, without its secret.", HOOK)

#define DEAD_MESSAGE(F) \
    F(STRING, id, "msg_4711_0_01JX5M0Q6H8Z3V7T2R9K4C1W0E", "Its `webhook-id`.", id) \
    F(STRING, type, "reservation.confirmed", "The type of the message.", hook_event_name(m->message.event)) \
    F(ID_OR_NULL, reservation_id, "res_01JX5M0Q6H8Z3V7T2R9K4C1W0E", \
      "The reservation; null: it is about a ride, or a payment without one.", \
      ENCODE_RESERVATION, about_ride || !m->message.reservation.high ? none : m->message.reservation) \
    F(ID_OR_NULL, ride_id, null, "The ride; null: it is about a reservation.", ENCODE_RIDE, \
      about_ride ? m->message.reservation : none) \
    F(TIME, timestamp, "2030-06-03T09:00:00.000Z", "When the event happened.", m->message.at_ms) \
    F(TIME, dead_at, "2030-06-04T09:00:00.000Z", "When it was given up.", m->dead_at_ms)
RECORD(dead_message, "A message that could not be delivered.", DEAD_MESSAGE)

#define RESENT(F) \
    F(UINT, resent, 3, "How many messages will be sent again.", resent) \
    F(BOOL, more, false, "Whether there are more: call again.", more)
RECORD(resent, "The result of a resend.", RESENT)
/* clang-format on */

static void write_hook(struct json_writer *w, const struct hook_view *view, int64_t now_ms)
{
    const struct hook_image *hook = view->image;
    uint32_t waiting = view->waiting;
    WRITE_RECORD(HOOK);
}

static void reply_hook(struct request *r, int status, const struct hook_view *hook)
{
    write_hook(reply_json(r, status), hook, r->now_ms);
    reply_wait(r, view_hooks_seq(r->view));
    reply_finish(r);
}

/* False: no such hook, and 404 was replied. */
static bool api_hooks_find(struct request *r, struct hook_view *out)
{
    bool found = view_hook_find(r->view, r->parameters[0], out);
    if (!found)
        reply_outcome(r, OUTCOME_NO_SUCH_HOOK);
    return found;
}

/* ---- Put, get, remove ---- */

/* http or https, without characters that parsers could interpret differently. */
static bool url_valid(const char *url, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (url[i] <= ' ' || url[i] > '~' || url[i] == '\\' || url[i] == '#')
            return false;
    return url_check(url, size, "https://") || url_check(url, size, "http://");
}

static bool secret_valid(const char *secret, size_t size)
{
    return hook_secret_valid((struct text){secret, size});
}

struct hook_body {
    struct json_text_value id, url, secret;
    struct json_list_value events;
};

const struct json_field api_hook_fields[] = {
    FIELD_SAME_ID(struct hook_body),
    FIELD_FORM(struct hook_body, url, 1, HOOK_URL_SIZE_MAX, JSON_REQUIRED, url_valid,
               "an http or https URL without user name and fragment", "The URL to send messages to."),
    JSON_TEXTS(struct hook_body, events, 1, HOOK_EVENT_LAST, JSON_REQUIRED, .word = hook_event_word,
               .about = "The types of messages it gets."),
    {JSON_FIELD(JSON_KIND_TEXT, struct hook_body, secret, JSON_REQUIRED), .least = HOOK_SECRET_SIZE_MIN,
     .most = HOOK_SECRET_SIZE_MAX, .check = secret_valid, .put_only = true, .secret = true,
     .form = "whsec_ and base64 of 24 to 64 bytes",
     .about = "Signs the messages, and is never shown. A replaced secret also signs for a day."},
    FIELD_SHOWN("created_at"),
    FIELD_SHOWN("old_secret_until"),
    FIELD_SHOWN("waiting"),
    JSON_END,
};

static void hook_put_done(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    int status = outcome->created ? 201 : 200;
    struct hook_view hook;
    hook_sender_wake(r->server->hooks); /* it submits commands, which invalidates the outcome */
    bool found = view_hook_find(r->view, r->parameters[0], &hook);
    ASSERT(found);
    reply_hook(r, status, &hook);
}

HANDLER(api_hook_put)
{
    struct hook_body body;
    if (!request_decode(r, &body, sizeof(body)) || !call_check_id(r, 0, body.id))
        return;
    struct call *call = call_make(r, COMMAND_HOOK_PUT);
    struct hook_image *hook = &call->command.hook;
    hook->name = r->parameters[0];
    hook->url = text_given(body.url);
    hook->secret = text_given(body.secret);
    const struct json_text_value *events = body.events.entries;
    for (size_t i = 0; i < body.events.count; i++) {
        enum hook_event event = HOOK_HELD;
        hook_event_read(text_given(events[i]), &event);
        hook->events |= HOOK_BIT(event);
    }
    call_submit(call, hook_put_done);
}

HANDLER(api_hook_get)
{
    struct hook_view hook;
    if (api_hooks_find(r, &hook))
        reply_hook(r, 200, &hook);
}

HANDLER(api_hook_list)
{
    uint32_t limit;
    struct text after;
    struct hook_view hook;
    if (!page_limit(r, QUERY_LIMIT, &limit) || !page_cursor_name(r, QUERY_CURSOR, &after))
        return;
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (; limit && view_hook_after(r->view, after, &hook); limit--) {
        write_hook(w, &hook, r->now_ms);
        after = hook.image->name;
    }
    page_end_name(w, limit == 0 && view_hook_after(r->view, after, &hook), after);
    reply_wait(r, view_hooks_seq(r->view));
    reply_finish(r);
}

HANDLER(api_hook_remove)
{
    struct call *call = call_make(r, COMMAND_HOOK_REMOVE);
    call->command.hook.name = r->parameters[0];
    call_submit(call, call_reply_empty);
}

/* ---- Undeliverable messages ---- */

static void write_dead(void *ctx, const struct query_row *row)
{
    struct listing *listing = ctx;
    struct json_writer *w = &listing->writer;
    const struct dead_message *m = row->dead;
    bool about_ride = hook_event_of(m->message.event) == MADE_RIDE;
    const struct id none = {0};
    char id[HOOK_MESSAGE_ID_SIZE];
    hook_message_id_write(&m->message, id);
    WRITE_RECORD(DEAD_MESSAGE);
    listing->last = (struct id){m->message.seq, m->message.ordinal};
}

HANDLER(api_hook_messages)
{
    struct hook_view hook;
    struct listing *listing = listing_make(r);
    struct query *query = &listing->query;
    if (!page_limit(r, QUERY_LIMIT, &query->limit) || !page_cursor(r, QUERY_CURSOR, &query->after) ||
        !api_hooks_find(r, &hook))
        return;
    query->kind = QUERY_DEAD_MESSAGES;
    query->hook = hook.image->number;
    listing_submit(listing, write_dead);
}

struct resend_body {
    struct json_text_value id;
    struct json_int_value since;
};

const struct json_field api_hook_resend_fields[] = {
    JSON_TEXT(struct resend_body, id, 1, HOOK_MESSAGE_ID_SIZE, JSON_OPTIONAL, .about = "Only this message."),
    JSON_TIME(struct resend_body, since, JSON_OPTIONAL, .about = "Only messages of events since then."),
    JSON_END,
};

struct resend {
    struct request *request;
    struct query query;
    bool one; /* only the message with this seq and ordinal */
    uint64_t seq;
    uint32_t ordinal;
    struct hook_message messages[HOOK_MOVES_MAX];
    uint32_t count;
    bool more;
};

static void resend_done(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    const struct resend *resend = call->data;
    uint32_t resent = outcome->message_count;
    bool more = resend->more;
    hook_sender_wake(r->server->hooks);
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(RESENT);
    reply_finish(r);
}

static void gather(void *ctx, const struct query_row *row)
{
    struct resend *resend = ctx;
    const struct hook_message *m = &row->dead->message;
    if (!resend->one || (m->seq == resend->seq && m->ordinal == resend->ordinal))
        resend->messages[resend->count++] = *m;
}

static void gathered(void *ctx, const struct query_result *result)
{
    struct resend *resend = ctx;
    struct request *r = resend->request;
    if (!result->ok) {
        reply_unavailable(r, NULL);
        return;
    }
    resend->more = result->more && !resend->one;
    struct call *call = call_make(r, COMMAND_HOOK_RESEND);
    call->data = resend;
    call->command.hook_resend.name = r->parameters[0];
    call->command.hook_resend.messages = resend->messages;
    call->command.hook_resend.count = resend->count;
    call_submit(call, resend_done);
}

HANDLER(api_hook_resend)
{
    struct resend_body body;
    struct hook_view hook;
    if (!request_decode(r, &body, sizeof(body)) || !api_hooks_find(r, &hook))
        return;
    struct resend *resend = arena_zeroed(&r->arena, sizeof(*resend));
    resend->request = r;
    resend->query = (struct query){.kind = QUERY_DEAD_MESSAGES,
                                   .hook = hook.image->number,
                                   .limit = HOOK_MOVES_MAX,
                                   .min_seq = r->min_seq};
    if (body.since.given)
        resend->query.from_ms = body.since.value;
    if (body.id.text) {
        resend->one =
            hook_message_id_read(text_given(body.id), &resend->seq, &resend->ordinal) && resend->seq;
        if (!resend->one) {
            reply_invalid(r, "/id", "Invalid id: expected the id of a message.");
            return;
        }
        resend->query.limit = 1;
        resend->query.after = resend->ordinal ? (struct id){resend->seq, resend->ordinal - 1u}
                                              : (struct id){resend->seq - 1, UINT32_MAX};
    }
    store_query(r->store, &resend->query, gather, gathered, resend);
}
