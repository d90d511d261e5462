/* SPDX-License-Identifier: Apache-2.0 */
/* resp_writer.h — appends commands in RESP2: arrays of bulk strings, as clients of Redis send them.
 *
 *   resp_command(&out, 2);
 *   resp_text(&out, "GET");
 *   resp_bytes(&out, key, key_size);
 *
 * The caller counts: a command is complete after as many arguments as it began with, its name included.
 */
#ifndef BASE_RESP_WRITER_H
#define BASE_RESP_WRITER_H

#include "base/memory/buf.h"

void resp_command(struct buf *out, uint32_t arguments); /* at least one */
void resp_bytes(struct buf *out, const void *bytes, size_t size);
void resp_text(struct buf *out, const char *text); /* NUL-terminated */
void resp_number(struct buf *out, uint64_t number);

#endif
