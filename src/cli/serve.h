/* SPDX-License-Identifier: Apache-2.0 */
/* serve.h — opens store and server, runs the loop until SIGTERM or SIGINT, closes in reverse order. */
#ifndef CLI_SERVE_H
#define CLI_SERVE_H

#include "cli/options.h"

struct store;
struct view;

struct serve_options {
    const char *data, *listen;
    const char *metrics_key; /* NULL: none */
    const char *openapi;     /* "public" or "admin" */
    const char *checkout;    /* NULL: none */
    bool rate_limits, accept_clock, guests, hooks_private, demo;
    uint64_t history_days, journal_max, segment_size;
    struct option_list cors, trust_proxy, image_origin;
};

/* The defaults. */
struct serve_options serve_defaults(void);
/* Runs until a signal; returns the exit code. When it can serve, "listening on http://…" is written to
 * standard output, and then `listening`, if it is not NULL, is called on the loop with the store, its view
 * and that URL. */
typedef void (*serve_listening_fn)(void *ctx, struct store *store, struct view *view, const char *url);
int serve_run(const struct serve_options *options, serve_listening_fn listening, void *ctx);

#endif
