/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/pass.h"

#include <math.h>

#include "base/assertion.h"
#include "base/frame.h"
#include "base/json/json_reader.h"
#include "http/api/text_check.h"
#include "http/record/encode.h"
#include "http/record/member.h"
#include "http/server.h"

/* ---- Judging ---- */

struct pass_reading {
    char event[ID_SIZE_MAX];
    size_t event_size; /* 0: it names none */
    struct id entry;
    bool entry_found;
};

static bool lone_text(const struct json_member *claim)
{
    return claim->kind == JSON_MEMBER_TEXT && !claim->listed;
}

static bool take_event(struct pass_reading *reading, const struct json_member *claim)
{
    if (!lone_text(claim) || !text_check_id(claim->text, claim->size))
        return false;
    memcpy(reading->event, claim->text, claim->size);
    reading->event_size = claim->size;
    return true;
}

static bool take_entry(struct pass_reading *reading, const struct json_member *claim)
{
    struct text text = {claim->text, claim->size};
    return reading->entry_found =
               lone_text(claim) && encode_id_read(ENCODE_QUEUE_ENTRY, text, &reading->entry);
}

static bool visit_claim(void *owner, const struct json_member *claim)
{
    struct pass_reading *reading = owner;
    if (strcmp(claim->name, "aud") == 0)
        return lone_text(claim);
    if (strcmp(claim->name, "exp") == 0)
        return claim->kind == JSON_MEMBER_NUMBER && floor(claim->number) >= claim->number;
    if (strcmp(claim->name, "event") == 0)
        return take_event(reading, claim);
    if (strcmp(claim->name, "jti") == 0)
        return take_entry(reading, claim);
    return true;
}

struct pass_claim pass_judge(const struct credentials *credentials, struct text header, int64_t now_ms,
                             struct arena *arena)
{
    struct token_claims claims;
    struct pass_reading reading = {0};
    if (!header.at)
        return (struct pass_claim){.verdict = PASS_NONE};
    enum token_verdict verdict = credentials_verify(credentials, header.at, header.size, PASS_AUDIENCE,
                                                    now_ms, &claims, visit_claim, &reading);
    if ((verdict != TOKEN_OK && verdict != TOKEN_EXPIRED) || !reading.event_size || !reading.entry_found ||
        !claims.subject_size)
        return (struct pass_claim){.verdict = PASS_FALSE};
    return (struct pass_claim){
        .verdict = verdict == TOKEN_OK ? PASS_GENUINE : PASS_LAPSED,
        .event = {arena_copy(arena, reading.event, reading.event_size), reading.event_size},
        .user = {arena_copy(arena, claims.subject, claims.subject_size), claims.subject_size},
        .entry = reading.entry,
    };
}

struct pass_claim pass_of(struct request *r)
{
    return pass_judge(r->server->auth.credentials, r->headers.pass, r->now_ms, &r->arena);
}

/* ---- Making ---- */

LARGE_FRAME("not zeroed, and touched only as far as the tiers of the pass need")
size_t pass_write(const struct credentials *credentials, const struct queue_entry_image *entry,
                  const struct text *tiers, uint32_t tier_count, char out[TOKEN_SIZE_MAX])
{
    ASSERT(entry->status == QUEUE_ADMITTED && entry->until_ms % 1000 == 0);
    char id[ENCODE_ID_SIZE];
    uint8_t storage[TOKEN_CLAIMS_SIZE_MAX] __attribute__((uninitialized));
    struct buf claims = {.data = storage, .capacity = sizeof storage, .limit = sizeof storage};
    struct json_writer w = json_writer_make(&claims);
    json_object_begin(&w);
    member_string(&w, "aud", PASS_AUDIENCE);
    member_text(&w, "sub", entry->user_id);
    member_text(&w, "event", entry->event_id);
    if (tier_count)
        member_texts(&w, "tiers", tiers, tier_count);
    encode_id(ENCODE_QUEUE_ENTRY, entry->id, id);
    member_text(&w, "jti", (struct text){id, sizeof(id)});
    member_int(&w, "exp", entry->until_ms / 1000);
    json_object_end(&w);
    return token_sign_claims(credentials->secret, strlen(credentials->secret), (const char *)claims.data,
                             claims.size, out);
}
LARGE_FRAME_END
