/* SPDX-License-Identifier: Apache-2.0 */
/* fake_redis.h — a Redis server made up by a test, on the loop of store_loop.h: it knows AUTH, SELECT, PING and SCRIPT LOAD,
 * answers what the test tells it, and fails in all the ways of a server.
 */
#ifndef TESTS_LIB_FAKE_REDIS_H
#define TESTS_LIB_FAKE_REDIS_H

#include <uv.h>

#include "base/memory/buf.h"
#include "base/resp/resp_reader.h"

struct fake_peer;

struct fake_redis {
    /* Set by the test, at any time. */
    const char *user, *password; /* NULL: none is asked for */
    const char *answer;          /* RESP, for a command that it does not know itself; NULL: "+OK" */
    /* The same for each such command; NULL, or answers NULL: `answer`. */
    const char *(*judge)(const struct resp_value *command);
    const char *ping;            /* the answer to PING; NULL: "+PONG" */
    const char *load;            /* the answer to SCRIPT LOAD; NULL: a name of the script */
    const char *greeting;        /* sent to whoever connects, before anything is asked */
    bool stopped;                /* reads nothing and answers nothing: as after SIGSTOP */
    bool forgetful;              /* knows no script until one is loaded: SCRIPT FLUSH */
    bool hangs_up;               /* closes at each command, after its answer */

    char url[80];
    unsigned connections;    /* accepted so far */
    unsigned commands;       /* understood so far */
    unsigned answers;        /* handed to the kernel so far */
    struct buf got;          /* the commands, one a line, their arguments separated by spaces */
    struct fake_peer *peers; /* open connections */
    unsigned pieces;         /* reads that brought something */

    uv_tcp_t listener;
    bool listens;
    char address[64];
};

void fake_redis_open(struct fake_redis *f);
/* Refuses connections and drops the open ones; fake_redis_start listens at the same address again. */
void fake_redis_kill(struct fake_redis *f);
void fake_redis_start(struct fake_redis *f);
/* Reads and answers again. */
void fake_redis_continue(struct fake_redis *f);
/* Sends these bytes to everyone, asked or not. */
void fake_redis_say(struct fake_redis *f, const void *bytes, size_t size);
/* The commands so far, NUL-terminated; forgets them. Valid until the next call. */
const char *fake_redis_got(struct fake_redis *f);
/* Runs the loop until everything is closed. */
void fake_redis_close(struct fake_redis *f);

#endif
