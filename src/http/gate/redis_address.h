/* SPDX-License-Identifier: Apache-2.0 */
/* redis_address.h — the Redis servers of a site, as --redis names them, and which of them has an event.
 *
 *   redis://[user:password@]host[:port][/db][,…]
 *
 * User and password are percent-encoded; an empty user is Redis' own default; an IPv6 host has brackets. By rendezvous
 * hashing, every node with the same addresses, in any order, chooses the same server, and one more or less moves only
 * the events of that one.
 */
#ifndef HTTP_REDIS_ADDRESS_H
#define HTTP_REDIS_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define REDIS_ADDRESSES_MAX 16
#define REDIS_HOST_SIZE_MAX 253
#define REDIS_SECRET_SIZE_MAX 255
#define REDIS_DB_MAX 65535

struct redis_address {
    char host[REDIS_HOST_SIZE_MAX + 1]; /* in small letters, without brackets */
    uint16_t port;
    uint32_t db;
    bool authenticates;
    char user[REDIS_SECRET_SIZE_MAX + 1]; /* "": the default user */
    char password[REDIS_SECRET_SIZE_MAX + 1];
    char name[REDIS_HOST_SIZE_MAX + 16]; /* "host:port/db", for logs: without the user and the password */
    uint64_t hash;                       /* of the name */
};

struct redis_addresses {
    struct redis_address all[REDIS_ADDRESSES_MAX];
    unsigned count;
};

/* INVALID, with a sentence that never contains a password. */
struct status redis_addresses_read(const char *list, struct redis_addresses *out);
/* The index of the address that has this event. */
unsigned redis_addresses_pick(const struct redis_addresses *addresses, const void *id, size_t size);

#endif
