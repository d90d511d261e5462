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
#define PAYMENT_HEADERS_MAX 3
#define PAYMENT_HEADER_SIZE_MAX 160 /* with a NUL */

/* Whether events of this provider can be signed with it. */
bool payment_secret_sound(enum payment_provider provider, struct text secret);
/* By the provider's secret, or the one before while that is good; *by is whose it is. Compares in constant time. */
bool payment_signature_holds(const struct provider_image *provider, const struct request_headers *headers,
                             struct text body, int64_t now_ms, enum payment_provider *by);
/* The other side: the headers of an event that this provider signs. Returns how many. */
size_t payment_signature_write(const struct provider_image *provider, const char *id, int64_t time_s,
                               const struct buf *body,
                               char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX]);

#endif
