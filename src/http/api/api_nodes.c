/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "http/api/page.h"
#include "http/record/record.h"
#include "http/server.h"
#include "http/wire/reply.h"
#include "http/wire/version.h"

/* clang-format off */
WORD_LIST(node_roles, "owner", "follower")

#define NODE(F) \
    F(STRING, node, "10.0.0.7:8080", "The id of the node.", node->id) \
    F(STRING, url, "http://10.0.0.7:8080", "Where other nodes reach it.", node->url) \
    F(WORD, role, "owner", "Whether it decides, or follows the node that does.", node_roles, \
      node->owner ? "owner" : "follower") \
    F(UINT, epoch, 3, "How often the owner has changed; 0 without a shared log.", node->epoch) \
    F(MAYBE_UINT, lag_ms, , "How far it is behind the owner. Only of the node that answers; each node has its own in `/readyz`.", \
      node->own, stats.lag_ms) \
    F(UINT, book_seq, 81230, "The last change in its book.", node->book_seq) \
    F(TIME, seen_at, "2030-06-03T09:00:00.000Z", "When it last wrote its row: every second, or every few, while it runs.", \
      node->seen_ms) \
    F(STRING, version, "0.1.0", "The version of the program.", node->version)
RECORD(node, "A process that serves this site.", NODE)
/* clang-format on */

/* The only node of a site without a shared log. */
static void describe_this(const struct request *r, const struct store_stats *stats, struct store_node *out)
{
    *out = (struct store_node){.own = true, .owner = true, .book_seq = stats->book_seq, .seen_ms = r->now_ms};
    server_address(r->server, out->id, sizeof out->id);
    snprintf(out->url, sizeof out->url, "http://%s", out->id);
    snprintf(out->version, sizeof out->version, "%s", HOLDFAST_VERSION);
}

HANDLER(api_node_list)
{
    struct store_stats stats;
    struct store_node *nodes = arena_take(&r->arena, STORE_NODES_MAX * sizeof *nodes);
    uint32_t count = store_nodes(r->store, nodes);
    store_stats(r->store, &stats);
    if (count == 0)
        describe_this(r, &stats, &nodes[count++]);
    struct json_writer *w = reply_json(r, 200);
    page_begin(w);
    for (const struct store_node *node = nodes; node < nodes + count; node++)
        WRITE_RECORD(NODE);
    page_end_name(w, false, (struct text){0});
    reply_finish(r);
}
