/* SPDX-License-Identifier: Apache-2.0 */
/* payment_json.h — single values of a payment provider's event, for the files of providers. A value of an unexpected
 * form counts as absent: a signed event is never refused. */
#ifndef HTTP_PAYMENT_JSON_H
#define HTTP_PAYMENT_JSON_H

#include "base/json/json_scan.h"
#include "core/money/payment_event.h"
#include "http/wire/request.h"

/* NULL: no such member. */
const struct json_token *payment_json_member(const struct json_scan *s, const struct json_token *object,
                                             const char *name);
/* None if it is not a text, or too long to be a known word. */
struct text payment_json_text(const struct json_scan *s, const struct json_token *token);
/* An integer, or the digits of one as text: a payment must not be lost because of the form of its amount. */
bool payment_json_integer(const struct json_scan *s, const struct json_token *token, int64_t *out);
/* Three letters in upper case and a NUL; NO_CURRENCY if it is anything else. */
void payment_json_currency(struct text currency, char out[4]);
/* A payment's reference, or that of an object with an `id`. One that is too long to store is replaced by its hash, so
 * that the payment still counts. Truncated, it might equal another payment's. */
struct text payment_json_reference(struct request *r, const struct json_scan *s,
                                   const struct json_token *token);
/* The prefix followed by the SHA-256 of these bytes in hex. */
struct text payment_json_hash(struct request *r, struct text prefix, struct text bytes);

#endif
