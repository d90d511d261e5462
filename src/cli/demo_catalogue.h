/* SPDX-License-Identifier: Apache-2.0 */
/* demo_catalogue.h — the demo's data: events, calendars, groups, a fleet.
 *
 * It comes from src/cli/demo/catalogue.json: parts that are lists of API calls, each part with a condition for loading
 * it. The calls are made one after the other, through the same routes as a client's (http/wire/local_call.h).
 * A refused call ends its part.
 *
 * To add something to the demo: add a call there, and a line to the table in docs/tutorial.md.
 */
#ifndef CLI_DEMO_CATALOGUE_H
#define CLI_DEMO_CATALOGUE_H

#include "http/wire/local_call.h"

struct demo_call {
    enum method method;
    const char *path, *type, *body; /* times in the body: demo_time.h */
};

struct demo_part {
    const char *unless; /* a list: load the part if it is empty; or */
    const char *where;  /* a path: load the part if it exists */
    const struct demo_call *calls;
    size_t count;
};

/* Events, calendars with their groups, the fleet; and, if the fleet exists, the drivers that visitors can play. */
enum { DEMO_PART_EVENTS, DEMO_PART_CALENDARS, DEMO_PART_FLEET, DEMO_PART_VISITORS, DEMO_PARTS };
extern const struct demo_part demo_catalogue[];

#define DEMO_REFUSAL_SIZE 512
struct demo_loader {
    struct server *server;
    const struct demo_part *parts;
    size_t count, part;
    size_t call; /* of the part, from 1; 0: the request that checks its condition */
    struct local_call local;
    struct buf body;
    bool waiting;                    /* for the answer to a call */
    bool calling;                    /* inside local_call_make: an answer may come before it returns */
    char refusal[DEMO_REFUSAL_SIZE]; /* the first one, such as "PUT /v1/events/arena: 400 {…}"; "": none */
    void (*done)(void *ctx);
    void *ctx;
};

/* Makes the calls of the parts whose conditions hold; `done` is called at the end, possibly before this returns. If the
 * server stops, loading ends without `done`. `loader` must stay valid until then, or until the loop has ended. */
void demo_catalogue_put(struct demo_loader *loader, struct server *server, const struct demo_part *parts,
                        size_t count, void (*done)(void *ctx), void *ctx);

#endif
