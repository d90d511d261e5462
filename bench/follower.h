/* SPDX-License-Identifier: Apache-2.0 */
/* follower.h — one person in a waiting room: joins, opens the stream of their entry and waits for the admission.
 *
 *   joining ──► opening ──► following ──► told
 *      └───────────┴────────────┴───────► lost     (another answer, or the connection ended)
 *
 * All on one connection. Streams are Server-Sent Events that end with the connection; only the entry's status is read
 * from their messages. Knows nothing about the others, nor about when the queue admits people.
 */
#ifndef BENCH_FOLLOWER_H
#define BENCH_FOLLOWER_H

#include "answer.h"

#define FOLLOWER_LINE_MAX 2048

enum follower_state {
    FOLLOWER_JOINING,
    FOLLOWER_OPENING,
    FOLLOWER_FOLLOWING,
    FOLLOWER_TOLD,
    FOLLOWER_LOST,
};

/* What all of them share. */
struct follower_queue {
    const char *host;
    const char *event;
    size_t token_size;
};

struct follower {
    int fd; /* -1: none */
    enum follower_state state;
    const char *token; /* borrowed */
    uint64_t position; /* if admitted, from the stream */
    struct answer answer;
    size_t line_size; /* of the current partial line */
    char line[FOLLOWER_LINE_MAX];
};

/* Sends the request to join over a connected socket, which it takes over. */
void follower_begin(struct follower *f, const struct follower_queue *queue, int fd, const char *token);
/* There could be something to read. Reads once; the state says what came of it. */
void follower_ready(struct follower *f, const struct follower_queue *queue);
void follower_release(struct follower *f);

#endif
