/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_signature.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assertion.h"
#include "base/crypto/base64.h"
#include "base/crypto/hash.h"
#include "http/record/encode.h"

#define PREFIX "whsec_"
#define KEY_SIZE_MIN 24

size_t hook_secret_key(struct text secret, uint8_t key[HOOK_KEY_SIZE_MAX])
{
    const size_t prefix = sizeof(PREFIX) - 1;
    size_t size;
    if (secret.size <= prefix || secret.size > HOOK_SECRET_SIZE_MAX ||
        memcmp(secret.at, PREFIX, prefix) != 0 ||
        !base64_read(secret.at + prefix, secret.size - prefix, key, HOOK_KEY_SIZE_MAX, &size))
        return 0;
    return size >= KEY_SIZE_MIN ? size : 0;
}

bool hook_secret_valid(struct text secret)
{
    uint8_t key[HOOK_KEY_SIZE_MAX];
    return hook_secret_key(secret, key) > 0;
}

/* "v1,…"; returns its size. */
static size_t sign(struct text secret, const struct buf *signed_bytes, char *out)
{
    uint8_t key[HOOK_KEY_SIZE_MAX], mac[32];
    size_t size = hook_secret_key(secret, key);
    ASSERT(size); /* it was checked when it was set */
    hash_hmac_sha256(key, size, signed_bytes->data, signed_bytes->size, mac);
    memcpy(out, "v1,", 3);
    base64_write(mac, sizeof mac, out + 3);
    return 3 + BASE64_SIZE(sizeof mac);
}

void hook_signature_write(const struct hook_image *hook, int64_t now_ms, const char *id, int64_t timestamp_s,
                          const struct buf *body, char out[HOOK_SIGNATURE_SIZE_MAX])
{
    struct buf bytes;
    buf_init(&bytes, body->size + 256);
    buf_printf(&bytes, "%s.%" PRId64 ".", id, timestamp_s);
    buf_append(&bytes, body->data, body->size);
    size_t size = sign(hook->secret, &bytes, out);
    if (hook->old_secret.at && now_ms < hook->old_until_ms) {
        out[size++] = ' ';
        size += sign(hook->old_secret, &bytes, out + size);
    }
    ASSERT(size < HOOK_SIGNATURE_SIZE_MAX);
    out[size] = '\0';
    buf_release(&bytes);
}

void hook_message_id_write(const struct hook_message *message, char out[HOOK_MESSAGE_ID_SIZE])
{
    char reservation[ENCODE_ID_SIZE];
    encode_id(ENCODE_RESERVATION, message->reservation, reservation);
    snprintf(out, HOOK_MESSAGE_ID_SIZE, "msg_%" PRIu64 "_%" PRIu32 "_%.*s", message->seq, message->ordinal,
             ID_TEXT_SIZE, reservation + ENCODE_ID_SIZE - ID_TEXT_SIZE);
}

bool hook_message_id_read(struct text text, uint64_t *seq, uint32_t *ordinal)
{
    char copy[HOOK_MESSAGE_ID_SIZE], whole[HOOK_MESSAGE_ID_SIZE], rest[HOOK_MESSAGE_ID_SIZE];
    if (text.size >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)text.size, text.at);
    if (sscanf(copy, "msg_%20" SCNu64 "_%10" SCNu32 "_%79s", seq, ordinal, rest) != 3)
        return false;
    snprintf(whole, sizeof whole, "msg_%" PRIu64 "_%" PRIu32 "_%.40s", *seq, *ordinal, rest);
    return strcmp(whole, copy) == 0; /* no leading signs, spaces or zeros */
}
