/* SPDX-License-Identifier: Apache-2.0 */
/* ticket_keys.h — the keys that sign and verify tickets.
 *
 * The first one signs; the others signed earlier tickets, which are still valid. They are read from a text
 * (credentials.h): 64 hexadecimal digits each, separated by spaces, commas or line breaks.
 */
#ifndef HTTP_TICKET_KEYS_H
#define HTTP_TICKET_KEYS_H

#include "base/crypto/ed25519.h"

#define TICKET_KEYS_MAX 8
#define TICKET_KEY_ID_SIZE 8 /* the first bytes of the public key's SHA-256 */

struct ticket_keys {
    unsigned count;
    struct ticket_key {
        uint8_t id[TICKET_KEY_ID_SIZE];
        uint8_t public[ED25519_KEY_SIZE];
        uint8_t seed[ED25519_KEY_SIZE];
    } keys[TICKET_KEYS_MAX];
};

/* False: not a list of keys, or empty, with a duplicate, or too long. */
bool ticket_keys_read(struct ticket_keys *k, const char *text);
void ticket_keys_wipe(struct ticket_keys *k);
/* The key with this id, or NULL. */
const struct ticket_key *ticket_keys_find(const struct ticket_keys *k, const uint8_t id[TICKET_KEY_ID_SIZE]);

#endif
