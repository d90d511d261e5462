/* SPDX-License-Identifier: Apache-2.0 */
/* route_index.c — part of routes.h: finds the row of the table for a path. */
#include "base/assertion.h"
#include "http/routes.h"

/* The index is a trie of path segments. Node 0 is the root, so 0 also means "none" in the links. */
#define NODES_MAX 256
struct route_node {
    const char *literal; /* NULL: a parameter that ends in `suffix` */
    const char *suffix;  /* of a parameter; "" when it is the whole segment */
    size_t size;         /* of the literal or the suffix */
    bool any_below;      /* the segment "*": matches it and all that follow */
    uint16_t child, sibling;
    unsigned allow;
    const struct route *by_method[METHOD_OPTIONS];
};
static struct route_node nodes[NODES_MAX];
static uint16_t nodes_used;

static uint16_t node_child(uint16_t parent, const char *segment, size_t size)
{
    struct route_node made = {.literal = segment, .size = size};
    uint16_t *link = &nodes[parent].child;
    made.any_below = size == 1 && segment[0] == '*';
    if (segment[0] == '{') {
        made.literal = NULL;
        made.suffix = strchr(segment, '}') + 1;
        made.size = size - (size_t)(made.suffix - segment);
    }
    for (uint16_t n; (n = *link) != 0; link = &nodes[n].sibling) {
        const char *ours = made.literal ? made.literal : made.suffix;
        const char *theirs = nodes[n].literal ? nodes[n].literal : nodes[n].suffix;
        if (!made.literal == !nodes[n].literal && made.size == nodes[n].size &&
            memcmp(ours, theirs, made.size) == 0)
            return n;
    }
    ASSERT(nodes_used < NODES_MAX);
    /* The last sibling: they are searched in the order of the table, which starts with the most frequent calls. */
    nodes[nodes_used] = made;
    return *link = nodes_used++;
}

static void routes_insert(const struct route *route, const char *pattern)
{
    uint16_t at = 0;
    unsigned parameters = 0;
    while (*pattern) {
        ASSERT(*pattern == '/');
        const char *segment = pattern + 1;
        size_t size = strcspn(segment, "/");
        if (size == 0 && at == 0) /* the path "/" */
            break;
        ASSERT(size > 0);
        parameters += segment[0] == '{';
        at = node_child(at, segment, size);
        pattern = segment + size;
    }
    ASSERT(parameters <= ROUTE_PARAMETERS_MAX);
    ASSERT(!nodes[at].by_method[route->method]);
    nodes[at].by_method[route->method] = route;
    nodes[at].allow |= 1u << route->method;
}

void routes_init(bool demo)
{
    if (nodes_used)
        return;
    nodes_used = 1;
    for (unsigned i = 0; i < routes_count; i++) {
        const struct route *route = &routes[i];
        ASSERT(route->method < METHOD_OPTIONS && route->handler && route->may);
        ASSERT(route->node == NODE_ANY || route->node == NODE_FORWARD); /* each row says it */
        ASSERT(!route->summary == (i >= routes_described())); /* what is described comes first */
        ASSERT(!route->summary || (route->about && route->tag && route->answers[0].status));
        ASSERT(!route->idempotent || route->method == METHOD_POST);
        if (!demo && strncmp(route->pattern, ROUTE_DEMO, strlen(ROUTE_DEMO)) == 0)
            continue;
        routes_insert(route, route->pattern);
        if (route->without_v1)
            routes_insert(route, route->pattern + strlen("/v1"));
    }
}

static bool ends_with(const char *segment, size_t size, const struct route_node *parameter)
{
    return size > parameter->size &&
           memcmp(segment + size - parameter->size, parameter->suffix, parameter->size) == 0;
}

/* A literal segment wins over a parameter in the same place, and among parameters the one with the longest suffix. */
static uint16_t node_find(uint16_t parent, const char *segment, size_t size)
{
    uint16_t parameter = 0;
    for (uint16_t n = nodes[parent].child; n; n = nodes[n].sibling) {
        if (nodes[n].any_below)
            return n;
        if (nodes[n].literal) {
            if (nodes[n].size == size && memcmp(nodes[n].literal, segment, size) == 0)
                return n;
        } else if (ends_with(segment, size, &nodes[n]) &&
                   (!parameter || nodes[n].size > nodes[parameter].size)) {
            parameter = n;
        }
    }
    return parameter;
}

void routes_match(enum method method, struct text path, struct route_match *out)
{
    *out = (struct route_match){0};
    if (path.size == 0)
        return;
    const char *at = path.at, *end = path.at + path.size;
    uint16_t node = 0;
    unsigned parameters = 0;
    while (at < end && !text_equal(path, TEXT("/"))) {
        if (*at != '/')
            return;
        const char *segment = at + 1;
        const char *stop = segment < end ? memchr(segment, '/', (size_t)(end - segment)) : NULL;
        size_t size = (size_t)((stop ? stop : end) - segment);
        if (size == 0)
            return;
        node = node_find(node, segment, size);
        if (node == 0)
            return;
        if (!nodes[node].literal)
            out->parameters[parameters++] = (struct text){segment, size - nodes[node].size};
        at = nodes[node].any_below ? end : segment + size;
    }
    out->allow = nodes[node].allow;
    out->route = method < METHOD_OPTIONS ? nodes[node].by_method[method] : NULL;
}
