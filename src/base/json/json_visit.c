/* SPDX-License-Identifier: Apache-2.0 */
/* json_visit.c — of json_reader.h: objects that no table describes. */
#include "base/json/json_reader.h"
#include "base/json/json_scan.h"

#define JSON_VISIT_BLOCK 1024

static const char *keep_text(struct arena *arena, const struct json_scan *scan,
                             const struct json_token *token, size_t *size)
{
    const char *text = json_scan_text(scan, token, size);
    return arena_copy(arena, text, *size);
}

static struct json_member json_member_make(struct arena *arena, const struct json_scan *scan,
                                           const char *name, const struct json_token *token)
{
    struct json_member member = {.name = name, .kind = JSON_MEMBER_OTHER};
    if (token->kind == JSON_TOKEN_TEXT) {
        member.kind = JSON_MEMBER_TEXT;
        member.text = keep_text(arena, scan, token, &member.size);
    } else if (token->kind == JSON_TOKEN_INTEGER || token->kind == JSON_TOKEN_REAL) {
        member.kind = JSON_MEMBER_NUMBER;
        member.number = json_scan_double(scan, token);
    } else if (token->kind == JSON_TOKEN_LIST) {
        member.kind = JSON_MEMBER_LIST;
    }
    return member;
}

static bool json_visit_value(struct arena *arena, const struct json_scan *scan, const char *name,
                             const struct json_token *token,
                             bool (*visit)(void *owner, const struct json_member *member), void *owner)
{
    struct json_member member = json_member_make(arena, scan, name, token);
    if (!visit(owner, &member))
        return false;
    const struct json_token *element = token + 1;
    for (uint32_t i = 0; token->kind == JSON_TOKEN_LIST && i < token->count; i++, element += element->span) {
        member = json_member_make(arena, scan, name, element);
        member.listed = true;
        if (!visit(owner, &member))
            return false;
    }
    return true;
}

bool json_visit(const char *body, size_t size, bool (*visit)(void *owner, const struct json_member *member),
                void *owner)
{
    struct arena arena;
    struct json_scan scan __attribute__((uninitialized));
    arena_init(&arena, JSON_VISIT_BLOCK);
    bool done = json_scan(&scan, body, size, &arena) && scan.tokens->kind == JSON_TOKEN_OBJECT;
    const struct json_token *root = scan.tokens, *token = done ? root + 1 : NULL;
    for (uint32_t i = 0; done && i < root->count; i++, token += 1 + token[1].span) {
        size_t name_size;
        const char *name = keep_text(&arena, &scan, token, &name_size);
        done = json_visit_value(&arena, &scan, name, token + 1, visit, owner);
    }
    arena_release(&arena);
    return done;
}
