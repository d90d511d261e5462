/* SPDX-License-Identifier: Apache-2.0 */
/* event_stream.c — the stream of an event: changes of its seats and pools. */
#include "http/live/backlog.h"
#include "http/live/message.h"
#include "http/record/encode.h"

static bool find_event(struct view *view, struct text id, struct backlog_found *out)
{
    struct event_view event;
    bool found = view_event_find(view, id, &event);
    if (found)
        *out = (struct backlog_found){event.image.number, event.image.id, event.seq};
    return found;
}

static void write_touch(void *ctx, const struct touch_view *touch)
{
    uint64_t id;
    struct buf *out = backlog_message(ctx, touch->seq, touch->more, &id);
    if (!out)
        return;
    struct json_writer w = message_begin(out, encode_touch_event(touch), id);
    encode_touch(&w, touch);
    message_end(out);
}

static bool write_event(struct view *view, uint64_t number, uint64_t after, struct backlog_writer *w)
{
    return view_touches(view, number, after, write_touch, w);
}

static const struct backlog_topic event_topic = {STREAM_EVENT, OUTCOME_NO_SUCH_EVENT, find_event,
                                                 write_event};

HANDLER(api_event_stream)
{
    backlog_open(r, &event_topic);
}

const struct stream_source event_source = BACKLOG_SOURCE;
