/* SPDX-License-Identifier: Apache-2.0 */
/* node_header.h — Holdfast-Node: proves to the deciding node that a request comes from another node of its site.
 *
 *   Holdfast-Node: NODE, MS, ADDRESS, DIGEST, PROOF
 *
 * NODE     the id of the sender
 * MS       when it was written, in milliseconds since the epoch, by the clock of the database (store_wall)
 * ADDRESS  of the client whose request this is
 * DIGEST   SHA-256 of the body, in base64url; "-": the body was not known yet, as for a streamed import
 * PROOF    HMAC-SHA256 in base64url over these four, the method and the target, with a key derived from the secret
 *
 * While the secret is being rotated, a proof made with the old one is accepted. A header is valid for NODE_HEADER_MS, so a
 * recorded request can be replayed unchanged for that long. Without a shared log the header is ignored.
 */
#ifndef HTTP_NODE_HEADER_H
#define HTTP_NODE_HEADER_H

#include "http/access/address.h"
#include "http/access/credentials.h"

#define NODE_HEADER_MS 30000
#define NODE_HEADER_SIZE_MAX 512
#define NODE_DIGEST_SIZE BASE64URL_SIZE(32)
#define NODE_DIGEST_STREAMED "-"

struct node_keys {
    uint8_t current[32], old[32];
};
void node_keys_init(struct node_keys *keys, const struct credentials *credentials);

struct node_claim {
    struct text node;
    int64_t at_ms;
    struct address address;
    struct text digest;
};

/* The digest of a body, NUL-terminated. */
void node_digest(struct text body, char out[NODE_DIGEST_SIZE + 1]);
/* The value of the header, NUL-terminated. The node's id is at most 255 visible characters. */
void node_header_write(const struct node_keys *keys, const struct node_claim *claim, const char *method,
                       struct text target, char out[NODE_HEADER_SIZE_MAX]);
/* False: it was not written by a node of this site for this request, or too long ago. The texts of *out point into the
 * header. */
bool node_header_read(const struct node_keys *keys, struct text header, const char *method,
                      struct text target, int64_t now_ms, struct node_claim *out);

#endif
