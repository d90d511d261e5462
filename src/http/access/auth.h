/* SPDX-License-Identifier: Apache-2.0 */
/* auth.h — identifies the caller.
 *
 * `Authorization: Bearer` carries the admin key, an app or door key, a user token, or the manage token
 * of one reservation (order_token.h). Keys are compared by
 * their SHA-256, the admin key in constant time. Expensive results (the hash of a key, that a token is
 * genuine) are cached for the exact same bytes, in bounded memory; whether a key still exists and whether a
 * token has expired is checked every time.
 *
 * Errors distinguish only what helps the caller: malformed, unknown (no such key, wrong signature) or expired
 * credentials.
 */
#ifndef HTTP_AUTH_H
#define HTTP_AUTH_H

#include "base/memory/arena.h"
#include "base/crypto/hash.h"
#include "core/command.h"
#include "http/access/credentials.h"
#include "view/view.h"

#define AUTH_AUDIENCE "holdfast"
#define AUTH_GUEST_MS (24LL * 3600 * 1000)

struct auth_entry;
struct auth {
    const struct credentials *credentials;
    uint8_t admin_hash[32];
    struct hash_key key;
    struct auth_entry **entries;
    /* An app or door key by the hash of its bytes: view_key_find. */
    bool (*find_key)(void *ctx, const uint8_t hash[32], struct key_view *out);
    void *ctx;
};

/* The credentials are borrowed. */
void auth_init(struct auth *a, const struct credentials *credentials,
               bool (*find_key)(void *ctx, const uint8_t hash[32], struct key_view *out), void *ctx);
void auth_release(struct auth *a);

/* The caller by the value of the Authorization header; role ROLE_NONE without one.
 * The name is copied into the arena. *order is the claim of a manage token; otherwise zeroed. */
enum auth_verdict { AUTH_GOOD, AUTH_NOT_BEARER, AUTH_MALFORMED, AUTH_UNKNOWN, AUTH_EXPIRED, AUTH_NOT_YET };
enum auth_verdict auth_identify(struct auth *a, struct text header, int64_t now_ms, struct arena *arena,
                                struct actor *out, struct order_claim *order);
/* Whether the header contains exactly this key. */
bool auth_bears(struct text header, const char *key);
/* The error as a sentence. */
const char *auth_sentence(enum auth_verdict verdict);

/* A token for a guest, valid for AUTH_GUEST_MS: for the caller, if it is a guest (actor_is_guest), otherwise
 * for a new user id "guest_…". Texts are in the arena. */
struct auth_guest {
    struct text token, user_id;
    int64_t expires_at_ms;
};
struct auth_guest auth_make_guest(struct auth *a, struct actor actor, int64_t now_ms, struct arena *arena);
/* The same for this user. */
struct auth_guest auth_make_user(struct auth *a, const char *user, int64_t now_ms, struct arena *arena);
/* When a token created now expires: in whole seconds, as in the token itself, so that both agree. */
int64_t auth_token_expiry(int64_t now_ms);

#endif
