/* SPDX-License-Identifier: Apache-2.0 */
/* patch_call.h — a JSON merge patch on its way: from the body to core, which asks for the merged record when
 * the command's turn comes (command.h).
 *
 * What is merged is the record as GET shows it, written and read by the same tables as in GET and PUT, so a new
 * setting needs nothing here.
 */
#ifndef HTTP_PATCH_CALL_H
#define HTTP_PATCH_CALL_H

#include "http/api/call.h"

/* Whether the body is a merge patch. False: 400 was replied. */
bool patch_call_check(struct request *r);

/* For `merge` of a command. While a reading is open reply_invalid keeps what it would say, because the refusal
 * is core's to give. */
struct patch_reading {
    struct request *request;
    struct json_fault fault;
    struct buf shown; /* the present record, for `merge` to write */
    struct json_writer writer;
};
void patch_reading_begin(struct patch_reading *p, struct request *r);
/* Reads the merged record by the route's fields into `body`, zeroed first. */
bool patch_reading_merge(struct patch_reading *p, void *body, size_t size);
/* Ends it. Returns `good`; if that is false, the fault is in the outcome. */
bool patch_reading_end(struct patch_reading *p, bool good, struct outcome *out);

#endif
