/* SPDX-License-Identifier: Apache-2.0 */
/* credentials.h — the admin key and the secret that user tokens are signed with.
 *
 * From the environment, or from two files in the data folder, which are made on the first start. A file that
 * others can read is refused: it is no longer a secret.
 */
#ifndef HTTP_CREDENTIALS_H
#define HTTP_CREDENTIALS_H

#include "base/status.h"

#define CREDENTIALS_SIZE_MAX 1024

struct credentials {
    char admin_key[CREDENTIALS_SIZE_MAX]; /* NUL-terminated, like the secret */
    char secret[CREDENTIALS_SIZE_MAX];    /* at least TOKEN_SECRET_SIZE_MIN bytes */
};

/* DATA/admin.key and DATA/secret; the folder exists. A value that is not NULL is used instead of its file.
 * Where the files are is logged, what is in them never. */
struct status credentials_load(struct credentials *c, const char *data, const char *admin_key,
                               const char *secret);
void credentials_wipe(struct credentials *c);

#endif
