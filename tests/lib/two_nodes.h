/* SPDX-License-Identifier: Apache-2.0 */
/* two_nodes.h — two servers in one process, as two nodes of a site: `owner` decides, and `copy` follows. Each has a store
 * and a folder of its own, and nothing goes from one to the other but requests. A client of either; and an owner whose
 * answers a test makes up.
 */
#ifndef TESTS_LIB_TWO_NODES_H
#define TESTS_LIB_TWO_NODES_H

#include "view_loop.h"

#include "http/server.h"

#define NODES_START_MS 1772438400000LL
#define NODES_ADMIN "an-admin-key"
#define ADMIN_HEADER "Authorization: Bearer " NODES_ADMIN "\r\n"

extern int64_t nodes_now_ms;      /* of both stores */
extern int64_t nodes_skip_ms;     /* added to the time by which both time requests out */
extern struct store *owner_store; /* the copy's is `store` */
extern struct server *owner, *copy;
extern struct credentials nodes_credentials; /* of both */

/* For cmocka: both serve, and the copy knows where the owner is. */
int nodes_open(void **state);
int nodes_close(void **state);
/* Where the copy looks for the owner. The text is copied. */
void nodes_set_owner(const char *url);
const char *nodes_url(const struct server *server);

/* A connection of a client. */
struct client;
struct client *client_open(const char *url);
void client_send(struct client *c, const void *bytes, size_t size);
void client_close(struct client *c);
uv_stream_t *client_stream(struct client *c);
/* Everything received so far, NUL-terminated. */
const char *client_got(const struct client *c);
size_t client_got_size(const struct client *c);
bool client_ended(const struct client *c); /* the other side has closed it */

/* A whole answer to one request; valid until the next call. */
struct said {
    int status;
    char head[8192], body[65536];
};
/* Sends it over a connection of its own. `headers`: lines, or "". body NULL: none. */
const struct said *say(const struct server *server, const char *method, const char *target,
                       const char *headers, const char *body);
/* The value of a header, or NULL; "" for one that is there twice. Valid until the next call. */
const char *said_header(const struct said *said, const char *name);

/* An owner made up by the test. */
struct mock {
    unsigned connections; /* accepted so far */
    char got[1 << 20];    /* of all of them */
    size_t size;
    const char *answer; /* sent once for each head that has come; NULL: none */
    bool hangs_up;      /* closes each connection once something has come */
};
extern struct mock mock;
/* Begins to listen, and becomes the owner that the copy knows. */
void mock_open(void);
/* Sends more over the last connection; NULL closes it. */
void mock_send(const char *bytes);

/* Lets this time pass, by which requests are timed out; both servers have noticed it. */
void nodes_pass(int64_t ms);
/* Lets time pass until the condition is true. */
#define run_until_late(condition)                                                                            \
    do {                                                                                                     \
        while (!(condition))                                                                                 \
            nodes_pass(50);                                                                                  \
    } while (0)

#endif
