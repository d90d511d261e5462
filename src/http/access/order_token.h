/* SPDX-License-Identifier: Apache-2.0 */
/* order_token.h — the manage token of one confirmed reservation: gives its bearer access to that reservation only.
 *
 * A JSON Web Token, HS256 over the secret of the user tokens, but with an audience of its own and without a subject,
 * so it cannot be used as a login. It names the reservation (`jti`), its generation (`gen`) and the expiry (`exp`).
 * Created and verified here; whether the reservation still has that generation is core's business.
 *
 * Only we create them, so they are verified more strictly than logins: one audience, whole numbers, all claims.
 */
#ifndef HTTP_ORDER_TOKEN_H
#define HTTP_ORDER_TOKEN_H

#include "base/crypto/token.h"
#include "core/command.h"
#include "http/access/credentials.h"

#define ORDER_TOKEN_CLAIMS_SIZE_MAX 256 /* an id and three short claims */
#define ORDER_TOKEN_SIZE_MAX TOKEN_SIZE(ORDER_TOKEN_CLAIMS_SIZE_MAX)
#define ORDER_TOKEN_AUDIENCE "holdfast-order"
#define ORDER_TOKEN_AFTER_START_MS (30LL * 24 * 3600 * 1000) /* validity after the last item begins */
#define ORDER_TOKEN_DEFAULT_MS (365LL * 24 * 3600 * 1000)  /* validity from now, if no item has a start */

/* Fills in *out and *expires_at_ms if the verdict is OK or EXPIRED. */
enum token_verdict order_token_judge(const struct credentials *credentials, struct text token, int64_t now_ms,
                                     struct order_claim *out, int64_t *expires_at_ms);
/* The token of the outcome's reservation, which must be confirmed. Returns its size; 0: it would already be expired. */
size_t order_token_write(const struct credentials *credentials, const struct outcome *outcome, int64_t now_ms,
                         char out[ORDER_TOKEN_SIZE_MAX]);

#endif
