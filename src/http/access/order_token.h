/* SPDX-License-Identifier: Apache-2.0 */
/* order_token.h — the manage token of one confirmed reservation: it opens that one for whoever has it, and nothing else.
 *
 * A JSON Web Token, HS256 over the secret that user tokens are signed with, but for an audience of its own, and
 * without a subject: it is no login. It says which reservation (`jti`), of which generation (`gen`) and until
 * when (`exp`). Made here and judged here as far as the token goes; whether the reservation is still of that
 * generation is core's business.
 *
 * Only we make them, so they are judged more strictly than logins: one audience, whole numbers, all claims.
 */
#ifndef HTTP_ORDER_TOKEN_H
#define HTTP_ORDER_TOKEN_H

#include "base/crypto/token.h"
#include "core/command.h"
#include "http/access/credentials.h"

#define ORDER_TOKEN_CLAIMS_SIZE_MAX 256 /* an id and three short claims */
#define ORDER_TOKEN_SIZE_MAX TOKEN_SIZE(ORDER_TOKEN_CLAIMS_SIZE_MAX)
#define ORDER_TOKEN_AUDIENCE "holdfast-order"
#define ORDER_TOKEN_AFTER_START_MS (30LL * 24 * 3600 * 1000) /* good so long after the last item begins */
#define ORDER_TOKEN_DEFAULT_MS (365LL * 24 * 3600 * 1000)  /* from now on, when none says when it begins */

/* Fills in *out and *expires_at_ms when it is OK, and when it is EXPIRED. */
enum token_verdict order_token_judge(const struct credentials *credentials, struct text token, int64_t now_ms,
                                     struct order_claim *out, int64_t *expires_at_ms);
/* The token of the outcome's reservation, which is confirmed. Returns its size; 0: it would have ended by now. */
size_t order_token_write(const struct credentials *credentials, const struct outcome *outcome, int64_t now_ms,
                         char out[ORDER_TOKEN_SIZE_MAX]);

#endif
