/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h — opens store and server, runs the loop until SIGTERM or SIGINT, closes in reverse order. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "cli/options.h"

struct server;

struct serve_options {
    const char *data, *listen;
    const char *metrics_key; /* NULL: none */
    const char *openapi;     /* "public" or "admin" */
    const char *checkout;    /* NULL: none */
    const char *demo;        /* for `holdfast demo`: where its admin key is; NULL: not the demo */
    const char *store, *site, *node, *advertise, *gate, *redis; /* NULL: none; site: "main" */
    bool rate_limits, accept_clock, guests, hooks_private, require_standby;
    uint64_t history_days, journal_max, segment_size;
    struct option_list cors, trust_proxy, image_origin;
};

/* The defaults. */
struct serve_options serve_defaults(void);
/* For code that runs beside the server, on its loop; either may be NULL. */
struct serve_callbacks {
    /* The server accepts requests, and "listening on http://…" was written to standard output. */
    void (*listening)(void *ctx, struct server *server, const char *url);
    /* The server is stopping: submit no more commands, and close your handles on the loop. Called only after
     * `listening`. */
    void (*stopping)(void *ctx);
    void *ctx;
};
/* Runs until a signal; returns the exit code. `callbacks` may be NULL. */
int serve_run(const struct serve_options *options, const struct serve_callbacks *callbacks);

#endif
