/* SPDX-License-Identifier: Apache-2.0 */
/* peers.h — the open connections of each address. */
#ifndef HTTP_PEERS_H
#define HTTP_PEERS_H

#include "base/crypto/hash.h"
#include "http/access/address.h"
#include "http/wire/link.h"

struct peer {
    struct address address;
    unsigned count;
    struct link connections; /* in order of their arrival */
    struct peer *next;       /* in the same bucket */
};

#define PEERS_BUCKETS 4096

struct peers {
    struct peer *buckets[PEERS_BUCKETS];
    struct hash_key key;
};

void peers_init(struct peers *p);
void peers_release(struct peers *p);
/* The peer of an address, created if necessary; it lives while it has connections. */
struct peer *peers_get(struct peers *p, struct address address);
void peers_add(struct peer *peer, struct link *connection);
void peers_remove(struct peers *p, struct peer *peer, struct link *connection);

#endif
