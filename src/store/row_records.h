/* SPDX-License-Identifier: Apache-2.0 */
/* row_records.h — the records that a row of the log changes, and that only this node's book has.
 *
 * Goes through the changes once, and asks for a few records at a time: reservations that were forgotten, payments, and the
 * reservations that these belong to. A record that neither memory nor the book has is made by an earlier change of the row.
 */
#ifndef STORE_ROW_RECORDS_H
#define STORE_ROW_RECORDS_H

#include "engine/fetch.h"
#include "log/log.h"

struct row_records {
    struct bytes_reader in; /* the changes that were not looked at yet */
    uint32_t next, count;
    uint64_t first_seq;
    struct change *changes; /* OUTCOME_LACKS_MAX: the keys point to their texts */
    struct id *made;        /* reservations that the row begins */
    uint32_t made_count;
    struct id *owners; /* reservations of payments, to be asked for */
    uint32_t owner_count;
    struct fetch fetch; /* what is asked for now */
};

void row_records_begin(struct row_records *r, const struct log_batch *batch);
/* Sets `fetch` to the next records. False: there are no more; all changes were looked at. */
bool row_records_next(struct row_records *r, struct state *st);
/* Restores what was read. False: it does not fit. */
bool row_records_put(struct row_records *r, struct state *st, const struct fetched *records);
void row_records_release(struct row_records *r);

#endif
