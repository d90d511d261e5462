/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/auth.h"

#include <stdlib.h>
#include <strings.h>

#include "base/assertion.h"
#include "base/id.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"
#include "base/crypto/token.h"
#include "http/access/order_token.h"

#define SETS 4096
#define WAYS 4
#define CACHED_SIZE_MAX 1024 /* longer credentials are not cached */
#define HASHED_SIZE_MAX 43

/* The cached result for the exact bytes of a credential. */
struct auth_entry {
    uint64_t hash;
    uint32_t size;
    enum { OF_KEY /* possibly */, OF_USER, OF_ORDER } of;
    union {
        struct {
            int64_t expires_at_ms, not_before_ms;
            uint32_t subject_size; /* OF_USER */
            char subject[USER_SIZE_MAX];
            struct order_claim order; /* OF_ORDER */
        } token;
        uint8_t key_hash[32];
    };
    char bytes[];
};

void auth_init(struct auth *a, const struct credentials *credentials,
               bool (*find_key)(void *ctx, const uint8_t hash[32], struct key_view *out), void *ctx)
{
    *a = (struct auth){
        .credentials = credentials, .key = {random_u64(), random_u64()}, .find_key = find_key, .ctx = ctx};
    hash_sha256(credentials->admin_key, strlen(credentials->admin_key), a->admin_hash);
    a->entries = memory_zeroed((size_t)SETS * WAYS, sizeof *a->entries);
}

void auth_release(struct auth *a)
{
    for (size_t i = 0; i < (size_t)SETS * WAYS; i++)
        free(a->entries[i]);
    free(a->entries);
    a->entries = NULL;
}

/* ---- The cache ---- */

/* Hashes only the end: in a token that is the signature, which no two valid tokens share. */
static uint64_t cache_hash(const struct auth *a, struct text credential)
{
    size_t size = credential.size < HASHED_SIZE_MAX ? credential.size : HASHED_SIZE_MAX;
    return hash_sip(a->key, credential.at + credential.size - size, size);
}

static const struct auth_entry *cache_find(const struct auth *a, uint64_t hash, struct text credential)
{
    struct auth_entry **set = &a->entries[(hash % SETS) * WAYS];
    for (unsigned i = 0; i < WAYS; i++) {
        const struct auth_entry *e = set[i];
        if (e && e->hash == hash && e->size == credential.size &&
            memcmp(e->bytes, credential.at, e->size) == 0)
            return e;
    }
    return NULL;
}

/* If the set is full the new entry replaces one of it, chosen by bits of the hash that did not choose the set. */
static void cache_put(struct auth *a, uint64_t hash, struct text credential, const struct auth_entry *found)
{
    if (credential.size > CACHED_SIZE_MAX)
        return;
    struct auth_entry **entry = &a->entries[(hash % SETS) * WAYS];
    unsigned way = 0;
    while (way < WAYS && entry[way])
        way++;
    entry += way < WAYS ? way : (unsigned)(hash >> 62);
    free(*entry);
    struct auth_entry *e = memory_get(sizeof *e + credential.size);
    *e = *found;
    e->hash = hash;
    e->size = (uint32_t)credential.size;
    memcpy(e->bytes, credential.at, credential.size);
    *entry = e;
}

/* ---- Judging ---- */

/* "Bearer x": x. False: another scheme, or nothing after it. */
static bool bearer(struct text header, struct text *out)
{
    if (header.size < 8 || strncasecmp(header.at, "Bearer ", 7) != 0)
        return false;
    const char *at = header.at + 7, *end = header.at + header.size;
    while (at < end && *at == ' ')
        at++;
    *out = (struct text){at, (size_t)(end - at)};
    return out->size > 0 && out->size <= TOKEN_SIZE_MAX && !memchr(at, ' ', out->size);
}

/* Determines what the bytes are: a genuine token, or something that may be a key; and the verdict if it turns out not
 * to be a key. */
static enum auth_verdict inspect(struct auth *a, struct text credential, int64_t now_ms,
                                 struct auth_entry *out)
{
    static const enum auth_verdict verdicts[] = {
        [TOKEN_OK] = AUTH_GOOD,         [TOKEN_INVALID] = AUTH_MALFORMED, [TOKEN_FORGED] = AUTH_UNKNOWN,
        [TOKEN_EXPIRED] = AUTH_EXPIRED, [TOKEN_NOT_YET] = AUTH_NOT_YET,
    };
    *out = (struct auth_entry){0};
    struct token_claims claims;
    enum token_verdict verdict = TOKEN_FORGED;
    if (memchr(credential.at, '.', credential.size))
        verdict = credentials_verify(a->credentials, credential.at, credential.size, AUTH_AUDIENCE, now_ms,
                                     &claims, NULL, NULL);
    if (verdict == TOKEN_OK) {
        out->of = OF_USER;
        out->token.expires_at_ms = claims.expires_at_ms;
        out->token.not_before_ms = claims.not_before_ms;
        out->token.subject_size = (uint32_t)claims.subject_size;
        memcpy(out->token.subject, claims.subject, claims.subject_size);
        return AUTH_GOOD;
    }
    if (verdict == TOKEN_INVALID) /* it may be a manage token, which has another audience */
        verdict = order_token_judge(a->credentials, credential, now_ms, &out->token.order,
                                    &out->token.expires_at_ms);
    if (verdict == TOKEN_OK) {
        out->of = OF_ORDER;
        return AUTH_GOOD;
    }
    *out = (struct auth_entry){.of = OF_KEY};
    hash_sha256(credential.at, credential.size, out->key_hash);
    return verdicts[verdict];
}

