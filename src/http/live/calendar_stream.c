/* SPDX-License-Identifier: Apache-2.0 */
/* calendar_stream.c — the stream of a calendar: time spans whose availability changed. */
#include "http/live/backlog.h"
#include "http/live/message.h"
#include "http/record/encode.h"

static bool find_calendar(struct view *view, struct text id, struct backlog_found *out)
{
    struct calendar_view calendar;
    bool found = view_calendar_find(view, id, &calendar);
    if (found)
        *out = (struct backlog_found){calendar.image.number, calendar.image.id, calendar.seq};
    return found;
}

static void write_span(void *ctx, const struct span_view *span)
{
    uint64_t id;
    struct buf *out = backlog_message(ctx, span->seq, span->more, &id);
    if (!out)
        return;
    struct json_writer w = message_begin(out, "changed", id);
    encode_span(&w, span);
    message_end(out);
}

static bool write_calendar(struct view *view, uint64_t number, uint64_t after, struct backlog_writer *w)
{
    return view_spans(view, number, after, write_span, w);
}

static const struct backlog_topic calendar_topic = {STREAM_CALENDAR, OUTCOME_NO_SUCH_CALENDAR, find_calendar,
                                                    write_calendar};

HANDLER(api_calendar_stream)
{
    backlog_open(r, &calendar_topic);
}

const struct stream_source calendar_source = BACKLOG_SOURCE;
