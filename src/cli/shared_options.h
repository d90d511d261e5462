/* SPDX-License-Identifier: Apache-2.0 */
/* shared_options.h — the options of serve for a log in PostgreSQL. */
#ifndef CLI_SHARED_OPTIONS_H
#define CLI_SHARED_OPTIONS_H

#include <stdint.h>

#include "base/status.h"

struct serve_options;
struct credentials_given;
struct store_shared;
struct redis_addresses;

/* Rows of a table of options, for the struct serve_options `o`. */
#define SHARED_OPTIONS(o)                                                                                    \
    {OPTION_TEXT, "store", &(o).store, "URL",                                                                \
     "PostgreSQL with a log that several nodes share, postgres://… (a journal in the data folder)", 0, 0},   \
        {OPTION_TEXT, "site", &(o).site, "NAME", "which log of that database (main)", 0, 0},                 \
        {OPTION_TEXT, "advertise", &(o).advertise, "URL",                                                    \
         "where other nodes reach this one; needed with --store", 0, 0},                                     \
        {OPTION_TEXT, "node", &(o).node, "ID", "the name of this node (host:port of --advertise)", 0, 0},    \
        {OPTION_TEXT, "gate", &(o).gate, "copy|redis|off",                                                   \
         "whether a node that follows refuses holds of taken seats by its copy (copy); redis: and of seats " \
         "that others want at this moment", 0, 0},                                                           \
        {OPTION_TEXT, "redis", &(o).redis, "URL[,URL...]",                                                   \
         "Redis servers that mirror what is held and sold: redis://[user:password@]host[:port][/db] (none)", \
         0, 0},                                                                                              \
    {                                                                                                        \
        OPTION_SWITCH, "require-standby", &(o).require_standby, "",                                          \
            "refuse to start unless the database has a synchronous standby (off)", 0, 0                      \
    }

#define ADVERTISE_SIZE 256
#define SHARED_PRINTS_SIZE 32

/* Fingerprints of the secrets, and of those that are being replaced. INVALID: one is missing. */
struct status shared_prints(const struct credentials_given *given, uint8_t prints[SHARED_PRINTS_SIZE],
                            uint8_t prints_old[SHARED_PRINTS_SIZE]);

/* Does nothing without --store. INVALID: an option is missing, or needs --store. The texts in `out` are those of the options, but
 * for the URL, which is written to `advertise`: port 0 in it is replaced by the port that this process listens on. `redis` has
 * no address without --redis. */
struct status shared_options_read(const struct serve_options *o, const struct credentials_given *given, unsigned port,
                                  char advertise[ADVERTISE_SIZE], struct redis_addresses *redis,
                                  struct store_shared *out);

#endif
