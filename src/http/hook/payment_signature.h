/* SPDX-License-Identifier: Apache-2.0 */
/* payment_signature.h — whether an incoming payment event is the provider's: signed with its secret over the bytes as they
 * came, within the last five minutes by its own clock.
 *
 *   stripe    Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>]   hmac_sha256(secret, t.body)
 *   standard  webhook-id, webhook-timestamp, webhook-signature: v1,<base64>[ v1,<base64>]
 *                                                               hmac_sha256(base64 of secret, id.timestamp.body)
 */
#ifndef HTTP_PAYMENT_SIGNATURE_H
#define HTTP_PAYMENT_SIGNATURE_H

#include "core/money/provider.h"
#include "http/wire/request.h"

#define PAYMENT_SIGNATURE_WINDOW_S 300

/* Whether events of this provider can be signed with it. */
bool payment_secret_sound(enum payment_provider provider, struct text secret);
/* By the provider's secret, or the one before while that is good; *by is whose it is. Compares in constant time. */
bool payment_signature_holds(const struct provider_image *provider, const struct request_headers *headers,
                             struct text body, int64_t now_ms, enum payment_provider *by);

#endif
