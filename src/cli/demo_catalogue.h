/* SPDX-License-Identifier: Apache-2.0 */
/* demo_catalogue.h — what the demo has to claim: events, calendars, groups, a fleet.
 *
 * It is data, src/cli/demo/catalogue.json: parts that are lists of calls to the API, each part with the condition under
 * which it is put in. The calls are made one after the other, by the routes that a client's take (http/wire/local_call.h).
 * A call that is refused ends its part.
 *
 * To add something to the demo: add a call there, and a line to the table in README.md.
 */
#ifndef CLI_DEMO_CATALOGUE_H
#define CLI_DEMO_CATALOGUE_H

#include "http/wire/local_call.h"

struct demo_call {
    enum method method;
    const char *path, *type, *body; /* times in the body: demo_time.h */
};

struct demo_part {
    const char *unless; /* a list: put in if it is empty; or */
    const char *where;  /* a path: put in if it exists */
    const struct demo_call *calls;
    size_t count;
};

/* Events, calendars with their groups, the fleet; and, if that exists, those of its drivers who wait for visitors. */
enum { DEMO_PART_EVENTS, DEMO_PART_CALENDARS, DEMO_PART_FLEET, DEMO_PART_VISITORS, DEMO_PARTS };
extern const struct demo_part demo_catalogue[];

#define DEMO_REFUSAL_SIZE 512
struct demo_filling {
    struct server *server;
    const struct demo_part *parts;
    size_t count, part;
    size_t call; /* of the part, from 1; 0: asks for its condition */
    struct local_call local;
    struct buf body;
    bool waiting, asking;            /* for an answer; within the call that asks */
    char refusal[DEMO_REFUSAL_SIZE]; /* "PUT /v1/events/arena: 400 {…}", the first one; "": none */
    void (*done)(void *ctx);
    void *ctx;
};

/* Makes the calls of these parts, as far as their conditions hold; `done` is called at the end, perhaps at once. A server
 * that stops ends it, without `done`. `filling` stays where it is until then, or until the loop has ended. */
void demo_catalogue_put(struct demo_filling *filling, struct server *server, const struct demo_part *parts,
                        size_t count, void (*done)(void *ctx), void *ctx);

#endif
