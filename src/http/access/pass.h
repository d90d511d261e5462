/* SPDX-License-Identifier: Apache-2.0 */
/* pass.h — the pass of a user whom a waiting room has admitted: it allows holds, and nothing else.
 *
 * A JSON Web Token, HS256 over the secret of the user tokens, but with an audience of its own: a pass cannot be used
 * as a login, nor a login as a pass. It names the user (`sub`), the event (`event`), the entry (`jti`), the tiers
 * (`tiers`, if limited) and the expiry (`exp`). Created and verified here; whether its entry is still admitted, and
 * what it may claim, is core's business.
 *
 * Only we create passes, so they are verified more strictly than logins: one audience, a whole number of seconds,
 * an event and an entry. All faults give the same answer.
 */
#ifndef HTTP_PASS_H
#define HTTP_PASS_H

#include "base/memory/arena.h"
#include "base/crypto/token.h"
#include "core/command.h"
#include "http/access/credentials.h"

#define PASS_AUDIENCE "holdfast-pass"

/* Reads the value of Holdfast-Pass, which may be absent. Texts are in the arena. */
struct pass_claim pass_judge(const struct credentials *credentials, struct text header, int64_t now_ms,
                             struct arena *arena);
/* The same for a request. */
struct request;
struct pass_claim pass_of(struct request *r);
/* The pass of an admitted entry, valid until its until_ms. Returns its size. */
size_t pass_write(const struct credentials *credentials, const struct queue_entry_image *entry,
                  const struct text *tiers, uint32_t tier_count, char out[TOKEN_SIZE_MAX]);

#endif
