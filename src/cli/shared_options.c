/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shared_options.h"

#include <stdio.h>
#include <string.h>

#include "base/crypto/hash.h"
#include "base/text/digits.h"
#include "cli/serve.h"
#include "core/owner.h"
#include "http/access/credentials.h"
#include "http/gate/redis_address.h"
#include "http/wire/version.h"
#include "store/store.h"

/* Without --store, its companions would be ignored silently. */
static struct status refuse_alone(const struct serve_options *o)
{
    const char *name = o->advertise              ? "--advertise"
                       : o->node                 ? "--node"
                       : o->gate                 ? "--gate"
                       : o->redis                ? "--redis"
                       : o->require_standby      ? "--require-standby"
                       : strcmp(o->site, "main") ? "--site"
                                                 : NULL;
    return name ? status_make(STATUS_INVALID, "%s: only with --store", name) : status_none();
}

/* All nodes sign and verify with the same secrets, so none may be a file of one node. */
static struct status require_secrets(const struct credentials_given *given)
{
    const char *missing = !given->secret       ? "HOLDFAST_SECRET"
                          : !given->ticket_key ? "HOLDFAST_TICKET_KEY"
                          : !given->admin_key  ? "HOLDFAST_ADMIN_KEY"
                                               : NULL;
    return missing ? status_make(STATUS_INVALID, "--store: set %s, the same on all nodes", missing)
                   : status_none();
}

static void fingerprint(const char *secret, const struct credentials_given *given, uint8_t out[SHARED_PRINTS_SIZE])
{
    const struct hash_part parts[] = {{"holdfast site", 14},
                                      {given->ticket_key, strlen(given->ticket_key) + 1},
                                      {given->admin_key, strlen(given->admin_key) + 1}};
    hash_hmac_sha256_parts(secret, strlen(secret), parts, 3, out);
}

struct status shared_prints(const struct credentials_given *given, uint8_t prints[SHARED_PRINTS_SIZE],
                            uint8_t prints_old[SHARED_PRINTS_SIZE])
{
    struct status fault = require_secrets(given);
    if (!status_ok(&fault))
        return fault;
    fingerprint(given->secret, given, prints);
    fingerprint(given->secret_old ? given->secret_old : given->secret, given, prints_old);
    return fault;
}

/* The host and port of a URL such as http://10.0.0.1:8080 or http://[::1]:8080. NULL: nodes could not connect to it. */
static const char *host_of(const char *url)
{
    uint64_t number = 80;
    if (strncmp(url, "http://", 7) != 0) /* nodes speak plain HTTP to each other */
        return NULL;
    const char *host = url + 7;
    size_t bracket = *host == '[', size = strcspn(host, bracket ? "]" : ":");
    if (size <= bracket || (bracket && host[size] != ']') || strcspn(host, "/?#@ \"\\") != strlen(host))
        return NULL;
    const char *port = host + size + bracket;
    bool fine = !*port || (*port == ':' && strlen(port) <= 6 && digits_read(port + 1, strlen(port + 1), &number));
    return fine && number <= UINT16_MAX && strlen(host) <= OWNER_NODE_SIZE_MAX ? host : NULL;
}

/* A server that picks its own port can only advertise it afterwards. */
static void write_advertise(const char *url, unsigned port, char out[ADVERTISE_SIZE])
{
    size_t size = strlen(url);
    bool own = size > 2 && strcmp(url + size - 2, ":0") == 0;
    if (own)
        snprintf(out, ADVERTISE_SIZE, "%.*s:%u", (int)size - 2, url, port);
    else
        snprintf(out, ADVERTISE_SIZE, "%s", url);
}

static struct status read_gate(const struct serve_options *o, struct redis_addresses *redis)
{
    bool asks = o->gate && strcmp(o->gate, "redis") == 0;
    *redis = (struct redis_addresses){0};
    if (o->gate && !asks && strcmp(o->gate, "copy") != 0 && strcmp(o->gate, "off") != 0)
        return status_make(STATUS_INVALID, "--gate: expected copy, redis or off, got \"%s\"", o->gate);
    if (asks && !o->redis)
        return status_make(STATUS_INVALID, "--gate redis: set --redis, the same on all nodes");
    struct status read = o->redis ? redis_addresses_read(o->redis, redis) : status_none();
    return status_ok(&read) ? read : status_make(STATUS_INVALID, "--redis: %s", read.text);
}

struct status shared_options_read(const struct serve_options *o, const struct credentials_given *given, unsigned port,
                                  char advertise[ADVERTISE_SIZE], struct redis_addresses *redis,
                                  struct store_shared *out)
{
    if (!o->store)
        return refuse_alone(o);
    if (strncmp(o->store, "postgres://", 11) != 0 && strncmp(o->store, "postgresql://", 13) != 0)
        return status_make(STATUS_INVALID, "--store: expected a URL that starts with postgres://");
    struct status fault = read_gate(o, redis);
    if (status_ok(&fault))
        fault = require_secrets(given);
    if (!status_ok(&fault))
        return fault;
    if (!o->advertise || !host_of(o->advertise))
        return status_make(STATUS_INVALID,
                           "--advertise: expected host and port of this node, such as http://10.0.0.1:8080, got \"%s\"",
                           o->advertise ? o->advertise : "");
    write_advertise(o->advertise, port, advertise);
    const char *node = o->node ? o->node : host_of(advertise);
    if (!node[0] || strlen(node) > OWNER_NODE_SIZE_MAX || !credentials_plain(node))
        return status_make(STATUS_INVALID, "--node: expected up to %d visible characters, got \"%s\"",
                           OWNER_NODE_SIZE_MAX, node);
    *out = (struct store_shared){.url = o->store,
                                 .site = o->site,
                                 .node = node,
                                 .advertise = advertise,
                                 .version = HOLDFAST_VERSION,
                                 .gate_off = o->gate && strcmp(o->gate, "off") == 0,
                                 .require_standby = o->require_standby};
    return shared_prints(given, out->prints, out->prints_old);
}