static bool judge_key(struct auth *a, const uint8_t hash[32], struct arena *arena, struct actor *out)
{
    if (hash_equal(hash, a->admin_hash, sizeof a->admin_hash)) {
        *out = (struct actor){.role = ROLE_ADMIN, .name = {"", 0}};
        return true;
    }
    struct key_view key;
    if (!a->find_key(a->ctx, hash, &key))
        return false;
    const struct text *name = &key.image.name;
    *out =
        (struct actor){.role = key.image.role, .name = {arena_copy(arena, name->at, name->size), name->size}};
    return true;
}

static enum auth_verdict judge_token(const struct auth_entry *e, int64_t now_ms, struct arena *arena,
                                     struct actor *out, struct order_claim *order)
{
    if (now_ms >= e->token.expires_at_ms)
        return AUTH_EXPIRED;
    if (now_ms < e->token.not_before_ms)
        return AUTH_NOT_YET;
    if (e->of == OF_ORDER) {
        out->role = ROLE_ORDER; /* without a name: it is not the owner's login */
        *order = e->token.order;
        return AUTH_GOOD;
    }
    ASSERT(e->of == OF_USER && e->token.subject_size);
    const char *name = arena_copy(arena, e->token.subject, e->token.subject_size);
    *out = (struct actor){.role = ROLE_USER, .name = {name, e->token.subject_size}};
    return AUTH_GOOD;
}

enum auth_verdict auth_identify(struct auth *a, struct text header, int64_t now_ms, struct arena *arena,
                                struct actor *out, struct order_claim *order)
{
    *order = (struct order_claim){0};
    *out = (struct actor){.role = ROLE_NONE, .name = {"", 0}};
    if (!header.at)
        return AUTH_GOOD;
    struct text credential;
    if (!bearer(header, &credential))
        return AUTH_NOT_BEARER;
    uint64_t hash = cache_hash(a, credential);
    const struct auth_entry *e = cache_find(a, hash, credential);
    struct auth_entry fresh;
    enum auth_verdict verdict = AUTH_UNKNOWN;
    if (!e) {
        verdict = inspect(a, credential, now_ms, &fresh);
        e = &fresh;
    }
    if (e->of != OF_KEY)
        verdict = judge_token(e, now_ms, arena, out, order);
    else if (judge_key(a, e->key_hash, arena, out))
        verdict = AUTH_GOOD;
    if (verdict == AUTH_GOOD && e == &fresh)
        cache_put(a, hash, credential, e); /* only valid ones, so that guesses evict nothing */
    return verdict;
}

bool auth_bears(struct text header, const char *key)
{
    struct text credential;
    uint8_t given[32], wanted[32];
    if (!header.at || !bearer(header, &credential))
        return false;
    hash_sha256(credential.at, credential.size, given);
    hash_sha256(key, strlen(key), wanted);
    return hash_equal(given, wanted, sizeof wanted);
}

const char *auth_sentence(enum auth_verdict verdict)
{
    static const char *const sentences[] = {
        [AUTH_NOT_BEARER] = "Invalid credentials: expected Bearer, a space and a key or token.",
        [AUTH_MALFORMED] =
            "Invalid token: expected HS256 with sub, aud " AUTH_AUDIENCE " and exp in seconds.",
        [AUTH_UNKNOWN] = "Invalid credentials: unknown key or wrong signature.",
        [AUTH_EXPIRED] = "The token has expired.",
        [AUTH_NOT_YET] = "The token is not valid yet.",
    };
    ASSERT(sentences[verdict]); /* good credentials need none */
    return sentences[verdict];
}

int64_t auth_token_expiry(int64_t now_ms)
{
    return (now_ms + AUTH_GUEST_MS) / 1000 * 1000;
}

struct auth_guest auth_make_user(struct auth *a, const char *user, int64_t now_ms, struct arena *arena)
{
    int64_t expires_at_ms = auth_token_expiry(now_ms);
    char *token = arena_take(arena, TOKEN_SIZE_MAX);
    const char *secret = a->credentials->secret;
    size_t size = token_sign(secret, strlen(secret), AUTH_AUDIENCE, user, expires_at_ms, token);
    ASSERT(size <= TOKEN_SIZE_MAX && strlen(user) <= USER_SIZE_MAX);
    return (struct auth_guest){
        .token = {token, size},
        .user_id = {arena_copy(arena, user, strlen(user)), strlen(user)},
        .expires_at_ms = expires_at_ms,
    };
}

struct auth_guest auth_make_guest(struct auth *a, struct actor actor, int64_t now_ms, struct arena *arena)
{
    char user[USER_SIZE_MAX + 1] = GUEST_PREFIX;
    size_t user_size = sizeof(GUEST_PREFIX) - 1 + ID_TEXT_SIZE;
    if (actor_is_guest(actor)) {
        ASSERT(actor.name.size <= USER_SIZE_MAX);
        memcpy(user, actor.name.at, user_size = actor.name.size);
    } else {
        id_write(id_make(now_ms, random_u64(), random_u64()), user + sizeof(GUEST_PREFIX) - 1);
    }
    user[user_size] = '\0';
    return auth_make_user(a, user, now_ms, arena);
}
