/* SPDX-License-Identifier: Apache-2.0 */
/* demo_payments.h — the payment provider of `holdfast demo`: POST /demo/payments {reservation_id, outcome}.
 *
 *   succeeds  payment_intent.succeeded, at once
 *   declined  payment_intent.payment_failed, at once
 *   slow      payment_intent.succeeded, some seconds later, even if the buyer has left
 *
 * It reports a payment as a provider does: posts an event, signed with the secret of PUT /v1/payments/provider, to this
 * server's own /v1/webhooks/payments. Under `serve` the path does not exist (routes.h).
 */
#ifndef HTTP_DEMO_PAYMENTS_H
#define HTTP_DEMO_PAYMENTS_H

#include <uv.h>

struct demo_payments;
struct server;

/* Borrows the server. */
struct demo_payments *demo_payments_open(struct server *server);
/* Nothing more is sent. */
void demo_payments_stop(struct demo_payments *d);
/* Call it when the loop has closed its handles. */
void demo_payments_free(struct demo_payments *d);

#endif
