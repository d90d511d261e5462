/* SPDX-License-Identifier: Apache-2.0 */
/* pass.h — the pass of somebody whom a waiting room has admitted: it allows holds, and nothing else.
 *
 * A JSON Web Token, HS256 over the secret that user tokens are signed with, but for an audience of its own:
 * no pass is a login and no login is a pass. It says whose it is (`sub`), for which event (`event`) and entry
 * (`jti`), for which tiers (`tiers`, when they are limited) and until when (`exp`). Made here and judged here
 * as far as the token goes; whether its entry is still admitted, and what it may take, is core's business.
 *
 * Only we make passes, so they are judged more strictly than logins: one audience, a whole number of seconds,
 * an event and an entry. Faults are not told apart.
 */
#ifndef HTTP_PASS_H
#define HTTP_PASS_H

#include "base/memory/arena.h"
#include "base/crypto/token.h"
#include "core/command.h"
#include "http/access/credentials.h"

#define PASS_AUDIENCE "holdfast-pass"

/* What the value of Holdfast-Pass is (at == NULL: none was sent). Texts are in the arena. */
struct pass_claim pass_judge(const struct credentials *credentials, struct text header, int64_t now_ms,
                             struct arena *arena);
/* The same of a request. */
struct request;
struct pass_claim pass_of(struct request *r);
/* The pass of an admitted entry, good until its until_ms. Returns its size. */
size_t pass_write(const struct credentials *credentials, const struct queue_entry_image *entry,
                  const struct text *tiers, uint32_t tier_count, char out[TOKEN_SIZE_MAX]);

#endif
