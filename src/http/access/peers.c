/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/peers.h"

#include <stdlib.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "base/crypto/random.h"

void peers_init(struct peers *p)
{
    *p = (struct peers){.key = {random_u64(), random_u64()}};
}

void peers_release(struct peers *p)
{
    for (size_t i = 0; i < PEERS_BUCKETS; i++)
        ASSERT(!p->buckets[i]);
}

static struct peer **bucket_of(struct peers *p, struct address address)
{
    return &p->buckets[hash_sip(p->key, address.bytes, sizeof address.bytes) % PEERS_BUCKETS];
}

struct peer *peers_get(struct peers *p, struct address address)
{
    struct peer **bucket = bucket_of(p, address);
    for (struct peer *peer = *bucket; peer; peer = peer->next)
        if (memcmp(peer->address.bytes, address.bytes, sizeof address.bytes) == 0)
            return peer;
    struct peer *peer = memory_get(sizeof *peer);
    *peer = (struct peer){.address = address, .next = *bucket};
    link_init(&peer->connections);
    *bucket = peer;
    return peer;
}

void peers_add(struct peer *peer, struct link *connection)
{
    peer->count++;
    link_append(&peer->connections, connection);
}

void peers_remove(struct peers *p, struct peer *peer, struct link *connection)
{
    ASSERT(peer->count > 0);
    link_remove(connection);
    if (--peer->count)
        return;
    ASSERT(link_alone(&peer->connections));
    struct peer **at = bucket_of(p, peer->address);
    while (*at != peer)
        at = &(*at)->next;
    *at = peer->next;
    free(peer);
}
