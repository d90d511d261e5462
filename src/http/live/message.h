/* SPDX-License-Identifier: Apache-2.0 */
/* message.h — one message of Server-Sent Events: its name, its id, a line of JSON. */
#ifndef HTTP_MESSAGE_H
#define HTTP_MESSAGE_H

#include <stdint.h>

#include "base/memory/buf.h"
#include "base/json/json_writer.h"

/* Begins a message; write its data with the writer, then call message_end. seq 0: without an id, so that clients resume
 * after an earlier message. */
struct json_writer message_begin(struct buf *out, const char *name, uint64_t seq);
void message_end(struct buf *out);
/* A complete `reset`: the stream is not resumed; the following messages come after this version. */
void message_reset(struct buf *out, uint64_t version);

#endif
