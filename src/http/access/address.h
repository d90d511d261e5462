/* SPDX-License-Identifier: Apache-2.0 */
/* address.h — a client's address: always IPv6, with IPv4 mapped into it. */
#ifndef HTTP_ADDRESS_H
#define HTTP_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#include "core/types.h"

struct address {
    uint8_t bytes[16];
};

/* A network: the first `bits` bits count. */
struct cidr {
    struct address address;
    unsigned bits;
};

struct address address_of(const struct sockaddr *sa);
/* "192.0.2.1", "2001:db8::1", "[2001:db8::1]", each also with ":port" where that is unambiguous. */
bool address_read(struct text text, struct address *out);
/* The same without a port, NUL-terminated. */
#define ADDRESS_TEXT_SIZE 46
void address_write(struct address a, char out[ADDRESS_TEXT_SIZE]);
/* The address that rate limits count by: an IPv4 address, or the /64 of an IPv6 one. */
struct address address_neighbourhood(struct address a);

bool cidr_read(const char *text, struct cidr *out); /* "10.0.0.0/8", "2001:db8::/32", or a single address */
bool cidr_contains(const struct cidr *c, struct address a);

/* The client behind trusted proxies: reads X-Forwarded-For from right to left while the sender so far is
 * trusted. */
struct address address_forwarded(struct address peer, struct text header, const struct cidr *trusted,
                                 size_t count);

#endif
