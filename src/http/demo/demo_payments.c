/* SPDX-License-Identifier: Apache-2.0 */
#include "http/demo/demo_payments.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/logging.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "http/api/call.h"
#include "http/api/text_check.h"
#include "http/hook/hook_client.h"
#include "http/money/payment_edge.h"
#include "http/record/encode.h"
#include "http/server.h"
#include "http/wire/reply.h"

#define WEBHOOK "/v1/webhooks/payments"
#define SLOW_MS 5000
#define EVENT_ID_SIZE 32
#define BODY_SIZE_MAX 1024

struct demo_payments {
    struct server *server;
    struct hook_client *client;
    struct link in_flight;
};

/* An event in flight; a slow one waits first. */
struct demo_event {
    struct demo_payments *demo;
    struct link link;
    uv_timer_t timer;
    char id[EVENT_ID_SIZE];
    struct buf body;
};

/* ---- Sending events ---- */

static void on_timer_closed(uv_handle_t *handle)
{
    struct demo_event *t = handle->data;
    buf_release(&t->body);
    free(t);
}

static void end(struct demo_event *t)
{
    link_remove(&t->link);
    uv_close((uv_handle_t *)&t->timer, on_timer_closed);
}

static void posted(void *ctx, int status, bool connected, const char *why)
{
    struct demo_event *t = ctx;
    (void)connected;
    if (status != 200)
        log_warn("the demo's payment event was not accepted", {"status", LOG_INT(status)},
                 {"why", LOG_STR(why)});
    end(t);
}

static void post_event(uv_timer_t *timer)
{
    struct demo_event *t = timer->data;
    struct server *s = t->demo->server;
    char address[96], url[160], signed_by[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX];
    const char *headers[PAYMENT_HEADERS_MAX + 2] = {"Content-Type: application/json", "Expect:"};
    server_address(s, address, sizeof address);
    snprintf(url, sizeof url, "http://%s" WEBHOOK, address);
    size_t count = payment_signature_write(view_provider(s->view), t->id, store_now(s->store) / 1000,
                                           &t->body, signed_by);
    for (size_t i = 0; i < count; i++)
        headers[2 + i] = signed_by[i];
    hook_client_post(t->demo->client, url, headers, 2 + count, &t->body, posted, t);
}

static void member_string(struct json_writer *w, const char *key, const char *value)
{
    json_key_text(w, key, strlen(key));
    json_string(w, value);
}

/* In Stripe's format, with the fields that the server reads. */
static void write_event(struct demo_event *t, const char *type, const char *ref,
                        const struct reservation_image *r)
{
    struct json_writer writer = json_writer_make(&t->body), *w = &writer;
    char id[ENCODE_ID_SIZE + 1] = "", currency[4] = "";
    encode_id(ENCODE_RESERVATION, r->id, id);
    for (size_t i = 0; i < 3; i++)
        currency[i] = (char)tolower((unsigned char)r->currency[i]);
    json_object_begin(w);
    member_string(w, "id", t->id);
    member_string(w, "type", type);
    json_key(w, "data");
    json_object_begin(w);
    json_key(w, "object");
    json_object_begin(w);
    member_string(w, "id", ref);
    json_key(w, "amount");
    json_int(w, reservation_image_total(r));
    member_string(w, "currency", currency);
    json_key(w, "metadata");
    json_object_begin(w);
    member_string(w, "reservation_id", id);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
    json_object_end(w);
}

/* ---- The call ---- */

struct payment_body {
    struct json_text_value reservation_id, outcome;
};

WORD_LIST(outcomes, "succeeds", "declined", "slow")

const struct json_field demo_payment_fields[] = {
    FIELD_ID(struct payment_body, reservation_id, JSON_REQUIRED, "The reservation to pay for."),
    FIELD_WORD(struct payment_body, outcome, JSON_REQUIRED, outcomes, "The result of the payment."),
    JSON_END,
};

static void found(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    struct demo_payments *d = r->server->demo_payments;
    const struct text *wish = call->data;
    bool declined = text_equal(*wish, TEXT("declined"));
    char ref[8 + ENCODE_ID_SIZE + 1] = "pi_demo_";
    ASSERT(outcome->has_reservation);
    /* The same for every attempt, so that paying twice by mistake is one payment. */
    encode_id(ENCODE_RESERVATION, outcome->reservation.id, ref + 8);
    struct demo_event *t = memory_zeroed(1, sizeof *t);
    t->demo = d;
    t->timer.data = t;
    link_init(&t->link);
    buf_init(&t->body, BODY_SIZE_MAX);
    snprintf(t->id, sizeof t->id, "evt_demo_%016" PRIx64, random_u64());
    write_event(t, declined ? "payment_intent.payment_failed" : "payment_intent.succeeded", ref,
                &outcome->reservation);
    link_append(&d->in_flight, &t->link);
    uv_timer_init(r->server->loop, &t->timer);
    uv_timer_start(&t->timer, post_event, text_equal(*wish, TEXT("slow")) ? SLOW_MS : 0, 0);

    struct json_writer *w = reply_json(r, 200);
    json_object_begin(w);
    member_string(w, "payment_ref", ref);
    json_key(w, "outcome");
    json_text(w, wish->at, wish->size);
    json_object_end(w);
    reply_finish(r);
}

HANDLER(demo_payment_post)
{
    struct payment_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_LOOK);
    struct text *wish = arena_take(&r->arena, sizeof(*wish));
    *wish = text_given(body.outcome);
    call->data = wish;
    if (encode_id_read(ENCODE_RESERVATION, text_given(body.reservation_id), &call->command.reservation))
        call_submit(call, found);
    else
        reply_outcome(r, OUTCOME_NO_SUCH_RESERVATION);
}

/* ---- Opening and closing ---- */

struct demo_payments *demo_payments_open(struct server *server)
{
    struct demo_payments *d = memory_zeroed(1, sizeof *d);
    d->server = server;
    d->client = hook_client_open(server->loop, true);
    ASSERT(d->client);
    link_init(&d->in_flight);
    return d;
}

void demo_payments_stop(struct demo_payments *d)
{
    hook_client_close(d->client);
    d->client = NULL;
    while (!link_alone(&d->in_flight))
        end(LINK_OWNER(d->in_flight.next, struct demo_event, link));
}

void demo_payments_free(struct demo_payments *d)
{
    ASSERT(!d->client && link_alone(&d->in_flight));
    free(d);
}
