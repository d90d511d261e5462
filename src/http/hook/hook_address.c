/* SPDX-License-Identifier: Apache-2.0 */
#include "http/hook/hook_address.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct network {
    uint8_t bytes[16];
    unsigned bits;
};

static const struct network private_4[] = {
    {{0}, 8},          /* this network */
    {{10}, 8},         /* private */
    {{100, 64}, 10},   /* behind a carrier's NAT */
    {{127}, 8},        /* loopback */
    {{172, 16}, 12},   /* private */
    {{192, 0, 0}, 24}, /* protocol assignments */
    {{192, 168}, 16},  /* private */
    {{198, 18}, 15},   /* benchmarks */
    {{224}, 3},        /* multicast, and the reserved addresses above it */
};
static const struct network link_local_4 = {{169, 254}, 16};

static const struct network private_6[] = {
    {{0}, 8},                    /* loopback, unspecified, IPv4-compatible, and IPv4-mapped */
    {{0, 0x64, 0xff, 0x9b}, 32}, /* NAT64 */
    {{0x20, 0x01, 0, 0}, 32},    /* Teredo */
    {{0x20, 0x02}, 16},          /* 6to4 */
    {{0xfc}, 7},                 /* unique local */
    {{0xfe, 0xc0}, 10},          /* site-local */
    {{0xff}, 8},                 /* multicast */
};
static const struct network link_local_6 = {{0xfe, 0x80}, 10};

/* IPv6 addresses that carry an IPv4 address, and where. */
static const struct {
    struct network network;
    size_t at;
} carriers[] = {
    {{{0}, 96}, 12},                                        /* ::192.0.2.1 */
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96}, 12}, /* ::ffff:192.0.2.1 */
    {{{0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96}, 12},       /* ::ffff:0:192.0.2.1 */
    {{{0, 0x64, 0xff, 0x9b}, 96}, 12},                      /* 64:ff9b::192.0.2.1 */
    {{{0, 0x64, 0xff, 0x9b, 0, 1}, 48}, 12}, /* 64:ff9b:1::192.0.2.1, of a network's own NAT64 */
    {{{0x20, 0x02}, 16}, 2},                 /* 2002:c000:0201:: */
};

static bool within(const uint8_t *address, const struct network *n)
{
    unsigned whole = n->bits / 8, rest = n->bits % 8;
    return memcmp(address, n->bytes, whole) == 0 &&
           (rest == 0 || (address[whole] ^ n->bytes[whole]) >> (8 - rest) == 0);
}

static enum hook_reach reach_4(const uint8_t address[4])
{
    if (within(address, &link_local_4))
        return HOOK_REACH_NEVER;
    for (size_t i = 0; i < sizeof(private_4) / sizeof(private_4[0]); i++)
        if (within(address, &private_4[i]))
            return HOOK_REACH_PRIVATE;
    return HOOK_REACH_PUBLIC;
}

static enum hook_reach reach_6(const uint8_t address[16])
{
    if (within(address, &link_local_6))
        return HOOK_REACH_NEVER;
    for (size_t i = 0; i < sizeof(carriers) / sizeof(carriers[0]); i++)
        if (within(address, &carriers[i].network) && within(address + carriers[i].at, &link_local_4))
            return HOOK_REACH_NEVER;
    for (size_t i = 0; i < sizeof(private_6) / sizeof(private_6[0]); i++)
        if (within(address, &private_6[i]))
            return HOOK_REACH_PRIVATE;
    return HOOK_REACH_PUBLIC;
}

enum hook_reach hook_address_reach(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, address, sizeof in);
        return reach_4((const uint8_t *)&in.sin_addr);
    }
    if (address->sa_family == AF_INET6) {
        struct sockaddr_in6 in;
        memcpy(&in, address, sizeof in);
        return reach_6(in.sin6_addr.s6_addr);
    }
    return HOOK_REACH_NEVER;
}
