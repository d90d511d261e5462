/* SPDX-License-Identifier: Apache-2.0 */
/* hook_signature.h — signs messages: Standard Webhooks, symmetric.
 *
 * A secret is "whsec_" and base64 of 24 to 64 bytes. A signature is "v1," and base64 of HMAC-SHA-256 over
 * id.timestamp.body; while a secret is being replaced there are two, separated by a space.
 */
#ifndef HTTP_HOOK_SIGNATURE_H
#define HTTP_HOOK_SIGNATURE_H

#include "base/memory/buf.h"
#include "core/hook/hook.h"

#define HOOK_SIGNATURE_SIZE_MAX 96 /* of two, with a NUL */
#define HOOK_KEY_SIZE_MAX 64       /* bytes of a secret */
#define HOOK_MESSAGE_ID_SIZE 80    /* with a NUL */

bool hook_secret_valid(struct text secret);
/* Decodes the secret; returns its size, 0: invalid. */
size_t hook_secret_key(struct text secret, uint8_t key[HOOK_KEY_SIZE_MAX]);
/* Signs with the hook's secret, and with the previous one while it is still valid. */
void hook_signature_write(const struct hook_image *hook, int64_t now_ms, const char *id, int64_t timestamp_s,
                          const struct buf *body, char out[HOOK_SIGNATURE_SIZE_MAX]);

/* "msg_<seq>_<ordinal>_<reservation>": unique, and the same for every attempt. */
void hook_message_id_write(const struct hook_message *message, char out[HOOK_MESSAGE_ID_SIZE]);
/* Reads its seq and ordinal. False: not such an id. */
bool hook_message_id_read(struct text text, uint64_t *seq, uint32_t *ordinal);

#endif
