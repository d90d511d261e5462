/* SPDX-License-Identifier: Apache-2.0 */
#include "http/live/message.h"

#include <inttypes.h>

#include "http/record/encode.h"

struct json_writer message_begin(struct buf *out, const char *name, uint64_t seq)
{
    buf_printf(out, "event: %s\n", name);
    if (seq)
        buf_printf(out, "id: %" PRIu64 "\n", seq);
    buf_append_text(out, "data: ");
    return json_writer_make(out);
}

void message_end(struct buf *out)
{
    buf_append_text(out, "\n\n");
}

void message_reset(struct buf *out, uint64_t version)
{
    buf_printf(out, "event: reset\nid: %" PRIu64 "\ndata: ", version);
    struct json_writer w = json_writer_make(out);
    encode_stream_reset(&w, version);
    message_end(out);
}
