/* SPDX-License-Identifier: Apache-2.0 */
/* payment_standard.c — part of payment_edge.h: Standard Webhooks, with events in Stripe's format.
 *
 *   webhook-id, webhook-timestamp, webhook-signature: v1,<base64>[ v1,<base64>]
 *   hmac_sha256(the decoded base64 after whsec_, id.timestamp.body)
 */
#include <stdio.h>

#include "base/assertion.h"
#include "base/crypto/base64.h"
#include "base/crypto/hash.h"
#include "core/command.h"
#include "http/hook/hook_signature.h"
#include "http/money/payment_edge.h"

#define WEBHOOK_ID "Webhook-Id"

static void standard_claim(const struct request *r, struct payment_claim *out)
{
    struct text rest = request_header(r, "Webhook-Signature");
    out->id = request_header(r, WEBHOOK_ID);
    out->time = request_header(r, "Webhook-Timestamp");
    while (out->id.size && rest.size && out->count < PAYMENT_SIGNATURES_MAX) {
        struct text part = request_next_part(&rest, ' ');
        if (payment_cut_prefix(&part, "v1,"))
            out->given[out->count++] = part;
    }
}

static size_t sign(struct text secret, struct text id, struct text time, struct text body,
                   char out[2 * PAYMENT_MAC_SIZE])
{
    const struct hash_part parts[] = {
        {id.at, id.size}, {".", 1}, {time.at, time.size}, {".", 1}, {body.at, body.size}};
    uint8_t key[HOOK_KEY_SIZE_MAX], mac[PAYMENT_MAC_SIZE];
    size_t size = hook_secret_key(secret, key);
    ASSERT(size); /* it was checked when it was set */
    hash_hmac_sha256_parts(key, size, parts, 5, mac);
    base64_write(mac, sizeof mac, out);
    return BASE64_SIZE(sizeof mac);
}

static size_t headers(const char *id, const char *time, struct text signature,
                      char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX])
{
    snprintf(out[0], PAYMENT_HEADER_SIZE_MAX, "webhook-id: %s", id);
    snprintf(out[1], PAYMENT_HEADER_SIZE_MAX, "webhook-timestamp: %s", time);
    snprintf(out[2], PAYMENT_HEADER_SIZE_MAX, "webhook-signature: v1,%.*s", (int)signature.size,
             signature.at);
    return 3;
}

static void read_event(struct request *r, const struct json_scan *s, struct command *command)
{
    payment_edge_stripe.read(r, s, command);
    /* Only this id is signed. */
    struct text id = request_header(r, WEBHOOK_ID);
    if (id.size <= PAYMENT_EVENT_TEXT_SIZE_MAX)
        command->payment_event.image.event_id = id;
}

const struct payment_edge payment_edge_standard = {
    .secret_valid = hook_secret_valid,
    .secret_form = "Invalid secret: expected whsec_ and base64 of 24 to 64 bytes.",
    .claim = standard_claim,
    .sign = sign,
    .headers = headers,
    .read = read_event,
};
