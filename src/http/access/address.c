/* SPDX-License-Identifier: Apache-2.0 */
#include "http/access/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>

static const uint8_t mapped_prefix[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

static bool is_ipv4(struct address a)
{
    return memcmp(a.bytes, mapped_prefix, sizeof mapped_prefix) == 0;
}

static struct address map_ipv4(const void *four_bytes)
{
    struct address a;
    memcpy(a.bytes, mapped_prefix, sizeof mapped_prefix);
    memcpy(a.bytes + 12, four_bytes, 4);
    return a;
}

struct address address_of(const struct sockaddr *sa)
{
    struct address a = {0};
    if (sa->sa_family == AF_INET) {
        struct sockaddr_in in;
        memcpy(&in, sa, sizeof in);
        a = map_ipv4(&in.sin_addr);
    } else if (sa->sa_family == AF_INET6) {
        struct sockaddr_in6 in6;
        memcpy(&in6, sa, sizeof in6);
        memcpy(a.bytes, &in6.sin6_addr, sizeof a.bytes);
    }
    return a;
}

bool address_read(struct text text, struct address *out)
{
    char host[INET6_ADDRSTRLEN];
    if (text.size && text.at[0] == '[') {
        const char *end = memchr(text.at, ']', text.size);
        if (!end)
            return false;
        text = (struct text){text.at + 1, (size_t)(end - text.at) - 1};
    } else {
        const char *colon = text.size ? memchr(text.at, ':', text.size) : NULL;
        if (colon && !memchr(colon + 1, ':', text.size - (size_t)(colon + 1 - text.at)))
            text.size = (size_t)(colon - text.at); /* one colon: a port after an IPv4 address */
    }
    if (text.size == 0 || text.size >= sizeof host)
        return false;
    memcpy(host, text.at, text.size);
    host[text.size] = '\0';
    uint8_t four[4];
    if (inet_pton(AF_INET, host, four) == 1) {
        *out = map_ipv4(four);
        return true;
    }
    return inet_pton(AF_INET6, host, out->bytes) == 1;
}

void address_write(struct address a, char out[ADDRESS_TEXT_SIZE])
{
    _Static_assert(ADDRESS_TEXT_SIZE >= INET6_ADDRSTRLEN, "every address fits");
    bool ipv4 = is_ipv4(a);
    inet_ntop(ipv4 ? AF_INET : AF_INET6, a.bytes + (ipv4 ? 12 : 0), out, ADDRESS_TEXT_SIZE);
}

struct address address_neighbourhood(struct address a)
{
    if (!is_ipv4(a))
        memset(a.bytes + 8, 0, 8);
    return a;
}

bool cidr_read(const char *text, struct cidr *out)
{
    const char *slash = strchr(text, '/');
    size_t size = slash ? (size_t)(slash - text) : strlen(text);
    if (!address_read((struct text){text, size}, &out->address))
        return false;
    bool ipv4 = is_ipv4(out->address) && !memchr(text, ':', size);
    unsigned long most = ipv4 ? 32 : 128, bits = most;
    if (slash) {
        char *end;
        if (slash[1] < '0' || slash[1] > '9')
            return false;
        bits = strtoul(slash + 1, &end, 10);
        if (*end || bits > most)
            return false;
    }
    out->bits = (unsigned)(ipv4 ? bits + 96 : bits);
    return true;
}

bool cidr_contains(const struct cidr *c, struct address a)
{
    unsigned whole = c->bits / 8, rest = c->bits % 8;
    if (memcmp(c->address.bytes, a.bytes, whole) != 0)
        return false;
    return rest == 0 || (c->address.bytes[whole] ^ a.bytes[whole]) >> (8 - rest) == 0;
}

static bool is_trusted(struct address a, const struct cidr *trusted, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (cidr_contains(&trusted[i], a))
            return true;
    return false;
}

struct address address_forwarded(struct address peer, struct text header, const struct cidr *trusted,
                                 size_t count)
{
    while (header.size && is_trusted(peer, trusted, count)) {
        const char *comma = memrchr(header.at, ',', header.size);
        const char *at = comma ? comma + 1 : header.at;
        const char *end = header.at + header.size;
        while (at < end && (*at == ' ' || *at == '\t'))
            at++;
        while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        struct address next;
        if (!address_read((struct text){at, (size_t)(end - at)}, &next))
            break; /* entries further left were not added by a trusted proxy */
        peer = next;
        header.size = comma ? (size_t)(comma - header.at) : 0;
    }
    return peer;
}
