/* SPDX-License-Identifier: Apache-2.0 */
/* credentials.h — the admin key, the secret that signs user tokens, and the keys that sign tickets.
 *
 * From the environment, or from three files in the data folder, which are created on the first start. A file that
 * other users can read is refused, because its secret may have leaked.
 *
 * While the secret is being rotated there is also an old one: its signatures are still accepted, but nothing new is
 * signed with it.
 */
#ifndef HTTP_CREDENTIALS_H
#define HTTP_CREDENTIALS_H

#include "base/status.h"
#include "base/crypto/token.h"
#include "http/door/ticket_keys.h"

#define CREDENTIALS_SIZE_MAX 1024

struct credentials {
    char admin_key[CREDENTIALS_SIZE_MAX];  /* NUL-terminated, like the secret */
    char secret[CREDENTIALS_SIZE_MAX];     /* at least TOKEN_SECRET_SIZE_MIN bytes */
    char secret_old[CREDENTIALS_SIZE_MAX]; /* the same; "": none */
    struct ticket_keys ticket_keys;
};

/* Values from the environment; NULL: not given. */
struct credentials_given {
    const char *admin_key, *secret, *secret_old, *ticket_key;
};

/* Whether the given values are valid. Call it before anything is opened. */
struct status credentials_check(const struct credentials_given *given);
/* DATA/admin.key, DATA/secret and DATA/ticket.key; the folder must exist. A given value replaces its file. The paths of
 * the files are logged, their contents never. */
struct status credentials_load(struct credentials *c, const char *data,
                               const struct credentials_given *given);
void credentials_wipe(struct credentials *c);
/* Whether a key can be sent in a header: visible ASCII. */
bool credentials_plain(const char *text);

/* token_verify, with the secret and then with the old one. */
enum token_verdict credentials_verify(const struct credentials *c, const char *token, size_t size,
                                      const char *audience, int64_t now_ms, struct token_claims *claims,
                                      bool (*visit)(void *owner, const struct json_member *claim),
                                      void *owner);

#endif
