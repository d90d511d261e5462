/* SPDX-License-Identifier: Apache-2.0 */
/* nodes.c — the nodes of the site, as this one knows them: its own row is as of now, the others as they were read last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assertion.h"
#include "base/memory/memory.h"
#include "cluster/nodes.h"
#include "store/local.h"

static struct store_node *find_own(const struct store *s, struct store_node *nodes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(nodes[i].id, s->shared->options.node) == 0)
            return &nodes[i];
    return NULL;
}

static void read_row(const struct store *s, const struct node_row *row, int64_t now_ms, struct store_node *out)
{
    *out = (struct store_node){.owner = row->owner && !store_decides(s),
                               .epoch = state_epoch(s->state),
                               .book_seq = row->book,
                               .seen_ms = now_ms > row->ago_ms ? now_ms - row->ago_ms : 0};
    snprintf(out->id, sizeof(out->id), "%s", row->id);
    snprintf(out->url, sizeof(out->url), "%s", row->url);
    snprintf(out->version, sizeof(out->version), "%s", row->version);
}

static void write_own(struct store *s, int64_t now_ms, struct store_node *own)
{
    const struct store_shared *o = &s->shared->options;
    own->own = true;
    own->owner = store_decides(s);
    own->epoch = state_epoch(s->state);
    own->book_seq = recorder_seq(&s->recorder);
    own->seen_ms = now_ms;
    snprintf(own->id, sizeof(own->id), "%s", o->node);
    snprintf(own->url, sizeof(own->url), "%s", o->advertise ? o->advertise : "");
    snprintf(own->version, sizeof(own->version), "%s", o->version ? o->version : "");
}

uint32_t store_nodes(struct store *s, struct store_node out[STORE_NODES_MAX])
{
    ASSERT(local_on_loop(s));
    if (!s->shared)
        return 0;
    int64_t now_ms = store_now(s);
    struct node_row *rows = memory_get(STORE_NODES_MAX * sizeof(*rows));
    uint32_t count = upkeep_nodes(&s->upkeep, rows, STORE_NODES_MAX);
    for (uint32_t i = 0; i < count; i++)
        read_row(s, &rows[i], now_ms, &out[i]);
    free(rows);
    struct store_node *own = find_own(s, out, count);
    if (!own) { /* nothing was read yet, or it is beyond the last one there is room for */
        count += count < STORE_NODES_MAX;
        own = &out[count - 1];
        *own = (struct store_node){0};
    }
    write_own(s, now_ms, own);
    return count;
}
