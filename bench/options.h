/* SPDX-License-Identifier: Apache-2.0 */
/* options.h — the command line of the load generator.
 *
 * Secrets come from the environment, as for the server: HOLDFAST_SECRET signs user tokens, HOLDFAST_ADMIN_KEY is sent
 * with --admin and resumes the queue of `stream`.
 */
#ifndef BENCH_OPTIONS_H
#define BENCH_OPTIONS_H

#include "workload.h"

struct options {
    struct workload_settings workload;
    const char *host;
    int port;
    int connections;
    int threads;
    double rate;         /* 0: closed loop */
    double time_s;       /* 0: until the requests are over */
    uint64_t count;      /* requests; 0: until the time is over */
    int64_t start_at_ms; /* epoch; 0: at once */
    bool stream;         /* not a workload of lanes but a crowd */
    bool digest;         /* nothing is sent */
    const char *admin_key;
    /* The second lane of `mixed`. */
    const char *read_path;
    double reads; /* per second */
    int read_connections;
};

/* Ends the process with a message if something is wrong. */
void options_read(struct options *o, int argc, char **argv);

#endif
