/* SPDX-License-Identifier: Apache-2.0 */
/* follow_row.h — a row of the log on its way from the thread that reads it to the loop that applies it.
 *
 * Owns a copy of its bytes, and the time zones that its changes name, which are loaded on the reading thread.
 */
#ifndef CLUSTER_FOLLOW_ROW_H
#define CLUSTER_FOLLOW_ROW_H

#include <stdint.h>

#include "base/status.h"
#include "log/log.h"

struct change;
struct zone;

struct follow_row {
    struct follow_row *next;
    struct log_batch batch; /* verified; its bytes follow this struct */
    uint64_t epoch;
    uint64_t seen_ns; /* all rows that existed then had been seen: CLOCK_MONOTONIC */
    struct follow_zone {
        uint32_t change; /* index in the batch */
        struct zone *zone;
    } *zones;
    uint32_t zone_count;
    bool changes_records; /* it changes reservations or payments that it does not begin: memory may lack them */
    bool changes_layouts; /* it publishes or removes seats */
};

/* Copies the bytes. */
struct follow_row *follow_row_make(const struct log_batch *batch, uint64_t epoch, uint64_t seen_ns);
/* Loads the zones and notes what the changes need, with `scratch` to decode into. CORRUPT: a change cannot be read. INVALID: this
 * system lacks a zone. */
struct status follow_row_load(struct follow_row *r, struct change *scratch);
/* The zone of this change, which the caller then owns; NULL: it names none. */
struct zone *follow_row_zone(struct follow_row *r, uint32_t change);
void follow_row_release(struct follow_row *r); /* NULL is allowed */

#endif
