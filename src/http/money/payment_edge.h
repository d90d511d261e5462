/* SPDX-License-Identifier: Apache-2.0 */
/* payment_edge.h — the payment providers: how each signs its events, and what these say.
 *
 * A provider is one file with a row here. Core knows none of their words: an event is read into payment_news
 * (core/types.h). To add one: a row of PAYMENT_PROVIDERS in core/types.h, a file like payment_stripe.c, and its row in
 * payment_edge.c.
 */
#ifndef HTTP_PAYMENT_EDGE_H
#define HTTP_PAYMENT_EDGE_H

#include "base/json/json_scan.h"
#include "core/money/provider.h"
#include "http/wire/request.h"

#define PAYMENT_SIGNATURE_WINDOW_S 300
#define PAYMENT_HEADERS_MAX 3
#define PAYMENT_HEADER_SIZE_MAX 160 /* with a NUL */
#define PAYMENT_SIGNATURES_MAX 8    /* in one header; a provider that changes its secret sends two */
#define PAYMENT_MAC_SIZE 32

/* What a request claims to be signed by. */
struct payment_claim {
    struct text id;   /* of the message, where that is signed; at == NULL: it is not */
    struct text time; /* seconds, as written */
    struct text given[PAYMENT_SIGNATURES_MAX];
    uint32_t count;
};

struct payment_edge {
    /* Whether events can be signed with it, and what it must be, for people. */
    bool (*secret_sound)(struct text secret);
    const char *secret_form;
    void (*claim)(const struct request_headers *headers, struct payment_claim *out);
    /* Over the bytes as they came, in the form of the header. Returns the size. */
    size_t (*sign)(struct text secret, struct text id, struct text time, struct text body,
                   char out[2 * PAYMENT_MAC_SIZE]);
    /* The other side: the headers of an event. Returns how many. */
    size_t (*headers)(const char *id, const char *time, struct text signature,
                      char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX]);
    /* Reads a signed event into the command: what is not understood is passed over. */
    void (*read)(struct request *r, const struct json_scan *s, struct command *command);
};

extern const struct payment_edge payment_edge_stripe, payment_edge_standard;
const struct payment_edge *payment_edge(enum payment_provider provider);

/* Whether an event is the provider's: signed with its secret, or the one before while that is good, within the last five
 * minutes by its own clock. *by is whose it is. Compares in constant time. */
bool payment_signature_holds(const struct provider_image *provider, const struct request_headers *headers,
                             struct text body, int64_t now_ms, enum payment_provider *by);
/* The headers of an event that this provider signs. Returns how many. */
size_t payment_signature_write(const struct provider_image *provider, const char *id, int64_t time_s,
                               const struct buf *body,
                               char out[PAYMENT_HEADERS_MAX][PAYMENT_HEADER_SIZE_MAX]);
/* Cuts the text if it begins so. */
bool payment_cut_prefix(struct text *text, const char *prefix);

#endif
