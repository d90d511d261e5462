/* SPDX-License-Identifier: Apache-2.0 */
#include "http/money/payment_json.h"

#include <ctype.h>
#include <stdio.h>

#include "base/crypto/hash.h"
#include "base/text/digits.h"

const struct json_token *payment_json_member(const struct json_scan *s, const struct json_token *object,
                                             const char *name)
{
    if (!object || object->kind != JSON_TOKEN_OBJECT)
        return NULL;
    const struct json_token *at = object + 1;
    for (uint32_t i = 0; i < object->count; i++) {
        size_t size;
        const char *text = json_scan_text(s, at, &size);
        if (size == strlen(name) && memcmp(text, name, size) == 0)
            return at + 1;
        at += 1 + at[1].span;
    }
    return NULL;
}

struct text payment_json_text(const struct json_scan *s, const struct json_token *token)
{
    struct text text = {0};
    if (token && token->kind == JSON_TOKEN_TEXT)
        text.at = json_scan_text(s, token, &text.size);
    return text.size && text.size <= PAYMENT_EVENT_TEXT_SIZE_MAX ? text : (struct text){0};
}

bool payment_json_integer(const struct json_scan *s, const struct json_token *token, int64_t *out)
{
    uint64_t digits;
    struct text text = payment_json_text(s, token);
    if (token && token->kind == JSON_TOKEN_INTEGER)
        *out = json_scan_integer(s, token);
    else if (text.at && digits_read(text.at, text.size, &digits) && digits <= AMOUNT_MAX)
        *out = (int64_t)digits;
    else
        return false;
    return *out <= AMOUNT_MAX && *out >= -AMOUNT_MAX;
}

struct text payment_json_hash(struct request *r, struct text prefix, struct text bytes)
{
    uint8_t hash[32];
    char *mark = arena_take(&r->arena, prefix.size + 2 * sizeof(hash) + 1);
    memcpy(mark, prefix.at, prefix.size);
    hash_sha256(bytes.at, bytes.size, hash);
    for (size_t i = 0; i < sizeof(hash); i++)
        snprintf(mark + prefix.size + 2 * i, 3, "%02x", hash[i]);
    return (struct text){mark, prefix.size + 2 * sizeof(hash)};
}

struct text payment_json_reference(struct request *r, const struct json_scan *s,
                                   const struct json_token *token)
{
    struct text ref = {0};
    if (token && token->kind == JSON_TOKEN_OBJECT)
        token = payment_json_member(s, token, "id"); /* expanded */
    if (token && token->kind == JSON_TOKEN_TEXT)
        ref.at = json_scan_text(s, token, &ref.size);
    if (ref.size > PAYMENT_TEXT_SIZE_MAX)
        return payment_json_hash(r, TEXT("sha256:"), ref);
    return ref.size ? ref : (struct text){0};
}

void payment_json_currency(struct text currency, char out[4])
{
    bool letters = currency.size == 3;
    for (size_t i = 0; letters && i < 3; i++)
        letters = isalpha((unsigned char)currency.at[i]);
    memcpy(out, NO_CURRENCY, 4);
    for (size_t i = 0; letters && i < 3; i++)
        out[i] = (char)toupper((unsigned char)currency.at[i]);
}
