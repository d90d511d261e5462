/* SPDX-License-Identifier: Apache-2.0 */
#include "http/door/ticket_keys.h"

#include <string.h>

#include "base/crypto/hash.h"

#define DIGITS (2 * ED25519_KEY_SIZE)

static int digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

static bool key_read(struct ticket_key *key, const char *text)
{
    uint8_t hash[32];
    for (size_t i = 0; i < DIGITS; i++) {
        int value = digit(text[i]);
        if (value < 0)
            return false;
        key->seed[i / 2] = (uint8_t)(key->seed[i / 2] << 4 | value);
    }
    ed25519_public(key->seed, key->public);
    hash_sha256(key->public, sizeof(key->public), hash);
    memcpy(key->id, hash, sizeof(key->id));
    return true;
}

bool ticket_keys_read(struct ticket_keys *k, const char *text)
{
    static const char between[] = " ,\t\r\n";
    *k = (struct ticket_keys){0};
    for (text += strspn(text, between); *text; text += strspn(text, between)) {
        struct ticket_key *key = &k->keys[k->count];
        if (k->count == TICKET_KEYS_MAX || strcspn(text, between) != DIGITS || !key_read(key, text) ||
            ticket_keys_find(k, key->id))
            return false;
        k->count++;
        text += DIGITS;
    }
    return k->count > 0;
}

void ticket_keys_wipe(struct ticket_keys *k)
{
    explicit_bzero(k, sizeof(*k));
}

const struct ticket_key *ticket_keys_find(const struct ticket_keys *k, const uint8_t id[TICKET_KEY_ID_SIZE])
{
    for (unsigned i = 0; i < k->count; i++)
        if (memcmp(k->keys[i].id, id, TICKET_KEY_ID_SIZE) == 0)
            return &k->keys[i];
    return NULL;
}
