/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/order_token.h"

#include <math.h>

#include "base/assertion.h"
#include "base/json/json_reader.h"
#include "http/record/encode.h"
#include "http/record/member.h"

/* ---- Judging ---- */

struct order_reading {
    struct order_claim claim;
    bool reservation_found, gen_found;
};

static bool take_gen(struct order_reading *reading, const struct json_member *claim)
{
    if (claim->kind != JSON_MEMBER_NUMBER || claim->listed || !(claim->number >= 0) ||
        claim->number > UINT32_MAX || floor(claim->number) < claim->number)
        return false;
    reading->claim.gen = (uint32_t)claim->number;
    return reading->gen_found = true;
}

static bool visit_claim(void *owner, const struct json_member *claim)
{
    struct order_reading *reading = owner;
    bool lone_text = claim->kind == JSON_MEMBER_TEXT && !claim->listed;
    if (strcmp(claim->name, "aud") == 0)
        return lone_text;
    if (strcmp(claim->name, "sub") == 0)
        return false; /* a user token or a pass */
    if (strcmp(claim->name, "exp") == 0)
        return claim->kind == JSON_MEMBER_NUMBER && floor(claim->number) >= claim->number;
    if (strcmp(claim->name, "gen") == 0)
        return take_gen(reading, claim);
    if (strcmp(claim->name, "jti") == 0)
        return reading->reservation_found =
                   lone_text && encode_id_read(ENCODE_RESERVATION, (struct text){claim->text, claim->size},
                                               &reading->claim.reservation);
    return true;
}

enum token_verdict order_token_judge(const struct credentials *credentials, struct text token, int64_t now_ms,
                                     struct order_claim *out, int64_t *expires_at_ms)
{
    struct token_claims claims;
    struct order_reading reading = {0};
    enum token_verdict verdict = credentials_verify(credentials, token.at, token.size, ORDER_TOKEN_AUDIENCE,
                                                    now_ms, &claims, visit_claim, &reading);
    if (verdict != TOKEN_OK && verdict != TOKEN_EXPIRED)
        return verdict;
    if (!reading.reservation_found || !reading.gen_found)
        return TOKEN_INVALID;
    *out = reading.claim;
    *expires_at_ms = claims.expires_at_ms;
    return verdict;
}

/* ---- Making ---- */

size_t order_token_write(const struct credentials *credentials, const struct outcome *outcome, int64_t now_ms,
                         char out[ORDER_TOKEN_SIZE_MAX])
{
    const struct reservation_image *r = &outcome->reservation;
    ASSERT(outcome->has_reservation && r->status == RESERVATION_CONFIRMED);
    int64_t until_ms = outcome->last_start_ms ? outcome->last_start_ms + ORDER_TOKEN_AFTER_START_MS
                                              : now_ms + ORDER_TOKEN_DEFAULT_MS;
    if (until_ms / 1000 <= now_ms / 1000)
        return 0;
    char id[ENCODE_ID_SIZE];
    uint8_t storage[ORDER_TOKEN_CLAIMS_SIZE_MAX];
    struct buf claims = {.data = storage, .capacity = sizeof storage, .limit = sizeof storage};
    struct json_writer w = json_writer_make(&claims);
    json_object_begin(&w);
    member_string(&w, "aud", ORDER_TOKEN_AUDIENCE);
    encode_id(ENCODE_RESERVATION, r->id, id);
    member_text(&w, "jti", (struct text){id, sizeof(id)});
    member_uint(&w, "gen", r->manage_gen);
    member_int(&w, "exp", until_ms / 1000);
    json_object_end(&w);
    return token_sign_claims(credentials->secret, strlen(credentials->secret), (const char *)claims.data,
                             claims.size, out);
}
