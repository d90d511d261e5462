/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/redis_address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "base/crypto/hash.h"
#include "base/text/digits.h"

#define SCHEME "redis://"
#define PORT_DEFAULT 6379

/* The same on every node. */
static const struct hash_key NAME_KEY = {0x686f6c6466617374, 0x7265646973};

/* What is still to be read of one address. */
struct rest {
    const char *at, *end;
};

/* The part before the first of these characters, or all. */
static struct rest take_until(struct rest *rest, const char *stops)
{
    struct rest part = {rest->at, rest->at};
    while (part.end < rest->end && !strchr(stops, *part.end))
        part.end++;
    rest->at = part.end;
    return part;
}

static bool percent_decode(struct rest in, char out[REDIS_SECRET_SIZE_MAX + 1])
{
    size_t size = 0;
    while (in.at < in.end) {
        int ch = (unsigned char)*in.at++;
        if (ch == '%') {
            int high = in.end - in.at >= 2 ? digits_hex(in.at[0]) : -1;
            int low = in.end - in.at >= 2 ? digits_hex(in.at[1]) : -1;
            if (high < 0 || low < 0)
                return false;
            ch = high * 16 + low;
            in.at += 2;
        }
        if (ch == 0 || size == REDIS_SECRET_SIZE_MAX)
            return false;
        out[size++] = (char)ch;
    }
    out[size] = '\0';
    return true;
}

/* "user:password", if there is an "@" after it. Returns what is wrong, or NULL. */
static const char *read_secrets(struct rest *rest, struct redis_address *out)
{
    struct rest userinfo = *rest;
    const char *at = memrchr(rest->at, '@', (size_t)(rest->end - rest->at));
    if (!at)
        return NULL;
    rest->at = at + 1;
    userinfo.end = at;
    struct rest user = take_until(&userinfo, ":");
    if (userinfo.at == userinfo.end)
        return "has a user without a password";
    userinfo.at++;
    out->authenticates = true;
    if (!percent_decode(user, out->user))
        return "has an invalid user";
    return percent_decode(userinfo, out->password) ? NULL : "has an invalid password";
}

static bool plain_host(const char *host)
{
    return host[0] && host[strspn(host, "abcdefghijklmnopqrstuvwxyz0123456789.-_")] == '\0';
}

/* The host, without its brackets. */
static bool read_host(struct rest *rest, struct redis_address *out, bool *brackets)
{
    struct in6_addr v6;
    *brackets = rest->at < rest->end && *rest->at == '[';
    rest->at += *brackets;
    struct rest host = take_until(rest, *brackets ? "]" : ":/");
    size_t size = (size_t)(host.end - host.at);
    if (size > REDIS_HOST_SIZE_MAX)
        return false;
    for (size_t i = 0; i < size; i++)
        out->host[i] = (char)(host.at[i] >= 'A' && host.at[i] <= 'Z' ? host.at[i] + 32 : host.at[i]);
    out->host[size] = '\0';
    if (!*brackets)
        return plain_host(out->host);
    if (rest->at == rest->end)
        return false;
    rest->at++;
    return inet_pton(AF_INET6, out->host, &v6) == 1;
}

/* A number after `before`, if that comes next. */
static bool digits_after(struct rest *rest, char before, uint64_t most, uint64_t *number)
{
    if (rest->at == rest->end || *rest->at != before)
        return true;
    rest->at++;
    struct rest digits = take_until(rest, before == ':' ? "/" : "");
    return digits_read(digits.at, (size_t)(digits.end - digits.at), number) && *number <= most;
}

static const char *read_address(struct rest rest, struct redis_address *out)
{
    uint64_t port = PORT_DEFAULT, db = 0;
    bool brackets;
    *out = (struct redis_address){0};
    const char *wrong = read_secrets(&rest, out);
    if (wrong)
        return wrong;
    if (!read_host(&rest, out, &brackets))
        return "has an invalid host";
    if (!digits_after(&rest, ':', UINT16_MAX, &port) || port == 0)
        return "has an invalid port";
    if (rest.at < rest.end && *rest.at == '/' && rest.at + 1 == rest.end)
        rest.at++; /* "host/" is database 0 */
    if (!digits_after(&rest, '/', REDIS_DB_MAX, &db))
        return "has an invalid database number";
    if (rest.at < rest.end)
        return "is invalid after its host";
    out->port = (uint16_t)port;
    out->db = (uint32_t)db;
    int size = snprintf(out->name, sizeof out->name, brackets ? "[%s]:%u/%u" : "%s:%u/%u", out->host,
                        out->port, out->db);
    out->hash = hash_sip(NAME_KEY, out->name, (size_t)size);
    return NULL;
}

static bool known(const struct redis_addresses *addresses, const char *name)
{
    for (unsigned i = 0; i < addresses->count; i++)
        if (strcmp(addresses->all[i].name, name) == 0)
            return true;
    return false;
}

struct status redis_addresses_read(const char *list, struct redis_addresses *out)
{
    struct rest rest = {list, list + strlen(list)};
    *out = (struct redis_addresses){0};
    for (unsigned number = 1;; number++, rest.at++) {
        struct rest one = take_until(&rest, ",");
        if (number > REDIS_ADDRESSES_MAX)
            return status_make(STATUS_INVALID, "more than %d Redis addresses", REDIS_ADDRESSES_MAX);
        struct redis_address *address = &out->all[out->count];
        const char *wrong = "does not begin with " SCHEME;
        size_t scheme = strlen(SCHEME);
        if ((size_t)(one.end - one.at) >= scheme && memcmp(one.at, SCHEME, scheme) == 0)
            wrong = read_address((struct rest){one.at + scheme, one.end}, address);
        if (!wrong && known(out, address->name))
            wrong = "is a duplicate";
        if (wrong)
            return status_make(STATUS_INVALID,
                               "Redis address %u %s; expected redis://[user:password@]host[:port][/db]",
                               number, wrong);
        out->count++;
        if (rest.at == rest.end)
            return status_none();
    }
}

unsigned redis_addresses_pick(const struct redis_addresses *addresses, const void *id, size_t size)
{
    unsigned best = 0;
    uint64_t highest = 0;
    for (unsigned i = 0; i < addresses->count; i++) {
        struct hash_key key = {addresses->all[i].hash, NAME_KEY.b};
        uint64_t score = hash_sip(key, id, size);
        if (score >= highest) {
            highest = score;
            best = i;
        }
    }
    return best;
}
