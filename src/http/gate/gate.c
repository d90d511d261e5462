/* SPDX-License-Identifier: Apache-2.0 */
#include "http/gate/gate.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "base/resp/resp_writer.h"
#include "http/gate/gate_scripts.h"
#include "http/gate/mirror.h"
#include "http/server.h"

#define COMMAND_SIZE_MAX ((size_t)1 << 20)

struct gate {
    struct server *server;
    const struct redis_addresses *addresses;
    struct redis_link *links[REDIS_ADDRESSES_MAX];
    struct mirror *mirror;
    struct buf scratch;
};

static uint64_t gate_now_ms(void *ctx)
{
    return server_now_ms(ctx);
}

struct gate *gate_open(struct server *server)
{
    struct gate *g = memory_zeroed(1, sizeof *g);
    g->server = server;
    g->addresses = server->options->redis;
    buf_init(&g->scratch, COMMAND_SIZE_MAX);
    for (unsigned i = 0; i < g->addresses->count; i++)
        g->links[i] =
            redis_link_open(server->loop, &(struct redis_link_options){.address = &g->addresses->all[i],
                                                                       .scripts = gate_scripts,
                                                                       .now_ms = gate_now_ms,
                                                                       .ctx = server});
    g->mirror = mirror_open(server, g->addresses, g->links);
    return g;
}

void gate_close(struct gate *g, uv_close_cb closed)
{
    mirror_close(g->mirror, closed);
    for (unsigned i = 0; i < g->addresses->count; i++)
        redis_link_close(g->links[i]);
}

void gate_free(struct gate *g)
{
    mirror_free(g->mirror);
    buf_release(&g->scratch);
    free(g);
}

void gate_durable(struct gate *g)
{
    mirror_durable(g->mirror);
}

void gate_sweep(struct gate *g)
{
    for (unsigned i = 0; i < g->addresses->count; i++)
        redis_link_sweep(g->links[i]);
    mirror_sweep(g->mirror);
}

static unsigned up_count(const struct gate *g)
{
    unsigned up = 0;
    for (unsigned i = 0; i < g->addresses->count; i++)
        up += redis_link_up(g->links[i]);
    return up;
}

bool gate_up(const struct gate *g)
{
    return up_count(g) == g->addresses->count;
}

void gate_read_gauges(const struct gate *g, struct gate_gauges *out)
{
    *out = (struct gate_gauges){.configured = true, .addresses = g->addresses->count, .up = up_count(g)};
    mirror_read_gauges(g->mirror, out);
}

uint64_t gate_erased_seq(const struct gate *g)
{
    return mirror_erased_seq(g->mirror);
}

struct redis_link *gate_link(struct gate *g, struct text event)
{
    return g->links[redis_addresses_pick(g->addresses, event.at, event.size)];
}

void gate_key(struct buf *out, struct text event, struct text seat)
{
    char key[sizeof "seat::" + 2 * ID_SIZE_MAX];
    int size =
        snprintf(key, sizeof key, "seat:%.*s:%.*s", (int)event.size, event.at, (int)seat.size, seat.at);
    resp_bytes(out, key, (size_t)size);
}

struct buf *gate_scratch(struct gate *g)
{
    return &g->scratch;
}
