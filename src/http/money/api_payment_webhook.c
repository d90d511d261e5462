/* SPDX-License-Identifier: Apache-2.0 */
/* api_payment_webhook.c — the payment provider: its secret, and its events. */
#include "base/crypto/random.h"
#include "http/access/admission.h"
#include "http/api/call.h"
#include "http/api/text_check.h"
#include "http/money/payment_edge.h"
#include "http/record/record.h"
#include "http/wire/reply.h"

/* The possible results of an event; a rejection is only possible for a hold. */
WORDS_OF_ENUM(event_results, payment_result, PAYMENT_CONFIRMED, PAYMENT_RECORDED, PAYMENT_FAILED,
              PAYMENT_RETURNED, PAYMENT_REFUND_DUE, PAYMENT_REPEATED, PAYMENT_IGNORED, PAYMENT_USED,
              PAYMENT_UNKNOWN, PAYMENT_AMOUNT, PAYMENT_CURRENCY)

/* clang-format off */
#define PROVIDER(F) \
    F(WORD, provider, "stripe", "The provider whose events are accepted.", payment_provider_word, payment_provider_name(p->provider)) \
    F(TIME, changed_at, "2030-05-01T08:00:00.000Z", "When it was last changed.", p->changed_at_ms) \
    F(TIME_OR_NULL, old_secret_until, null, "Until when the previous secret is also valid; null: it no longer is.", \
      now_ms < p->old_until_ms ? p->old_until_ms : 0)
RECORD(payment_provider, "The payment provider, without its secret.", PROVIDER)

#define RESULT(F) \
    F(WORD, result, "confirmed", "The result of the event.", event_results, payment_result_name(result))
RECORD(payment_result, "The result of an event.", RESULT)
/* clang-format on */

/* ---- The provider ---- */

struct provider_body {
    struct json_text_value provider, secret;
};

const struct json_field api_provider_fields[] = {
    JSON_TEXT(struct provider_body, provider, 1, 16, JSON_REQUIRED, .word = payment_provider_word,
              .about = "The provider whose events are accepted."),
    JSON_TEXT(struct provider_body, secret, PROVIDER_SECRET_SIZE_MIN, PROVIDER_SECRET_SIZE_MAX, JSON_REQUIRED,
              .about = "Signs the events, and is never shown. The previous one stays valid for a day."),
    JSON_END,
};

static void provider_put_done(struct call *call, const struct outcome *outcome)
{
    struct request *r = call->request;
    const struct provider_image *p = outcome->provider;
    int64_t now_ms = r->now_ms;
    struct json_writer *w = reply_json(r, 200);
    WRITE_RECORD(PROVIDER);
    reply_finish(r);
}

HANDLER(api_provider_put)
{
    struct provider_body body;
    if (!request_decode(r, &body, sizeof(body)))
        return;
    struct call *call = call_make(r, COMMAND_PROVIDER_PUT);
    struct provider_image *p = &call->command.provider;
    payment_provider_read(text_given(body.provider), &p->provider);
    p->secret = text_given(body.secret);
    if (!payment_edge(p->provider)->secret_valid(p->secret)) {
        reply_invalid(r, "/secret", payment_edge(p->provider)->secret_form);
        return;
    }
    call_submit(call, provider_put_done);
}

/* ---- Its events: unknown parts are ignored, and no signed event is refused ---- */

static void event_recorded(struct call *call, const struct outcome *outcome)
{
    enum payment_result result = outcome->payment_event.result;
    struct json_writer *w = reply_json(call->request, 200);
    WRITE_RECORD(RESULT);
    reply_finish(call->request);
}

HANDLER(api_payment_webhook)
{
    struct json_scan scan;
    enum payment_provider by;
    const struct provider_image *provider = view_provider(r->view);
    if (!payment_signature_valid(provider, r, &by)) {
        struct fault fault = {0};
        /* Only unsigned requests are counted: a provider with the secret is never slowed down. */
        if (admission_take(r, LANE_UNSIGNED, &fault)) {
            fault_set(&fault, FAULT_UNAUTHENTICATED,
                      provider->number ? "Missing or invalid signature, or older than five minutes."
                                       : "No payment provider is set: see PUT /v1/payments/provider.");
            r->limit.lane = LANE_NONE; /* a 401 never shows rate limits */
        }
        reply_fault(r, &fault);
        return;
    }
    if (!json_scan_foreign(&scan, r->body.at, r->body.size, &r->arena)) {
        reply_invalid(r, "", "Not JSON.");
        return;
    }
    struct call *call = call_make(r, COMMAND_PAYMENT_EVENT);
    call->command.actor = (struct actor){.role = ROLE_PAYMENT};
    call->command.payment_event.ticket_key[0] = random_u64();
    call->command.payment_event.ticket_key[1] = random_u64();
    payment_edge(by)->read(r, &scan, &call->command);
    call_submit(call, event_recorded);
}
