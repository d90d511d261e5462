/* SPDX-License-Identifier: Apache-2.0 */
/* payment_edge.h — the payment providers: how each signs its events, and how to read them.
 *
 * A provider is one file. Core does not know their terms: an event is read into payment_news (core/types.h). To add
 * one: a row of PAYMENT_PROVIDERS in core/types.h, a file like payment_stripe.c with its payment_edge_NAME, and a
 * sentence about its events and its secret in the descriptions of their routes (routes_payments.inc).
 *
 * A signature must cover a time; a provider that signs none needs a change of payment_edge.c. A refund is reported by
 * the total paid back so far (NEWS_REFUNDED): a provider that reports each refund separately needs another payment_news.
 */
#ifndef HTTP_PAYMENT_EDGE_H
#define HTTP_PAYMENT_EDGE_H

#include "base/json/json_scan.h"
#include "core/money/provider.h"
#include "http/wire/request.h"

#define PAYMENT_SIGNATURE_WINDOW_S 300
#define PAYMENT_HEADERS_MAX 3
#define PAYMENT_HEADER_SIZE_MAX 160 /* with a NUL */
#define PAYMENT_SIGNATURES_MAX 8    /* in one header; a provider that rotates its secret sends two */
#define PAYMENT_MAC_SIZE 32

/* The signatures that a request claims to have. */
struct payment_claim {
    struct text id;   /* of the message, if it is part of the signature */
    struct text time; /* seconds, as written */
    struct text given[PAYMENT_SIGNATURES_MAX];
    uint32_t count;
};

struct payment_edge {
    /* Whether events can be signed with this secret; and the error if not. */
    bool (*secret_valid)(struct text secret);
    const char *secret_form;
    void (*claim)(const struct request *r, struct payment_claim *out);
    /* Signs the bytes as received, in the form of the header. Returns the size. */
    size_t (*sign)(struct text secret, struct text id, struct text time, struct text body,
                   char out[2 * PAYMENT_MAC_SIZE]);
    /* For sending: the headers of an event. Returns how many. */
    size_t (*headers)(const char *id, const char *time, struct text signature,
                      char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX]);
    /* Reads a signed event into the command; unknown parts are ignored. */
    void (*read)(struct request *r, const struct json_scan *s, struct command *command);
};

#define PAYMENT_EDGE(constant, number, word, name) extern const struct payment_edge payment_edge_##name;
PAYMENT_PROVIDERS(PAYMENT_EDGE)
const struct payment_edge *payment_edge(enum payment_provider provider);

/* Whether an event is genuine: signed with the provider's secret, or the previous one while it is valid, within the
 * last five minutes by the provider's clock. *by is the provider. Compares in constant time. */
bool payment_signature_valid(const struct provider_image *provider, const struct request *r,
                             enum payment_provider *by);
/* The headers of an event that this provider signs. Returns how many. */
size_t payment_signature_write(const struct provider_image *provider, const char *id, int64_t time_s,
                               const struct buf *body,
                               char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX]);
/* Removes the prefix; false: the text does not begin with it. */
bool payment_cut_prefix(struct text *text, const char *prefix);

#endif
